"""`couperation complete`: can this table still be won, or this tower still be completed."""

from __future__ import annotations

from functools import partial

import click

from couperation_formal.analysis.complete import complete, completion_certificates
from couperation_formal.analysis.table_answer import Level, answer_certificates, complete_table, level_of
from couperation_formal.answers.tables import table_complete_data
from couperation_formal.answers.towers import Answered, complete_data
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.options import MARKS, budget_option
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.progress import asking
from couperation_formal.cli.towers import ANY_LEVEL, Answers, Each, question
from couperation_formal.cli.turns import AT
from couperation_formal.completion.answer import Completable
from couperation_formal.model.budget import Steps, steps_of
from couperation_formal.model.record import Game, Snapshot
from couperation_formal.model.rulings import Rules
from couperation_formal.report.tables import table_complete_blocks
from couperation_formal.report.towers import complete_blocks

CODES: dict[Answered, Exit] = {
    "completable": Exit.KEPT,
    "deadlocked": Exit.BROKEN,
    "undetermined": Exit.UNDETERMINED,
}
"""The exit code of each answer."""


@click.command(
    cls=Makes,
    examples=("couperation complete examples/towers/dead.cgn", "couperation complete examples/tables/lost.cgn --at 33"),
)
@question("full", "json")
@AT
@ANY_LEVEL
@MARKS
@budget_option("each position")
def command(
    answers: Answers, each: Each, rules: Rules | None, turn: int | None, level: Level | None, budget: int | None
) -> None:
    """Tell whether a table can still be won or a tower be completed, how, or why not.

    FILES hold positions, or recorded games, looked at after a turn.
    """

    def answer(item: Game | Snapshot) -> None:
        if (level or level_of(item, turn, rules)) == "table":
            _table(answers, item, turn, rules, steps_of(budget))
        else:
            _tower(answers, item, turn, rules, steps_of(budget))

    each(answer)


def _tower(answers: Answers, item: Game | Snapshot, turn: int | None, rules: Rules | None, budget: Steps) -> None:
    found = complete(item, turn, rules)
    code = Exit.KEPT if isinstance(found.answer, Completable) else Exit.BROKEN
    certificates = partial(completion_certificates, found)
    answers.put(complete_data(found), partial(complete_blocks, found), certificates, code, budget=budget)


def _table(answers: Answers, item: Game | Snapshot, turn: int | None, rules: Rules | None, budget: Steps) -> None:
    with asking(budget):
        found = complete_table(item, turn, rules, budget)
    data = table_complete_data(found)
    certificates = partial(answer_certificates, found)
    answers.put(data, partial(table_complete_blocks, found), certificates, CODES[data.verdict], budget=budget)
