"""`couperation report`: games as one page to look through, without a network."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from couperation_formal.analysis.marked import marked, warned
from couperation_formal.analysis.provided import with_proviso
from couperation_formal.analysis.verify import Report, check
from couperation_formal.cli.exits import Exit, worst
from couperation_formal.cli.inputs import FILES, ONE, Input, Unusable, find, items, opened, reason_of
from couperation_formal.cli.options import MARKS, RULES
from couperation_formal.cli.outfile import MARKUP, Makes, OutFile
from couperation_formal.cli.output import complain, note
from couperation_formal.cli.progress import asking, progress
from couperation_formal.model.budget import DEFAULT, Steps
from couperation_formal.model.record import Game
from couperation_formal.model.rulings import Rules
from couperation_formal.notation.marks import OwnMarks
from couperation_formal.words.say import phrase

_MOST_GAMES = 200
"""So many games one page takes; more would be too heavy to open."""

_PROVISO = 200_000
"""The steps in which a page looks for what the verdict on a game takes for granted: some two seconds."""


@click.command(cls=Makes, examples=("couperation report examples/legal -o games.html",))
@FILES
@ONE
@click.option(
    "-o",
    "--output",
    "out",
    type=click.Path(dir_okay=False),
    required=True,
    metavar="OUT",
    help="The page's file; a page that was made here and not changed since is replaced.",
)
@RULES
@MARKS
@click.option("--dispute", "disputed", is_flag=True, help="Show what every rulebook says, and what it hangs on.")
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    number: int | None,
    out: str,
    rules: Rules | None,
    marks: OwnMarks | None,
    disputed: bool,
) -> None:
    """Write a page that shows games turn by turn, with verdicts and reasons.

    FILES hold records and positions. The page is one file and loads nothing. Exit code 0 when it was written, whatever
    the games are.
    """
    file = OutFile(out, MARKUP)
    reports, codes = _reports(find(files), number, rules, marks)
    if not reports:
        ctx.exit(worst([*codes, Exit.UNUSABLE]))
    from couperation_formal.report.html.page import page

    text = page(reports, rules, _disputes(reports) if disputed else None)
    file.put(text.encode("utf-8", "replace"), MARKUP)
    note(phrase("games_in", games=len(reports), file=out))
    ctx.exit(worst(codes))


def _reports(
    found: Iterable[Input | Unusable], number: int | None, rules: Rules | None, marks: OwnMarks | None
) -> tuple[list[Report], list[Exit]]:
    """The reports on everything in these files, and the exit codes of what could not be shown."""
    reports: list[Report] = []
    codes: list[Exit] = []
    for each in progress(found):
        if isinstance(each, Unusable):
            complain(phrase("cannot_read", file=each.file, why=each.reason))
            codes.append(Exit.UNUSABLE)
            continue
        try:
            count = 0
            with opened(each.file) as stream:
                for item in items(stream, each.file):
                    count = item.index
                    if number not in (None, count):
                        continue
                    if len(reports) == _MOST_GAMES:
                        complain(phrase("page_full", games=_MOST_GAMES, file=each.file))
                        return reports, [*codes, Exit.UNUSABLE]
                    item, warnings = marked(item, marks)
                    with asking(Steps(DEFAULT)) as steps:
                        report = warned(check(item, rules, budget=steps), warnings)
                    with asking(Steps(_PROVISO)) as steps:
                        reports.append(with_proviso(report, steps))
        except OSError as error:
            complain(phrase("cannot_read", file=each.file, why=reason_of(error)))
            codes.append(Exit.UNUSABLE)
            continue
        if number is not None and count < number:
            complain(phrase("has_no_game", file=each.file, number=number, count=count))
            codes.append(Exit.UNUSABLE)
    return reports, codes


def _disputes(reports: list[Report]) -> dict[int, Any]:
    """The dispute of each game by its place, as JSON, each quarrel with what cannot be carried out."""
    import msgspec

    from couperation_formal.analysis.dispute import dispute
    from couperation_formal.answers.disputes import dispute_data
    from couperation_formal.report.dispute import nowhere_words

    found = {}
    for at, report in enumerate(progress(reports, "so_many_games")):
        if isinstance(report.item, Game):
            with asking(Steps(DEFAULT)) as steps:
                found[at] = dispute(report.item, None, steps)
    told = {at: msgspec.to_builtins(dispute_data(each)) for at, each in found.items()}
    for at, each in found.items():
        for quarrel, data in zip(each.quarrels, told[at]["quarrels"], strict=True):
            data["nowhere"] = nowhere_words(quarrel)
    return told
