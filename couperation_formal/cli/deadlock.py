"""`couperation deadlock`: the turn after which a game could no longer be won, or its tower no longer be completed."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.analysis.complete import NoTower
from couperation_formal.analysis.deadlock import scan, scan_certificates
from couperation_formal.analysis.table_answer import Level
from couperation_formal.analysis.table_deadlock import scan_table, table_scan_certificates
from couperation_formal.answers.table_forms import TableDeadlockData
from couperation_formal.answers.tables import summary_data, table_deadlock_data
from couperation_formal.answers.towers import DeadlockData, deadlock_data
from couperation_formal.cli.complete import CODES
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.options import MARKS, budget_option
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.output import put_blocks, put_csv, put_json, say
from couperation_formal.cli.progress import asking
from couperation_formal.cli.towers import ANY_LEVEL, Answers, Each, question
from couperation_formal.model.budget import Steps, steps_of
from couperation_formal.model.fact import fact
from couperation_formal.model.record import Game, Snapshot
from couperation_formal.model.rulings import Rules
from couperation_formal.report.csv import file_field
from couperation_formal.report.tables import summary_blocks, table_deadlock_blocks
from couperation_formal.report.towers import deadlock_blocks

_TOWERS = 100_000
"""Steps beside the budget that pay for the check of the towers of one game: one after each turn."""


@click.command(cls=Makes, examples=("couperation deadlock examples/tables/lost.cgn",))
@question("full", "json", "csv")
@ANY_LEVEL
@MARKS
@budget_option("each game")
def command(answers: Answers, each: Each, rules: Rules | None, level: Level | None, budget: int | None) -> None:
    """Tell which turn killed a game, why, and what that turn could have done instead.

    FILES hold recorded games, of which an illegal one is looked at up to its first illegal turn. Several of them are
    summed up at the end.
    """
    games: list[TableDeadlockData] = []

    def answer(item: Game | Snapshot) -> None:
        if isinstance(item, Snapshot):
            raise NoTower(fact("game_wanted_here"))
        if level == "tower":
            _tower(answers, item, rules, steps_of(budget))
        else:
            _table(answers, item, rules, steps_of(budget), games)

    if answers.form == "csv":
        put_csv("file", "game", "verdict", "dead turn", "reason", "checked", "illegal turn", head=True)
    each(answer)
    if len(games) > 1:
        _sum_up(answers.form, games)


def _tower(answers: Answers, game: Game, rules: Rules | None, budget: Steps) -> None:
    with asking(budget):
        found = scan(game, rules, budget)
    data = deadlock_data(found)
    certificates = partial(scan_certificates, found)
    checking = Steps(budget.left + _TOWERS)
    answers.put(data, partial(deadlock_blocks, found), certificates, _code(data), _row, checking)


def _table(answers: Answers, game: Game, rules: Rules | None, budget: Steps, games: list[TableDeadlockData]) -> None:
    with asking(budget):
        found = scan_table(game, rules, budget)
    data = table_deadlock_data(found)
    certificates = partial(table_scan_certificates, found)
    blocks = partial(table_deadlock_blocks, found)
    if answers.put(data, blocks, certificates, _code(data), _table_row, budget):
        games.append(data)


def _code(data: DeadlockData | TableDeadlockData) -> Exit:
    """The exit code of one answer: that of a dead game, too, where the game is illegal."""
    return CODES[data.verdict] if data.illegal is None else Exit.BROKEN


def _sum_up(form: str, games: list[TableDeadlockData]) -> None:
    """The summary as the last object, or as text below the games; a table of CSV has none."""
    data = summary_data(games)
    if form == "json":
        put_json(data)
    elif form == "full":
        say("")
        put_blocks(summary_blocks(data))


def _row(data: DeadlockData) -> tuple[object, ...]:
    reason = "" if data.reason is None else data.reason.__struct_config__.tag
    return (file_field(data.file), data.game, data.verdict, data.turn, reason, data.checked, data.illegal)


def _table_row(data: TableDeadlockData) -> tuple[object, ...]:
    reason = data.reasons[0].kind if data.reasons else ""
    return (file_field(data.file), data.game, data.verdict, data.turn, reason, data.checked, data.illegal)
