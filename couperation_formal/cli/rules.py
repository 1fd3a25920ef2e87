"""`couperation rules`: the rulebooks side by side, or one of them."""

from __future__ import annotations

import click

from couperation_formal.cli.exits import Exit
from couperation_formal.cli.explain import put_clauses
from couperation_formal.cli.options import format_option
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.output import complain, put_answer
from couperation_formal.model.rulings import registry, unknown
from couperation_formal.report.explain import explanation, rulebook, side_by_side
from couperation_formal.words.say import say


@click.command(cls=Makes, examples=("couperation rules", "couperation rules en-2", "couperation rules --clauses"))
@click.argument("name", required=False)
@click.option("--clauses", is_flag=True, help="List the clauses in place of the rulebooks.")
@format_option("full", "json")
@click.pass_context
def command(ctx: click.Context, name: str | None, clauses: bool, form: str) -> None:
    """Show the rulebooks side by side, or the one with this NAME."""
    if clauses and name is not None:
        raise click.UsageError("--clauses goes without a NAME")
    if clauses:
        put_clauses(form)
        ctx.exit()
    known = list(registry().rulebooks)
    if name is not None and name not in known:
        complain(say(unknown("no_rulebook", name, known)))
        ctx.exit(Exit.UNUSABLE)
    books = [rulebook(book) for book in ([name] if name else known)]
    data = {"default": registry().default, "rulebooks": books, "format": 1}
    put_answer(form, data, lambda: explanation(books[0]) if name else side_by_side(books))
