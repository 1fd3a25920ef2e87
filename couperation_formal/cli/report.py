"""`couperation report`: games as one page to look through, or as a folder of pages, without a network."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from couperation_formal.analysis.marked import marked, warned
from couperation_formal.analysis.provided import with_proviso
from couperation_formal.analysis.seen import View, seen_by, view_of
from couperation_formal.analysis.verify import Report, check
from couperation_formal.cli.exits import Exit, worst
from couperation_formal.cli.inputs import FILES, ONE, STDIN, Input, NoGame, Unusable, find, inode_of, inputs, wanted
from couperation_formal.cli.options import MARKS, RULES, budget_option
from couperation_formal.cli.outfile import Makes
from couperation_formal.cli.output import complain, note
from couperation_formal.cli.pages import Pages
from couperation_formal.cli.progress import asking, progress
from couperation_formal.cli.proofs import Proofs
from couperation_formal.model.budget import DEFAULT, Steps, steps_of
from couperation_formal.model.record import Game, Snapshot
from couperation_formal.model.rulings import Rules
from couperation_formal.notation.marks import OwnMarks
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.words.say import phrase

if TYPE_CHECKING:
    from couperation_formal.report.html.fate import Fate
    from couperation_formal.report.html.games import GameView

_PROVISO = 200_000
"""The steps in which a page looks for what the verdict on a game takes for granted: some two seconds."""


@click.command(
    cls=Makes,
    examples=(
        "couperation report examples/legal -o games.html",
        "couperation report --analyse examples/tables/lost.cgn -o lost.html",
        "couperation report examples/legal/thursday.cgn --as Noor -o noor.html",
        "couperation report examples -o games/",
    ),
)
@FILES
@ONE
@click.option(
    "-o",
    "--output",
    "out",
    type=click.Path(),
    required=True,
    metavar="OUT",
    help="The page's file, or the folder for an index and a page a game: one that is there, or a name that ends in /."
    " Pages that were made here and not changed since are replaced.",
)
@click.option(
    "--as",
    "viewer",
    metavar="NAME|public",
    help="Write only what this player could know, or everybody at the table: the page holds nothing else. Left out: it"
    " holds everybody's cards.",
)
@RULES
@MARKS
@click.option("--dispute", "disputed", is_flag=True, help="Show what every rulebook says, and what it hangs on.")
@click.option(
    "--analyse",
    "analysed",
    is_flag=True,
    help="Show which turn lost each game, and what would have saved it, as `deadlock` tells it.",
)
@budget_option("the analysis of each game")
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    number: int | None,
    out: str,
    viewer: str | None,
    rules: Rules | None,
    marks: OwnMarks | None,
    disputed: bool,
    analysed: bool,
    budget: int | None,
) -> None:
    """Write a page that shows games turn by turn, with verdicts and reasons.

    FILES hold records and positions. The page is one file and loads nothing. Of more than 50 games OUT is an index, and
    each game has a page in a folder beside it. Exit code 0 when they were written, whatever the games are.
    """
    if budget is not None and not analysed:
        raise click.UsageError(phrase("budget_needs_analyse"))
    codes: list[Exit] = []
    only = None if viewer is None else view_of(viewer)
    found = list(find(files))
    inputs().update(inode_of(Path(each.file)) for each in found if isinstance(each, Input) and each.file != STDIN)
    steps = steps_of(budget).limit if analysed else None

    def view(report: Report, at: int) -> GameView:
        from couperation_formal.report.html.games import game_view

        item, fate = report.item, None
        dispute = _dispute(item) if disputed and isinstance(item, Game) else None
        if steps is not None and (isinstance(item, Snapshot) or (isinstance(item, Game) and report.rules is not None)):
            fate = _fate(item, rules, Steps(steps), codes)
        return game_view(report, at, rules, dispute, only, fate)

    with Pages(out, view) as pages:
        for each in progress(found):
            for item in wanted(each, number):
                report = _report(item, rules, marks, only)
                if report is None:
                    codes.append(Exit.UNUSABLE)
                else:
                    pages.add(report)
    if not pages.count:
        ctx.exit(worst([*codes, Exit.UNUSABLE]))
    note(phrase("games_in", games=pages.count, file=pages.name))
    if pages.older:
        note(phrase("older_pages", count=len(pages.older), file=pages.older[0]))
    ctx.exit(worst(codes))


def _report(
    item: Item | Unusable | NoGame, rules: Rules | None, marks: OwnMarks | None, only: View | None
) -> Report | None:
    """The report on a game or position as `only` saw it; None, which is told, where it cannot be shown."""
    if isinstance(item, Unusable | NoGame):
        complain(str(item))
        return None
    seen = item if only is None else _seen(item, only)
    if seen is None:
        return None
    own, warnings = marked(seen, marks)
    with asking(Steps(DEFAULT)) as steps:
        report = warned(check(own, rules, budget=steps), warnings)
    with asking(Steps(_PROVISO)) as steps:
        return with_proviso(report, steps)


def _seen(item: Item, only: View) -> Item | None:
    """The item as `only` could have written it down; None, which is told, where that cannot be."""
    if isinstance(item, Malformed):
        complain(phrase("left_out_unread", file=item.file, number=item.index))
        return None
    try:
        return seen_by(item, only.player)
    except ValueError as error:
        complain(phrase("left_out", file=item.file, number=item.index, why=error))
        return None


def _dispute(game: Game) -> dict[str, Any]:
    """The dispute of a game as JSON, each quarrel with what cannot be carried out."""
    import msgspec

    from couperation_formal.analysis.dispute import dispute
    from couperation_formal.answers.disputes import dispute_data
    from couperation_formal.report.dispute import nowhere_words

    with asking(Steps(DEFAULT)) as steps:
        found = dispute(game, None, steps)
    told: dict[str, Any] = msgspec.to_builtins(dispute_data(found))
    for quarrel, data in zip(found.quarrels, told["quarrels"], strict=True):
        data["nowhere"] = nowhere_words(quarrel)
    return told


def _fate(item: Game | Snapshot, rules: Rules | None, budget: Steps, codes: list[Exit]) -> Fate | None:
    """What became of a game's table, as `deadlock` tells it, or whether that of a position is lost, as `complete` does;
    None where the independent checker rejects the answer.
    """
    from couperation_formal.analysis.complete import NoTower
    from couperation_formal.analysis.inspect import NoSuchTurn
    from couperation_formal.analysis.table_answer import answer_certificates, complete_table
    from couperation_formal.analysis.table_deadlock import TableScan, scan_table, table_scan_certificates
    from couperation_formal.report.html.fate import fate_of, no_fate, position_fate

    try:
        with asking(budget):
            found = (
                scan_table(item, rules, budget) if isinstance(item, Game) else complete_table(item, None, rules, budget)
            )
    except (NoSuchTurn, NoTower) as error:
        return no_fate(error)
    proofs = (
        partial(table_scan_certificates, found) if isinstance(found, TableScan) else partial(answer_certificates, found)
    )
    checked = Proofs(None, verify=True).add(proofs, budget)
    if checked == "rejected":
        codes.append(Exit.OURS)
        return None
    accepted = checked == "accepted"
    return fate_of(found, accepted) if isinstance(found, TableScan) else position_fate(found, accepted)
