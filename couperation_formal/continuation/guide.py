"""What guides the search for a winning line: how hard the rest of a tower looks at one place of its columns.

The measures are guesses and prove nothing; only their order matters.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from couperation_formal.completion.shape import before, shape
from couperation_formal.continuation.frame import DOWN, Frame
from couperation_formal.continuation.node import Node

_KEPT: Final = 1 << 16
LOST: Final = 1e8
"""The cost of a position that is surely lost, or more."""


class Weights(NamedTuple):
    """What the measures count, found by trial; only their proportions matter."""

    slack: float = 0.4
    """A card that need not fill a cell."""
    scarce: float = 0.7
    """Each such card, beyond what action D asks for, short of `margin`."""
    missing: float = 4.0
    """A cell for which no card is left."""
    exchange: float = 1.2
    """A cell that only action D can mend."""
    waiting: float = 0.25
    """A down card that can be opened where it lies."""
    reserve: float = 0.4
    """A card of the Reserve, as a part of one in a hand or near in the deck."""
    deep: float = 0.5
    """The same of a card deep in the deck."""
    crowd: float = 2.0
    """A cell among those that must share its cards, as a part of these cards."""
    near: int = 6
    """Deep is what lies so many cards below the number of the empty cells."""
    hand: float = 0.15
    """A card in a hand."""
    draw: float = 0.15
    """A card that the next player can draw."""
    idle: float = 2.0
    """A next player without any card."""
    finish: float = 3.0
    """The Finish card in the Reserve."""
    short: float = 1.2
    """A cell that any action could fill, but for which only the Reserve has a card."""
    deficit: float = 1.0
    """Each card short of what these cells and those that only D can mend ask for."""
    margin: int = 6
    """With so many cards beyond that, no card is scarce."""


class View(NamedTuple):
    """A tower as the guide sees it.

    `windows` are the cells to fill, each with its bounds (low, high), the mask of the cards between, and how many such
    windows lie within it. Those come first that any action can fill: `exchanges` counts the others, which only D can.
    `opens` counts the down cards that fit where they lie, `worth` tells how much each card is wanted, `misfits` are the
    cells whose card has to go.
    """

    windows: tuple[tuple[int, int, int, int], ...]
    exchanges: int
    opens: int
    worth: tuple[float, ...]
    misfits: frozenset[int]


class Guide:
    """The measures of positions whose tower is meant to stand at column `left`."""

    def __init__(self, frame: Frame, left: int, weights: Weights) -> None:
        self.frame, self.left, self.weights = frame, left, weights
        self.grid = shape(frame.board.levels)
        places = {(cell.column, cell.level): at for at, cell in enumerate(frame.cells)}
        self.cells = [places[column + left, level] for column, level in self.grid.places]
        self.inside = frozenset(self.cells)
        value, lax = frame.finish_value, frame.rulings.between == "inclusive"
        self._ends = (value + lax, value - lax) if value else (frame.board.cards + 1, 0)
        self._again = frame.rulings.early_apex != "win_on_completion"
        self._views: dict[bytes, View] = {}

    def view(self, tower: bytes) -> View:
        """The view of a tower, kept for the next time."""
        found = self._views.get(tower)
        if found is None:
            if len(self._views) >= _KEPT:
                self._views.clear()
            found = self._views[tower] = self._look(tower)
        return found

    def _bounds(self, fixed: list[int]) -> tuple[list[int], list[int]]:
        """For each cell the largest fixed number forced below it and the smallest one forced above it, its own left
        out.
        """
        grid, top = self.grid, self.frame.board.cards + 1
        size = grid.size
        apex = grid.apex if self.frame.variant == "finish" else -1
        low, high = [0] * (size + 1), [top] * (size + 1)
        under, over = [0] * (size + 1), [top] * (size + 1)
        for i, (first, second) in enumerate(grid.below):
            most = low[i] = max(under[first], under[second])
            if i == apex and most < self._ends[1]:
                most = self._ends[1]
            under[i] = max(most, fixed[i])
        for i in range(size - 1, -1, -1):
            first, second = grid.above[i]
            least = high[i] = min(over[first], over[second])
            if i == apex and least > self._ends[0]:
                least = self._ends[0]
            over[i] = min(least, fixed[i]) if fixed[i] else least
        return low, high

    def _misfits(self, codes: list[int], fixed: list[int]) -> set[int]:
        """The cells whose up card cannot stay: out of order, the Finish card below the apex, an apex to be laid
        again.
        """
        apex = self.grid.apex
        found = {i for i, code in enumerate(codes) if code == self.frame.finish and i != apex}
        if self._again and codes[apex]:
            found.add(apex)
        low, high = self._bounds(fixed)
        if all(low[i] < value < high[i] for i, value in enumerate(fixed) if value and i not in found):
            return found
        return found | self._cover([value if i not in found else 0 for i, value in enumerate(fixed)])

    def _cover(self, fixed: list[int]) -> set[int]:
        """Cells without which the others agree: again and again the one that disagrees with most others."""
        clashes: dict[int, set[int]] = {i: set() for i, value in enumerate(fixed) if value}
        for i in clashes:
            for j in clashes:
                if fixed[i] >= fixed[j] and before(self.grid, i, j):
                    clashes[i].add(j)
                    clashes[j].add(i)
        found = set()
        while True:
            most = max(clashes, key=lambda i: (len(clashes[i]), i), default=-1)
            if most < 0 or not clashes[most]:
                break
            found.add(most)
            for other in clashes.pop(most):
                clashes[other].discard(most)
        left = [value if i not in found else 0 for i, value in enumerate(fixed)]
        low, high = self._bounds(left)
        return found | {i for i, value in enumerate(left) if value and not low[i] < value < high[i]}

    def _look(self, tower: bytes) -> View:
        frame, grid = self.frame, self.grid
        codes = [tower[cell] for cell in self.cells]
        fixed = [code if code < DOWN and code != frame.finish else 0 for code in codes]
        misfits = self._misfits(codes, fixed)
        for i in misfits:
            fixed[i] = 0
        opens = 0
        low, high = self._bounds(fixed)
        for i, code in enumerate(codes):
            value = code - DOWN
            if value == 0:
                opens += 1
            elif value > 0 and low[i] < value < high[i]:
                fixed[i] = value
                opens += 1
                low, high = self._bounds(fixed)
            elif value > 0:
                misfits.add(i)
        apex = grid.apex if frame.variant == "finish" else -1
        free = sorted(
            (i in misfits, high[i], low[i]) for i, value in enumerate(fixed) if not value and i != apex
        )  # fmt: skip
        worth = [0.0] * (frame.board.cards + 2)
        worth[-1] = 100.0
        for _, last, first in free:
            share = 1 / (max(0, last - first - 1) + 0.3)
            for card in range(first + 1, last):
                worth[card] += share
        windows = tuple(
            (
                first, last, (1 << last) - (2 << first) if first < last else 0,
                sum(first <= other_first and other_last <= last for _, other_last, other_first in free),
            )
            for _, last, first in free
        )  # fmt: skip
        exchanges = sum(misfit for misfit, _, _ in free)
        return View(windows, exchanges, opens, tuple(worth), frozenset(self.cells[i] for i in misfits))

    def cards(self, node: Node) -> tuple[int, int, int]:
        """The cards that may fill cells, as masks: those in hands and near in the deck, deep in the deck, in the
        Reserve.
        """
        frame = self.frame
        tower, hands, _, reserve, top, _, _, _, _, hidden = node
        own = 0
        for hand in hands:
            own |= hand
        masks = frame.deck_masks
        empty = frame.size - len(tower) + tower.count(0)
        deep = masks[min(len(masks) - 1, top + empty + self.weights.near)]
        own |= masks[top] & ~deep
        if hidden is not None:
            if frame.unseen_below[top] or any(hidden.hands):
                own |= hidden.values
            if hidden.reserve:
                reserve |= hidden.values
        return own, deep, reserve

    def cost(self, node: Node) -> float:
        """How hard the rest of the game looks: less is better; `LOST` where it is surely lost."""
        frame, weights = self.frame, self.weights
        tower, hands, front, _, top, seat, limit, _, _, hidden = node
        view = self.view(tower)
        in_hands = sum([hand.bit_count() for hand in hands]) + (front >= 0)
        if hidden is not None:
            in_hands += sum(hidden.hands)
        slack = in_hands + len(frame.deck) - top - frame.size + len(tower) - tower.count(0)
        if slack < view.exchanges:
            return LOST
        own, deep, reserve = self.cards(node)
        total = weights.exchange * view.exchanges + weights.waiting * view.opens - weights.slack * slack
        plain = len(view.windows) - view.exchanges
        left, rest, short = own | deep, reserve, 0
        for place, (_, _, mask, crowd) in enumerate(view.windows):
            mine = (mask & own).bit_count() + weights.deep * (mask & deep).bit_count()
            others = (mask & reserve).bit_count()
            total += weights.crowd * crowd / (mine + weights.reserve * others + 0.5)
            if place < plain:
                total += 1 / (mine + weights.reserve * others + 0.3)
                usable = left & mask
                if usable:
                    left ^= usable & -usable
                    continue
                short += 1
                usable = rest & mask
                rest ^= usable & -usable
            else:
                total += 1 / (others + weights.reserve * mine + 0.3)
                usable = rest & mask
                if usable:
                    rest ^= usable & -usable
                    continue
                usable = left & mask
                left ^= usable & -usable
            if not usable:
                total += weights.missing
        margin = slack - view.exchanges - short
        total += weights.short * short + weights.deficit * max(0, -margin)
        total += weights.scarce * max(0, weights.margin - margin)
        total -= weights.hand * min(in_hands, 2 * frame.players) + weights.draw * limit
        if not hands[seat] and limit <= 0 and front != seat and not (hidden and hidden.hands[seat]):
            total += weights.idle
        return total + self._finish_cost(node) if frame.variant == "finish" else total

    def _finish_cost(self, node: Node) -> float:
        frame = self.frame
        if node[2] >= 0 or frame.deck_masks[node[4]] & frame.finish_bit or (node[9] and node[9].finish):
            return 0.0
        if node[3] & frame.finish_bit:
            return self.weights.finish if frame.finish_value else LOST
        return 0.0 if frame.finish in node[0] else LOST

    def blamed(self, node: Node) -> frozenset[int]:
        """The laid cells that had better get another card: the misfits, and those that bound a window with no card
        left.
        """
        tower = node[0]
        view = self.view(tower)
        own, deep, reserve = self.cards(node)
        left = own | deep | reserve
        numbers: set[int] = set()
        for first, last, mask, _ in view.windows:
            usable = left & mask
            left ^= usable & -usable
            if not usable:
                numbers |= {first, last}
        return view.misfits | {cell for cell in self.inside if tower[cell] and tower[cell] & (DOWN - 1) in numbers}
