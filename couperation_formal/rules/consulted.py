"""Which rulings a clause consults at a step: outside these its answer there is the same under every option.

`rules.clauses` lists the rulings that a clause can ever hang on; most steps give it no occasion. A ruling is named here
wherever the step does not rule it out by a short look, so a named one may still make no difference.
"""

from __future__ import annotations

from collections.abc import Callable

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Down, Up
from couperation_formal.model.record import Exchange, LayDown, NoAction, Open
from couperation_formal.model.state import State
from couperation_formal.model.tower import Tower
from couperation_formal.rules.clauses import TurnClauseId
from couperation_formal.rules.ending import finish_astray
from couperation_formal.rules.step import Step

Consults = Callable[[Step], tuple[str, ...]]

_HEARTS = ("hearts_below", "draw_amount", "draw_source")
_APEX = ("early_apex",)


def consulted(clause: TurnClauseId, step: Step) -> tuple[str, ...]:
    """The rulings that the clause consults at this step, in the registry's order. Cost: a look at the step, and for
    orders at the cells of the tower.
    """
    consults = _CONSULTS.get(clause)
    return () if consults is None else consults(step)


def ending_consults(step: Step) -> tuple[str, ...]:
    """The rulings that `rules.ending.ending` consults at this step."""
    action = step.turn.action
    if isinstance(action, NoAction | LayDown):
        return ()
    tower = step.acted.tower
    if isinstance(action, Open):
        orders = order_consults(step) if step.cell is not None else ()
        return (*_without_finish(orders), *(_APEX if tower.all_up else ()), *_only_finish(orders))
    if step.cell is None:
        return ()
    return _APEX if tower.all_up or (_is_apex(step, step.cell) and tower.down) else ()


def order_consults(step: Step) -> tuple[str, ...]:
    """The rulings that the orders of the tower after the action consult (TOW01, TOW02, TOW07)."""
    tower = step.acted.tower
    found = []
    if len(tower.cells) > 1:
        found.append("row_order")
    if has_upper(tower):
        found.append("between")
    if tower.down:
        found.append("facedown")
    if tower.finish is not None:
        found.append("finish_value")
    return tuple(found)


def has_upper(tower: Tower) -> bool:
    """Whether a card lies above level 1."""
    return any(level > 1 for _, level in tower.cells)


def _without_finish(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name != "finish_value")


def _only_finish(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name == "finish_value")


def _is_apex(step: Step, cell: Cell) -> bool:
    return cell.level == step.before.board.levels


def _draw(step: Step) -> tuple[str, ...]:
    """The rulings of a draw after turn 1 (DRW02, DRW03, DRW04)."""
    state = step.before
    if state.touched is None or state.laid is None:
        return ()
    if not step.units and not step.deck:
        return ()
    split = state.touched != state.laid
    hearts = _heart_over_heart(state, state.touched) or (split and _heart_over_heart(state, state.laid))
    chosen = (hearts, bool(step.deck), split)
    return tuple(name for name, wanted in zip(_HEARTS, chosen, strict=True) if wanted)


def _heart_over_heart(state: State, cell: Cell) -> bool:
    """Whether the card on `cell` may be a heart and so may the card on one of its supports."""
    return cell.level > 1 and _may_be_heart(state, cell) and any(_may_be_heart(state, each) for each in cell.supports)


def _may_be_heart(state: State, cell: Cell) -> bool:
    laid = state.tower.cells.get(cell)
    if not isinstance(laid, Up) or laid.card is FINISH:
        return False
    return not isinstance(laid.card, int) or state.marks.get(laid.card, "H") == "H"


def _act01(step: Step) -> tuple[str, ...]:
    # A down card can always be opened, and without own cards nothing else can be done.
    if step.drawn.tower.down or not step.drawn.owned(step.player):
        return ()
    return _ACTION


