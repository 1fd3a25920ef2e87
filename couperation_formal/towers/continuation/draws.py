"""The tables that turns are made from: which draws, which sums of action D, which cards fit which cell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from couperation_formal.towers.continuation.position import DOWN, FIRST_TURN, Frame, Hidden, Node, Own, Total, bits

# Draws: what can be drawn now, and what the next player can draw (DRW01 to DRW06).
#
# Where marks are not given they are settled when a draw hangs on them, in every way.


class Draws:
    """The draws under one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._optional = frame.rulings.draw_amount == "up_to"
        self._amounts = (2, 0) if self._optional else (2, 1, 0)
        # Whether a hand is filled up or not at all (DRW04).
        self._whole = frame.rulings.refill_amount == "all_or_none"
        self._backs_stop = frame.rulings.heart_over_back == "zero"
        self._at_once = frame.rulings.finish_refill == "at_once"

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
        self, tower: bytes, cell: int, top: int, hand: int, seat: int, hidden: Hidden | None
    ) -> list[tuple[int, Hidden | None]]:
        """What the next player can draw, with the marks that are settled for it (DRW02 to DRW05); as in turn 1 where
        the source is no `cell` (-1: D21).
        """
        frame = self.frame
        held = frame.units_below[top]
        if not held:
            return [(0, hidden)]
        if cell < 0:
            return [(FIRST_TURN, hidden)]
        card = tower[cell]
        if card >= DOWN or card == frame.finish:
            # After a down card or F the hand is filled up (DRW04).
            size = hand.bit_count() + (hidden.hands[seat] if hidden else 0)
            fills = 0 if card == frame.finish and self._at_once else min(held, max(0, frame.board.refill - size))
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

    def _settled(self, tower: bytes, cell: int, held: int, hidden: Hidden) -> list[tuple[int, Hidden | None]]:
        """The same for every way to settle the marks that it hangs on, the greatest draw first. Two diamonds allow all
        that one does where draws are optional, so one is not tried there.
        """
        frame = self.frame
        diamonds = list(frame.diamonds)
        for amount, mask in ((1, hidden.ones), (2, hidden.twos), (0, hidden.hearts)):
            for card in bits(mask):
                diamonds[card] = amount
        limits: dict[Hidden, int] = {}

        def settle(state: Hidden, cards: list[int]) -> None:
            open_cards = [card for card in cards if diamonds[card] < 0]
            if open_cards:
                card = open_cards[0]
                for amount in self._amounts:
                    diamonds[card] = amount
                    settle(_with_mark(state, card, amount), cards)
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


def _with_mark(hidden: Hidden, card: int, amount: int) -> Hidden:
    if amount == 1:
        return hidden._replace(ones=hidden.ones | 1 << card)
    if amount == 2:
        return hidden._replace(twos=hidden.twos | 1 << card)
    return hidden._replace(hearts=hidden.hearts | 1 << card)


# Action D's choices: which cards are sent, destroyed and taken (ACT05, ACT06).

MOST: Final = 99
"""More cards than any turn destroys and drops."""
_SUMS_KEPT: Final = 1 << 18
"""So many payments are kept at most."""
_PAYMENTS: Final = 4
"""So many payments are one step."""


