"""`couperation show`: the table after a turn, in the terminal."""

from __future__ import annotations

import click

from couperation_formal.analysis.inspect import NoSuchTurn, position_of, state_after
from couperation_formal.cli.inputs import FILE, GAME, one_item
from couperation_formal.cli.options import RULES
from couperation_formal.cli.output import put_pieces
from couperation_formal.cli.turns import AT, refuse
from couperation_formal.model.record import Game, Position, Table
from couperation_formal.model.rulings import Rules
from couperation_formal.report.table import table
from couperation_formal.report.text import Piece, safe


@click.command
@FILE
@AT
@GAME
@RULES
def command(file: str, turn: int | None, number: int, rules: Rules | None) -> None:
    """Show the tower, hands and Reserve after a turn, or a position."""
    item = one_item(file, number)
    if isinstance(item, Game):
        try:
            where, position = _after(item, turn, rules)
        except NoSuchTurn as error:
            refuse(error)
    elif isinstance(item, Table):
        if turn is not None:
            refuse("a position has no turns: leave out --at")
        where, position = "position", item.position
    put_pieces([*_header(file, number, where, position), *table(position)])


def _after(game: Game, turn: int | None, rules: Rules | None) -> tuple[str, Position]:
    state = state_after(game, turn, rules)
    turns = len(game.record.turns)
    where = f"after turn {state.turns} of {turns}" if state.turns else f"after the set-up, before turn 1 of {turns}"
    if state.result is not None:
        where += f": the game has ended ({state.result})"
    return where, position_of(state, rules or game.record.rules, game.record.tags)


def _header(file: str, number: int, where: str, position: Position) -> list[Piece]:
    event = position.tag("Event")
    facts = f"rules {position.rules}, variant {position.variant}"
    return [
        (f"{safe(file)}  game {number}, {where}\n", "bold"),
        (safe(f"{event}: {facts}" if event else facts) + "\n\n", ""),
    ]
