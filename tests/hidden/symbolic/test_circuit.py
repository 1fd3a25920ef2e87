"""Circuits against truth tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from hypothesis import given, strategies as st

from couperation_formal.formulas.circuit import FALSE, TRUE, Circuit, Formula, no
from tests.hidden.symbolic.evaluate import value

Literals = list[int]
"""Numbers of variables from 1, negative for the negation; 0 is the constant true, 9 the constant false."""

VARIABLES = 4
LITERALS = st.lists(st.sampled_from([0, 9, *range(1, VARIABLES + 1), *range(-VARIABLES, 0)]), max_size=6)


def assignments() -> Iterator[tuple[bool, ...]]:
    yield from product((False, True), repeat=VARIABLES)


def same(
    literals: Literals, make: Callable[[Circuit, list[Formula]], Formula], want: Callable[[Sequence[bool]], bool]
) -> None:
    """The formula made of these literals has the truth table that `want` computes from their values."""
    circuit = Circuit()
    variables = [circuit.variable(f"v{i}") for i in range(VARIABLES)]
    constants = {0: TRUE, 9: FALSE}
    inputs = [
        constants[i] if i in constants else variables[i - 1] if i > 0 else no(variables[-i - 1]) for i in literals
    ]
    formula = make(circuit, inputs)
    for values in assignments():
        told = [i == 0 if i in constants else values[abs(i) - 1] == (i > 0) for i in literals]
        assert value(circuit, formula, dict(zip(variables, values, strict=True))) == want(told)


@given(LITERALS)
def test_conjunction(literals: Literals) -> None:
    same(literals, lambda circuit, inputs: circuit.all_of(inputs), all)


@given(LITERALS)
def test_disjunction(literals: Literals) -> None:
    same(literals, lambda circuit, inputs: circuit.any_of(inputs), any)


@given(LITERALS, st.integers(-1, 6))
def test_exactly(literals: Literals, count: int) -> None:
    same(literals, lambda circuit, inputs: circuit.exactly(count, inputs), lambda values: sum(values) == count)


@given(LITERALS, st.integers(-1, 6))
def test_at_most(literals: Literals, count: int) -> None:
    same(literals, lambda circuit, inputs: circuit.at_most(count, inputs), lambda values: sum(values) <= count)


@given(LITERALS, st.integers(0, 5), st.integers(0, 6))
def test_counts(literals: Literals, most: int, at: int) -> None:
    at = min(at, most + 1)
    same(literals, lambda circuit, inputs: circuit.counts(inputs, most)[at], lambda values: sum(values) >= at)


@given(st.lists(LITERALS.filter(bool), min_size=2, max_size=2))
def test_two_at_a_time(pair: list[Literals]) -> None:
    first, second = (literals[0] for literals in pair)
    both = [first, second]
    same(both, lambda circuit, inputs: circuit.both(*inputs), all)
    same(both, lambda circuit, inputs: circuit.either(*inputs), any)
    same(both, lambda circuit, inputs: circuit.implies(*inputs), lambda values: not values[0] or values[1])


def test_what_is_equal_is_made_once() -> None:
    circuit = Circuit()
    first, second, third = (circuit.variable(name) for name in "abc")
    made = len(circuit.inputs)
    joined = circuit.all_of([first, second, third])
    assert circuit.all_of([third, TRUE, first, second, first]) == joined
    assert circuit.both(second, first) == circuit.all_of([first, second])
    assert len(circuit.inputs) == made + 2
    assert circuit.all_of([first, no(second), second]) == FALSE
    assert circuit.all_of([]) == TRUE
    assert circuit.any_of([]) == FALSE
    assert circuit.all_of([first]) == first


@given(st.lists(LITERALS, min_size=1, max_size=5))
def test_a_cone_holds_what_its_roots_are_made_of_inputs_first(groups: list[Literals]) -> None:
    circuit = Circuit()
    variables = [TRUE, *(circuit.variable(f"v{i}") for i in range(VARIABLES))]
    roots = [
        circuit.all_of(FALSE if i == 9 else variables[i] if i >= 0 else no(variables[-i]) for i in group)
        for group in groups
    ]
    cone = circuit.cone([*roots, circuit.any_of(roots)])
    assert list(cone) == sorted(set(cone))
    for gate in cone:
        assert all(abs(part) in cone and abs(part) < gate for part in circuit.inputs[gate] or ())
