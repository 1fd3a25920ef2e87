"""What follows from what a record does not show: which lines to correct, on what a legal verdict hangs, and what the
records of one deck force about the marks of its cards.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from itertools import combinations, groupby, islice
from math import comb

from msgspec import Struct

from couperation_formal.formulas.circuit import Circuit, Formula, no
from couperation_formal.game.fact import Spent, Steps
from couperation_formal.game.record import ALWAYS, Answer, Assumption, Proviso, Record, Term
from couperation_formal.game.rules.clauses import place_in_order
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import STANDARD, Board, Mark, Value
from couperation_formal.hidden.smt.exact import Impossible, Solver, choosing, decide, excluded, minimal, solver_of
from couperation_formal.hidden.symbolic.cards import MARKS, Line
from couperation_formal.hidden.symbolic.record import Symbolic, symbolic, unknowns

# The fewest lines of a record whose correction would make it legal.
#
# The first line that fails is not always the one that is wrong. A correction turns the numbers and marks written on a
# line into unseen ones; letters, cells and counts stay. Every core over the lines names lines of which one must be
# corrected, so the answer is a least set that meets every core: cores are collected until such a set suffices (implicit
# hitting sets: Chandrasekaran, Karp, Moreno-Centeno, Vempala 2011). Of several least sets it is the first in the order
# of the lines.

MOST_LINES = 4
"""No more lines than this are corrected together: beyond it the record is another game."""


def corrections(record: Record, rulings: Rulings, budget: Steps, board: Board = STANDARD) -> tuple[Line, ...] | None:
    """The fewest lines of an illegal record to correct, in their order: turns by place, the others by their keyword
    (``"deal Aki"``, ``"reserve"``, ``"deck"``, ``"Marks"``). None where no correction of cards and marks makes the
    record legal, or more than `MOST_LINES` lines are needed. Raises `Spent`; nothing is known then. Cost: some checks
    for each line of the answer.
    """
    run = symbolic(record, rulings, board, doubting=True, budget=budget)
    if run.table.failing:
        return None
    solver = solver_of(run, run.table.rules)
    turns = range(1, len(record.turns) + 1)
    order: list[Line] = ["Marks", *(f"deal {name}" for name in record.players), "reserve", "deck", *turns]
    lines = sorted(run.table.pins, key=order.index)
    for line in lines:
        solver.name(str(line), run.table.circuit.all_of(run.table.pins[line]))
    cores: list[frozenset[int]] = []
    while (chosen := _hitting(cores, budget)) is not None:
        if solver.can_hold(str(line) for i, line in enumerate(lines) if i not in chosen):
            return tuple(lines[i] for i in chosen)
        core = set(minimal(solver, solver.core))
        budget.spend()
        cores.append(frozenset(i for i, line in enumerate(lines) if str(line) in core))
    return None


def _hitting(cores: Sequence[frozenset[int]], budget: Steps) -> tuple[int, ...] | None:
    """The first least set of lines that meets every core; None where it takes more than `MOST_LINES`, or a core is
    empty. Cost: subsets of the lines that cores name, up to so many of them.
    """
    named = sorted(set().union(*cores)) if cores else []
    for size in range(MOST_LINES + 1):
        budget.spend(comb(len(named), size) // 4)
        for chosen in combinations(named, size):
            if all(core.intersection(chosen) for core in cores):
                return chosen
    return None


# On what a legal verdict hangs: which marks, cards and places have to be as nobody noted that they were.


MOST_TERMS = 16
"""So many terms a proviso has; where it takes more, one of them is told as an example."""

_TRIED = 2 * MOST_TERMS
"""So many terms are looked at: some may turn out not to be needed."""

_CHECK = 60
_GATES = 50
"""The steps of a check, beside one for each formula that it assumes, one for so many gates, and what the solver counts
itself.
"""

Exclusion = tuple[int, Answer]
"""An unknown, by its place in the list of all, and a value of it."""

Excluded = dict[int, list[Answer]]
"""For some of the unknowns the values that they do not have."""


def proviso(record: Record, rulings: Rulings, budget: Steps, board: Board = STANDARD, since: int = 0) -> Proviso | None:
    """On what it hangs that `record` is legal under these rulings; None where it is not. Turns before turn `since`
    stand as they were played, and are not judged.

    Where the budget ends the answer is not exact; without terms where it ended before a legal world was found. Cost: a
    circuit, and a check for each value that the terms speak of.
    """
    try:
        run = symbolic(record, rulings, board, budget=budget, since=since, places=True)
        return Provisos(run, since).under()
    except Spent:
        return Proviso(False)


class _Untold(Exception):
    """Legality hangs on something that is no unknown here, so that no term tells it."""


class Provisos:
    """The provisos of one run, made with `places`, whose turns before turn `since` stand as they were played; for each
    reading where its rulings are variables. All methods raise `Spent` where `budget` ends before there is anything to
    tell.
    """

    def __init__(self, run: Symbolic, since: int) -> None:
        self._run, self._circuit = run, run.table.circuit
        stood = [rule.formula for rule in run.table.rules if rule.turn < max(since, 1)]
        self._held = [*run.table.facts.values(), *stood, *(run.table.places or ())]
        held = set(self._held)
        self._legal = self._circuit.all_of(rule.formula for rule in run.table.rules if rule.formula not in held)
        reached = self._circuit.variables([self._legal])
        self._unknowns = [each for each in unknowns(run) if reached & self._circuit.variables(each.ways.values())]
        self._check = _CHECK + len(self._circuit.cone([self._legal, *self._held])) // _GATES
        self._solver, self._reading = self._new(), list[str]()
        self._never: dict[int, list[Answer]] = {}

    def under(self, rulings: Rulings | None = None, like: Proviso | None = None) -> Proviso | None:
        """The proviso under these rulings (None: those of the run), None where nothing is legal. `like` is taken over
        where it proves right.
        """
        self._reading = [] if rulings is None else excluded(rulings)
        always = not self._can("illegal")
        if not self._can("legal"):
            return None
        if always:
            return ALWAYS
        world, terms = self._world(), list[Term]()
        try:
            if like is not None and not like.always and self._suits(like):
                return like
            terms.append(self._term(world))
            while self._can("legal", *map(self._not, terms)):
                if len(terms) == _TRIED:
                    return _example(terms)
                terms.append(self._term(self._world()))
            return self._all(terms)
        except _Untold:
            return Proviso(False)
        except Spent:
            return _example(terms) if terms else Proviso(False)

    def _all(self, terms: list[Term]) -> Proviso:
        """The terms that are needed; one of them where they are too many."""
        terms.sort(key=_place)
        for term in sorted(terms, key=_size, reverse=True):
            others = [other for other in terms if other != term]
            if others and not self._can("legal", *map(self._not, others)):
                terms = others
        if len(terms) > MOST_TERMS:
            return _example(terms)
        fresh = copy(self)
        fresh._solver = self._new()
        if not fresh._proved(terms):
            raise RuntimeError("a fresh solver does not find the terms of a proviso to be the legal worlds")
        return Proviso(True, tuple(terms))

    def _world(self) -> Excluded:
        """For each unknown the values that it does not have in the world just found."""
        values = self._solver.values(way for each in self._unknowns for way in each.ways.values())
        return {
            at: [value for value, way in each.ways.items() if not values[way]] for at, each in enumerate(self._unknowns)
        }

    def _term(self, world: Excluded) -> Term:
        """A prime term that holds in this world: whole unknowns are left out first, then values are allowed. Where the
        budget ends, as small as it is then.
        """
        if self._can("illegal", *map(self._fixed, world.items())):
            raise _Untold
        kept = self._cored(world)
        with suppress(Spent):
            for at in sorted(kept, reverse=True):
                fewer = {other: values for other, values in kept.items() if other != at}
                if at in kept and not self._can("illegal", *map(self._fixed, fewer.items())):
                    kept = self._cored(fewer)
            for at in list(kept):
                kept[at] = self._needed(at, kept)
            for at, values in kept.items():
                kept[at] = values + [value for value in self._impossible(at) if value not in values]
        return tuple(
            Assumption(each.kind, each.of, tuple(sorted(each.ways.keys() - kept[at], key=_order)))
            for at, each in enumerate(self._unknowns)
            if kept.get(at)
        )

    def _cored(self, kept: Excluded) -> Excluded:
        core = set(self._solver.core)
        return {at: values for at, values in kept.items() if self._fixed((at, values)) in core}

    def _needed(self, at: int, kept: Excluded) -> list[Answer]:
        """The values of an unknown that have to stay excluded beside what is kept of the others. All that are not known
        to be needed are allowed at once; an illegal world with one of them shows that this one is.
        """
        others = [self._fixed(each) for each in kept.items() if each[0] != at]
        ways, needed, waiting = self._unknowns[at].ways, list[Answer](), list(kept[at])
        while self._can("illegal", *others, *(self._except((at, value)) for value in needed)):
            values = self._solver.values(ways[value] for value in waiting)
            needed.append(next(value for value in waiting if values[ways[value]]))
            waiting.remove(needed[-1])
        return needed

    def _impossible(self, at: int) -> list[Answer]:
        """The values that an unknown has in no world in which cards lay where they were taken from."""
        if at not in self._never:
            ways = self._unknowns[at].ways
            self._never[at] = [value for value in ways if not self._can(self._is((at, value)))]
        return self._never[at]

    def _exclusions(self, term: Term) -> list[Exclusion]:
        """The values that a term excludes. Raises `KeyError` for an unknown that plays no part here."""
        at = {(each.kind, each.of): place for place, each in enumerate(self._unknowns)}
        places = [(at[literal.kind, literal.of], literal.values) for literal in term]
        return [(at, value) for at, values in places for value in self._unknowns[at].ways if value not in values]

    def _holds(self, terms: Iterable[Term]) -> bool:
        """Whether all is legal of which some of these terms holds."""
        told = [self._exclusions(term) for term in terms]
        return all(not self._can("illegal", *map(self._except, each)) for each in told)

    def _suits(self, like: Proviso) -> bool:
        """Whether an answer under another reading is one under this: an example suffices."""
        try:
            return self._proved(like.terms) if like.exact else bool(like.terms) and self._holds(like.terms)
        except KeyError:
            return False

    def _proved(self, terms: Sequence[Term]) -> bool:
        """Whether what is legal is just what these terms say."""
        return self._holds(terms) and not self._can("legal", *map(self._not, terms))

    def _can(self, *names: str) -> bool:
        """Whether these can hold together, under the reading."""
        self._circuit.budget.spend(self._check + len(names))
        return self._solver.can_hold([*names, *self._reading])

    def _new(self) -> Solver:
        solver = Solver(self._circuit)
        solver.add(*self._held)
        solver.name("legal", self._legal)
        solver.name("illegal", no(self._legal))
        return choosing(self._run, solver)

    # Names of formulas

    def _is(self, each: Exclusion) -> str:
        return self._solver.named(f"{each[0]}={each[1]}", lambda: self._way(each))

    def _except(self, each: Exclusion) -> str:
        return self._solver.named(f"{each[0]}!={each[1]}", lambda: no(self._way(each)))

    def _fixed(self, unknown: tuple[int, list[Answer]]) -> str:
        """All that is excluded of an unknown."""
        at, values = unknown
        excluded_ = (no(self._way((at, value))) for value in values)
        return self._solver.named(f"{at}!={values}", lambda: self._circuit.all_of(excluded_))

    def _not(self, term: Term) -> str:
        """That a term does not hold."""
        return self._solver.named(f"!{term}", lambda: self._circuit.any_of(map(self._way, self._exclusions(term))))

    def _way(self, each: Exclusion) -> Formula:
        at, value = each
        return self._unknowns[at].ways[value]


def _example(terms: Sequence[Term]) -> Proviso:
    """One of the terms, the simplest."""
    return Proviso(False, (min(terms, key=_size),))


def _order(value: Answer) -> tuple[int, int, str]:
    """Marks and numbers rise, the Finish card follows them; lines of the set-up stay apart."""
    return (0, value, "") if isinstance(value, int) else (1, 0, str(value))


def _place(term: Term) -> tuple[int, list[str], list[list[tuple[int, int, str]]]]:
    """Where a term stands among others, whatever the order in which they were found."""
    of = [str(literal.of).zfill(9) for literal in term]
    return len(term), of, [[_order(value) for value in literal.values] for literal in term]


def _size(term: Term) -> tuple[int, int]:
    """Terms with few literals are told before others, and those that allow more values."""
    return len(term), -sum(len(literal.values) for literal in term)


# What records force about the marks of the printed cards, several records of one deck of cards together.
#
# The mark of a card is one variable for all records. A mark is ruled out when no world of the records has it; a least
# core names the turns that rule out all marks but those that are left. Records that cannot all be right are told apart
# by what each of them claims by itself.

MOST_CLASHES = 40
"""So many sets of records that cannot all be right are named."""


class ClauseAt(Struct, frozen=True, order=True):
    """A turn of a record: the record's place among those given, from 0, the turn by place, and a clause asked there."""

    record: int
    turn: int
    clause: str


