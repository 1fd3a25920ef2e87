"""The value of a formula under values of the variables: gate by gate, apart from any solver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from couperation_formal.formulas.circuit import Circuit, Formula


def value(circuit: Circuit, formula: Formula, values: Mapping[Formula, bool]) -> bool:
    """Whether the formula holds; variables left out are false."""
    return evaluated(circuit, [formula], values)[0]


def evaluated(circuit: Circuit, formulas: Iterable[Formula], values: Mapping[Formula, bool]) -> list[bool]:
    formulas = list(formulas)
    known: dict[int, bool] = {1: True}
    for gate in circuit.cone(formulas):
        inputs = circuit.inputs[gate]
        if inputs is None:
            known[gate] = values.get(Formula(gate), False)
        elif gate != 1:
            known[gate] = all(known[abs(part)] == (part > 0) for part in inputs)
    return [known[abs(formula)] == (formula > 0) for formula in formulas]
