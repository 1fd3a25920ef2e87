"""Why a tower or a table is dead, as data and in sentences that a person can check on the table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal

import msgspec

from couperation_formal.game.fact import Datum, Fact, fact, ranges, taken
from couperation_formal.game.record import Position, Turn
from couperation_formal.game.tower import STANDARD, Mark, column_name
from couperation_formal.notation.write import turn_text
from couperation_formal.output.blocks import Block, Drawing, Heading, Paragraph, Sentence, Verbatim
from couperation_formal.output.formats import Data, Natural, Positive, card_data
from couperation_formal.questions.tables.ask import Situation, after, world_position
from couperation_formal.towers.completion.answer import Completable, Deadlocked, TowerAnswer, places_data
from couperation_formal.towers.continuation.answer import Answer, Dead, Exhausted, Unknown, Won
from couperation_formal.towers.continuation.theorems import Reason
from couperation_formal.words.say import encodable, spoken

# Reasons at the tower level, as data.

Answered = Literal["completable", "deadlocked", "undetermined"]


class IntervalData(Data, tag_field="kind", tag="interval"):
    """More cells than values: `cells` must all hold a value strictly between `above` and `below`; `left` is what is
    left there.
    """

    above: Natural
    below: Positive
    cells: tuple[str, ...]
    left: tuple[Positive, ...]


class OrderData(Data, tag_field="kind", tag="order"):
    """Two up cards that disagree; the first cell must hold less than the second."""

    cells: tuple[str, str]


class GoneData(Data, tag_field="kind", tag="gone"):
    """Disjoint intervals with more cells than values whose cards are in sight; the others, less the unseen gone ones,
    are `missing` too few.
    """

    intervals: tuple[IntervalData, ...]
    missing: Positive


class FinishData(Data, tag_field="kind", tag="finish"):
    """The Finish card is gone, or lies up on `cell` below the apex."""

    why: Literal["gone", "below_apex"]
    cell: str | None


PlainReason = IntervalData | OrderData | GoneData | FinishData
"""A reason at one place of the columns."""


class PlaceData(Data):
    """The reason at one place of the columns; `column` is its leftmost one."""

    column: str
    reason: PlainReason


class PlacesData(Data, tag_field="kind", tag="places"):
    """A reason for each place of the columns that the tower allows, from left to right."""

    places: tuple[PlaceData, ...]


ReasonData = PlainReason | PlacesData


def reason_of(answer: TowerAnswer) -> ReasonData | None:
    """The reasons of a deadlocked tower as one, None of another."""
    places = places_of(answer)
    return places[0].reason if len(places) == 1 else PlacesData(places=places) if places else None


def places_of(answer: TowerAnswer) -> tuple[PlaceData, ...]:
    """The reason at each place of the columns that a deadlocked tower allows, from left to right; none of another."""
    return msgspec.convert(places_data(answer), tuple[PlaceData, ...]) if isinstance(answer, Deadlocked) else ()


def columns_of(answer: TowerAnswer) -> dict[PlainReason, tuple[str, ...]]:
    """The reasons of a deadlocked tower, each with the places that it holds for."""
    columns: dict[PlainReason, tuple[str, ...]] = {}
    for place in places_of(answer):
        columns[place.reason] = (*columns.get(place.reason, ()), place.column)
    return columns


# Reasons at the table level, and a budget that ran out, as data.


class TableReasonData(Data):
    """Why no continuation wins. `theorem` is where the specification proves it; for a game that was lost, the clause.

    `cells` and `cards` are what `numbers` count where single ones can be named. `reductions` and `digest` are those of
    an exhaustive search, which has no others.
    """

    kind: str
    theorem: str
    numbers: dict[str, int]
    cells: tuple[str, ...]
    cards: tuple[Positive, ...]
    reductions: tuple[str, ...]
    digest: str | None


class SizesData(Data):
    """The answer where the hands whose draws were not noted are of these sizes."""

    hands: dict[str, Natural]
    verdict: Answered


class BudgetData(Data):
    """A budget that ran out: the steps taken, their limit, and the cards that may still be spent beyond one for each
    empty cell. Where draws were not noted, `sizes` are two whose answers differ.
    """

    spent: Natural
    limit: Natural
    bound: int
    sizes: tuple[SizesData, ...]


# The parts of an answer at the table level, as data.


def verdict_of(answer: TowerAnswer | Answer) -> Answered:
    """The answer on a tower or a table in a word."""
    if isinstance(answer, Completable | Won):
        return "completable"
    return "undetermined" if isinstance(answer, Unknown) else "deadlocked"


def checked(answer: Answer | None) -> bool | None:
    """Whether the independent checker can repeat the proof; None without one."""
    return answer.checked if isinstance(answer, Dead) else True if isinstance(answer, Won) else None


def budget_of(answer: Answer | None) -> BudgetData | None:
    """The budget that ran out, None where it did not."""
    if not isinstance(answer, Unknown):
        return None
    sizes = tuple(
        SizesData(hands={name: len(hand) for name, hand in position.hands.items()}, verdict=verdict_of(own))
        for position, own in answer.each
    )
    return BudgetData.of(answer, sizes=sizes)


def marks_of(answer: Answer) -> dict[str, Mark]:
    """The marks that a line assumes, values rising."""
    return {str(value): mark for value, mark in sorted(answer.assumed_marks.items())} if isinstance(answer, Won) else {}


def written(turns: Iterable[Turn]) -> tuple[str, ...]:
    """Turns as CGN."""
    return tuple(encodable(turn_text(turn)) for turn in turns)


def reasons_of(answer: Answer) -> tuple[TableReasonData, ...]:
    """Why no continuation wins; empty for other answers."""
    if not isinstance(answer, Dead):
        return ()
    reason = answer.reason
    if isinstance(reason, Exhausted):
        numbers, page = {"positions": reason.positions}, "spec/search.md"
        return (TableReasonData.of(reason, kind="search", theorem=page, numbers=numbers, cells=(), cards=()),)
    return (reason_data(reason),)


def reason_data(reason: Reason) -> TableReasonData:
    """A reason with the page that proves it."""
    theorem, cells = f"spec/table.md#{reason.theorem}", tuple(map(str, reason.cells))
    return TableReasonData.of(reason, theorem=theorem, cells=cells, reductions=(), digest=None)


def ended(result: str) -> TableReasonData:
    """That the game was lost already, and by which clause."""
    theorem = "END03" if result == "stuck" else "END02"
    return TableReasonData(kind=result, theorem=theorem, numbers={}, cells=(), cards=(), reductions=(), digest=None)


def _differences(before: Position, after: Position) -> Iterator[Fact]:
    """What the unseen cards of a position are taken to be, pile by pile."""
    laid, deck = dict(before.tower), after.deck or ()
    piles = [("hand", name, before.hands.get(name, ()), hand) for name, hand in after.hands.items()]
    piles += [("reserve", "", before.reserve or (), after.reserve or ()), ("gone", "", before.gone, after.gone)]
    rows: list[tuple[str, str, Sequence[object]]] = [
        ("tower", "", [f"{card}@{cell}" for cell, card in after.tower if laid[cell] != card]),
        *((pile, name, [card for card in new if card not in old]) for pile, name, old, new in piles),
        ("deck", "", deck if deck != (before.deck or ()) else ()),
    ]
    for where, name, cards in rows:
        if cards:
            yield fact(f"assumed_{where}", name=name, cards=" ".join(map(str, cards)))


# Reasons in sentences that a person can check on the table.

_FEW = 5
"""So many numbers are named one by one."""


def reason_cells(reason: PlainReason) -> tuple[str, ...]:
    """The cells that a reason is about."""
    match reason:
        case IntervalData() | OrderData():
            return reason.cells
        case GoneData():
            return tuple(cell for interval in reason.intervals for cell in interval.cells)
        case FinishData():
            return () if reason.cell is None else (reason.cell,)


def sentence(reason: PlainReason, position: Position) -> Fact:
    """A reason in a sentence that a person can check on the table."""
    match reason:
        case IntervalData():
            return _must_hold(reason, "left", named=len(reason.cells) > 1)
        case OrderData():
            return _disagree(reason, position)
        case GoneData(intervals=()):
            return fact("more_gone")
        case GoneData(intervals=intervals):
            lacking = sum(len(interval.cells) - len(interval.left) for interval in intervals)
            parts = tuple(_must_hold(each, "in_sight", named=True) for each in intervals)
            return fact("starved", parts=parts, lacking=lacking, spare=max(0, lacking - reason.missing))
        case FinishData():
            return fact("finish_is_gone") if reason.cell is None else fact("finish_lies_on", cell=reason.cell)


def sentences(answer: TowerAnswer, position: Position) -> dict[Fact, tuple[str, ...]]:
    """The reasons of a deadlocked tower in sentences, each with the places that it holds for."""
    return {sentence(reason, position): columns for reason, columns in columns_of(answer).items()}


def _must_hold(reason: IntervalData, where: str, named: bool) -> Fact:
    """What some cells need, and what is there where it could come from; the cells `named` at the end."""
    cells, low, high = reason.cells, reason.above > 0, reason.below <= 50
    hold = fact("hold_one", cells=cells) if len(cells) == 1 else fact("hold_these", count=len(cells))
    between = ("any_number", "below", "above", "between_two")[low * 2 + high]
    number = fact(f"number_{between}", above=reason.above, below=reason.below)
    kind = "hold_a_number_named" if named else "hold_a_number"
    return fact(kind, hold=hold, between=number, left=_left(reason.left, fact(f"is_{where}")), cells=cells)


def _left(left: tuple[int, ...], place: Fact) -> Fact:
    if len(left) <= 1:
        return fact("only_one", card=left[0], where=place) if left else fact("none_is", where=place)
    if len(left) <= _FEW:
        return fact("only_few", first=left[:-1], last=left[-1], where=place)
    return fact("only_many", count=len(left), where=place, ranges=ranges(left))


def _disagree(reason: OrderData, position: Position) -> Fact:
    laid = {str(cell): str(card) for cell, card in position.tower}
    lower, upper = reason.cells
    finish = [cell for cell in reason.cells if laid.get(cell, "F") == "F"]
    low, high = (
        fact("finish_25") if cell in finish else fact("card_on", card=laid[cell], cell=cell) for cell in reason.cells
    )
    lax = finish and position.rules.rulings.between == "inclusive"
    return fact("may_not_be_more" if lax else "must_be_less", low=low, high=high, lower=lower, upper=upper)


def table_sentence(reason: TableReasonData) -> Fact:
    """Why no continuation of a table wins: a sentence for each kind of reason."""
    n: dict[str, Datum] = dict(reason.numbers)
    kind = f"dead_{reason.kind}"
    cells, cards = reason.cells, reason.cards
    if reason.kind == "finish":
        kind += f"_{next(iter(n))}"  # gone, reserve or laid
    if reason.kind == "turns":
        own = {name.removeprefix("player "): count for name, count in n.items() if name.startswith("player ")}
        left = tuple(fact("own_cards", player=player, count=count) for player, count in own.items())
        return fact(kind, n, own=left)
    if reason.kind == "interval":
        kind += "_tight" if n["cards"] == n["empty"] else ""
        hold = fact("hold_one" if len(cells) == 1 else "hold_all", cells=cells)
        return fact(kind, n, hold=hold, left=fact("come_some" if cards else "come_none", cards=cards))
    return fact(kind, n, cells=cells)


# What answers on towers share: where a tower is from, drawings of it, each conflict marked and told.


def heading(at: Situation) -> Paragraph:
    """Where a position is from, its event and its rules."""
    where = fact("position") if at.turn is None else after(at.turn, at.turns)
    return title(at.file, at.index, where, at.position)


def title(file: str, index: int, where: Fact, position: Position) -> list[Block]:
    """A file, a game and a place in it; the event and the rules."""
    event, variant = position.tag("Event"), position.variant
    facts = fact("position_facts", rules=str(position.rules), variant=variant)
    said = fact("game_where", file=file, game=index, where=where)
    return [Heading(said), Sentence(fact("told_of", what=(event,), said=facts) if event else facts)]


def refusals(position: Position, answer: TowerAnswer) -> Iterator[Paragraph]:
    """Each reason with its conflict in brackets, at the first place of the columns that it holds of, and in a
    sentence.
    """
    columns = columns_of(answer)
    for reason, starts in columns.items():
        yield [Drawing(position, pyramid_from(starts[0]), conflict=reason_cells(reason))]
        told = sentence(reason, position)
        if len(columns) > 1:
            ends = tuple(fact("first_last", first=each, last=column_name(pyramid_from(each)[-1])) for each in starts)
            told = fact("with_level_1", ends=ends, told=told)
        elif len(starts) > 1:
            told = fact("wherever_level_1", told=told)
        yield [Sentence(told)]


def pyramid_from(column: str) -> range:
    """The columns of level 1 of the pyramid whose leftmost one this is."""
    left = ord(column) - ord("a")
    return range(left, left + STANDARD.levels)


# What answers on tables share: what a line takes for granted, a reason and where it is proved, a budget.


def assumed(position: Position, answer: Answer) -> Iterator[Paragraph]:
    """What the line of an answer takes for granted: marks, and cards that the position does not show."""
    if not isinstance(answer, Won):
        return
    told = [fact("marks_are", marks=marks_text(marks_of(answer)))] if answer.assumed_marks else []
    told += _differences(position, world_position(position, answer))
    if told:
        yield [Sentence(fact("is_assumed")), *(Sentence(text, indent=2) for text in told)]


def marks_text(marks: Mapping[str, Mark]) -> str:
    """Cards with their marks, as a tag has them."""
    return " ".join(f"{value}:{mark}" for value, mark in marks.items())


def told(reasons: Sequence[TableReasonData], checked: bool | None) -> Paragraph:
    """The reason, and where it is proved."""
    told: list[Block] = []
    for reason in reasons:
        digest = fact("digest", digest=reason.digest) if reason.digest else ""
        proved = fact("proved", kind=reason.kind, theorem=reason.theorem, digest=digest)
        told += [Sentence(table_sentence(reason)), Verbatim([proved], "dim")]
    return told if checked else [*told, Sentence(fact("unchecked"))]


def ran_out(budget: BudgetData, spent: Fact | None = None) -> Fact:
    """That the budget ended first; where draws were not noted, with which sizes what is so."""
    if budget.sizes:
        hands = (tuple(f"{spoken(name)} {cards}" for name, cards in each.hands.items()) for each in budget.sizes)
        ways = zip(hands, budget.sizes, strict=True)
        return fact("sizes_decide", ways=tuple(fact("with_sizes", hands=had, said=each.verdict) for had, each in ways))
    kind = "too_many_numbers" if budget.spent < budget.limit else "budget_spent"
    return fact(kind, taken=spent or taken(budget), spare=budget.bound)


# The minimal deadlocks of a board, and how many there are, as data and for people.

Digits = Annotated[str, msgspec.Meta(pattern="^[0-9]+$")]


class MinimalData(Data):
    """A minimal deadlock: the number of cards besides the anchor's, the tower with that card first, the destroyed
    cards.
    """

    cards: Natural
    tower: str
    gone: tuple[Positive | Literal["F"], ...]
    reason: ReasonData
    format: Literal[1]


class CountsData(Data):
    """How many minimal deadlocks there are of each number of cards; `listed` tells whether each of them was written."""

    counts: dict[Digits, Natural]
    listed: bool
    format: Literal[1]


def minimal_data(position: Position, answer: Deadlocked) -> MinimalData:
    """A minimal deadlock as `deadlocks --output-format json` writes it."""
    return MinimalData.of(
        position,
        cards=len(position.tower) - 1,
        tower=" ".join(f"{laid}@{cell}" for cell, laid in position.tower),
        gone=tuple(map(card_data, position.gone)),
        reason=reason_of(answer),
    )


def counts_data(counts: Mapping[int, int], listed: bool) -> CountsData:
    """The last line of `deadlocks --output-format json`."""
    return CountsData(counts={str(cards): count for cards, count in counts.items()}, listed=listed, format=1)


def minimal_blocks(position: Position, answer: Deadlocked) -> Iterator[Paragraph]:
    """A minimal deadlock: the tower, and under it why it cannot be completed."""
    data = minimal_data(position, answer)
    gone = fact("and_gone", cards=" ".join(map(str, data.gone))) if data.gone else ""
    told = sentences(answer, position)
    texts = [fact("level_1_from", columns=of, why=each) if len(told) > 1 else each for each, of in told.items()]
    yield [Sentence(fact("parts", parts=(data.tower, gone))), *(Sentence(text, indent=4) for text in texts)]
