"""A scene made consistent: what each lay may hold, and what each hand could give (`report.md` 5)."""

from dataclasses import dataclass, field

from replay.audit.scene import Scene


@dataclass
class Holding:
    """What one seat held: what it took and let go. Times are those of the scene.

    `unknown` are the times of takes that may be any card; `halves` takes of which something is known, by their number
    in the scene; `known` the mask of cards it certainly took. `gone` are its lays (index in the scene) and shows of
    cards that came from a take not known (index < 0), in time order.
    """

    unknown: list[int] = field(default_factory=list)
    halves: dict[int, tuple[int, int]] = field(default_factory=dict)
    known: int = 0
    gone: list[tuple[int, int]] = field(default_factory=list)
    spare: int = 0
    """Takes not known, less the cards that certainly came from them."""


@dataclass
class Board:
    """A scene made consistent, as far as single facts go: `masks` has the cards each lay may hold.

    `extra` are masks of further places, outside piles; `must` the cards that some lay must hold; `shown` the card
    of each show, by its negative index; `dropped` names what contradicted the rest and was not used.
    """

    masks: list[int]
    hands: dict[int, Holding]
    extra: list[int]
    must: int
    owned: int
    shown: dict[int, int]
    dropped: set[str]


def board_of(scene: Scene, *, with_shown: bool = True) -> Board:
    """The board of a scene: facts in the order of time, a later one that cannot be counts as unseen.

    `with_shown` false leaves out what was shown in hands and counted in piles.
    """
    builder = _Builder(scene)
    steps = [(take.at, 0, index) for index, take in enumerate(scene.takes)]
    steps += [(lay.at, 1, index) for index, lay in enumerate(scene.lays)]
    steps += [(show.at, 2, index) for index, show in enumerate(scene.shows if with_shown else ())]
    for _, kind, index in sorted(steps):
        (builder.take, builder.lay, builder.show)[kind](index)
    builder.close()
    if with_shown:
        builder.gather()
    elif scene.sets or scene.shows:
        builder.board.dropped.add("shown")
    return builder.board


class _Builder:
    """Reads a scene in time order; each fact is believed unless an earlier one excludes it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.cards = scene.pack & ~scene.elsewhere
        self.owner: dict[int, tuple[int, int]] = {}
        self.placed = 0
        seats = {take.seat for take in scene.takes} | {lay.seat for lay in scene.lays}
        hands = {seat: Holding() for seat in sorted(seats | {show.seat for show in scene.shows})}
        extra = [mask & self.cards for mask in scene.apart if self.cards & ~mask]
        masks = [lay.domain & self.cards for lay in scene.lays]
        self.board = Board(masks, hands, extra, 0, 0, {}, set())

    def take(self, index: int) -> None:
        take = self.scene.takes[index]
        mask = take.domain & self.cards
        hand = self.board.hands[take.seat]
        if mask and not mask & (mask - 1):
            if not mask & (self.board.owned | self.placed):
                self.owner[mask] = (take.seat, take.at)
                self.board.owned |= mask
                return
            self.board.dropped.add("take")
            mask = self.cards
        elif not mask:
            self.board.dropped.add("take")
            mask = self.cards
        hand.spare += 1
        if mask == self.cards:
            hand.unknown.append(take.at)
        else:
            hand.halves[index] = (take.at, mask)

    def lay(self, index: int) -> None:
        lay = self.scene.lays[index]
        mask = self.board.masks[index]
        hand = self.board.hands[lay.seat]
        hand.gone.append((lay.at, index))
        if mask and not mask & (mask - 1):
            seat = self.owner[mask][0] if mask in self.owner else 0
            fits = not mask & self.placed and (seat == lay.seat or (not seat and hand.spare > 0))
            if fits:
                hand.spare -= not seat
                self.placed |= mask
                return
            mask = 0
        if not mask:
            self.board.dropped.add("lay")
            self.board.masks[index] = self.cards

    def show(self, index: int) -> None:
        show = self.scene.shows[index]
        card = show.card & self.cards
        hand = self.board.hands[show.seat]
        seat = self.owner[card][0] if card in self.owner else 0
        if not card or card & self.placed or (seat and seat != show.seat) or (not seat and hand.spare <= 0):
            self.board.dropped.add("show")
            return
        if not seat:
            hand.spare -= 1
            hand.gone.append((show.at, _shown_at(index)))
            self.board.shown[_shown_at(index)] = card
        self.owner[card] = (show.seat, show.at)
        self.board.owned |= card

    def close(self) -> None:
        """Every lay may hold free cards and what its seat had by then; a hand that laid too much had more."""
        board = self.board
        for card, (seat, _) in self.owner.items():
            board.hands[seat].known |= card
        for index, lay in enumerate(self.scene.lays):
            mask = board.masks[index]
            if mask & (mask - 1):
                own = sum(card for card, (seat, at) in self.owner.items() if seat == lay.seat and at < lay.at)
                may = (self.cards & ~board.owned) | own
                board.dropped |= set() if mask & may else {"lay"}
                board.masks[index] = mask & may or may
        board.extra = [mask & ~board.owned for mask in board.extra if mask & ~board.owned]
        self._lend()

    def _lend(self) -> None:
        board = self.board
        for seat, hand in board.hands.items():
            had = sorted(take.at for take in self.scene.takes if take.seat == seat)
            laid = sorted(lay.at for lay in self.scene.lays if lay.seat == seat)
            for count, at in enumerate(laid, 1):
                short = count - sum(time < at for time in had)
                if short > 0:
                    had += [at - 1] * short
                    hand.unknown += [at - 1] * short
                    board.dropped.add("hand")
            hand.gone.sort()
        if len(self.scene.takes) + len(self.scene.apart) > self.cards.bit_count():
            board.dropped.add("count")

    def gather(self) -> None:
        """Cards counted in a pile lie in its lays and nowhere else."""
        masks = self.board.masks
        for indices, mask in self.scene.sets:
            if mask & ~self.cards or mask.bit_count() > len(indices):
                self.board.dropped.add("shown")
                continue
            inside = set(indices)
            whole = mask.bit_count() == len(indices)
            for index, may in enumerate(masks):
                masks[index] = may & ~mask if index not in inside else may & mask if whole else may
            self.board.extra = [may & ~mask for may in self.board.extra]
            self.board.must |= 0 if whole else mask


def _shown_at(index: int) -> int:
    """The index of a show among the lays: negative, and not -1, which means no lay at all."""
    return -2 - index
