"""The minimal deadlocked towers, and which towers the rules can reach by laying cards."""

from bisect import insort
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import combinations, pairwise, product
from operator import and_, or_
from typing import Literal, NamedTuple

import msgspec

from couperation_formal.game.record import Position
from couperation_formal.game.rules.arrangement import extension_key, finish_number, gap, orders, shown_on
from couperation_formal.game.rulings import Rules, Rulings, taggable
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Card, Cell, Down, Laid, Up, Value, Variant
from couperation_formal.notation.write import header_tags
from couperation_formal.towers.completion.fill import bits, places, shape

# The spans of a tower's numbers, and the search for those that leave no filling.
#
# Take some of the up cards of a tower, at one place of the columns. The cells that lie, in the order of the full tower,
# between two of them (they themselves included) are their *hull*; all of it is filled with numbers from the least to
# the greatest of theirs. So a tower has no filling when a hull has more cells than there are numbers in that *span*,
# and, as the theorem of `completability.md` says, only then or when two up cards disagree. Three cards are always
# there: the one of the set-up, and two that stand for the ends of the deck, number 0 below every cell and one more than
# the greatest number above every cell. A destroyed card fills no cell but takes a number: it counts one more in a hull.

BOTTOM, ANCHOR, TOP, FIRST = 0, 1, 2, 3
"""The elements that every tower has, and the first one of a tower's own."""

Line = list[tuple[int, int]]
"""Numbers and the elements that they stand on, rising."""

Apex = Literal["glass", "bare", "strict", "inclusive"]
"""What the apex is: a Glass card, the Finish card that is asked for no order there, or the Finish card with the
anchor's number, [between] being strict or inclusive.
"""


class Hulls(dict[int, int]):
    """One place of the columns: the size of the hull of every set of elements, as bits, found when asked for.

    `over[e]` are the elements whose number must be greater than that of element e. `closed` tells that no numbers at
    all will do.
    """

    def __init__(self, board: Board, left: int, ups: Sequence[Cell], free: int, apex: Apex) -> None:
        """`ups` are the cells of the elements from `FIRST` on; `free` more elements have none.

        The Finish card's apex is no cell to fill; where it has a number it belongs to the anchor's element.
        """
        super().__init__()
        self._board = board
        grid = shape(board.levels)
        above, below = grid.up_sets, grid.down_sets
        at = [grid.number[cell.column - left, cell.level] for cell in (board.anchor_cell, *ups)]
        self._filled = (1 << grid.size) - 1 - (0 if apex == "glass" else 1 << grid.apex)
        anchor = [at[0], grid.apex] if apex in ("strict", "inclusive") else [at[0]]
        owned = [[], anchor, [], *([i] for i in at[1:]), *([] for _ in range(free))]
        self._above = [reduce(or_, [above[cell] for cell in own], 0) for own in owned]
        self._below = [reduce(or_, [below[cell] for cell in own], 0) for own in owned]
        self._above[BOTTOM] = self._below[TOP] = (1 << grid.size) - 1
        self._bare = sum(1 << e for e, own in enumerate(owned) if not own)
        self.over = [
            sum(1 << f for f, others in enumerate(owned) if f != e and any(self._above[e] >> c & 1 for c in others))
            for e in range(len(owned))
        ]
        self.pairs = [(e, f) for e in range(ANCHOR, len(owned)) for f in bits(self.over[e])]
        self.closed = apex == "strict" and bool((above[at[0]] | below[at[0]]) >> grid.apex & 1)

    def __missing__(self, elements: int) -> int:
        above = below = 0
        for e in bits(elements):
            above |= self._above[e]
            below |= self._below[e]
        size = (above & below & self._filled).bit_count() + (elements & self._bare).bit_count()
        self[elements] = size
        return size

    def dead(self, line: Line) -> bool:
        """Whether these numbers leave no filling here. Cost: quadratic in the elements."""
        return self.closed or any(self._reasons(line))

    def needed(self, line: Line) -> int:
        """Elements, as bits, without some of which there would be a filling: those in every reason that is a run of the
        line; -1 where there is none.
        """
        return reduce(and_, self._reasons(line), -1)

    def _reasons(self, line: Line) -> Iterator[int]:
        """The reasons why there is no filling that are two elements that disagree or a run of the line, as bits."""
        seen = 0
        for at, (high, element) in enumerate(line):
            span = 1 << element
            for other in bits(self.over[element] & seen):
                yield span | 1 << other
            seen |= span
            for low, other in line[at::-1]:
                span |= 1 << other
                if self[span] > high - low + 1:
                    yield span

    @cached_property
    def candidates(self) -> list[tuple[int, int, int]]:
        """The sets of elements that some numbers of the deck make a reason why there is no filling, and none of whose
        own subsets is one: each element adds to the hull or is an end of the span. With each the size of its hull, and
        those that may only be its least or greatest.
        """
        found, count = [], len(self.over)
        both = 1 << BOTTOM | 1 << TOP
        under = [sum(1 << f for f in range(count) if self.over[f] >> e & 1) for e in range(count)]
        for elements in range(1 << count):
            hull = self[elements]
            if hull <= elements.bit_count() or (elements & both == both and hull <= self._board.cards + 2):
                continue
            ends = 0
            for e in bits(elements):
                if self[elements & ~(1 << e)] == hull:
                    ends |= 1 << e
            if ends.bit_count() > 2:
                continue
            inner = (e for e in bits(ends) if e >= FIRST or e == ANCHOR)
            low, high = elements & (1 << BOTTOM), elements & (1 << TOP)
            if any((low or elements & under[e]) and (high or elements & self.over[e]) for e in inner):
                continue
            found.append((elements, hull, ends))
        return found


