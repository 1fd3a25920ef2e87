"""What is disputed, and what games force: `dispute`, `infer`."""

import click
from click.core import ParameterSource

from couperation_formal.cli import options
from couperation_formal.cli.output import Exit, asking, put_blocks, say, worst
from couperation_formal.cli.run import Run
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import Rules
from couperation_formal.output.formats import Case, ready

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
@options.these(options.ONE, options.MARKS, options.budget("each game"), options.JOBS)
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
@options.FORM
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

    def settle(game: Game) -> None:
        turns, last = len(game.record.turns), at or turn or 0
        if last > turns:
            run.refuse_item(game, fact("no_turn", turn=last, turns=turns))
            return
        with asking(run.steps()) as steps:
            settled = dispute(game, turn, steps, at=at, whole=whole)
        run.answer(settled, Exit.KEPT if settled.settled else Exit.UNDETERMINED)

    run.games(files, settle)
    return run.end()


def _compare(run: Run, books: tuple[Rules, Rules], search: int) -> Exit:
    from couperation_formal.questions.disputes import compare

    partings = []
    for parting in compare.compare(*books, search):
        partings.append(parting)
        if run.form_name == "full":
            put_blocks(compare.parting_blocks(parting, *books, search))
    if run.form_name == "json":
        run.put(Case(ready(compare.compare_data(*books, search, partings))))
    elif not partings:
        say(fact("books_agree"))
    return worst(Exit.UNDETERMINED if compare.outcome_of(each) == "not found" else Exit.KEPT for each in partings)


@options.command("couperation infer examples/infer/monday.cgn", "couperation infer examples/infer")
@options.these(
    options.FILES, options.RULES, options.MARKS, options.budget("all games together"), options.JOBS, options.FORM
)
def infer_command(run: Run, files: tuple[str, ...]) -> Exit:
    """Tell which marks of the cards recorded games force, and where.

    All games are taken to be played with the same cards, whose marks are the same in each. Where the games do not
    agree, those that cannot all be right are named, with the cards, the marks that each of them forces and the turns
    that force them, and those without which the others agree. Positions in folders are skipped.
    """
    games = run.games(files, lambda game: game)
    if games:
        from couperation_formal.questions.disputes.infer import infer

        with asking(run.steps()) as steps:
            forced = infer(games, run.rules, steps)
        answer = forced.answer
        run.put(Case(forced.data_in, forced.blocks))
        if answer.illegal or answer.clashes:
            run.codes.add(Exit.BROKEN)
        if not answer.complete:
            run.codes.add(Exit.UNDETERMINED)
    return run.end()
