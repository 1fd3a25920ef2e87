"""Is this table dead? Cheap tests first, then the search for a line and the exhaustive search, in fixed shares.

Three answers: a line that wins, a reason why none does, or the budget that ran out.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from couperation_formal.continuation.guess.beams import BEAMS, ENDS, Beam
from couperation_formal.continuation.guess.worlds import worlds
from couperation_formal.continuation.position.node import Node, Step
from couperation_formal.continuation.reasons.theorems import Reason, cards_left, reason
from couperation_formal.continuation.search.exhaust import Exhaustion
from couperation_formal.continuation.search.reductions import REDUCTIONS, Bounds
from couperation_formal.continuation.turns.line import line_of
from couperation_formal.continuation.turns.pack import Packed
from couperation_formal.model.budget import Spent, Steps, steps_of
from couperation_formal.model.cards import Mark, Value
from couperation_formal.model.fact import Unfit, fact
from couperation_formal.model.record import Position, Turn
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State

if TYPE_CHECKING:
    from couperation_formal.continuation.guess.hunt import Hunts

_STARTS: Final = 1_000
"""The most choices of numbers for unseen up cards that are searched."""
CHECKED: Final = 200_000
"""The greatest exhaustive search, in positions looked at, that the independent checker repeats."""
_EARLY: Final = 0.65, 0.8, 0.85
_LATE: Final = 0.57, 0.6, 0.6
"""How far the beams may spend the budget: at the place of the columns that looks best, at the next, at two more. Late
in a game the exhaustive search then has the rest.
"""
_WORLDS: Final = 0.3
_WORLD: Final = 0.5
"""How far beams may spend it in fully seen tables that a table may be: in all of them, in the likeliest one."""
_SMALL_SLACK: Final = 4
_FEW_EMPTY: Final = 3
"""With no more cards to spare, or no more empty cells, the table is near its end."""
_GUESSED: Final = 1_000
"""The steps that a guessed table takes before its beams begin."""


class Won(msgspec.Struct, frozen=True):
    """Some continuation wins: its turns, replayed by the plain rules.

    `assumed_marks` are the marks that are not given and that the line needs. `world` is the fully seen state that the
    line starts from: the given state with a card for each unseen place.
    """

    line: tuple[Turn, ...]
    assumed_marks: dict[Value, Mark]
    world: State
    each: Each = ()


class Exhausted(msgspec.Struct, frozen=True):
    """Every continuation was searched: the reductions used, by id, the number of positions expanded, their digest."""

    reductions: tuple[str, ...]
    positions: int
    digest: str


class Dead(msgspec.Struct, frozen=True):
    """No continuation wins. `checked` tells whether the independent checker can repeat the proof."""

    reason: Reason | Exhausted
    checked: bool
    each: Each = ()


class Unknown(msgspec.Struct, frozen=True):
    """The budget ran out: the steps taken, their limit, and the cards that may still be spent beyond one for each empty
    cell. Fewer steps than the limit where unseen up cards can have so many numbers that nothing is searched, and
    where unseen cards decide whether a player has an action (`no_action=skipped`).
    """

    spent: int
    limit: int
    bound: int
    each: Each = ()


Answer = Won | Dead | Unknown
Each = tuple[tuple[Position, Won | Dead | Unknown], ...]
"""The answers where draws were not noted: with each size of the hands or, of an unknown one, two that differ."""


def answer(
    state: State, rulings: Rulings, budget: Steps | int | None = None, progress: Callable[[int], None] | None = None
) -> Answer:
    """Whether any legal continuation of this table wins, what is not seen being chosen as favourably as can be.

    `state` stands before the draw of `to_move`; a state whose game is over is won or dead already: it is refused.
    `budget` are the steps that may be taken, or what is left of them; the answer is the same in every run. `progress`
    is told how many were. With too many numbers for unseen up cards nothing is searched. Raises `Unfit` for a game
    that is over and for cards that do not add up. Cost: some ten microseconds a step.
    """
    if state.result is not None:
        raise Unfit(fact("over"))
    steps = steps_of(budget)
    packed = Packed(state, rulings, steps)
    before = steps.spent
    with suppress(Spent):
        found = reason(state, rulings, steps)
        if found is not None:
            return Dead(found, True)
        roots = list(islice(packed.roots(), _STARTS + 1))
        if not roots:
            raise Unfit(fact("no_fit"))
        if len(roots) <= _STARTS:
            with _uncollected():
                won = _Portfolio(packed, roots, progress).run()
            if won is not None:
                return won
    spare = cards_left(state) - state.board.size + len(state.tower.cells)
    return Unknown(steps.spent - before, steps.limit - before, spare)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of reference cycles: a search makes none, and it would go through all positions again and
    again.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class _Portfolio:
    """The phases of one search; each may spend the budget up to some part of what there was in the beginning. Raises
    `Spent` where it does not suffice to begin with.
    """

    def __init__(self, packed: Packed, roots: list[Node], progress: Callable[[int], None] | None) -> None:
        self.packed, self.roots, self.budget = packed, roots, packed.frame.budget
        self._start, self._limit = self.budget.spent, self.budget.left
        self.bounds = Bounds(packed.frame)
        self._progress = progress
        self.exhaustion = Exhaustion(packed.turns, roots, self.bounds)
        tower = packed.state.tower
        slack = max(map(self.bounds.slack, self.roots))
        self._late = slack <= _SMALL_SLACK or packed.state.board.size - len(tower.cells) <= _FEW_EMPTY

    def run(self) -> Answer | None:
        """The answer of the first phase that has one."""
        found = self._exhaust(0.1 if self._late else 0.01)
        if found is not None:
            return found
        from couperation_formal.continuation.guess.hunt import (
            Hunts,  # numpy comes with it, so only where beams are needed
        )

        if self.roots[0].hidden is not None:
            world = self._worlds()
            if world is not None:
                return world
        hunts = Hunts(self.packed, self.roots, self.bounds)
        places = hunts.places()
        for share, some in zip(_LATE if self._late else _EARLY, (places[:1], places[1:2], places[2:4]), strict=True):
            won = self._hunt(hunts, some, share)
            if won is not None:
                return self._won(won)
        if not self._late:
            won = self._hunt(hunts, places[:1], 0.95)
            if won is not None:
                return self._won(won)
        return self._exhaust(1.0)

    def _left(self, share: float) -> int:
        """The steps that are left of this part of the budget."""
        return self._start + int(self._limit * share) - self.budget.spent

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self.budget.spent - self._start)

    def _won(self, step: Step, packed: Packed | None = None) -> Won:
        line = line_of(packed or self.packed, step, self.packed.state.marks)
        return Won(line.turns, line.assumed, line.world)

    def _exhaust(self, share: float) -> Answer | None:
        """Go on with the exhaustive search until this part of the budget is spent."""
        search = self.exhaustion.search(self._left(share), self._tell)
        if search.won is not None:
            return self._won(search.won)
        if not search.ended:
            return None
        checked = search.looked <= CHECKED and all(root.hidden is None for root in self.roots)
        return Dead(Exhausted(REDUCTIONS, search.positions, search.digest), checked)

    def _worlds(self) -> Won | None:
        """A line in a fully seen table that this one may be: first as planned, then freely."""
        from couperation_formal.continuation.guess.hunt import Hunts  # as in `run`

        rulings, first = self.packed.frame.rulings, None
        for world, plan in worlds(self.packed.state, rulings):
            self.budget.spend(_GUESSED)
            packed = Packed(world, rulings, self.budget)
            roots = list(packed.roots())
            bounds = Bounds(packed.frame)
            if bounds.hopeless(roots[0]):
                continue
            free = Hunts(packed, roots, bounds)
            first = first or (packed, free, plan.left)
            for hunts, beams in (Hunts(packed, roots, bounds, plan), BEAMS[:3]), (free, BEAMS[:2]):
                won = self._hunt(hunts, [plan.left], _WORLDS, beams)
                if won is not None:
                    return self._won(won, packed)
        if first is not None:
            packed, free, left = first
            won = self._hunt(free, [left], _WORLD, ENDS if self._late else BEAMS)
            if won is not None:
                return self._won(won, packed)
        return None

    def _hunt(
        self, hunts: Hunts, places: list[int], share: float, beams: tuple[Beam, ...] | None = None
    ) -> Step | None:
        """A line with the tower at one of these places; beams that were tried there are not tried again."""
        if beams is None:
            beams = ENDS if self._late else BEAMS
        for left in places:
            for beam in beams[hunts.tried.get(left, 0) :]:
                if self._left(share) <= 0:
                    break
                won = hunts.line(left, beam, self._left(share), self._tell)
                if won is not None:
                    return won
                if self._left(share) > 0:
                    hunts.tried[left] = hunts.tried.get(left, 0) + 1
        return None
