"""Beside the table: the pot as a sentence, the sum of a pile, the ledger, the clocks, the notes."""

from collections import Counter
from functools import partial

from replay.audit.placements import Placements
from replay.views.logbook import sentence
from replay.views.match import by_name, colons, everybody, score_at, standing
from replay.views.parts import Term
from replay.views.scene import POINTS, UNSEEN, Scene, joined
from replay.views.sources import EventDict, PotTerm, SeatView
from replay.views.table import hidden_labels
from replay.views.wording import MINUS, Part, Sentence, Wording


def pot_terms(scene: Scene) -> list[PotTerm]:
    """What lies in the pot now, by the events that brought it; empties when the pot is taken whole."""
    terms = list(scene.source.carried)
    for event in scene.source.events[: scene.at + 1]:
        kind = event["type"]
        if kind == "staked":
            terms.append(PotTerm(event["amount"], event["why"], event["seat"], event["seq"], scene.hand))
        elif kind == "pot_taken":
            if event["amount"] == sum(term.amount for term in terms):
                terms = []
            else:
                terms.append(PotTerm(-event["amount"], "taken", event["seat"], event["seq"], scene.hand))
    return terms


def _grouped(terms: list[PotTerm]) -> list[list[PotTerm]]:
    """Equal payments of one kind and hand stand together."""
    groups: list[list[PotTerm]] = []
    for term in terms:
        last = groups[-1][-1] if groups else None
        if last and (last.why, last.hand, last.amount) == (term.why, term.hand, term.amount) and term.why != "taken":
            groups[-1].append(term)
        else:
            groups.append([term])
    return groups


def at_stake(scene: Scene) -> tuple[str, str, Sentence]:
    """What is played for so far: its word, how much, and how it came to it - the pot, or the score of the match."""
    match = scene.source.head.match
    if match is None:
        return scene.wording.say("pot.word"), scene.wording.money(scene.table.pot), pot_sentence(scene)
    score = score_at(match, everybody(scene.source.head), scene.seq)
    said = f"{by_name(score, scene.name)}. {' '.join(standing(score, scene.name, scene.wording))}"
    return scene.wording.say("match.word"), colons(score) if len(score.points) == 2 else "", (Part(said.strip()),)


def pot_sentence(scene: Scene) -> Sentence:
    """`= 12 carried from hand 3 + 12 matched by Anna, event 57`; each term leads to its event."""
    terms = pot_terms(scene)
    found: Sentence = scene.kept("pot", terms, lambda: _pot_sentence(scene, _grouped(terms)))
    return found


def _pot_sentence(scene: Scene, groups: list[list[PotTerm]]) -> Sentence:
    words = scene.wording
    if not groups:
        return words.parts("pot.empty")
    said: list[Sentence] = []
    for group in groups:
        one = group[0]
        href = scene.to.event(one.hand, group[-1].seq) if one.hand else ""
        key = f"pot.{one.why}" if len(group) == 1 else f"pot.{one.why}_many"
        if not words.has(key):
            key = "pot.other_many" if len(group) > 1 else "pot.other"
        amount = Part(words.money(abs(sum(term.amount for term in group))), href=href)
        count = len(group)
        said.append(
            words.parts(
                key, count, amount=amount, seat=scene.name(one.seat), each=one.amount, seq=one.seq, hand=one.hand
            )
        )
    signs = ["= ", *(f" {MINUS} " if group[0].amount < 0 else " + " for group in groups[1:])]
    return tuple(part for sign, one in zip(signs, said, strict=True) for part in (Part(sign), *one))


def focus(scene: Scene) -> SeatView | None:
    """The seat whose pile is looked into: who acts, else who wins, else the viewed one - if it has a pile."""
    table = scene.table
    for number in (table.acting, table.winning, scene.viewer):
        seat = scene.seat(number) if number else None
        if seat and seat.pile and seat.low is not None:
            return seat
    return None


def why(scene: Scene) -> tuple[tuple[Term, ...], Sentence]:
    """The sum of the pile in focus, checkable with a pencil, and whose word would settle it."""
    seat = focus(scene)
    if seat is None or seat.low is None or seat.high is None:
        return (), ()
    words = scene.wording
    known = [card.card for card in seat.pile if "?" not in card.card]
    unknown = [row for row in hidden_labels(scene, seat.pile) if row[0].card == UNSEEN]
    total = sum(POINTS.get(card[0], 0) for card in known)
    terms = [Term(words.say("why.known", n=len(known)), _known(scene, known), words.amount(total))]
    if unknown:
        span = words.span(seat.low - total, seat.high - total)
        laid = _laid(scene, [(card.seq, place) for card, place, _ in unknown])
        terms.append(Term(words.say("why.unknown", n=len(unknown)), laid, span))
        terms.append(Term(words.say("why.unseen"), words.cards(unseen(scene)), ""))
        count = scene.source.placements
        said = placed(count(seat.seat), scene.source.head.target, words) if count and _is_open(scene, seat) else ""
        terms += [Term("", (Part(said),), "")] if said else []
    span = words.span(seat.low, seat.high)
    sum_text = (Part(f"{total} + {words.span(seat.low - total, seat.high - total)}"),) if unknown else ()
    terms.append(Term(scene.name(seat.seat), sum_text, span, strong=True))
    return tuple(terms), _settled(scene, seat, [(card.seq, place) for card, place, _ in unknown])


