"""The shortest record for a ruling: how many turns it needs at least, and the turns that it may have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice

from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open
from couperation_formal.game.rules.arrangement import CLAUSES, extension_key, orders
from couperation_formal.game.rules.moves import Adjust, Sign
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Cell, Down, Shown, Tower, Up, Value, Variant

# How many turns a record needs at least before a ruling can make a difference. The proofs are in `spec/dispute.md`.

_LATE = {"no_win", "win_on_completion"}


def can_differ(ruling: str, first: Rulings, second: Rulings) -> bool:
    """Whether a record can be legal under one of the rulebooks and illegal under the other because of this ruling.

    Not for `finish_half`, which decides a warning; nor for `finish_reserve_count` where the Finish card has no number
    in both, so that it never comes to the Reserve; nor for `row_order` and `between` where, besides, both waive the
    orders of down cards, so that no two numbers that are compared are equal; nor for `facedown` between `integers` and
    `deck` where no order of either is strict: numbers for the down cards stay right when those below the deck's least
    become this, and those above its greatest that; nor for `refill_amount` where both draw exactly what they may; nor
    for `opened_against` where both waive the orders of down cards.
    """
    if ruling == "finish_half":
        return False
    if ruling == "refill_amount":
        return {first.draw_amount, second.draw_amount} != {"exact"}
    if ruling == "opened_against":
        return {first.facedown, second.facedown} != {"ignored"}
    numbered = {first.finish_value, second.finish_value} != {"none"}
    if ruling in ("row_order", "between"):
        return numbered or {first.facedown, second.facedown} != {"ignored"}
    if ruling == "facedown" and "ignored" not in (first.facedown, second.facedown):
        return any(each.row_order == "strict" or each.between == "strict" for each in (first, second))
    return ruling != "finish_reserve_count" or numbered


def turns_needed(ruling: str, state: State, first: Rulings, second: Rulings) -> int:
    """A lower bound on the further turns up to one at which the ruling can make a difference, that turn included.

    `state` stands before a turn of a game that goes on; the two rulebooks differ in the ruling. For a table on which
    nobody can be without an action (`-` breaks ACT01 under every ruling), which holds for the first turns.
    """
    needed = _NEEDED.get(ruling)
    return 1 if needed is None else needed(state, (first, second))


def _sourced(state: State, books: tuple[Rulings, Rulings]) -> int:
    """Turns until the draw after action C where a text lets nothing be drawn then; else until that of a turn whose last
    laid and last opened cards are two.
    """
    down = state.tower.down
    if "nothing" in _chosen(books, "draw_source"):
        return 1 if state.turned else 2 if down else 3
    if state.laid != state.touched:
        return 1
    return 2 if down - {state.laid} else 3 if down else 4


def _hearts(state: State) -> int:
    """Turns until the draw after a heart that rests on a heart."""
    if any(_may_be_heart(state, support) for cell in _hearts_on(state) for support in cell.supports):
        return 1
    return 2 if _pair(state.tower) else 3


def _hearts_on(state: State) -> list[Cell]:
    """The cells laid or touched last where a heart may rest on other cards."""
    cells = {state.laid, state.touched} - {None}
    return [cell for cell in cells if cell is not None and cell.level > 1 and _may_be_heart(state, cell)]


def _backs(state: State) -> int:
    """Turns until the draw after a heart that rests on a down card."""
    down = state.tower.down
    if any(down & {*cell.supports} for cell in _hearts_on(state)):
        return 1
    return 2 if down else 3


def _emptied(state: State) -> int:
    """Turns until the draw of a player without cards after a down card."""
    ahead = state.hands[(state.to_move + 1) % len(state.hands)]
    if not state.hands[state.to_move].size:
        return 1
    return 2 if not ahead.size else 3


def _may_be_heart(state: State, cell: Cell) -> bool:
    laid = state.tower.cells.get(cell)
    if not isinstance(laid, Up) or laid.card is FINISH:
        return False
    return not isinstance(laid.card, int) or state.marks.get(laid.card, "H") == "H"


def _pair(tower: Tower) -> bool:
    """Whether two cards of level 1 lie side by side, so that a card can rest on them."""
    return any(level == 1 and Cell(column + 1, 1) in tower.cells for column, level in tower.cells)


def _outside(state: State, books: tuple[Rulings, Rulings]) -> int:
    """Turns until a card can lie outside the pyramid with the anchor in its middle, under the rulebook that lets the
    columns float.
    """
    floating = next(book for book in books if book.anchor == "floating")
    if floating.spread == "anywhere":
        return 1
    board = state.board
    columns = [column for column, level in state.tower.cells if level == 1]
    left, right = min(columns), max(columns)
    return max(1, min(left - board.middle + 1, board.middle + board.levels - right))


def _chosen(books: tuple[Rulings, Rulings], ruling: str) -> set[str]:
    return {book.option(ruling) for book in books}


def _missing(state: State) -> int:
    """Turns until the tower is whole."""
    return max(1, state.board.size - len(state.tower.cells))


_NEEDED: dict[str, Callable[[State, tuple[Rulings, Rulings]], int]] = {
    "early_apex": lambda state, books: (
        state.board.size - len(state.tower.cells) + 1 if _chosen(books, "early_apex") == _LATE else _missing(state)
    ),
    "draw_source": _sourced,
    "hearts_below": lambda state, _: _hearts(state),
    "anchor": _outside,
    "between": lambda state, _: 1 if _pair(state.tower) else 2,
    "draw_amount": lambda state, books: 1 if state.turns or "at_once" in _chosen(books, "finish_refill") else 2,
    "row_order": lambda state, books: (
        1 if state.turns or (state.variant == "finish" and _chosen(books, "finish_value") != {"none"}) else 2
    ),
    "replace_target": lambda state, books: 1 if state.turns or "any" in _chosen(books, "replace_target") else 2,
    "facedown": lambda state, _: 1 if state.turns else 2,
    "heart_over_back": lambda state, _: _backs(state),
    "opened_against": lambda state, _: max(1, 3 - len(state.tower.down)),
    "replacements": lambda state, _: 1 if state.replaced else 2,
    "no_action": lambda state, _: max(1, 3 - state.turns),
    "refill_amount": lambda state, books: 1 if "at_once" in _chosen(books, "finish_refill") else _emptied(state),
    "finish_value": lambda state, books: (
        _missing(state) if _chosen(books, "finish_value") == {"25", "apex_free"} else 1
    ),
}
"""The bound for each ruling that takes more than one turn."""


# Turns worth trying when a record is looked for that tells two options of a ruling apart.
#
# The deal is open, so that any card that lies nowhere yet can be in a hand. What is tried is a choice out of all turns:
# few numbers a cell, and action D only where the ruling has to do with it. Leaving turns out can make the search miss a
# record; it cannot make a found one wrong.

_EXCHANGING = frozenset({
    "replace_target", "take_sent", "adjust", "reserve_face", "finish_value", "finish_reserve_count", "facedown",
    "replacements", "finish_refill", "refill_amount", "no_action",
})  # fmt: skip

_EMPTYING = frozenset({"refill_amount", "no_action"})
"""Action D is tried with all cards of the hand, so that none is left."""

_TOWERS = frozenset({"early_apex", "apex_free"})
"""A whole tower is built up, cell by cell, each turn by a card that fits everything to come."""

_NEAR = 4
"""So many cells of a kind, and numbers a cell, are tried where the choice is narrow."""

_WITH_FINISH = frozenset({
    "row_order", "between", "finish_value", "finish_reserve_count", "finish_refill", "apex_free",
})  # fmt: skip

_FILLS = 2
"""As many cards are tried to fill a hand."""


def aim(ruling: str, options: tuple[str, str]) -> str:
    """What the turns are to bring about: the name of the ruling, or of the option where it takes a whole tower."""
    return "apex_free" if ruling == "finish_value" and {*options} == {"25", "apex_free"} else ruling


def variants(ruling: str) -> tuple[Variant, ...]:
    """The variants of the game in which a record is looked for, the likelier one first."""
    if ruling in ("finish_value", "finish_reserve_count", "finish_refill"):
        return ("finish",)
    if ruling == "row_order":
        return ("finish", "first")
    return ("first", "finish") if ruling == "between" else ("first",)


def draws(state: State, ruling: str) -> Iterator[tuple[Shown, ...]]:
    """What may be drawn: few cards first, the Finish card where the ruling needs it."""
    if state.variant == "finish" and ruling in _WITH_FINISH and state.whereabouts(FINISH) is None:
        yield (FINISH, UNSEEN)
    amounts = (1, 0, 2, 3, 4) if ruling in _TOWERS else (0, 1, 2, 3, 4)
    yield from ((UNSEEN,) * amount for amount in amounts if amount <= len(state.deck))


def fills(action: Action, ruling: str) -> Iterator[tuple[Shown, ...]]:
    """What may be drawn after the action: something only where it lays the Finish card, and the ruling asks for it."""
    lays = action.card if isinstance(action, LayUp) else action.taken if isinstance(action, Exchange) else None
    for amount in range(_FILLS + 1 if lays is FINISH and ruling in ("finish_refill", "refill_amount") else 1):
        yield (UNSEEN,) * amount


def actions(state: State, player: int, ruling: str, narrow: bool = False) -> Iterator[Action]:
    """The actions to try in `state`, which stands after the draw; fewer of them where `narrow`, for long records."""
    cells = _cells(state, ruling)
    if narrow:
        low = [cell for cell in cells if cell.level == 1]
        cells = [*low[:_NEAR], *[cell for cell in cells if cell.level > 1][:_NEAR]]
    most = 1 if ruling in _TOWERS else _NEAR if narrow else None
    if ruling == "no_action":
        yield NoAction()
    if state.front == player and ruling in _WITH_FINISH:
        top = state.board.levels if ruling == "apex_free" else 1
        yield from (LayUp(FINISH, cell) for cell in cells if cell.level >= top)
    if ruling in _EMPTYING:
        yield from _exchanges(state, player, ruling, cells)
    for cell in sorted(state.tower.down):
        yield from (Open(cell, value) for value in _values(state, cell))
    for cell in cells:
        yield from (LayUp(value, cell) for value in _values(state, cell, ruling)[:most])
    yield from (LayDown(UNSEEN, cell) for cell in cells if cell.level < state.board.levels)
    if ruling in _EXCHANGING and ruling not in _EMPTYING:
        yield from _exchanges(state, player, ruling, cells)


def _cells(state: State, ruling: str) -> list[Cell]:
    """Empty cells to lay a card on: beside the laid ones, on two of them, and apart from them on level 1."""
    board, laid = state.board, state.tower.cells
    levels = range(1, board.levels + 1)
    cells = [Cell(column, level) for level in levels for column in range(board.columns - level + 1)]
    cells = [cell for cell in cells if cell not in laid and (cell.level == 1 or laid.keys() >= {*cell.supports})]
    cells.sort(key=lambda cell: (cell.level, abs(cell.column - board.anchor_cell.column), cell))
    return [cell for cell in cells if cell in _even(board, ruling)][:1] if ruling in _TOWERS else cells


@lru_cache(maxsize=16)
def _even(board: Board, ruling: str) -> dict[Cell, int]:
    """A number for each cell of the middle pyramid that keeps every order: its place in a linear extension, counted
    from the card of the set-up. For `apex_free` this card comes as early as it can, so that it is below both supports
    of the apex.
    """
    anchor, cells = board.anchor_cell, board.pyramid(board.middle)
    first = _forced_below(board, anchor) if ruling == "apex_free" else frozenset(cells)
    order = sorted(cells, key=lambda cell: (cell not in first and cell != anchor, extension_key(cell), cell.level))
    start = order.index(anchor)
    return {cell: board.anchor + place - start for place, cell in enumerate(order)}


def _forced_below(board: Board, cell: Cell) -> frozenset[Cell]:
    """The cells whose numbers are less than that of `cell` in every tower."""
    below, waiting = set[Cell](), [cell]
    while waiting:
        one = waiting.pop()
        more = {other for clause in CLAUSES for other in orders(board).below[clause][one]} - below
        below |= more
        waiting += more
    return frozenset(below)


def _values(state: State, cell: Cell, ruling: str = "") -> list[Value]:
    """Numbers for a card on the cell that the up cards around it allow and that lie nowhere yet: the even one first,
    then those next to the bounds.
    """
    board = state.board
    low, high = bounds(state, cell)
    tries = [_even(board, ruling).get(cell, (low + high) // 2), low + 1, high - 1, low + 2, high - 2, low + 3, high - 3]
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
    laid = {laid.card for laid in state.tower.cells.values()}
    held = (pile.known for pile in (*state.hands, state.gone, state.reserve))
    return laid.union({Value(1), Value(state.board.cards)}, *held)


def _free(state: State) -> list[Value]:
    """The cards that lie nowhere yet."""
    seen = used(state)
    return [Value(value) for value in range(2, state.board.cards) if value not in seen]


def _exchanges(state: State, player: int, ruling: str, cells: list[Cell]) -> Iterator[Exchange]:
    """Actions D for the ruling: the way it is written varies where the ruling asks for it."""
    if ruling == "finish_refill" and state.front == player:
        yield from _fetched(state, player, cells)
    for cell, replaced in _targets(state, ruling, cells):
        for taken in _takeable(state, cell, replaced):
            for sum_ in _sums(state, player, ruling, taken):
                for face_up in (True, False) if ruling == "reserve_face" else (True,):
                    yield Exchange(*sum_, taken, face_up, cell, replaced)


def _targets(state: State, ruling: str, cells: list[Cell]) -> Iterator[tuple[Cell, Up | Down | None]]:
    if ruling not in ("replace_target", "replacements"):
        yield from ((cell, None) for cell in cells[:4])
    if ruling in ("replace_target", "facedown", "replacements"):
        yield from sorted(state.tower.cells.items())


def _takeable(state: State, cell: Cell, replaced: Up | Down | None) -> list[Value]:
    """Numbers to take out of the Reserve for the cell: the two that begin there, and two others that fit."""
    low, high = bounds(state, cell)
    ends = [value for value in (1, state.board.cards) if value in state.reserve.known and low < value < high]
    fitting = _values(state, cell)[:2] if replaced is None else _values(state, cell)[1:3]
    return [*fitting, *(Value(value) for value in ends)]


def _fetched(state: State, player: int, cells: list[Cell]) -> Iterator[Exchange]:
    """Actions D that send the Finish card and take it again: k and the Finish card, less k cards destroyed."""
    free = _free(state)
    for count in range(2, state.hands[player].size):
        spent: list[tuple[Adjust, Shown]] = [("_", value) for value in free if value != count]
        for cell, replaced in [*sorted(state.tower.cells.items()), *((cell, None) for cell in cells[:_NEAR])]:
            if Value(count) in free:
                yield Exchange(FINISH, "+", Value(count), tuple(spent[:count]), FINISH, True, cell, replaced)


_Sum = tuple[Shown, Sign, Shown, tuple[tuple[Adjust, Shown], ...]]
"""Two cards sent, sum or difference, and the cards destroyed with what they add."""

_ADJUSTS: tuple[tuple[Adjust, ...], ...] = (
    ("|",), ("^",), ("_",), ("^", "_"), ("|", "|"), ("|", "^"), ("|", "_"), ("^", "^"), ("_", "_"),
)  # fmt: skip


def _sums(state: State, player: int, ruling: str, taken: Value) -> Iterator[_Sum]:
    """Ways to make `taken` out of cards that lie nowhere yet."""
    free = [value for value in _free(state) if value != taken]
    if ruling == "take_sent":
        yield from ((double, "-", taken, ()) for double in free if double == 2 * taken)
        return
    if ruling == "adjust" or ruling in _EMPTYING:
        added: list[Adjust] = ["^"] * (state.hands[player].size - 2)
        yield from _adjusted(free, taken, _ADJUSTS if ruling == "adjust" else [tuple(added)])
        return
    if state.front == player and ruling in ("finish_value", "finish_reserve_count"):
        anchor = state.board.anchor
        for other in (taken - anchor, anchor - taken, taken + anchor):
            if Value(other) in free:
                yield FINISH, "+" if other == taken - anchor else "-", Value(other), ()
    yield from islice(((a, "-", b, ()) for b in free for a in free if a - b == taken), 1)
    yield from islice(((a, "+", b, ()) for a in free for b in free if a < b and a + b == taken), 1)


def _adjusted(free: list[Value], taken: Value, ways: Iterable[tuple[Adjust, ...]]) -> Iterator[_Sum]:
    """Sums with destroyed cards, counted in these ways."""
    for signs in ways:
        change = signs.count("^") - signs.count("_")
        for a in reversed(free):
            b = Value(a - taken + change)
            rest = [value for value in free if value not in (a, b)]
            if b in free and a != b and len(rest) >= len(signs):
                yield a, "-", b, tuple(zip(signs, rest, strict=False))
                break
