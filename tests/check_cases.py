"""The recorded cases against the desk: what each case claims, told as readable complaints.

Used by `tests/test_cases.py`; as a script it prints one line for each claim that does not hold:

    python tests/check_cases.py [PATTERN ...]        # bura, fault-, rule-open-31, bourre/session-01 ...
    python tests/check_cases.py --no-disputes bura   # without the `disputes` claims
"""

import fnmatch
import json
import sys
import traceback
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "cases"
EXIT_OF_VERDICT = {"verified": 0, "refuted": 1, "undecided": 4}
REFUSED = 3
SEVERITY_OF_KEY = {"error_codes": "error", "doubt_codes": "doubt", "note_codes": "note"}
Json = dict[str, Any]


def case_names() -> list[str]:
    """Every case as `bura/rule-open-31`, in a stable order."""
    return sorted(str(path.relative_to(CASES)).removesuffix(".expect.json") for path in CASES.glob("*/*.expect.json"))


def recording_path(name: str) -> Path:
    return CASES / f"{name}.{name.partition('/')[0]}.jsonl"


def expectation(name: str) -> Json:
    loaded: Json = json.loads((CASES / f"{name}.expect.json").read_text(encoding="utf-8"))
    return loaded


def complaints(name: str, *, disputes: bool = True) -> list[str]:
    """What the case claims and the desk does not give; empty when the case holds."""
    from replay import desk

    data, claimed = recording_path(name).read_bytes(), expectation(name)
    found = list(report_complaints(claimed, desk.verify(data)))
    for reading, part in claimed.get("readings", {}).items():
        report = desk.verify(data, reading=reading)
        found += [f"--as {reading}: {text}" for text in report_complaints(part, report)]
    for view, part in claimed.get("views", {}).items():
        report = desk.verify(data, view=view)
        found += [f"--view {view}: {text}" for text in report_complaints(part, report)]
    for part in claimed.get("disputes", []) if disputes else []:
        answer = desk.dispute(data, **part["args"])
        found += [f"dispute {_spelled(part['args'])}: {text}" for text in dispute_complaints(part, answer)]
    return found


def report_complaints(claimed: Json, result: Json) -> Iterator[str]:
    """Claims about one report or refusal; only the keys that are there are checked."""
    from replay import desk

    exit_code = claimed.get("exit", EXIT_OF_VERDICT.get(claimed.get("verdict", "")))
    yield from _differs("exit", exit_code, desk.exit_code(result))
    yield from _problem_complaints(claimed.get("problems", []), result.get("problems", []))
    if result.get("format") != "razbor-report/1":
        if exit_code != REFUSED:
            yield f"expected a report, got {result.get('format')}: {result.get('problems', [])[:3]}"
        return
    yield from _differs("verdict", claimed.get("verdict"), result["verdict"])
    yield from _finding_complaints(claimed, result["findings"])
    yield from _hand_complaints(claimed.get("hands", []), result["hands"])
    yield from _seat_complaints("balances_due", claimed.get("balances_due", {}), result["balances"]["due"])


def _finding_complaints(claimed: Json, findings: list[Json]) -> Iterator[str]:
    errors = [(finding["seq"], finding["code"]) for finding in findings if finding["severity"] == "error"]
    if "first_error" in claimed:
        yield from _first_error_complaints(claimed["first_error"], errors)
    if "error_count" in claimed and claimed["error_count"] != len(errors):
        yield f"error_count: expected {claimed['error_count']}, got {len(errors)}: {errors}"
    if "all_errors" in claimed:
        expected = sorted((seq, code) for seq, code in claimed["all_errors"])
        if expected != sorted(errors):
            yield f"all_errors: expected {expected}, got {sorted(errors)}"
    for key, severity in SEVERITY_OF_KEY.items():
        if key not in claimed:
            continue
        codes = {finding["code"] for finding in findings if finding["severity"] == severity}
        missing = sorted(set(claimed[key]) - codes)
        if missing:
            yield f"{key}: {missing} not told; told as {severity}: {sorted(codes)}"
        if key == "doubt_codes" and not claimed[key] and codes:
            yield f"doubt_codes: expected none, got {sorted(codes)}"


def _first_error_complaints(claimed: Json | None, errors: list[tuple[int, str]]) -> Iterator[str]:
    if claimed is None:
        if errors:
            yield f"first_error: expected no error at all, got {errors}"
        return
    span = f"{claimed['seq']}..{claimed['seq_to']}" if "seq_to" in claimed else str(claimed["seq"])
    expected = f"one of {claimed['codes']} at seq {span}"
    if not errors:
        yield f"first_error: expected {expected}, got no error"
        return
    seq, last = min(errors)[0], claimed.get("seq_to") or claimed["seq"]
    codes = {code for at, code in errors if at == seq}
    if not claimed["seq"] <= seq <= last or not codes & set(claimed["codes"]):
        yield f"first_error: expected {expected}, got {sorted(codes)} at seq {seq}; all: {errors}"


