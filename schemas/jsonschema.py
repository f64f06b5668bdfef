"""JSON Schema (2020-12) of what Razbor reads and says, made from the declarations; `razbor schema` prints it.

The shapes of the answers are declared here; the events are those of `schemas.events`, the options those of
`schemas.rules`, so neither can drift from its schema.
"""

from collections.abc import Iterable
from dataclasses import fields
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from schemas.cards import SPELLING
from schemas.events import TYPES, Corrected, Event, Inserted, RecordingBegan, RecordingEnded
from schemas.options import plain, values_of
from schemas.problems import MOST_PROBLEMS
from schemas.problems import Code as ProblemCode
from schemas.rules import AMOUNTS, RULES_OF, UNRECORDED
from schemas.values import FORMAT

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
NAMES: Final = ("recording", "event", "report", "refusal", "dispute", "explain")
"""What there is a schema of."""
_UNAMENDABLE: Final = (RecordingBegan, RecordingEnded, Corrected, Inserted)
_REF: Final = "#/$defs/{}"

Hex16 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
Hex64 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
SeatKey = Annotated[str, msgspec.Meta(pattern="^[1-9][0-9]*$")]
ViewName = Annotated[str, msgspec.Meta(pattern="^(full|public|seat:[1-9][0-9]?)$")]
FindingCode = Annotated[str, msgspec.Meta(extra_json_schema={"$ref": _REF.format("finding_code")})]
KnownCard = Annotated[str, msgspec.Meta(pattern="^[2-9TJQKA][shdc]$")]
Answer = Literal["must", "cannot", "open"]
Count = Annotated[int, msgspec.Meta(ge=0)]
Number = Annotated[int, msgspec.Meta(ge=1)]


class _Said(msgspec.Struct, forbid_unknown_fields=True):
    """What every answer has in common: no field but those declared."""


class Range(_Said):
    """Exact bounds: the least and the greatest; None where they are not known."""

    low: int | None
    high: int | None


class Head(_Said):
    """Which recording was judged, and by which rules."""

    digest: Hex64
    id: Hex16
    game: Literal["bura", "bourre"]
    rules: str
    options: dict[str, Any]
    rules_digest: Hex16
    view: ViewName
    events: Number
    hands: Count
    complete: bool


class FindingRow(_Said):
    """One finding: what was recorded beside what should stand there."""

    code: FindingCode
    severity: Literal["error", "doubt", "note"]
    seq: Count
    hand: Number | None
    seat: Number | None
    recorded: Any
    expected: Any
    rule: str
    shaken: bool


class TrickRow(_Said):
    """One trick: who led, who took, the seqs of its plays; `points` in Bura only."""

    trick: Number
    leader: Number | None
    taker: Number | None
    seqs: tuple[Count, ...]
    points: Range | UnsetType = UNSET


class SeatRow(_Said):
    """One seat in one hand: `points` in Bura, `tricks` in Bourré; chips by the moves and as due."""

    net_recorded: int
    net_due: int | None
    points: Range | UnsetType = UNSET
    tricks: int | UnsetType | None = UNSET


class HandRow(_Said):
    """One hand as it should have gone."""

    hand: Number
    dealer: Number
    trump: Literal["s", "h", "d", "c"] | None
    pot_before: int | None
    pot: int | None
    pot_after: int | None
    reason: str | None
    takers: tuple[Number, ...] | None
    tricks: tuple[TrickRow, ...]
    seats: dict[SeatKey, SeatRow]


class Balances(_Said):
    """Chips of each seat's present player at the end."""

    recorded: dict[SeatKey, int | None]
    due: dict[SeatKey, int | None]


class Report(_Said):
    """`razbor-report/1`."""

    format: Literal["razbor-report/1"]
    engine: str
    recording: Head
    verdict: Literal["verified", "refuted", "undecided"]
    findings: tuple[FindingRow, ...]
    hands: tuple[HandRow, ...]
    balances: Balances


class ProblemRow(_Said):
    """One problem of a file: its line, counted from 1, the field, the code, and a sentence; of a score sheet or a
    table of plays the column, too."""

    line: Number
    field: str
    code: ProblemCode
    message: str
    column: Number | UnsetType = UNSET


class RefusalSaid(_Said):
    """`razbor-refusal/1`."""

    format: Literal["razbor-refusal/1"]
    problems: Annotated[tuple[ProblemRow, ...], msgspec.Meta(min_length=1, max_length=MOST_PROBLEMS)]


class Reached(_Said):
    """The first event from which a seat had the target, possibly and surely."""

    possibly: Count | None
    surely: Count | None


