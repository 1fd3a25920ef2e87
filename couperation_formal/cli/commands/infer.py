"""`couperation infer`: the marks that recorded games force."""

from __future__ import annotations

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.options import FILES, MARKS, RULES, budget_option, format_option
from couperation_formal.cli.output import Exit, asking
from couperation_formal.cli.run import Run
from couperation_formal.output.formats import Case


@click.command(
    cls=Command, examples=("couperation infer examples/infer/monday.cgn", "couperation infer examples/infer")
)
@FILES
@RULES
@MARKS
@budget_option("all games together")
@format_option("full", "json")
def command(run: Run, files: tuple[str, ...]) -> Exit:
    """Tell which marks of the cards recorded games force, and where.

    All games are taken to be played with the same cards, whose marks are the same in each. Where the games do not
    agree, those that cannot all be right are named, with the cards, the marks that each of them forces and the turns
    that force them, and those without which the others agree. Positions in folders are skipped.
    """
    games = list(run.games(files))
    if games:
        from couperation_formal.questions.disputes.infer import infer_marks

        with asking(run.steps()) as steps:
            found = infer_marks(games, run.rules, steps)
        answer = found.answer
        run.put(Case(found.data, found.blocks))
        run.codes += [Exit.BROKEN] * bool(answer.illegal or answer.clashes)
        run.codes += [Exit.UNDETERMINED] * (not answer.complete)
    return run.end()
