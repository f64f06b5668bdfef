"""`razbor verify`: exit codes, one JSON report a line, what is said to a person, and what is said to a mistake."""

import gzip
import json
import re
from pathlib import Path

import pytest
from backports import zstd

from recorder.words import topic
from replay import desk
from schemas.values import BOURRE_REASONS, BURA_REASONS
from tests.check_cases import CASES, EXIT_OF_VERDICT, case_names, expectation, recording_path
from tests.cli.razbor import REFUSED, REFUTED, SAMPLES, SEVERAL_HANDS, UNDECIDED, VERIFIED, data_of, process, razbor


@pytest.mark.parametrize(("file", "code"), [(VERIFIED, 0), (REFUTED, 1), (REFUSED, 3), (UNDECIDED, 4)])
def test_exit_code_is_the_verdict(file: str, code: int) -> None:
    assert razbor("verify", file).exit_code == code
    assert razbor("verify", file, "--json").exit_code == code


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ((VERIFIED, UNDECIDED), 4),
        ((UNDECIDED, REFUTED, VERIFIED), 1),
        ((REFUTED, REFUSED, UNDECIDED), 3),
        ((VERIFIED, VERIFIED), 0),
    ],
)
def test_of_several_the_gravest_counts(files: tuple[str, ...], code: int) -> None:
    assert razbor("verify", *files).exit_code == code


def test_every_case_at_once_one_answer_a_line_in_order() -> None:
    names = [name for name in case_names() if name.startswith("bura/")]
    result = razbor("verify", "--json", str(CASES / "bura"))
    said = data_of(result)
    assert len(said) == len(names)
    claimed = {name: expectation(name) for name in names}
    by_file = {recording_path(name).name: name for name in names}
    for answer, file in zip(said, sorted(by_file), strict=True):
        expected = claimed[by_file[file]]
        exit_code = expected.get("exit", EXIT_OF_VERDICT.get(expected.get("verdict", "")))
        assert exit_code in (None, desk.exit_code(answer)), file
    assert result.exit_code == 3
    assert "refused" in result.stderr
    assert f"Recordings {len(names)}:" in result.stderr


def test_json_is_what_the_desk_says() -> None:
    result = razbor("verify", "--json", REFUTED)
    expected = json.dumps(desk.verify(Path(REFUTED).read_bytes()), ensure_ascii=False, separators=(",", ":"))
    assert result.stdout == expected + "\n"
    assert result.stderr == ""


def test_standard_input_gzip_and_zstd_are_read() -> None:
    plain = Path(VERIFIED).read_bytes()
    named = razbor("verify", VERIFIED, "--json").stdout
    assert razbor("verify", "-", "--json", given=plain).stdout == named
    assert razbor("verify", "-", "--json", given=gzip.compress(plain)).stdout == named
    assert razbor("verify", "-", "--json", given=zstd.compress(plain)).stdout == named


def test_a_bundle_gives_a_report_for_each() -> None:
    bundle = Path(VERIFIED).read_bytes() + Path(REFUTED).read_bytes()
    result = razbor("verify", "-", "--json", given=bundle)
    assert [answer["verdict"] for answer in data_of(result)] == ["verified", "refuted"]
    assert result.exit_code == 1
    assert "Recordings 2: verified 1, refuted 1, undecided 0, refused 0" in razbor("verify", "-", given=bundle).stdout


