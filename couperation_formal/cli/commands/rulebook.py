"""What the rulebooks say, and what they decide: `explain`, `rules`, `ask`, `dispute`, `infer`."""

from __future__ import annotations

from functools import partial

import click
from click.core import ParameterSource

from couperation_formal.cli import options
from couperation_formal.cli.output import Exit, asking, line_width, note, put_blocks, say, worst
from couperation_formal.cli.run import Run
from couperation_formal.game.fact import Told
from couperation_formal.game.rulings import Rules, registry, unknown
from couperation_formal.output.blocks import Columns
from couperation_formal.output.formats import Case, ready
from couperation_formal.output.report import ClauseText, clauses
from couperation_formal.questions.records import explain
from couperation_formal.questions.records.ask import ask_blocks, ask_data
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
@options.these(options.GAME, options.RULES, options.budget("the game"), options.form("full", "json"))
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
@options.form("full", "json")
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
@options.form("full", "json")
def ask_command(run: Run, words: tuple[str, ...], most: int) -> Exit:
    """Find the questions that players ask nearest to WORDS, with their answers.

    What the rulebooks say of each is computed. The exit code is 1 where no question is near.
    """
    data = ask_data(" ".join(words), most)
    if data.questions or run.form_name == "json":
        run.put(Case(ready(data), lambda: ask_blocks(data, line_width())))
    else:
        note(phrase("ask_nothing_near"))
    return Exit.KEPT if data.questions else Exit.BROKEN


# What is disputed and what games force: `dispute`, `infer`.


MOST_TURNS = 30
"""So many turns a record that parts two rulebooks has at most, where nothing else is said: enough for every ruling."""


@options.command(
    "couperation dispute examples/broken/hearts.cgn",
    "couperation dispute --compare en-2 ja-2.2",
    renamed={"--turn": "--until"},
)
@click.argument("files", nargs=-1, type=options.PATH)
@options.number(
    "--at",
    least=1,
    help="Judge the Nth turn alone: is it legal, if everything before stands as it was played?"
    " Left out: each turn marked ~~, and the record.",
)
@options.flag("--whole", help="The whole record alone, without the turns that it marks with ~~.")
@options.number(
    "--until", "turn", least=0, help="The whole record up to the Nth turn only; 0 is the set-up; all if left out."
)
@options.these(options.ONE, options.MARKS, options.budget("each game"))
@click.option(
    "--compare",
    "books",
    nargs=2,
    callback=lambda ctx, _param, value: (
        None if value is None else (options.load(ctx.obj, value[0]), options.load(ctx.obj, value[1]))
    ),
    metavar="RULES RULES",
    help="In place of FILES, two rulebooks: find a record for each ruling on which they differ."
    " Left out: FILES are asked about.",
)
@options.number(
    "--search",
    least=1,
    most=60,
    metavar="TURNS",
    help=f"With --compare: so many turns at most; {MOST_TURNS} if left out.",
)
@options.form("full", "json")
@click.pass_context
def dispute_command(
    ctx: click.Context,
    run: Run,
    files: tuple[str, ...],
    at: int | None,
    whole: bool,
    turn: int | None,
    books: tuple[Rules, Rules] | None,
    search: int | None,
) -> Exit:
    """Tell under which readings of the rules a recorded game is legal, and which rulings decide.

    Each turn marked with ~~ is judged by itself before the whole record. The game's own Rules tag plays no part. Exit
    code 0: every reading has a verdict, 3: some are undetermined, or the budget ended before all was told.
    """
    from couperation_formal.questions.disputes.dispute import dispute

    if books is not None:
        own_marks = ctx.get_parameter_source("marks") is not ParameterSource.DEFAULT
        if files or whole or own_marks or any(each is not None for each in (at, turn, run.number, run.budget)):
            raise click.UsageError("--compare takes no FILES, --at, --whole, --until, --game, --marks or --budget")
        return _compare(run, books, search or MOST_TURNS)
    if search is not None:
        raise click.UsageError("--search goes with --compare")
    if at is not None and (whole or turn is not None):
        raise click.UsageError("--at asks for one turn; --whole and --until ask for the record")
    if not files:
        raise click.UsageError("Missing argument 'FILES...', or --compare with two rulebooks.")
    for item in run.games(files):
        turns, last = len(item.record.turns), at or turn or 0
        if last > turns:
            run.refuse_item(item, phrase("no_turn", turn=last, turns=turns))
            continue
        with asking(run.steps()) as steps:
            settled = dispute(item, turn, steps, at=at, whole=whole)
        run.answer(settled, Exit.KEPT if settled.settled else Exit.UNDETERMINED)
    return run.end()


def _compare(run: Run, books: tuple[Rules, Rules], search: int) -> Exit:
    from couperation_formal.questions.disputes import compare

    partings = []
    for parting in compare.compare(*books, search):
        partings.append(parting)
        if run.form_name == "full":
            put_blocks(compare.parting_blocks(parting, *books, search))
    if run.form_name == "json":
        run.put(Case(partial(compare.compare_data, *books, search, partings)))
    elif not partings:
        say(f"; {phrase('books_agree')}")
    return worst(Exit.UNDETERMINED if compare.outcome_of(each) == "not found" else Exit.KEPT for each in partings)


@options.command("couperation infer examples/infer/monday.cgn", "couperation infer examples/infer")
@options.these(
    options.FILES, options.RULES, options.MARKS, options.budget("all games together"), options.form("full", "json")
)
def infer_command(run: Run, files: tuple[str, ...]) -> Exit:
    """Tell which marks of the cards recorded games force, and where.

    All games are taken to be played with the same cards, whose marks are the same in each. Where the games do not
    agree, those that cannot all be right are named, with the cards, the marks that each of them forces and the turns
    that force them, and those without which the others agree. Positions in folders are skipped.
    """
    games = list(run.games(files))
    if games:
        from couperation_formal.questions.disputes.infer import infer

        with asking(run.steps()) as steps:
            forced = infer(games, run.rules, steps)
        answer = forced.answer
        run.put(Case(forced.data, forced.blocks))
        run.codes += [Exit.BROKEN] * bool(answer.illegal or answer.clashes)
        run.codes += [Exit.UNDETERMINED] * (not answer.complete)
    return run.end()
