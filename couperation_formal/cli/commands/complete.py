"""`couperation complete`: can this table still be won, or this tower still be completed."""

from __future__ import annotations

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.options import AT, FILES, LEVEL, MARKS, ONE, RULES, budget_option, evidence, format_option
from couperation_formal.cli.output import Exit, asking, complain, note
from couperation_formal.cli.run import Run
from couperation_formal.game.budget import Spent
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.questions.records.check import EngineDisagreement
from couperation_formal.questions.tables.ask import Level, level_of
from couperation_formal.questions.tables.complete import (
    TowerEngine,
    complete,
    complete_table,
)
from couperation_formal.questions.tables.reasons import Answered
from couperation_formal.towers.completion.answer import Completable
from couperation_formal.words.say import phrase

CODES: dict[Answered, Exit] = {
    "completable": Exit.KEPT,
    "deadlocked": Exit.BROKEN,
    "undetermined": Exit.UNDETERMINED,
}
"""The exit code of each answer."""


@click.command(
    cls=Command,
    examples=("couperation complete examples/towers/dead.cgn", "couperation complete examples/tables/lost.cgn --at 33"),
)
@FILES
@ONE
@RULES
@evidence
@format_option("full", "json")
@AT
@LEVEL
@click.option(
    "--engine",
    type=click.Choice(["exact", "z3", "both"]),
    default="exact",
    show_default=True,
    help="Of a tower. exact: by earliest deadline first. z3: Z3 decides. both: fail where they differ.",
)
@MARKS
@budget_option("each position")
def command(run: Run, files: tuple[str, ...], turn: int | None, level: Level | None, engine: TowerEngine) -> Exit:
    """Tell whether a table can still be won or a tower be completed, how, or why not.

    FILES hold positions, or recorded games, looked at after a turn.
    """
    if engine != "exact" and level == "table":
        raise click.UsageError("--engine asks about towers; it goes without --level table")
    if engine != "exact":
        level = "tower"

    def answer(item: Game | Snapshot) -> None:
        if (level or level_of(item, turn, run.rules)) == "table":
            _table(run, item, turn)
        else:
            _tower(run, item, turn, engine)

    try:
        run.each(files, answer, turn)
    except EngineDisagreement as error:
        complain(phrase("engines_differ", error=error))
        return Exit.OURS
    return run.end()


def _tower(run: Run, item: Game | Snapshot, turn: int | None, engine: TowerEngine) -> None:
    try:
        found = complete(item, turn, run.rules, engine)
    except Spent:
        note(phrase("refused_item", file=item.file, game=item.index, reason=phrase("undetermined")))
        run.codes.append(Exit.UNDETERMINED)
        return
    code = Exit.KEPT if isinstance(found.answer, Completable) else Exit.BROKEN
    run.answer(found, code, run.steps())


def _table(run: Run, item: Game | Snapshot, turn: int | None) -> None:
    with asking(run.steps()) as steps:
        found = complete_table(item, turn, run.rules, steps)
    run.answer(found, CODES[found.data().verdict], steps)
