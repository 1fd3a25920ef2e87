"""Every legal turn of a position: the draws, the sums of action D, and whole turns, the turn `-` included (END03)."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import Literal, NamedTuple

from couperation_formal.game.state import with_hand
from couperation_formal.towers.continuation.position import DOWN, FIRST_TURN, Frame, Hidden, Node, Spot, Towers, bits

# Turns, what a player has after a draw and what an action takes, as named tuples of numbers and masks.


class LayMove(NamedTuple):
    """A and B: the card, 0 for an unseen one, the cell, and whether it is laid up."""

    card: int
    cell: int
    face_up: bool


class OpenMove(NamedTuple):
    """C: the cell and the card that it shows."""

    cell: int
    card: int


class ExchangeMove(NamedTuple):
    """D: the cards sent, destroyed (0 for unseen ones) and taken, and how and where it is laid; `replaced` is what lay
    there, 0 for nothing.
    """

    first: int
    second: int
    destroyed: tuple[int, ...]
    taken: int
    face_up: bool
    cell: int
    replaced: int


class PassMove(NamedTuple):
    """No action: none is legal (`no_action=skipped`)."""


Act = LayMove | OpenMove | ExchangeMove


class Move(NamedTuple):
    """A turn: how many cards the draw takes off the deck, which of them the Finish card unseen until now is (-1 for
    none), the action, the cards dropped and trimmed, 0 for unseen ones, and how many more leave the deck after the
    action.
    """

    drawn: int
    finish_at: int
    act: Act | PassMove
    drop: tuple[int, ...] = ()
    trim: tuple[int, ...] = ()
    fill: int = 0


class Own(NamedTuple):
    """What the player to move has after a draw."""

    hand: int
    unseen: int
    front: int
    top: int
    finish_at: int
    finish: bool
    """Whether the Finish card is still among the deck's unseen cards."""


class Total(NamedTuple):
    """What D sends, destroys and takes; `used` are the own cards that go by it, as a mask, and `used_unseen` tells how
    many unseen ones do.
    """

    first: int
    second: int
    destroyed: tuple[int, ...]
    taken: int
    used: int
    used_unseen: int
    taken_unseen: bool
    shown: int
    """The unseen cards that become numbers by this."""


class SearchStep(NamedTuple):
    """How a search came to a position: the step before it, and the turn that led here, None at the root. The step of a
    winning turn holds the position before that turn.
    """

    before: "SearchStep | None"
    node: Node
    move: Move | None


def lay(tower: bytes, cell: int, code: int) -> bytes:
    """The tower with this on a cell."""
    return tower[:cell] + bytes((code,)) + tower[cell + 1 :]


Limits = list[tuple[int, Hidden | None]]
"""What the next player can draw, each with what is not seen once the marks are settled that it hangs on."""

# Draws: what can be drawn now, and what the next player can draw (DRW01 to DRW06).
#
# Where marks are not given they are settled when a draw hangs on them, in every way.

_DIAMONDS = 1, 2, 0
"""How many diamonds the masks of `Hidden.marks` stand for."""