class Known(Struct, frozen=True):
    """What the records force about the mark of `card`: it is one of `marks`; `sources` rule the others out."""

    card: Value
    marks: tuple[Mark, ...]
    sources: tuple[ClauseAt, ...]

    @property
    def certain(self) -> bool:
        """Whether only one mark is left."""
        return len(self.marks) == 1


class Claim(Struct, frozen=True):
    """What records force: one of the cards of `bears`, in rising order, bears one of the marks that stand with it.
    `sources` rule out all else: each of them is needed, and all of them force no less.
    """

    bears: tuple[tuple[Value, tuple[Mark, ...]], ...]
    sources: tuple[ClauseAt, ...]


class Clash(Struct, frozen=True):
    """Records that cannot all be right, each of them needed, and what they claim, each by itself.

    The claims speak of a single card, on which they cannot all hold, one for each record; of every such card, in rising
    order. Where there is none they speak of several cards together, cannot all hold, and each of them is needed. There
    are none where the budget was spent before.
    """

    records: tuple[int, ...]
    claims: tuple[Claim, ...]


class Inference(Struct, frozen=True, kw_only=True):
    """What some records force, in rising order of the cards.

    `illegal` holds the records that are illegal by themselves, each with its turn and the first clause that it breaks:
    they take no part. `below` are the others under whose rulings a draw bounds a mark from below only: who may draw
    fewer cards than a mark allows never tells one diamond from two. Where the others do not agree, `clashes` are all
    least sets of records that cannot all be right, the smallest first, `MOST_CLASHES` of them at most, and `odd` the
    records that restore agreement when they alone are left out. Where `complete` is False, there may be more of either.
    `marks` is None where the records do not agree, or where the budget was spent before (`complete` False); marks that
    some record gives are not among them.
    """

    illegal: tuple[ClauseAt, ...]
    below: tuple[int, ...] = ()
    odd: tuple[int, ...] = ()
    clashes: tuple[Clash, ...] = ()
    marks: tuple[Known, ...] | None = None
    complete: bool = True


