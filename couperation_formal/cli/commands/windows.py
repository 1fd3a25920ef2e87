"""`couperation windows`: what each free cell of a tower can still take."""

from __future__ import annotations

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.options import AT, FILES, ONE, RULES, evidence, format_option
from couperation_formal.cli.output import Exit
from couperation_formal.cli.run import Run
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.questions.tables.windows import windows


@click.command(cls=Command, examples=("couperation windows examples/towers/open.cgn",))
@FILES
@ONE
@RULES
@evidence
@format_option("full", "json")
@AT
def command(run: Run, files: tuple[str, ...], turn: int | None) -> Exit:
    """Show what each free cell of a tower can still take.

    A value is listed exactly when the tower can be completed with it there. FILES hold positions, or recorded games,
    looked at after a turn.
    """

    def answer(item: Game | Snapshot) -> None:
        found = windows(item, turn, run.rules)
        run.answer(found, Exit.KEPT if found.windows.lefts else Exit.BROKEN)

    run.each(files, answer, turn)
    return run.end()
