"""`couperation position`: the table after a turn as a CGN position."""

from __future__ import annotations

from typing import cast

import click

from couperation_formal.analysis.inspect import NoSuchTurn, position_after
from couperation_formal.cli.inputs import FILE, GAME
from couperation_formal.cli.options import MARKS, RULES
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.output import put_text
from couperation_formal.cli.turns import AS, AT, note_refused, one_game, refuse, seen_as
from couperation_formal.model.record import Game
from couperation_formal.model.rulings import Rules, taggable
from couperation_formal.notation.marks import OwnMarks
from couperation_formal.notation.write import position_text


@click.command(cls=Makes, examples=("couperation position examples/legal/thursday.cgn --at 7",))
@FILE
@AT
@AS
@GAME
@RULES
@MARKS
def command(
    file: str, turn: int | None, viewer: str | None, number: int, rules: Rules | None, marks: OwnMarks | None
) -> None:
    """Print the table after a turn as a position."""
    game = cast("Game", seen_as(one_game(file, number, marks), viewer))
    try:
        put_text(position_text(position_after(game, turn, taggable(rules or game.record.rules))))
    except NoSuchTurn as error:
        refuse(error)
    note_refused(game, turn, rules)
