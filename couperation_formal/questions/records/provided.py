"""What a legal verdict takes for granted: asked, as data, and for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, islice
from typing import Final, NamedTuple, cast

import msgspec

from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import ALWAYS, Answer, Assumption, Exchange, Game, Proviso, Record, Term, Turn
from couperation_formal.game.replay import most_drawn
from couperation_formal.game.rules.setup import setup_of
from couperation_formal.game.rulings import registry
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, FinishCard, Mark
from couperation_formal.hidden.readings.sets import Readings, Verdicts
from couperation_formal.hidden.readings.standing import (
    Standing,
    cut,
    plain_verdicts,
    quarrel_verdicts,
    standing,
    step_of,
)
from couperation_formal.output.blocks import Block, Sentence
from couperation_formal.output.formats import CardData, Data, Natural, Positive
from couperation_formal.output.report import Report
from couperation_formal.words.say import encodable, phrase, runs, say, spoken

# The JSON form of what a legal verdict takes for granted.


class MarkData(Data, frozen=True, kw_only=True, tag_field="about", tag="mark"):
    """`card` bears one of these marks."""

    card: Positive
    mark: tuple[Mark, ...]


class UnseenData(Data, frozen=True, kw_only=True, tag_field="about", tag="card"):
    """The card that is not shown at a place of the record is one of these: ``turn 4 action 1`` is the first that turn
    4, by place, writes in its action, ``deck 3`` the third card of the deck at set-up.
    """

    at: str
    card: tuple[CardData, ...]


class BeganData(Data, frozen=True, kw_only=True, tag_field="about", tag="place"):
    """`card` was in one of these lines at set-up: ``deal Aki``, ``reserve`` or ``deck``."""

    card: CardData
    place: tuple[str, ...]


class SizeData(Data, frozen=True, kw_only=True, tag_field="about", tag="size"):
    """So many cards were drawn where the record does not note how many: ``turn 3 draw``, ``turn 3 fill``."""

    at: str
    cards: Natural


LiteralData = MarkData | UnseenData | BeganData | SizeData


class ProvidedData(Data, frozen=True, kw_only=True):
    """What a legal verdict takes for granted of marks, cards and places that nobody noted: terms joined by *or*, each
    of literals joined by *and*; a term without literals says that nothing is.

    Where `exact` the terms are all of it, at most 16; else each of them suffices, and others may. Not exact and without
    terms: none was found within the budget, or none that suffices under all rulebooks in question.
    """

    exact: bool
    terms: tuple[tuple[LiteralData, ...], ...]


def provided_data(proviso: Proviso) -> ProvidedData:
    """The JSON form."""
    return ProvidedData(exact=proviso.exact, terms=tuple(tuple(map(_assumption, term)) for term in proviso.terms))


def _assumption(literal: Assumption) -> LiteralData:
    values = literal.values
    if literal.kind == "mark":
        return MarkData(card=int(str(literal.of)), mark=cast("tuple[Mark, ...]", values))
    if literal.kind == "card":
        return UnseenData(at=str(literal.of), card=tuple(map(_card, values)))
    if literal.kind == "place":
        return BeganData(card=_card(literal.of), place=tuple(encodable(str(value)) for value in values))
    return SizeData(at=str(literal.of), cards=int(str(values[0])))


def _card(card: Answer) -> CardData:
    return "F" if isinstance(card, FinishCard) else int(str(card))


# What a legal verdict takes for granted, for people.

_MOST_LITERALS = 12
"""So many literals of a term are shown at most."""


def proviso_blocks(proviso: ProvidedData, record: Record, whose: Fact, indent: int = 0) -> Iterator[Block]:
    """The proviso of a verdict on `record`; `whose` tells which."""
    yield Sentence(phrase(f"provided_{kind_of(proviso)}", whose=whose), indent=indent)
    terms = () if kind_of(proviso) == "always" else proviso.terms
    for place, term in enumerate(terms):
        yield Sentence(f"{phrase('or_else') if place else '  '} {term_words(term, record)}", indent=indent + 2)


def together(provisos: Mapping[str, ProvidedData], legal: Sequence[str]) -> list[tuple[ProvidedData, Fact]]:
    """The provisos of rulebooks, each once, with whose it is; `legal` are the rulebooks that find something legal."""
    books: list[tuple[ProvidedData, list[str]]] = []
    for name, proviso in provisos.items():
        same = next((names for proviso_there, names in books if proviso_there == proviso), None)
        if same is None:
            books.append((proviso, [name]))
        else:
            same.append(name)
    under = [fact("whose_books", books=fact("under_books", books=tuple(names))) for _, names in books]
    every = [
        fact("whose_record") if names == list(legal) else each for (_, names), each in zip(books, under, strict=True)
    ]
    return [(proviso_there, whose) for (proviso_there, _), whose in zip(books, every, strict=True)]


def kind_of(proviso: ProvidedData) -> str:
    """Which of the four kinds it is: always, that (exact), example, not_found."""
    if () in proviso.terms:
        return "always"
    return "that" if proviso.exact else "example" if proviso.terms else "not_found"


def term_words(term: Sequence[LiteralData], record: Record) -> str:
    """A term in words."""
    words = [_assumed(literal, record) for literal in term[:_MOST_LITERALS]]
    shown = phrase("proviso_term", parts=tuple(words))
    more = len(term) - _MOST_LITERALS
    return shown if more <= 0 else f"{shown} {phrase('more_literals', count=more)}"


def _assumed(literal: LiteralData, record: Record) -> Fact:
    if isinstance(literal, MarkData) and len(literal.mark) == 2:
        (other,) = {"1", "2", "H"} - {*literal.mark}
        return fact("bears_no", card=literal.card, mark=fact(f"mark {other}"))
    if isinstance(literal, MarkData):
        return fact("bears_mark", card=literal.card, marks=tuple(fact(f"mark {mark}") for mark in literal.mark))
    if isinstance(literal, BeganData):
        return fact("began", card=literal.card, places=tuple(map(_place, literal.place)))
    if isinstance(literal, SizeData):
        _, turn, part = literal.at.split()
        return fact("filled_up" if part == "fill" else "drew", cards=literal.cards, turn=int(turn))
    return fact("unseen_is", what=_what(literal, record), cards=_cards(literal))


def _place(line: str) -> Fact:
    if line.startswith("deal "):
        return fact("in_hand", player=spoken(line.removeprefix("deal ")))
    return fact("in_reserve" if line == "reserve" else "in_deck")


def _cards(literal: UnseenData) -> Fact:
    """The cards, runs of numbers in short."""
    numbers = runs(card for card in literal.card if isinstance(card, int))
    parts = [fact("cards_from", first=run[0], last=run[-1]) if len(run) > 1 else _one(run[0]) for run in numbers]
    parts += [_one(card) for card in literal.card if not isinstance(card, int)]
    return parts[0] if len(parts) == 1 else fact("any_of", first=tuple(parts[:-1]), last=parts[-1])


def _one(card: int | str) -> Fact:
    return fact("one_card", card=card)


def _what(literal: UnseenData, record: Record) -> Fact:
    """Which card it is that is not shown."""
    words = literal.at.split()
    if words[0] == "deck":
        return _of_deck(int(words[1]), record)
    turn, part, place = int(words[1]), words[2], int(words[3])
    if part in ("drop", "trim"):
        return fact("card_dropped" if part == "drop" else "card_trimmed", place=place, turn=turn)
    action = record.turns[turn - 1].action
    if not isinstance(action, Exchange):
        return fact("card_laid", turn=turn)
    if place <= 2:
        return fact("card_sent", place=place, turn=turn)
    if place <= 2 + len(action.adjust):
        return fact("card_destroyed", place=place - 2, turn=turn)
    return fact("card_taken", turn=turn)


def _of_deck(place: int, record: Record) -> Fact:
    """A card of the deck, by the turn that draws it where one does."""
    drawn = [len(turn.draw) + len(turn.fill) for turn in record.turns]
    for turn, (ahead, count) in enumerate(zip(accumulate([0, *drawn]), drawn, strict=False), start=1):
        if ahead < place <= ahead + count:
            return fact("card_drawn", place=place - ahead, turn=turn)
    return fact("card_of_deck", place=place)


def provided_words(proviso: ProvidedData, record: Record, whose: Fact) -> tuple[str, ...]:
    """The same as lines of text."""
    blocks = proviso_blocks(proviso, record, whose)
    return tuple(block.text.strip() for block in blocks if isinstance(block, Sentence))


def open_words(what: Fact, turn: int) -> str:
    """What the plain replay of a legal record did not find shown."""
    return phrase("hangs_on_open", what=say(what), turn=turn)


# On what a legal verdict hangs that nobody noted: of a dispute for each rulebook, of a check under its own rules.


_LEAST: Final = 150_000
"""The steps that the provisos of a whole record may take at least: else two thirds of what the rest of the answer took.
"""

_MOST: Final = 16
"""So many ways to make one term of those of several rulebooks are looked at."""


def provisos_of(
    record: Record,
    turn: int | None,
    verdicts: Verdicts,
    shown: Readings,
    budget: Steps,
    since: int = 0,
    board: Board = STANDARD,
) -> dict[str, Proviso]:
    """For each rulebook under which `record` up to `turn` is legal, and not by what it shows (`shown`): on what that
    hangs. Turns before turn `since` stand as they were played. Loads Z3 where there is such a rulebook. Cost: half of
    the budget at most; of a whole record two thirds of what was spent.
    """
    books = {name: each for name, each in registry().rulebooks.items() if each in verdicts.legal and each not in shown}
    if not books:
        return {}
    from couperation_formal.hidden.smt.readings import Provisos
    from couperation_formal.hidden.symbolic.record import symbolic

    by_book: dict[str, Proviso] = {}
    share = budget.left // 2
    with budget.at_most(share if since else min(share, max(_LEAST, budget.spent * 2 // 3))):
        try:
            run = symbolic(cut(record, turn), None, board, budget=budget, since=since, places=True)
            search, like = Provisos(run, since, budget), None
            for name, rulings in books.items():
                like = by_book[name] = search.under(rulings, like) or Proviso(False)
        except Spent:
            pass
    return {name: by_book.get(name, Proviso(False)) for name in books}


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
        both = [joined(term, other) for term in terms for other in proviso.terms]
        terms = sorted((term for term in both if term is not None), key=len)[:_MOST]
    return Proviso(False, tuple(terms[:1]))


def joined(one: Term, other: Term) -> Term | None:
    """Two terms as one; None where they cannot both hold, or only together with what cards and places allow."""
    first, second = ({(each.kind, each.of): each for each in term} for term in (one, other))
    free = [{key: each for key, each in term.items() if each.kind != "mark"} for term in (first, second)]
    if all(free) and free[0] != free[1]:
        return None
    for key, literal in second.items():
        values = first.get(key, literal).values
        first[key] = msgspec.structs.replace(literal, values=tuple(each for each in values if each in literal.values))
    return tuple(first.values()) if all(each.values for each in first.values()) else None


def with_proviso(report: Report, budget: Steps | int | None = None, since: int = 0) -> Report:
    """The report on a legal record with what it takes for granted; any other as it is. Turns before turn `since` stand
    as they were played. Loads Z3 where the record does not show all that was asked. Cost: `budget` at most.
    """
    game, world = report.item, report.world
    if report.verdict != "legal" or world is None or not isinstance(game, Game) or report.rules is None:
        return report
    from couperation_formal.hidden.smt.readings import proviso

    steps, record, sizes = steps_of(budget), *_noted(game.record, world)
    before = steps.spent
    provided = proviso(record, report.rules.rulings, budget=steps, since=since) or Proviso(False)
    if sizes:
        provided = Proviso(False, tuple((*sizes, *term) for term in provided.terms[:1]))
    return msgspec.structs.replace(report, provided=provided, spent=report.spent + steps.spent - before)


def _noted(record: Record, world: Record) -> tuple[Record, Term]:
    """The record with the sizes that its open draws have in a world, and these as literals."""
    turns, sizes = [], list[Assumption]()
    for place, (turn, shown) in enumerate(zip(record.turns, world.turns, strict=True), start=1):
        if turn.draw_open:
            sizes.append(Assumption("size", f"turn {place} draw", (str(len(shown.draw)),)))
            turn = msgspec.structs.replace(turn, draw=(UNSEEN,) * len(shown.draw), draw_open=False)
        if turn.fill_open:
            sizes.append(Assumption("size", f"turn {place} fill", (str(len(shown.fill)),)))
            turn = msgspec.structs.replace(turn, fill=(UNSEEN,) * len(shown.fill), fill_open=False)
        turns.append(turn)
    return msgspec.structs.replace(record, turns=tuple(turns)), tuple(sizes)


# A turn by itself where draws were not noted: judged once for each number of cards that they may have been.

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
        none = Readings.none()
        legal, open_ = none, none if self.all else Readings.every()
        for way in self.ways:
            legal |= way.verdicts.legal
            open_ |= way.verdicts.undetermined
        return Verdicts(legal, ~legal - open_, open_ - legal)

    @property
    def shown(self) -> Readings:
        """The readings under which it is legal whatever the sizes are, and all else that is not shown."""
        readings = Readings.every() if self.all else Readings.none()
        for way in self.ways:
            readings &= way.shown
        return readings


def ways_at(record: Record, at: int | None, budget: Steps, board: Board = STANDARD) -> Ways | None:
    """Turn `at` with each choice of sizes by which its cards and those of the turns before lay where they were taken
    from; without `at` the whole record with each. None where every draw was noted, or where none is found. Cost: half
    of the budget at most.
    """
    record = cut(record, at)
    open_ = [*_open(record)]
    if not open_:
        return None
    noted = sum(len(turn.draw) + len(turn.fill) for turn in record.turns)
    left = setup_of(record, board).deck_size - noted
    most = [min(left, most_drawn(board)) if at in (None, place) else left for place, _ in open_]
    choices = _choices(most, left)
    cost = _TURN * len(record.turns)
    chosen = [*islice(choices, budget.left // (2 * cost))]
    budget.spend(cost * len(chosen))
    judged = [way for each in chosen if (way := _way(record, at, open_, each, board)) is not None]
    return Ways(tuple(judged), next(choices, None) is None) if judged else None


def decided(
    open_ways: Ways, budget: Steps, at: int | None, board: Board = STANDARD, within: Readings | None = None
) -> Ways | None:
    """The ways once Z3 has looked at what they leave undetermined, in their order, of all readings or those `within`;
    what one finds legal the others are not asked for. Those that cannot have been played are left out; None where all
    are.
    """
    from couperation_formal.hidden.smt.readings import symbolic_verdicts, unplayable

    ways, legal = list[Way](), open_ways.verdicts.legal
    for way in open_ways.ways:
        left = way.verdicts.undetermined - legal
        left = left if within is None else left & within
        if left and budget.left:
            more = symbolic_verdicts(way.record, board, None, left, budget, since=at or 0)
            with suppress(Spent):
                open_ = more.undetermined == Readings.every()
                if at and open_ and unplayable(way.record, at, board, budget) is not None:
                    continue
            legal |= more.legal
            known = way.verdicts
            rest = (known.undetermined - left) | more.undetermined
            way = way._replace(verdicts=Verdicts(known.legal | more.legal, known.illegal | more.illegal, rest))
        ways.append(way)
    return Ways(tuple(ways), open_ways.all) if ways else None


def provisos(
    judged: Ways, verdicts: Verdicts, budget: Steps, at: int | None, board: Board = STANDARD
) -> dict[str, Proviso]:
    """For each rulebook under which the turn `at`, or the whole record, is legal, and not by what is shown: sizes with
    which it is, and what else it hangs on with these; none where no such sizes were found. Cost: half of the budget.
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
            more = provisos_of(way.record, at, asked, way.shown, budget, since=at or 0, board=board).get(name, ALWAYS)
            told[name] = Proviso(False, tuple((*way.sizes, *term) for term in more.terms[:1]))
    return told


