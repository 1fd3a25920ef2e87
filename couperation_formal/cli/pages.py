"""Where pages of games go: one file for a few, a folder with an index for many.

Games come one by one. Up to `MOST_GAMES` are kept and become one page. Of more, and where a folder is named, each has a
page of its own that is written as it comes; the index is written last, so that it never leads to nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from couperation_formal.cli.files import Files, OutFile, reason_of
from couperation_formal.cli.output import Refused
from couperation_formal.cli.progress import progress
from couperation_formal.words.say import phrase

if TYPE_CHECKING:
    from couperation_formal.analysis.verify import Report
    from couperation_formal.report.html.games import GameView
    from couperation_formal.report.html.index import Entry

MOST_GAMES: Final = 50
"""So many games one page takes; more would be heavy to open and long to look through."""

_PAGE = re.compile(r"game-\d{4,}\.html")


class Pages:
    """The pages of one run. `view` shows a report as game number so and so. Raises `Refused` where what is to be made
    may not be.

    `out` is a folder where it ends in a slash or is one: it gets ``index.html`` and the pages. Else it is the one page;
    with too many games for that it is the index, and the pages go to a folder beside it: ``games_files`` for
    ``games.html``, as browsers call what belongs to a page. Memory holds one page and a row of the index for each game.
    """

    def __init__(self, files: Files, out: str, view: Callable[[Report, int], GameView]) -> None:
        self.count, self._view, self._files = 0, view, files
        self._kept: list[Report] = []
        self._entries: list[Entry] = []
        self._folder: Path | None = None
        self._there: dict[str, OutFile] = {}
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

    def __enter__(self) -> Pages:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Write what is left to write, if all went well; a folder that was made for nothing goes away."""
        try:
            if kind is None and self.count:
                self._end()
        finally:
            if self._made is not None:
                with suppress(OSError):
                    self._made.rmdir()

    def add(self, report: Report) -> None:
        """One more game."""
        self.count += 1
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
            raise Refused(phrase("no_folder", file=folder, folder=folder.parent)) from None
        except OSError as error:
            raise Refused(phrase("cannot_write", file=folder, why=reason_of(error))) from None
        self._there = {name: self._files.make(str(folder / name)) for name in names}
        self._folder = folder

    def _write(self, report: Report, number: int) -> None:
        from couperation_formal.report.html.index import entry_of
        from couperation_formal.report.html.page import page_of

        folder, index = self._folder or Path(), Path(self.name)
        name = f"game-{number:04}.html"
        beside = folder == index.parent
        view = self._view(report, number)
        text = page_of([view], f"{'' if beside else '../'}{quote(index.name)}#row-{number}")
        file = self._there.pop(name, None) or self._files.make(str(folder / name))
        file.put(text.encode("utf-8", "replace"))
        self._entries.append(entry_of(view, name if beside else f"{quote(folder.name)}/{name}"))

    def _end(self) -> None:
        from couperation_formal.report.html.page import index_page, page_of

        if self._folder is None:
            views = [self._view(report, at) for at, report in enumerate(progress(self._kept, "games"), 1)]
            text = page_of(views)
        else:
            text = index_page(self._entries)
        self._out.put(text.encode("utf-8", "replace"))
