"""Budgets, memory, and the same answer every time."""

from __future__ import annotations

import resource
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.formulas.circuit import Circuit, no
from couperation_formal.game.fact import Steps
from couperation_formal.game.seen import seen_record as hide
from couperation_formal.hidden.smt.exact import Impossible, Possible, Solver, minimal
from couperation_formal.notation.write import record_text
from tests.cli.run import couperation
from tests.conftest import LONG, some
from tests.hidden.readings.records import SMALL, spoiled as spoils
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.records import TINY, hidden, sampled, without_marks

pytestmark = pytest.mark.slow


def test_a_budget_too_small_is_neither_yes_nor_no() -> None:
    record = without_marks(hide(sampled(3)))
    for limit in (0, 1, 100, 10_000):
        steps = Steps(limit)
        assert decide(record, record.rules.rulings, budget=steps) is None
        assert steps.spent == steps.limit == limit


@pytest.mark.parametrize("kind", [0, 5, 9, 14] if LONG else [9])
def test_any_budget_gives_the_right_answer_or_none(kind: int) -> None:
    spoiled = [each for _, each in spoils(sampled(1), 1)]
    record = hide(spoiled[kind])
    full = decide(record, record.rules.rulings)
    for limit in (2, 20_000, 60_000, 120_000):
        outcome = decide(record, record.rules.rulings, budget=Steps(limit))
        if outcome is not None:
            assert type(outcome) is type(full)
            if isinstance(outcome, Impossible) and isinstance(full, Impossible):
                assert outcome.turn == full.turn


def test_the_command_says_so(tmp_path: Path) -> None:
    file = tmp_path / "public.cgn"
    record = without_marks(hide(sampled(3)))
    file.write_text(record_text(replace(record, turns=record.turns[:8], result=None)), encoding="utf-8")
    assert couperation("check", file, "--budget", "1").exit_code == 3
    assert couperation("check", file).exit_code == 0
    assert couperation("check", file, "--engine", "plain").exit_code == 3


def test_the_same_answer_whatever_was_solved_before() -> None:
    record, other = without_marks(hide(sampled(8, SMALL[1]))), hide(sampled(0))
    first = decide(record, record.rules.rulings, SMALL[1])
    decide(other, other.rules.rulings)
    again = decide(record, record.rules.rulings, SMALL[1])
    assert isinstance(first, Possible)
    assert first == again


def test_a_least_core_of_a_small_circuit() -> None:
    circuit = Circuit()
    first, second, third = (circuit.variable(name) for name in "abc")
    solver = Solver(circuit, Steps(10**6))
    parts = {"a": first, "not b": circuit.all_of([third]), "if a then b": circuit.implies(first, second)}
    less = circuit.implies(third, circuit.both(third, -second))  # type: ignore[arg-type]
    for name, formula in {**parts, "no b": less}.items():
        solver.name(name, formula)
    assert solver.can_hold(["a", "not b", "if a then b"])
    assert not solver.can_hold(["a", "not b", "if a then b", "no b"])
    assert minimal(solver, ["a", "not b", "if a then b", "no b"]) == ["a", "not b", "if a then b", "no b"]
    assert solver.can_hold(["a", "if a then b"])
    with pytest.raises(ValueError, match="no model"):
        Solver(circuit, Steps(10)).values([first])


def test_a_part_of_a_solver_keeps_all_that_hangs_together() -> None:
    """What refutes a name by way of other formulas refutes it in the part too, whatever else hangs with the name."""
    circuit = Circuit()
    a, b, c, d, other, away = (circuit.variable(name) for name in ("a", "b", "c", "d", "other", "away"))
    near = [circuit.implies(a, other), circuit.implies(a, b), circuit.implies(circuit.both(a, b), d)]
    far = [circuit.implies(b, c), circuit.implies(b, no(c))]
    for held in some(permutations([*near, *far]), 5):
        solver = Solver(circuit, Steps(10**7))
        for formula in held:
            solver.add(formula)
        solver.name("a", a)
        solver.name("away", away)
        assert not solver.can_hold(["a"])
        assert not solver.around(["a"]).can_hold(["a"])
        assert solver.around(["away"]).can_hold(["away"])


def test_memory_stays_bounded() -> None:
    """A thousand records in one process (long run; twenty else), the first fifth to warm up."""
    count = 1000 if LONG else 20
    peaks = []
    for seed in range(count):
        board = TINY[seed % len(TINY)] if seed % 4 or not LONG else None
        record = sampled(seed) if board is None else sampled(seed, board)
        record = without_marks(hide(record)) if board is None else hidden(record, Random(seed))
        if board is None:
            decide(record, record.rules.rulings)
        else:
            decide(record, record.rules.rulings, board)
        if seed % (count // 10) == count // 10 - 1:
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert peaks[-1] - peaks[1] < 60_000, peaks
