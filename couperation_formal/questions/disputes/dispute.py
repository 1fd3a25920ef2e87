"""Job three: two people disagree whether a record is legal. Under which readings is it, and which rulings decide?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any, Final, Literal, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from couperation_formal.game.fact import Fact, Spent, Steps, Text, fact, numbers, steps_of, translated
from couperation_formal.game.record import Game, Proviso, Reached, Result, short
from couperation_formal.game.rulings import Rulings, Stand, registry
from couperation_formal.hidden.readings.condition import Leaf, Settled, Tree, condition, decision_tree, tree_size
from couperation_formal.hidden.readings.sets import Readings, Verdicts, depends_on, nearest
from couperation_formal.hidden.readings.standing import ENDS, cut, outcomes
from couperation_formal.notation.parse import OwnMarks
from couperation_formal.output.blocks import BAD, GOOD, Block, Columns, Heading, Paragraph, Sentence, Styled, Verbatim
from couperation_formal.output.formats import Answer, Data, GameData, Natural, Positive
from couperation_formal.output.report import cited, clauses, game_named, marked, stands, told_of
from couperation_formal.questions.disputes import judging
from couperation_formal.questions.records import hanging
from couperation_formal.questions.records.check import marked as marked_by
from couperation_formal.questions.records.states import GameLike, game_of
from couperation_formal.words.say import ENGLISH, say

_VERDICTS: Final = 0.6
"""The part of the budget that the verdicts may spend."""

NONE: Final = Readings.none()

T = TypeVar("T")


class Changed(Data):
    """Rulings changed in a rulebook, and the verdict that follows."""

    options: dict[str, str]
    verdict: Settled


class Turned(Data):
    """Rulings changed in a rulebook under which a game is legal, and the other outcome that follows."""

    options: dict[str, str]
    outcome: Result


class Outcome(Data):
    """What a game has come to, where legal readings differ in that. `when` has a condition for each outcome of these,
    exact among them; `decisive` the rulings on which it depends; `changes` for each rulebook under which it is legal
    every set of changes of least size that keeps it so and leads to another outcome. What the budget did not suffice
    for is null.
    """

    when: dict[str, tuple[hanging.TermData, ...] | None]
    decisive: tuple[str, ...]
    changes: dict[str, tuple[Turned, ...] | None]


class Stance(Data):
    """What a text says on a ruling, and where; with the options that it leaves open, if any."""

    option: str
    stand: Stand
    options: tuple[str, ...]
    place: str
    note: str

    def said(self, language: str) -> Stance:
        """The same in a language."""
        place, note = (say(translated(each), language) for each in (self.place, self.note))
        return replace(self, place=place, note=note)


class Dispute(Answer, msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a record's legality hangs on, or that of one turn.

    `turn` is the turn up to which it was asked for, None for the whole record with its result. `at` is the turn that
    was asked for by itself, everything before taken as it was played; then `standing` tells what was wrong before, and
    `nowhere` what cannot be carried out. `quarrels` are the answers on the turns that the record marks as
    disputed. `provided` tells, for each rulebook under which it is legal, on which marks, cards and places that hangs;
    a rulebook under which what is shown suffices is left out.

    The three conditions are those of `verdicts`. `decisive` names the rulings that they depend on, in the registry's
    order. `changes` has, for each rulebook, every set of changes of least size that turns its verdict: legal into
    illegal, illegal into legal, undetermined into either; none where no changes do. `texts` tells, for each decisive
    ruling, each text's view. `outcome` is None unless legal readings differ in what the game has come to;
    `outcome_tree` leads to that, and to the verdict where it is not legal. A tree is None where too many rulings
    decide. A condition, the changes of a rulebook and a tree are None too where the budget ended before they were
    found. `untold` names every part of which that is so: a condition by its field, ``tree``, ``nowhere``,
    ``rulebooks.en-1`` for a turn and clause, ``changes.en-1``, ``outcome.when.win``, ``outcome.changes.en-1``.
    """

    game: Game
    turn: int | None
    rulebooks: dict[str, judging.BookVerdict]
    verdicts: Verdicts
    legal_when: tuple[hanging.TermData, ...] | None
    illegal_when: tuple[hanging.TermData, ...] | None
    undetermined_when: tuple[hanging.TermData, ...] | None
    decisive: tuple[str, ...]
    changes: dict[str, tuple[Changed, ...] | None]
    texts: dict[str, dict[str, Stance]]
    tree: Tree | None
    untold: tuple[str, ...]
    spent: int
    limit: int
    outcome: Outcome | None = None
    outcome_tree: Tree | None = None
    at: int | None = None
    standing: tuple[judging.Stood, ...] = ()
    nowhere: judging.Nowhere | None = None
    quarrels: tuple[Dispute, ...] = ()
    provided: dict[str, Proviso] = {}

    def __repr__(self) -> str:
        books = {name: book.says for name, book in self.rulebooks.items()}
        return short(self, game=self.game, at=self.at, **books, decisive=self.decisive)

    def __str__(self) -> str:
        """The verdict under each rulebook, and the rulings that decide."""
        lines = [game_named(self.game)]
        for name, book in self.rulebooks.items():
            said = fact("end_of", result=book.says)
            if book.says == "illegal":
                said = fact("illegal") if book.turn is None else fact("illegal_in", turn=book.turn)
            lines.append(fact("told_of", what=(name,), said=said))
        lines += [fact("hangs_shown", names=self.decisive)] if self.decisive else []
        return "\n".join(say(line, ENGLISH) for line in lines)

    def data(self) -> DisputeData | QuarrelData:
        """The answer as `dispute --output-format json` writes it."""
        return self.data_in(ENGLISH)

    def data_in(self, language: str) -> DisputeData | QuarrelData:
        """The same with the sentences that it has in this language."""
        legal = tuple(name for name, book in self.rulebooks.items() if book.verdict == "legal")
        shared = judging.common(self.provided, legal)
        own: dict[str, Any] = {
            "rulebooks": {name: BookData.about(book, language) for name, book in self.rulebooks.items()},
            "provisos": {name: hanging.provided_data(each) for name, each in self.provided.items()},
            "texts": {
                name: {book: view.said(language) for book, view in views.items()} for name, views in self.texts.items()
            },
            "provided": None if shared is None else hanging.provided_data(shared),
        }
        if self.at is not None:
            return QuarrelData.about(self.game, self, asked="turn", **own)
        quarrels = tuple(each.data_in(language) for each in self.quarrels)
        return DisputeData.about(self.game, self, asked="record", quarrels=quarrels, **own)

    def blocks(self) -> Iterator[Paragraph]:
        """The whole answer, on turns that are disputed before the one on the record."""
        for quarrel in self.quarrels:
            yield from quarrel.blocks()
        data = self.data()
        file, game = self.game.file, data.game
        if isinstance(data, QuarrelData):
            asked = fact("quarrel_asked", file=file, game=game, turn=data.at)
            yield [Heading(asked), *map(Sentence, standing_words(data.standing))]
        else:
            kind = "record_asked" if self.quarrels else "game_asked"
            yield [Heading(fact(kind, file=file, game=game, turn=data.turn))]
        told = (hanging.proviso_blocks(each, self.game.record, whose) for each, whose in data.together())
        yield [_books(data), *chain.from_iterable(told)]
        yield [*map(Sentence, text_words(self))]
        if self.nowhere is not None:
            yield [Sentence(nowhere_told(self.nowhere))]
            return
        yield [*_conditions(data), *map(Sentence, untold_words(data))]
        if data.legal_when == () and data.undetermined_when == ():
            yield list(_sources(data))
        if data.texts:
            yield [Heading(fact("deciding")), *_texts(data)]
        if data.decisive:
            open_ = data.undetermined_when != ()
            none = fact("no_known_changes" if open_ else "no_changes")
            saying = ("open_taken" if book.says == "open" else "end_of" for book in data.rulebooks.values())
            rows = [
                (name, fact("told_of", what=fact(said, result=data.rulebooks[name].verdict), said=_to(each, none)))
                for said, (name, each) in zip(saying, data.changes.items(), strict=True)
            ]
            yield [Heading(fact("smallest_known" if open_ else "smallest_changes")), Columns(rows, indent=2)]
            yield [Heading(fact("tree")), self._drawn("tree", self.tree)]
        if data.outcome is not None:
            rows = [
                (name, fact("told_of", what=fact("end_of", result=came.taken), said=_to(each, fact("no_changes"))))
                for name, each in data.outcome.changes.items()
                if (came := data.rulebooks[name].outcome) is not None
            ]
            yield [Heading(fact("outcome_changes")), Columns(rows, indent=2)]
            yield [Heading(fact("outcome_tree")), self._drawn("outcome_tree", self.outcome_tree)]

    def _drawn(self, name: str, tree: Tree | None) -> Verbatim:
        if tree is None or tree_size(tree) > _MOST_NODES:
            return Verbatim([fact("tree_untold" if name in self.untold else "tree_too_large")], indent=2)
        return Verbatim([*_node(tree, "")], indent=2)

    @property
    def settled(self) -> bool:
        """Whether every reading has a verdict, and all was told."""
        return not (self.untold or self.verdicts.undetermined) and all(each.settled for each in self.quarrels)