# The search for numbers of up cards, and for destroyed cards, that leave no filling.


def start_line(board: Board) -> Line:
    """The line of the elements that every tower has."""
    return [(0, BOTTOM), (board.anchor, ANCHOR), (board.cards + 1, TOP)]


_REMEMBERED = 1_000_000
"""So many lines that were met are remembered, which bounds the memory; one that is met again is only searched again."""


class Limits(NamedTuple):
    """What the rules let the numbers of the elements be.

    `least[e]` and `most[e]` bound element e alone. `gaps[e][f]`, where it is not None, is by how much f's number is
    greater than e's at least.
    """

    least: list[int]
    most: list[int]
    gaps: list[list[int | None]]

    def beside(self, line: Line, element: int) -> tuple[int, int]:
        """The least and the greatest number that `element` may have beside those of `line`."""
        least, most = self.least[element], self.most[element]
        for value, other in line:
            up, down = self.gaps[other][element], self.gaps[element][other]
            if up is not None and value + up > least:
                least = value + up
            if down is not None and value - down < most:
                most = value - down
        return least, most


class SpanSearch:
    """The deadlocks over all numbers of some up cards and destroyed cards (the last `free` elements).

    At the first place that still has a filling the next reason why it may have none is chosen, and numbers for those of
    its elements that have none yet; then the next place. A minimal deadlock has a reason at every place, none of its
    proper parts is one, and every element is in some reason: so each is met. Places in the middle, where reasons are
    few, come first. The last element's numbers are found for all places at once.
    """

    def __init__(self, free: int, places: Sequence[Hulls], limits: Limits, board: Board) -> None:
        elements = len(limits.least)
        self._limits, self._cells = limits, elements - free
        self._all = (1 << elements) - (1 << FIRST)
        self._start = start_line(board)
        opened = [place for place in places if not place.dead(self._start)]
        from_middle = sorted(range(len(opened)), key=lambda at: abs(2 * at - len(opened) + 1))
        self.open = [opened[at] for at in from_middle]
        self._met: set[tuple[tuple[int, int], ...]] = set()
        self._found: dict[tuple[tuple[int, int], ...], Line] = {}

    def run(self) -> Iterator[Line]:
        """Numbers of all elements that leave no filling at any place; all minimal ones are among them, each once."""
        if self.open and self._all:
            self._extend(self._start, self._all)
        elif not self.open and not self._all:
            yield self._start
        yield from self._found.values()

    def _extend(self, line: Line, left: int) -> None:
        """Go on from the numbers of `line`; the elements `left` have none yet."""
        # The same numbers, chosen in another order, go on alike.
        key = tuple(line)
        if key in self._met:
            return
        if len(self._met) >= _REMEMBERED:
            self._met.clear()
        self._met.add(key)
        # Places that still have a filling, and the elements that no dead place needs: one of these has to.
        loose = self._all
        places = []
        for place in self.open:
            needed = place.needed(line)
            if needed < 0:
                places.append(place)
            else:
                loose &= ~needed
        # Dead everywhere with elements left: they are needed nowhere, so nothing minimal follows.
        if not places:
            return
        if not left & (left - 1):
            self._finish(line, left.bit_length() - 1, places, loose & ~left)
            return
        # Only the last reason must have all loose elements; before that another place may need them.
        loose = 0 if len(places) > 1 else loose
        for elements, hull, ends in places[0].candidates:
            if not loose & ~elements and self._in_turn(elements & left, left):
                # A hull has no filling where it has more cells than its span has numbers: the ends are hull - 2 apart
                # at most. Elements that do not add to the hull have to be ends: else a part of these is a reason.
                self._grow(line, left, elements, hull - 2, ends, -1)
        for lower, upper in places[0].pairs:
            both = 1 << lower | 1 << upper
            if self._limits.gaps[lower][upper] is None and not loose & ~both and both & left:
                # They disagree: the upper one has the lesser number.
                self._grow(line, left, both, 0, 0, 1 << upper)

    def _in_turn(self, new: int, left: int) -> bool:
        """Whether the elements `new` may come next: some, and destroyed cards, which are all alike, in turn."""
        taken = new >> self._cells
        # A destroyed card that is left, below one that is taken.
        skipped = (left >> self._cells ^ taken) & ((1 << taken.bit_length()) - 1)
        return bool(new) and not skipped

    def _grow(self, line: Line, left: int, elements: int, width: int, ends: int, least: int) -> None:
        """Go on with numbers of those of `elements` that have none, all but the last one left: no further apart than
        `width` (if any), those of `ends` being the least or greatest of them, and the least one of `least`.
        """
        there = [value for value, element in line if elements >> element & 1]
        new = elements & left
        last = new & -new if new == left else 0
        for more in self._numbers(line, list(bits(new ^ last)), there, width):
            within = [1 << element for _, element in more if elements >> element & 1]
            if last or not (ends & ~(within[0] | within[-1]) or within[0] & ~least):
                self._extend(more, left & ~new | last)

    def _finish(self, line: Line, element: int, places: Sequence[Hulls], loose: int) -> None:
        """Every number of the last element that leaves no filling at any of `places`, each of which has one before.

        The elements `loose` have to be in every reason of one of them.
        """
        # The numbers that the rules allow beside the others, less those that are taken.
        allowed = _between(*self._limits.beside(line, element))
        for value, _ in line:
            allowed &= ~(1 << value)
        without = dict.fromkeys(bits(loose), 0)
        for place in places:
            # Every place has to be dead: some reason holds the number.
            deadly = 0
            ways = list(self._deadly(place, line, element))
            for _, values in ways:
                deadly |= values
            allowed &= deadly
            if not allowed:
                return
            # A loose element is needed here by the numbers that make no reason without it.
            for other in without:
                spared = 0
                for elements, values in ways:
                    if not elements >> other & 1:
                        spared |= values
                without[other] |= ~spared
        # Each is needed at some place: else the others are deadly without it.
        for kept in without.values():
            allowed &= kept
        for value in bits(allowed):
            more = [*line]
            insort(more, (value, element))
            # Destroyed cards are all alike.
            self._found.setdefault(tuple((number, min(each, self._cells)) for number, each in more), more)

    def _deadly(self, place: Hulls, line: Line, element: int) -> Iterator[tuple[int, int]]:
        """The reasons that a number of `element` can make at a place that has a filling without it: their elements and
        these numbers, both as bits.
        """
        for elements, hull, _ in place.candidates:
            if elements >> element & 1:
                there = [value for value, other in line if elements >> other & 1]
                # The others are near enough together, and the number near enough to both ends.
                if there[-1] - there[0] < hull - 1:
                    yield elements, _between(there[-1] - hull + 2, there[0] + hull - 2)
        numbers = {other: value for value, other in line}
        for lower, upper in place.pairs:
            if lower == element and upper in numbers:
                yield 1 << lower | 1 << upper, _between(numbers[upper] + 1, self._start[-1][0])
            elif upper == element and lower in numbers:
                yield 1 << lower | 1 << upper, _between(1, numbers[lower] - 1)

    def _numbers(self, line: Line, new: list[int], there: list[int], width: int) -> Iterator[Line]:
        """`line` with numbers for the elements `new`, with those `there` no further apart than `width` (if any)."""
        if not new:
            yield line
            return
        element = new[0]
        least, most = self._limits.beside(line, element)
        if there and width:
            least, most = max(least, max(there) - width), min(most, min(there) + width)
        used = {value for value, _ in line}
        for value in range(least, most + 1):
            if value not in used:
                more = [*line]
                insort(more, (value, element))
                yield from self._numbers(more, new[1:], [*there, value], width)


