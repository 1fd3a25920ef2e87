"""`couperation explain`: one clause, ruling or rulebook in words."""

from __future__ import annotations

import click

from couperation_formal.cli.exits import Exit
from couperation_formal.cli.options import format_option
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.output import complain, put_json, put_pieces
from couperation_formal.report.explain import NothingToExplain, explain, explanation, known_names


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Clauses, rulings and rulebooks."""
    return [name for name in known_names() if name.startswith(incomplete)]


@click.command(cls=Makes)
@click.argument("name", shell_complete=_complete)
@format_option("full", "json")
@click.pass_context
def command(ctx: click.Context, name: str, form: str) -> None:
    """Explain a clause (TOW02), a ruling (between) or a rulebook (en-2)."""
    try:
        found = explain(name)
    except NothingToExplain as error:
        complain(str(error) + (f"; did you mean {', '.join(error.near)}?" if error.near else ""))
        ctx.exit(Exit.UNUSABLE)
    if form == "json":
        put_json(found)
    else:
        put_pieces(explanation(found))