def nowhere_told(nowhere: judging.Nowhere | None) -> Text:
    """What cannot be carried out; empty where all can."""
    if nowhere is None:
        return ""
    return fact("cannot_be_played", turn=nowhere.turn, what=nowhere.what or fact("nowhere_shown"))


def dispute(
    game: GameLike,
    turn: int | None = None,
    budget: Steps | int | None = None,
    *,
    at: int | None = None,
    whole: bool = False,
    marks: OwnMarks | None = None,
) -> Dispute:
    """The verdicts on a game under all readings, whatever rules it names itself; up to `turn` where given. With `at`
    those on this turn by itself: is it legal, if everything before stands as it was played? Without both, and unless
    the `whole` game alone is asked for, each turn marked ``~~`` is asked for too, with a budget of its own. `marks` are
    those of the cards that were played with.

    A fully seen record is decided without Z3. For others Z3 decides the readings that the plain replay leaves open,
    within `budget`, which pays for all that is told. Raises `ValueError` where there is no such turn. Cost: some
    milliseconds for a fully seen record.
    """
    steps = steps_of(budget)
    numbers(turn=turn, at=at)
    game = game_of(marked_by(game_of(game, "dispute"), marks)[0], "dispute")
    marked = game.record.turns if at is None and turn is None and not whole else ()
    places = [place for place, each in enumerate(marked, start=1) if "~~" in each.glyphs]
    quarrels = tuple(dispute(game, None, Steps(steps.left), at=place) for place in places)
    asked = game if at is not None else msgspec.structs.replace(game, record=cut(game.record, turn))
    record, share = asked.record, int(steps.left * _VERDICTS)
    ways: judging.Ways | None = None
    nowhere: judging.Nowhere | None = None
    stood: tuple[judging.Stood, ...] = ()
    untold: list[str] = []
    played, table = record, None

    def part(name: str, make: Callable[..., T], *of: object) -> T | None:
        """What `make` returns; None where it takes more than half of the steps that are left: then it is untold."""
        try:
            with steps.at_most(steps.left // 2):
                return make(*of, steps)
        except Spent:
            untold.append(name)
            return None

    if at is None:
        with steps.at_most(share):
            verdicts, shown = judging.verdicts_on(record, steps)
        rulebooks = judging.books_on(asked, verdicts, steps)
    else:
        before = judging.table_before(record, at)
        with steps.at_most(share):
            verdicts, shown, ways = judging.readings_at(record, at, before, steps)
        rulebooks = judging.books_at(record, at, before, None if ways is None else ways.ways[0], verdicts, steps)
        table = before.state
        if ways is not None and ways.ways[0].before is not None:
            played, table = ways.ways[0].record, ways.ways[0].before.state
        if ways is None:
            nowhere = part("nowhere", judging.nowhere_at, record, at, before, verdicts)
        stood = judging.stood_before(record, at, before, nowhere, steps)
    decisive = depends_on(*verdicts)
    conditions = {f"{name}_when": part(f"{name}_when", condition, of) for name, of in verdicts._asdict().items()}
    changes = {
        name: part(f"changes.{name}", least_changes, rulings, verdicts, decisive)
        for name, rulings in registry().rulebooks.items()
    }
    tree = part("tree", decision_tree, verdicts._asdict())
    last, reached = outcomes(played, at, table) if verdicts.legal and (at is None or table) else (None, {})
    legal = {name: reached.get(name, NONE) & verdicts.legal for name in (*get_args(Reached), "undetermined")}
    parts = {name: each for name, each in legal.items() if each}
    outcome, outcome_tree = None, None
    hangs: tuple[str, ...] = ()
    if len(parts) > 1:
        names, hangs = depends_on(*parts.values()), depends_on(*(reached[name] for name in parts))
        outcome = Outcome(
            when={name: part(f"outcome.when.{name}", condition, reached[name]) for name in parts},
            decisive=hangs,
            changes={
                name: part(f"outcome.changes.{name}", other_outcomes, book, parts, names)
                for name, book in registry().rulebooks.items()
                if book in verdicts.legal
            },
        )
        told: dict[str, Readings] = {**parts, "illegal": verdicts.illegal}
        told["undetermined"] = verdicts.undetermined | parts.get("undetermined", NONE)
        outcome_tree = part("outcome_tree", decision_tree, told)
    provided = judging.provisos(record, at, ways, verdicts, shown, steps)
    if at is None:
        rulebooks = judging.asked_again(asked, rulebooks, steps)
    rulebooks = judging.with_texts(asked, at, rulebooks, verdicts, last, reached, steps)
    untold += [f"rulebooks.{name}" for name, book in rulebooks.items() if not book.told]
    return Dispute(
        game=game,
        turn=turn,
        rulebooks=rulebooks,
        verdicts=verdicts,
        decisive=decisive,
        changes=changes,
        texts={each: _views(each) for each in registry().rulings if each in (*decisive, *hangs)},
        tree=tree,
        untold=tuple(untold),
        spent=steps.spent,
        limit=steps.limit,
        at=at,
        standing=stood,
        nowhere=nowhere,
        quarrels=quarrels,
        provided=provided,
        outcome=outcome,
        outcome_tree=outcome_tree,
        **conditions,
    )


def least_changes(
    rulings: Rulings, verdicts: Verdicts, decisive: tuple[str, ...], budget: Steps
) -> tuple[Changed, ...]:
    """Every set of changes of least size that turns the verdict under `rulings`. Raises `Spent` where `budget` does not
    suffice. Cost: one look a set of changes.
    """
    before = judging.verdict_of(rulings, verdicts)
    wanted = (verdicts.legal | verdicts.illegal) - getattr(verdicts, before)
    sets = [(each, rulings.with_changes(each)) for each in nearest(rulings, wanted, decisive, budget)]
    return tuple(Changed(options=each, verdict=judging.verdict_of(under, verdicts)) for each, under in sets)


def other_outcomes(
    rulings: Rulings, parts: dict[Result, Readings], names: tuple[str, ...], budget: Steps
) -> tuple[Turned, ...]:
    """Every set of changes of least size that leads from a legal reading to a legal one with another outcome. Raises
    `Spent` where `budget` does not suffice. Cost: one look a set of changes.
    """
    others = {name: part for name, part in parts.items() if rulings not in part and name != "undetermined"}
    wanted = reduce(or_, others.values(), NONE)
    sets = [(each, rulings.with_changes(each)) for each in nearest(rulings, wanted, names, budget)]
    return tuple(
        Turned(options=each, outcome=next(name for name, part in others.items() if under in part))
        for each, under in sets
    )


def _views(ruling: str) -> dict[str, Stance]:
    books, texts = registry().rulebooks, registry().rulings[ruling].texts
    return {name: Stance.of(each, option=books[name].option(ruling)) for name, each in texts.items()}


# The JSON form of `dispute`.


class BookData(hanging.Admits):
    """One rulebook's verdict, and those that its text admits; the turn counts by place, 0 for the set-up, null unless
    illegal. The code is null too where only several turns together cannot hold. What the budget left open is null, and
    `untold` names the rulebook. `outcome` is what the game has come to under the admitted readings that call it legal,
    null where none does, its `taken` an illegal rulebook's verdict; and `ended` by what it ended. `elsewhere` tells of
    an illegal game where other readings that the text admits refuse it.
    """

    verdict: Settled
    turn: Natural | None
    code: str | None
    outcome: hanging.Admits | None
    ended: str | None
    elsewhere: tuple[judging.Elsewhere, ...]

    @classmethod
    def about(cls, book: judging.BookVerdict, language: str) -> BookData:
        """The form of a rulebook's verdict."""
        text = book.text or hanging.Admits(admits=(book.verdict,), taken=book.verdict, when=None)
        ended = None if book.why is None else say(book.why, language)
        return cls.of(book, admits=text.admits, taken=text.taken, when=text.when, ended=ended)


class HangsData(GameData):
    """What legality hangs on. The three conditions are terms joined by *or*; together they cover every
    reading, and no two of them share one. `untold` names each part that the budget did not suffice for, as
    ``legal_when``, ``rulebooks.en-1`` (its turn and clause), ``changes.en-1``, ``tree``, ``nowhere`` (whether the turn
    can be carried out); conditions and changes are null then. `spent` of `limit` steps were taken. `provisos` tells
    what each rulebook that finds it legal takes for granted, but for those to which what the record shows suffices, and
    `provided` what all do: where it is not the same for all, a term that suffices under each, not exact; null where
    `provisos` is empty.
    """

    turn: Natural | None
    rulebooks: dict[str, BookData]
    decisive: tuple[str, ...]
    legal_when: tuple[hanging.TermData, ...] | None
    illegal_when: tuple[hanging.TermData, ...] | None
    undetermined_when: tuple[hanging.TermData, ...] | None
    changes: dict[str, tuple[Changed, ...] | None]
    outcome: Outcome | None
    texts: dict[str, dict[str, Stance]]
    provisos: dict[str, hanging.ProvidedData]
    untold: tuple[str, ...]
    spent: Natural
    limit: Natural
    format: Literal[1]

    def together(self) -> Iterator[tuple[hanging.ProvidedData, Fact]]:
        """The provisos of rulebooks, each once, with whose it is."""
        legal = [name for name, book in self.rulebooks.items() if book.verdict == "legal"]
        for proviso in dict.fromkeys(self.provisos.values()):
            names = [name for name, each in self.provisos.items() if each == proviso]
            under = fact("whose_books", books=fact("under_books", books=tuple(names)))
            yield proviso, fact("whose_record") if names == legal else under


class QuarrelData(HangsData):
    """What the legality of turn `at` hangs on, if everything before stands as it was played. `standing` tells what was
    wrong before, rulebook by rulebook.
    """

    asked: Literal["turn"]
    at: Positive
    standing: tuple[judging.Stood, ...]
    provided: hanging.ProvidedData | None


class DisputeData(HangsData):
    """What a record's legality hangs on, and that of each turn that it marks as disputed."""

    asked: Literal["record"]
    provided: hanging.ProvidedData | None
    quarrels: tuple[QuarrelData, ...]


# The answer to a dispute for people: what each rulebook says, on what it hangs, and how to get to a verdict.

STYLES = {"legal": GOOD, "illegal": BAD, "undetermined": "bold cyan", "open": "yellow"}

_MOST_TERMS = 40
_MOST_NODES = 200
_MOST_CHANGES = 12


def standing_words(stood: Sequence[judging.Stood]) -> Iterator[Fact]:
    """What was wrong before a turn, or may have been, each thing with the rulebooks under which it was and the places
    of the texts.
    """
    books: dict[tuple[int, tuple[str, ...], Fact | None], list[str]] = {}
    for each in stood:
        text = hanging.left_open(each) if len(each.admits) > 1 else None
        books.setdefault((each.turn, each.clauses, text), []).append(each.rulebook)
    for (turn, codes, text), names in sorted(books.items(), key=lambda each: each[0][:2]):
        every = len(names) == len(registry().rulebooks)
        under = fact("under_every") if every else fact("under_books", books=tuple(names))
        kind = "was_over" if codes and codes[0] in ENDS.values() else "was_wrong"
        if text is not None:
            kind = "stood_by" if codes else "stood_open"
        told = tuple(fact("parts", parts=(code, cited(code, *names))) for code in codes)
        yield fact(kind, under=under, books=tuple(names), turn=turn, clauses=told, text=text)


def _books(data: HangsData) -> Columns:
    heads = ("rulebook", "verdict", "outcome", "turn", "clause")
    rows: list[Sequence[Styled]] = [[fact(f"head_{name}") for name in heads]]
    for name, book in data.rulebooks.items():
        none = fact("not_found") if f"rulebooks.{name}" in data.untold else "-"
        turn = none if book.turn is None else fact("turn_number", turn=book.turn)
        clause = none if book.code is None else fact("parts", parts=(book.code, " ", told_of(book.code, name)))
        hangs = name in data.provisos and hanging.kind_of(data.provisos[name]) != "always"
        verdict = fact("legal_provided") if hangs and book.says == "legal" else fact("end_of", result=book.says)
        outcome = "-" if book.outcome is None else fact("end_of", result=book.outcome.says)
        rows.append([name, (verdict, STYLES[book.says]), outcome, turn, clause])
    return Columns(rows, head=True)


def text_words(asked: Dispute) -> Iterator[Fact]:
    """What texts leave open of the verdict and of the outcome, where other readings of theirs refuse another turn, and
    by what a game ended: each with the rulebooks of which it is so.
    """
    told: dict[Fact, list[str]] = {}
    for name, book in asked.data().rulebooks.items():
        for each in (book, book.outcome):
            if each is not None and len(each.admits) > 1:
                told.setdefault(hanging.left_open(each), []).append(name)
        for other in book.elsewhere:
            options = tuple(f"{ruling}={option}" for ruling, option in other.options.items())
            told.setdefault(fact("refused_elsewhere", options=options, turn=other.turn), []).append(name)
        if (why := asked.rulebooks[name].why) is not None:
            told.setdefault(why, []).append(name)
    for what, names in told.items():
        yield fact("said_of", books=tuple(names), what=what)


def _sources(data: HangsData) -> Iterator[Block]:
    """For each clause that a rulebook refuses by, what every text says of it, and which are silent."""
    for code in dict.fromkeys(book.code for book in data.rulebooks.values() if book.code in clauses()):
        clause = clauses()[code]
        yield Sentence(translated(clause.title), code, indent=2, gap="  ")
        rows = [(tuple(row.texts.split(", ")), row.place, row.says) for row in clause.sources]
        cells = [(fact("listed", texts=texts), translated(place), translated(says)) for texts, place, says in rows]
        yield Columns(cells, indent=4)


def _conditions(data: HangsData) -> Iterator[Block]:
    """When it is legal and, where some readings are undetermined, when it is that: legal is then what is known to
    be.
    """
    open_ = data.undetermined_when
    if open_ != ({},):
        provided = any(hanging.kind_of(each) != "always" for each in data.provisos.values())
        yield from _condition("legal", data.legal_when, open_ != (), provided)
    if open_ != ():
        yield from _condition("undetermined", open_)
    if data.outcome is not None:
        yield Sentence(fact("outcome_hangs", names=data.outcome.decisive))
        for name, terms in data.outcome.when.items():
            yield from _condition(name, terms)


def untold_words(data: HangsData) -> Iterator[Fact]:
    """What the budget did not suffice for beside what says so where it stands, and what was spent."""
    spent = fact("taken", spent=data.spent, limit=data.limit)
    missing = tuple(name for name in data.rulebooks if f"rulebooks.{name}" in data.untold)
    if missing:
        yield fact("books_untold", books=missing)
    if "nowhere" in data.untold:
        yield fact("nowhere_untold")
    if data.undetermined_when:
        yield fact("verdict_open", taken=spent)
    elif data.untold:
        yield fact("parts_open", taken=spent)


def _condition(
    verdict: str, terms: Sequence[hanging.TermData] | None, open_: bool = False, provided: bool = False
) -> Iterator[Block]:
    kind = "known_if" if open_ else "if_and_only_if_provided" if provided else "if_and_only_if"
    if not terms or terms == ({},):
        none = "no_reading_known" if open_ else "no_reading"
        every = "every_reading_provided" if provided else "every_reading"
        kind, terms = "some_readings" if terms is None else every if terms else none, ()
    yield Sentence(fact(kind), fact("end_of", result=verdict), STYLES.get(verdict, ""), gap=fact("before_condition"))
    for place, term in enumerate(terms[:_MOST_TERMS]):
        yield Sentence(fact("or_term" if place else "first_term", term=hanging.term_fact(term)), indent=2)
    if len(terms) > _MOST_TERMS:
        yield Sentence(fact("more_conditions", count=len(terms) - _MOST_TERMS), indent=2)


def _texts(data: HangsData) -> Iterator[Block]:
    """For each deciding ruling its question, and what the texts say."""
    for ruling, views in sorted(data.texts.items(), key=lambda each: registry().accord(each[0])):
        yield Sentence(translated(registry().rulings[ruling].question), ruling, indent=2, gap="  ")
        given = registry().rulings[ruling].texts
        rows = [(name, each.option, stands(given[name]), _noted(each)) for name, each in views.items()]
        yield Columns(rows, indent=4)


def _noted(stance: Stance) -> Text:
    """The place of a text, and what is noted of it."""
    place = translated(stance.place)
    return fact("parts", parts=(place, "  ", translated(stance.note))) if stance.note else place


def _to(changes: Sequence[Changed | Turned] | None, none: Fact) -> Fact:
    if changes is None:
        return fact("budget_before_found")
    shown = []
    to = [(each.verdict if isinstance(each, Changed) else each.outcome, each.options) for each in changes]
    for verdict in ("legal", "illegal", *get_args(Reached)):
        turning = sorted((options for came, options in to if came == verdict), key=_of_the_house)
        sets = [fact("set_of_options", parts=tuple(_option(*each) for each in options.items())) for options in turning]
        if sets:
            more = fact("more_changes", count=len(sets) - _MOST_CHANGES) if len(sets) > _MOST_CHANGES else ""
            came, most = fact("end_of", result=verdict), tuple(sets[:_MOST_CHANGES])
            shown.append(fact("verdict_under", verdict=came, sets=most, more=more))
    return fact("changes", shown=tuple(shown)) if shown else none


def _option(name: str, option: str) -> Fact:
    return fact("parts", parts=(name, "=", marked(name, option)))


def _of_the_house(options: dict[str, str]) -> int:
    """How many of the options no text takes."""
    return sum(not registry().takers(name, option) for name, option in options.items())


def _node(tree: Tree, indent: str) -> Iterator[Text]:
    """The lines of a tree, the first one without its indent."""
    if isinstance(tree, Leaf):
        yield fact("end_of", result=tree.verdict)
        return
    yield tree.ruling
    for place, (options, branch) in enumerate(tree.branches, start=1):
        last = place == len(tree.branches)
        first, *rest = _node(branch, indent + ("   " if last else "│  "))
        told = fact("told_of", what=(hanging.any_of(tree.ruling, options),), said=first)
        yield fact("parts", parts=(f"{indent}{'└─' if last else '├─'} ", told))
        yield from rest