def _between(least: int, most: int) -> int:
    """The numbers from `least`, at least 1, to `most`, as bits."""
    least = max(least, 1)
    return (1 << most + 1) - (1 << least) if least <= most else 0


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

    def places(self, *cells: Cell) -> range:
        """The leftmost columns of the pyramids that hold the anchor's cell and these (TOW04)."""
        return places(self.board, self.rulings, (self.board.anchor_cell, *cells))


def shapes(question: Sought, cards: int) -> list[Cells]:
    """The sets of `cards` cells besides the anchor's that can hold a tower (TOW03 to TOW05), sorted."""
    board = question.board
    grown = []
    for row in _rows(question, cards):
        base = [cell for cell in row if cell != board.anchor_cell]
        for upper in _stacks(row, cards - len(base)):
            cells = (*base, *upper)
            if question.places(*row, *upper):
                grown.append(cells)
    return sorted(grown, key=lambda cells: [(cell.level, cell.column) for cell in cells])


def _rows(question: Sought, cards: int) -> Iterator[Cells]:
    """Level 1 with at most `cards` cells besides the anchor's."""
    board, anchor = question.board, question.board.anchor_cell.column
    others = [column for column in range(board.columns) if column != anchor]
    for size in range(min(cards, board.levels - 1) + 1):
        for chosen in combinations(others, size):
            row = sorted((*chosen, anchor))
            if row[-1] - row[0] < (size + 1 if question.rulings.spread == "adjacent" else board.levels):
                yield tuple(Cell(column, 1) for column in row)


