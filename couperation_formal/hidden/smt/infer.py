"""What records force about the marks of the printed cards, several records of one deck of cards together.

The mark of a card is one variable for all records. A mark is ruled out when no world of the records has it; a least
core names the turns that rule out all marks but those that are left. Records that cannot all be right are told apart by
what each of them claims by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby, islice
from typing import Final

import msgspec

from couperation_formal.formulas.circuit import Circuit, Formula, no
from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.record import Record
from couperation_formal.game.rules.clauses import place_in_order
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import STANDARD, Board, Mark, Value
from couperation_formal.hidden.smt.exact import Impossible, Solver, Undecided, decide, minimal
from couperation_formal.hidden.symbolic.cards import MARKS
from couperation_formal.hidden.symbolic.record import Shared, symbolic

MOST: Final = 40
"""So many sets of records that cannot all be right are named."""


class ClauseAt(msgspec.Struct, frozen=True, order=True):
    """A turn of a record: the record's place among those given, from 0, the turn by place, and a clause asked there."""

    record: int
    turn: int
    clause: str


class Known(msgspec.Struct, frozen=True):
    """What the records force about the mark of `card`: it is one of `marks`; `sources` rule the others out."""

    card: Value
    marks: tuple[Mark, ...]
    sources: tuple[ClauseAt, ...]

    @property
    def certain(self) -> bool:
        """Whether only one mark is left."""
        return len(self.marks) == 1


class Claim(msgspec.Struct, frozen=True):
    """What records force: one of the cards of `bears`, in rising order, bears one of the marks that stand with it.
    `sources` rule out all else: each of them is needed, and all of them force no less.
    """

    bears: tuple[tuple[Value, tuple[Mark, ...]], ...]
    sources: tuple[ClauseAt, ...]


class Clash(msgspec.Struct, frozen=True):
    """Records that cannot all be right, each of them needed, and what they claim, each by itself.

    The claims speak of a single card, on which they cannot all hold, one for each record; of every such card, in rising
    order. Where there is none they speak of several cards together, cannot all hold, and each of them is needed. There
    are none where the budget was spent before.
    """

    records: tuple[int, ...]
    claims: tuple[Claim, ...]


class Inference(msgspec.Struct, frozen=True, kw_only=True):
    """What some records force, in rising order of the cards.

    `illegal` holds the records that are illegal by themselves, each with its turn and the first clause that it breaks:
    they take no part. `below` are the others under whose rulings a draw bounds a mark from below only: who may draw
    fewer cards than a mark allows never tells one diamond from two. Where the others do not agree, `clashes` are all
    least sets of records that cannot all be right, the smallest first, `MOST` of them at most, and `odd` the records
    that restore agreement when they alone are left out. Where `complete` is False, there may be more of either. `marks`
    is None where the records do not agree, or where the budget was spent before (`complete` False); marks that some
    record gives are not among them.
    """

    illegal: tuple[tuple[int, int, str], ...]
    below: tuple[int, ...] = ()
    odd: tuple[int, ...] = ()
    clashes: tuple[Clash, ...] = ()
    marks: tuple[Known, ...] | None = None
    complete: bool = True


def infer(
    records: Sequence[tuple[Record, Rulings]], board: Board = STANDARD, budget: Steps | int | None = None
) -> Inference:
    """What the records force about marks, each record under its own rulings.

    Marks that a record gives count as said by it. Cost: one check for each record, and up to three for each card whose
    mark some turn asks for; where the records do not agree, as many for each record of a clash, and one for each record
    and set of records that agree.
    """
    steps = steps_of(budget)
    illegal: list[tuple[int, int, str]] = []
    for i, (record, rulings) in enumerate(records):
        outcome = decide(record, rulings, board, steps)
        if isinstance(outcome, Undecided):
            return Inference(illegal=tuple(illegal), complete=False)
        if isinstance(outcome, Impossible):
            clause = min((rule.clause for rule in outcome.broken), key=place_in_order)
            illegal.append((i, outcome.turn, clause))
    out = {i for i, _, _ in illegal}
    below = tuple(i for i, (_, rulings) in enumerate(records) if i not in out and rulings.draw_amount == "up_to")
    try:
        joint = _Joint([(i, *pair) for i, pair in enumerate(records) if i not in out], board, steps)
        if joint.agree(joint.records):
            return Inference(illegal=tuple(illegal), below=below, marks=joint.marks())
    except Spent:
        return Inference(illegal=tuple(illegal), complete=False)
    odd, clashes, complete = joint.disagreement()
    return Inference(illegal=tuple(illegal), odd=odd, clashes=clashes, complete=complete)