def _open(record: Record) -> Iterator[tuple[int, str]]:
    for place, turn in enumerate(record.turns, start=1):
        if turn.draw_open:
            yield place, "draw"
        if turn.fill_open:
            yield place, "fill"


def _choices(most: list[int], left: int) -> Iterator[tuple[int, ...]]:
    """Every choice of sizes that the deck suffices for, those of few cards first."""
    for total in range(min(left, sum(most)) + 1):
        yield from _summing(most, total)


def _summing(most: list[int], total: int) -> Iterator[tuple[int, ...]]:
    if not most:
        if total == 0:
            yield ()
        return
    for size in range(max(0, total - sum(most[1:])), min(most[0], total) + 1):
        for rest in _summing(most[1:], total - size):
            yield size, *rest


def _way(
    record: Record, at: int | None, open_: list[tuple[int, str]], sizes: tuple[int, ...], board: Board
) -> Way | None:
    """None where a card was not where a turn takes it from, as a hand has too few cards with these sizes."""
    turns = list[Turn](record.turns)
    for (place, part), size in zip(open_, sizes, strict=True):
        noted = {part: (UNSEEN,) * size, f"{part}_open": False}
        turns[place - 1] = msgspec.structs.replace(turns[place - 1], **noted)
    sized = msgspec.structs.replace(record, turns=tuple(turns))
    term = tuple(
        Assumption("size", f"turn {place} {part}", (str(size),))
        for (place, part), size in zip(open_, sizes, strict=True)
    )
    if at is None:
        plain = plain_verdicts(sized, board)
        return Way(sized, term, None, plain, plain.legal)
    before = standing(sized, at, (next(iter(registry().rulebooks.values())),), board)
    step = None if before.state is None else step_of(before.state, turns[at - 1])
    if step is None or step.strays or any("SET06" in slip.clauses for slip in before.slips[0]):
        return None
    verdicts = quarrel_verdicts(sized, at, board, before)
    return Way(sized, term, before, verdicts, verdicts.legal)
