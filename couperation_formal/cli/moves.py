"""`couperation moves`: every legal action of a turn."""

from __future__ import annotations

import click

from couperation_formal.analysis.inspect import NoSuchTurn, moves_at
from couperation_formal.cli.inputs import FILE, GAME
from couperation_formal.cli.options import RULES, format_option
from couperation_formal.cli.output import note, put_json, say
from couperation_formal.cli.turns import one_game, refuse
from couperation_formal.model.rulings import Rules
from couperation_formal.report.data import moves_data


@click.command
@FILE
@click.option(
    "--at",
    "turn",
    type=click.IntRange(min=1),
    metavar="N",
    required=True,
    help="Turn N by place, after its recorded draw.",
)
@GAME
@RULES
@format_option("full", "json")
def command(file: str, turn: int, number: int, rules: Rules | None, form: str) -> None:
    """Print every legal action in a turn, one for each that differs in effect."""
    game = one_game(file, number)
    try:
        data = moves_data(game, turn, moves_at(game, turn, rules))
    except NoSuchTurn as error:
        refuse(error)
    if form == "json":
        put_json(data)
        return
    for action in data.actions:
        say(action.text)
    more = "" if data.complete else " with the cards that the record shows; unseen cards may allow more"
    found = len(data.actions)
    note(f"turn {turn}, {data.player}: {found} legal action{'' if found == 1 else 's'}{more}")