class _Joint:
    """Several records over one circuit and one set of marks."""

    def __init__(self, records: Sequence[tuple[int, Record, Rulings]], board: Board, budget: Steps) -> None:
        self.records = frozenset(i for i, _, _ in records)
        self._circuit = Circuit(budget)
        self._marks: dict[Value, dict[Mark, Formula]] = {}
        self._given = {card for _, record, _ in records for card in record.marks}
        self._solver = Solver(self._circuit, budget)
        self._places: dict[str, ClauseAt] = {}
        self._forced: dict[frozenset[int], dict[Value, Claim]] = {}
        shared = Shared(self._circuit, self._marks)
        for i, record, rulings in records:
            run = symbolic(record, rulings, board, shared=shared, prefix=f"record {i + 1} ")
            for _, formula in run.table.facts:
                self._solver.add(formula)
            for rule in run.table.rules:
                name = f"record {i + 1} {rule.name}"
                self._places[name] = ClauseAt(i, rule.turn, rule.clause)
                self._solver.name(name, rule.formula)
        self._barred = {(card, mark): f"{card}!{mark}" for card in sorted(self._marks) for mark in MARKS}
        for (card, mark), name in self._barred.items():
            self._solver.literal(name, no(self._marks[card][mark]))

    def agree(self, records: Iterable[int]) -> bool:
        """Whether these records can all be right."""
        return self._solver.check(self._rules(records)) == "sat"

    def marks(self) -> tuple[Known, ...]:
        """What all records force about each mark that some turn asks for and none gives, where they agree."""
        forced = self._alone(self.records)
        return tuple(
            Known(card, claim.bears[0][1], claim.sources) for card, claim in forced.items() if card not in self._given
        )

    def disagreement(self) -> tuple[tuple[int, ...], tuple[Clash, ...], bool]:
        """The records that each restore agreement when left out, the clashes, and whether the budget sufficed, where
        the last check was that of all records and failed.
        """
        clashes: list[Clash] = []
        odd: list[int] = []
        with suppress(Spent):
            for records in islice(self._clashes(), MOST):
                clashes.append(Clash(records, ()))
                if len(clashes) == 1:
                    odd.extend(i for i in records if self.agree(self.records - {i}))
                clashes[-1] = Clash(records, self._claims(records))
            return tuple(odd), tuple(clashes), True
        return tuple(odd), tuple(clashes), False

    def _rules(self, records: Iterable[int]) -> list[str]:
        chosen = set(records)
        return [name for name, place in self._places.items() if place.record in chosen]

    def _clashes(self) -> Iterator[tuple[int, ...]]:
        """Every least set of records that cannot all be right, the smallest first.

        Records that agree are contained in a clash only together with one that is not among the `most` around them.
        """
        clashes: list[frozenset[int]] = []
        agreed: list[frozenset[int]] = []
        level = {frozenset[int]()}
        while level:
            wider: set[frozenset[int]] = set()
            for some in sorted(level, key=sorted):
                self._solver.budget.spend()
                if any(clash <= some for clash in clashes):
                    continue
                most = next((each for each in agreed if some <= each), None) or self._most(some)
                if most:
                    agreed.append(most)
                    wider |= {some | {i} for i in self.records - most}
                else:
                    clashes.append(some)
                    yield tuple(sorted(some))
            level = wider

    def _most(self, some: frozenset[int]) -> frozenset[int]:
        """These records and as many others as agree with them, one after the other; none where these do not agree."""
        if not self.agree(some):
            return frozenset()
        for i in sorted(self.records - some):
            some = some | {i} if self.agree(some | {i}) else some
        return some

    def _claims(self, clash: Sequence[int]) -> tuple[Claim, ...]:
        """What the records of a clash claim.

        Of single cards where that suffices. Else marks on which all claims hold are tried until there are none: some
        record rules them out, which is a further claim.
        """
        forced = [self._alone(frozenset({i})) for i in clash]
        shared = {card: [each[card] for each in forced if card in each] for card in sorted(self._marks)}
        apart = [c for c in shared.values() if not set(MARKS).intersection(*(claim.bears[0][1] for claim in c))]
        if apart:
            return tuple(claim for claims in apart for claim in claims)
        said = {self._name(claim): claim for each in forced for claim in each.values()}
        while self._solver.check(said) == "sat":
            shown = self._shown({})
            barred = [name for (card, mark), name in self._barred.items() if mark not in shown[card]]
            next(i for i in clash if self._solver.check([*self._rules((i,)), *barred]) == "unsat")
            claim = self._claim(self._solver.core)
            said[self._name(claim)] = claim
        core = minimal(self._solver, self._solver.core)
        self._solver.budget.spend()
        return tuple(sorted((said[name] for name in core), key=lambda claim: claim.sources))

    def _name(self, claim: Claim) -> str:
        """The name under which the solver holds a claim."""
        name = f"{claim.sources[0].record}!{claim.bears}"
        borne = [self._marks[card][mark] for card, marks in claim.bears for mark in marks]
        self._solver.name(name, self._circuit.any_of(borne))
        return name

    def _alone(self, records: frozenset[int]) -> dict[Value, Claim]:
        """What records that agree force about each card by itself, in rising order of the cards."""
        if records not in self._forced:
            rules, claims = self._rules(records), dict[Value, Claim]()
            seen = {card: set[Mark]() for card in self._marks}
            for card in sorted(self._marks):
                while card not in claims and len(seen[card]) < len(MARKS):
                    if self._solver.check([*rules, *(self._barred[card, mark] for mark in seen[card])]) == "sat":
                        seen = self._shown(seen)
                    else:
                        claims[card] = self._claim(self._solver.core)
            self._forced[records] = claims
        return self._forced[records]

    def _claim(self, core: Sequence[str]) -> Claim:
        """What a core of rules and barred marks says: one of these marks is borne."""
        core = minimal(self._solver.around(core), core)
        self._solver.budget.spend()
        barred = [each for each, name in self._barred.items() if name in core]
        bears = tuple((card, tuple(mark for _, mark in of)) for card, of in groupby(barred, lambda each: each[0]))
        return Claim(bears, tuple(sorted({self._places[name] for name in core if name in self._places})))

    def _shown(self, seen: dict[Value, set[Mark]]) -> dict[Value, set[Mark]]:
        """The marks that the last model shows, beside those seen before."""
        values = self._solver.values([formula for marks in self._marks.values() for formula in marks.values()])
        return {
            card: seen.get(card, set()) | {mark for mark, formula in marks.items() if values[formula]}
            for card, marks in self._marks.items()
        }
