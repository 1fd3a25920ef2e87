"""What is looked at: the table after a turn (`show`, `position`), what rulebooks say (`explain`, `rules`, `ask`)."""

from functools import partial
from typing import cast

import click

from couperation_formal.cli import options, output
from couperation_formal.cli.output import Exit, Refused, asking, line_width, note, put_blocks, put_text
from couperation_formal.cli.run import Run
from couperation_formal.game.fact import Fact, Text, Told, fact, translated
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game, Position
from couperation_formal.game.rulings import Rules, registry, taggable, unknown
from couperation_formal.game.tower import Cell
from couperation_formal.notation.write import position_text
from couperation_formal.output.blocks import Columns, Sentence, position_blocks
from couperation_formal.output.formats import Case, ready, specified
from couperation_formal.output.report import ClauseText, cited, clauses
from couperation_formal.output.svg import Theme, png, table_svg
from couperation_formal.questions.records import ask as asked, explain, states
from couperation_formal.questions.tables import ask, why
from couperation_formal.words.say import safe


@options.command(
    "couperation show examples/legal/thursday.cgn --at 7",
    "couperation show examples/legal/thursday.cgn --at 7 -o tower.svg",
)
@options.these(options.FILE, options.AT, options.AS, options.GAME, options.RULES, options.MARKS)
@options.out("picture", "Draw the table into OUT, .svg or .png. Left out: it is shown as text.")
@options.flag("--names", help="Write the cells' names into the picture.")
@options.word(
    "--theme",
    "auto light dark",
    help="The picture's colours; auto is the reader's own choice in SVG, and light in PNG.",
)
def show_command(
    run: Run, file: str, turn: int | None, viewer: str | None, picture: str | None, names: bool, theme: Theme
) -> Exit:
    """Show the tower, hands and Reserve after a turn, or a position.

    Of the first illegal turn, by which clause it is refused is told, and the table as it would leave it is shown below
    the one before it; the exit code is 1. So it is where the last turn is shown and the record states a result that is
    not reached.
    """
    if picture is not None and not picture.lower().endswith((".svg", ".png")):
        wanted = fact("picture_name", picture=safe(picture))
        raise click.BadParameter(output.spoken(wanted), param_hint="--output")
    if picture is None and (names or theme != "auto"):
        raise click.UsageError("--names and --theme go with --output")
    raster = picture is not None and picture.lower().endswith(".png")
    out = None if picture is None else run.files.make(picture)
    item, rules = run.seen(run.one(file), viewer), run.rules
    touched = refused = wrong = None
    if isinstance(item, Game):
        refused = states.attempted(item, turn, rules)
        if refused is not None:
            turn = refused.place - 1
        where, position, touched = _after(item, turn, rules)
        wrong = states.misstated(item, turn, rules)
        run.note_refused(item, turn)
    elif turn is not None:
        raise Refused(fact("no_turns"))
    else:
        where, position = fact("position"), item.position
    of = rules or position.rules
    said: Text = ""
    if wrong is not None:
        said = fact("refused_by", clause=wrong.code, message=(wrong.what, cited(wrong.code, of.rulebook)))
    if out is not None:
        chosen: Theme = "light" if raster and theme == "auto" else theme
        if refused is None:
            svg = table_svg(position, of.rulings, chosen, laid=touched, names=names, language=output.language())
        else:
            svg = states.attempted_svg(refused, position, of, chosen, names, output.language())
        out.put(png(svg) if raster else svg.encode())
        if said:
            note(said)
    else:
        if refused is not None:
            where = fact("before_refused", where=where, turn=refused.place)
        told = states.attempted_blocks(refused, of) if refused is not None else [[Sentence(said)]] if said else []
        put_blocks([why.title(file, item.index, where, position), *position_blocks(position), *told])
    return Exit.KEPT if refused is None and wrong is None else Exit.BROKEN


def _after(game: Game, turn: int | None, rules: Rules | None) -> tuple[Fact, Position, Cell | None]:
    """Where the game stands after the turn, the position, and the cell laid or opened last."""
    state = states.state_after(game, turn, rules)
    where = ask.after(state.turns, len(game.record.turns))
    if state.result is not None:
        where = fact("ended", where=where, result=state.result)
    return where, position_of(state, rules or game.record.rules, game.record.tags), state.touched


@options.command("couperation position examples/legal/thursday.cgn --at 7")
@options.these(options.FILE, options.AT, options.AS, options.GAME, options.RULES, options.MARKS)
def position_command(run: Run, file: str, turn: int | None, viewer: str | None) -> None:
    """Print the table after a turn as a position."""
    game = cast("Game", run.seen(run.one_game(file), viewer))
    put_text(position_text(states.position_after(game, turn, taggable(run.rules or game.record.rules))))
    run.note_refused(game, turn)


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
            raise click.UsageError(output.spoken(fact("no_formula", name=name)))
        return _why(run, file, known.id, turn)
    if turn is not None or run.rules is not None or run.budget is not None or run.number != 1:
        raise click.UsageError("--at, --game, --rules and --budget go with a FILE")
    run.put(clauses_case() if known is None else Case(specified(known), partial(explain.explanation, known)))
    return Exit.KEPT


def clauses_case() -> Case:
    """All clauses, each with its title."""
    titles = {code: clause.title for code, clause in clauses().items()}
    rows = [(code, translated(title)) for code, title in titles.items()]
    return Case(specified({"clauses": titles, "format": 1}), lambda: [[Columns(rows)]])


def _why(run: Run, file: str, clause: str, turn: int | None) -> Exit:
    game = run.one_game(file)
    with asking(run.steps()) as steps:
        why = explain.explain_turn(game, clause, turn, run.rules, steps)
    if isinstance(why, explain.Untold):
        note(fact("formula_open", cause=why.cause))
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
    case = Case(specified(data), lambda: explain.explanation(books[0]) if name else explain.side_by_side(books))
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
    language = output.language(script=run.form.script)
    data = asked.ask_data(" ".join(words), most, language)
    if data.questions or run.form_name == "json":
        run.put(Case(ready(data), lambda: asked.ask_blocks(data, line_width(), language)))
    else:
        note(fact("ask_nothing_near"))
    return Exit.KEPT if data.questions else Exit.BROKEN
