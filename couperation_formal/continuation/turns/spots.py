"""Where cards can be laid on a tower of the search: shape (TOW03 to TOW06), apex (TOW08), orders (TOW01, TOW02, TOW07).

The same windows as `rules.arrangement.Windows`, as masks of cards. Towers recur with many hands, so what is found is
kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from couperation_formal.continuation.position.frame import DOWN, Frame

_LOW: Final = -(10**6)
_HIGH: Final = 10**6
_KEPT: Final = 1 << 16
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

    `astray` are the towers out of order. A position can give one (`pack`), and so can C under `opened_against=stands`:
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
        found = self._free.get(tower)
        if found is None:
            if len(self._free) >= _KEPT:
                self._free.clear()
            self._frame.budget.spend(_WINDOWS)
            least, greatest = self._numbers(tower)
            found = self._free[tower] = tuple(
                self._spot(tower, cell, least, greatest, 0)
                for cell in (self._places(tower) if tower not in self.astray else ())
            )
        return found

    def replaceable(self, tower: bytes, moved: bool) -> tuple[Spot, ...]:
        """The laid cards that D may replace, and what may lie in their place (ACT07); `moved` tells whether the card
        of set-up was.
        """
        key = tower, moved
        found = self._replaceable.get(key)
        if found is None:
            if len(self._replaceable) >= _KEPT:
                self._replaceable.clear()
            self._frame.budget.spend(_WINDOWS)
            found = self._replaceable[key] = tuple(self._replacing(tower, moved))
        return found

    def openable(self, tower: bytes) -> tuple[Spot, ...]:
        """The down cards, with the cards that do not lose when they turn out to lie there (ACT04, END02)."""
        found = self._openable.get(tower)
        if found is None:
            if len(self._openable) >= _KEPT:
                self._openable.clear()
            self._frame.budget.spend(_WINDOWS)
            # Where it loses only against up cards, down cards set no bounds, and their orders need not hold.
            asked = bytes(code if code < DOWN else 0 for code in tower) if self._stands else tower
            least, greatest = self._numbers(asked)
            kept = tower not in self.astray or (self._stands and self.holds(asked))
            found = self._openable[tower] = tuple(
                self._spot(tower, cell, least, greatest, old) for cell, old in enumerate(tower) if old >= DOWN and kept
            )
        return found

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
        found = []
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
            found.append(cell)
        return found

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