def _hand_complaints(claimed: list[Json], hands: list[Json]) -> Iterator[str]:
    for part in claimed:
        number = part["hand"]
        hand = next((hand for hand in hands if hand["hand"] == number), None)
        if hand is None:
            yield f"hand {number}: not in the report, which has {[hand['hand'] for hand in hands]}"
            continue
        for key in ("reason", "pot_before", "pot", "pot_after"):
            if key in part and part[key] != hand[key]:
                yield f"hand {number} {key}: expected {part[key]}, got {hand[key]}"
        if "takers" in part and (hand["takers"] is None or sorted(part["takers"]) != sorted(hand["takers"])):
            yield f"hand {number} takers: expected {part['takers']}, got {hand['takers']}"
        for key in ("net_due", "points", "tricks"):
            got = {seat: entry.get(key, "nothing") for seat, entry in hand["seats"].items()}
            yield from _seat_complaints(f"hand {number} {key}", part.get(key, {}), got)


def _problem_complaints(claimed: list[Json], problems: list[Json]) -> Iterator[str]:
    for part in claimed:
        if not any(
            problem["line"] == part["line"]
            and str(problem["field"] or "").startswith(part.get("field", ""))
            and part.get("code", problem["code"]) == problem["code"]
            for problem in problems
        ):
            told = [(problem["line"], problem["field"], problem["code"]) for problem in problems]
            yield f"problems: {part} is not among {told}"


def dispute_complaints(claimed: Json, answer: Json) -> Iterator[str]:
    """Claims about one answer of `razbor dispute`."""
    for seat, part in claimed.get("seats", {}).items():
        entry = answer.get("seats", {}).get(seat)
        if entry is None:
            yield f"seat {seat}: not answered"
            continue
        got = {**entry, **entry.get("points", {})}
        if "settled_by" in part:
            got["settled_by"] = sorted(sorted(seats) for seats in got.get("settled_by") or [])
        for key, value in part.items():
            expected = sorted(sorted(seats) for seats in value) if key == "settled_by" else value
            if key not in got or got[key] != expected:
                yield f"seat {seat} {key}: expected {value}, got {got.get(key, 'nothing')}"
    if "rightful" in claimed:
        yield from _differs("rightful", sorted(claimed["rightful"]), sorted(answer["rightful"]["seats"]))
    if "contradictions" in claimed:
        told = sorted({entry["seat"] for entry in answer.get("contradictions", [])})
        yield from _differs("contradictions", sorted(claimed["contradictions"]), told)


def _differs(what: str, expected: object, got: object) -> Iterator[str]:
    if expected is not None and expected != got:
        yield f"{what}: expected {expected}, got {got}"


def _seat_complaints(what: str, claimed: Json, got: Json) -> Iterator[str]:
    for seat, value in claimed.items():
        if seat not in got or got[seat] != value:
            yield f"{what} of seat {seat}: expected {value}, got {got.get(seat, 'no such seat')}"


def _spelled(args: Json) -> str:
    return " ".join(f"--{key} {value}" for key, value in args.items() if value is not None)


def _selected(patterns: list[str]) -> list[str]:
    names = case_names()
    return [name for name in names if not patterns or any(fnmatch.fnmatch(name, f"*{one}*") for one in patterns)]


def _outcome(future: Future[list[str]]) -> list[str]:
    """The complaints; an exception is a complaint too, with the place that raised it."""
    error = future.exception()
    if error is None:
        return future.result()
    frames = traceback.extract_tb(error.__cause__.__traceback__ if error.__cause__ else error.__traceback__)
    remote = [line.strip() for line in str(error.__cause__ or "").splitlines() if line.strip().startswith("File ")]
    place = remote[-1] if remote else (str(frames[-1]) if frames else "")
    return [f"BUG {type(error).__name__}: {error} [{place}]"]


def main(arguments: list[str]) -> int:
    """Checks the selected cases on all cores; 0 when every one holds."""
    sys.path.insert(0, str(ROOT))
    disputes = "--no-disputes" not in arguments
    names = _selected([argument for argument in arguments if not argument.startswith("--")])
    failed = 0
    with ProcessPoolExecutor(initializer=sys.path.insert, initargs=(0, str(ROOT))) as pool:
        futures = {name: pool.submit(complaints, name, disputes=disputes) for name in names}
        for name, future in futures.items():
            found = _outcome(future)
            failed += bool(found)
            for text in found:
                print(f"{name}: {text}")
    print(f"{len(names) - failed} of {len(names)} cases hold")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
