"""What the rulebooks say: `explain`, `rules`, `ask`."""

from functools import partial

import click

from couperation_formal.cli import options
from couperation_formal.cli.output import Exit, asking, line_width, note
from couperation_formal.cli.run import Run
from couperation_formal.game.fact import Told
from couperation_formal.game.rulings import registry, unknown
from couperation_formal.output.blocks import Columns
from couperation_formal.output.formats import Case, ready
from couperation_formal.output.report import ClauseText, clauses
from couperation_formal.questions.records import ask, explain
from couperation_formal.words.say import phrase


def _complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Clauses, rulings and rulebooks."""
    return [name for name in explain.known_names() if name.startswith(incomplete)]


@options.command("couperation explain", "couperation explain TOW02 examples/broken/between.cgn --at 8")
@click.argument("name", required=False, shell_complete=_complete)
@click.argument("file", required=False, type=click.Path(allow_dash=True))
@options.number(
    "--at", "turn", least=0, help="The Nth turn; 0 is the set-up; the first illegal one if left out, or else the last."
)
@options.these(options.GAME, options.RULES, options.budget("the game"), options.FORM)
def explain_command(run: Run, name: str | None, file: str | None, turn: int | None) -> Exit:
    """Explain a clause (TOW02), a ruling (between) or a rulebook (en-2); without a NAME list the clauses.

    With a FILE: why the clause holds or fails in a turn of the record, from the values of its formula's parts. The exit
    code is then 0 where it holds, or asks nothing, 1 where it fails, and 3 where that hangs on what is not shown.
    """
    known = None if name is None else explain.explain(name)
    if file is not None:
        if not isinstance(known, ClauseText) or not known.formula:
            raise click.UsageError(f"{name} has no formula; of a record, clauses are explained")
        return _why(run, file, known.id, turn)
    if turn is not None or run.rules is not None or run.budget is not None or run.number != 1:
        raise click.UsageError("--at, --game, --rules and --budget go with a FILE")
    run.put(clauses_case() if known is None else Case(ready(known), partial(explain.explanation, known)))
    return Exit.KEPT


def clauses_case() -> Case:
    """All clauses, each with its title."""
    titles = {code: clause.title for code, clause in clauses().items()}
    return Case(ready({"clauses": titles, "format": 1}), lambda: [[Columns(tuple(titles.items()))]])


def _why(run: Run, file: str, clause: str, turn: int | None) -> Exit:
    game = run.one_game(file)
    with asking(run.steps()) as steps:
        why = explain.explain_turn(game, clause, turn, run.rules, steps)
    if isinstance(why, explain.Untold):
        note(phrase("formula_open", cause=why.cause))
        return Exit.UNDETERMINED
    run.put(Case(partial(explain.why_data, why, game), partial(explain.why_blocks, why, game)))
    return Exit.KEPT if why.trace.holds or why.defines else Exit.BROKEN


@options.command("couperation rules", "couperation rules en-2", "couperation rules --clauses")
@click.argument("name", required=False)
@options.flag("--clauses", help="List the clauses in place of the rulebooks.")
@options.FORM
def rules_command(run: Run, name: str | None, clauses: bool) -> None:
    """Show the rulebooks side by side, or the one with this NAME."""
    if clauses and name is not None:
        raise click.UsageError("--clauses goes without a NAME")
    known = list(registry().rulebooks)
    if name is not None and name not in known:
        raise Told(unknown("no_rulebook", name, known))
    books = [explain.rulebook(book) for book in ([name] if name else known)]
    data = {"default": registry().default, "rulebooks": books, "format": 1}
    case = Case(ready(data), lambda: explain.explanation(books[0]) if name else explain.side_by_side(books))
    run.put(clauses_case() if clauses else case)


@options.command("couperation ask take back the card I sent")
@click.argument("words", nargs=-1, required=True)
@options.number(
    "--most", least=1, most=100, metavar=None, default=3, show_default=True, help="So many questions at most."
)
@options.FORM
def ask_command(run: Run, words: tuple[str, ...], most: int) -> Exit:
    """Find the questions that players ask nearest to WORDS, English or Japanese ones, with their answers.

    What the rulebooks say of each is computed. The exit code is 1 where no question is near.
    """
    data = ask.ask_data(" ".join(words), most)
    if data.questions or run.form_name == "json":
        run.put(Case(ready(data), lambda: ask.ask_blocks(data, line_width())))
    else:
        note(phrase("ask_nothing_near"))
    return Exit.KEPT if data.questions else Exit.BROKEN
