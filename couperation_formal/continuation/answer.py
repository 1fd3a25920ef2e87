"""Is this table dead? Cheap tests first, then the search for a line and the exhaustive search, in fixed shares.

Three answers: a line that wins, a reason why none does, or the budget that ran out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from couperation_formal.continuation.bounds import REDUCTIONS, Bounds
from couperation_formal.continuation.exhaust import exhaust
from couperation_formal.continuation.guide import Guide, Weights
from couperation_formal.continuation.hunt import HuntTurns, hunt
from couperation_formal.continuation.line import line_of
from couperation_formal.continuation.pack import Packed
from couperation_formal.continuation.reasons import Reason, reason
from couperation_formal.continuation.trail import Step
from couperation_formal.model.cards import Mark, Value
from couperation_formal.model.record import Turn
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State

DEFAULT_BUDGET: Final = 200_000
"""Positions looked at, all phases together."""
CHECKED: Final = 50_000
"""The greatest exhaustive search, in positions looked at, that the independent checker repeats."""
_USUAL, _HOARD, _CROWD = Weights(), Weights(slack=0.7), Weights(crowd=4.0)
_BLIND = Weights(crowd=0.0, hand=0.0, draw=0.0)
_BEAMS: Final = (
    (3, _USUAL), (12, _USUAL), (12, _HOARD), (12, _BLIND), (40, _USUAL), (40, _HOARD), (40, _CROWD), (120, _USUAL),
    (120, _BLIND), (120, _HOARD), (400, _USUAL), (1200, _USUAL),
)  # fmt: skip
"""The beams that are tried, narrow to wide, with different measures: what one misses another often finds."""


_SMALL_SLACK: Final = 4
_FEW_EMPTY: Final = 3
"""With no more cards to spare, or no more empty cells, the exhaustive search gets half of the budget, else a tenth."""


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
    return _Portfolio(packed, limit, progress).run()


class _Portfolio:
    """The phases of one search and what they have spent."""

    def __init__(self, packed: Packed, limit: int, progress: Callable[[int], None] | None) -> None:
        self.packed, self.limit, self.spent = packed, limit, 0
        self.roots = list(packed.roots())
        self.bounds = Bounds(packed.frame)
        self._progress = progress
        self._turns = HuntTurns(packed.frame, packed.towers)
        self._guides: dict[tuple[int, Weights], Guide] = {}
        self._tried: dict[int, list[tuple[int, Weights]]] = {}
        self._places = self._sorted_places()

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
        slack = max(map(self.bounds.slack, self.roots))
        state = self.packed.state
        late = slack <= _SMALL_SLACK or state.board.size - len(state.tower.cells) <= _FEW_EMPTY
        found = self._exhaust(self.limit // (20 if late else 100))
        if found is not None:
            return found
        shares = (0.25, 0.5) if late else (0.5, 0.9)
        for share, places in zip(shares, (self._places[:1], self._places[1:4] + self._places[:1]), strict=True):
            until = int(self.limit * share)
            for left in places:
                won = self._hunt(left, until)
                if won is not None:
                    return self._won(won)
        return self._exhaust(self.limit - self.spent) or Unknown(self.spent, self.limit, slack)

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
        return Dead(Exhausted(REDUCTIONS, search.positions, search.digest), search.looked <= CHECKED)

    def _hunt(self, left: int, until: int) -> Step | None:
        """A line with the tower at this place; beams that were tried there are not tried again."""
        tried = self._tried.setdefault(left, [])
        for beam in _BEAMS[len(tried) :]:
            if self.spent >= until:
                return None
            width, weights = beam
            budget = until - self.spent
            won, looked = hunt(self._turns, self.roots, self._guide(left, weights), width, budget, self._tell)
            self.spent += looked
            if won is not None:
                return won
            if self.spent < until:
                tried.append(beam)
        return None
