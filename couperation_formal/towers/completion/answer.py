"""The tower question answered for a whole position, certified: a filling, or a reason for each place of the columns."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from couperation_formal.game.record import Position
from couperation_formal.game.tower import STANDARD, Board, column_name
from couperation_formal.notation.write import position_text
from couperation_formal.towers.completion.fill import Problem, bounds, fill, problems
from couperation_formal.towers.completion.reason import (
    Interval,
    OrderClash,
    Reason,
    first_clash,
    smallest_interval,
    starved,
)
from couperation_formal.towers.completion.repair import Repair, conflict, disjoint, repair

# The tower question answered for a whole position: a filling, or one reason for each place of the columns.


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


# Certificates: answers at the tower level with their evidence, as plain data that any program can check.
#
# The format is the specification's, `certificate.md`. Cells are written by column, then level.

Json = dict[str, Any]
"""A JSON object."""


class _Conflict(NamedTuple):
    """A conflict with its cells by column, then level, and its reason; the Finish card off the apex makes one too."""

    cells: tuple[int, ...]
    reason: Reason | FinishReason


def completable_certificate(position: Position, answer: Completable) -> Json:
    """The certificate that the filling of `answer` completes the tower."""
    problem = answer.problem
    filling = filling_data(position, problem, answer.filling)
    return certificate_of("tower-completable", position, {"column": column_of(problem), "filling": filling})


def deadlocked_certificate(position: Position, answer: Deadlocked) -> Json:
    """The certificate that no filling completes the tower, a reason for each place of the columns."""
    return certificate_of("tower-deadlocked", position, {"places": places_data(answer)})


def repair_certificate(position: Position, mended: Mended | None) -> Json:
    """The certificate of the least set of up cards to give up, or (None) that no set helps.

    `mended` is what `mend` found. Cost: the repair of each place anew; its search tree where disjoint conflicts do not
    suffice, exponential in the distance at worst.
    """
    evidence: Json = {"distance": None, "column": None, "give_up": [], "filling": None}
    if mended is not None:
        problem, found = mended
        evidence = {
            "distance": len(found.cells),
            "column": column_of(problem),
            "give_up": cells_data(problem, found.cells),
            "filling": filling_data(position, problem, found.filling),
        }
    lower = [
        {"column": column_of(problem), "proof": _proof(problem, evidence["distance"])} for problem in problems(position)
    ]
    return certificate_of("tower-repair", position, {**evidence, "lower": lower})


def certificate_of(claim: str, position: Position, evidence: Json) -> Json:
    """A claim about a position, with what shows it."""
    return {
        "format": 1,
        "claim": claim,
        "position": position_text(position),
        "rulings": msgspec.structs.asdict(position.rules.rulings),
        "evidence": evidence,
    }


def column_of(problem: Problem) -> str:
    """The letter of the leftmost column of a place."""
    return column_name(problem.left)


def cells_data(problem: Problem, cells: Iterable[int]) -> list[str]:
    """The names of cells, by column, then level."""
    return [str(problem.cell(i)) for i in _in_order(problem, cells)]


def _in_order(problem: Problem, cells: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(cells, key=lambda i: problem.shape.places[i]))


def filling_data(position: Position, problem: Problem, filling: Mapping[int, int]) -> dict[str, int | Literal["F"]]:
    """A filling by the names of the cells, in their order. The apex of the `finish` variant is ``F`` unless it lies
    there.
    """
    shown: dict[int, int | Literal["F"]] = dict(filling)
    apex = problem.shape.apex
    if problem.finish and problem.cell(apex) not in dict(position.tower):
        shown[apex] = "F"
    return {str(problem.cell(i)): shown[i] for i in _in_order(problem, shown)}


def places_data(answer: Deadlocked) -> list[Json]:
    """The place and the reason of each refusal."""
    return [{"column": column_of(problem), "reason": reason_data(problem, why)} for problem, why in answer.refusals]


def reason_data(problem: Problem, reason: Reason | FinishReason) -> Json:
    """A reason as an object with its `kind`."""
    if isinstance(reason, FinishReason):
        cell = None if reason.cell is None else str(problem.cell(reason.cell))
        return {"kind": "finish", "why": reason.why, "cell": cell}
    if isinstance(reason, OrderClash):
        return {"kind": "order", "cells": [str(problem.cell(i)) for i in reason]}
    if isinstance(reason, Interval):
        return {
            "kind": "interval",
            "above": reason.above,
            "below": reason.below,
            "cells": cells_data(problem, reason.cells),
            "left": list(reason.left),
        }
    intervals = [reason_data(problem, interval) for interval in reason.intervals]
    return {"kind": "gone", "intervals": intervals, "missing": reason.missing}


def _proof(problem: Problem, distance: int | None) -> Json:
    """That no fewer than `distance` cards will do at this place; None: no number of cards."""
    if distance == 0:
        return {"kind": "disjoint", "conflicts": []}
    found = repair(problem)
    if found is None:
        return {"kind": "disjoint", "conflicts": [_conflict_data(problem, _hopeless(problem))]}
    if distance is None:
        raise AssertionError("a place that can be repaired bounds the distance")
    conflicts = _conflicts(problem, found)
    chosen = disjoint([each.cells for each in conflicts])[:distance]
    if len(chosen) == distance:
        return {"kind": "disjoint", "conflicts": [_conflict_data(problem, conflicts[i]) for i in chosen]}
    return _tree(problem, conflicts, distance)


def _hopeless(problem: Problem) -> _Conflict:
    """The conflict without cells of a place that nothing repairs."""
    if problem.finish_gone:
        return _Conflict((), FinishReason("gone", None))
    if problem.stray is not None and problem.stray in problem.kept:
        return _Conflict((), FinishReason("below_apex", problem.stray))
    found = conflict(problem, ())
    if found is None:
        raise AssertionError("what nothing repairs has a conflict without cells")
    return _Conflict(found.cells, found.reason)


def _conflicts(problem: Problem, found: Repair) -> list[_Conflict]:
    """Conflicts that no set smaller than that of the repair meets."""
    own = [] if problem.stray is None else [_Conflict((problem.stray,), FinishReason("below_apex", problem.stray))]
    return own + [_Conflict(_in_order(problem, cells), reason) for cells, reason in found.conflicts]


def _conflict_data(problem: Problem, found: _Conflict) -> Json:
    return {"cells": cells_data(problem, found.cells), "reason": reason_data(problem, found.reason)}


def _tree(problem: Problem, conflicts: Sequence[_Conflict], distance: int) -> Json:
    """The search tree: at each node the smallest conflict that the cards given up on the way leave alone.

    As no set of fewer than `distance` cards meets every conflict, there always is one. Nodes are listed level by level.
    """
    waiting: deque[tuple[int, ...]] = deque([()])
    listed = 1
    used: dict[int, int] = {}
    nodes = []
    while waiting:
        given = waiting.popleft()
        apart = [i for i, each in enumerate(conflicts) if set(given).isdisjoint(each.cells)]
        chosen = min(apart, key=lambda i: (len(conflicts[i].cells), i))
        branches: list[int] = []
        if len(given) < distance - 1:
            waiting.extend((*given, cell) for cell in conflicts[chosen].cells)
            branches = list(range(listed, listed + len(conflicts[chosen].cells)))
            listed += len(branches)
        nodes.append({"conflict": used.setdefault(chosen, len(used)), "branches": branches})
    return {"kind": "tree", "conflicts": [_conflict_data(problem, conflicts[i]) for i in used], "nodes": nodes}
