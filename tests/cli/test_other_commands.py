"""`show`, `dispute`, `rules`, `schema`, `serve`, help and what is said to mistyped commands."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from recorder import rulebook
from replay import desk
from replay.audit.report import ENGINE
from replay.cli import main
from replay.cli_commands import SCHEMAS
from schemas import jsonschema
from schemas.rules import RULES_OF
from tests.check_cases import recording_path
from tests.cli.razbor import (
    PLAIN,
    REFUSED,
    REFUTED,
    ROOT,
    RUN,
    SEVERAL_HANDS,
    UNDECIDED,
    VERIFIED,
    data_of,
    process,
    razbor,
)

COMMANDS = ["verify", "show", "dispute", "explain", "add", "list", "export", "rules", "schema", "serve"]


def test_the_commands_are_those_of_the_manual() -> None:
    assert list(main.commands)[: len(COMMANDS)] == COMMANDS


@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_explains_itself(command: str, lang: str) -> None:
    result = razbor("--lang", lang, command, "--help")
    assert result.exit_code == 0
    for option in main.commands[command].params:
        if option.param_type_name == "option":
            assert max(option.opts, key=len) in result.stdout
    assert "--lang" in result.stdout
    if lang == "ru":
        assert "Настройки:" in result.stdout


def test_help_lists_every_command() -> None:
    text = razbor("--help").stdout
    assert [name for name in COMMANDS if f"\n  {name} " not in text] == []
    assert "0 verified, 1 refuted, 2 mistyped, 3 refused" in text


def test_version_is_that_of_the_project() -> None:
    assert razbor("--version").stdout == f"razbor {ENGINE} (engine in pure Python)\n"
    assert f'version = "{ENGINE}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("typed", "meant"), [("verfy", "verify"), ("shwo", "show"), ("exprot", "export"), ("rule", "rules")]
)
def test_a_mistyped_command_hears_what_was_meant(typed: str, meant: str) -> None:
    result = razbor(typed)
    assert result.exit_code == 2
    assert f"Did you mean {meant}?" in result.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete(shell: str) -> None:
    done = process(env={"_RAZBOR_COMPLETE": f"{shell}_source"})
    assert done.returncode == 0, done.stderr
    assert b"_RAZBOR_COMPLETE" in done.stdout
    asked = {"_RAZBOR_COMPLETE": "bash_complete", "COMP_WORDS": "razbor rules bura/cl", "COMP_CWORD": "2"}
    assert b"bura/classic-36@1" in process(env=asked).stdout


# -- show


def test_show_tells_every_event_once() -> None:
    text = razbor("show", REFUTED).stdout
    assert [int(number) for number in re.findall(r"^ *(\d+) [a-z_]+", text, re.MULTILINE)] == list(range(16))
    assert "bura/short-count 1 Анна: recorded 31, due 30 (bura.12)" in text


def test_show_can_tell_one_hand_up_to_an_event() -> None:
    whole = razbor("show", SEVERAL_HANDS, "--hand", "2").stdout.split("\n")
    assert "hand 2" in whole[0]
    at = whole[5].split()[0]
    part = razbor("show", SEVERAL_HANDS, "--hand", "2", "--at", at).stdout.split("\n")
    assert part[:-1] == whole[: len(part) - 1]
    assert part[-2].split()[0] == at


def test_show_hides_what_a_viewer_could_not_see() -> None:
    file = str(recording_path("bura/clean-01"))
    assert "??" not in razbor("show", file).stdout
    assert "??" in razbor("show", file, "--view", "public").stdout


def test_show_gives_each_step_as_data() -> None:
    steps = data_of(razbor("show", REFUTED, "--json"))
    assert [step["event"]["seq"] for step in steps] == list(range(16))
    assert steps[4]["table"]["pot"] == 20
    assert [finding["code"] for finding in steps[13]["findings"]] == ["bura/short-count"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--hand", "9"), "There is no hand 9; there are: 1."),
        (("--at", "99"), "There is no event 99; the last one is 15."),
        (("--hand", "x"), "--hand: x is not possible here; give a whole number from 1 on."),
        (("--hand", "0"), "--hand: 0 is not possible here; give a whole number from 1 on."),
        (("--view", "seat:7"), "There is no seat 7 at this table of 2."),
    ],
)
def test_show_says_what_is_not_there(more: tuple[str, ...], said: str) -> None:
    result = razbor("show", REFUTED, *more)
    assert result.exit_code == 2
    assert said in result.stderr


def test_show_refuses_what_cannot_be_read() -> None:
    assert razbor("show", REFUSED).exit_code == 3
    assert data_of(razbor("show", REFUSED, "--json"))[0]["format"] == "razbor-refusal/1"


# -- dispute


def test_dispute_is_what_the_desk_says() -> None:
    asked = razbor(
        "dispute", UNDECIDED, "--hand", "1", "--view", "public", "--believe", "2", "--believe", "3", "--json"
    )
    expected = desk.dispute(Path(UNDECIDED).read_bytes(), hand=1, view="public", believe=(2, 3))
    assert asked.exit_code == 0
    assert data_of(asked) == [json.loads(json.dumps(expected))]


@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
@pytest.mark.parametrize("name", ["bura/dispute-open-01", "bura/dispute-believe-01", "bourre/redacted-proved-1"])
def test_dispute_reads_as_text(name: str, lang: str) -> None:
    result = razbor("dispute", str(recording_path(name)), "--hand", "1", "--lang", lang)
    assert result.exit_code == 0
    assert len(result.stdout.split("\n")) > 8


def test_dispute_says_whom_it_believes() -> None:
    asked = ("dispute", UNDECIDED, "--hand", "1")
    assert "at their word" not in razbor(*asked).stdout
    assert "This takes 2 Зоя, 3 Вера at their word." in razbor(*asked, "--believe", "3", "--believe", "2").stdout


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--hand", "7"), "There is no hand 7; there are: 1."),
        (("--hand", "1", "--at", "0"), "Event 0 does not stand in hand 1."),
        (("--hand", "1", "--believe", "9"), "There is no seat 9 at this table of 3."),
        ((), "--hand is missing."),
    ],
)
def test_dispute_says_what_is_not_there(more: tuple[str, ...], said: str) -> None:
    result = razbor("dispute", UNDECIDED, *more)
    assert result.exit_code == 2
    assert said in result.stderr


def test_dispute_refuses_what_cannot_be_read() -> None:
    assert razbor("dispute", REFUSED, "--hand", "1").exit_code == 3


# -- rules and schema


def test_rules_spell_out_every_option_of_every_preset() -> None:
    (said,) = data_of(razbor("rules", "--json"))
    assert sorted(said["presets"]) == sorted(rulebook.presets())
    for preset, options in said["presets"].items():
        assert set(options) == set(said["options"][preset.split("/")[0]])
    assert said["options"]["bura"]["target"] == {"paragraph": "bura.12", "values": [31, 61]}


@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
def test_rules_explain_every_option(lang: str) -> None:
    text = razbor("rules", "--lang", lang).stdout
    for game in RULES_OF:
        assert [name for name in RULES_OF[game].__dataclass_fields__ if f"\n{name}" not in text] == []


def test_rules_of_one_preset_mark_its_own_values() -> None:
    text = razbor("rules", "bura/georgian-20@1").stdout
    assert "failed_open = opponent_wins  (rule bura.12)" in text
    assert "  * opponent_wins" in text
    assert "molodka_turn = (must be given)" in razbor("rules", "bura/classic-36@1").stdout
    assert razbor("rules", "bura/nowhere@1").exit_code == 2


@pytest.mark.parametrize("name", [None, *SCHEMAS])
def test_schema_is_a_schema(name: str | None) -> None:
    printed = json.loads(razbor("schema", *([name] if name else [])).stdout)
    Draft202012Validator.check_schema(printed)
    assert printed["$schema"] == jsonschema.DIALECT


def test_schema_knows_the_same_names_as_the_command() -> None:
    assert jsonschema.NAMES == SCHEMAS
    assert razbor("schema", "receipt").exit_code == 2


# -- serve


@pytest.mark.parametrize(("options", "seen"), [([], 1), (["--shown-only"], 0)])
def test_serve_prints_its_address_and_shows_all_unless_told_not_to(
    tmp_path: Path, options: list[str], seen: int
) -> None:
    db = str(tmp_path / "served.db")
    razbor("add", VERIFIED, "--db", db)
    command = [sys.executable, "-c", RUN, "serve", "--db", db, "--port", "0", *options]
    env = {**os.environ, **PLAIN, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=env, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        found = re.search(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())
        assert found
        with urllib.request.urlopen(found[0], timeout=30) as answer:
            page = answer.read().decode()
        with urllib.request.urlopen(f"{found[0]}api/v1/recordings", timeout=30) as listed:
            recordings = json.load(listed)["recordings"]
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=30) == 0
    assert answer.status == 200
    assert "<html" in page
    assert len(recordings) == seen


def test_the_service_behind_a_proxy_shows_only_what_was_shown() -> None:
    unit = (ROOT / "data" / "examples" / "razbor.service").read_text("utf-8")
    assert re.search(r"^ExecStart=\S+/razbor serve --host 127\.0\.0\.1 .*--shown-only$", unit, re.MULTILINE)


def test_a_taken_port_is_a_mistake(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = process("serve", "--db", str(tmp_path / "x.db"), "--port", str(port))
    assert done.returncode == 2
    assert f"Port {port} is not free." in done.stderr.decode()
