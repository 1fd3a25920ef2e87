"""One file that is being written: its text, its revisions, and that none of them is lost.

A file that somebody else changes meanwhile is never written over: it is told, and whoever writes here decides.
"""

from __future__ import annotations

import os
import secrets
from datetime import date
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

from couperation_formal.board.journal import Edit, Journal, Locked, Misfit, digest, fold
from couperation_formal.board.record import Part, Splice, decoded, encoded, parts
from couperation_formal.game.fact import Fact, Told, Unfit, fact

MOST = 1 << 24
"""A file with more bytes is not opened."""


class Stale(Exception):
    """An edit that names another revision than the one that is there."""


class Kept(Told, OSError):
    """An edit that could not be kept: another board writes the file, or the disk refuses."""


class _Seen(NamedTuple):
    """A file as it was when it was read or written last; None where there was none."""

    status: tuple[int, int, int, int] | None
    digest: str


class Keeper:
    """A file and its journal. `revision` counts the edits, from a number that no earlier process told; `told` is what
    whoever writes here should hear of: a journal that was replayed or set aside; `left` what at the end was not
    written.

    Reading it writes nothing; only a journal that does not fit is renamed. Raises `Unfit` where the file is none that
    can be written, and `OSError`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.told: list[Fact] = []
        self.revision = secrets.randbelow(1 << 52)  # exact in a page's numbers, with all that may follow
        self._journal = Journal(self.path)
        self._seen = _Seen(None, digest(""))
        self._edits: list[Edit] = []
        self._undone: list[Edit] = []
        self._wrote = False
        self.left: Fact | None = None
        self.text = self._load()
        self._cache: tuple[str, tuple[Part, ...]] | None = None

    @property
    def games(self) -> tuple[Part, ...]:
        """The games of the text; none where it is blank."""
        if self._cache is None or self._cache[0] != self.text:
            blank = not self.text.strip("\ufeff \t\r\n")
            self._cache = self.text, () if blank else parts(self.text, self.path.name)
        return self._cache[1]

    @property
    def can_undo(self) -> str | None:
        """What would be undone, None where nothing can be."""
        return self._edits[-1].what if self._edits else None

    @property
    def can_redo(self) -> str | None:
        """What would be done again."""
        return self._undone[-1].what if self._undone else None

    def at(self, revision: int) -> None:
        """Raises `Stale` where this is not the revision that is there."""
        if revision != self.revision:
            raise Stale

    def edit(self, revision: int, what: str, game: int, start: int, splice: Splice) -> None:
        """Accept an edit of the text of the game that begins at `start`. It is in the journal when this returns, and on
        the disk. Raises `Stale` and `Kept`, and then nothing has changed.
        """
        self._accept(revision, what, game, Splice(start + splice.at, splice.cut, splice.put), 0)
        self._undone.clear()

    def undo(self, revision: int) -> Edit:
        """Take the last edit back, which is returned. Raises `Unfit` where there is none, `Stale` and `Kept`."""
        if not self._edits:
            raise Unfit(fact("board_no_undo"))
        last = self._edits[-1]
        self._accept(revision, last.what, last.game, last.splice.back, 1)
        del self._edits[-2:]
        self._undone.append(last)
        return last

    def redo(self, revision: int) -> Edit:
        """Do again what was undone last. Raises as `undo`."""
        if not self._undone:
            raise Unfit(fact("board_no_redo"))
        again = self._undone[-1]
        self._accept(revision, again.what, again.game, again.splice, -1)
        return self._undone.pop()

    def _accept(self, revision: int, what: str, game: int, splice: Splice, back: int) -> None:
        self.at(revision)
        try:
            new = splice.on(self.text)
        except ValueError:  # of bytes that are no text the reader tells others
            raise Unfit(fact("board_not_a_game", index=game)) from None
        if len(encoded(new)) > MOST:
            raise Unfit(fact("board_too_large", most=MOST))
        done = Edit(what=what, at=splice.at, cut=splice.cut, put=splice.put, digest=digest(new), game=game, back=back)
        try:
            self._take()
            self._journal.add(done, sync=True)
        except Locked:
            raise Kept(fact("board_locked", file=self.path.name)) from None
        except OSError as error:
            if not self._journal.here:  # another one begins with the next edit, and knows none before
                self._edits, self._undone = [], []
            raise Kept(fact("board_not_kept", why=error.strerror or str(error))) from None
        self.text, self.revision = new, self.revision + 1
        self._edits.append(done)
        self._wrote = True

    def _take(self) -> None:
        """Become the file's writer."""
        self._journal.take(self.text, lambda left: self.told.append(fact("board_aside", file=left.name)))

    def changed_outside(self) -> bool:
        """Whether the file is no longer as it was read or written here. Cost: a look at its status, and a reading where
        that has changed.
        """
        status = _status(self.path)
        if status == self._seen.status:
            return False
        try:
            now = digest(_text(self.path))
        except (OSError, Unfit):
            return True
        if now == self._seen.digest:
            self._seen = _Seen(status, now)
            return False
        return True

    def fold(self) -> bool:
        """Write the text into the file, if it holds something new and nobody else has changed it: whether the file now
        holds it. Raises `OSError`.
        """
        if digest(self.text) == self._seen.digest:
            return not self.changed_outside() or not self._wrote
        if self.changed_outside():
            return False
        self._take()
        written = fold(self.path, self.text, self._journal.new, unless=self.changed_outside)
        if written is None:
            return False
        self._seen = _Seen(_named(written), digest(self.text))
        if self._journal.full:
            self._edits, self._undone = [], []
            self._journal.done()
            self._take()
        return True

    def close(self) -> bool:
        """Write what is new into the file and let others write it: whether all is there. If not the journal stays, and
        `left` tells so.
        """
        name, here = self.path.name, self._journal.here
        try:
            if not self.fold():
                self.left = fact("board_left", file=name) if here else fact("board_mine", file=self._beside().name)
        except OSError as error:
            self.left = fact("board_not_folded" if here else "board_lost", why=error.strerror or str(error), file=name)
        self._journal.done() if self.left is None else self._journal.close()
        return self.left is None

    def take_theirs(self) -> Path | None:
        """Go on with the file as somebody else left it; what was written here stays beside it, in a file of its own:
        that file. Raises `Unfit` and `OSError`; where it cannot be read nothing has changed.
        """
        _text(self.path)
        mine = None
        if self._wrote:
            mine = self._beside()
            if self._journal.here:
                self._journal.aside()
        self._journal.done()
        self._edits, self._undone, self._wrote = [], [], False
        self.text = self._load()
        self.revision += 1
        return mine

    def _beside(self) -> Path:
        """What was written here in a file of its own beside the file."""
        mine = _free(self.path)
        while fold(mine, self.text, self._journal.new, partial(os.path.lexists, mine)) is None:
            mine = _free(self.path)
        return mine

    def _load(self) -> str:
        """The file's text, with the edits of its journal that it lacks."""
        status, text = _status(self.path), _text(self.path)
        self._seen = _Seen(status, digest(text))
        try:
            edits, held = self._journal.read(text)
            for edit in edits[held:]:
                text = edit.splice.on(text)
                if digest(text) != edit.digest:
                    raise Misfit
            self._remember(edits)
        except Locked:
            raise Kept(fact("board_locked", file=self.path.name)) from None
        except (ValueError, IndexError):  # an undo of nothing is no journal of ours
            self._edits, self._undone, self._wrote = [], [], False
            self.told.append(fact("board_aside", file=self._journal.aside().name))
            return decoded(encoded(_text(self.path)))
        if len(edits) > held:
            self.told.append(fact("board_replayed", count=len(edits) - held))
        return text

    def _remember(self, edits: list[Edit]) -> None:
        """What can be undone and done again after these edits."""
        self._wrote = bool(edits)
        for edit in edits:
            if edit.back > 0:
                self._undone.append(self._edits.pop())
            elif edit.back < 0:
                self._edits.append(self._undone.pop())
            else:
                self._edits.append(edit)
                self._undone.clear()