def placed(found: Placements | None, target: int, words: Wording) -> str:
    """How many placements reach the target of points; nothing where all of them do, or none, or nothing was counted."""
    if found is None or (found.all is not None and found.reach in (0, found.all)):
        return ""
    if found.reach is None or found.all is None:
        return words.say("why.too_many")
    return words.say("why.placements", reach=found.reach, all=found.all, target=target)


def _is_open(scene: Scene, seat: SeatView) -> bool:
    target = scene.source.head.target
    return seat.low is not None and seat.high is not None and seat.low < target <= seat.high


def _known(scene: Scene, cards: list[str]) -> Sentence:
    words = scene.wording
    worth = sorted((card for card in cards if card[0] in POINTS), key=lambda card: -POINTS[card[0]])
    none = [card for card in cards if card[0] not in POINTS]
    sums = joined([(words.card(card), Part(f" {POINTS[card[0]]}")) for card in worth], " + ")
    if not none:
        return sums
    rest = words.parts("why.worthless", len(none), cards=words.cards(none))
    return (*sums, Part(words.semicolon), *rest) if sums else rest


def _laid(scene: Scene, places: list[tuple[int, int]]) -> Sentence:
    """Whose the unknown cards are: labels, name, event."""
    by_event: dict[int, list[int]] = {}
    for seq, place in places:
        by_event.setdefault(seq, []).append(place)
    said: list[Sentence] = []
    for seq, at in by_event.items():
        labels = joined([(scene.label_part(seq, place),) for place in at], " ")
        event = Part(str(seq), href=scene.link(seq))
        said.append(scene.wording.parts("why.laid", labels=labels, seat=scene.name(_layer(scene, seq)), seq=event))
    return joined(said, scene.wording.semicolon)


def _layer(scene: Scene, seq: int) -> int:
    return next((int(event["seat"]) for event in scene.source.events if event["seq"] == seq), 0)


def _settled(scene: Scene, seat: SeatView, places: list[tuple[int, int]]) -> Sentence:
    if not _is_open(scene, seat):
        return ()
    names = dict.fromkeys(scene.name(_layer(scene, seq)) for seq, _ in places if _layer(scene, seq) != seat.seat)
    labels = joined([(scene.label_part(seq, place),) for seq, place in places], " ")
    return scene.wording.parts("why.settled", seat=", ".join(names), labels=labels) if names else ()


def unseen(scene: Scene) -> tuple[str, ...]:
    """The cards of the pack that this view cannot place at this step."""
    table = scene.table
    placed = Counter(card for seat in table.seats for card in seat.cards)
    placed.update(card.card for seat in table.seats for card in seat.pile)
    placed.update(card for one in table.sets for card in one.cards)
    placed.update([table.turnup] if table.turnup else [])
    return tuple(card for card in scene.pack() if not placed[card])


def ledger(scene: Scene) -> tuple[Term, ...]:
    """Every chip move of the hand so far with its event, and what each seat has."""
    terms: list[Term] = []
    for index, event in enumerate(scene.source.events[: scene.at + 1]):
        if event["type"] not in ("staked", "pot_taken", "chips_bought"):
            continue
        terms.append(_chips_moved(scene, index))
    terms.append(Term(scene.wording.say("pot.word"), (), scene.wording.money(scene.table.pot), strong=True))
    terms.extend(Term(scene.name(seat.seat), (), scene.wording.money(seat.stack)) for seat in scene.table.seats)
    return tuple(terms)


def _chips_moved(scene: Scene, index: int) -> Term:
    """A line of the ledger, as it was written before, where nothing of it is new."""
    text = sentence(scene, index)
    found: Term = scene.kept(("ledger", index), text, lambda: _chip_line(scene, index, text))
    return found


def _chip_line(scene: Scene, index: int, text: Sentence) -> Term:
    event = scene.source.events[index]
    signed = scene.wording.signed((-1 if event["type"] == "pot_taken" else 1) * int(event["amount"]))
    return Term("", (_link(scene, event), Part(" "), *text), signed)


def _link(scene: Scene, event: EventDict) -> Part:
    return Part(str(event["seq"]), href=scene.link(int(event["seq"])))


def clocks(scene: Scene) -> tuple[Term, ...]:
    """Points of every pile at the end of each trick so far."""
    terms: list[Term] = []
    for index, event in enumerate(scene.source.events[: scene.at + 1]):
        table = scene.source.tables[index]
        if event["type"] not in ("trick_taken", "opened") or any(seat.low is None for seat in table.seats):
            continue
        terms.append(scene.kept(("clocks", index), table, partial(_clocks_at, scene, index)))
    return tuple(terms)


def _clocks_at(scene: Scene, index: int) -> Term:
    table = scene.source.tables[index]
    spans = [
        (Part(f"{scene.name(seat.seat)} "), Part(scene.wording.span(seat.low or 0, seat.high or 0), strong=True))
        for seat in table.seats
    ]
    title = scene.wording.say("chapter.trick", trick=table.trick)
    if scene.source.events[index]["type"] == "opened":
        title = scene.wording.say("mark.opened")
    return Term(title, joined(spans, " · "), "")


def notes(scene: Scene) -> tuple[Term, ...]:
    """Comments, testimony and amendments of this hand; free text stays away where names do."""
    terms: list[Term] = []
    for index, event in enumerate(scene.source.events):
        if scene.blind and index > scene.at:
            break
        if event["type"] in ("noted", "testified", "corrected", "inserted"):
            terms.append(Term("", (_link(scene, event), Part(" "), *sentence(scene, index)), ""))
        if event.get("note") and scene.named:
            terms.append(Term("", (_link(scene, event), Part(" " + str(event["note"]))), ""))
    return tuple(terms)
