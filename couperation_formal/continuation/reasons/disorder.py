"""A tower out of order that no single action D can put in order: cells that show it.

Only a position can have such a tower. Its theorem is in the specification, `table.md`, "A tower out of order".
"""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import Down, Laid, UnseenCard
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.model.tower import Tower
from couperation_formal.rules.arrangement import Windows, broken_orders, holds


class Disorder(NamedTuple):
    """Laid cards that are out of order among themselves and stay so whatever takes the place of one of them.

    `pairs` of up cards among them break TOW01 or TOW02; `down` of them lie down. None can be left out. Cells by column,
    then level.
    """

    cells: tuple[Cell, ...]
    pairs: int
    down: int


def beyond_mending(state: State, rulings: Rulings) -> Disorder | None:
    """The cells that show that no action of the next turn leaves the tower in order; None where one may, so far as the
    orders go.

    The cards of pairs that do not agree where these are enough. Cost: that of the orders of a tower in order; some tens
    of milliseconds at worst.
    """
    laid = {
        cell: card for cell, card in state.tower.cells.items() if not isinstance(card.card, UnseenCard) or _hides(card)
    }
    if not _stuck(state, laid, rulings):
        return None
    clashing = {cell for each in broken_orders(state.board, state.tower, rulings) for cell in each.order[:2]}
    pairs = {cell: laid[cell] for cell in clashing}
    cells = pairs if _stuck(state, pairs, rulings) else laid
    for cell in sorted(cells):
        fewer = {other: card for other, card in cells.items() if other != cell}
        if _stuck(state, fewer, rulings):
            cells = fewer
    tower = Tower.of(state.board, cells)
    return Disorder(tuple(sorted(cells)), len(broken_orders(state.board, tower, rulings)), len(tower.down))


def _hides(laid: Laid) -> bool:
    return isinstance(laid, Down)


def _stuck(state: State, laid: dict[Cell, Laid], rulings: Rulings) -> bool:
    """Whether these cards alone are out of order, and no card in place of one that D may replace mends that."""
    tower = Tower.of(state.board, laid)
    if holds(state.board, tower, rulings):
        return False
    return not any(_mends(state, tower, cell, rulings) for cell in laid if _may_replace(state, cell, rulings))


def _may_replace(state: State, cell: Cell, rulings: Rulings) -> bool:
    """Whether [replace_target] lets action D replace what lies on `cell` (ACT07)."""
    if rulings.replace_target == "facedown_only":
        return cell in state.tower.down
    return rulings.replace_target == "any" or cell != state.board.anchor_cell or state.anchor_moved


def _mends(state: State, tower: Tower, cell: Cell, rulings: Rulings) -> bool:
    """Whether some card in place of that on `cell`, up or as [reserve_face] says down, puts these cards in order."""
    rest = tower.without(cell)
    if not holds(state.board, rest, rulings):
        return False
    windows = Windows(state.board, rest, rulings)
    room = windows.window(cell)
    if max(room.low or 1, 1) <= min(state.board.cards if room.high is None else room.high, state.board.cards):
        return True
    return rulings.reserve_face == "either" and windows.fits_down(cell)