def infer(records: Sequence[tuple[Record, Rulings]], budget: Steps, board: Board = STANDARD) -> Inference:
    """What the records force about marks, each record under its own rulings.

    Marks that a record gives count as said by it. Cost: one check for each record, and up to three for each card whose
    mark some turn asks for; where the records do not agree, as many for each record of a clash, and one for each record
    and set of records that agree.
    """
    illegal = list[ClauseAt]()
    try:
        for i, (record, rulings) in enumerate(records):
            outcome = decide(record, rulings, budget, board)
            if outcome is None:
                raise Spent
            if isinstance(outcome, Impossible):
                clause = min((rule.clause for rule in outcome.broken), key=place_in_order)
                illegal.append(ClauseAt(i, outcome.turn, clause))
        out = {each.record for each in illegal}
        joint = _Joint([(i, *pair) for i, pair in enumerate(records) if i not in out], board, budget)
        if joint.agree(joint.records):
            below = tuple(i for i in sorted(joint.records) if records[i][1].draw_amount == "up_to")
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
        self._solver = Solver(self._circuit)
        self._places: dict[str, ClauseAt] = {}
        self._forced: dict[frozenset[int], dict[Value, Claim]] = {}
        for i, record, rulings in records:
            prefix = f"record {i + 1} "
            run = symbolic(record, rulings, board, circuit=self._circuit, marks=self._marks, prefix=prefix)
            self._solver.add(*run.table.facts.values())
            for rule in run.table.rules:
                name = prefix + rule.name
                self._places[name] = ClauseAt(i, rule.turn, rule.clause)
                self._solver.name(name, rule.formula)
        self._barred = {(card, mark): f"{card}!{mark}" for card in sorted(self._marks) for mark in MARKS}
        for (card, mark), name in self._barred.items():
            self._solver.literal(name, no(self._marks[card][mark]))

    def agree(self, records: Iterable[int]) -> bool:
        """Whether these records can all be right."""
        return self._solver.can_hold(self._rules(records))

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
        complete = False
        with suppress(Spent):
            for records in islice(self._clashes(), MOST_CLASHES):
                clashes.append(Clash(records, ()))
                if len(clashes) == 1:
                    odd.extend(i for i in records if self.agree(self.records - {i}))
                clashes[-1] = Clash(records, self._claims(records))
            complete = True
        return tuple(odd), tuple(clashes), complete

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
        while self._solver.can_hold(said):
            shown = self._shown({})
            barred = [name for (card, mark), name in self._barred.items() if mark not in shown[card]]
            next(i for i in clash if not self._solver.can_hold([*self._rules((i,)), *barred]))
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
                    barred = [self._barred[card, mark] for mark in MARKS if mark in seen[card]]
                    if self._solver.can_hold([*rules, *barred]):
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
