"""`couperation report`: games as one page to look through, or as a folder of pages with an index, without a network.

Games come one by one. Up to `MOST_GAMES` are kept and become one page. Of more, and where a folder is named, each has a
page of its own that is written as it comes; the index is written last, so that it never leads to nothing.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

import click

from couperation_formal.cli import options, output
from couperation_formal.cli.output import Exit, Refused, asking, note, progress
from couperation_formal.cli.run import STDIN, Files, Input, OutFile, Run, find, reason_of
from couperation_formal.game.fact import DEFAULT, Steps, Unfit, fact
from couperation_formal.game.record import Game, Snapshot
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.output.formats import language_of
from couperation_formal.output.report import Report
from couperation_formal.page.page import Entry, GameView, entry_of, game_view, index_page, page_of
from couperation_formal.page.sights import Fate, fate_of, no_fate, position_fate
from couperation_formal.questions.disputes.dispute import dispute
from couperation_formal.questions.records import check, hanging, states
from couperation_formal.questions.tables import ask, complete, deadlock

MOST_GAMES: Final = 50
"""So many games one page takes; more would be heavy to open and long to look through."""

_PAGE = re.compile(r"game-\d{4,}\.html")


class Pages:
    """The pages of one run, each in the language of its games where they agree. `view` shows a report as game number so
    and so. Raises `Refused` where what is to be made may not be.

    `out` is a folder where it ends in a slash or is one: it gets ``index.html`` and the pages. Else it is the one page;
    with too many games for that it is the index, and the pages go to a folder beside it: ``games_files`` for
    ``games.html``, as browsers call what belongs to a page. Memory holds one page and a row of the index for each game.
    """

    def __init__(self, files: Files, out: str, view: Callable[[Report, int], GameView]) -> None:
        self.count, self._view, self._files = 0, view, files
        self._kept: list[Report] = []
        self._entries: list[Entry] = []
        self._languages = set[str]()
        self._folder: Path | None = None
        self._there = dict[str, OutFile]()
        self._made: Path | None = None
        self.name = out
        if out.endswith(("/", os.sep)) or (out and Path(out).is_dir()):
            self._begin(Path(out))
            self.name = str(Path(out) / "index.html")
        self._out = files.make(self.name)

    @property
    def older(self) -> list[str]:
        """Pages of the folder that an earlier run made and this one did not."""
        return [str(Path(self._folder or "") / name) for name in sorted(self._there)]

    @contextmanager
    def made(self) -> Iterator[Self]:
        """Write what is left to write at the end, if all went well; a folder that was made for nothing goes away."""
        try:
            yield self
            if self.count:
                self._end()
        finally:
            if self._made is not None:
                with suppress(OSError):
                    self._made.rmdir()

    def add(self, report: Report) -> None:
        """One more game."""
        self.count += 1
        self._languages.add(language_of(report.item))
        if self._folder is None and self.count <= MOST_GAMES:
            self._kept.append(report)
            return
        if self._folder is None:
            index = Path(self.name)
            self._begin(index.with_name(f"{index.stem}_files"))
            for number, each in enumerate(self._kept, 1):
                self._write(each, number)
            self._kept.clear()
        self._write(report, self.count)

    def _begin(self, folder: Path) -> None:
        """Make a folder for the pages, or look whether those that are there may be replaced, before any is."""
        try:
            with suppress(FileExistsError):
                folder.mkdir()
                self._made = folder
            names = sorted(path.name for path in folder.iterdir() if _PAGE.fullmatch(path.name))
        except FileNotFoundError:
            raise Refused(fact("no_folder", file=str(folder), folder=str(folder.parent))) from None
        except OSError as error:
            raise Refused(fact("cannot_write", file=str(folder), why=reason_of(error))) from None
        self._there = {name: self._files.make(str(folder / name)) for name in names}
        self._folder = folder

    def _write(self, report: Report, number: int) -> None:
        folder, index = self._folder or Path(), Path(self.name)
        name = f"game-{number:04}.html"
        beside = folder == index.parent
        view = self._view(report, number)
        back = f"{'' if beside else '../'}{quote(index.name)}#row-{number}"
        text = page_of([view], output.language(language_of(report.item)), back)
        file = self._there.pop(name, None) or self._files.make(str(folder / name))
        file.put(text.encode("utf-8", "replace"))
        self._entries.append(entry_of(view, name if beside else f"{quote(folder.name)}/{name}"))

    def _end(self) -> None:
        language = output.language(*self._languages) if len(self._languages) == 1 else output.language()
        if self._folder is None:
            views = [self._view(report, at) for at, report in enumerate(progress(self._kept, "games"), 1)]
            text = page_of(views, language)
        else:
            text = index_page(self._entries, language)
        self._out.put(text.encode("utf-8", "replace"))


_PROVISO = 200_000
"""The steps in which a page looks for what the verdict on a game takes for granted: some two seconds."""


@options.command(
    "couperation report examples/legal -o games.html",
    "couperation report --analyse examples/tables/lost.cgn -o lost.html",
    "couperation report examples/legal/thursday.cgn --as Noor -o noor.html",
    "couperation report examples -o games/",
)
@options.these(options.FILES, options.ONE)
@options.out(
    "page",
    "The page's file, or the folder for an index and a page a game: one that is there, or a name that ends in /.",
    type=click.Path(),
    required=True,
)
@options.view(
    "Write only what this player could know, or everybody at the table: the page holds nothing else. Left out: it"
    " holds everybody's cards."
)
@options.these(options.RULES, options.MARKS)
@options.flag("--dispute", "disputed", help="Show what every rulebook says, and what it hangs on.")
@options.flag(
    "--analyse",
    "analysed",
    help="Show which turn lost each game, and what would have saved it, as `deadlock` tells it.",
)
@options.budget("the analysis of each game")
def report_command(
    run: Run, files: tuple[str, ...], page: str, viewer: str | None, disputed: bool, analysed: bool
) -> Exit:
    """Write a page that shows games turn by turn, with verdicts and reasons.

    FILES hold records and positions. The page is one file and loads nothing. Of more than 50 games OUT is an index, and
    each game has a page in a folder beside it. Exit code 0 when they were written, whatever the games are.
    """
    if run.budget is not None and not analysed:
        raise click.UsageError(output.spoken(fact("budget_needs_analyse")))
    only = None if viewer is None else states.view_of(viewer)
    sources = list(find(files))
    for each in sources:
        if isinstance(each, Input) and each.file != STDIN:
            run.files.reads(Path(each.file))

    def view(report: Report, at: int) -> GameView:
        item, quarrels, fate = report.item, None, None
        if disputed and isinstance(item, Game):
            with asking(Steps(DEFAULT)) as steps:
                quarrels = dispute(item, None, steps)
        if analysed and (isinstance(item, Snapshot) or (isinstance(item, Game) and report.rules is not None)):
            fate = _fate(run, item, report)
        return game_view(report, at, run.rules, quarrels, only, fate)

    with Pages(run.files, page, view).made() as pages:
        for item in run.all(sources):
            report = _report(run, item, only)
            if report is not None:
                pages.add(report)
    if not pages.count:
        run.codes.add(Exit.UNUSABLE)
        return run.end()
    note(fact("games_in", games=pages.count, file=pages.name))
    if pages.older:
        note(fact("older_pages", count=len(pages.older), file=pages.older[0]))
    return run.end()


def _report(run: Run, item: Item, only: states.View | None) -> Report | None:
    """The report on a game or position as `only` could have written it down; None, which is told, where that cannot
    be.
    """
    if only is not None:
        if isinstance(item, Malformed):
            run.refuse(fact("left_out_unread", file=item.file, number=item.index))
            return None
        try:
            item = states.seen_by(item, only.player)
        except Unfit as error:
            run.refuse(fact("left_out", file=item.file, number=item.index, why=error.what))
            return None
    with asking(Steps(DEFAULT)) as steps:
        report = check.check(item, run.rules, budget=steps, marks=run.marks)
    with asking(Steps(_PROVISO)) as steps:
        return hanging.with_proviso(report, steps)


def _fate(run: Run, item: Game | Snapshot, report: Report) -> Fate | None:
    """What became of a game's table, up to its first illegal turn by the report, as `deadlock` tells it, or whether
    that of a position is lost, as `complete` does; None where the independent checker rejects the answer.
    """
    try:
        with asking(run.steps()) as steps:
            if isinstance(item, Game):
                illegal = states.Illegal(report.turn, report.error.code) if report.error and report.turn else None
                scanned = deadlock.scan_table(item, run.rules, steps, illegal)
                fate, proofs = partial(fate_of, scanned), scanned.certificates
            else:
                answer = complete.complete_table(item, None, run.rules, steps)
                fate, proofs = partial(position_fate, answer), answer.certificates
    except (states.NoSuchTurn, ask.NoTower) as error:
        return no_fate(error.what)
    checked = run.check(proofs, steps)
    return None if checked == "rejected" else fate(checked == "accepted")
