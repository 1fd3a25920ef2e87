"""Job three: two people disagree whether a record is legal. Under which readings is it, and which rulings decide?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, TypeVar

import msgspec

from couperation_formal.game.fact import Fact, Spent, Steps, fact, numbers, steps_of
from couperation_formal.game.record import Game, Proviso, short
from couperation_formal.game.rulings import Rulings, Stand, registry
from couperation_formal.hidden.readings.condition import Leaf, Settled, Tree, condition, decision_tree, tree_size
from couperation_formal.hidden.readings.sets import Readings, Verdicts, depends_on, nearest
from couperation_formal.hidden.readings.standing import cut
from couperation_formal.notation.parse import OwnMarks
from couperation_formal.output.blocks import BAD, GOOD, Block, Columns, Heading, Paragraph, Sentence, Verbatim
from couperation_formal.output.formats import Answer, Data, GameData, Natural, Positive
from couperation_formal.output.report import cited, clauses, game_named, marked, told_of
from couperation_formal.questions.disputes import judging
from couperation_formal.questions.records.check import marked as marked_by
from couperation_formal.questions.records.provided import ProvidedData, kind_of, provided_data, proviso_blocks
from couperation_formal.questions.records.states import GameLike, game_of
from couperation_formal.words.say import Piece, phrase

_VERDICTS: Final = 0.6
"""The part of the budget that the verdicts may spend."""

T = TypeVar("T")


TermData = dict[str, tuple[str, ...]]
"""Rulings with the options that are allowed, joined by *and*; a ruling left out is free."""


class Changed(Data):
    """Rulings changed in a rulebook, and the verdict that follows."""

    options: dict[str, str]
    verdict: Settled


class Stance(Data):
    """What a text says on a ruling, and where; with the options that it leaves open, if any."""

    option: str
    stand: Stand
    options: tuple[str, ...]
    place: str
    note: str


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
    ruling, each text's view. `tree` is None where too many rulings decide. A condition, the changes of a rulebook and
    the tree are None too where the budget ended before they were found. `untold` names every part of which that is so:
    a condition by its field, ``tree``, ``nowhere``, ``rulebooks.en-1`` for a turn and clause, ``changes.en-1``.
    """

    game: Game
    turn: int | None
    rulebooks: dict[str, judging.BookVerdict]
    verdicts: Verdicts
    legal_when: tuple[TermData, ...] | None
    illegal_when: tuple[TermData, ...] | None
    undetermined_when: tuple[TermData, ...] | None
    decisive: tuple[str, ...]
    changes: dict[str, tuple[Changed, ...] | None]
    texts: dict[str, dict[str, Stance]]
    tree: Tree | None
    untold: tuple[str, ...]
    spent: int
    limit: int
    at: int | None = None
    standing: tuple[judging.Stood, ...] = ()
    nowhere: judging.Nowhere | None = None
    quarrels: tuple[Dispute, ...] = ()
    provided: dict[str, Proviso] = {}

    def __repr__(self) -> str:
        books = {name: book.verdict for name, book in self.rulebooks.items()}
        return short(self, game=self.game, at=self.at, **books, decisive=self.decisive)

    def __str__(self) -> str:
        """The verdict under each rulebook, and the rulings that decide."""
        lines = [game_named(self.game)]
        for name, book in self.rulebooks.items():
            said = phrase("legal" if book.verdict == "legal" else "undetermined")
            if book.verdict == "illegal":
                said = phrase("illegal") if book.turn is None else phrase("illegal_in", turn=book.turn)
            lines.append(phrase("told_of", what=name, said=said))
        return "\n".join([*lines, *([phrase("hangs_shown", names=self.decisive)] if self.decisive else [])])

    def data(self) -> DisputeData | QuarrelData:
        """The answer as `dispute --output-format json` writes it."""
        legal = tuple(name for name, book in self.rulebooks.items() if book.verdict == "legal")
        shared = judging.common(self.provided, legal)
        own: dict[str, Any] = {
            "rulebooks": {name: BookData.of(book) for name, book in self.rulebooks.items()},
            "provisos": {name: provided_data(each) for name, each in self.provided.items()},
            "provided": None if shared is None else provided_data(shared),
        }
        if self.at is not None:
            return QuarrelData.about(self.game, self, asked="turn", **own)
        quarrels = tuple(each.data() for each in self.quarrels)
        return DisputeData.about(self.game, self, asked="record", quarrels=quarrels, **own)

    def blocks(self) -> Iterator[Paragraph]:
        """The whole answer, on turns that are disputed before the one on the record."""
        for quarrel in self.quarrels:
            yield from quarrel.blocks()
        data = self.data()
        file, game = self.game.file, data.game
        if isinstance(data, QuarrelData):
            asked = phrase("quarrel_asked", file=file, game=game, turn=data.at)
            yield [Heading(asked), *map(Sentence, standing_words(data.standing))]
        else:
            kind = "record_asked" if self.quarrels else "game_asked"
            yield [Heading(phrase(kind, file=file, game=game, turn=data.turn))]
        yield [
            _books(data),
            *(line for each, whose in data.together() for line in proviso_blocks(each, self.game.record, whose)),
        ]
        if self.nowhere is not None:
            yield [Sentence(self.nowhere_words())]
            return
        yield [*_conditions(data), *map(Sentence, untold_words(data))]
        if data.legal_when == () and data.undetermined_when == ():
            yield list(_sources(data))
        if data.texts:
            yield [Heading(phrase("deciding")), *_texts(data)]
        if data.decisive:
            open_ = data.undetermined_when != ()
            none = phrase("no_known_changes" if open_ else "no_changes")
            rows = [
                (name, f"{phrase(data.rulebooks[name].verdict)}: {_to(each, none)}")
                for name, each in data.changes.items()
            ]
            yield [Heading(phrase("smallest_known" if open_ else "smallest_changes")), Columns(rows, indent=2)]
            if self.tree is None or tree_size(self.tree) > _MOST_NODES:
                tree = [phrase("tree_untold" if "tree" in data.untold else "tree_too_large")]
            else:
                tree = [*_node(self.tree, "")]
            yield [Heading(phrase("tree")), Verbatim(tree, indent=2)]

    def nowhere_words(self) -> str:
        """What cannot be carried out; empty where all can."""
        if self.nowhere is None:
            return ""
        what = self.nowhere.what or fact("nowhere_shown")
        return phrase("cannot_be_played", turn=self.nowhere.turn, what=what)

    @property
    def settled(self) -> bool:
        """Whether every reading has a verdict, and all was told."""
        return (
            not self.untold
            and self.verdicts.undetermined == Readings.none()
            and all(each.settled for each in self.quarrels)
        )


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
        if ways is None:
            nowhere = part("nowhere", judging.nowhere_at, record, at, before, verdicts)
        stood = judging.stood_before(at, before, nowhere)
    decisive = depends_on(*verdicts)
    conditions = {f"{name}_when": part(f"{name}_when", condition, of) for name, of in verdicts._asdict().items()}
    changes = {
        name: part(f"changes.{name}", least_changes, rulings, verdicts, decisive)
        for name, rulings in registry().rulebooks.items()
    }
    tree = part("tree", decision_tree, verdicts)
    provided = judging.provisos(record, at, ways, verdicts, shown, steps)
    if at is None:
        rulebooks = judging.asked_again(asked, rulebooks, steps)
    untold += [f"rulebooks.{name}" for name, book in rulebooks.items() if not book.told]
    return Dispute(
        game=game,
        turn=turn,
        rulebooks=rulebooks,
        verdicts=verdicts,
        decisive=decisive,
        changes=changes,
        texts={ruling: _views(ruling) for ruling in decisive},
        tree=tree,
        untold=tuple(untold),
        spent=steps.spent,
        limit=steps.limit,
        at=at,
        standing=stood,
        nowhere=nowhere,
        quarrels=quarrels,
        provided=provided,
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


def _views(ruling: str) -> dict[str, Stance]:
    books, texts = registry().rulebooks, registry().rulings[ruling].texts
    return {name: Stance.of(each, option=books[name].option(ruling)) for name, each in texts.items()}


# The JSON form of `dispute`.


class BookData(Data):
    """One rulebook's verdict; the turn counts by place, 0 for the set-up, null unless illegal. The code is null too
    where only several turns together cannot hold. What the budget left open is null, and `untold` names the rulebook.
    """

    verdict: Settled
    turn: Natural | None
    code: str | None


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
    legal_when: tuple[TermData, ...] | None
    illegal_when: tuple[TermData, ...] | None
    undetermined_when: tuple[TermData, ...] | None
    changes: dict[str, tuple[Changed, ...] | None]
    texts: dict[str, dict[str, Stance]]
    provisos: dict[str, ProvidedData]
    untold: tuple[str, ...]
    spent: Natural
    limit: Natural
    format: Literal[1]

    def together(self) -> Iterator[tuple[ProvidedData, Fact]]:
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
    provided: ProvidedData | None


class DisputeData(HangsData):
    """What a record's legality hangs on, and that of each turn that it marks as disputed."""

    asked: Literal["record"]
    provided: ProvidedData | None
    quarrels: tuple[QuarrelData, ...]


# The answer to a dispute for people: what each rulebook says, on what it hangs, and how to get to a verdict.

STYLES = {"legal": GOOD, "illegal": BAD, "undetermined": "bold cyan"}

_ENDS = ("END01", "END02", "END03")

_MOST_TERMS = 40
_MOST_NODES = 200
_MOST_CHANGES = 12


def standing_words(stood: Sequence[judging.Stood]) -> Iterator[str]:
    """What was wrong before a turn, each thing with the rulebooks under which it was and the places of the
    texts.
    """
    books: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for each in stood:
        books.setdefault((each.turn, each.clauses), []).append(each.rulebook)
    for (turn, codes), names in sorted(books.items()):
        every = len(names) == len(registry().rulebooks)
        under = fact("under_every") if every else fact("under_books", books=tuple(names))
        kind = "was_over" if codes[0] in _ENDS else "was_wrong"
        yield phrase(kind, under=under, turn=turn, clauses=tuple(code + cited(code, *names) for code in codes))


def _books(data: HangsData) -> Columns:
    rows: list[Sequence[str | Piece]] = [[phrase(f"head_{name}") for name in ("rulebook", "verdict", "turn", "clause")]]
    for name, book in data.rulebooks.items():
        none = phrase("not_found") if f"rulebooks.{name}" in data.untold else "-"
        turn = none if book.turn is None else phrase("turn_number", turn=book.turn)
        clause = none if book.code is None else f"{book.code} {told_of(book.code, name)}".rstrip()
        hangs = name in data.provisos and kind_of(data.provisos[name]) != "always"
        verdict = phrase("legal_provided" if hangs else book.verdict)
        rows.append([name, (verdict, STYLES[book.verdict]), turn, clause])
    return Columns(rows, head=True)


def _sources(data: HangsData) -> Iterator[Block]:
    """For each clause that a rulebook refuses by, what every text says of it, and which are silent."""
    for code in dict.fromkeys(book.code for book in data.rulebooks.values() if book.code in clauses()):
        clause = clauses()[code]
        yield Sentence(f"  {clause.title}", code, indent=2)
        yield Columns([(row.texts, row.place, row.says) for row in clause.sources], indent=4)


def _conditions(data: HangsData) -> Iterator[Block]:
    """When it is legal and, where some readings are undetermined, when it is that: legal is then what is known to
    be.
    """
    open_ = data.undetermined_when
    if open_ != ({},):
        provided = any(kind_of(each) != "always" for each in data.provisos.values())
        yield from _condition("legal", data.legal_when, open_ != (), provided)
    if open_ != ():
        yield from _condition("undetermined", open_)


def untold_words(data: HangsData) -> Iterator[str]:
    """What the budget did not suffice for beside what says so where it stands, and what was spent."""
    spent = fact("taken", spent=data.spent, limit=data.limit)
    missing = tuple(name for name in data.rulebooks if f"rulebooks.{name}" in data.untold)
    if missing:
        yield phrase("books_untold", books=missing)
    if "nowhere" in data.untold:
        yield phrase("nowhere_untold")
    if data.undetermined_when:
        yield phrase("verdict_open", taken=spent)
    elif data.untold:
        yield phrase("parts_open", taken=spent)


def _condition(
    verdict: str, terms: Sequence[TermData] | None, open_: bool = False, provided: bool = False
) -> Iterator[Block]:
    if not terms or terms == ({},):
        none = "no_reading_known" if open_ else "no_reading"
        every = "every_reading_provided" if provided else "every_reading"
        kind = "some_readings" if terms is None else every if terms else none
        yield Sentence(f" {phrase(kind)}", phrase(verdict), STYLES[verdict])
        return
    kind = "known_if" if open_ else "if_and_only_if_provided" if provided else "if_and_only_if"
    yield Sentence(f" {phrase(kind)}", phrase(verdict), STYLES[verdict])
    for place, term in enumerate(terms[:_MOST_TERMS]):
        yield Sentence(f"{phrase('or_else') if place else '  '} {term_words(term)}", indent=2)
    if len(terms) > _MOST_TERMS:
        yield Sentence(phrase("more_conditions", count=len(terms) - _MOST_TERMS), indent=2)


def term_words(term: TermData) -> str:
    """The rulings of a term with the options that it allows."""
    parts = tuple(fact("ruling_is", ruling=name, options=any_of(name, of)) for name, of in term.items())
    return phrase("term", parts=parts)


def any_of(ruling: str, options: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``: options of a ruling, those that no text takes marked."""
    shown = [marked(ruling, option) for option in options]
    return shown[0] if len(shown) == 1 else phrase("any_of", first=tuple(shown[:-1]), last=shown[-1])


def _texts(data: HangsData) -> Iterator[Block]:
    """For each deciding ruling its question, and what the texts say."""
    for ruling, views in sorted(data.texts.items(), key=lambda each: not registry().disputed(each[0])):
        yield Sentence(f"  {registry().rulings[ruling].question}", ruling, indent=2)
        stands = registry().rulings[ruling].texts
        yield Columns(
            [
                (name, each.option, str(stands[name]), f"{each.place}  {each.note}".rstrip())
                for name, each in views.items()
            ],
            indent=4,
        )


def _to(changes: Sequence[Changed] | None, none: str) -> str:
    if changes is None:
        return phrase("budget_before_found")
    shown = []
    for verdict in ("legal", "illegal"):
        turning = sorted((change.options for change in changes if change.verdict == verdict), key=_of_the_house)
        sets = [" ".join(f"{name}={marked(name, option)}" for name, option in each.items()) for each in turning]
        if sets:
            more = phrase("more_changes", count=len(sets) - _MOST_CHANGES) if len(sets) > _MOST_CHANGES else ""
            shown.append(fact("verdict_under", verdict=fact(verdict), sets=tuple(sets[:_MOST_CHANGES]), more=more))
    return phrase("changes", shown=tuple(shown)) if shown else none


def _of_the_house(options: dict[str, str]) -> int:
    """How many of the options no text takes."""
    return sum(not registry().takers(name, option) for name, option in options.items())


def _node(tree: Tree, indent: str) -> Iterator[str]:
    """The lines of a tree, the first one without its indent."""
    if isinstance(tree, Leaf):
        yield phrase(tree.verdict)
        return
    yield tree.ruling
    for place, (options, branch) in enumerate(tree.branches, start=1):
        last = place == len(tree.branches)
        first, *rest = _node(branch, indent + ("   " if last else "│  "))
        yield f"{indent}{'└─' if last else '├─'} {any_of(tree.ruling, options)}: {first}"
        yield from rest