class Duty(_Said):
    """One play that had a duty: kept or broken, the cards that would have fulfilled it, the event that proves one."""

    seq: Count
    duty: Literal["lead_highest_trump", "lead_akq", "cinch", "follow", "head", "trump", "overtrump"]
    answer: Literal["kept", "broken", "open"]
    would_have: tuple[KnownCard, ...]
    proved_by: Count | None


class PlaceRow(_Said):
    """One unseen place of a pile: the play, who laid it, and the card and points that make the sum least and most.

    None where the place lies in another pile then, and for the play where that is not on record.
    """

    seq: Count | None
    seat: Number
    low: tuple[KnownCard, Count] | None
    high: tuple[KnownCard, Count] | None


class Certificate(_Said):
    """What the bounds of one pile are added up from; `exact` false says that the search was cut off."""

    known: tuple[tuple[KnownCard, Count], ...]
    places: tuple[PlaceRow, ...]
    exact: bool
    dropped: tuple[str, ...]


class DisputedSeat(_Said):
    """What one seat had: points and clocks in Bura, tricks and duties in Bourré."""

    points: Range | UnsetType = UNSET
    answer: Answer | UnsetType = UNSET
    reached: Reached | UnsetType = UNSET
    entitled_at: tuple[Count, ...] | UnsetType = UNSET
    opened_at: Count | UnsetType | None = UNSET
    counted: Count | UnsetType | None = UNSET
    known: tuple[KnownCard, ...] | UnsetType = UNSET
    unknown: Count | UnsetType | None = UNSET
    settled_by: tuple[tuple[Number, ...], ...] | UnsetType = UNSET
    certificate: Certificate | UnsetType = UNSET
    tricks: Range | UnsetType = UNSET
    bourre: Answer | UnsetType = UNSET
    share: int | UnsetType | None = UNSET
    owes: int | UnsetType | None = UNSET
    duties: tuple[Duty, ...] | UnsetType = UNSET


class Joint(_Said):
    """What holds of all seats together: whether one at least, whether no more than one had the target."""

    at_least_one: Answer
    at_most_one: Answer


class Rightful(_Said):
    """Who should have had the pot, how much, and why; `answer` is open where the view does not settle it."""

    seats: tuple[Number, ...]
    amount: int | None
    why: str | None
    answer: Answer


class OtherRules(_Said):
    """The same facts under other values of the options this hand touches; `also` comes to the same result."""

    options: dict[str, Any]
    also: tuple[dict[str, Any], ...]
    rightful: tuple[Number, ...]
    net_due: dict[SeatKey, int | None]


class Contradiction(_Said):
    """A believed seat whose word contradicts another's or the record, and the event of that word."""

    seat: Number
    seq: Count


class Dispute(_Said):
    """`razbor-dispute/1`."""

    format: Literal["razbor-dispute/1"]
    recording: Hex16
    hand: Number
    at: Count | None
    view: ViewName
    seats: dict[SeatKey, DisputedSeat]
    rightful: Rightful
    remedy: dict[SeatKey, int | None]
    rules: tuple[OtherRules, ...]
    target: int | UnsetType | None = UNSET
    joint: Joint | UnsetType = UNSET
    unseen: tuple[KnownCard, ...] | UnsetType = UNSET
    contradictions: tuple[Contradiction, ...] | UnsetType = UNSET


class EditRow(_Said):
    """One change of the record; `place` counts an event's cards from 1; `also` would do as well."""

    seq: Count
    type: str
    field: str
    place: Number | None
    recorded: int | str | bool | dict[str, int | str] | None
    instead: int | str | bool | dict[str, int | str] | None
    also: tuple[int | str | bool | dict[str, int | str], ...]


class HypothesisRow(_Said):
    """Changes of one or two fields after which what was found is gone."""

    fields: Number
    edits: Annotated[tuple[EditRow, ...], msgspec.Meta(min_length=1, max_length=2)]
    left: tuple[dict[Literal["seq", "code"], Any], ...]
    new: tuple[dict[Literal["seq", "code"], Any], ...]


class Explain(_Said):
    """`razbor-explain/1`."""

    format: Literal["razbor-explain/1"]
    recording: Hex16
    event: Count
    hand: Number | None
    findings: tuple[FindingCode, ...]
    hypotheses: Annotated[tuple[HypothesisRow, ...], msgspec.Meta(max_length=5)]
    cut: bool


def schema(finding_codes: Iterable[str], name: str | None = None) -> dict[str, Any]:
    """The schema of one of `NAMES`, or of anything Razbor reads a line of or says; `KeyError` for another name."""
    if name is not None and name not in NAMES:
        raise KeyError(name)
    asked = [name] if name else [each for each in NAMES if each != "recording"]
    ways = [{"$ref": _REF.format(each)} for each in asked]
    top: dict[str, Any] = ways[0] if name else {"anyOf": ways}
    definitions = _events() | _answers(asked) | {"finding_code": {"enum": list(finding_codes)}}
    return {"$schema": DIALECT, **top, "$defs": _reachable(top, definitions)}


