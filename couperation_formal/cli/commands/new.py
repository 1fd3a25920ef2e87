"""`couperation new`: a record to fill in at the table."""

from __future__ import annotations

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.options import MADE_RULES, players_option
from couperation_formal.cli.output import Refused, put_text
from couperation_formal.cli.run import Run
from couperation_formal.game.tower import Variant
from couperation_formal.questions.records.new import new_record


@click.command(cls=Command, examples=('couperation new --players "Anna Maria, Ben" -o friday.cgn',))
@players_option(required=True)
@click.option("--variant", type=click.Choice(["first", "finish"]), default="first", show_default=True)
@MADE_RULES
@click.option("--event", metavar="TEXT", help="What the Event tag says; no such tag if left out.")
def command(run: Run, players: tuple[str, ...], variant: Variant, event: str | None) -> None:
    """Print a record to fill in at the table."""
    try:
        put_text(new_record(players, variant, run.rules, event))
    except ValueError as error:
        raise Refused(str(error)) from None
