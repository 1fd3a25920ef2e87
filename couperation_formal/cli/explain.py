"""`couperation explain`: a clause, ruling or rulebook in words, and why a clause holds or fails in a turn."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.cli.exits import Exit
from couperation_formal.cli.inputs import GAME
from couperation_formal.cli.options import RULES, budget_option, format_option
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.output import complain, note, put_answer
from couperation_formal.cli.progress import asking
from couperation_formal.cli.turns import one_game, refuse
from couperation_formal.model.budget import steps_of
from couperation_formal.model.rulings import Rules
from couperation_formal.report.blocks import Columns
from couperation_formal.report.clauses import ClauseText, clauses
from couperation_formal.report.explain import NothingToExplain, explain, explanation, known_names
from couperation_formal.words.say import phrase


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Clauses, rulings and rulebooks."""
    return [name for name in known_names() if name.startswith(incomplete)]


@click.command(
    cls=Makes, examples=("couperation explain", "couperation explain TOW02 examples/broken/between.cgn --at 8")
)
@click.argument("name", required=False, shell_complete=_complete)
@click.argument("file", required=False, type=click.Path(allow_dash=True))
@click.option(
    "--at",
    "turn",
    type=click.IntRange(min=0),
    metavar="N",
    help="The Nth turn; 0 is the set-up; the first illegal one if left out, or else the last.",
)
@GAME
@RULES
@budget_option("the game")
@format_option("full", "json")
@click.pass_context
def command(
    ctx: click.Context,
    name: str | None,
    file: str | None,
    turn: int | None,
    number: int,
    rules: Rules | None,
    budget: int | None,
    form: str,
) -> None:
    """Explain a clause (TOW02), a ruling (between) or a rulebook (en-2); without a NAME list the clauses.

    With a FILE: why the clause holds or fails in a turn of the record, from the values of its formula's parts. The exit
    code is then 0 where it holds, or asks nothing, 1 where it fails, and 3 where that hangs on what is not shown.
    """
    try:
        found = None if name is None else explain(name)
    except NothingToExplain as error:
        complain(str(error))
        ctx.exit(Exit.UNUSABLE)
    if file is not None:
        if not isinstance(found, ClauseText) or not found.formula:
            raise click.UsageError(f"{name} has no formula; of a record, clauses are explained")
        ctx.exit(_why(file, number, found.id, turn, rules, budget, form))
    if turn is not None or rules is not None or budget is not None or number != 1:
        raise click.UsageError("--at, --game, --rules and --budget go with a FILE")
    if found is None:
        put_clauses(form)
    else:
        put_answer(form, found, partial(explanation, found))


def put_clauses(form: str) -> None:
    """All clauses, each with its title."""
    titles = {code: clause.title for code, clause in clauses().items()}
    put_answer(form, {"clauses": titles, "format": 1}, lambda: [[Columns(tuple(titles.items()))]])


def _why(
    file: str, number: int, clause: str, turn: int | None, rules: Rules | None, budget: int | None, form: str
) -> Exit:
    from couperation_formal.analysis.explained import NotAsked, Untold, explain_turn
    from couperation_formal.answers.why import why_data
    from couperation_formal.report.why import why_blocks

    game = one_game(file, number)
    try:
        with asking(steps_of(budget)) as steps:
            found = explain_turn(game, clause, turn, rules, steps)
    except NotAsked as error:
        refuse(error)
    if isinstance(found, Untold):
        note(phrase("formula_open", cause=found.cause))
        return Exit.UNDETERMINED
    put_answer(form, why_data(found, game), partial(why_blocks, found, game))
    return Exit.KEPT if found.trace.holds or found.defines else Exit.BROKEN
