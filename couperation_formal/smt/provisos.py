"""On what a legal verdict hangs: which marks, cards and places have to be as nobody noted that they were.

The legal worlds are described within those in which every card lay where the record takes it from: that is what was
played. A world is found, all that it says of the unknowns is one term, and the term is made smaller for as long as it
suffices: an unknown is left out, a further value is allowed. The next world is one of no term so far; where there is
none, the terms are all of it, which a fresh solver proves once more (spec/dispute.md, *Provisos*).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from couperation_formal.formula.circuit import no
from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.budget import Spent, Steps, steps_of
from couperation_formal.model.record import Record
from couperation_formal.model.rulings import Rulings
from couperation_formal.smt.solver import Solver
from couperation_formal.symbolic.record import Symbolic, symbolic
from couperation_formal.symbolic.unknowns import Answer, Kind, unknowns

MOST: Final = 16
"""So many terms a proviso has; where it takes more, one of them is told as an example."""

_TRIED: Final = 2 * MOST
"""So many terms are looked at: some may turn out not to be needed."""

Exclusion = tuple[int, Answer]
"""An unknown, by its place in the list of all, and a value that it does not have."""


class Literal(msgspec.Struct, frozen=True):
    """An unknown (`symbolic.unknowns.Unknown`) and the values of which it has one."""

    kind: Kind
    of: Answer
    values: tuple[Answer, ...]


Term = tuple[Literal, ...]
"""Literals that hold together; without any it always holds."""


class Proviso(msgspec.Struct, frozen=True):
    """Terms joined by *or*. Where `exact`, what was judged is legal just where they hold, among the worlds in which
    each card lay where it was taken from; else each of them suffices. Without terms, and not `exact`, none was found.
    """

    exact: bool
    terms: tuple[Term, ...] = ()

    @property
    def always(self) -> bool:
        """Whether nothing is taken for granted."""
        return () in self.terms


class _Stopped(Exception):
    """The budget ended while a term was made smaller; `kept` suffices."""

    def __init__(self, kept: list[Exclusion]) -> None:
        self.kept = kept


def proviso(
    record: Record,
    rulings: Rulings,
    board: Board = STANDARD,
    budget: Steps | int | None = None,
    since: int = 0,
    like: Proviso | None = None,
) -> Proviso | None:
    """On what it hangs that `record` is legal; None where it is not. Turns before turn `since` stand as they were
    played, and are not judged.

    `like` is taken over where it proves right. Where the budget ends the answer is not exact; without terms where it
    ended before a legal world was found. Cost: a circuit, and a check for each value that the terms speak of.
    """
    steps = steps_of(budget)
    try:
        return _Search(symbolic(record, rulings, board, budget=steps, since=since, places=True), since, steps).found(
            like
        )
    except Spent:
        return Proviso(False)


class _Search:
    """One run (with `places`), and its terms as they are found."""

    def __init__(self, run: Symbolic, since: int, budget: Steps) -> None:
        self._run, self._budget, circuit = run, budget, run.table.circuit
        stood = [rule.formula for rule in run.table.rules if rule.turn < max(since, 1)]
        self._held = [*(formula for _, formula in run.table.facts), *stood, *(run.table.places or ())]
        held = set(self._held)
        self._legal = circuit.all_of(rule.formula for rule in run.table.rules if rule.formula not in held)
        reached = circuit.variables([self._legal])
        self._unknowns = [each for each in unknowns(run) if reached & circuit.variables(each.ways.values())]
        self._named: dict[Term, str] = {}
        self._solver = self._new()

    def found(self, like: Proviso | None) -> Proviso | None:
        """The answer. Raises `Spent` only before there is anything to tell."""
        if self._solver.check(["legal"]) == "unsat":
            return None
        kept, terms = self._world(), list[Term]()
        try:
            if like is not None and like.exact and self._proved(like.terms):
                return like
            terms.append(self._term(kept))
            while self._solver.check(["legal", *self._beyond(terms)]) == "sat":
                if len(terms) == _TRIED:
                    return _example(terms)
                terms.append(self._term(self._world()))
            return self._all(terms)
        except Spent:
            return _example(terms or [self._written(kept)])

    def _all(self, terms: list[Term]) -> Proviso:
        """The terms that are needed; one of them where they are too many."""
        for term in sorted(terms, key=_size, reverse=True):
            others = [other for other in terms if other != term]
            if others and self._solver.check(["legal", *self._beyond(others)]) == "unsat":
                terms = others
        terms.sort(key=lambda term: (len(term), [str(literal.of).zfill(9) for literal in term]))
        if len(terms) > MOST:
            return _example(terms)
        if not self._proved(terms):
            raise RuntimeError("a fresh solver does not find the terms of a proviso to be the legal worlds")
        return Proviso(True, tuple(terms))

    def _world(self) -> list[Exclusion]:
        """All that the world just found excludes."""
        values = self._solver.values(way for each in self._unknowns for way in each.ways.values())
        return [
            (at, value) for at, each in enumerate(self._unknowns) for value, way in each.ways.items() if not values[way]
        ]

    def _term(self, kept: list[Exclusion]) -> Term:
        """A prime term that some of these exclusions make; where the budget ends, as small as it is then."""
        try:
            return self._literals(self._smaller(kept))
        except _Stopped as stopped:
            return self._written(stopped.kept)

    def _smaller(self, kept: list[Exclusion]) -> list[Exclusion]:
        """As few of these exclusions as suffice: none can be left out. Unknowns are left out before values."""
        try:
            if self._solver.check(["illegal", *map(self._name, kept)]) != "unsat":
                raise RuntimeError("a legal world that is illegal")
            kept = self._cored(kept)
            for at in sorted({at for at, _ in kept}, reverse=True):
                kept = self._without(kept, {each for each in kept if each[0] == at})
            for each in reversed(kept):
                kept = self._without(kept, {each})
        except Spent:
            raise _Stopped(kept) from None
        return kept

    def _without(self, kept: list[Exclusion], left_out: set[Exclusion]) -> list[Exclusion]:
        fewer = [each for each in kept if each not in left_out]
        if len(fewer) == len(kept):
            return kept
        if self._solver.check(["illegal", *map(self._name, fewer)]) == "unsat":
            return self._cored(fewer)
        return kept

    def _cored(self, kept: list[Exclusion]) -> list[Exclusion]:
        core = set(self._solver.core())
        return [each for each in kept if self._name(each) in core]

    def _literals(self, kept: list[Exclusion]) -> Term:
        """The term that excludes these: of each unknown the values that it can have beside the other literals."""
        term = []
        for at in sorted({at for at, _ in kept}):
            unknown, others = self._unknowns[at], [each for each in kept if each[0] != at]
            excluded = {value for place, value in kept if place == at}
            possible = []
            for value in sorted(unknown.ways, key=_order):
                if value in excluded:
                    continue
                asked = [(at, other) for other in unknown.ways if other != value]
                try:
                    if self._solver.check(map(self._name, (*others, *asked))) == "sat":
                        possible.append(value)
                except Spent:
                    raise _Stopped(kept) from None
            term.append(Literal(unknown.kind, unknown.of, tuple(possible)))
        return tuple(term)

    def _written(self, kept: Sequence[Exclusion]) -> Term:
        """The term that excludes these, as it stands."""
        term = []
        for at in sorted({at for at, _ in kept}):
            unknown, excluded = self._unknowns[at], {value for place, value in kept if place == at}
            left = tuple(value for value in sorted(unknown.ways, key=_order) if value not in excluded)
            term.append(Literal(unknown.kind, unknown.of, left))
        return tuple(term)

    def _exclusions(self, term: Term) -> list[Exclusion]:
        at = {(each.kind, each.of): place for place, each in enumerate(self._unknowns)}
        found: list[Exclusion] = []
        for literal in term:
            place = at[literal.kind, literal.of]
            found += [(place, value) for value in self._unknowns[place].ways if value not in literal.values]
        return found

    def _beyond(self, terms: Iterable[Term]) -> list[str]:
        """Names that say: none of these terms holds."""
        for term in terms:
            if term not in self._named:
                outside = (self._unknowns[at].ways[value] for at, value in self._exclusions(term))
                self._named[term] = f"beyond {len(self._named)}"
                self._solver.name(self._named[term], self._run.table.circuit.any_of(outside))
        return [self._named[term] for term in terms]

    def _proved(self, terms: Sequence[Term]) -> bool:
        """Whether what is legal is just what these terms say, by a fresh solver."""
        circuit, solver = self._run.table.circuit, self._new()
        try:
            told = [self._exclusions(term) for term in terms]
        except KeyError:  # an unknown that plays no part here
            return False
        for each in told:
            if solver.check(["illegal", *map(self._name, each)]) != "unsat":
                return False
        for each in told:
            solver.add(circuit.any_of(self._unknowns[at].ways[value] for at, value in each))
        return solver.check(["legal"]) == "unsat"

    def _new(self) -> Solver:
        solver = Solver(self._run.table.circuit, self._budget)
        for formula in self._held:
            solver.add(formula)
        solver.name("legal", self._legal)
        solver.name("illegal", no(self._legal))
        for at, unknown in enumerate(self._unknowns):
            for value, way in unknown.ways.items():
                solver.name(self._name((at, value)), no(way))
        return solver

    def _name(self, each: Exclusion) -> str:
        at, value = each
        return f"{at} {value}"


def _example(terms: Sequence[Term]) -> Proviso:
    """One of the terms, the simplest."""
    return Proviso(False, (min(terms, key=_size),))


def _order(value: Answer) -> tuple[int, int, str]:
    """Marks and numbers rise, the Finish card follows them; lines of the set-up stay apart."""
    return (0, value, "") if isinstance(value, int) else (1, 0, str(value))


def _size(term: Term) -> tuple[int, int]:
    """Terms with few literals are told before others, and those that allow more values."""
    return len(term), -sum(len(literal.values) for literal in term)
