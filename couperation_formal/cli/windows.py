"""`couperation windows`: what each free cell of a tower can still take."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.analysis.complete import outlook_certificates, windows
from couperation_formal.answers.towers import windows_data
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.towers import Answers, Each, question
from couperation_formal.cli.turns import AT
from couperation_formal.model.record import Game, Snapshot
from couperation_formal.model.rulings import Rules
from couperation_formal.report.towers import windows_blocks


@click.command(cls=Makes, examples=("couperation windows examples/towers/open.cgn",))
@question("full", "json")
@AT
def command(answers: Answers, each: Each, rules: Rules | None, turn: int | None) -> None:
    """Show what each free cell of a tower can still take.

    A value is listed exactly when the tower can be completed with it there. FILES hold positions, or recorded games,
    looked at after a turn.
    """

    def answer(item: Game | Snapshot) -> None:
        found = windows(item, turn, rules)
        code = Exit.KEPT if found.windows.lefts else Exit.BROKEN
        answers.put(windows_data(found), partial(windows_blocks, found), partial(outlook_certificates, found), code)

    each(answer)
