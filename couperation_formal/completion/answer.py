"""The tower question answered for a whole position: a filling, or one reason for each place of the columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from couperation_formal.completion.fill import bounds, fill
from couperation_formal.completion.problem import Problem, problems
from couperation_formal.completion.reason import Reason, first_clash, smallest_interval, starved
from couperation_formal.completion.repair import Repair, repair
from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.record import Position


class FinishReason(NamedTuple):
    """The Finish card is gone, or lies on the cell `cell` (its number) below the apex."""

    why: Literal["gone", "below_apex"]
    cell: int | None


class Refusal(NamedTuple):
    """Why one place of the columns is out of the question."""

    problem: Problem
    reason: Reason | FinishReason


class Completable(msgspec.Struct, frozen=True):
    """The tower can be completed: a filling of the free cells, by cell number of `problem`, the first place that has
    one.
    """

    problem: Problem
    filling: dict[int, int]


class Mended(NamedTuple):
    """The least set of up cards to give up, at the first place where it is least."""

    problem: Problem
    repair: Repair


class Deadlocked(msgspec.Struct, frozen=True):
    """The tower cannot be completed as it stands: a reason for each place that it still allows, from left to right."""

    refusals: tuple[Refusal, ...]


TowerAnswer = Completable | Deadlocked
Filler = Callable[[Problem], dict[int, int] | None]
"""A filling of the free cells of a problem, by cell number, or None where there is none."""


def complete(position: Position, board: Board = STANDARD, by: Filler = fill) -> TowerAnswer:
    """Whether the tower of a position can be completed with the cards that are left, its up cards staying where they
    are. `by` fills it; `fill` is exact, and the reason of a refusal is always the exact one.

    Cost: n log n in the cells for each place of the columns; tens of microseconds on the printed board.
    """
    refusals = []
    for problem in problems(position, board):
        filling = by(problem)
        if filling is not None:
            return Completable(problem, filling)
        refusals.append(Refusal(problem, reason_of(problem)))
    return Deadlocked(tuple(refusals))


def reason_of(problem: Problem) -> Reason | FinishReason:
    """Why a problem has no filling. Called on problems that have none."""
    if problem.finish_gone:
        return FinishReason("gone", None)
    if problem.stray is not None:
        return FinishReason("below_apex", problem.stray)
    found = bounds(problem, problem.fixed)
    reason: Reason | None = first_clash(problem, problem.fixed) if found.clash else None
    reason = reason or smallest_interval(found, problem.free, problem.values)
    reason = reason or starved(problem, found, problem.free, problem.values, problem.located)
    if reason is None:
        raise AssertionError("a tower without a filling has a reason")
    return reason


def mend(position: Position, board: Board = STANDARD) -> Mended | None:
    """The least set of up cards whose giving up saves the tower, empty where it needs none; None when no set does.

    Of several places with the least number the leftmost is taken. Cost: see `repair.repair`.
    """
    best: Mended | None = None
    for problem in problems(position, board):
        found = repair(problem)
        if found is not None and (best is None or len(found.cells) < len(best.repair.cells)):
            best = Mended(problem, found)
    return best
