"""Rules that cannot all hold as an SMT-LIB 2 script (Barrett, Fontaine, Tinelli: The SMT-LIB Standard, version 2.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from couperation_formal.formula.circuit import Circuit, Formula
from couperation_formal.model.fact import fact
from couperation_formal.symbolic.record import Symbolic
from couperation_formal.symbolic.unseen import Rule
from couperation_formal.words.say import say


def core_script(
    run: Symbolic, core: Sequence[Rule], facts: Sequence[str], line_of: Callable[[Rule], int | None]
) -> str:
    """A script that is unsatisfiable exactly when these rules and facts cannot all hold; Booleans only, so that any
    solver runs it.

    Each assertion of a rule is named by its turn and clause. A comment tells a fact by its name, a rule by its formula
    and by the record's line that `line_of` gives. Cost: linear in the gates that the rules are made of.
    """
    return "\n".join(_lines(run, core, facts, line_of)) + "\n"


def _lines(
    run: Symbolic, core: Sequence[Rule], facts: Sequence[str], line_of: Callable[[Rule], int | None]
) -> Iterator[str]:
    circuit = run.table.circuit
    held = [(name, formula) for name, formula in run.table.facts if name in set(facts)]
    yield f"; {say(fact('script'))}"
    yield "(set-option :produce-unsat-cores true)"
    yield "(set-logic QF_UF)"
    yield from _definitions(circuit, [*(formula for _, formula in held), *(rule.formula for rule in core)])
    for number, (name, formula) in enumerate(held, start=1):
        yield f"; fact: {name}"
        yield f"(assert (! {_term(formula)} :named fact.{number}))"
    names = Counter[str]()
    for rule in core:
        line = line_of(rule)
        where = "" if line is None else f"line {line}, "
        name = f"turn{rule.turn}.{rule.clause}"
        names[name] += 1
        yield f"; {where}turn {rule.turn}, {rule.clause}: {rule.asks}"
        yield f"(assert (! {_term(rule.formula)} :named {name}.{names[name]}))"
    yield "(check-sat)"


def _definitions(circuit: Circuit, roots: Sequence[Formula]) -> Iterator[str]:
    """The variables and gates that the roots are made of, each before what it feeds."""
    for gate in circuit.cone(roots):
        inputs = circuit.inputs[gate]
        if inputs is None:
            yield f"(declare-const g{gate} Bool) ; {circuit.names[gate]}"
        elif inputs:
            yield f"(define-fun g{gate} () Bool (and {' '.join(map(_term, inputs))}))"


def _term(formula: Formula) -> str:
    if abs(formula) == 1:
        return "true" if formula > 0 else "false"
    return f"g{formula}" if formula > 0 else f"(not g{-formula})"
