"""`couperation complete`: can this tower still be completed."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.analysis.complete import NoTower, complete, completion_certificates
from couperation_formal.analysis.inspect import NoSuchTurn
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.inputs import FILES
from couperation_formal.cli.options import RULES, format_option
from couperation_formal.cli.towers import LEVEL, ONE, Answers, evidence
from couperation_formal.cli.turns import AT
from couperation_formal.completion.answer import Completable
from couperation_formal.model.rulings import Rules
from couperation_formal.report.answers import complete_data
from couperation_formal.report.answers_full import complete_full


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
    """Tell whether a tower can still be completed, how, or why not.

    FILES hold positions, or recorded games, looked at after a turn.
    """
    answers = Answers(form, out, force, no_verify)
    for item in answers.items(files, number):
        try:
            found = complete(item, turn, rules)
        except (NoSuchTurn, NoTower) as error:
            answers.refuse_item(item, error)
            continue
        code = Exit.KEPT if isinstance(found.answer, Completable) else Exit.BROKEN
        answers.put(complete_data(found), partial(complete_full, found), partial(completion_certificates, found), code)
    ctx.exit(answers.end())