def _stacks(row: Cells, cards: int) -> Iterator[Cells]:
    """The sets of `cards` cells above a level's cells that have their supports."""
    if not cards:
        yield ()
        return
    able = [Cell(left.column, left.level + 1) for left, right in pairwise(row) if right.column == left.column + 1]
    for size in range(1, min(cards, len(able)) + 1):
        for chosen in combinations(able, size):
            for rest in _stacks(chosen, cards - size):
                yield (*chosen, *rest)


def removable(question: Sought, cells: Cells) -> Cells:
    """The cells of a shape that can be left out so that the rest is one: the last ones that a laying order may have."""
    there = {*cells, question.board.anchor_cell}
    held = {support for cell in there if cell.level > 1 for support in cell.supports}
    free = [cell for cell in cells if cell not in held]
    if question.rulings.spread == "adjacent":
        row = [cell.column for cell in there if cell.level == 1]
        free = [cell for cell in free if cell.level > 1 or cell.column in (min(row), max(row))]
    return tuple(free)


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
    # Gaps over a third element.
    for by, low, high in product(elements.values(), repeat=3):
        first, second, known = limits.gaps[low][by], limits.gaps[by][high], limits.gaps[low][high]
        if first is not None and second is not None and (known is None or known < first + second):
            limits.gaps[low][high] = first + second
    anchored = limits.least[ANCHOR] <= board.anchor <= limits.most[ANCHOR]
    return limits if anchored else None


