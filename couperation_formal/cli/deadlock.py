"""`couperation deadlock`: the turn after which a game's tower could no longer be completed."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.analysis.complete import NoTower
from couperation_formal.analysis.deadlock import scan, scan_certificates
from couperation_formal.analysis.inspect import NoSuchTurn
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.inputs import FILES
from couperation_formal.cli.options import RULES, format_option
from couperation_formal.cli.towers import LEVEL, ONE, Answers, evidence
from couperation_formal.completion.answer import Completable
from couperation_formal.model.record import Table
from couperation_formal.model.rulings import Rules
from couperation_formal.report.answers import deadlock_data
from couperation_formal.report.answers_full import deadlock_full


@click.command
@FILES
@ONE
@RULES
@LEVEL
@evidence
@format_option("full", "json")
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    number: int | None,
    rules: Rules | None,
    out: str | None,
    force: bool,
    no_verify: bool,
    form: str,
) -> None:
    """Tell which turn deadlocked the tower, why, and what that turn could have done instead.

    FILES hold recorded games.
    """
    answers = Answers(form, out, force, no_verify)
    for item in answers.items(files, number):
        if isinstance(item, Table):
            answers.refuse_item(item, "this is a position, and a game is wanted")
            continue
        try:
            found = scan(item, rules)
        except (NoSuchTurn, NoTower) as error:
            answers.refuse_item(item, error)
            continue
        code = Exit.KEPT if isinstance(found.answers[-1], Completable) else Exit.BROKEN
        answers.put(deadlock_data(found), partial(deadlock_full, found), partial(scan_certificates, found), code)
    ctx.exit(answers.end())