def _text(path: Path) -> str:
    """A file's text, empty where there is none. Raises `Unfit` and `OSError`."""
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):  # a link was put here since it was opened
            raise Unfit(fact("board_no_file", file=path.name))
        if path.stat().st_size > MOST:
            raise Unfit(fact("board_too_large", most=MOST))
        return decoded(path.read_bytes())
    except FileNotFoundError:
        return ""


def _status(path: Path) -> tuple[int, int, int, int] | None:
    try:
        return _named(path.lstat())
    except OSError:
        return None


def _named(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _free(path: Path) -> Path:
    """A name beside a file under which there is none, and no journal of one."""
    others = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(other for other in others if not any(map(os.path.lexists, (other, Journal(other).path))))


# The files that a board shows: one, or the `.cgn` files of a folder. Nothing else can be named from outside.

SUFFIX = ".cgn"
MOST_FILES = 1000
"""So many files of a folder are listed."""


class Shelf:
    """A file, which need not be there yet, or a folder. Files are opened when they are asked for. Raises `Unfit` where
    the path is neither.
    """

    def __init__(self, path: Path | None, today: date) -> None:
        path = path or _new(Path.cwd(), today)
        self.folder = path.resolve() if path.is_dir() else None
        self._path = path
        self._open: dict[str, Keeper] = {}
        if self.folder is None and not path.resolve().parent.is_dir():
            raise Unfit(fact("board_no_folder", folder=str(path.parent)))

    @property
    def place(self) -> Path:
        """The whole path of the file or folder."""
        return self.folder or self._path.resolve()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the files, sorted; of a folder those that are regular files in it, links out of it left out."""
        if self.folder is None:
            return (self._path.name,)
        found = {each.name for each in self.folder.iterdir() if _plain(each.name) and self._within(each)} | set(
            self._open
        )
        return tuple(sorted(found))[:MOST_FILES]

    def keeper(self, name: str | None) -> Keeper:
        """The file of this name, the only one if left out. Raises `Unfit` where the board does not show it, and
        `OSError`.
        """
        if self.folder is None:
            if name not in (None, self._path.name):
                raise Unfit(fact("board_no_file", file=name))
            return self._kept(self._path.name, self._path)
        if name is None or not _plain(name):
            raise Unfit(fact("board_no_file", file=name or ""))
        path = self.folder / name
        if name not in self._open and not self._within(path):
            raise Unfit(fact("board_no_file", file=name))
        return self._kept(name, path)

    def new(self, name: str) -> Keeper:
        """A new file of the folder, which is there once something is written. Raises `Unfit`."""
        if self.folder is None or not _plain(name):
            raise Unfit(fact("board_name", file=name))
        path = self.folder / name
        if path.exists() or path.is_symlink():
            raise Unfit(fact("board_exists", file=name))
        return self._kept(name, path)

    def opened(self) -> tuple[Keeper, ...]:
        """The files that were opened."""
        return tuple(self._open.values())

    def close(self) -> bool:
        """Write what is new into the files: whether all is there."""
        closed = [keeper.close() for keeper in self._open.values()]
        return all(closed)

    def _kept(self, name: str, path: Path) -> Keeper:
        if name not in self._open:
            self._open[name] = Keeper(path)
        return self._open[name]

    def _within(self, path: Path) -> bool:
        """Whether this is a file of the folder: a regular one, or a link to one in the folder itself."""
        plain = path.suffix == SUFFIX and not path.name.startswith(".")
        return plain and path.is_file() and path.resolve().parent == self.folder


def _plain(name: str) -> bool:
    """Whether a name is one of a file in the folder, and no path."""
    odd = not name.isprintable() or name.startswith(".") or name != Path(name).name or "\\" in name
    return not odd and name.endswith(SUFFIX) and len(name.encode()) <= 200


def _new(folder: Path, today: date) -> Path:
    """The file of a new game here: of today, and not there yet; one that a killed board left a journal of is taken up
    again.
    """
    number = 1
    while True:
        name = f"couperation-{today.isoformat()}{'' if number == 1 else f'-{number}'}{SUFFIX}"
        path = folder / name
        if not path.exists() and not path.is_symlink():
            return path
        number += 1