def _act05(step: Step) -> tuple[str, ...]:
    action = step.turn.action
    if not isinstance(action, Exchange):
        return ()
    signs = {sign for sign, _ in action.adjust}
    adjust = ("adjust",) if "|" in signs or len(signs) > 1 else ()
    return (*adjust, *(("finish_value",) if FINISH in (action.first, action.second, action.taken) else ()))


def _act06(step: Step) -> tuple[str, ...]:
    action = step.turn.action
    if not isinstance(action, Exchange) or action.taken is UNSEEN:
        return ()
    return ("take_sent",) if action.taken in (action.first, action.second) else ()


def _act07(step: Step) -> tuple[str, ...]:
    action = step.turn.action
    if not isinstance(action, Exchange) or action.replaced is None:
        return ()
    return ("replace_target",) if isinstance(step.before.tower.cells.get(action.cell), Up | Down) else ()


def _act08(step: Step) -> tuple[str, ...]:
    action = step.turn.action
    if not isinstance(action, Exchange) or action.face_up or action.taken is FINISH:
        return ()
    return ("reserve_face",)


def _tow01(step: Step) -> tuple[str, ...]:
    if step.cell is None or len(step.acted.tower.cells) < 2:
        return ()
    return ("row_order", "finish_value") if step.acted.tower.finish is not None else ("row_order",)


def _tow02(step: Step) -> tuple[str, ...]:
    if step.cell is None or not has_upper(step.acted.tower):
        return ()
    return ("between", "finish_value") if step.acted.tower.finish is not None else ("between",)


def _tow04(step: Step) -> tuple[str, ...]:
    tower, board = step.acted.tower, step.before.board
    if step.cell is None or tower.first <= board.middle <= tower.last:
        return ()
    return ("anchor",)


def _tow05(step: Step) -> tuple[str, ...]:
    cell = step.new_cell
    if cell is None or cell.level != 1:
        return ()
    cells = step.before.tower.cells
    near = Cell(cell.column - 1, 1) in cells or Cell(cell.column + 1, 1) in cells
    return () if near else ("spread",)


def _tow07(step: Step) -> tuple[str, ...]:
    return order_consults(step) if step.cell is not None and step.acted.tower.down else ()


def _tow08(step: Step) -> tuple[str, ...]:
    cell = step.target
    if cell is None or not _is_apex(step, cell):
        return ()
    return _APEX if step.acted.tower.down - {cell} else ()


def _lim01(step: Step) -> tuple[str, ...]:
    idle = not step.turn.drop and step.acted.hands[step.player].size <= step.before.board.hand_limit
    return () if idle else ending_consults(step)


def _lim02(step: Step) -> tuple[str, ...]:
    trim, limit, reserve = step.turn.trim, step.before.reserve_size, step.acted.reserve
    astray = finish_astray(step)
    if limit is None or not (trim or reserve.size + astray > limit):
        return ()
    count = ("finish_reserve_count",) if astray or FINISH in reserve.known or FINISH in trim else ()
    return (*ending_consults(step), *count)


_ACTION = (
    "anchor", "spread", "row_order", "between", "facedown", "replace_target", "take_sent", "reserve_face",
    "finish_value",
)  # fmt: skip
"""What the existence of an action consults where no card is down: `adjust` and `early_apex` never do
(`spec/dispute.md`).
"""

_CONSULTS: dict[TurnClauseId, Consults] = {
    "TOW01": _tow01,
    "TOW02": _tow02,
    "TOW04": _tow04,
    "TOW05": _tow05,
    "TOW07": _tow07,
    "TOW08": _tow08,
    "DRW02": _draw,
    "DRW03": _draw,
    "DRW04": _draw,
    "ACT01": _act01,
    "ACT05": _act05,
    "ACT06": _act06,
    "ACT07": _act07,
    "ACT08": _act08,
    "LIM01": _lim01,
    "LIM02": _lim02,
}
"""The clauses that consult rulings; the others never do."""
