"""`couperation windows`: what each free cell of a tower can still take."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.analysis.complete import NoTower, outlook_certificates, windows
from couperation_formal.analysis.inspect import NoSuchTurn
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.inputs import FILES
from couperation_formal.cli.options import RULES, format_option
from couperation_formal.cli.towers import LEVEL, ONE, Answers, evidence
from couperation_formal.cli.turns import AT
from couperation_formal.model.rulings import Rules
from couperation_formal.report.answers import windows_data
from couperation_formal.report.answers_full import windows_full


@click.command
@FILES
@AT
@ONE
@RULES
@LEVEL
@evidence
@format_option("full", "json")
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    turn: int | None,
    number: int | None,
    rules: Rules | None,
    out: str | None,
    force: bool,
    no_verify: bool,
    form: str,
) -> None:
    """Show what each free cell of a tower can still take.

    A value is listed exactly when the tower can be completed with it there. FILES hold positions, or recorded games,
    looked at after a turn.
    """
    answers = Answers(form, out, force, no_verify)
    for item in answers.items(files, number):
        try:
            found = windows(item, turn, rules)
        except (NoSuchTurn, NoTower) as error:
            answers.refuse_item(item, error)
            continue
        code = Exit.KEPT if found.windows.lefts else Exit.BROKEN
        answers.put(windows_data(found), partial(windows_full, found), partial(outlook_certificates, found), code)
    ctx.exit(answers.end())
