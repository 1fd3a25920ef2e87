"""Certificates: answers at the tower level with their evidence, as plain data that any program can check.

The format is the specification's, `certificate.md`. Cells are written by column, then level.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from couperation_formal.completion.answer import Completable, Deadlocked, FinishReason, Mended
from couperation_formal.completion.problem import Problem, problems
from couperation_formal.completion.reason import Clash, Interval, Reason
from couperation_formal.completion.repair import Repair, conflict, disjoint, repair
from couperation_formal.model.board import column_name
from couperation_formal.model.record import Position
from couperation_formal.notation.write import position_text

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
    if isinstance(reason, Clash):
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
