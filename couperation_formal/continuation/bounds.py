"""What the exhaustive search leaves out: positions that counting proves lost, and differences that no longer matter.

Each rule is an id of the specification (`search.md`), with its proof there.
"""

from __future__ import annotations

from typing import Final

from couperation_formal.completion.shape import shape
from couperation_formal.continuation.frame import DOWN, Frame
from couperation_formal.continuation.node import Node

REDUCTIONS: Final = ("cards", "own_cards", "reserve")


class Bounds:
    """The reductions under one frame; `used` names those that are on."""

    def __init__(self, frame: Frame, used: tuple[str, ...] = REDUCTIONS) -> None:
        self.frame, self.used = frame, used
        self.grid = shape(frame.board.levels)
        value = frame.finish_value
        lax = frame.rulings.between == "inclusive"
        self._ends = (value + lax, value - lax) if value else (frame.board.cards + 1, 0)
        at = {(cell.column, cell.level): number for number, cell in enumerate(frame.cells)}
        self._cells = [
            [at[column + left, level] for column, level in self.grid.places] for left in range(frame.board.levels)
        ]
        self._windows: dict[tuple[bytes, int], list[tuple[int, int]] | None] = {}

    def slack(self, node: Node) -> int:
        """How many cards may still go otherwise than by filling one empty cell each: cards in hands, in front and in
        the deck, less the empty cells. No turn makes it greater.
        """
        frame = self.frame
        tower, hands, front, _, top, _, _, _, _, hidden = node
        cards = sum([hand.bit_count() for hand in hands]) + (front >= 0) + len(frame.deck) - top
        if hidden is not None:
            cards += sum(hidden.hands)
        return cards - frame.size + len(tower) - tower.count(0)

    def hopeless(self, node: Node) -> bool:
        """Whether counting proves that no continuation of this position wins."""
        slack = self.slack(node)
        if slack < 0:
            return "cards" in self.used
        return slack == 0 and "own_cards" in self.used and not self._own_cards_fill(node)

    def reduced(self, node: Node) -> Node:
        """The position that stands for this one in the search."""
        if "reserve" not in self.used or not node[3] or node[9] is not None or self.slack(node):
            return node
        return node if node[3].bit_count() > self.frame.reserve_size else (*node[:3], 0, *node[4:])

    def _own_cards_fill(self, node: Node) -> bool:
        """Whether the cards in hands and in the deck can fill the empty cells at some place of the columns, all up and
        down cards staying where they lie.
        """
        frame = self.frame
        tower, hands, _, _, top, _, _, _, _, hidden = node
        own = frame.deck_masks[top]
        for hand in hands:
            own |= hand
        unseen = hidden.values if hidden is not None else 0
        if self._finish_out(node):
            return False
        lefts = range(frame.board.levels) if frame.rulings.anchor != "middle" else (frame.board.middle,)
        return any(self._fills(tower, own | unseen, left) for left in lefts)

    def _finish_out(self, node: Node) -> bool:
        """Whether the Finish card is wanted, but neither in front, nor in the deck, nor on the apex."""
        frame, front, top, hidden = self.frame, node[2], node[4], node[9]
        if frame.variant == "first" or front >= 0 or frame.deck_masks[top] & frame.finish_bit:
            return False
        return frame.finish not in node[0] and not (hidden is not None and hidden.finish)

    def _fills(self, tower: bytes, cards: int, left: int) -> bool:
        key = tower, left
        if key not in self._windows:
            if len(self._windows) > 1 << 16:
                self._windows.clear()
            self._windows[key] = self._window(tower, left)
        jobs = self._windows[key]
        return jobs is not None and _placed(jobs, cards)

    def _window(self, tower: bytes, left: int) -> list[tuple[int, int]] | None:
        """The windows (low, high) of the empty cells, down cards taken as their numbers; None where the laid cards
        clash or do not lie within this place.
        """
        frame, grid = self.frame, self.grid
        cells = self._cells[left]
        codes = [tower[cell] for cell in cells]
        if sum(map(bool, codes)) != len(tower) - tower.count(0):
            return None
        finish = frame.variant == "finish"
        low = [0] * (grid.size + 1)
        high = [frame.board.cards + 1] * (grid.size + 1)
        fixed = [code & (DOWN - 1) for code in codes]
        for i, (first, second) in enumerate(grid.below):
            most = max(low[first], low[second])
            value = fixed[i]
            if finish and i == grid.apex:
                if most >= self._ends[0]:
                    return None
                most = max(most, self._ends[1])
            elif value == frame.finish:
                return None
            elif value:
                if value <= most:
                    return None
                most = value
            low[i] = most
        for i in range(grid.size - 1, -1, -1):
            first, second = grid.above[i]
            least = min(high[first], high[second])
            value = fixed[i]
            if finish and i == grid.apex:
                if least <= self._ends[1]:
                    return None
                least = min(least, self._ends[0])
            elif value:
                if value >= least:
                    return None
                least = value
            high[i] = least
        apex = grid.apex if finish else -1
        return sorted((low[i], high[i]) for i in range(grid.size) if not fixed[i] and i != apex)


def _placed(jobs: list[tuple[int, int]], cards: int) -> bool:
    """Whether distinct cards of the mask fit all the windows: earliest deadline first."""
    count, released = len(jobs), 0
    waiting: list[int] = []
    placed = 0
    while cards:
        low = cards & -cards
        value = low.bit_length() - 1
        cards ^= low
        while released < count and jobs[released][0] < value:
            waiting.append(jobs[released][1])
            released += 1
        if waiting:
            deadline = min(waiting)
            if deadline <= value:
                return False
            waiting.remove(deadline)
            placed += 1
        elif released == count:
            break
    return placed == count
