"""`couperation rules`: the rulebooks side by side, or one of them."""

from __future__ import annotations

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.commands.explain import clauses_case
from couperation_formal.cli.options import format_option
from couperation_formal.cli.output import Refused
from couperation_formal.cli.run import Run
from couperation_formal.game.rulings import registry, unknown
from couperation_formal.output.formats import Case, ready
from couperation_formal.questions.records.explain import explanation, rulebook, side_by_side
from couperation_formal.words.say import say


@click.command(cls=Command, examples=("couperation rules", "couperation rules en-2", "couperation rules --clauses"))
@click.argument("name", required=False)
@click.option("--clauses", is_flag=True, help="List the clauses in place of the rulebooks.")
@format_option("full", "json")
def command(run: Run, name: str | None, clauses: bool) -> None:
    """Show the rulebooks side by side, or the one with this NAME."""
    if clauses and name is not None:
        raise click.UsageError("--clauses goes without a NAME")
    known = list(registry().rulebooks)
    if name is not None and name not in known:
        raise Refused(say(unknown("no_rulebook", name, known)))
    books = [rulebook(book) for book in ([name] if name else known)]
    data = {"default": registry().default, "rulebooks": books, "format": 1}
    case = Case(ready(data), lambda: explanation(books[0]) if name else side_by_side(books))
    run.put(clauses_case() if clauses else case)