def test_a_folder_gives_its_recordings_only(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.bura.jsonl").write_bytes(Path(REFUTED).read_bytes())
    (tmp_path / "a.bura.jsonl.gz").write_bytes(gzip.compress(Path(VERIFIED).read_bytes()))
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    (tmp_path / "z.bura.jsonl.zst").write_bytes(zstd.compress(Path(UNDECIDED).read_bytes()))
    result = razbor("verify", str(tmp_path), "--json")
    assert [answer["verdict"] for answer in data_of(result)] == ["verified", "refuted", "undecided"]


def test_the_report_holds_no_path(tmp_path: Path) -> None:
    copy = tmp_path / "anna-at-home.jsonl"
    copy.write_bytes(Path(REFUTED).read_bytes())
    assert razbor("verify", "--json", str(copy)).stdout == razbor("verify", "--json", REFUTED).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.jsonl",), "There is no file nowhere.jsonl."),
        ((), "FILES is missing."),
        ((VERIFIED, "--vieww", "x"), "There is no option --vieww. Did you mean --view?"),
        (("-", VERIFIED, "-"), "Standard input (-) can be read once."),
        ((VERIFIED, "--as", "told"), "--as: told is not one of amended, recorded, SEQ."),
        ((VERIFIED, "--view", "seat:0"), "--view: seat:0 is not one of full, public, seat:K."),
        ((VERIFIED, "--view", "seat:9"), "There is no seat 9 at this table of 3."),
        ((VERIFIED, "--rules", "bura/nowhere@1"), "There is no preset bura/nowhere@1;"),
        ((VERIFIED, "--rules", "bourre/classic@1"), "rules.preset cannot be"),
        ((VERIFIED, "--set", "target"), "--set takes NAME=VALUE, not target."),
        ((VERIFIED, "--set", "target=30"), "rules.options.target cannot be 30 here; possible: 31 | 61 | unrecorded."),
        ((VERIFIED, "--set", "tempo=1"), "rules.options.tempo cannot be"),
    ],
)
def test_a_mistyped_command_gets_one_clear_sentence(arguments: tuple[str, ...], said: str) -> None:
    result = razbor("verify", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert result.stderr.count("\n") == 2


def test_a_folder_without_recordings_is_a_mistake(tmp_path: Path) -> None:
    result = razbor("verify", str(tmp_path))
    assert result.exit_code == 2
    assert "holds no .jsonl file" in result.stderr


def test_an_unreadable_file_is_a_mistake(tmp_path: Path) -> None:
    ring = tmp_path / "ring.jsonl"
    ring.symlink_to(ring)
    result = razbor("verify", str(ring))
    assert result.exit_code == 2
    assert f"{ring} cannot be read: " in result.stderr


def test_nothing_is_judged_where_one_of_the_files_is_missing() -> None:
    assert razbor("verify", VERIFIED, "nowhere.jsonl", "--json").stdout == ""


def test_corrections_are_left_aside_when_asked() -> None:
    file = str(recording_path("bura/table-amended"))
    amended, recorded = (data_of(razbor("verify", file, "--json", *more))[0] for more in ((), ("--as", "recorded")))
    assert amended["verdict"] == "verified"
    assert recorded["verdict"] == "refuted"


def test_another_rule_gives_another_judgement() -> None:
    (said,) = data_of(razbor("verify", REFUTED, "--json", "--set", "failed_open=opponent_wins"))
    assert said["recording"]["options"]["failed_open"] == "opponent_wins"
    assert said["hands"][0]["takers"] == [2]
    (said,) = data_of(razbor("verify", REFUTED, "--json", "--rules", "bura/pagat-36@1"))
    assert said["recording"]["rules"] == "bura/pagat-36@1"


def test_a_record_that_stops_says_so() -> None:
    text = razbor("verify", str(recording_path("bura/fault-record-breaks-off"))).stdout
    last = len(recording_path("bura/fault-record-breaks-off").read_bytes().split(b"\n")) - 2
    assert f"up to event {last}, not closed" in text


def test_a_person_reads_verdict_findings_hands_and_balances() -> None:
    text = razbor("verify", REFUTED).stdout
    assert text.startswith("Refuted: errors 4, doubts 0, notes 0")
    assert "error hand 1, event 13, 1 Анна  bura/short-count" in text
    assert "recorded 31, due 30 · bura.12" in text
    assert "30 -30 (+10)" in text
    assert "by the record  10      -10" in text


@pytest.mark.parametrize(("lang", "word"), [("ru", "Опровергнуто"), ("fr", "Réfuté"), ("en", "Refuted")])
def test_three_languages(lang: str, word: str) -> None:
    assert razbor("verify", REFUTED, "--lang", lang).stdout.startswith(word)
    assert razbor("--lang", lang, "verify", REFUTED).stdout.startswith(word)
    assert razbor("verify", REFUTED, env={"LC_ALL": f"{lang}_XX.UTF-8"}).stdout.startswith(word)


def test_a_refusal_tells_every_problem_in_the_language_asked() -> None:
    (said,) = data_of(razbor("verify", REFUSED, "--json", "--lang", "ru"))
    assert said["problems"][0]["code"] == "look-alike-letter"
    assert "похожа на латинскую" in said["problems"][0]["message"]
    assert "line 10  look-alike-letter" in razbor("verify", REFUSED).stdout


def test_data_do_not_change_with_the_language_of_the_machine() -> None:
    plain = razbor("verify", REFUSED, "--json").stdout
    assert razbor("verify", REFUSED, "--json", env={"LC_ALL": "ru_RU.UTF-8"}).stdout == plain


def test_a_bug_is_no_verdict() -> None:
    code = (
        "import sys; sys.argv[0] = 'razbor'; from replay import desk; desk.verify_each = lambda *a, **k: 1 / 0\n"
        "from replay.cli import main; main()"
    )
    done = process("verify", VERIFIED, code=code)
    assert done.returncode == 70
    assert b"ZeroDivisionError" in done.stderr
    assert b"a bug of Razbor" in done.stderr


def test_no_colour_and_no_bar_where_nobody_looks() -> None:
    done = process("verify", VERIFIED, REFUTED, SEVERAL_HANDS)
    assert b"\x1b" not in done.stdout + done.stderr
    assert done.stderr == b""


def test_french_sets_the_colon_of_a_verdict_off() -> None:
    assert razbor("verify", REFUTED, "--lang", "fr").stdout.startswith("Réfuté\u00a0: erreurs 4")
    assert razbor("verify", REFUSED, "--lang", "fr").stdout.startswith("Refusé\u00a0: ")
    assert razbor("verify", REFUSED, "--lang", "ru").stdout.startswith("Не принято: ")


def test_what_nobody_saw_is_told_as_that_and_not_as_a_card() -> None:
    text = razbor("verify", str(recording_path("bura/table-unseen-stretch"))).stdout
    assert "What nobody saw leaves this open. From here to the end of the hand nothing is certain." in text


@pytest.mark.parametrize("command", ["verify", "show"])
def test_house_rules_are_told_as_they_are_typed(command: str) -> None:
    options = {"max_ante": 1250, "max_draw": {"5": 4, "7": 3}, "dealer_stays_on_ace": True, "pot_limit": "none"}
    began = {"seq": 0, "type": "recording_began", "format": "razbor/1", "game": "bourre", "seats": ["A", "B"]}
    began |= {"unit": "EUR", "unit_digits": 2, "rules": {"preset": "bourre/classic@1", "options": options}}
    lines = (began, {"seq": 1, "type": "recording_ended", "events": 2})
    given = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    told = razbor(command, "-", given=given).stdout
    words = "max_ante=1250", "max_draw=5:4,7:3", "dealer_stays_on_ace=true", "pot_limit=none"
    assert [word for word in words if not re.search(rf"(?<!\S){word}(,| |$)", told, re.MULTILINE)] == []
    assert "max_ante=1250 (12.50)" in told
    typed = [part for word in words for part in ("--set", word)]
    assert data_of(razbor("verify", "-", *typed, "--json", given=given))[0]["recording"]["options"] == options


@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
def test_how_a_hand_ended_and_what_proves_a_card_are_told_in_words(lang: str) -> None:
    words = topic("cli", lang)
    told = razbor("verify", "--lang", lang, REFUTED).stdout
    assert words["reason"]["failed_open"] in told.split("\n\n")[1], "in the table of hands"
    assert words["reason"]["failed_open"] in next(line for line in told.splitlines() if "record.3.1" in line)
    for file in sorted(SAMPLES.glob("*.jsonl")):
        lines = razbor("verify", "--lang", lang, str(file)).stdout.splitlines()
        said = "\n".join(line for line in lines if "@1" not in line)  # there options stand by their names
        assert [word for word in ("proved_by", "failed_open", "most_tricks", "sole_survivor") if word in said] == []


def test_a_number_that_nobody_knows_is_not_spoken_of(tmp_path: Path) -> None:
    """An unseen card in a pile that is too small whatever it is: how much is there is left out of the sentence."""
    began: dict[str, object] = {"type": "recording_began", "format": "razbor/1", "game": "bura", "seats": ["A", "B"]}
    began["rules"] = {"preset": "bura/classic-36@1", "options": {"molodka_turn": "in_turn"}}
    events: list[dict[str, object]] = [
        began,
        {"type": "stake_set", "amount": 10},
        {"type": "hand_began", "hand": 1, "dealer": 2},
        {"type": "staked", "seat": 1, "amount": 10, "why": "ante"},
        {"type": "staked", "seat": 2, "amount": 10, "why": "ante"},
        {"type": "dealt", "seat": 1, "cards": ["As", "Ts", "Ks"]},
        {"type": "dealt", "seat": 2, "cards": ["??", "6d", "7d"]},
        {"type": "trump_turned", "card": "6c"},
        {"type": "played", "seat": 1, "cards": ["As"], "face": "up"},
        {"type": "played", "seat": 2, "cards": ["??"], "face": "down"},
        {"type": "opened", "seat": 1},
        {"type": "pot_taken", "seat": 1, "amount": 20},
        {"type": "hand_ended", "reason": "opened"},
    ]
    given = b"".join(json.dumps({**event, "seq": seq}).encode() + b"\n" for seq, event in enumerate(events))
    told = razbor("verify", "-", given=given).stdout
    assert "    1 A took the pot with too few points.\n    recorded 31 · bura.12\n" in told
    known = razbor("verify", "-", given=given.replace(b"??", b"9s")).stdout
    assert "    1 A took the pot with too few points. The pile holds 11; 31 are needed.\n" in known


def test_the_event_that_proves_a_renege_is_told_beside_it() -> None:
    told = razbor("verify", str(SAMPLES / "hidden-hands-proved-renege.bourre.jsonl")).stdout
    assert "recorded Kd, due 3c · event 72 shows that it was held · bourre.8" in told


@pytest.mark.parametrize("lang", ["en", "ru", "fr"])
def test_every_reason_a_hand_may_end_for_has_its_words(lang: str) -> None:
    assert set(topic("cli", lang)["reason"]) == {*BURA_REASONS, *BOURRE_REASONS}