class Sums:
    """The sums of action D under one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._kept: dict[tuple[int, int, int], list[Total]] = {}
        self._count = 0

    def totals(self, node: Node, own: Own, cards: int, most: int) -> list[Total]:
        """Every choice of cards that D sends, destroys (at most so many) and takes (ACT05, ACT06)."""
        hidden = node.hidden
        if hidden is None or not (own.unseen or hidden.reserve):
            return self._totals(cards, node.reserve & self.frame.cards, min(most, cards.bit_count()))
        return list(self._unseen_totals(cards, node.reserve, own.unseen, hidden, most))

    def _totals(self, cards: int, reserve: int, most: int) -> list[Total]:
        """`_seen_totals`, kept for the next time."""
        # Hands and Reserves recur with other towers.
        key = cards, reserve, most
        totals = self._kept.get(key)
        if totals is None:
            totals = self._seen_totals(*key)
            self._count += len(totals)
            if self._count > _SUMS_KEPT:
                self._kept.clear()
                self._count = len(totals)
            self._kept[key] = totals
        return totals

    def _spend(self, others: int, count: int, taken: int) -> None:
        """Pay for the choices of so many of the other cards, each with every card taken, before they are made."""
        self.frame.budget.spend(1 + comb(others, count) * taken // _PAYMENTS)

    def _number(self, card: int) -> int:
        """The number that `card` counts in sums, 0 for the Finish card without one."""
        return self.frame.finish_value if card == self.frame.finish else card

    def _makes(self, low: int, high: int, count: int) -> set[int]:
        # A destroyed card adds or takes one: each as it likes, all alike, or not at all, as [adjust] says (ACT05).
        adjust = self.frame.rulings.adjust
        if adjust == "each":
            changes = range(-count, count + 1, 2)
        elif adjust == "uniform":
            changes = range(-count, count + 1, 2 * count or 1)
        else:
            changes = range(-count, count + 1)
        return {base + change for base in (low + high, abs(low - high)) for change in changes}

    def _seen_totals(self, cards: int, reserve: int, most: int) -> list[Total]:
        own = bits(cards)
        totals = []
        allowed = self.frame.rulings.take_sent == "allowed"
        for first, second in combinations(own, 2):
            low, high = self._number(first), self._number(second)
            if not (low and high):
                continue
            sent = 1 << first | 1 << second
            pool = [(card, self._number(card)) for card in bits(reserve | sent if allowed else reserve)]
            others = bits(cards & ~sent)
            for count in range(min(len(others), most) + 1):
                makes = self._makes(low, high, count)
                taken = [card for card, number in pool if number and number in makes]
                if not taken:
                    continue
                self._spend(len(others), count, len(taken))
                for destroyed in combinations(others, count):
                    gone = sum(1 << card for card in destroyed)
                    totals += [
                        Total(first, second, destroyed, card, sent, 0, gone, 0, False, 0) for card in taken
                    ]  # fmt: skip
        return totals

    def _unseen_totals(self, cards: int, reserve: int, unseen: int, hidden: Hidden, most: int) -> Iterator[Total]:
        """The same where some own cards or some of the Reserve are unseen."""
        allowed = self.frame.rulings.take_sent == "allowed"
        values = bits(hidden.values) if unseen else ()
        pairs = [(first, second, 0) for first, second in combinations(bits(cards), 2)]
        pairs += [(first, second, 1) for first in bits(cards) for second in values]
        if unseen > 1:
            pairs += [(first, second, 2) for first, second in combinations(values, 2)]
        for first, second, hid in pairs:
            low, high = self._number(first), self._number(second)
            if not (low and high):
                continue
            shown = (0, 1 << second, 1 << first | 1 << second)[hid]
            sent = (1 << first | 1 << second) & ~shown
            pool = reserve | sent | shown if allowed else reserve
            others = bits(cards & ~sent)
            for count in range(min(len(others) + unseen - hid, most) + 1):
                makes = self._makes(low, high, count)
                taken = [(card, False) for card in bits(pool) if self._number(card) in makes and self._number(card)]
                if hidden.reserve:
                    taken += [(card, True) for card in bits(hidden.values & ~shown) if card in makes]
                if not taken:
                    continue
                for gone_unseen in range(min(count, unseen - hid) + 1):
                    self._spend(len(others), count - gone_unseen, len(taken))
                    for destroyed in combinations(others, count - gone_unseen):
                        gone = sum(1 << card for card in destroyed)
                        for card, drawn in taken:
                            yield Total(
                                first, second, destroyed + (0,) * gone_unseen, card, sent, hid, gone, gone_unseen,
                                drawn, shown | (1 << card if drawn else 0),
                            )  # fmt: skip


# Where cards can be laid on a tower of the search: shape (TOW03 to TOW06), apex (TOW08), orders (TOW01, TOW02, TOW07).
#
# The same windows as `game.rules.arrangement.Windows`, as masks of cards. Towers recur with many hands, so what is
# found is kept.

_LOW: Final = -(10**6)
_HIGH: Final = 10**6
_SPOTS_KEPT: Final = 1 << 16
_WINDOWS: Final = 4
"""The steps that it takes to find where cards can be laid on a tower, to open or to replace them."""


class Spot(NamedTuple):
    """A cell, the cards that may lie up on it, and whether a card may lie down there. `old` is the card on it."""

    cell: int
    up: int
    down: bool
    old: int


class Towers:
    """The spots of towers under one frame.

    `astray` are the towers out of order. A position can give one (`line`), and so can C under `opened_against=stands`:
    A, B and D leave a tower in order, and any other C that does not loses.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self.astray: set[bytes] = set()
        rulings = frame.rulings
        self._stands = rulings.opened_against == "stands"
        self._waived = rulings.facedown == "ignored"
        self._floor, self._ceiling = (1, frame.board.cards) if rulings.facedown == "deck" else (_LOW, _HIGH)
        self._free: dict[bytes, tuple[Spot, ...]] = {}
        self._openable: dict[bytes, tuple[Spot, ...]] = {}
        self._replaceable: dict[tuple[bytes, bool], tuple[Spot, ...]] = {}

    def free(self, tower: bytes) -> tuple[Spot, ...]:
        """The empty cells that can take a card, level by level."""
        cells = self._free.get(tower)
        if cells is None:
            if len(self._free) >= _SPOTS_KEPT:
                self._free.clear()
            self._frame.budget.spend(_WINDOWS)
            least, greatest = self._numbers(tower)
            cells = self._free[tower] = tuple(
                self._spot(tower, cell, least, greatest, 0)
                for cell in (self._places(tower) if tower not in self.astray else ())
            )
        return cells

    def replaceable(self, tower: bytes, moved: bool) -> tuple[Spot, ...]:
        """The laid cards that D may replace, and what may lie in their place (ACT07); `moved` tells whether the card
        of set-up was.
        """
        key = tower, moved
        targets = self._replaceable.get(key)
        if targets is None:
            if len(self._replaceable) >= _SPOTS_KEPT:
                self._replaceable.clear()
            self._frame.budget.spend(_WINDOWS)
            targets = self._replaceable[key] = tuple(self._replacing(tower, moved))
        return targets

    def openable(self, tower: bytes) -> tuple[Spot, ...]:
        """The down cards, with the cards that do not lose when they turn out to lie there (ACT04, END02)."""
        cells = self._openable.get(tower)
        if cells is None:
            if len(self._openable) >= _SPOTS_KEPT:
                self._openable.clear()
            self._frame.budget.spend(_WINDOWS)
            # Where it loses only against up cards, down cards set no bounds, and their orders need not hold.
            asked = bytes(code if code < DOWN else 0 for code in tower) if self._stands else tower
            least, greatest = self._numbers(asked)
            kept = tower not in self.astray or (self._stands and self.holds(asked))
            cells = self._openable[tower] = tuple(
                self._spot(tower, cell, least, greatest, old) for cell, old in enumerate(tower) if old >= DOWN and kept
            )
        return cells

    def holds(self, tower: bytes) -> bool:
        """Whether all orders can hold, down cards taken as [facedown] says."""
        least, _ = self._numbers(tower)
        above = self._frame.above
        for cell, low in least.items():
            if tower[cell] >= DOWN and low > self._ceiling:
                return False
            for other, step in above[cell]:
                if other in least and tower[other] < DOWN and low + step > least[other]:
                    return False
        return True

    def _replacing(self, tower: bytes, moved: bool) -> Iterator[Spot]:
        """As `replaceable`. A card's own numbers play no part in those of the cells below it, nor of those above, so
        its window is the same with it and without it. A tower out of order has to be in order without the card.
        """
        frame, target = self._frame, self._frame.rulings.replace_target
        least, greatest = self._numbers(tower)
        for cell, old in enumerate(tower):
            if not old or (target == "facedown_only" and old < DOWN):
                continue
            if target == "not_anchor" and cell == frame.anchor and not moved:
                continue
            without = tower
            if frame.is_apex[cell] or tower in self.astray:
                without = tower[:cell] + b"\0" + tower[cell + 1 :]
            if tower in self.astray:
                if not self.holds(without):
                    continue
                least, greatest = self._numbers(without)
            yield self._spot(without, cell, least, greatest, old)

    def _places(self, tower: bytes) -> list[int]:
        """The empty cells that the shape allows (TOW03 to TOW05)."""
        frame = self._frame
        anywhere = frame.rulings.spread == "anywhere"
        # The places of the columns that hold every laid card (TOW04).
        first, last = 0, frame.board.levels - 1
        for cell, code in enumerate(tower):
            if code:
                low, high = frame.lefts[cell]
                first, last = max(first, low), min(last, high)
        if frame.rulings.anchor == "middle":
            first = max(first, frame.board.middle)
            last = min(last, frame.board.middle)
        cells = []
        for cell, code in enumerate(tower):
            low, high = frame.lefts[cell]
            # The cell lies in no pyramid at one of these.
            if code or max(first, low) > min(last, high):
                continue
            left, right = frame.supports[cell]
            # Above level 1 both supports lie, on level 1 a neighbour (TOW03, TOW05).
            if left >= 0:
                if not (tower[left] and tower[right]):
                    continue
            elif not anywhere and not any(tower[other] for other in frame.beside[cell]):
                continue
            cells.append(cell)
        return cells

    def _numbers(self, tower: bytes) -> tuple[dict[int, int], dict[int, int]]:
        """The least and the greatest number of each laid card that has any, by longest paths over down cards."""
        frame = self._frame
        finish = frame.finish
        least: dict[int, int] = {}
        downs = []
        for cell, code in enumerate(tower):
            if code >= DOWN:
                downs.append(cell)
            elif code:
                number = code if code != finish else self._shown_on(cell)
                if number:
                    least[cell] = number
        if not downs or self._waived:
            return least, least
        greatest = dict(least)
        # Down cards take the least numbers from below upward, then the greatest from above down (TOW07).
        low_to_high = [cell for cell in frame.extension if tower[cell] >= DOWN]
        for cell in low_to_high:
            most = max([least[other] + step for other, step in frame.below[cell] if other in least], default=_LOW)
            least[cell] = max(most, self._floor)
        for cell in reversed(low_to_high):
            most = min(
                [greatest[other] - step for other, step in frame.above[cell] if other in greatest], default=_HIGH
            )
            greatest[cell] = min(most, self._ceiling)
        return least, greatest

    def _shown_on(self, cell: int) -> int:
        """The number that F shows to the orders on a cell, 0 for none."""
        return self._frame.finish_on_apex if self._frame.is_apex[cell] else self._frame.finish_value

    def _spot(self, tower: bytes, cell: int, least: dict[int, int], greatest: dict[int, int], old: int) -> Spot:
        """What the empty `cell` of `tower` can take."""
        frame = self._frame
        low = max([least[other] + step for other, step in frame.below[cell] if other in least], default=_LOW)
        high = min([greatest[other] - step for other, step in frame.above[cell] if other in greatest], default=_HIGH)
        # Up: the numbers of the window, and F, which has to be in it where it has a number.
        up = 0
        first, last = max(low, 1), min(high, frame.board.cards)
        if first <= last:
            up = (1 << last + 1) - (1 << first)
        value = self._shown_on(cell)
        if frame.variant == "finish" and (not value or low <= value <= high):
            up |= frame.finish_bit
        # Down: some number fits, as [facedown] counts them (TOW07).
        down = self._waived or max(low, self._floor) <= min(high, self._ceiling)
        # The apex is up, F in its variant, and not over down cards where that is forbidden (TOW08).
        if frame.is_apex[cell]:
            down = False
            if frame.variant == "finish":
                up &= frame.finish_bit
            if frame.rulings.early_apex == "forbidden" and any(code >= DOWN for code in tower):
                up = 0
        return Spot(cell, up, down, old)
