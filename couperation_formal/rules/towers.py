"""The tower after actions A, B and D (TOW01 to TOW08)."""

from __future__ import annotations

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Down, FinishCard, Up
from couperation_formal.model.record import Exchange, LayDown, LayUp
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.tower import Tower
from couperation_formal.rules.arrangement import BrokenOrder, Chain
from couperation_formal.rules.finding import Finding
from couperation_formal.rules.orders import OrderClause
from couperation_formal.rules.step import Step


def _broken(step: Step, rulings: Rulings, clause: OrderClause) -> Finding | None:
    if step.cell is None:
        return None
    tower = step.acted.tower
    broken = step.arrangement.broken_orders(step.before.board, tower, rulings, step.asked, clause)
    if broken:
        say = _row_message if clause == "TOW01" else _between_message
        return Finding(say(broken[0], tower, rulings), "action")
    return None


def _row_message(broken: BrokenOrder, tower: Tower, rulings: Rulings) -> str:
    left, right = broken.order.lower, broken.order.upper
    rule = "rise" if rulings.row_order == "strict" else "never fall"
    return f"numbers {rule} to the right on level {left.level}: {_card(tower, left)} lies left of {_card(tower, right)}"


def _between_message(broken: BrokenOrder, tower: Tower, rulings: Rulings) -> str:
    lower, upper = broken.order.lower, broken.order.upper
    top = upper if upper.level > lower.level else lower
    left, right = top.supports
    strictly = "" if rulings.between == "strict" else " or equal one of them"
    return (
        f"{_card(tower, top)} must lie between its supports {_card(tower, left)} and {_card(tower, right)}{strictly}:"
        f" {broken.low} is not {'below' if rulings.between == 'strict' else 'at most'} {broken.high}"
    )


def _card(tower: Tower, cell: Cell) -> str:
    laid = tower.cells.get(cell)
    if laid is None:
        return f"nothing on {cell}"
    if type(laid) is Down:
        return f"the down card on {cell}"
    return f"{'the Finish card' if laid.card is FINISH else laid.card} on {cell}"


def chain_message(chain: Chain, tower: Tower) -> str:
    """Why no numbers will do for the down cards of a chain."""
    run = " < ".join(_card(tower, cell) for cell in chain.cells)
    last = chain.cells[-1]
    if type(tower.cells[last]) is Down:
        return f"{run} would need a number of at least {chain.least}, and no card is above {chain.limit}"
    return (
        f"no numbers fit the down cards of {run}: the last would have to be at least {chain.least}, it is {chain.limit}"
    )


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
    missing = [str(support) for support in cell.supports if support not in cells]
    return Finding(f"a card on {cell} needs both its supports; nothing lies on {' and '.join(missing)}", "action")


def tow04(step: Step, rulings: Rulings) -> Finding | None:
    """The tower stays inside a pyramid over adjacent columns of level 1 that include the anchor's."""
    if step.cell is None:
        return None
    tower, board = step.acted.tower, step.before.board
    if rulings.anchor == "middle":
        if not tower.first <= board.middle <= tower.last:
            pyramid = f"level 1 on {Cell(board.middle, 1)} to {Cell(board.middle + board.levels - 1, 1)}"
            return Finding(f"{step.cell} lies outside the pyramid with {pyramid}", "action")
    elif tower.first > tower.last:
        return Finding(
            f"with {step.cell} no pyramid of {board.levels} levels around the anchor holds the tower", "action"
        )
    return None


def tow05(step: Step, rulings: Rulings) -> Finding | None:
    """A new card of level 1 lies next to an occupied cell of level 1."""
    cell = step.new_cell
    if cell is None or cell.level != 1 or rulings.spread == "anywhere":
        return None
    cells = step.before.tower.cells
    if cell in cells or Cell(cell.column - 1, 1) in cells or Cell(cell.column + 1, 1) in cells:
        return None
    return Finding(f"{cell} lies next to no card of level 1", "action")


def tow06(step: Step, _rulings: Rulings) -> Finding | None:
    """A card is laid only on an empty cell, action D's replacement aside."""
    cell = step.new_cell
    if cell is not None and cell in step.before.tower.cells:
        return Finding(f"{cell} is taken by {_card(step.before.tower, cell)}", "action")
    return None


def tow07(step: Step, rulings: Rulings) -> Finding | None:
    """Some numbers for all down cards together satisfy every order; asked when no order between up cards fails."""
    if step.cell is None:
        return None
    board, tower = step.before.board, step.acted.tower
    chain = step.arrangement.failing_chain(board, tower, rulings)
    if chain is None or step.arrangement.broken_orders(board, tower, rulings, step.asked):
        return None
    return Finding(chain_message(chain, tower), "action")


def tow08(step: Step, rulings: Rulings) -> Finding | None:
    """The apex is never down, in the finish variant it is the Finish card, and [early_apex] says whether it may lie
    early.
    """
    cell = step.target
    if cell is None or cell.level != step.before.board.levels:
        return None
    action = step.turn.action
    if isinstance(action, LayDown) or (isinstance(action, Exchange) and not action.face_up):
        return Finding("the apex is never laid down", "action")
    if step.before.variant == "finish":
        laid = step.acted.tower.cells.get(cell)
        card = laid.card if step.cell is not None and isinstance(laid, Up) else _named_card(step)
        if card is UNSEEN:
            return Finding("whether the apex is the Finish card", "action", sure=False)
        if not isinstance(card, FinishCard):
            return Finding(f"only the Finish card may be the apex, not {card}", "action")
    down = step.acted.tower.down - {cell}
    if rulings.early_apex == "forbidden" and down:
        where = ", ".join(str(below) for below in sorted(down))
        return Finding(f"the apex may not be laid while a card below it is down ({where})", "action")
    return None


def unseen_orders(step: Step) -> bool:
    """Whether the orders involve an up card that the record does not show, so that they cannot be told."""
    if step.cell is None:
        return False
    return any(type(laid) is Up and laid.card is UNSEEN for laid in step.acted.tower.cells.values())


def _named_card(step: Step) -> object:
    action = step.turn.action
    if isinstance(action, Exchange):
        return action.taken
    return action.card if isinstance(action, LayUp) else None
