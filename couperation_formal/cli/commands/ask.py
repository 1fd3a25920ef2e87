"""`couperation ask`: the questions of players that are nearest to some words, with their answers."""

from __future__ import annotations

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.options import format_option
from couperation_formal.cli.output import Exit, line_width, note
from couperation_formal.cli.run import Run
from couperation_formal.output.formats import Case, ready
from couperation_formal.questions.records.ask import ask_blocks, ask_data
from couperation_formal.words.say import phrase


@click.command(cls=Command, examples=("couperation ask take back the card I sent",))
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--most", type=click.IntRange(min=1, max=100), default=3, show_default=True, help="So many questions at most."
)
@format_option("full", "json")
def command(run: Run, words: tuple[str, ...], most: int) -> Exit:
    """Find the questions that players ask nearest to WORDS, with their answers.

    What the rulebooks say of each is computed. The exit code is 1 where no question is near.
    """
    data = ask_data(" ".join(words), most)
    if data.questions or run.form_name == "json":
        run.put(Case(ready(data), lambda: ask_blocks(data, line_width())))
    else:
        note(phrase("ask_nothing_near"))
    return Exit.KEPT if data.questions else Exit.BROKEN
