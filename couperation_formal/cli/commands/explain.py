"""`couperation explain`: a clause, ruling or rulebook in words, and why a clause holds or fails in a turn."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.options import GAME, RULES, budget_option, format_option
from couperation_formal.cli.output import Exit, Refused, asking, note
from couperation_formal.cli.run import Run
from couperation_formal.output.blocks import Columns
from couperation_formal.output.clauses import ClauseText, clauses
from couperation_formal.output.formats import Case, ready
from couperation_formal.questions.records.explain import NothingToExplain, explain, explanation, known_names
from couperation_formal.words.say import phrase


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Clauses, rulings and rulebooks."""
    return [name for name in known_names() if name.startswith(incomplete)]


@click.command(
    cls=Command, examples=("couperation explain", "couperation explain TOW02 examples/broken/between.cgn --at 8")
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
def command(run: Run, name: str | None, file: str | None, turn: int | None) -> Exit:
    """Explain a clause (TOW02), a ruling (between) or a rulebook (en-2); without a NAME list the clauses.

    With a FILE: why the clause holds or fails in a turn of the record, from the values of its formula's parts. The exit
    code is then 0 where it holds, or asks nothing, 1 where it fails, and 3 where that hangs on what is not shown.
    """
    try:
        found = None if name is None else explain(name)
    except NothingToExplain as error:
        raise Refused(str(error)) from None
    if file is not None:
        if not isinstance(found, ClauseText) or not found.formula:
            raise click.UsageError(f"{name} has no formula; of a record, clauses are explained")
        return _why(run, file, found.id, turn)
    if turn is not None or run.rules is not None or run.budget is not None or run.number != 1:
        raise click.UsageError("--at, --game, --rules and --budget go with a FILE")
    run.put(clauses_case() if found is None else Case(ready(found), partial(explanation, found)))
    return Exit.KEPT


def clauses_case() -> Case:
    """All clauses, each with its title."""
    titles = {code: clause.title for code, clause in clauses().items()}
    return Case(ready({"clauses": titles, "format": 1}), lambda: [[Columns(tuple(titles.items()))]])


def _why(run: Run, file: str, clause: str, turn: int | None) -> Exit:
    from couperation_formal.questions.records.explain import NotAsked, Untold, explain_turn, why_blocks, why_data

    game = run.one_game(file)
    try:
        with asking(run.steps()) as steps:
            found = explain_turn(game, clause, turn, run.rules, steps)
    except NotAsked as error:
        raise Refused(str(error)) from None
    if isinstance(found, Untold):
        note(phrase("formula_open", cause=found.cause))
        return Exit.UNDETERMINED
    run.put(Case(partial(why_data, found, game), partial(why_blocks, found, game)))
    return Exit.KEPT if found.trace.holds or found.defines else Exit.BROKEN
