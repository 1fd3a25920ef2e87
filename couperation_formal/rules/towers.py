"""The tower after actions A, B and D (TOW01 to TOW08)."""

from __future__ import annotations

from couperation_formal.model.board import Cell, column_name
from couperation_formal.model.cards import UNSEEN, FinishCard, Shown, Up
from couperation_formal.model.fact import Datum
from couperation_formal.model.record import Exchange, LayDown, LayUp
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.tower import Tower
from couperation_formal.rules.arrangement import within
from couperation_formal.rules.finding import Finding, fails, lying, unsure
from couperation_formal.rules.orders import OrderClause, gap, up_numbers
from couperation_formal.rules.step import Step


def has_place(step: Step, rulings: Rulings) -> bool:
    """Whether a card that was laid has a place (TOW03 to TOW06), or one was opened: else no order is asked (D7)."""
    placing = () if step.target is None else (tow03, tow04, tow05)
    return step.cell is not None and not any(check(step, rulings) for check in placing)


def out_of_order(step: Step, rulings: Rulings) -> Finding | None:
    """The first of the orders' clauses that does not hold."""
    return tow01(step, rulings) or tow02(step, rulings) or tow07(step, rulings)


def _broken(step: Step, rulings: Rulings, clause: OrderClause) -> Finding | None:
    if step.cell is None:
        return None
    broken = step.arrangement.broken_orders(step.before.board, step.acted.tower, rulings, step.asked, clause)
    if not broken or not has_place(step, rulings):  # in this order: few are broken
        return None
    (lower, upper, _), low, high = broken[0]
    tower, needed = step.acted.tower, gap(clause, rulings)
    numbers: dict[str, Datum] = {"lower": lower, "upper": upper, "low": low, "high": high, "needed": needed}
    top = upper if upper.level > lower.level else lower
    left, right = lying(tower, lower), lying(tower, upper)
    if clause == "TOW01" or not tower.cells.keys() >= {*top.supports}:  # a card that was laid wrongly can lack one
        return fails("row" if needed else "row_lax", "action", numbers, left=left, right=right)
    left, right = (lying(tower, support) for support in top.supports)
    card = lying(tower, top)
    return fails("between" if needed else "between_lax", "action", numbers, card=card, left=left, right=right)


def tow01(step: Step, rulings: Rulings) -> Finding | None:
    """On one level the values of up cards rise to the right, gaps included."""
    return _broken(step, rulings, "TOW01")


def tow02(step: Step, rulings: Rulings) -> Finding | None:
    """An up card lies between its two supports."""
    return _broken(step, rulings, "TOW02")


def tow03(step: Step, _rulings: Rulings) -> Finding | None:
    """A card above level 1 needs both its supports."""
    cell = step.new_cell
    if cell is None or cell.level == 1:
        return None
    cells = step.before.tower.cells
    left, right = cell.supports
    if left in cells and right in cells:
        return None
    missing = tuple(support for support in cell.supports if support not in cells)
    return fails("unsupported", "action", {"cell": cell, "support": missing[0]}, missing=missing)


def tow04(step: Step, rulings: Rulings) -> Finding | None:
    """The tower stays inside a pyramid over adjacent columns of level 1 that include the anchor's; where it stood
    outside before, the card.
    """
    if step.cell is None:
        return None
    tower, board = step.acted.tower, step.before.board
    if step.before.stands and not within(step.before.tower, board, rulings):
        tower = Tower.of(board, {step.cell: tower.cells[step.cell]})
    if within(tower, board, rulings):
        return None
    first, last = column_name(tower.first), column_name(tower.last)
    numbers: dict[str, Datum] = {"cell": step.cell, "first": first, "last": last}
    if rulings.anchor != "middle":
        return fails("outside", "action", numbers, levels=board.levels, anchor=board.anchor)
    left, right = Cell(board.middle, 1), Cell(board.middle + board.levels - 1, 1)
    return fails("outside_middle", "action", numbers, left=left, right=right)


def tow05(step: Step, rulings: Rulings) -> Finding | None:
    """A new card of level 1 lies next to an occupied cell of level 1."""
    cell = step.new_cell
    if cell is None or cell.level != 1 or rulings.spread == "anywhere":
        return None
    cells = step.before.tower.cells
    if cell in cells or Cell(cell.column - 1, 1) in cells or Cell(cell.column + 1, 1) in cells:
        return None
    return fails("alone", "action", {"cell": cell})


def tow06(step: Step, _rulings: Rulings) -> Finding | None:
    """A card is laid only on an empty cell, action D's replacement aside."""
    cell = step.new_cell
    if cell is not None and cell in step.before.tower.cells:
        return fails("occupied", "action", {"cell": cell}, by=lying(step.before.tower, cell))
    return None


def tow07(step: Step, rulings: Rulings) -> Finding | None:
    """Some numbers for all down cards together satisfy every order; asked when no order between up cards fails."""
    if step.cell is None:
        return None
    board, tower, chain = step.before.board, step.acted.tower, step.failing_chain(rulings)
    if chain is None or not has_place(step, rulings):
        return None
    if step.arrangement.broken_orders(board, tower, rulings, step.asked):
        return None
    known = up_numbers(board, tower, rulings)
    first, last = (cell if cell in known else None for cell in (chain.cells[0], chain.cells[-1]))
    low = 1 if first is None else known[first]
    cells = tuple(cell for cell in chain.cells if cell not in (first, last))
    numbers: dict[str, Datum] = {"lower": first, "upper": last, "low": low, "high": chain.limit}
    ends = {name: lying(tower, cell) for name, cell in (("first", first), ("last", last)) if cell is not None}
    kind = {(): "chain_alone", ("first",): "chain_ceiling", ("last",): "chain_floor"}.get((*ends,), "chain")
    return fails(kind, "action", numbers, downs=tuple(lying(tower, cell) for cell in cells), cells=cells, **ends)


def tow08(step: Step, rulings: Rulings) -> Finding | None:
    """The apex is never down, in the finish variant it is the Finish card, and [early_apex] says whether it may lie
    early.
    """
    cell = step.target
    if cell is None or cell.level != step.before.board.levels:
        return None
    action = step.turn.action
    if isinstance(action, LayDown) or (isinstance(action, Exchange) and not action.face_up):
        return fails("apex_down", "action", {"cell": cell, "face": "down"})
    if step.before.variant == "finish":
        laid = step.acted.tower.cells.get(cell)
        card = laid.card if step.cell is not None and isinstance(laid, Up) else _named_card(step)
        if card is UNSEEN:
            return unsure("whether_apex", "action")
        if not isinstance(card, FinishCard):
            return fails("apex_other", "action", {"cell": cell, "card": card})
    down = sorted(step.acted.tower.down - {cell})
    if rulings.early_apex == "forbidden" and down:
        return fails("apex_early", "action", {"cell": cell, "down": down[0]}, all=tuple(down))
    return None


def unseen_orders(step: Step) -> bool:
    """Whether the orders involve an up card that the record does not show, so that they cannot be told."""
    return step.cell is not None and bool(step.acted.tower.hidden)


def _named_card(step: Step) -> Shown | None:
    action = step.turn.action
    if isinstance(action, Exchange):
        return action.taken
    return action.card if isinstance(action, LayUp) else None