Steps = dict[Cell, list[tuple[Cell, int]]]


@lru_cache(maxsize=4)
def _steps(board: Board, rulings: Rulings, cells: Cells) -> Steps:
    """For each cell of a shape, in a linear extension, the cells whose numbers stay above its own, and by how much
    between up cards.
    """
    there = sorted({*cells, board.anchor_cell}, key=extension_key)
    steps: Steps = {cell: [] for cell in there}
    for lower, upper, clause in orders(board).every:
        if lower in steps and upper in steps:
            steps[lower].append((upper, gap(clause, rulings)))
    return steps


def _paths(question: Sought, steps: Steps, elements: dict[Cell, int], start: dict[Cell, int]) -> dict[Cell, int]:
    """The longest paths along the orders from the cells of `start`, with their lengths so far, through down cards."""
    waived, loose = (question.rulings.facedown == option for option in ("ignored", "repeats"))
    far = dict(start)
    for cell, above in steps.items():
        if cell not in far or (cell in elements and cell not in start):
            continue
        for upper, least in above:
            up = cell in elements and upper in elements
            if up or not waived:
                far[upper] = max(far.get(upper, 0), far[cell] + (least if up or not loose else 0))
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
    return len(question.places(*(other for other in cells if other != cell))) > len(question.places(*cells))


def _with_ups(question: Sought, cells: Cells, ups: Cells, loose: Cells, gone: int) -> Iterator[Deadlock]:
    """The minimal deadlocks of a shape whose up cards lie on `ups`, with so many destroyed Glass cards."""
    limits = limits_of(question, cells, ups, gone)
    if limits is None:
        return
    hulls = _hulls(question, ups, gone)
    search = SpanSearch(gone, [hulls[left] for left in question.places(*cells)], limits, question.board)
    wider = [question.places(*(other for other in cells if other != cell)) for cell in loose if cell not in ups]
    for line in search.run():
        fewer = [[*line[:at], *line[at + 1 :]] for at, (_, e) in enumerate(line) if e >= FIRST]
        if any(all(place.dead(part) for place in search.open) for part in fewer):
            continue
        if any(all(hulls[left].dead(line) for left in lefts) for lefts in wider):
            continue
        numbers = {element: value for value, element in line}
        cards = tuple(numbers[FIRST + ups.index(cell)] if cell in ups else 0 for cell in cells)
        yield Deadlock(cards, tuple(value for value, element in line if element >= FIRST + len(ups)))


def _hulls(question: Sought, ups: Cells, gone: int) -> dict[int, Hulls]:
    """The places of the columns that hold the up cards of a shape, by their leftmost columns."""
    return {left: Hulls(question.board, left, ups, gone, question.apex) for left in question.places(*ups)}


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
        least, most = limits.beside(start_line(board), FIRST)
        if not least <= number <= most:
            return
    part = rest if limits_of(question, cells, (), 0) is None else cells
    if not _dead_down(question, part):
        yield Deadlock(tuple(question.finish if cell == loose[0] else 0 for cell in cells), ())


def _dead_down(question: Sought, cells: Cells) -> bool:
    """Whether the anchor and down cards on these cells are a deadlock."""
    hulls, line = _hulls(question, (), 0), start_line(question.board)
    return all(hulls[left].dead(line) for left in question.places(*cells))


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
