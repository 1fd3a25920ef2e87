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
from couperation_formal.cli.command import Command
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.files import STDIN, Input, find
from couperation_formal.cli.options import FILES, MARKS, ONE, RULES, budget_option
from couperation_formal.cli.output import note
from couperation_formal.cli.pages import Pages
from couperation_formal.cli.progress import asking
from couperation_formal.cli.run import Run
from couperation_formal.game.budget import DEFAULT, Steps
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.words.say import phrase

if TYPE_CHECKING:
    from couperation_formal.report.html.fate import Fate
    from couperation_formal.report.html.games import GameView

_PROVISO = 200_000
"""The steps in which a page looks for what the verdict on a game takes for granted: some two seconds."""


@click.command(
    cls=Command,
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
    "page",
    type=click.Path(),
    required=True,
    metavar="OUT",
    help="The page's file, or the folder for an index and a page a game: one that is there, or a name that ends in /.",
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
def command(run: Run, files: tuple[str, ...], page: str, viewer: str | None, disputed: bool, analysed: bool) -> Exit:
    """Write a page that shows games turn by turn, with verdicts and reasons.

    FILES hold records and positions. The page is one file and loads nothing. Of more than 50 games OUT is an index, and
    each game has a page in a folder beside it. Exit code 0 when they were written, whatever the games are.
    """
    if run.budget is not None and not analysed:
        raise click.UsageError(phrase("budget_needs_analyse"))
    only = None if viewer is None else view_of(viewer)
    found = list(find(files))
    for each in found:
        if isinstance(each, Input) and each.file != STDIN:
            run.files.reads(Path(each.file))

    def view(report: Report, at: int) -> GameView:
        from couperation_formal.report.html.games import game_view

        item, fate = report.item, None
        dispute = _dispute(item) if disputed and isinstance(item, Game) else None
        if analysed and (isinstance(item, Snapshot) or (isinstance(item, Game) and report.rules is not None)):
            fate = _fate(run, item)
        return game_view(report, at, run.rules, dispute, only, fate)

    with Pages(run.files, page, view) as pages:
        for item in run.all(found):
            report = _report(run, item, only)
            if report is not None:
                pages.add(report)
    if not pages.count:
        run.codes.append(Exit.UNUSABLE)
        return run.end()
    note(phrase("games_in", games=pages.count, file=pages.name))
    if pages.older:
        note(phrase("older_pages", count=len(pages.older), file=pages.older[0]))
    return run.end()


def _report(run: Run, item: Item, only: View | None) -> Report | None:
    """The report on a game or position as `only` saw it; None, which is told, where it cannot be shown."""
    seen = item if only is None else _seen(run, item, only)
    if seen is None:
        return None
    own, warnings = marked(seen, run.marks)
    with asking(Steps(DEFAULT)) as steps:
        report = warned(check(own, run.rules, budget=steps), warnings)
    with asking(Steps(_PROVISO)) as steps:
        return with_proviso(report, steps)


def _seen(run: Run, item: Item, only: View) -> Item | None:
    """The item as `only` could have written it down; None, which is told, where that cannot be."""
    if isinstance(item, Malformed):
        run.refuse(phrase("left_out_unread", file=item.file, number=item.index))
        return None
    try:
        return seen_by(item, only.player)
    except ValueError as error:
        run.refuse(phrase("left_out", file=item.file, number=item.index, why=error))
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


def _fate(run: Run, item: Game | Snapshot) -> Fate | None:
    """What became of a game's table, as `deadlock` tells it, or whether that of a position is lost, as `complete` does;
    None where the independent checker rejects the answer.
    """
    from couperation_formal.analysis.complete import NoTower
    from couperation_formal.analysis.inspect import NoSuchTurn
    from couperation_formal.analysis.table_answer import answer_certificates, complete_table
    from couperation_formal.analysis.table_deadlock import TableScan, scan_table, table_scan_certificates
    from couperation_formal.report.html.fate import fate_of, no_fate, position_fate

    rules = run.rules
    try:
        with asking(run.steps()) as steps:
            found = (
                scan_table(item, rules, steps) if isinstance(item, Game) else complete_table(item, None, rules, steps)
            )
    except (NoSuchTurn, NoTower) as error:
        return no_fate(error)
    proofs = (
        partial(table_scan_certificates, found) if isinstance(found, TableScan) else partial(answer_certificates, found)
    )
    checked = run.check(proofs, steps)
    if checked == "rejected":
        return None
    accepted = checked == "accepted"
    return fate_of(found, accepted) if isinstance(found, TableScan) else position_fate(found, accepted)
