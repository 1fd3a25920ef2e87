"""What readings and rulebooks say of a record, or of one turn by itself, and what their verdicts take for granted."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import reduce
from itertools import chain, islice
from operator import and_, or_
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from couperation_formal.game.fact import Fact, Spent, Steps, Unfit, fact
from couperation_formal.game.record import ALWAYS, Game, Proviso, Record, Result, Term
from couperation_formal.game.replay import is_open, most_drawn, replay
from couperation_formal.game.rules.setup import setup_of
from couperation_formal.game.rules.step import Step
from couperation_formal.game.rules.turn import ended_by
from couperation_formal.game.rulings import Rules, Rulings, registry
from couperation_formal.game.tower import STANDARD
from couperation_formal.hidden.readings import standing as tables
from couperation_formal.hidden.readings.condition import Settled
from couperation_formal.hidden.readings.sets import Readings, Verdicts, nearest, within
from couperation_formal.hidden.readings.standing import Standing, cut, quarrel_verdicts, standing, step_of
from couperation_formal.output.formats import Data, Natural
from couperation_formal.questions.records.check import check, judged
from couperation_formal.questions.records.hanging import Admits, admitted, open_draws, with_sizes
from couperation_formal.questions.records.verdict import why_nowhere

# A record: under which readings is it legal?


def verdicts_on(record: Record, steps: Steps) -> tuple[Verdicts, Readings]:
    """The readings under which a record is legal, illegal, or undetermined within the budget; and those under which it
    is legal whatever it does not show.
    """
    plain = tables.plain_verdicts(record, budget=steps)
    return _decided(plain, record, steps) if plain.undetermined and steps.left else plain, plain.legal


def _decided(plain: Verdicts, record: Record, budget: Steps, since: int = 0) -> Verdicts:
    """The verdicts once Z3 has looked at the readings that are undetermined."""
    from couperation_formal.hidden.smt.exact import symbolic_verdicts

    more = symbolic_verdicts(record, plain.undetermined, budget, since=since)
    return Verdicts(plain.legal | more.legal, plain.illegal | more.illegal, more.undetermined)


def verdict_of(rulings: Rulings, verdicts: Verdicts) -> Settled:
    """The verdict under one reading."""
    if rulings in verdicts.legal:
        return "legal"
    return "illegal" if rulings in verdicts.illegal else "undetermined"


# A turn by itself: under which readings is it legal, if everything before stands as it was played?

_BOOKS_TURN: Final = 200
"""The steps that a turn takes, carried out and asked under each rulebook."""


class Stood(Admits):
    """An earlier turn, 0 for the set-up, that was wrong already under a rulebook, by these clauses; or that ended the
    game under it (END01, END02 or END03). Where its text leaves that open, clauses are those of the rulebook as taken.
    """

    rulebook: str
    turn: Natural
    clauses: tuple[str, ...]


class Nowhere(msgspec.Struct, frozen=True):
    """A turn that cannot be carried out: it takes a card from where it is not. `what` is None where that is so of each
    choice of what the record does not show.
    """

    turn: int
    what: Fact | None = None


def table_before(record: Record, at: int) -> Standing:
    """The table before turn `at`, and what was wrong already under each rulebook of the registry. Raises `ValueError`
    where there is no such turn.
    """
    if not 1 <= at <= len(record.turns):
        raise Unfit("no_turn", turn=at, turns=len(record.turns))
    return standing(record, at, tuple(registry().rulebooks.values()))


def nowhere_at(record: Record, at: int, before: Standing, verdicts: Verdicts, budget: Steps) -> Nowhere | None:
    """Why turn `at`, or one before it, cannot be carried out; None where it can. Raises `Spent`."""
    if verdicts.legal:
        return None
    turn, state = record.turns[at - 1], before.state
    what = why_nowhere(record, at)
    if what is not None:
        return Nowhere(at, what)
    if state is not None:
        step = step_of(state, turn)
        if is_open(state, turn) and not verdicts.undetermined:
            return None
        if step is not None and before.shown and not step.doubts:
            return None
    from couperation_formal.hidden.smt.exact import unplayable

    bad = unplayable(record, at, budget)
    return None if bad is None else Nowhere(bad, why_nowhere(record, bad))


def stood_before(
    record: Record, at: int, before: Standing, nowhere: Nowhere | None, budget: Steps
) -> tuple[Stood, ...]:
    """What was wrong already before turn `at`, under each rulebook, as far as the record shows it; and what may have
    been, as its text leaves that open. Cost: that of two replays over sets.
    """
    came = dict[int, dict[Any, Readings]]()
    for place, table in enumerate(before.tables, start=1):
        verdicts = quarrel_verdicts(record, place, before=table)
        reached = tables.outcomes(record, place, table.state)[1]
        ended: dict[Any, Readings] = {end: reached[end] - verdicts.illegal for end in tables.ENDS if end in reached}
        over = reduce(or_, ended.values(), Readings.none())
        came[place] = ended | {name: of - over for name, of in verdicts._asdict().items()}
    stood = []
    for name, slips in zip(registry().rulebooks, before.slips, strict=True):
        rules, codes = Rules(name, (), registry().rulebooks[name]), {slip.turn: slip.clauses for slip in slips}
        if nowhere is not None and nowhere.turn < at:
            codes.setdefault(nowhere.turn, ("SET06",))
        for place in range(at):
            broken = codes.get(place, ())
            parts = {} if "SET06" in broken else came.get(place, {})
            taken = next((each for each, of in parts.items() if rules.rulings in of), "illegal" if broken else "legal")
            text = admitted(parts, taken, rules, budget)
            if not {*text.admits} <= {"legal", "undetermined"}:
                stood.append(Stood.of(text, rulebook=name, turn=place, clauses=broken))
    return tuple(stood)


# Draws that were not noted: judged once for each number of cards that they may have been.

_TURN: Final = 100
"""The steps that a turn takes, carried out with one choice of sizes."""


class Way(NamedTuple):
    """The record up to the turn with the draws that were not noted written as so many unseen cards (`sizes`), the table
    before the turn, what is known of the turn then, and the readings under which it is legal whatever else is not
    shown.
    """

    record: Record
    sizes: Term
    before: Standing | None
    verdicts: Verdicts
    shown: Readings


class Ways(NamedTuple):
    """The turn with each choice of sizes, small ones first; unless `all`, the budget left some out. One size above any
    limit stands for all that are too large in the turn itself.
    """

    ways: tuple[Way, ...]
    all: bool

    @property
    def verdicts(self) -> Verdicts:
        """Legal where it is with some sizes, illegal where with none."""
        legal = reduce(or_, (way.verdicts.legal for way in self.ways))
        open_ = reduce(or_, (way.verdicts.undetermined for way in self.ways)) if self.all else Readings.every()
        return Verdicts(legal, ~legal - open_, open_ - legal)

    @property
    def shown(self) -> Readings:
        """The readings under which it is legal whatever the sizes are, and all else that is not shown."""
        return reduce(and_, (way.shown for way in self.ways)) if self.all else Readings.none()


def readings_at(record: Record, at: int, before: Standing, budget: Steps) -> tuple[Verdicts, Readings, Ways | None]:
    """The readings under which turn `at` is legal, illegal, or undetermined within the budget, if everything before
    stands; and those of the legal ones under which it is whatever the record does not show. Where it cannot have been
    played, all are undetermined. What is not broken with every size of draws that were not noted is asked with each
    (`Ways`).
    """
    none, every = Readings.none(), Readings.every()
    try:
        budget.spend(_BOOKS_TURN * at)
    except Spent:
        return Verdicts(none, none, every), none, None
    plain = quarrel_verdicts(record, at, before=before)
    open_ = before.state is not None and is_open(before.state, record.turns[at - 1])
    if not budget.left or not (plain.undetermined or (open_ and plain.legal)):
        return plain, none if open_ else plain.legal, None
    ways = ways_at(record, at, budget)
    if ways is None:
        return _decided(plain, cut(record, at), budget, at), plain.legal, None
    legal, illegal, _ = ways.verdicts
    illegal = (illegal | plain.illegal) - legal
    return Verdicts(legal, illegal, every - legal - illegal), ways.shown, ways


def ways_at(record: Record, at: int | None, budget: Steps, within: Readings | None = None) -> Ways | None:
    """Turn `at` with each choice of sizes by which its cards and those of the turns before lay where they were taken
    from; without `at` the whole record with each. Z3 decides what they leave undetermined of all readings, or of those
    `within`. None where every draw was noted, or where none is found. Cost: half of the budget before Z3 is asked.
    """
    record = cut(record, at)
    draws = open_draws(record)
    if not draws:
        return None
    left = setup_of(record, STANDARD).deck_size - sum(len(turn.draw) + len(turn.fill) for turn in record.turns)
    most = [min(left, most_drawn(STANDARD)) if at in (None, place) else left for place, _ in draws]
    choices = chain.from_iterable(_summing(most, total) for total in range(min(left, sum(most)) + 1))
    cost = _TURN * len(record.turns)
    chosen = [*islice(choices, budget.left // (2 * cost))]
    budget.spend(cost * len(chosen))
    judged = [way for sizes in chosen if (way := _way(*with_sizes(record, draws, sizes), at)) is not None]
    return _ways(judged, next(choices, None) is None, budget, at, within) if judged else None


def _summing(most: list[int], total: int) -> Iterator[tuple[int, ...]]:
    """Every choice of sizes, at most so many each, that come to a total."""
    if not most:
        if total == 0:
            yield ()
        return
    for size in range(max(0, total - sum(most[1:])), min(most[0], total) + 1):
        for rest in _summing(most[1:], total - size):
            yield size, *rest


def _way(record: Record, sizes: Term, at: int | None) -> Way | None:
    """None where a card was not where a turn takes it from, as a hand has too few cards with these sizes."""
    if at is None:
        plain = tables.plain_verdicts(record)
        return Way(record, sizes, None, plain, plain.legal)
    before = standing(record, at, (next(iter(registry().rulebooks.values())),))
    step = None if before.state is None else step_of(before.state, record.turns[at - 1])
    if step is None or step.strays or any("SET06" in slip.clauses for slip in before.slips[0]):
        return None
    verdicts = quarrel_verdicts(record, at, before=before)
    return Way(record, sizes, before, verdicts, verdicts.legal)


def _ways(judged: list[Way], every: bool, budget: Steps, at: int | None, within: Readings | None) -> Ways | None:
    """The ways once Z3 has looked at what they leave undetermined, in their order; what one finds legal the others are
    not asked for. Those that cannot have been played are left out; None where all are.
    """
    from couperation_formal.hidden.smt.exact import symbolic_verdicts, unplayable

    ways, legal = list[Way](), Ways(tuple(judged), every).verdicts.legal
    for way in judged:
        left = way.verdicts.undetermined - legal
        left = left if within is None else left & within
        if left and budget.left:
            more = symbolic_verdicts(way.record, left, budget, since=at or 0)
            with suppress(Spent):
                open_ = more.undetermined == Readings.every()
                if at and open_ and unplayable(way.record, at, budget) is not None:
                    continue
            legal |= more.legal
            known = way.verdicts
            rest = (known.undetermined - left) | more.undetermined
            way = way._replace(verdicts=Verdicts(known.legal | more.legal, known.illegal | more.illegal, rest))
        ways.append(way)
    return Ways(tuple(ways), every) if ways else None


# What each rulebook says: the verdict, the turn, and the clause.

_BOOKS: Final = 0.5
"""The part of what is left of the budget that the turns at which rulebooks refuse may spend."""


class Elsewhere(Data):
    """Options that a text leaves open, under which another turn than that of its rulebook is the first refused."""

    options: dict[str, str]
    turn: Natural


class BookVerdict(msgspec.Struct, frozen=True):
    """What one rulebook says. `turn` is the first illegal turn, counted by place, 0 for the set-up; `code` the first
    clause that it breaks. Both are None unless illegal; `code` also where only all turns together cannot hold. `told`
    is False where the budget ended before they were found. `text` is what its text admits, `outcome` the same of what
    the game has come to where it is legal, and `why` by what it ended; `elsewhere` tells of an illegal game where other
    readings that the text admits refuse it.
    """

    verdict: Settled
    turn: int | None = None
    code: str | None = None
    told: bool = True
    text: Admits | None = None
    outcome: Admits | None = None
    why: Fact | None = None
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def says(self) -> str:
        """The verdict of its text: legal, illegal, undetermined, or open."""
        return self.verdict if self.text is None else self.text.says


def books_on(game: Game, verdicts: Verdicts, steps: Steps) -> dict[str, BookVerdict]:
    """What each rulebook says. Those under which the record does not show enough to tell where it is illegal are asked
    together, a single one as `check` asks it; what this leaves open, and the budget, is not told.
    """
    books, record = registry().rulebooks, game.record
    told = {name: BookVerdict(verdict_of(rulings, verdicts)) for name, rulings in books.items()}
    plain = {
        name: replay(record, books[name], hanging=False) for name, book in told.items() if book.verdict == "illegal"
    }
    for name, outcome in plain.items():
        told[name] = BookVerdict("illegal", told=False) if outcome.doubts else _refusal(game, name, steps)
    open_ = {name: books[name] for name, book in told.items() if not book.told}
    with steps.at_most(int(steps.left * _BOOKS)):
        if len(open_) == 1:
            told.update((name, _refusal(game, name, steps)) for name in open_)
        elif open_ and steps.left:
            from couperation_formal.hidden.smt.exact import first_illegal

            for name, (at, code) in first_illegal(record, open_, steps).items():
                # A turn that is surely illegal by itself is told of as `check` tells of it.
                code = plain[name].broken[0].clause if plain[name].illegal == at else code
                told[name] = BookVerdict("illegal", at, code)
    return told


def asked_again(game: Game, told: dict[str, BookVerdict], steps: Steps) -> dict[str, BookVerdict]:
    """Those rulebooks asked again whose turn was not found, each with an equal part of what is left at last."""
    open_ = [name for name, book in told.items() if not book.told]
    for place, name in enumerate(open_):
        with steps.at_most(steps.left // (len(open_) - place)):
            told = {**told, name: _refusal(game, name, steps)}
    return told


def _refusal(game: Game, name: str, budget: Steps) -> BookVerdict:
    """Where a rulebook under which a game is illegal refuses it."""
    rules = Rules(name, (), registry().rulebooks[name])
    report = judged(game, rules, "auto", budget, hanging=False)
    if report.verdict == "illegal":
        code = None if report.error is None else report.error.code
        return BookVerdict("illegal", report.turn, code, told=bool(code or budget.left))
    return BookVerdict("illegal", _first_illegal(game.record, rules.rulings, budget), told=False)


def _first_illegal(record: Record, rulings: Rulings, budget: Steps) -> int | None:
    """The first turn up to which the record is illegal under one reading, None where the budget hides it. What is
    illegal up to a turn stays so: bisection finds the first.
    """
    low, high = 0, len(record.turns)
    while low < high:
        middle = (low + high) // 2
        verdict = verdict_of(rulings, verdicts_on(cut(record, middle), budget)[0])
        if verdict == "undetermined":
            return None
        low, high = (low, middle) if verdict == "illegal" else (middle + 1, high)
    return low


def books_at(
    record: Record, at: int, before: Standing, least: Way | None, verdicts: Verdicts, steps: Steps
) -> dict[str, BookVerdict]:
    """What each rulebook says of turn `at` by itself, and by which clause first; with `least`, that of the smallest
    draws. No clause is told where only several together cannot hold.
    """
    record, before = (record, before) if least is None else (least.record, least.before or before)
    books, turn, state = registry().rulebooks, record.turns[at - 1], before.state
    told = {name: BookVerdict(verdict_of(rulings, verdicts)) for name, rulings in books.items()}
    codes: dict[str, str | None] = {name: None for name, book in told.items() if book.verdict == "illegal"}
    step = None if state is None else step_of(state, turn)
    if state is not None and (step is None or not step.lost):
        for name in codes:
            broken = tables.findings(state, turn, at, step, books[name])
            codes[name] = next((code for code, _ in broken), None)
    left = {name: books[name] for name, code in codes.items() if code is None}
    with steps.at_most(int(steps.left * _BOOKS)):
        if left:
            from couperation_formal.hidden.smt.exact import first_illegal

            refused = first_illegal(cut(record, at), left, steps, at=at)
            codes.update((name, code) for name, (_, code) in refused.items())
        ended = not steps.left
    for name, code in codes.items():
        told[name] = BookVerdict("illegal", at, code, told=code is not None or not ended)
    return told


# What a text leaves open, and what a game has come to.


def with_texts(
    game: Game,
    at: int | None,
    told: dict[str, BookVerdict],
    verdicts: Verdicts,
    last: Step | None,
    reached: Mapping[Result, Readings],
    steps: Steps,
) -> dict[str, BookVerdict]:
    """What each rulebook says, with what its text leaves open and what the game has come to. What the record does not
    show of that `check` is asked for.
    """
    found = dict[str, BookVerdict]()
    for name, book in told.items():
        rules = Rules(name, (), registry().rulebooks[name])
        text = admitted(verdicts._asdict(), book.verdict, rules, steps)
        parts: dict[Any, Readings] = {end: part & verdicts.legal for end, part in reached.items()}
        parts = parts or {"undetermined": verdicts.legal}
        legal, rulings = book.verdict == "legal", rules.rulings
        came = next((end for end, part in parts.items() if rulings in part), "undetermined" if legal else book.verdict)
        if legal and came == "undetermined" and steps.left:
            with steps.at_most(steps.left // 2):
                asked = replace(game, record=cut(game.record, at))
                came = check(asked, rules, budget=steps, since=at).result or came
            own = Readings.one(rulings)
            parts = {end: part - own for end, part in parts.items()}
            parts[came] = parts.get(came, Readings.none()) | own
        outcome = admitted(parts, came, rules, steps) if legal or text.says == "open" else None
        if outcome is not None and not legal and text.when and len(outcome.admits) == 1:
            came = outcome.admits[0]
            rulings = rulings.with_changes({ruling: of[0] for ruling, of in text.when["legal"][0].items()})
        why = ended_by(last, came, rulings) if last and came in tables.ENDS else None
        why = why if why is None or legal else fact("where_legal", what=why)
        book = found[name] = replace(book, text=text, outcome=outcome, why=why)
        if at is None and text.admits == ("illegal",) and rules.leaves:
            found[name] = replace(book, elsewhere=tuple(_elsewhere(game.record, book.turn, rules, steps)))
    return found


def _elsewhere(record: Record, turn: int | None, rules: Rules, steps: Steps) -> Iterator[Elsewhere]:
    """Readings that the text admits and that refuse an earlier or a later turn, as far as the plain replay tells."""
    for at, verdict in () if turn is None else ((turn - 1, "illegal"), (turn, "legal")):
        if not 0 <= at < len(record.turns):
            continue
        wanted = within(getattr(tables.plain_verdicts(record, turn=at, budget=steps, rules=rules), verdict), rules)
        for options in nearest(rules.rulings, wanted, tuple(rules.leaves), Steps())[:1]:
            other = replay(record, rules.rulings.with_changes(options)).illegal
            if other is not None:
                yield Elsewhere(options=options, turn=other)


# What a legal verdict takes for granted that nobody noted, for each rulebook.

_LEAST: Final = 150_000
"""The steps that the provisos of a whole record may take at least: else two thirds of what the rest of the answer took.
"""

_MOST: Final = 16
"""So many ways to make one term of those of several rulebooks are looked at."""


def provisos(
    record: Record, at: int | None, ways: Ways | None, verdicts: Verdicts, shown: Readings, budget: Steps
) -> dict[str, Proviso]:
    """For each rulebook under which the record, or turn `at` by itself, is legal, and not by what is shown: on what
    that hangs. `ways` are those of turn `at`, if any.
    """
    if at is None and verdicts.legal:
        books = reduce(or_, map(Readings.one, registry().rulebooks.values())) & verdicts.legal
        with budget.at_most(budget.left // 2):
            ways = ways_at(record, None, budget, books)
    if ways is not None:
        return _with_sizes(ways, verdicts, budget, at or 0)
    return _provisos(cut(record, at), verdicts, shown, budget, at or 0)


def _provisos(record: Record, verdicts: Verdicts, shown: Readings, budget: Steps, since: int) -> dict[str, Proviso]:
    """For each rulebook under which `record` is legal, and not by what it shows (`shown`): on what that hangs. Turns
    before turn `since` stand as they were played. Loads Z3 where there is such a rulebook. Cost: half of the budget at
    most; of a whole record two thirds of what was spent.
    """
    books = {name: each for name, each in registry().rulebooks.items() if each in verdicts.legal and each not in shown}
    if not books:
        return {}
    from couperation_formal.hidden.smt.infer import Provisos
    from couperation_formal.hidden.symbolic.record import symbolic

    by_book = dict.fromkeys(books, Proviso(False))
    share = budget.left // 2
    with suppress(Spent), budget.at_most(share if since else min(share, max(_LEAST, budget.spent * 2 // 3))):
        run = symbolic(record, None, budget=budget, since=since, places=True)
        search, like = Provisos(run, since), None
        for name, rulings in books.items():
            like = by_book[name] = search.under(rulings, like) or Proviso(False)
    return by_book


def _with_sizes(judged: Ways, verdicts: Verdicts, budget: Steps, since: int) -> dict[str, Proviso]:
    """For each rulebook under which the turn `since`, or (0) the whole record, is legal, and not by what is shown:
    sizes with which it is, and what else it hangs on with these; none where no such sizes were found. Cost: half of the
    budget.
    """
    shown, told = judged.shown, dict[str, Proviso]()
    for name, rulings in registry().rulebooks.items():
        if rulings in shown or rulings not in verdicts.legal:
            continue
        ways = [way for way in judged.ways if rulings in way.verdicts.legal]
        way = next((way for way in ways if rulings in way.shown), ways[0] if ways else None)
        told[name] = Proviso(False)
        if way is not None:
            alone = Readings.one(rulings)
            asked = Verdicts(alone, ~alone, Readings.none())
            more = _provisos(way.record, asked, way.shown, budget, since).get(name, ALWAYS)
            told[name] = Proviso(False, tuple((*way.sizes, *term) for term in more.terms[:1]))
    return told


def common(provided: dict[str, Proviso], legal: tuple[str, ...]) -> Proviso | None:
    """What all rulebooks that find something legal take for granted; None where that is nothing for each of them. Exact
    where it is the same for all; else a term that suffices under each, where one is found.
    """
    if not any(name in provided for name in legal):
        return None
    each = [provided.get(name, ALWAYS) for name in legal]
    if all(other == each[0] for other in each):
        return each[0]
    terms: list[Term] = [()]
    for proviso in each:
        both = [_joined(term, other) for term in terms for other in proviso.terms]
        terms = sorted((term for term in both if term is not None), key=len)[:_MOST]
    return Proviso(False, tuple(terms[:1]))


def _joined(one: Term, other: Term) -> Term | None:
    """Two terms as one; None where they cannot both hold, or only together with what cards and places allow."""
    first, second = ({(each.kind, each.of): each for each in term} for term in (one, other))
    free = [{key: each for key, each in term.items() if each.kind != "mark"} for term in (first, second)]
    if all(free) and free[0] != free[1]:
        return None
    for key, literal in second.items():
        values = first.get(key, literal).values
        first[key] = replace(literal, values=tuple(each for each in values if each in literal.values))
    return tuple(first.values()) if all(each.values for each in first.values()) else None
