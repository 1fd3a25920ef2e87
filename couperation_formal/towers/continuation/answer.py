"""Is this table dead? Cheap tests first, then the search for a line and the exhaustive search, in fixed shares.

Three answers: a line that wins, a reason why none does, or the budget that ran out.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice, product
from typing import TYPE_CHECKING

import msgspec

from couperation_formal.game.fact import Spent, Steps, Unfit, fact, steps_of
from couperation_formal.game.record import Position, Turn
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import Mark, Value
from couperation_formal.towers.continuation.exhaust import REDUCTIONS, Exhaustion, Reductions
from couperation_formal.towers.continuation.guesses import BEAMS, ENDS, TOGETHER, Beam, Plan, planned, worlds
from couperation_formal.towers.continuation.line import Packed, line_of
from couperation_formal.towers.continuation.position import Node
from couperation_formal.towers.continuation.theorems import Reason, cards_left, reason

if TYPE_CHECKING:
    from couperation_formal.towers.continuation.hunt import Hunts

_STARTS = 1_000
"""The most choices of numbers for unseen up cards that are searched."""
CHECKED = 200_000
"""The greatest exhaustive search, in positions looked at, that the independent checker repeats."""
_EARLY = 0.65, 0.8, 0.85, 0.95
_LATE = 0.57, 0.6, 0.6
"""How far the beams may spend the budget: at the place of the columns that looks best, at the next, at two more. Late
in a game the exhaustive search then has the rest.
"""
_WORLDS = 0.3
_WORLD = 0.5
"""How far beams may spend it in fully seen tables that a table may be: in all of them, in the likeliest one."""
_SMALL_SLACK = 4
_FEW_EMPTY = 3
"""With no more cards to spare, or no more empty cells, the table is near its end."""
_GLANCE = 300
"""The steps of a search that is only a glance."""
_PLACES = 3
"""Beams go from several tables at once at so many places of the columns."""
_GUESSES = 2
"""So many guesses of what is not seen serve several tables, for each that leads them."""
_GUESSED = 1_000
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


def answer(state: State, rulings: Rulings, budget: Steps | int | None = None, glance: bool = False) -> Answer:
    """Whether any legal continuation of this table wins, what is not seen being chosen as favourably as can be.

    `state` stands before the draw of `to_move`; a state whose game is over is won or dead already: it is refused.
    `budget` are the steps that may be taken, or what is left of them; the answer is the same in every run.
    With `glance` there is no more than counting and a search of some positions. With too many numbers for unseen up
    cards nothing is searched. Raises `Unfit` for a game that is over and for cards that do not add up. Cost: some ten
    microseconds a step.
    """
    if state.result is not None:
        raise Unfit(fact("over"))
    steps = steps_of(budget)
    packed = Packed(state, rulings, steps)
    before = steps.spent
    with suppress(Spent):
        why = reason(state, rulings, steps)
        if why is not None:
            return Dead(why, True)
        roots = list(islice(packed.roots(), _STARTS + 1))
        if not roots:
            raise Unfit(fact("no_fit"))
        if len(roots) <= _STARTS:
            with _uncollected():
                portfolio = _Portfolio(packed, roots)
                phases = [portfolio.exhaust(_GLANCE)] if glance else portfolio.phases()
                for reached in phases:
                    if reached:
                        return reached
    spare = cards_left(state) - state.board.size + len(state.tower.cells)
    return Unknown(steps.spent - before, steps.limit - before, spare)


def lines(tables: Sequence[State], rulings: Rulings, budget: Steps) -> Iterator[tuple[int, Won]]:
    """Lines that win from these tables, each with the place of its table, as they are found.

    Beams go from all open tables at once: what several come to is looked at once, and a line serves all that come to
    its positions. Of what is not seen the same is guessed for all, as the first open one wants it, until such a guess
    finds nothing. Spends seven eighths of the budget at most.
    """
    from couperation_formal.towers.continuation.hunt import Hunts  # as in `_Portfolio.phases`

    stop, done = budget.spent + budget.left * 7 // 8, set[int]()
    with suppress(Spent, Unfit):  # what is unfit is refused when it is asked by itself
        for lead, guessed, plan in _guesses(tables, rulings, budget, done):
            packs = {at: Packed(table, rulings, budget) for at, table in guessed.items()}
            first = packs[lead]
            roots = {
                at: root
                for at, packed in packs.items()
                if packed.frame.deck == first.frame.deck
                for root in islice(packed.roots(), 1)
            }
            first.towers.astray.update(*(packs[at].towers.astray for at in roots))
            hunts = Hunts(first, list(roots.values()), Reductions(first.frame), tables=list(roots))
            for beam, left in product(TOGETHER, [plan.left] if plan else hunts.places()[:_PLACES]):
                with _uncollected():
                    won = {} if done.issuperset(roots) else hunts.lines(left, beam, stop - budget.spent, done)
                done.update(won)
                yield from ((at, Won(*line_of(packs[at], step, tables[at].marks))) for at, step in won.items())


def _guesses(
    tables: Sequence[State], rulings: Rulings, budget: Steps, done: set[int]
) -> Iterator[tuple[int, dict[int, State], Plan | None]]:
    """The place of a table that is not `done`, and all such tables, fully seen by a plan where there is one."""
    for lead, table in enumerate(tables):
        if lead in done:
            continue
        before, seen = len(done), all(root.hidden is None for root in islice(Packed(table, rulings).roots(), 1))
        plans = [] if seen else [plan for _, plan in islice(worlds(table, rulings), _GUESSES)]
        for plan in plans or (None,):
            budget.spend(_GUESSED)
            left = {at: other for at, other in enumerate(tables) if at not in done}
            if lead in left:
                yield lead, {at: planned(other, rulings, plan) if plan else other for at, other in left.items()}, plan
        if not plans or len(done) == before:
            return


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

    def __init__(self, packed: Packed, roots: list[Node]) -> None:
        self.packed, self.roots, self.budget = packed, roots, packed.frame.budget
        self._start, self._limit = self.budget.spent, self.budget.left
        self.bounds = Reductions(packed.frame)
        self.exhaustion = Exhaustion(packed.turns, roots, self.bounds)
        tower = packed.state.tower
        slack = max(map(packed.frame.slack, roots))
        self._late = slack <= _SMALL_SLACK or packed.state.board.size - len(tower.cells) <= _FEW_EMPTY

    def phases(self) -> Iterator[Answer | None]:
        """The answers of the phases that have one."""
        yield self.exhaust(self._left(0.1 if self._late else 0.01))
        from couperation_formal.towers.continuation.hunt import Hunts  # with numpy, so only where beams are needed

        if self.roots[0].hidden is not None:
            yield from self._worlds()
        hunts = Hunts(self.packed, self.roots, self.bounds)
        places, shares = hunts.places(), _LATE if self._late else _EARLY
        for some, share in zip((places[:1], places[1:2], places[2:4], places[:1]), shares, strict=False):
            yield self._hunt(hunts, some, share)
        yield self.exhaust(self._left(1.0))

    def _left(self, share: float) -> int:
        """The steps that are left of this part of the budget."""
        return self._start + int(self._limit * share) - self.budget.spent

    def exhaust(self, most: int) -> Answer | None:
        """Go on with the exhaustive search for so many steps."""
        search = self.exhaustion.search(most)
        if search.won is not None:
            return Won(*line_of(self.packed, search.won, self.packed.state.marks))
        if not search.ended:
            return None
        checked = self.exhaustion.looked <= CHECKED and all(root.hidden is None for root in self.roots)
        return Dead(Exhausted(REDUCTIONS, search.positions, search.digest), checked)

    def _worlds(self) -> Iterator[Won | None]:
        """Lines in fully seen tables that this one may be: first as planned, then freely."""
        from couperation_formal.towers.continuation.hunt import Hunts  # as in `phases`

        first: list[tuple[Hunts, int]] = []
        for world, plan in worlds(self.packed.state, self.packed.frame.rulings):
            self.budget.spend(_GUESSED)
            packed = Packed(world, self.packed.frame.rulings, self.budget)
            roots, bounds = list(packed.roots()), Reductions(packed.frame)
            if bounds.hopeless(roots[0]):
                continue
            free = Hunts(packed, roots, bounds)
            first = first or [(free, plan.left)]
            yield self._hunt(Hunts(packed, roots, bounds, plan), [plan.left], _WORLDS, BEAMS[:3])
            yield self._hunt(free, [plan.left], _WORLDS, BEAMS[:2])
        for free, left in first[:1]:
            yield self._hunt(free, [left], _WORLD)

    def _hunt(self, hunts: Hunts, places: list[int], share: float, beams: tuple[Beam, ...] | None = None) -> Won | None:
        """A line with the tower at one of these places; beams that were tried there are not tried again."""
        beams = beams or (ENDS if self._late else BEAMS)
        for left in places:
            for beam in beams[hunts.tried[left] :]:
                if self._left(share) <= 0:
                    break
                if won := hunts.lines(left, beam, self._left(share)).get(0):
                    return Won(*line_of(hunts.packed, won, self.packed.state.marks))
                if self._left(share) > 0:
                    hunts.tried[left] += 1
        return None
