"""The minimal deadlocked towers, and which towers the rules can reach by laying cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import NamedTuple

import msgspec

from couperation_formal.game.record import Position
from couperation_formal.game.rules.arrangement import extension_key, finish_number, gap, orders, shown_on
from couperation_formal.game.rulings import Rules, Rulings, taggable
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Card, Cell, Down, Laid, Up, Value, Variant
from couperation_formal.notation.write import header_tags
from couperation_formal.towers.completion.spans import ANCHOR, FIRST, Apex, Hulls, Limits, Line, SpanSearch, start_line

# Which towers the rules can reach by laying cards: their shapes, and the limits of the numbers on them.
#
# Actions A and B only; nothing is opened or replaced.

Cells = tuple[Cell, ...]
"""The cells of a tower besides the anchor's, level by level, from left to right."""


class Sought(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for: the deadlocks of a board under some rulings, with at most `gone` destroyed cards."""

    rules: Rules
    board: Board = STANDARD
    variant: Variant = "first"
    gone: int = 0

    @property
    def rulings(self) -> Rulings:
        """The rulings that are asked about."""
        return self.rules.rulings

    @property
    def finish(self) -> int:
        """The number that stands for the Finish card."""
        return self.board.cards + 1

    @property
    def apex(self) -> Apex:
        """What the apex is."""
        if self.variant == "first":
            return "glass"
        if shown_on(self.board, Cell(0, self.board.levels), self.rulings) is None:
            return "bare"
        return "strict" if self.rulings.between == "strict" else "inclusive"

    def places(self, cells: Sequence[Cell]) -> list[int]:
        """The leftmost columns of the pyramids that hold the cells [anchor]; TOW04."""
        board = self.board
        first = max((cell.column + cell.level for cell in cells), default=0) - board.levels
        last = min((cell.column for cell in cells), default=board.levels)
        if self.rulings.anchor == "middle":
            return [board.middle] if first <= board.middle <= last else []
        return list(range(max(first, 0), min(last, board.levels - 1) + 1))


def laying_key(cell: Cell) -> tuple[int, int]:
    """The order in which the cells of a tower are named: level by level, from left to right."""
    return cell.level, cell.column


def shapes(question: Sought, cards: int) -> list[Cells]:
    """The sets of `cards` cells besides the anchor's that can hold a tower (TOW03 to TOW05), sorted."""
    board = question.board
    grown = []
    for row in _rows(question, cards):
        base = [cell for cell in row if cell != board.anchor_cell]
        for upper in _stacks(row, cards - len(base)):
            cells = (*base, *upper)
            if question.places((*row, *upper)):
                grown.append(cells)
    return sorted(grown, key=lambda cells: [laying_key(cell) for cell in cells])


def _rows(question: Sought, cards: int) -> Iterator[Cells]:
    """Level 1 with at most `cards` cells besides the anchor's."""
    board, anchor = question.board, question.board.anchor_cell.column
    if question.rulings.spread == "adjacent":
        for first in range(max(0, anchor - cards), anchor + 1):
            for last in range(anchor, min(board.columns - 1, first + cards) + 1):
                yield tuple(Cell(column, 1) for column in range(first, last + 1))
        return
    others = [column for column in range(board.columns) if column != anchor]
    for size in range(min(cards, board.levels - 1) + 1):
        for chosen in combinations(others, size):
            if max((*chosen, anchor)) - min((*chosen, anchor)) < board.levels:
                yield tuple(Cell(column, 1) for column in sorted((*chosen, anchor)))


def _stacks(row: Cells, cards: int) -> Iterator[Cells]:
    """The sets of `cards` cells above a level's cells that have their supports."""
    if not cards:
        yield ()
        return
    level = row[0].level + 1 if row else 0
    able = [Cell(left.column, level) for left, right in pairwise(row) if right.column == left.column + 1]
    for size in range(1, min(cards, len(able)) + 1):
        for chosen in combinations(able, size):
            for rest in _stacks(chosen, cards - size):
                yield (*chosen, *rest)


def removable(question: Sought, cells: Cells) -> Cells:
    """The cells of a shape that can be left out so that the rest is one: the last ones that a laying order may have."""
    board, there = question.board, {*cells, question.board.anchor_cell}
    held = {support for cell in there if cell.level > 1 for support in cell.supports}
    free = [cell for cell in cells if cell not in held]
    if question.rulings.spread == "adjacent":
        row = [cell.column for cell in there if cell.level == 1]
        free = [cell for cell in free if cell.level > 1 or cell.column in (min(row), max(row))]
    return tuple(cell for cell in free if cell != board.anchor_cell)


def limits_of(question: Sought, cells: Cells, ups: Cells, gone: int) -> Limits | None:
    """What TOW01, TOW02 and TOW07 let the up cards be while the others are down; None when no numbers will do.

    By longest paths through the down cards, in a linear extension of the orders.
    """
    board, rulings = question.board, question.rulings
    elements = {board.anchor_cell: ANCHOR} | {cell: FIRST + at for at, cell in enumerate(ups)}
    steps = _steps(board, rulings, cells)
    count = FIRST + len(ups) + gone
    limits = Limits([1] * count, [board.cards] * count, [[None] * count for _ in range(count)])
    for source, element in elements.items():
        for cell, far in _paths(question, steps, elements, {source: 0}).items():
            if cell in elements and cell != source:
                limits.gaps[element][elements[cell]] = far
            elif cell not in elements and rulings.facedown == "deck":
                limits.most[element] = min(limits.most[element], board.cards - far)
    if rulings.facedown == "deck":
        downs = {cell: 1 for cell in steps if cell not in elements}
        for cell, far in _paths(question, steps, elements, downs).items():
            if cell in elements:
                limits.least[elements[cell]] = far
            elif far > board.cards:
                return None
    _close(limits.gaps, list(elements.values()))
    anchored = limits.least[ANCHOR] <= board.anchor <= limits.most[ANCHOR]
    return limits if anchored else None


def _close(gaps: list[list[int | None]], elements: list[int]) -> None:
    """Add what follows: a gap over a third element."""
    for by, low, high in product(elements, repeat=3):
        first, second, known = gaps[low][by], gaps[by][high], gaps[low][high]
        if first is not None and second is not None and (known is None or known < first + second):
            gaps[low][high] = first + second


Steps = dict[Cell, list[tuple[Cell, int]]]


@lru_cache(maxsize=4)
def _steps(board: Board, rulings: Rulings, cells: Cells) -> Steps:
    """For each cell of a shape, in a linear extension, the cells whose numbers stay above its own, and by how much."""
    there = sorted({*cells, board.anchor_cell}, key=extension_key)
    steps: Steps = {cell: [] for cell in there}
    for lower, upper, clause in orders(board).every:
        if lower in steps and upper in steps:
            steps[lower].append((upper, gap(clause, rulings)))
    return steps


def _paths(question: Sought, steps: Steps, elements: dict[Cell, int], start: dict[Cell, int]) -> dict[Cell, int]:
    """The longest paths along the orders from the cells of `start`, with their lengths so far, through down cards."""
    waived = question.rulings.facedown == "ignored"
    far = dict(start)
    for cell, above in steps.items():
        if cell not in far or (cell in elements and cell not in start):
            continue
        for upper, least in above:
            if not waived or (cell in elements and upper in elements):
                far[upper] = max(far.get(upper, 0), far[cell] + least)
    return far


# The minimal deadlocked towers: which sets of laid cards that the rules can reach leave no filling, while all their
# parts do.
#
# The definitions, the algorithm and why it misses none stand in the specification, `deadlocks.md`.


class Deadlock(NamedTuple):
    """A minimal deadlocked tower as numbers: what lies on each cell of its shape (0 for a down card), and the destroyed
    cards, rising; the Finish card is one more than the greatest number.
    """

    cards: tuple[int, ...]
    gone: tuple[int, ...]


def deadlocks(question: Sought, cells: Cells) -> list[Deadlock]:
    """The minimal deadlocked towers of one shape, sorted; the cells besides the anchor's as `shapes` gives them.

    Cost: mostly in proportion to what is found.
    """
    board = question.board
    minimal: list[Deadlock] = []
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
            minimal += _with_ups(question, cells, ups, loose, gone)
    minimal += _finish_laid(question, cells, loose)
    return sorted(minimal)


def _binds(question: Sought, cells: Cells, cell: Cell) -> bool:
    """Whether a card matters as far as it bounds the places of the columns."""
    there = {*cells, question.board.anchor_cell}
    return len(question.places([*there - {cell}])) > len(question.places([*there]))


def _with_ups(question: Sought, cells: Cells, ups: Cells, loose: Cells, gone: int) -> Iterator[Deadlock]:
    """The minimal deadlocks of a shape whose up cards lie on `ups`, with so many destroyed Glass cards."""
    limits = limits_of(question, cells, ups, gone)
    if limits is None:
        return
    around = _Around(question, ups, gone)
    places = around.of(cells)
    search = SpanSearch(FIRST + len(ups) + gone, gone, places, limits, question.board.anchor, question.board.cards)
    others = [around.of([other for other in cells if other != cell]) for cell in loose if cell not in ups]
    for line in search.run():
        if any(_dead(search.open, [*line[:at], *line[at + 1 :]]) for at, (_, e) in enumerate(line) if e >= FIRST):
            continue
        if any(_dead(wider, line) for wider in others):
            continue
        numbers = {element: value for value, element in line}
        cards = tuple(numbers[FIRST + ups.index(cell)] if cell in ups else 0 for cell in cells)
        yield Deadlock(cards, tuple(value for value, element in line if element >= FIRST + len(ups)))


def _dead(places: Sequence[Hulls], line: Line) -> bool:
    return all(place.closed or place.dead(line) for place in places)


class _Around:
    """The places of the columns for the up cards of a shape and for its parts, each made once."""

    def __init__(self, question: Sought, ups: Cells, gone: int) -> None:
        self._question, self._ups, self._gone = question, (question.board.anchor_cell, *ups), gone
        self._made: dict[int, Hulls] = {}

    def of(self, cells: Sequence[Cell]) -> list[Hulls]:
        """The places that hold the anchor and the cells."""
        question = self._question
        places = []
        for left in question.places([question.board.anchor_cell, *cells]):
            if left not in self._made:
                self._made[left] = Hulls(question.board.levels, left, self._ups, self._gone, question.apex)
            places.append(self._made[left])
        return places


def _finish_laid(question: Sought, cells: Cells, loose: Cells) -> Iterator[Deadlock]:
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


def _dead_down(question: Sought, cells: Cells) -> bool:
    """Whether the anchor and down cards on these cells are a deadlock."""
    places = _Around(question, (), 0).of(cells)
    return _dead(places, start_line(question.board.anchor, question.board.cards))


def position_of(question: Sought, cells: Cells, deadlock: Deadlock) -> Position:
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


def _card(question: Sought, number: int) -> Card:
    return FINISH if number == question.finish else Value(number)
