"""What is damaged - journal, key, anchor - is told in a sentence by every command, and is no bug of Razbor."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined] # the one sqlite-utils itself found

from recorder.checkpoint import PLAIN, Signer
from tests.cli.razbor import razbor
from tests.integrity.evening import make


def cut(folder: Path) -> None:
    file = folder / "journal.db"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def written_over(folder: Path) -> None:
    """All but the first hundred bytes, by which SQLite knows its files."""
    file = folder / "journal.db"
    file.write_bytes(file.read_bytes()[:100] + bytes(file.stat().st_size - 100))


def nonsense(folder: Path) -> None:
    (folder / "journal.db.anchor" / "anchor.db").write_bytes(b"no" * 99)


def anchored_otherwise(folder: Path) -> None:
    connection = sqlite3.connect(str(folder / "journal.db.anchor" / "anchor.db"))
    connection.execute("UPDATE anchors SET note = 'x'")
    connection.commit()
    connection.close()


def a_file_instead(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        shutil.rmtree(folder / name)
        (folder / name).write_text("x")

    return change


def key(data: bytes, mode: int = 0o600) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        file = folder / "journal.db.keys" / "log.key"
        file.write_bytes(data or file.read_bytes())
        file.chmod(mode)

    return change


OTHER = Signer("razbor.test/other", PLAIN, bytes(32)).spell().encode() + b"\n"
DAMAGES: dict[str, tuple[Callable[[Path], None], str, int]] = {
    "journal cut in half": (cut, "damaged", 1),
    "journal written over": (written_over, "damaged", 1),
    "key for all to read": (key(b"", 0o644), "can read", 2),
    "key of another log": (key(OTHER), "another log", 1),
    "key of nonsense": (key(b"nonsense\n"), "holds no key", 2),
    "key of bytes": (key(b"\xff\xfe"), "holds no key", 2),
    "a file for the keys": (a_file_instead("journal.db.keys"), "written", 0),
    "anchor of nonsense": (nonsense, "damaged", 1),
    "anchor with another note": (anchored_otherwise, "no signed note", 1),
    "a file for the anchor": (a_file_instead("journal.db.anchor"), "written", 0),
}
COMMANDS = (
    ("list",), ("export", "00000000000000aa"), ("receipt", "00000000000000aa"), ("key", "show"), ("key", "new"),
    ("witness", "ask"), ("erase", "00000000000000aa", "--for-good"),
)  # fmt: skip


@pytest.mark.parametrize(("damage", "told", "audited"), DAMAGES.values(), ids=DAMAGES)
def test_damage_is_told_by_every_command(
    tmp_path: Path, damage: Callable[[Path], None], told: str, audited: int
) -> None:
    path = tmp_path / "journal.db"
    make(path)
    damage(tmp_path)
    audit = razbor("audit-log", "--db", str(path))
    assert audit.exit_code == audited, audit.output
    results = [razbor(*command, "--db", str(path)) for command in COMMANDS]
    results += [razbor("backup", str(tmp_path / "copy"), "--db", str(path)), razbor("restore", str(path), "--drill")]
    assert {result.exit_code for result in results} <= {0, 1, 2}
    failed = [result.stderr for result in results if result.exit_code]
    assert failed
    assert all(text.strip() for text in failed)
    assert any(told in text for text in failed), failed
    if audited == 1 and told != "another log":
        assert "Findings" in audit.stdout
