"""README, CHANGELOG and the samples say what is true."""

import re
from pathlib import Path

import pytest

from tests.check_cases import recording_path
from tests.fill_readme import BLOCK, output_of

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SAMPLES = ROOT / "data" / "recordings"
SOURCE = (SAMPLES / "SOURCE.md").read_text(encoding="utf-8")
SOURCES = re.findall(r"^\| `([^`]+\.jsonl)` \| `([^`]+)` \|", SOURCE, re.MULTILINE)


@pytest.mark.parametrize("block", list(BLOCK.finditer(README)), ids=lambda block: block["arguments"])
def test_readme_shows_what_the_command_prints(block: re.Match[str]) -> None:
    assert block["output"] == output_of(block["arguments"]), "run: python tests/fill_readme.py"


def test_readme_names_every_command_and_no_other() -> None:
    from replay.cli import main

    assert set(re.findall(r"`razbor ([a-z-]+)", README)) == set(main.commands)


def test_readme_names_every_setting_and_no_other() -> None:
    named = re.findall(r"^\| `(RAZBOR_[A-Z]+)` \|", README, re.MULTILINE)
    sources = "".join(
        path.read_text(encoding="utf-8") for folder in ("recorder", "replay") for path in (ROOT / folder).rglob("*.py")
    )
    assert len(named) > 5
    assert sorted(named) == sorted(set(re.findall(r'"(RAZBOR_[A-Z]+)"', sources)))
    examples = [
        (ROOT / "data" / "examples" / name).read_text(encoding="utf-8") for name in ("razbor.service", "Containerfile")
    ]
    assert {each for text in examples for each in re.findall(r"RAZBOR_[A-Z]+", text)} <= set(named)


def test_readme_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).is_file()] == []


def test_readme_leads_to_its_own_sections() -> None:
    headings = re.findall(r"^#{2,3} (.+)$", README, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    asked = set(re.findall(r"\]\(#([^)]+)\)", README))
    assert len(asked) > 8
    assert asked <= anchors


def test_readme_names_folders_that_exist() -> None:
    section = README.partition("## What each folder holds")[2]
    named = re.findall(r"^\|[^|]*\| (`[^|]+) \|", section, re.MULTILINE)
    folders = [name for cell in named for name in re.findall(r"`([^`]+)`", cell)]
    assert len(folders) > 8
    assert [name for name in folders if not (ROOT / name).exists()] == []


def test_readme_makes_what_the_makefile_makes() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    told = set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE))
    assert told == targets - {"help"}


@pytest.mark.parametrize(("file", "case"), SOURCES)
def test_sample_is_the_case_it_came_from(file: str, case: str) -> None:
    case_bytes = recording_path(case).read_bytes()
    sample = (SAMPLES / file).read_bytes()
    untitled = re.sub(rb',"title":"[^"]*"(?=\}\r?\n)', b"", sample, count=1)
    assert case_bytes in (sample, untitled)
    assert b'"title":"' in sample.partition(b"\n")[0]


def test_every_sample_has_a_source() -> None:
    assert sorted(file for file, _ in SOURCES) == sorted(path.name for path in SAMPLES.glob("*.jsonl"))


def test_changelog_tells_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version
    assert f"## [{version[1]}]" in changelog
