"""How many turns a record needs at least before a ruling can make a difference. The proofs are in `spec/dispute.md`."""

from __future__ import annotations

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import FINISH, Up
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.model.tower import Tower

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
    tower = state.tower
    match ruling:
        case "early_apex":
            missing = state.board.size - len(tower.cells)
            late = {first.early_apex, second.early_apex} == _LATE
            return missing + 1 if late else max(1, missing)
        case "draw_source":
            return _turned(state) if "nothing" in (first.draw_source, second.draw_source) else _apart(state)
        case "hearts_below":
            return _hearts(state)
        case "anchor":
            return _outside(state, first, second)
        case "between":
            return 1 if _pair(tower) else 2
        case "draw_amount":
            return 1 if state.turns or "at_once" in (first.finish_refill, second.finish_refill) else 2
        case "row_order":
            numbered = state.variant == "finish" and {first.finish_value, second.finish_value} != {"none"}
            return 1 if state.turns or numbered else 2
        case "replace_target":
            return 1 if state.turns or "any" in (first.replace_target, second.replace_target) else 2
        case "facedown":
            return 1 if state.turns else 2
        case "heart_over_back":
            return _backs(state)
        case "opened_against":
            return max(1, 3 - len(tower.down))
        case "replacements":
            return 1 if state.replaced else 2
        case "no_action":
            return max(1, 3 - state.turns)
        case "refill_amount":
            return 1 if "at_once" in (first.finish_refill, second.finish_refill) else _emptied(state)
        case "finish_value":
            free = {first.finish_value, second.finish_value} == {"25", "apex_free"}
            return max(1, state.board.size - len(tower.cells)) if free else 1
        case _:
            return 1


def _apart(state: State) -> int:
    """Turns until the draw of a turn whose last laid and last opened cards are two."""
    if state.laid != state.touched:
        return 1
    down = state.tower.down
    if down - {state.laid}:
        return 2
    return 3 if down else 4


def _turned(state: State) -> int:
    """Turns until the draw after action C."""
    if state.turned:
        return 1
    return 2 if state.tower.down else 3


def _hearts(state: State) -> int:
    """Turns until the draw after a heart that rests on a heart."""
    cells = {cell for cell in (state.laid, state.touched) if cell is not None and cell.level > 1}
    for cell in cells:
        if _may_be_heart(state, cell) and any(_may_be_heart(state, support) for support in cell.supports):
            return 1
    return 2 if _pair(state.tower) else 3


def _backs(state: State) -> int:
    """Turns until the draw after a heart that rests on a down card."""
    down = state.tower.down
    cells = {cell for cell in (state.laid, state.touched) if cell is not None and cell.level > 1}
    if any(_may_be_heart(state, cell) and down & {*cell.supports} for cell in cells):
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


def _outside(state: State, first: Rulings, second: Rulings) -> int:
    """Turns until a card can lie outside the pyramid with the anchor in its middle, under the rulebook that lets the
    columns float.
    """
    floating = first if first.anchor == "floating" else second
    if floating.spread == "anywhere":
        return 1
    board = state.board
    columns = [column for column, level in state.tower.cells if level == 1]
    left, right = min(columns), max(columns)
    return max(1, min(left - board.middle + 1, board.middle + board.levels - right))
