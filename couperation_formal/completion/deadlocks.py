"""The minimal deadlocked towers: which sets of laid cards that the rules can reach leave no filling, while all their
parts do.

The definitions, the algorithm and why it misses none stand in the specification, `deadlocks.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from couperation_formal.completion.laying import Cells, Question, limits_of, removable
from couperation_formal.completion.span_search import Search, start_line
from couperation_formal.completion.spans import FIRST, Line, Place
from couperation_formal.model.board import Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Card, Down, Laid, Up, Value
from couperation_formal.model.record import Position
from couperation_formal.model.rulings import taggable
from couperation_formal.notation.write import header_tags
from couperation_formal.rules.orders import finish_number


class Deadlock(NamedTuple):
    """A minimal deadlocked tower as numbers: what lies on each cell of its shape (0 for a down card), and the destroyed
    cards, rising; the Finish card is one more than the greatest number.
    """

    cards: tuple[int, ...]
    gone: tuple[int, ...]


def deadlocks(question: Question, cells: Cells) -> list[Deadlock]:
    """The minimal deadlocked towers of one shape, sorted; the cells besides the anchor's as `shapes` gives them.

    Cost: mostly in proportion to what is found.
    """
    board = question.board
    found: list[Deadlock] = []
    loose = removable(question, cells)
    capped = any(cell.level == board.levels for cell in cells)
    if capped and (question.variant == "finish" or question.rulings.early_apex == "forbidden"):
        return []
    for choice in range(1 << len(cells)):
        ups = tuple(cell for at, cell in enumerate(cells) if choice >> at & 1)
        if capped and cells[-1] not in ups:
            continue
        if any(cell not in ups and not _binds(question, cells, cell) for cell in loose):
            continue
        for gone in range(min(question.gone, board.cards - 1 - len(cells)) + 1):
            found += _with_ups(question, cells, ups, loose, gone)
    found += _finish_laid(question, cells, loose)
    return sorted(found)


def _binds(question: Question, cells: Cells, cell: Cell) -> bool:
    """Whether a card matters as far as it bounds the places of the columns."""
    there = {*cells, question.board.anchor_cell}
    return len(question.places([*there - {cell}])) > len(question.places([*there]))


def _with_ups(question: Question, cells: Cells, ups: Cells, loose: Cells, gone: int) -> Iterator[Deadlock]:
    """The minimal deadlocks of a shape whose up cards lie on `ups`, with so many destroyed Glass cards."""
    limits = limits_of(question, cells, ups, gone)
    if limits is None:
        return
    around = _Around(question, ups, gone)
    places = around.of(cells)
    search = Search(FIRST + len(ups) + gone, gone, places, limits, question.board.anchor, question.board.cards)
    others = [around.of([other for other in cells if other != cell]) for cell in loose if cell not in ups]
    for line in search.run():
        if any(_dead(search.open, [*line[:at], *line[at + 1 :]]) for at, (_, e) in enumerate(line) if e >= FIRST):
            continue
        if any(_dead(wider, line) for wider in others):
            continue
        numbers = {element: value for value, element in line}
        cards = tuple(numbers[FIRST + ups.index(cell)] if cell in ups else 0 for cell in cells)
        yield Deadlock(cards, tuple(value for value, element in line if element >= FIRST + len(ups)))


def _dead(places: Sequence[Place], line: Line) -> bool:
    return all(place.closed or place.dead(line) for place in places)


class _Around:
    """The places of the columns for the up cards of a shape and for its parts, each made once."""

    def __init__(self, question: Question, ups: Cells, gone: int) -> None:
        self._question, self._ups, self._gone = question, (question.board.anchor_cell, *ups), gone
        self._made: dict[int, Place] = {}

    def of(self, cells: Sequence[Cell]) -> list[Place]:
        """The places that hold the anchor and the cells."""
        question = self._question
        found = []
        for left in question.places([question.board.anchor_cell, *cells]):
            if left not in self._made:
                self._made[left] = Place(question.board.levels, left, self._ups, self._gone, question.apex)
            found.append(self._made[left])
        return found


def _finish_laid(question: Question, cells: Cells, loose: Cells) -> Iterator[Deadlock]:
    """The deadlocks by the Finish card: destroyed, or laid below the apex, all cards that it needs being down."""
    if question.variant == "first":
        return
    board = question.board
    if not cells:
        if question.gone and not _dead_down(question, cells):
            yield Deadlock((), (question.finish,))
        return
    if len(loose) > 1 or loose[0].level == board.levels:
        return
    rest = tuple(cell for cell in cells if cell != loose[0])
    number = finish_number(board, question.rulings)
    limits = limits_of(question, rest, (), 0) if number is None else limits_of(question, cells, loose, 0)
    if limits is None:
        return
    if number is not None:
        # Below the apex it has its number under `apex_free` too.
        least, most = limits.beside(start_line(board.anchor, board.cards), FIRST)
        if not least <= number <= most:
            return
    part = rest if limits_of(question, cells, (), 0) is None else cells
    if not _dead_down(question, part):
        yield Deadlock(tuple(question.finish if cell == loose[0] else 0 for cell in cells), ())


def _dead_down(question: Question, cells: Cells) -> bool:
    """Whether the anchor and down cards on these cells are a deadlock."""
    places = _Around(question, (), 0).of(cells)
    return _dead(places, start_line(question.board.anchor, question.board.cards))


def position_of(question: Question, cells: Cells, deadlock: Deadlock) -> Position:
    """The deadlock as a CGN position: the anchor's card first, the others as `cells` names them."""
    board, rules = question.board, taggable(question.rules)
    laid: list[tuple[Cell, Laid]] = [(board.anchor_cell, Up(Value(board.anchor)))]
    for cell, number in zip(cells, deadlock.cards, strict=True):
        laid.append((cell, Up(_card(question, number)) if number else Down(UNSEEN)))
    players = ("A", "B")
    return Position(
        tags=header_tags(players, rules, question.variant),
        players=players,
        rules=rules,
        variant=question.variant,
        marks={},
        tower=tuple(laid),
        hands={},
        gone=tuple(_card(question, number) for number in deadlock.gone),
    )


def _card(question: Question, number: int) -> Card:
    return FINISH if number == question.finish else Value(number)
