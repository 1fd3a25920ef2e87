"""Turns worth trying when a record is looked for that tells two options of a ruling apart.

The deal is open, so that any card that lies nowhere yet can be in a hand. What is tried is a choice out of all turns:
few numbers a cell, and action D only where the ruling has to do with it. Leaving turns out can make the search miss a
record; it cannot make a found one wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Down, Shown, Up, Value
from couperation_formal.model.record import Action, Exchange, LayDown, LayUp, Open
from couperation_formal.model.state import State
from couperation_formal.rules.arrangement import extension_key
from couperation_formal.rules.moves import Adjust, Sign
from couperation_formal.rules.orders import CLAUSES, orders

_EXCHANGING = frozenset({
    "replace_target", "take_sent", "adjust", "reserve_face", "finish_value", "finish_reserve_count", "facedown",
})  # fmt: skip

_NEAR = 4
"""So many cells of a kind, and numbers a cell, are tried where the choice is narrow."""

_WITH_FINISH = frozenset({"row_order", "between", "finish_value", "finish_reserve_count"})


def variants(ruling: str) -> tuple[str, ...]:
    """The variants of the game in which a record is looked for, the likelier one first."""
    if ruling in ("finish_value", "finish_reserve_count"):
        return ("finish",)
    if ruling == "row_order":
        return ("finish", "first")
    return ("first", "finish") if ruling == "between" else ("first",)


def draws(state: State, ruling: str) -> Iterator[tuple[Shown, ...]]:
    """What may be drawn: few cards first, the Finish card where the ruling needs it."""
    if state.variant == "finish" and ruling in _WITH_FINISH and state.whereabouts(FINISH) is None:
        yield (FINISH, UNSEEN)
    amounts = (1, 0, 2, 3, 4) if ruling == "early_apex" else (0, 1, 2, 3, 4)
    for amount in amounts:
        if amount <= len(state.deck):
            yield (UNSEEN,) * amount


def actions(state: State, player: int, ruling: str, narrow: bool = False) -> Iterator[Action]:
    """The actions to try in `state`, which stands after the draw; fewer of them where `narrow`, for long records."""
    cells = _cells(state, ruling)
    if narrow:
        cells = [
            *[cell for cell in cells if cell.level == 1][:_NEAR],
            *[cell for cell in cells if cell.level > 1][:_NEAR],
        ]
    most = 1 if ruling == "early_apex" else _NEAR if narrow else None
    if state.front == player and ruling in _WITH_FINISH:
        yield from (LayUp(FINISH, cell) for cell in cells)
    for cell in sorted(state.tower.down):
        yield from (Open(cell, value) for value in _values(state, cell))
    for cell in cells:
        yield from (LayUp(value, cell) for value in _values(state, cell)[:most])
    yield from (LayDown(UNSEEN, cell) for cell in cells if cell.level < state.board.levels)
    if ruling in _EXCHANGING:
        yield from _exchanges(state, player, ruling, cells)


def _cells(state: State, ruling: str) -> list[Cell]:
    """Empty cells to lay a card on: beside the laid ones, on two of them, and apart from them on level 1."""
    board, tower = state.board, state.tower
    found = []
    for level in range(1, board.levels + 1):
        for column in range(board.columns - level + 1):
            cell = Cell(column, level)
            if cell in tower.cells:
                continue
            if level == 1 or all(support in tower.cells for support in cell.supports):
                found.append(cell)
    found.sort(key=lambda cell: (cell.level, abs(cell.column - board.anchor_cell.column), cell))
    if ruling == "early_apex":
        return [cell for cell in found if cell in _even(board)][:1]
    return found


@lru_cache(maxsize=16)
def _even(board: Board) -> dict[Cell, int]:
    """A number for each cell of the middle pyramid that keeps every order: its place in a linear extension, counted
    from the card of the set-up.
    """
    cells = sorted(board.pyramid(board.middle), key=lambda cell: (extension_key(cell), cell.level))
    start = cells.index(board.anchor_cell)
    return {cell: board.anchor + place - start for place, cell in enumerate(cells)}


def _values(state: State, cell: Cell) -> list[Value]:
    """Numbers for a card on the cell that the up cards around it allow and that lie nowhere yet: the even one first,
    then those next to the bounds.
    """
    board = state.board
    low, high = bounds(state, cell)
    tries = [_even(board).get(cell, (low + high) // 2), low + 1, high - 1, low + 2, high - 2, low + 3, high - 3]
    tries += [(low + high) // 2]
    seen = used(state)
    return [Value(value) for value in dict.fromkeys(tries) if low < value < high and Value(value) not in seen]


def bounds(state: State, cell: Cell) -> tuple[int, int]:
    """The greatest number of an up card forced below the cell, and the least of one forced above it."""
    index, numbers = orders(state.board), state.tower.numbers
    below = [numbers[other] for clause in CLAUSES for other in index.below[clause][cell] if other in numbers]
    above = [numbers[other] for clause in CLAUSES for other in index.above[clause][cell] if other in numbers]
    return max(below, default=0), min(above, default=state.board.cards + 1)


def used(state: State) -> set[Shown]:
    """The cards whose place is known, and the two that begin in the Reserve."""
    found: set[Shown] = {laid.card for laid in state.tower.cells.values()}
    found |= state.gone.known | state.reserve.known | {Value(1), Value(state.board.cards)}
    for hand in state.hands:
        found |= hand.known
    return found


def _exchanges(state: State, player: int, ruling: str, cells: list[Cell]) -> Iterator[Exchange]:
    """Actions D for the ruling: the way it is written varies where the ruling asks for it."""
    for cell, replaced in _targets(state, ruling, cells):
        for taken in _takeable(state, cell, replaced):
            for sum_ in _sums(state, player, ruling, taken):
                for face_up in (True, False) if ruling == "reserve_face" else (True,):
                    yield Exchange(*sum_, taken, face_up, cell, replaced)


def _targets(state: State, ruling: str, cells: list[Cell]) -> Iterator[tuple[Cell, Up | Down | None]]:
    if ruling != "replace_target":
        yield from ((cell, None) for cell in cells[:4])
    if ruling in ("replace_target", "facedown"):
        yield from sorted(state.tower.cells.items())


def _takeable(state: State, cell: Cell, replaced: Up | Down | None) -> list[Value]:
    """Numbers to take out of the Reserve for the cell: the two that begin there, and two others that fit."""
    low, high = bounds(state, cell)
    ends = [value for value in (1, state.board.cards) if value in state.reserve.known and low < value < high]
    fitting = _values(state, cell)[:2] if replaced is None else _values(state, cell)[1:3]
    return [*fitting, *(Value(value) for value in ends)]


_Sum = tuple[Shown, Sign, Shown, tuple[tuple[Adjust, Shown], ...]]
"""Two cards sent, sum or difference, and the cards destroyed with what they add."""

_ADJUSTS: tuple[tuple[Adjust, ...], ...] = (
    ("|",), ("^",), ("_",), ("^", "_"), ("|", "|"), ("|", "^"), ("|", "_"), ("^", "^"), ("_", "_"),
)  # fmt: skip


def _sums(state: State, player: int, ruling: str, taken: Value) -> Iterator[_Sum]:
    """Ways to make `taken` out of cards that lie nowhere yet."""
    seen = used(state) | {taken}
    top = state.board.cards
    free = [Value(value) for value in range(2, top) if Value(value) not in seen]
    pairs = ((a, b) for b in free for a in free if a - b == taken)
    if ruling == "take_sent":
        double = Value(2 * taken)
        if double in free:
            yield double, "-", taken, ()
        return
    if ruling == "adjust":
        yield from _adjusted(free, taken)
        return
    if state.front == player and ruling in ("finish_value", "finish_reserve_count"):
        anchor = state.board.anchor
        for other in (taken - anchor, anchor - taken, taken + anchor):
            if Value(other) in free:
                yield FINISH, "+" if other == taken - anchor else "-", Value(other), ()
    pair = next(pairs, None)
    if pair is not None:
        yield pair[0], "-", pair[1], ()
    total = next(((a, b) for a in free for b in free if a < b and a + b == taken), None)
    if total is not None:
        yield total[0], "+", total[1], ()


def _adjusted(free: list[Value], taken: Value) -> Iterator[_Sum]:
    """Sums with destroyed cards: one or two of them, every way to count them."""
    for signs in _ADJUSTS:
        change = signs.count("^") - signs.count("_")
        for a in reversed(free):
            b = Value(a - taken + change)
            rest = [value for value in free if value not in (a, b)]
            if b in free and a != b and len(rest) >= len(signs):
                yield a, "-", b, tuple(zip(signs, rest, strict=False))
                break
