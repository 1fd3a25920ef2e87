"""The action of a turn on a symbolic table, the tower after it, and the end of the game (TOW01 to TOW08, ACT01 to
ACT04, END01, END02).

What a turn's letters, cells and counts alone break is asked as the constant false, and the run ends there.
"""

from __future__ import annotations

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import FINISH, FinishCard
from couperation_formal.model.record import Action, Exchange, LayDown, LayUp, NoAction, Open
from couperation_formal.rules.orders import orders
from couperation_formal.symbolic.cards import Hidden
from couperation_formal.symbolic.circuit import FALSE, TRUE, Formula, no
from couperation_formal.symbolic.exchange import exchange
from couperation_formal.symbolic.orders import Placed, fillable, ordered
from couperation_formal.symbolic.shape import beside, inside
from couperation_formal.symbolic.stuck import no_action
from couperation_formal.symbolic.table import Mention, Table, present


def act(table: Table, turn: int, player: int, action: Action) -> bool:
    """Ask the clauses of an action and carry it out; False where it cannot be."""
    if isinstance(action, NoAction):
        table.ask(turn, "ACT01", "no action is legal", "action", no_action(table, player))
        table.stuck = TRUE
        return True
    if isinstance(action, Open):
        return _open(table, turn, action)
    laid = exchange(table, turn, player, action) if isinstance(action, Exchange) else _lay(table, turn, player, action)
    if laid is None:
        return False
    if action.cell not in orders(table.cards.board).cells:
        table.ask(turn, "TOW04", f"{action.cell} lies inside the pyramid", "action", FALSE)
        return False
    _shape(table, turn, action.cell, isinstance(action, Exchange) and action.replaced is not None)
    down = isinstance(action, LayDown) or (isinstance(action, Exchange) and not action.face_up)
    table.lay(action.cell, laid, down)
    _arranged(table, turn, action.cell)
    _apex(table, turn, action.cell)
    _laid_end(table, action.cell, down)
    return True


def _lay(table: Table, turn: int, player: int, action: LayUp | LayDown) -> Hidden | None:
    """Take the card of A or B out of the player's own; None where it cannot be laid."""
    up = isinstance(action, LayUp)
    clause = "ACT02" if up else "ACT03"
    if not up and isinstance(action.card, FinishCard):
        table.ask(turn, clause, "F is not laid down", "action", FALSE)
        return None
    possible = table.owned(player) if up else present(table.hands[player])
    if not possible:
        table.ask(turn, clause, "the player has a card", "action", FALSE)
        return None
    hidden = table.mention(Mention(turn, "action", 0), action.card, possible)
    there = table.own(player, hidden, None)
    table.ask(turn, clause, f"{action.card} is the player's own", "action", there)
    if action.cell in table.tower:
        table.ask(turn, "TOW06", f"{action.cell} is empty", "action", FALSE)
        return None
    return hidden


def _open(table: Table, turn: int, action: Open) -> bool:
    placed = table.tower.get(action.cell)
    if placed is None or not placed.down:
        table.ask(turn, "ACT04", f"a down card lies on {action.cell}", "action", FALSE)
        return False
    at = Mention(turn, "action", 0)
    table.shows(at, "ACT04", f"lies on {action.cell}", placed.card, action.card)
    table.tower[action.cell] = Placed(placed.card, False)
    table.touched = action.cell
    rows, between = (ordered(table.cards, table.tower, action.cell, clause) for clause in ("TOW01", "TOW02"))
    holds = table.circuit.all_of((rows, between, fillable(table.cards, table.tower)))
    table.lost = no(holds)
    table.won = table.circuit.both(holds, _complete_wins(table))
    return True


def _complete_wins(table: Table) -> Formula:
    """Whether the tower's completion alone wins (END01) [early_apex]: the cells are counted here, the orders not."""
    if not _all_up(table):
        return FALSE
    return table.choices.chooses("early_apex", "win_on_completion")


def _all_up(table: Table) -> bool:
    full = len(table.tower) >= table.cards.board.size
    return full and not any(placed.down for placed in table.tower.values())


def _laid_end(table: Table, cell: Cell, down: bool) -> None:
    """Whether a laid card ends the game (END01, END02)."""
    apex = cell.level == table.cards.board.levels
    below = any(placed.down for placed in table.tower.values())
    if apex and below and not down:
        table.lost = table.choices.chooses("early_apex", "loses")
    if _all_up(table):
        table.won = TRUE if apex else _complete_wins(table)


def _shape(table: Table, turn: int, cell: Cell, replacing: bool) -> None:
    """The shape of the tower before a card is laid on `cell` (TOW03, TOW04, TOW05)."""
    tower = table.tower
    table.ask(turn, "TOW04", f"{cell} lies inside the pyramid", "action", inside(table, cell))
    if replacing:
        return
    if cell.level > 1:
        if any(support not in tower for support in cell.supports):
            table.ask(turn, "TOW03", f"{cell} has both its supports", "action", FALSE)
    elif not beside(table, cell):
        table.ask(turn, "TOW05", f"{cell} lies beside a card", "action", table.choices.chooses("spread", "anywhere"))


def _arranged(table: Table, turn: int, cell: Cell) -> None:
    """The orders of the tower after a card came to lie on `cell` (TOW01, TOW02, TOW07)."""
    if not table.tower[cell].down:
        for clause in ("TOW01", "TOW02"):
            formula = ordered(table.cards, table.tower, cell, clause)
            table.ask(turn, clause, f"the orders of {cell}", "action", formula)
    table.ask(turn, "TOW07", "numbers for the down cards", "action", fillable(table.cards, table.tower))


def _apex(table: Table, turn: int, cell: Cell) -> None:
    """What may lie on the apex (TOW08) [early_apex]."""
    if cell.level != table.cards.board.levels:
        return
    card, down = table.tower[cell]
    if down:
        table.ask(turn, "TOW08", "the apex is up", "action", FALSE)
        return
    if FINISH in table.cards.every:
        table.ask(turn, "TOW08", "the apex is F", "action", card.get(FINISH, FALSE))
    if any(placed.down for placed in table.tower.values()):
        early = no(table.choices.chooses("early_apex", "forbidden"))
        table.ask(turn, "TOW08", "no card below the apex is down", "action", early)
