"""`couperation deadlock`: the turn after which a game could no longer be won, or its tower no longer be completed."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.commands.complete import CODES
from couperation_formal.cli.options import FILES, LEVEL, MARKS, ONE, RULES, budget_option, evidence, format_option
from couperation_formal.cli.output import Exit, asking, put_text, say
from couperation_formal.cli.run import Run
from couperation_formal.game.budget import Steps
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.output.formats import Case, file_field, ready
from couperation_formal.questions.tables.ask import Level, NoTower
from couperation_formal.questions.tables.deadlock import (
    DeadlockData,
    TableDeadlockData,
    scan,
    scan_table,
    summary_blocks,
    summary_data,
)

_TOWERS = 100_000
"""Steps beside the budget that pay for the check of the towers of one game: one after each turn."""


COLUMNS = ("file", "game", "verdict", "dead turn", "reason", "checked", "illegal turn")


@click.command(cls=Command, examples=("couperation deadlock examples/tables/lost.cgn",))
@FILES
@ONE
@RULES
@evidence
@format_option("full", "json", "csv")
@LEVEL
@MARKS
@budget_option("each game")
def command(run: Run, files: tuple[str, ...], level: Level | None) -> Exit:
    """Tell which turn killed a game, why, and what that turn could have done instead.

    FILES hold recorded games, of which an illegal one is looked at up to its first illegal turn. Several of them are
    summed up at the end.
    """
    games: list[TableDeadlockData] = []

    def answer(item: Game | Snapshot) -> None:
        if isinstance(item, Snapshot):
            raise NoTower(fact("game_wanted_here"))
        if level == "tower":
            _tower(run, item)
        else:
            _table(run, item, games)

    put_text(run.form.head(COLUMNS))
    run.each(files, answer)
    if len(games) > 1 and run.form_name != "csv":  # a table has no summary
        if run.form_name == "full":
            say("")
        data = summary_data(games)
        run.put(Case(ready(data), partial(summary_blocks, data)))
    return run.end()


def _tower(run: Run, game: Game) -> None:
    with asking(run.steps()) as steps:
        found = scan(game, run.rules, steps)
    data = found.data()
    reason = "" if data.reason is None else data.reason.__struct_config__.tag
    run.answer(found, _code(data), Steps(steps.left + _TOWERS), partial(_row, reason=reason))


def _table(run: Run, game: Game, games: list[TableDeadlockData]) -> None:
    with asking(run.steps()) as steps:
        found = scan_table(game, run.rules, steps)
    data = found.data()
    reason = data.reasons[0].kind if data.reasons else ""
    if run.answer(found, _code(data), steps, partial(_row, reason=reason)):
        games.append(data)


def _code(data: DeadlockData | TableDeadlockData) -> Exit:
    """The exit code of one answer: that of a dead game, too, where the game is illegal."""
    return CODES[data.verdict] if data.illegal is None else Exit.BROKEN


def _row(data: DeadlockData | TableDeadlockData, reason: object) -> tuple[object, ...]:
    return (file_field(data.file), data.game, data.verdict, data.turn, reason, data.checked, data.illegal)