def _answers(asked: list[str]) -> dict[str, Any]:
    shapes = {"report": Report, "refusal": RefusalSaid, "dispute": Dispute, "explain": Explain}
    wanted = {name: shapes[name] for name in asked if name in shapes}
    schemas, components = msgspec.json.schema_components(wanted.values(), ref_template="#/$defs/{name}")
    return components | dict(zip(wanted, schemas, strict=True))


def _events() -> dict[str, Any]:
    """Every event type, alone and inside an amendment; the line of a recording; and a whole recording."""
    _, components = msgspec.json.schema_components([Event], ref_template="#/$defs/{name}")
    definitions: dict[str, Any] = {"card": {"enum": list(SPELLING)}}
    for kind, shape in TYPES.items():
        definitions[kind] = _as_read(components[shape.__name__])
        if shape not in _UNAMENDABLE:
            definitions[f"amended_{kind}"] = _without_seq(definitions[kind])
    nested = {"anyOf": [{"$ref": _REF.format(name)} for name in definitions if name.startswith("amended_")]}
    definitions["corrected"]["properties"]["event"] = {"anyOf": [{"type": "null"}, *nested["anyOf"]]}
    definitions["inserted"]["properties"]["event"] = nested
    definitions["recording_began"]["properties"]["format"] = {"const": FORMAT}
    definitions["recording_began"]["properties"]["rules"] = {"anyOf": [_rules(game) for game in RULES_OF]}
    definitions["event"] = {"anyOf": [{"$ref": _REF.format(kind)} for kind in TYPES]}
    began, event = {"$ref": _REF.format("recording_began")}, {"$ref": _REF.format("event")}
    definitions["recording"] = {"type": "array", "prefixItems": [began], "items": event, "minItems": 1}
    return definitions


def _as_read(shape: dict[str, Any]) -> dict[str, Any]:
    """A shape as the wire has it: an optional field is left out and never null, private fields may stand there."""
    required = set(shape["required"])
    return {
        **shape,
        "properties": {
            name: _with_cards(value if name in required else _not_null(value))
            for name, value in shape["properties"].items()
        },
        "patternProperties": {"^x_": {}},
    }


def _not_null(value: dict[str, Any]) -> dict[str, Any]:
    ways = [each for each in value.get("anyOf", [value]) if each != {"type": "null"}]
    only: dict[str, Any] = ways[0]
    return only


def _with_cards(value: dict[str, Any]) -> dict[str, Any]:
    if value.get("enum") and set(value["enum"]) == set(SPELLING):
        return {"$ref": _REF.format("card")}
    return {**value, "items": _with_cards(value["items"])} if isinstance(value.get("items"), dict) else value


def _without_seq(shape: dict[str, Any]) -> dict[str, Any]:
    properties = {name: value for name, value in shape["properties"].items() if name != "seq"}
    return {**shape, "properties": properties, "required": [name for name in shape["required"] if name != "seq"]}


def _rules(game: str) -> dict[str, Any]:
    """The choice of rules of one game, each option with its values."""
    options = {each.name: _option(game, each.name) for each in fields(RULES_OF[game])}
    return {
        "type": "object",
        "properties": {
            "preset": {"type": "string", "pattern": f"^{game}/"},
            "options": {"type": "object", "properties": options, "additionalProperties": False},
        },
        "required": ["preset"],
        "additionalProperties": False,
    }


def _option(game: str, name: str) -> dict[str, Any]:
    """The values of one option as the wire writes them."""
    amount = {"type": "integer", "minimum": 1}
    if name in AMOUNTS:
        return {"anyOf": [{"const": "none"}, amount]}
    if name == "max_draw":
        cards = {**amount, "maximum": 5}
        return {"anyOf": [cards, {"type": "object", "patternProperties": {"^[2-8]$": cards}, "minProperties": 1}]}
    extra = ["none"] if name == "match_to" else []
    return {"enum": [*(plain(value) for value in values_of(game, name)), *extra, UNRECORDED]}


def _reachable(top: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """The definitions that a schema refers to, directly or through others."""
    wanted: dict[str, Any] = {}
    waiting = list(_references(top))
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted[name] = definitions[name]
            waiting += _references(definitions[name])
    return {name: wanted[name] for name in definitions if name in wanted}


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"].rpartition("/")[2]] if isinstance(value.get("$ref"), str) else []
        return own + [name for each in value.values() for name in _references(each)]
    return [name for each in value for name in _references(each)] if isinstance(value, list) else []