class Draws:
    """The draws under one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._optional = frame.rulings.draw_amount == "up_to"
        # Whether a hand is filled up or not at all (DRW04).
        self._whole = frame.rulings.refill_amount == "all_or_none"
        self._backs_stop = frame.rulings.heart_over_back == "zero"
        self._at_once = frame.rulings.finish_refill == "at_once"
        self._front_counts = frame.rulings.finish_in_hand == "yes"

    def draws(self, node: Node) -> Iterator[Own]:
        """Every legal draw, the least first."""
        frame, seat, limit, hidden = self.frame, node.seat, node.limit, node.hidden
        unseen, finish = (hidden.hands[seat], hidden.finish) if hidden else (0, False)
        # Fewer cards may be drawn in turn 1 and under `up_to`, else only where the deck ends before (DRW05).
        whole = limit < FIRST_TURN
        optional = limit == FIRST_TURN or (self._optional and not whole)
        edge = [Own(node.hands[seat], unseen, node.front, node.top, -1, finish)]
        for count in range(abs(limit)):
            ahead: list[Own] = []
            for own in edge:
                if optional or own.top == len(frame.deck) or (whole and self._optional and not count):
                    yield own
                ahead += self._draw(own, seat)
            edge = ahead
        yield from edge

    def fills(self, top: int, size: int) -> list[int]:
        """How many cards may come to a hand of so many after F was laid (DRW04)."""
        if not self._at_once:
            return [0]
        left = len(self.frame.deck) - top
        most = min(left, max(0, self.frame.board.refill - size))
        if not self._optional:
            return [most]
        return sorted({0, most}) if self._whole else list(range(most + 1))

    def _draw(self, own: Own, seat: int) -> Iterator[Own]:
        """One card of the draw (DRW06); nothing where the deck is empty."""
        frame = self.frame
        if own.top >= len(frame.deck):
            return
        card = frame.deck[own.top]
        if card == frame.finish or (card == 0 and own.finish):
            # F lies in front, and the next card of the deck replaces it (DRW06).
            at = own.top if card == 0 else own.finish_at
            brought = own._replace(front=seat, top=own.top + 1, finish_at=at, finish=False)
            if brought.top < len(frame.deck):
                yield from self._draw(brought, seat)
            else:
                yield brought
        # An unseen card that is not F: one must be left that can be, while F is still to come.
        if card == 0 and frame.unseen_below[own.top] > own.finish:
            yield own._replace(unseen=own.unseen + 1, top=own.top + 1)
        elif card and card != frame.finish:
            yield own._replace(hand=own.hand | 1 << card, top=own.top + 1)

    def limits(
        self, tower: bytes, cell: int, top: int, hand: int, seat: int, front: int, hidden: Hidden | None, down: bool
    ) -> Limits:
        """What the next player, at `seat`, can draw, with the marks that are settled for it (DRW02 to DRW05); as in
        turn 1 where the source is no `cell` (-1: D21). `down` tells that the source counts as a down card.
        """
        frame = self.frame
        held = frame.units_below[top]
        if not held:
            return [(0, hidden)]
        if cell < 0:
            return [(FIRST_TURN, hidden)]
        card = tower[cell]
        if card >= DOWN or card == frame.finish or down:
            # After a down card or F the hand is filled up (DRW04).
            size = hand.bit_count() + (hidden.hands[seat] if hidden else 0) + (self._front_counts and front == seat)
            filled = card == frame.finish and self._at_once and not down
            fills = 0 if filled else min(held, max(0, frame.board.refill - size))
            return [(-fills if self._whole and fills > 1 else fills, hidden)]
        if hidden is None:
            # As many as there are diamonds, for a heart as those of its supports (DRW02, DRW03).
            diamonds = frame.diamonds[card]
            return [(min(held, diamonds or self._heart(tower, cell, frame.diamonds)), None)]
        return self._settled(tower, cell, held, hidden)

    def _heart(self, tower: bytes, cell: int, diamonds: list[int]) -> int:
        """The draw after a heart on `cell` (DRW03)."""
        total = 0
        for support in self.frame.supports[cell]:
            if support < 0:
                return 0
            card = tower[support]
            if card >= DOWN and self._backs_stop:
                return 0
            if card < DOWN and card != self.frame.finish:
                if not diamonds[card] and self.frame.rulings.hearts_below == "zero_all":
                    return 0
                total += diamonds[card]
        return total

    def _settled(self, tower: bytes, cell: int, held: int, hidden: Hidden) -> Limits:
        """The same for every way to settle the marks that it hangs on, the greatest draw first. Two diamonds allow all
        that one does where draws are optional, so one is not tried there.
        """
        frame = self.frame
        diamonds = list(frame.diamonds)
        for amount, mask in zip(_DIAMONDS, hidden.marks, strict=True):
            for card in bits(mask):
                diamonds[card] = amount
        limits: dict[Hidden, int] = {}

        def settle(state: Hidden, cards: list[int]) -> None:
            open_cards = [card for card in cards if diamonds[card] < 0]
            if open_cards:
                card = open_cards[0]
                for amount in (2, 0) if self._optional else (2, 1, 0):
                    diamonds[card] = amount
                    marks = [mask | (each == amount) << card for each, mask in zip(_DIAMONDS, state.marks, strict=True)]
                    settle(state._replace(marks=tuple(marks)), cards)
                diamonds[card] = -1
                return
            card = tower[cell]
            if diamonds[card] == 0:
                supports = [tower[support] for support in frame.supports[cell] if support >= 0]
                below = [other for other in supports if other < DOWN and other != frame.finish]
                backed = self._backs_stop and max(supports, default=0) >= DOWN
                if not backed and any(diamonds[other] < 0 for other in below):
                    settle(state, [card, *below])
                    return
            limits[state] = min(held, diamonds[card] or self._heart(tower, cell, diamonds))

        settle(hidden, [tower[cell]])
        return sorted(((limit, state) for state, limit in limits.items()), key=lambda pair: (-pair[0], pair[1]))


# Action D's choices: which cards are sent, destroyed and taken (ACT05, ACT06).

MOST = 99
"""More cards than any turn destroys and drops."""
_SUMS_KEPT = 1 << 18
"""So many payments are kept at most."""
_PAYMENTS = 4
"""So many payments are one step."""


class Sums:
    """The sums of action D under one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        # A destroyed card adds or takes one: each as it likes, all alike (0), or not at all, as [adjust] says (ACT05).
        self._apart = {"each": 2, "uniform": 0, "up_to": 1}[frame.rulings.adjust]
        self._kept: dict[tuple[int, int, int], list[Total]] = {}
        self._count = 0

    def totals(self, node: Node, own: Own, cards: int, most: int) -> list[Total]:
        """Every choice of cards that D sends, destroys (at most so many) and takes (ACT05, ACT06)."""
        hidden, reserve = node.hidden, node.reserve
        if hidden and (own.unseen or hidden.reserve):
            return self._make(cards, reserve, most, own.unseen, hidden)
        # Hands and Reserves recur with other towers.
        key = cards, reserve & self.frame.cards, min(most, cards.bit_count())
        totals = self._kept.get(key)
        if totals is None:
            totals = self._make(*key)
            self._count += len(totals)
            if self._count > _SUMS_KEPT:
                self._kept.clear()
                self._count = len(totals)
            self._kept[key] = totals
        return totals

    def _make(self, cards: int, reserve: int, most: int, unseen: int = 0, hidden: Hidden | None = None) -> list[Total]:
        """Every choice; with `hidden` some own cards or some of the Reserve are unseen."""
        allowed, number_of = self.frame.rulings.take_sent == "allowed", self.frame.number_of
        values = bits(hidden.values) if hidden and unseen else ()
        pairs = [(first, second, 0) for first, second in combinations(bits(cards), 2)]
        pairs += [(first, second, 1) for first in bits(cards) for second in values]
        pairs += [(first, second, 2) for first, second in combinations(values, 2) if unseen > 1]
        totals = []
        for first, second, hid in pairs:
            low, high = number_of(first), number_of(second)
            if not (low and high):
                continue
            shown = (0, 1 << second, 1 << first | 1 << second)[hid]
            sent = (1 << first | 1 << second) & ~shown
            pool = [(card, number_of(card), 0) for card in bits(reserve | sent | shown if allowed else reserve)]
            if hidden and hidden.reserve:
                pool += [(card, card, 1 << card) for card in bits(hidden.values & ~shown)]
            others = bits(cards & ~sent)
            for count in range(min(len(others) + unseen - hid, most) + 1):
                changes = range(-count, count + 1, self._apart or 2 * count or 1)
                makes = {base + change for base in (low + high, abs(low - high)) for change in changes}
                taken = [(card, drawn) for card, number, drawn in pool if number and number in makes]
                for gone_unseen in range(min(count, unseen - hid) + 1) if taken else ():
                    # The choices of so many of the other cards are paid for before they are made.
                    ways = comb(len(others), count - gone_unseen)
                    self.frame.budget.spend(1 + ways * len(taken) // _PAYMENTS)
                    for destroyed in combinations(others, count - gone_unseen):
                        used, every = sent | sum(1 << card for card in destroyed), destroyed + (0,) * gone_unseen
                        totals += [
                            Total(first, second, every, card, used, hid + gone_unseen, drawn > 0, shown | drawn)
                            for card, drawn in taken
                        ]
        return totals


# Every legal turn of a position of the search: draw, action, drops and trims together.
#
# What nobody saw is settled when it matters: an unseen card becomes a number when it is played, a mark that is not
# given when a draw hangs on it. Until then unseen cards are only counted; any numbers that are left can be given to
# them, so nothing is lost or gained.

_TRIED = 64
_CHOSEN = 8
_FEW = 128
"""So many payments tried on a cell, and so many choices of cards to destroy, are one step; no more choices are kept."""

Turned = tuple[Node | None, Move]
"""A turn, and the position after it: None where it wins."""
Choice = tuple[int, int, tuple[int, ...]]
"""Cards chosen to go: a mask of those that are seen, how many unseen ones, and all of them, 0 for an unseen one."""
NOTHING: list[Choice] = [(0, 0, ())]
"""The one choice where nothing has to go."""


class Played(NamedTuple):
    """What an action leaves: the tower, what the player then has, and the Reserve before anything is trimmed.

    `shown` are the unseen cards that became numbers by it, as a mask; `taken_unseen` tells whether D took one of them;
    `fill` cards came to the hand after it.
    """

    act: Act
    tower: bytes
    hand: int
    unseen: int
    front: int
    reserve: int
    shown: int = 0
    taken_unseen: bool = False
    fill: int = 0


def as_it_is(node: Node) -> Node | None:
    """The position itself."""
    return node


class Turns:
    """The legal turns under one frame. Only one walk over turns goes on at a time, and what it is told belongs to it.

    `unsure` tells that a turn without action was left out which some choice of unseen cards would have allowed.
    """

    destroys = MOST
    """So many cards D destroys at most."""
    most: int
    untrimmed: Callable[[Node], Node | None]

    def __init__(self, frame: Frame, towers: Towers) -> None:
        self.frame, self.towers = frame, towers
        rulings = frame.rulings
        self._early = rulings.early_apex
        self._either = rulings.reserve_face == "either"
        self._from_laid = rulings.draw_source in ("last_placed", "as_laid")
        self._as_laid = rulings.draw_source == "as_laid"
        self._moves_matter = rulings.replace_target == "not_anchor"
        self._idle = rulings.draw_source == "nothing"
        self._skips = rulings.no_action == "skipped"
        self._once = rulings.replacements == "once"
        self._stands = rulings.opened_against == "stands"
        self.draws, self.sums = Draws(frame), Sums(frame)
        self.unsure = False

    def turns(
        self, node: Node, most: int = MOST, untrimmed: Callable[[Node], Node | None] = as_it_is
    ) -> Iterator[Turned]:
        """Every legal turn with the position after it, None where it wins. Turns that lose are left out, and those that
        destroy and drop more than `most` cards together. Where something is trimmed `untrimmed` is told the position
        before that, and says which stands for it, or None to leave it out.

        Where marks are not given, a turn comes once for each way to settle those that the next draw hangs on.
        """
        self.most, self.untrimmed = most, untrimmed
        for own in self.draws.draws(node):
            yield from self._acts(node, own)

    def replaceable(self, node: Node) -> tuple[Spot, ...]:
        """The laid cards that D may replace, and what may lie in their place."""
        return () if node.replaced else self.towers.replaceable[node.tower, node.moved]

    def _acts(self, node: Node, own: Own) -> Iterator[Turned]:
        """Every legal action after one draw, with its drops and trims; the turn `-` where none is."""
        spots = self.towers.free[node.tower]
        for spot in spots:
            yield from self._lay_ups(node, own, spot)
            yield from self._lay_downs(node, own, spot, own.hand)
        yield from self._opens(node, own)
        # D: every payment on every cell that takes its card, empty or replaced.
        totals = self.sums.totals(node, own, self._held(node, own), min(self.most, self.destroys))
        if totals:
            targets = (*spots, *self.replaceable(node))
            self.frame.budget.spend(len(targets) * len(totals) // _TRIED)
            for spot in targets:
                for total in totals:
                    if spot.up >> total.taken & 1:
                        yield from self._exchange(node, own, spot, total, True)
                    if self._either and spot.down and total.taken != self.frame.finish:
                        yield from self._exchange(node, own, spot, total, False)
        if self._skips:
            yield from self._passes(node, own)

    def _passes(self, node: Node, own: Own) -> Iterator[Turned]:
        """The turn `-` after one draw, once for each way to settle what the next draw hangs on; none where an action is
        legal, or where the game is stuck with it (END03, `no_action=skipped`).
        """
        frame, seat, laid = self.frame, node.seat, self.replaceable(node)
        if node.skipped + 1 >= frame.players or self._can_act(node, own, laid):
            return
        following, hands = (seat + 1) % frame.players, with_hand(node.hands, seat, own.hand)
        hidden = node.hidden
        if hidden is not None:
            hidden = hidden._replace(hands=with_hand(hidden.hands, seat, own.unseen), finish=own.finish)
        # The draw is kept, and the next one follows what this one did.
        limits: Limits = [(0, hidden)]
        if node.laid >= 0 or node.limit == FIRST_TURN:  # else a card was opened last and lets nobody draw
            limits = self.draws.limits(
                node.tower, node.laid, own.top, hands[following], following, own.front, hidden, node.laid_down
            )
        move = Move(own.top - node.top, own.finish_at, PassMove())
        for limit, settled in limits:
            after = node._replace(hands=hands, front=own.front, top=own.top, seat=following, limit=limit)
            yield after._replace(hidden=settled, skipped=node.skipped + 1), move

    def _can_act(self, node: Node, own: Own, laid: tuple[Spot, ...]) -> bool:
        """Whether some action is legal after a draw, one that loses too (ACT01)."""
        cards, spots = self._held(node, own), self.towers.free[node.tower]
        lays = any(spot.up & cards or (spot.down and (own.hand or own.unseen)) for spot in spots)
        if lays or max(node.tower) >= DOWN:
            return True
        if own.unseen or (node.hidden is not None and node.hidden.reserve):
            self.unsure = True
            return True
        totals = self.sums.totals(node, own, cards, MOST)
        downs = self._either and any(total.taken != self.frame.finish for total in totals)
        taken = sum({1 << total.taken for total in totals})
        return any(spot.up & taken or (downs and spot.down) for spot in (*spots, *laid))

    def _held(self, node: Node, own: Own) -> int:
        """The cards that the player to move can lay or send, F in front among them, as a mask."""
        return own.hand | (self.frame.finish_bit if own.front == node.seat else 0)

    def _lay_ups(self, node: Node, own: Own, spot: Spot) -> Iterator[Turned]:
        """A on a spot: an own card, or any number that an unseen one may be."""
        cell, hidden = spot.cell, node.hidden
        unseen = hidden.values & spot.up if hidden and own.unseen else 0
        for card in (*bits(spot.up & self._held(node, own)), *bits(unseen)):
            hand, left, front, shown = own.hand, own.unseen, own.front, 0
            if card == self.frame.finish:
                front = -1
            elif unseen >> card & 1:
                left, shown = left - 1, 1 << card
            else:
                hand ^= 1 << card
            act, tower = LayMove(card, cell, True), lay(node.tower, cell, card)
            yield from self._end(node, own, Played(act, tower, hand, left, front, node.reserve, shown))

    def _lay_downs(self, node: Node, own: Own, spot: Spot, cards: int) -> Iterator[Turned]:
        """B on a spot: these own cards, of which F never lies down, and unseen cards, which are alike and stay so."""
        cell = spot.cell
        if not spot.down:
            return
        for card in (*bits(cards), 0) if own.unseen else bits(cards):
            hand, unseen = (own.hand ^ 1 << card, own.unseen) if card else (own.hand, own.unseen - 1)
            act, tower = LayMove(card, cell, False), lay(node.tower, cell, DOWN + card)
            yield from self._end(node, own, Played(act, tower, hand, unseen, own.front, node.reserve))

    def _opens(self, node: Node, own: Own) -> Iterator[Turned]:
        """C, where it does not lose: the card fits where it lies (END02)."""
        hidden = node.hidden
        for spot in self.towers.openable[node.tower]:
            known, cell = spot.old - DOWN, spot.cell
            cards = 1 << known if known else hidden.values if hidden else 0
            for card in bits(cards & spot.up):
                act, tower = OpenMove(cell, card), lay(node.tower, cell, card)
                shown = 0 if known else 1 << card
                if self._stands and not self.towers.holds(tower):
                    self.towers.astray.add(tower)
                played = Played(act, tower, own.hand, own.unseen, own.front, node.reserve, shown)
                yield from self._end(node, own, played)

    def _exchange(self, node: Node, own: Own, spot: Spot, total: Total, face_up: bool) -> Iterable[Turned]:
        """D: the cards of `total`, and on the spot the card taken."""
        cell, old, taken = spot.cell, spot.old, total.taken
        hand, unseen = own.hand & ~total.used, own.unseen - total.used_unseen
        front = -1 if total.used & self.frame.finish_bit else own.front
        # What is replaced comes back: F in front (ACT07), an unseen card unseen, any other to the hand.
        if old == self.frame.finish:
            front = node.seat
        elif old == DOWN:
            unseen += 1
        elif old:
            hand |= 1 << (old - DOWN if old >= DOWN else old)
        # The card taken may be one that is sent, so it leaves the Reserve last; unseen cards that are sent show there.
        reserve = (node.reserve | 1 << total.first | 1 << total.second) & ~(1 << taken)
        act = ExchangeMove(total.first, total.second, total.destroyed, taken, face_up, cell, old)
        tower = lay(node.tower, cell, taken if face_up else DOWN + taken)
        played = Played(act, tower, hand, unseen, front, reserve, total.shown, total.taken_unseen)
        return self._end(node, own, played)

    def _end(self, node: Node, own: Own, played: Played) -> Iterable[Turned]:
        """The end of a turn: it wins, leads nowhere, or leads on, once for each way to settle, drop and trim."""
        act, frame = played.act, self.frame
        result = self._result(played)
        if result == "won":
            return ((None, Move(own.top - node.top, own.finish_at, act)),)
        if result == "lost":
            return ()
        # What is destroyed and dropped together may be too much for a win to follow (`turns`).
        destroyed = len(act.destroyed) if type(act) is ExchangeMove else 0
        if destroyed + played.hand.bit_count() + played.unseen - frame.limit > self.most:
            frame.budget.spend()
            return ()
        if played.tower[act.cell] != frame.finish or type(act) is OpenMove:
            return self._after(node, own, played)
        return chain.from_iterable(self._after(node, own, each) for each in self._filled(own, played))

    def _filled(self, own: Own, played: Played) -> Iterator[Played]:
        """What is left once F was laid up and the hand was filled, in every way (DRW04)."""
        for fill in self.draws.fills(own.top, played.hand.bit_count() + played.unseen):
            cards = self.frame.deck[own.top : own.top + fill]
            hand = played.hand | sum(1 << card for card in cards if card)
            yield played._replace(hand=hand, unseen=played.unseen + cards.count(0), fill=fill)

    def _result(self, played: Played) -> Literal["won", "lost"] | None:
        """How the turn ends the game (END01, END02); None where it goes on."""
        act, tower = played.act, played.tower
        lays_apex = self.frame.is_apex[act.cell] and type(act) is not OpenMove
        # Won: every cell of the pyramid is filled and no card lies down, by laying the apex or, so ruled, by any turn.
        if tower.count(0) == len(tower) - self.frame.size and max(tower) < DOWN:
            return "won" if lays_apex or self._early == "win_on_completion" else None
        # Lost: the apex is laid over a down card, where that loses.
        return "lost" if lays_apex and self._early == "loses" and max(tower) >= DOWN else None

    def _after(self, node: Node, own: Own, played: Played) -> Iterator[Turned]:
        """The turns that go on, with the positions after them."""
        act, tower, reserve, hand, unseen = played.act, played.tower, played.reserve, played.hand, played.unseen
        frame, seat, cell, top = self.frame, node.seat, act.cell, own.top + played.fill
        following = (seat + 1) % frame.players
        hands, hidden = with_hand(node.hands, seat, hand), node.hidden
        if hidden is not None:
            # A card that became a number is none of what is not seen any more.
            values, counts, unseen_there, _, marks = hidden
            left_there = unseen_there - played.taken_unseen
            hidden = Hidden(values & ~played.shown, with_hand(counts, seat, unseen), left_there, own.finish, marks)
        opens = type(act) is OpenMove
        # Under `last_placed` draws hang on the cell laid last, which C does not change; else on the cell of this turn.
        source = node.laid if self._from_laid and opens else -1 if self._idle and opens else cell
        laid = source if self._from_laid or self._skips else -1
        was_down = self._as_laid and opens and source >= 0 and (node.laid_down or node.tower[source] >= DOWN)
        laid_down = was_down and tower[source] < DOWN
        replaces = type(act) is ExchangeMove and act.replaced != 0
        moved = self._moves_matter and ((replaces and cell == frame.anchor) or node.moved)
        replaced = self._once and (replaces or node.replaced)
        # Drops are paid for before trims, both before the first turn: the steps are the same in every run.
        drops = self._drops(hand, unseen)
        trims = self._trims(reserve, hidden.reserve if hidden else 0) is not NOTHING
        limits: Limits = [(0, hidden)]
        if not (self._idle and opens):  # else nobody draws
            limits = self.draws.limits(tower, source, top, hands[following], following, played.front, hidden, laid_down)
        for limit, settled in limits:
            for mask, dropped_unseen, drop in drops:
                kept = with_hand(hands, seat, hand & ~mask) if drop else hands
                left = settled
                if left is not None and dropped_unseen:
                    left = left._replace(hands=with_hand(left.hands, seat, unseen - dropped_unseen))
                after = Node(
                    tower, kept, played.front, reserve, top, following, limit, laid, moved, left, replaced, 0, laid_down
                )
                move = Move(own.top - node.top, own.finish_at, act, drop, fill=played.fill)
                if not trims:
                    yield after, move
                elif (stands := self.untrimmed(after)) is not None:
                    yield from self._trimmed(stands, move)

    def _drops(self, hand: int, unseen: int) -> list[Choice]:
        """What may be dropped from a hand that is too full (LIM01)."""
        extra = hand.bit_count() + unseen - self.frame.limit
        return self.choices(hand, unseen, extra) if extra > 0 else NOTHING

    def _trimmed(self, node: Node, move: Move) -> Iterator[Turned]:
        """A position before anything is trimmed and the turn to it, for each choice of what is trimmed."""
        hidden = node.hidden
        for mask, unseen, trim in self._trims(node.reserve, hidden.reserve if hidden else 0):
            left = hidden._replace(reserve=hidden.reserve - unseen) if hidden is not None and unseen else hidden
            yield node._replace(reserve=node.reserve & ~mask, hidden=left), move._replace(trim=trim)

    def _trims(self, reserve: int, unseen: int) -> list[Choice]:
        """What may be trimmed from a Reserve that is too full (LIM02); NOTHING itself where nothing is."""
        frame = self.frame
        cards = reserve if frame.rulings.finish_reserve_count == "yes" else reserve & ~frame.finish_bit
        extra = cards.bit_count() + unseen - frame.reserve_size
        return self._trim(cards, unseen, extra) if extra > 0 else NOTHING

    def _trim(self, cards: int, unseen: int, extra: int) -> list[Choice]:
        # Idle cards have no number: which of them go makes no difference, and they go first (`search.md`, "reserve").
        idle = bits(cards & ~self.frame.cards)[-extra:]
        if not idle:
            return self.choices(cards, unseen, extra)
        gone = sum(1 << card for card in idle)
        rest = self.choices(cards & self.frame.cards, unseen, extra - len(idle))
        return [(mask | gone, hid, (*chosen, *idle)) for mask, hid, chosen in rest]

    def choices(self, cards: int, unseen: int, count: int) -> list[Choice]:
        """`choices`, paid for before they are made."""
        size = cards.bit_count()
        number = sum(comb(size, count - hid) for hid in range(min(unseen, count) + 1))
        self.frame.budget.spend(number // _CHOSEN)
        return (choices if number <= _FEW else choices.__wrapped__)(cards, unseen, count)


@lru_cache(maxsize=1 << 13)
def choices(cards: int, unseen: int, count: int) -> list[Choice]:
    """Every choice of so many of the cards and the unseen ones: mask, number of unseen ones, the cards."""
    listed = []
    for hid in range(min(unseen, count) + 1):
        for chosen in combinations(bits(cards), count - hid):
            listed.append((sum(1 << card for card in chosen), hid, chosen + (0,) * hid))
    return listed
