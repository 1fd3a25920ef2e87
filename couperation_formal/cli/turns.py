"""What the commands share that look into one game at one turn."""

from __future__ import annotations

from typing import NoReturn

import click

from couperation_formal.analysis.verify import check
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.inputs import one_item
from couperation_formal.cli.output import complain, show_report
from couperation_formal.model.record import Game

AT = click.option(
    "--at",
    "turn",
    type=click.IntRange(min=0),
    metavar="N",
    help="The Nth turn; 0 is the set-up; the last if left out.",
)
"""The option that picks a turn."""


def one_game(file: str, number: int) -> Game:
    """The game with this number in a file. Ends the command where it is none."""
    item = one_item(file, number)
    if isinstance(item, Game):
        return item
    show_report(check(item))
    return click.get_current_context().exit(Exit.UNUSABLE)


def refuse(reason: object) -> NoReturn:
    """End the command: what is asked for does not exist."""
    complain(str(reason))
    click.get_current_context().exit(Exit.UNUSABLE)
