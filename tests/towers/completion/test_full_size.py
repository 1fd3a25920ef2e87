"""On the printed board: verdicts against Z3 and CP-SAT, cores, and repairs against dynamic programming over ideals."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from random import Random
from types import ModuleType

import pytest
import z3

from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.smt.tower import SolverUnknown, z3_fill
from couperation_formal.towers.completion.fill import Interval, Problem, fill, problems, reason_of, repair
from tests.conftest import LONG
from tests.formulas.judge.tower_core import z3_core
from tests.towers.completion.brute import holds, some_filling, world
from tests.towers.completion.encodings import ENCODINGS
from tests.towers.completion.ideals import ideal_repair, ideals
from tests.towers.completion.towers import SMALL, corners, random_position

pytestmark = pytest.mark.slow

PARTS = 5
SOLVED_PARTS = 5 if LONG else 1
SOLVED = 1000 if LONG else 30
"""Towers for the solvers, for each part."""
REPAIRED = 4000 if LONG else 150
"""Towers for dynamic programming, for each part."""


@pytest.fixture(scope="module")
def cpsat() -> ModuleType:
    """CP-SAT, loaded where it is asked: that takes a while, and every process that runs tests reads this module."""
    return import_module("tests.towers.completion.cpsat")


@pytest.mark.parametrize("part", range(SOLVED_PARTS))
def test_z3_and_cp_sat_agree(part: int, cpsat: ModuleType) -> None:
    rng = Random(f"solvers {part}")
    seen: Counter[str] = Counter()
    for _ in range(SOLVED):
        position, tight = random_position(rng)
        problem = rng.choice(problems(position))
        there = world(position, STANDARD, problem.left)
        ours, theirs, third = fill(problem), z3_fill(problem), cpsat.cpsat_filling(there)
        assert (theirs is None) == (third is None) == (ours is None)
        for filling in (ours, theirs):
            if filling is not None:
                assert there is not None
                assert holds(there, {problem.cell(i): value for i, value in filling.items()})
        if third is not None:
            assert there is not None
            assert holds(there, third)
        seen["tight"] += tight
        seen["completable" if ours is not None else "deadlocked"] += 1
        seen["unseen gone"] += problem.hidden > 0
    assert seen["tight"] > SOLVED // 3
    assert min(seen.values()) > SOLVED // 15


@pytest.mark.parametrize(("high", "verdict"), [(27, False), (28, True)])
def test_the_tight_corners(high: int, verdict: bool, cpsat: ModuleType) -> None:
    (problem,) = problems(corners(1, high))
    answers = (fill(problem), z3_fill(problem), cpsat.cpsat_filling(world(corners(1, high), STANDARD, problem.left)))
    assert [answer is not None for answer in answers] == [verdict] * 3
    if not verdict:
        reason = reason_of(problem)
        assert isinstance(reason, Interval)
        assert (reason.above, reason.below, len(reason.cells), len(reason.left)) == (1, 27, 26, 25)


def named(problem: Problem, names: tuple[str, ...], board: Board) -> bool:
    """Whether some numbers obey what is named, tried on integers cell by cell."""
    fixed = {str(problem.cell(i)): value for i, value in enumerate(problem.fixed) if value}
    free = [str(problem.cell(i)) for i in problem.free]
    words = [name.split() for name in names]
    if ["TOW08", "F"] in words:
        return False
    low, high = dict.fromkeys(free, 0), dict.fromkeys(free, board.cards + 1)
    apex = str(problem.cell(problem.shape.apex))
    orders = []
    for _, *cells in (word for word in words if word[0] != "SET06"):
        first, last = cells
        if first in free and last in free:
            orders.append((first, last))
            continue
        under = problem.ends[0] if last == apex and last not in fixed and problem.ends else fixed.get(last)
        over = problem.ends[1] if first == apex and first not in fixed and problem.ends else fixed.get(first)
        if last in free and over is not None:
            low[last] = max(low[last], over)
        elif first in free and under is not None:
            high[first] = min(high[first], under)
        elif under is not None and over is not None and over >= under:
            return False
    asked = {word[1] for word in words if word[0] == "SET06"}
    once = {int(word) for word in asked if word.isdigit()}
    spare = len(problem.values) - len(problem.located) - problem.hidden if "gone" in asked else board.cards
    numbers: dict[str, int] = {}

    def extend(at: int, spent: frozenset[int]) -> bool:
        if len(spent - problem.located) > spare:
            return False
        if at == len(free):
            return True
        cell = free[at]
        least = max([low[cell], *(numbers[first] for first, last in orders if last == cell)])
        for value in range(least + 1, high[cell]):
            if (cell in asked and value not in problem.values) or (value in once and value in numbers.values()):
                continue
            numbers[cell] = value
            if extend(at + 1, spent | ({value} & set(problem.values))):
                return True
            del numbers[cell]
        return False

    return extend(0, frozenset())


@pytest.mark.parametrize("board", SMALL[:3], ids=lambda board: f"{board.levels}-{board.cards}")
def test_a_core_is_a_reason_and_all_of_it_is_needed(board: Board) -> None:
    rng = Random(f"cores {board.cards}")
    kinds: Counter[str] = Counter()
    for _ in range(400 if LONG else 32):
        position, _ = random_position(rng, board)
        problem = rng.choice(problems(position, board))
        core = z3_core(problem)
        assert (core is None) == (some_filling(world(position, board, problem.left)) is not None)
        if core is not None:
            assert not named(problem, core, board)
            for name in core:
                assert named(problem, tuple(other for other in core if other != name), board), (core, name)
            kinds.update({name.split()[0] for name in core})
    assert min(kinds["TOW02"], kinds["SET06"]) > 5


@pytest.mark.parametrize(("board", "least"), [(SMALL[-1], 5), *([(STANDARD, 21)] if LONG else [])])
def test_a_core_of_the_tight_corners(board: Board, least: int) -> None:
    (problem,) = problems(corners(1, board.size - 1, board), board)
    core = z3_core(problem)
    assert core is not None
    once = [int(name.split()[1]) for name in core if name.split()[1].isdigit()]
    assert set(once) <= set(range(2, board.size - 1))
    assert len(once) >= least
    assert {name.split()[0] for name in core} == {"TOW02", "SET06"}
    assert z3_core(problems(corners(1, board.size, board), board)[0]) is None


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("board", SMALL, ids=lambda board: f"{board.levels}x{board.cards}")
def test_no_encoding_errs(name: str, board: Board) -> None:
    """What the specification tells was tried, on boards where each of them ends."""
    for high, verdict in ((board.size - 1, "unsat"), (board.size, "sat")):
        solver = z3.Solver()
        ENCODINGS[name](problems(corners(1, high, board), board)[0], solver)
        assert str(solver.check()) == verdict


def test_a_spent_budget_is_no_answer() -> None:
    (problem,) = problems(corners(1, 27))
    for ask in (z3_fill, z3_core):
        with pytest.raises(SolverUnknown, match="resource units"):
            ask(problem, budget=1000)


def test_the_number_of_ideals() -> None:
    """An ideal is a path down the side of the staircase: two ways at each step."""
    assert [len(ideals(levels)[1]) for levels in range(1, 8)] == [2, 4, 8, 16, 32, 64, 128]


@pytest.mark.parametrize("part", range(PARTS))
def test_repairs_agree_with_dynamic_programming(part: int) -> None:
    rng = Random(f"ideals {part}")
    sizes: Counter[int | None] = Counter()
    for _ in range(REPAIRED):
        position, _ = random_position(rng, hidden=False)
        problem = rng.choice(problems(position))
        found = repair(problem)
        given = None if found is None else tuple(problem.cell(i) for i in found.cells)
        assert given == ideal_repair(position, STANDARD, problem.left)
        sizes[None if given is None else len(given)] += 1
        if found is not None and given is not None:
            after = world(position, STANDARD, problem.left, given)
            assert after is not None
            assert holds(after, {problem.cell(i): value for i, value in found.filling.items()})
    assert set(sizes) >= {None, 0, 1, 2, 3}
