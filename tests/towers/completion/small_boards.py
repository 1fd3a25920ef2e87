"""What the tests of small boards share with others."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from couperation_formal.game.record import Position
from couperation_formal.game.tower import Board
from couperation_formal.towers.completion.answer import Completable, complete, mend
from couperation_formal.towers.completion.fill import FinishReason, Problem, Repair, fill, problems, reason_of, repair
from tests.towers.completion.brute import World, holds, least_repair, may_go, places, some_filling, up_cards, world
from tests.towers.completion.reasons import Reasons, check_finish


def compare(position: Position, board: Board, seen: Counter[str]) -> None:
    """All that is asked of one position."""
    asked = problems(position, board)
    assert [problem.left for problem in asked] == places(position, board)
    seen["several"] += len(asked) > 1
    best: tuple[int, int] | None = None
    saved = []
    for problem in asked:
        there = world(position, board, problem.left)
        if compare_place(position, board, problem, there, seen):
            saved.append(problem.left)
        found = repair(problem)
        least = least_repair(position, board, problem.left)
        assert (least is None) == (found is None)
        if found is not None and least is not None:
            assert tuple(problem.cell(i) for i in found.cells) == least
            check_repair(position, board, problem, found)
            seen["repaired"] += len(least) > 0
            best = min(best or (99, 0), (len(least), problem.left))
        seen["lost"] += least is None
    answer = complete(position, board)
    assert (answer.problem.left if isinstance(answer, Completable) else None) == (saved[0] if saved else None)
    mended = mend(position, board)
    assert (None if mended is None else (len(mended.repair.cells), mended.problem.left)) == best


def compare_place(position: Position, board: Board, problem: Problem, there: World | None, seen: Counter[str]) -> bool:
    """Verdict with filling or reason; whether there is a filling."""
    filling = fill(problem)
    expected = some_filling(there)
    assert (filling is None) == (expected is None)
    if filling is not None:
        assert there is not None
        assert holds(there, {problem.cell(i): value for i, value in filling.items()})
        seen["completable"] += 1
        return True
    reason = reason_of(problem)
    if isinstance(reason, FinishReason):
        check_finish(problem, reason, position)
        seen[reason.why] += 1
    else:
        assert there is not None
        Reasons(there, position, board, problem.left).check(problem, reason)
        seen[type(reason).__name__] += 1
    return False


def check_repair(position: Position, board: Board, problem: Problem, found: Repair) -> None:
    """The filling after it; that each conflict is one and minimal; that no smaller set meets all of them."""
    left = problem.left
    after = world(position, board, left, [problem.cell(i) for i in found.cells])
    assert after is not None
    assert holds(after, {problem.cell(i): value for i, value in found.filling.items()})
    able = may_go(position, board, left)
    stray = {cell for cell in able if not isinstance(up_cards(position)[cell], int)}
    for cells, reason in found.conflicts:
        if isinstance(reason, FinishReason):
            assert {problem.cell(i) for i in cells} == stray
            check_finish(problem, reason, position)
            continue
        kept = {problem.cell(i) for i in cells}
        there = world(position, board, left, set(able) - kept)
        assert there is not None
        Reasons(there, position, board, left).check(problem, reason)
        for spared in kept:
            assert some_filling(world(position, board, left, (set(able) - kept) | {spared})) is not None
    size = len(found.cells)
    elements = {i for conflict in found.conflicts for i in conflict.cells}
    for few in combinations(sorted(elements), size - 1) if size else ():
        assert any(set(few).isdisjoint(conflict.cells) for conflict in found.conflicts)
