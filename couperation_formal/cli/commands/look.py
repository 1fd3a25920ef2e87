"""The table after a turn: `show`, `position`."""

from typing import cast

import click

from couperation_formal.cli import options
from couperation_formal.cli.output import Exit, Refused, note, put_blocks, put_text
from couperation_formal.cli.run import Run
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game, Position
from couperation_formal.game.rulings import Rules, taggable
from couperation_formal.game.tower import Cell
from couperation_formal.notation.write import position_text
from couperation_formal.output.blocks import Sentence, position_blocks
from couperation_formal.output.report import cited
from couperation_formal.output.svg import Theme, png, table_svg
from couperation_formal.questions.records import states
from couperation_formal.questions.tables import ask, why
from couperation_formal.words.say import phrase, safe


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
        wanted = f"the picture's name has to end in .svg or .png: {safe(picture)}"
        raise click.BadParameter(wanted, param_hint="--output")
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
        raise Refused(phrase("no_turns"))
    else:
        where, position = fact("position"), item.position
    of = rules or position.rules
    said = ""
    if wrong is not None:
        said = phrase("refused_by", clause=wrong.code, message=wrong.message + cited(wrong.code, of.rulebook))
    if out is not None:
        chosen: Theme = "light" if raster and theme == "auto" else theme
        if refused is None:
            svg = table_svg(position, of.rulings, chosen, laid=touched, names=names)
        else:
            svg = states.attempted_svg(refused, position, of, chosen, names)
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
