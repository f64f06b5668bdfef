"""A whole recording: verdict, findings, hands and balances, for the screen and for paper."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from replay.audit.readings import between_reports
from replay.views.addresses import Addresses
from replay.views.charts import pot_chart
from replay.views.house_words import ended
from replay.views.ledger import stake_of, standing
from replay.views.match import Score, at_the_end, colons, everybody, scores
from replay.views.pages import BalanceRow, HandRow, LastHand, MatchBox, Pair, RecordingPage, ReportPage
from replay.views.parts import FindingBox, Frame, Link, Tag, Term
from replay.views.readings import ReadingsBox, readings_box
from replay.views.scene import seat_of, title_of
from replay.views.sources import EventDict, HandScore, Match, RecordingHead, Story
from replay.views.verdicts import TONE, counts, finding_boxes, verdict_tag
from replay.views.wording import Part, Wording, plain
from schemas.rules import AMOUNTS
from schemas.sums import digits_of

_GRAVE: Final = ("error", "doubt", "note")
_UNFINISHED: Final = "table/hand-unfinished"
#: Letters of three sums that stand beside a name, of a gap between columns, and of the columns all tables have.
_NARROW, _GAP, _OTHER = 25, 3, 40


def names_of(head: RecordingHead, wording: Wording, named: bool) -> Callable[[int], str]:
    """What each seat is called: by name, or by number."""

    def name(seat: int) -> str:
        if named and 1 <= seat <= len(head.seats):
            return head.seats[seat - 1]
        return wording.say("seat", seat=seat)

    return name


def _seats(report: Mapping[str, Any]) -> list[int]:
    return sorted(int(seat) for seat in report["balances"]["due"])


def _hand_row(
    row: Mapping[str, Any], seats: Sequence[int], report: Mapping[str, Any], name: Callable[[int], str], w: Wording,
    to: Addresses,
) -> HandRow:  # fmt: skip
    hand = int(row["hand"])
    mine = [finding for finding in report["findings"] if finding.get("hand") == hand]
    grave = next((one for one in _GRAVE if any(finding["severity"] == one for finding in mine)), "")
    takers = [name(int(seat)) for seat in row.get("takers") or ()]
    trump = str(row.get("trump") or "")
    return HandRow(
        hand=hand,
        href=to.hand(hand),
        dealer=name(int(row["dealer"])) if row.get("dealer") else "",
        trump=trump,
        trump_name=w.say(f"suit.{trump}") if trump else "",
        before=_number(row.get("pot_before"), w),
        pot=_number(row.get("pot"), w),
        ended=ended(w, row.get("reason"), takers, row.get("pot")),
        nets=tuple(_net(row["seats"].get(str(seat)), w) for seat in seats),
        mark=TONE.get(grave, ""),
        mark_name=w.say(f"severity.{grave}") if grave else "",
        count=sum(finding["severity"] == grave for finding in mine),
        dispute=to.dispute(hand),
    )


def _by_match(
    rows: Sequence[HandRow], match: Match, seats: Sequence[int], head: RecordingHead, w: Wording
) -> tuple[HandRow, ...]:
    """Rows of hands with the match points that each brought, and the score after it, in place of chips."""
    out = []
    for row, (hand, now) in zip(rows, scores(match, everybody(head)), strict=True):
        won = [None if hand.points is None else hand.points.get(seat, 0) for seat in seats]
        told = ("—" if one is None else ("+" if one else "") + w.amount(one) for one in won)
        out.append(replace(row, nets=tuple(map(Pair, told)), score=_score_after(hand, now)))
    return tuple(out)


def breadth(hands: Sequence[HandRow], names: Sequence[str]) -> int:
    """How many letters wide the table of hands is with a column a seat: its longest words and numbers, and the gaps."""
    columns = [[row.dealer for row in hands], [row.before for row in hands], [row.pot for row in hands]]
    columns += [[name, *(row.nets[place].due for row in hands)] for place, name in enumerate(names)]
    widths = (max((len(word) for cell in cells for word in cell.split(" ")), default=0) for cells in columns)
    return sum(wide + _GAP for wide in widths) + _OTHER


def _score_after(hand: HandScore, now: Score) -> str:
    """A dash after a hand that is not settled, or that was played when the match was over."""
    return colons(now) if hand.points is not None and now.ended in (0, hand.hand) else "—"


def _match_box(match: Match, head: RecordingHead, name: Callable[[int], str], w: Wording) -> MatchBox:
    """The score at the end, of everybody who ever sat there."""
    now, said = at_the_end(match, everybody(head), name, w)
    rows = tuple((name(seat), w.amount(had), seat in now.winners) for seat, had in sorted(now.points.items()))
    return MatchBox(rows, said)


def _number(value: int | None, w: Wording) -> str:
    """A sum, a dash where it is not known."""
    return "—" if value is None else w.money(value)


def _net(seat: Mapping[str, Any] | None, w: Wording) -> Pair:
    if seat is None:
        return Pair("")
    due, said = seat.get("net_due"), seat.get("net_recorded")
    shown = "—" if due is None else w.signed(due)
    if due == said or said is None:
        return Pair(shown)
    return Pair(shown, w.say("recording.recorded_value", value=w.signed(said)))


def _chips_matter(story: Story) -> bool:
    """Whether anybody is known to have, or to be due, chips; where a match is played for points there need be none."""
    sides = story.report["balances"]
    return not story.head.match or any(one for side in ("recorded", "due") for one in sides[side].values())


def balances(story: Story, name: Callable[[int], str], w: Wording) -> tuple[BalanceRow, ...]:
    """What each seat has as recorded and as due, and what it pays or gets where they differ; what is left, the pot."""
    began, report = story.events[0], story.report
    said, due = report["balances"]["recorded"], report["balances"]["due"]
    rows: list[BalanceRow] = []
    left: int | None = 0
    for seat in _seats(report):
        a, b = said.get(str(seat)), due.get(str(seat))
        owes = a - b if a is not None and b is not None else None
        rows.append(
            BalanceRow(
                name=name(seat),
                recorded="—" if a is None else w.balance(a, began),
                due="—" if b is None else w.balance(b, began),
                owes=_settled(owes, w),
                strong=a != b,
            )
        )
        left = None if owes is None or left is None else left + owes
    if left:
        rows.append(BalanceRow(w.say("recording.pot"), "", "", _settled(-left, w), strong=True))
    return tuple(rows)


def _settled(owes: int | None, w: Wording) -> str:
    """What somebody pays, or gets, so that the balances are as they are due."""
    if not owes:
        return "—" if owes is None else w.money(0)
    return w.say("recording.pays" if owes > 0 else "recording.gets", amount=w.money(abs(owes)))


def _headline(report: Mapping[str, Any], boxes: Sequence[FindingBox], w: Wording) -> str:
    """The first finding that decides the verdict, in one plain sentence; each that follows may hang on it."""
    tone = {"refuted": "bad", "undecided": "dbt"}.get(report["verdict"])
    first = next((box for box in boxes if box.tone == tone), None)
    if first is None and not report["recording"]["complete"]:
        return w.say("recording.headline_not_closed", last=_last(report))
    if first is None:
        return w.say(f"recording.headline_{report['verdict']}")
    where = f"{w.say('step.hand_blind', hand=first.hand)}{w.colon}" if first.hand else ""
    return where + plain(first.title)


def _lead(report: Mapping[str, Any], w: Wording) -> str:
    meta, verdict = report["recording"], str(report["verdict"])
    open_ = {one["code"] for one in report["findings"] if one["severity"] == "doubt"}
    said = w.say(
        "recording.lead_broken" if verdict == "undecided" and open_ == {_UNFINISHED} else f"recording.lead_{verdict}",
        hands=w.say("count.hand", int(meta["hands"])),
        events=w.say("count.event", int(meta["events"])),
        counts=counts(report["findings"], w),
    )
    if meta["complete"] or verdict == "verified":
        return said
    return f"{said} {w.say('recording.lead_stops', last=_last(report))}"


def _last(report: Mapping[str, Any]) -> int:
    """The number of the last event."""
    return int(report["recording"]["events"]) - 1


def facts(story: Story, w: Wording) -> tuple[Term, ...]:
    """Rules with their options, id, number of events, view, and what the sums are in where the record says it."""
    head, meta = story.head, story.report["recording"]
    options = ", ".join(f"{key} = {_spelled(key, value, w)}" for key, value in meta["options"].items())
    preset = meta["rules"] + (f", {options}" if options else "")
    closed = w.say("recording.closed" if meta["complete"] else "recording.not_closed")
    digest = " ".join(head.id[n : n + 4] for n in range(0, 16, 4))
    events = w.say("count.event", int(meta["events"]))
    return (
        Term(w.say("recording.rules"), (Part(preset, href="/rules"),), ""),
        Term(w.say("recording.record"), (Part(f"{digest} · {events} · {closed}"),), ""),
        Term(w.say("recording.view"), (Part(_view_said(story, w)),), ""),
        *_unit(story.events[0], w),
    )


def _unit(began: EventDict, w: Wording) -> tuple[Term, ...]:
    """What the sums are in, and what 1 of the record, which counts smallest parts, is of it (`record.md` 2, 3.1)."""
    unit, digits = str(began.get("unit") or ""), digits_of(began)
    if not unit and not digits:
        return ()
    said = w.say("recording.unit_is", one=w.of(digits).money(1)) if digits else ""
    return (Term(w.say("recording.unit"), (Part(w.semicolon.join(filter(None, (unit, said)))),), ""),)


def _spelled(option: str, value: Any, w: Wording) -> str:
    """A value as a recording spells it, a sum as it is read."""
    if option in AMOUNTS and isinstance(value, int):
        return w.money(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{most}: {count}" for most, count in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _view_said(story: Story, w: Wording) -> str:
    """The view it was judged in, and that of its header where that one holds less."""
    here, own = story.head.view, str(story.events[0].get("view") or "full")
    if here == "full" != own:
        return w.say("recording.view_more", all=_view_word(here, w), view=_view_word(own, w))
    return _view_word(here, w)


def _view_word(view: str, w: Wording) -> str:
    seat = seat_of(view)
    return w.say("seat", seat=seat) if seat else w.say(f"view.{view}")


def view_links(
    head: RecordingHead, name: Callable[[int], str], w: Wording, href: Callable[[str], str]
) -> tuple[tuple[Link, ...], tuple[Link, ...]]:
    """The view switch of a document."""
    seats = [one for one in head.views if one.startswith("seat:")]
    own = head.view if head.view in seats else ""
    links = [Link(w.say("view.public"), href("public"), head.view == "public")] if "public" in head.views else []
    if seats:
        links.append(Link(name(seat_of(own)) if own else w.say("view.seat"), "", bool(own)))
    if "full" in head.views:
        links.append(Link(w.say("view.full"), href("full"), head.view == "full"))
    return tuple(links), tuple(Link(name(seat_of(one)), href(one), head.view == one) for one in seats)


def blind_page(head: RecordingHead, w: Wording, to: Addresses, langs: tuple[Link, ...] = ()) -> RecordingPage:
    """A recording for who wants to know neither its length nor its result: what was played, and where to begin."""
    name = names_of(head, w, to.names)
    views, seat_views = view_links(head, name, w, lambda view: to.seen_by(view).recording())
    title = title_of(head, w, to.names)
    crumbs = (Link(w.say("frame.shelf"), "/"), Link(title, "", current=True))
    first = to.event(head.hands[0].hand, head.hands[0].first) if head.hands else ""
    return RecordingPage(
        frame=Frame(w.lang, title, langs, crumbs, views, seat_views),
        verdict=Tag("quiet", w.say("recording.blind")),
        headline=title,
        lead=w.say("recording.blind_lead"),
        step=Link(w.say("recording.step", hand=head.hands[0].hand if head.hands else 1), first),
        blind=True,
    )


def last_hands(story: Story, w: Wording, to: Addresses) -> tuple[LastHand, ...]:
    """The last ten hands: stake, steps, pot, and what everybody had then, as recorded; or the score of the match."""
    had = standing(story)
    rows = {int(row["hand"]): row for row in story.report["hands"]}
    out: list[LastHand] = []
    seats, match = _seats(story.report), story.head.match
    after = {hand.hand: (hand, now) for hand, now in scores(match, everybody(story.head))} if match else {}
    points = {hand: now.points for hand, (_, now) in after.items()}
    told = {hand: _score_after(*one) for hand, one in after.items()}
    for span in story.head.hands[-10:]:
        stake = stake_of(story.events, span.hand)
        ends = had.get(span.hand, {})
        steps = len(span.seqs) or span.last - span.first + 1
        out.append(
            LastHand(
                hand=Link(str(span.hand), to.hand(span.hand)),
                stake=_number(stake, w),
                steps=w.amount(steps),
                pot=told[span.hand] if match else _number(rows.get(span.hand, {}).get("pot"), w),
                balances=tuple(w.amount(points[span.hand][seat]) for seat in seats)
                if match
                else tuple(w.balance(ends[seat], story.events[0]) if seat in ends else "—" for seat in seats),
            )
        )
    return tuple(out)


def recording_page(story: Story, w: Wording, to: Addresses, langs: tuple[Link, ...] = ()) -> RecordingPage:
    """Verdict, findings, hands, balances and the pot over time."""
    head, report, w = story.head, story.report, w.of(story.head.digits)
    name = names_of(head, w, to.names)
    seats = _seats(report)
    boxes = finding_boxes(report["findings"], w, to, name, head.game)
    errors = {int(finding["hand"] or 0) for finding in report["findings"] if finding["severity"] == "error"}
    step = min(errors - {0}) if errors - {0} else (head.hands[0].hand if head.hands else 0)
    views, seat_views = view_links(head, name, w, lambda view: to.seen_by(view).recording())
    title = title_of(head, w, to.names)
    crumbs = (Link(w.say("frame.shelf"), "/"), Link(title, "", current=True))
    hands = tuple(_hand_row(row, seats, report, name, w, to) for row in report["hands"])
    hands = _by_match(hands, head.match, seats, head, w) if head.match else hands
    standing_now = balances(story, name, w) if _chips_matter(story) else ()
    return RecordingPage(
        frame=Frame(w.lang, title, langs, crumbs, views, seat_views),
        verdict=verdict_tag(report["verdict"], w),
        headline=_headline(report, boxes, w),
        lead=_lead(report, w),
        counts=counts(report["findings"], w),
        findings=boxes,
        seats=tuple(name(seat) for seat in seats),
        hands=hands,
        breadth=breadth(hands, [name(seat) for seat in seats]),
        match=_match_box(head.match, head, name, w) if head.match else None,
        balances=standing_now,
        balances_long=any(len(one.recorded + one.due + one.owes) > _NARROW for one in standing_now),
        pot_chart=pot_chart(report["hands"], sorted(errors), w),
        step=Link(w.say("recording.step", hand=step), to.hand(step) if step else ""),
        report=Link(w.say("recording.print"), to.report()),
        download=Link(w.say("recording.download"), to.download()),
        facts=facts(story, w),
        ledger=Link(w.say("recording.ledger"), to.ledger()),
        blind_link=Link(w.say("recording.blind"), replace(to, blind=True).recording()),
        last_hands=last_hands(story, w, to),
        readings=readings(story, w, to, lambda one: one.recording()),
    )


def readings(story: Story, w: Wording, to: Addresses, page: Callable[[Addresses], str]) -> ReadingsBox | None:
    """Of an amended recording what differs; `page` gives the address of the same page in another reading."""
    if story.amended is None:
        return None
    differs = between_reports(story.amended.recorded, story.amended.amended)
    name = names_of(story.head, w, to.names)

    def href(reading: str) -> str:
        return page(replace(to, reading="" if reading == "amended" else reading))

    return readings_box(differs, story.amended.reading, story.amended.amendments, w, name, href)


def report_page(
    story: Story,
    w: Wording,
    to: Addresses,
    address: str,
    qr: tuple[str, int],
    langs: tuple[Link, ...] = (),
) -> ReportPage:
    """The same as a protocol on paper; `qr` is the path of its address's QR code and its size in modules."""
    head, w = story.head, w.of(story.head.digits)
    page = recording_page(story, w, to, langs)
    title = title_of(head, w, to.names)
    under = w.say("report.under", game=w.say(f"game.{head.game}"), seats=w.say("report.seats", len(head.seats)))
    crumbs = (
        Link(w.say("frame.shelf"), "/"),
        Link(title, to.recording()),
        Link(w.say("report.title"), "", current=True),
    )
    views, seat_views = view_links(head, names_of(head, w, to.names), w, lambda view: to.seen_by(view).report())
    return ReportPage(
        frame=Frame(w.lang, f"{w.say('report.title')} · {title}", langs, crumbs, views, seat_views),
        heading=f"{w.say('report.title')}{w.colon}{title}",
        under=f"{under}{', ' + head.date if head.date else ''}",
        verdict=page.verdict,
        headline=page.headline,
        findings=page.findings,
        seats=page.seats,
        hands=page.hands,
        balances=page.balances,
        facts=page.facts,
        qr_path=qr[0],
        qr_size=qr[1],
        address=address,
        back=Link(w.say("report.back"), to.recording()),
        readings=readings(story, w, to, lambda one: one.report()),
        match=page.match,
        breadth=page.breadth,
        balances_long=page.balances_long,
    )
