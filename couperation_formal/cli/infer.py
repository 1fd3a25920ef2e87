"""`couperation infer`: the marks that recorded games force."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.cli.exits import Exit, worst
from couperation_formal.cli.inputs import FILES
from couperation_formal.cli.options import MARKS, RULES, budget_option, format_option
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.output import put_answer
from couperation_formal.cli.progress import asking
from couperation_formal.cli.towers import Answers
from couperation_formal.model.budget import steps_of
from couperation_formal.model.rulings import Rules
from couperation_formal.notation.marks import OwnMarks


@click.command(cls=Makes, examples=("couperation infer examples/infer/monday.cgn", "couperation infer examples/infer"))
@FILES
@RULES
@MARKS
@budget_option("all games together")
@format_option("full", "json")
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    rules: Rules | None,
    marks: OwnMarks | None,
    budget: int | None,
    form: str,
) -> None:
    """Tell which marks of the cards recorded games force, and where.

    All games are taken to be played with the same cards, whose marks are the same in each. Where the games do not
    agree, those that cannot all be right are named, with the cards, the marks that each of them forces and the turns
    that force them, and those without which the others agree. Positions in folders are skipped.
    """
    answers = Answers(form, None, True, marks)
    games = list(answers.games(files, None))
    code = answers.end()
    if games:
        from couperation_formal.analysis.infer import infer_marks
        from couperation_formal.answers.infer import infer_data
        from couperation_formal.report.infer import infer_blocks

        with asking(steps_of(budget)) as steps:
            found = infer_marks(games, rules, steps)
        data = infer_data(found)
        put_answer(form, data, partial(infer_blocks, data))
        answer = found.answer
        broken = Exit.BROKEN if answer.illegal or answer.clashes else Exit.KEPT
        code = worst([code, broken, Exit.KEPT if answer.complete else Exit.UNDETERMINED])
    ctx.exit(code)
