"""What records force about the marks of the printed cards, several records of one deck of cards together.

The mark of a card is one variable for all records. A mark is ruled out when no world of the records has it; the core
names the turns that rule it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Final

import msgspec

from couperation_formal.formula.circuit import Circuit, Formula
from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.budget import Spent, Steps, steps_of
from couperation_formal.model.cards import Card, FinishCard, Mark, Value
from couperation_formal.model.record import Record
from couperation_formal.model.rulings import Rulings
from couperation_formal.rules.clauses import place_in_order
from couperation_formal.smt.exact import Impossible, Unknown, decide
from couperation_formal.smt.solver import Solver, minimal
from couperation_formal.symbolic.cards import MARKS
from couperation_formal.symbolic.record import Shared, Symbolic, symbolic

MOST: Final = 40
"""So many pairs of records that cannot both be right are named."""


class Place(msgspec.Struct, frozen=True, order=True):
    """A turn of a record: the record's place among those given, from 0, the turn by place, and a clause asked there."""

    record: int
    turn: int
    clause: str


class Known(msgspec.Struct, frozen=True):
    """What the records force about the mark of `card`: it is one of `marks`; `sources` rule the others out."""

    card: Value
    marks: tuple[Mark, ...]
    sources: tuple[Place, ...]

    @property
    def certain(self) -> bool:
        """Whether only one mark is left."""
        return len(self.marks) == 1


class Inference(msgspec.Struct, frozen=True, kw_only=True):
    """What some records force, in rising order of the cards.

    `illegal` holds the records that are illegal by themselves, each with its turn and the first clause that it breaks:
    they take no part. `below` are the others under whose rulings a draw bounds a mark from below only: who may draw
    fewer cards than a mark allows never tells one diamond from two. Where the others do not agree, `clash` holds
    records that cannot all be right, each of them needed, and `odd` those that restore agreement when they alone are
    left out. `clashes` are all pairs that cannot both be right, `MOST` of them at most, or else `clash` by itself.
    Where `complete` is False, there may be more of either. `marks` is None where the records do not agree, or where the
    budget was spent before (`complete` False); marks that some record gives are not among them.
    """

    illegal: tuple[tuple[int, int, str], ...]
    below: tuple[int, ...] = ()
    odd: tuple[int, ...] = ()
    clash: tuple[int, ...] = ()
    clashes: tuple[tuple[int, ...], ...] = ()
    marks: tuple[Known, ...] | None = None
    complete: bool = True


def infer(
    records: Sequence[tuple[Record, Rulings]], board: Board = STANDARD, budget: Steps | int | None = None
) -> Inference:
    """What the records force about marks, each record under its own rulings.

    Marks that a record gives count as said by it. Cost: one check for each record, and up to three for each card whose
    mark some turn asks for; where the records do not agree, one for each pair.
    """
    steps = steps_of(budget)
    illegal: list[tuple[int, int, str]] = []
    for i, (record, rulings) in enumerate(records):
        outcome = decide(record, rulings, board, steps)
        if isinstance(outcome, Unknown):
            return Inference(illegal=tuple(illegal), complete=False)
        if isinstance(outcome, Impossible):
            clause = min((rule.clause for rule in outcome.broken), key=place_in_order)
            illegal.append((i, outcome.turn, clause))
    out = {i for i, _, _ in illegal}
    below = tuple(i for i, (_, rulings) in enumerate(records) if i not in out and rulings.draw_amount == "up_to")
    try:
        joint = _Joint([(i, *pair) for i, pair in enumerate(records) if i not in out], board, steps)
        if joint.check() == "sat":
            return Inference(illegal=tuple(illegal), below=below, marks=joint.forced())
    except Spent:
        return Inference(illegal=tuple(illegal), complete=False)
    odd, clash, clashes = joint.disagreement()
    return Inference(illegal=tuple(illegal), odd=odd, clash=clash, clashes=clashes, complete=bool(steps.left))


class _Joint:
    """Several records over one circuit and one set of marks."""

    def __init__(self, records: Sequence[tuple[int, Record, Rulings]], board: Board, budget: Steps) -> None:
        self._circuit = Circuit(budget)
        self._marks: dict[Card, dict[Mark, Formula]] = {}
        shared = Shared(self._circuit, self._marks)
        self._runs: dict[int, Symbolic] = {
            i: symbolic(record, rulings, board, shared=shared, prefix=f"record {i + 1} ")
            for i, record, rulings in records
        }
        self._given = {card for _, record, _ in records for card in record.marks}
        self._solver = Solver(self._circuit, budget)
        self._places: dict[str, Place] = {}
        for i, run in self._runs.items():
            for _, formula in run.table.facts:
                self._solver.add(formula)
            for rule in run.table.rules:
                name = f"record {i + 1} {rule.name}"
                self._places[name] = Place(i, rule.turn, rule.clause)
                self._solver.name(name, rule.formula)
        for card, marks in self._marks.items():
            for mark, formula in marks.items():
                self._solver.literal(f"{card}:{mark}", formula)

    def check(self, without: int | None = None) -> str:
        """Whether the records, one perhaps left out, can all be right."""
        return self._agree(i for i in self._runs if i != without)

    def _agree(self, records: Iterable[int]) -> str:
        chosen = set(records)
        return self._solver.check([name for name, place in self._places.items() if place.record in chosen])

    def disagreement(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """The records that each restore agreement when left out, a clash out of a least core, and the clashes of two,
        or else that one, once `check` failed.
        """
        core = self._solver.core()
        with suppress(Spent):
            core = minimal(self._solver.around(core), core)
        clash = tuple(sorted({self._places[name].record for name in core}))
        odd: list[int] = []
        with suppress(Spent):
            for i in clash:
                if self.check(without=i) == "sat":
                    odd.append(i)
        pairs = []
        with suppress(Spent):
            for pair in combinations(self._runs, 2):
                if self._agree(pair) == "unsat":
                    pairs.append(pair)
                if len(pairs) == MOST:
                    break
        return tuple(odd), clash, tuple(pairs) or (clash,)

    def forced(self) -> tuple[Known, ...]:
        """What is forced about each mark that some turn asks for."""
        every = list(self._places)
        seen = self._shown({})
        found = []
        for card in sorted(card for card in self._marks if not isinstance(card, FinishCard)):
            if card in self._given:
                continue
            sources: set[Place] = set()
            for mark in MARKS:
                if mark in seen[card]:
                    continue
                answer = self._solver.check([*every, f"{card}:{mark}"])
                if answer == "sat":
                    seen = self._shown(seen)
                else:
                    core = self._solver.core()
                    core = minimal(self._solver.around(core), core)
                    sources.update(self._places[name] for name in core if name in self._places)
            marks = tuple(mark for mark in MARKS if mark in seen[card])
            if len(marks) < len(MARKS):
                found.append(Known(card, marks, tuple(sorted(place for place in sources))))
        return tuple(found)

    def _shown(self, seen: dict[Card, set[Mark]]) -> dict[Card, set[Mark]]:
        """The marks that the last model shows, beside those seen before."""
        values = self._solver.values([formula for marks in self._marks.values() for formula in marks.values()])
        return {
            card: seen.get(card, set()) | {mark for mark, formula in marks.items() if values[formula]}
            for card, marks in self._marks.items()
        }
