"""Is this table dead? Cheap tests first, then the search for a line and the exhaustive search, in fixed shares.

Three answers: a line that wins, a reason why none does, or the budget that ran out.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from couperation_formal.continuation.bounds import REDUCTIONS, Bounds
from couperation_formal.continuation.exhaust import exhaust
from couperation_formal.continuation.guide import Guide, Weights
from couperation_formal.continuation.hunt import EveryTurn, HuntTurns, hunt
from couperation_formal.continuation.line import line_of
from couperation_formal.continuation.node import Node
from couperation_formal.continuation.pack import Packed
from couperation_formal.continuation.reasons import Reason, reason
from couperation_formal.continuation.trail import Step
from couperation_formal.model.cards import Mark, Value
from couperation_formal.model.record import Turn
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State

DEFAULT_BUDGET: Final = 200_000
"""Positions looked at, all phases together."""
_HAND: Final = 8
"""The largest hand of which the checker tries every turn."""
_STARTS: Final = 1_000
"""So many choices of numbers for unseen up cards are searched; with more the question is left open."""
CHECKED: Final = 50_000
"""The greatest exhaustive search, in positions looked at, that the independent checker repeats."""


class Beam(NamedTuple):
    """A beam that is tried: how wide, with which measures, and whether it looks at every legal turn."""

    width: int
    weights: Weights
    every: bool = False


_USUAL, _HOARD = Weights(), Weights(slack=0.7)
_BLIND = Weights(crowd=0.0, hand=0.0, draw=0.0)
_MIXED: Final = tuple(
    Weights(*numbers)
    for numbers in (
        #    slack scarce missing exchange waiting reserve deep crowd near hand draw idle finish short deficit margin
        (0.49, 0.19, 1.13, 2.11, 0.58, 0.39, 0.8, 0.5, 3, 0.15, 0.57, 4.23, 3.0, 1.34, 1.0, 6),
        (1.06, 1.15, 1.69, 1.83, -0.11, 0.12, 1.0, 0.5, 6, 0.24, 0.28, 2.01, 3.0, 2.48, 1.9, 10),
        (0.54, 1.11, 2.28, 3.28, 0.52, 0.09, 0.8, 0.0, 6, 0.20, 0.80, 4.80, 3.0, 1.27, 2.6, 7),
        (0.43, 1.29, 1.89, 4.12, 0.51, 0.08, 0.5, 3.0, 3, 0.51, 0.11, 0.91, 3.0, 0.97, 0.0, 10),
        (0.66, 1.63, 5.82, 1.38, -0.14, 0.1, 1.0, 1.0, 3, 0.39, 0.24, 0.63, 3.0, 0.31, 0.0, 6),
        (0.52, 2.45, 4.96, 1.07, -0.06, 0.34, 1.0, 0.0, 6, 0.33, 0.36, 5.83, 3.0, 2.34, 1.0, 10),
    )
)
"""Other measures, found by trial, for towers with many cards to be replaced."""
_BEAMS: Final = (
    Beam(3, _USUAL), Beam(12, _USUAL), Beam(12, _HOARD), Beam(12, _BLIND),
    *(Beam(20, weights) for weights in _MIXED),
    Beam(40, _USUAL), Beam(40, _HOARD), Beam(120, _USUAL), Beam(400, _USUAL), Beam(1200, _USUAL),
)  # fmt: skip
"""The beams that are tried, narrow to wide, with different measures: what one misses another often finds."""
_ENDS: Final = (*_BEAMS[:4], Beam(20, _USUAL, True), Beam(100, _USUAL, True), Beam(300, _USUAL, True), *_BEAMS[4:])
"""The beams near the end, where one exact payment can matter."""

_SMALL_SLACK: Final = 4
_FEW_EMPTY: Final = 3
"""With no more cards to spare, or no more empty cells, the table is near its end."""


class Won(msgspec.Struct, frozen=True):
    """Some continuation wins: its turns, replayed by the plain rules.

    `assumed_marks` are the marks that are not given and that the line needs. `world` is the fully seen state that the
    line starts from: the given state with a card for each unseen place.
    """

    line: tuple[Turn, ...]
    assumed_marks: dict[Value, Mark]
    world: State


class Exhausted(msgspec.Struct, frozen=True):
    """Every continuation was searched: the reductions used, by id, the number of positions expanded, their digest."""

    reductions: tuple[str, ...]
    positions: int
    digest: str


class Dead(msgspec.Struct, frozen=True):
    """No continuation wins. `checked` tells whether the independent checker can repeat the proof."""

    reason: Reason | Exhausted
    checked: bool


class Unknown(msgspec.Struct, frozen=True):
    """The budget ran out: positions looked at, the budget, and the cards that may still be spent beyond one for each
    empty cell.
    """

    spent: int
    limit: int
    bound: int


Answer = Won | Dead | Unknown


def answer(
    state: State, rulings: Rulings, budget: int | None = None, progress: Callable[[int], None] | None = None
) -> Answer:
    """Whether any legal continuation of this table wins, what is not seen being chosen as favourably as can be.

    `state` stands before the draw of `to_move`; a state whose game is over is won or dead already: it is refused.
    `budget` counts positions looked at; the answer is the same in every run. `progress` is told how many were.
    Raises `ValueError` for a game that is over and for cards that do not add up. Cost: at most some tens of
    microseconds a position looked at.
    """
    if state.result is not None:
        raise ValueError("the game is over")
    limit = DEFAULT_BUDGET if budget is None else budget
    packed = Packed(state, rulings)
    found = reason(state, rulings)
    if found is not None:
        return Dead(found, True)
    roots = list(islice(packed.roots(), min(limit, _STARTS) + 1))
    if not roots:
        raise ValueError("no cards fit the up cards that are not seen")
    if len(roots) > min(limit, _STARTS):
        bounds = Bounds(packed.frame)
        return Unknown(0, limit, max(map(bounds.slack, roots)))
    return _Portfolio(packed, roots, limit, progress).run()


class _Portfolio:
    """The phases of one search and what they have spent."""

    def __init__(self, packed: Packed, roots: list[Node], limit: int, progress: Callable[[int], None] | None) -> None:
        self.packed, self.roots, self.limit, self.spent = packed, roots, limit, 0
        self.bounds = Bounds(packed.frame)
        self._progress = progress
        self._turns = HuntTurns(packed.frame, packed.towers), EveryTurn(packed.frame, packed.towers)
        self._guides: dict[tuple[int, Weights], Guide] = {}
        self._tried: dict[int, int] = {}
        self._places = self._sorted_places()
        self.slack = max(map(self.bounds.slack, self.roots))
        tower = packed.state.tower
        self._late = self.slack <= _SMALL_SLACK or packed.state.board.size - len(tower.cells) <= _FEW_EMPTY

    def _sorted_places(self) -> list[int]:
        """The places of the columns that the tower allows, the one that looks best first."""
        frame, tower = self.packed.frame, self.packed.state.tower
        lefts = range(tower.first, tower.last + 1)
        if frame.rulings.anchor == "middle":
            lefts = range(frame.board.middle, frame.board.middle + 1)

        def order(left: int) -> tuple[float, int]:
            guide = self._guide(left, _USUAL)
            return min(guide.cost(root) for root in self.roots), abs(left - frame.board.middle)

        return sorted(lefts, key=order)

    def _guide(self, left: int, weights: Weights) -> Guide:
        key = left, weights
        if key not in self._guides:
            self._guides[key] = Guide(self.packed.frame, left, weights)
        return self._guides[key]

    def run(self) -> Answer:
        """The answer of the first phase that has one."""
        found = self._exhaust(self.limit // (20 if self._late else 100))
        if found is not None:
            return found
        shares = (0.5, 0.6, 0.65, 0.75) if self._late else (0.65, 0.8, 0.85, 0.95)
        first, second, others = self._places[:1], self._places[1:2], self._places[2:4]
        for share, places in zip(shares, (first, second, others, first), strict=True):
            until = int(self.limit * share)
            for left in places:
                won = self._hunt(left, until)
                if won is not None:
                    return self._won(won)
        return self._exhaust(self.limit - self.spent) or Unknown(min(self.spent, self.limit), self.limit, self.slack)

    def _tell(self, looked: int) -> None:
        if self._progress is not None:
            self._progress(self.spent + looked)

    def _won(self, step: Step) -> Won:
        line = line_of(self.packed, step)
        return Won(line.turns, line.assumed, line.world)

    def _exhaust(self, budget: int) -> Answer | None:
        search = exhaust(self.packed.turns, self.roots, self.bounds, budget, self._tell)
        self.spent += search.looked
        if search.won is not None:
            return self._won(search.won)
        if not search.ended:
            return None
        checked = search.looked <= CHECKED and all(_repeatable(root) for root in self.roots)
        return Dead(Exhausted(REDUCTIONS, search.positions, search.digest), checked)

    def _hunt(self, left: int, until: int) -> Step | None:
        """A line with the tower at this place; beams that were tried there are not tried again."""
        beams = _ENDS if self._late else _BEAMS
        for beam in beams[self._tried.get(left, 0) :]:
            if self.spent >= until:
                return None
            guide = self._guide(left, beam.weights)
            won, looked = hunt(
                self._turns[beam.every], self.roots, guide, beam.width, until - self.spent, self._tell
            )  # fmt: skip
            self.spent += looked
            if won is not None:
                return won
            if self.spent < until:
                self._tried[left] = self._tried.get(left, 0) + 1
        return None


def _repeatable(root: Node) -> bool:
    """Whether the checker repeats a search from here: nothing is unseen, and no hand is larger than it tries."""
    return root[9] is None and max(hand.bit_count() for hand in root[1]) <= _HAND
