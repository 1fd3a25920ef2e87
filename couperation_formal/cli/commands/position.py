"""`couperation position`: the table after a turn as a CGN position."""

from __future__ import annotations

from typing import cast

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.options import AS, AT, FILE, GAME, MARKS, RULES
from couperation_formal.cli.output import Refused, put_text
from couperation_formal.cli.run import Run
from couperation_formal.game.record import Game
from couperation_formal.game.rulings import taggable
from couperation_formal.notation.write import position_text
from couperation_formal.questions.records.states import NoSuchTurn, position_after


@click.command(cls=Command, examples=("couperation position examples/legal/thursday.cgn --at 7",))
@FILE
@AT
@AS
@GAME
@RULES
@MARKS
def command(run: Run, file: str, turn: int | None, viewer: str | None) -> None:
    """Print the table after a turn as a position."""
    game = cast("Game", run.seen(run.one_game(file), viewer))
    try:
        put_text(position_text(position_after(game, turn, taggable(run.rules or game.record.rules))))
    except NoSuchTurn as error:
        raise Refused(str(error)) from None
    run.note_refused(game, turn)
