"""The files of a board, and one that is being written: its text, its revisions, and that none of them is lost.

Each edit is in the file before anybody is told that it was accepted. A file that somebody else changes meanwhile is
never written over: it is told, whoever writes here decides, and until then the edits go into a file of their own beside
it. In `.FILE.journal` stands what can be undone: its first line holds the digest of the text from which it began, each
further one an edit and the digest after it. An edit is there before it is in the file, so whatever the moment at which
a process ends, the file is the text after one of these lines (`spec/board.md`).
"""

import errno
import hashlib
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import IO, Annotated, Literal

from msgspec import DecodeError, Meta, Struct
from msgspec.json import decode, encode

from couperation_formal.board.record import Splice, decoded, encoded, items_of
from couperation_formal.game.fact import Fact, Told, Unfit, fact
from couperation_formal.output.blocks import Part, parts
from couperation_formal.output.formats import new_permissions, written_atomically

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


MOST = 1 << 24
"""A file with more bytes is not opened."""
FULL = 1 << 24
"""A journal with more bytes begins anew, and one with four times as many is set aside unread."""
_MISFIT = (DecodeError, ValueError, IndexError, RecursionError)
"""What reading a journal raises that is none of this file's."""


class Stale(Exception):
    """An edit that names another revision than the one that is there."""


class Kept(Told, OSError):
    """An edit that could not be kept: another board writes the file, or the disk refuses."""


class _Changed(Exception):
    """Somebody else has changed the file."""


class Head(Struct, frozen=True, kw_only=True):
    """The first line of a journal: the format, the digest of the text that it began from, and a word that no other name
    holds, for that under which a text is made ready.
    """

    journal: Literal[2] = 2
    digest: str
    new: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")] | None = None


class Edit(Struct, frozen=True, kw_only=True):
    """An accepted edit: what was done, the splice, and the digest of the text after it. `back` counts the edits that
    this one undoes (an undo) or does again (a redo, below zero); 0 for what is new.
    """

    what: str
    splice: Splice
    digest: str
    game: int = 0
    back: int = 0


@lru_cache(maxsize=16)
def _games(text: str, file: str) -> tuple[Part, ...]:
    return tuple(parts(text, items_of(text, file))) if text.strip("\ufeff \t\r\n") else ()


def digest(text: str) -> str:
    """The digest of a text's bytes."""
    return hashlib.sha256(encoded(text)).hexdigest()


class Keeper:
    """A file and its journal. `revision` counts the edits, from a number that no earlier process told; `told` is what
    whoever writes here should hear of: a journal that was set aside; `left` what at the end is not in the file.

    Reading it writes nothing; only a journal that does not fit is renamed. Raises `Unfit` where the file is none that
    can be written, and `OSError`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.revision = secrets.randbelow(1 << 52)  # exact in a page's numbers, with all that may follow
        self._journal = Journal(self.path)
        self.told = self._journal.told
        self._home = _Place(self.path)
        self._beside: _Place | None = None
        self._edits: list[Edit] = []
        self._undone: list[Edit] = []
        self._wrote = False
        self.left: Fact | None = None
        self.text = self._load()

    @property
    def games(self) -> tuple[Part, ...]:
        """The games of the text; none where it is blank."""
        return _games(self.text, self.path.name)

    @property
    def can_undo(self) -> str | None:
        """What would be undone, None where nothing can be."""
        return self._edits[-1].what if self._edits else None

    @property
    def can_redo(self) -> str | None:
        """What would be done again."""
        return self._undone[-1].what if self._undone else None

    def at(self, revision: int) -> None:
        """Raises `Stale` where this is not the revision that is there; whoever edits asks first."""
        if revision != self.revision:
            raise Stale

    def edit(self, what: str, game: int, start: int, splice: Splice) -> None:
        """Accept an edit of the text of the game that begins at `start`. It is in the file when this returns, or beside
        one that somebody else has changed, and on the disk. Raises `Unfit` and `Kept`, and then nothing has changed.
        """
        self._accept(what, game, Splice(start + splice.at, splice.cut, splice.put), 0)

    def undo(self) -> Edit:
        """Take the last edit back, which is returned. Raises `Unfit` where there is none, and `Kept`."""
        if not self._edits:
            raise Unfit("board_no_undo")
        last = self._edits[-1]
        self._accept(last.what, last.game, last.splice.back, 1)
        return last

    def redo(self) -> Edit:
        """Do again what was undone last. Raises as `undo`."""
        if not self._undone:
            raise Unfit("board_no_redo")
        again = self._undone[-1]
        self._accept(again.what, again.game, again.splice, -1)
        return again

    def _accept(self, what: str, game: int, splice: Splice, back: int) -> None:
        try:
            new = splice.on(self.text)
        except ValueError:  # of bytes that are no text the reader tells others
            raise Unfit("board_not_a_game", index=game) from None
        if len(encoded(new)) > MOST:
            raise Unfit("board_too_large", most=MOST)
        done = Edit(what=what, splice=splice, digest=digest(new), game=game, back=back)
        try:
            self._journal.take(self.text)
            with self._journal.added(done):
                self._write(new)
        except Kept:
            raise
        except OSError as error:
            if not self._journal.here:  # another one begins with the next edit, and knows none before
                self._edits, self._undone = [], []
            raise Kept("board_not_kept", why=error.strerror or str(error)) from None
        self.text, self.revision = new, self.revision + 1
        self._remember(done)
        if self._journal.full:
            self._edits, self._undone = [], []
            with suppress(OSError):
                self._journal.begin(new)

    def _remember(self, edit: Edit) -> None:
        """What can be undone and done again after this edit too."""
        self._wrote = True
        if edit.back > 0:
            self._undone.append(self._edits.pop())
        elif edit.back < 0:
            self._edits.append(self._undone.pop())
        else:
            self._edits.append(edit)
            self._undone.clear()

    def _write(self, text: str) -> Path | None:
        """Write a text into the file, or into one beside it where somebody else has changed it: that one. Raises
        `OSError`.
        """
        new = self._journal.new
        if self._home.write(text, new):
            return None
        while self._beside is None or not self._beside.write(text, new):
            self._beside = _Place(_free(self.path))
        return self._beside.path

    def changed_outside(self) -> bool:
        """Whether the file is no longer as it was read or written here. Cost: a look at its status, and a reading where
        that has changed.
        """
        return self._home.changed()

    def close(self) -> bool:
        """Let others write the file: whether it holds all that was written here. If not, `left` tells so."""
        try:
            beside = self._write(self.text) if self._wrote else None
            if beside is not None:
                self.left = fact("board_mine", file=beside.name)
            self._journal.done()
        except OSError as error:
            self.left = fact("board_lost", why=error.strerror or str(error), file=self.path.name)
            self._journal.close()
        return self.left is None

    def take_theirs(self) -> Path | None:
        """Go on with the file as somebody else left it; what was written here stays beside it, in a file of its own:
        that file. Raises `Unfit` and `OSError`; where it cannot be read, or another board writes it, the text stays
        what was written here, and what somebody else wrote is not known here.
        """
        _text(self.path)
        mine = self._write(self.text) if self._wrote else None
        self._journal.done()
        self._edits, self._undone, self._wrote, self._beside = [], [], False, None
        self.text = self._load()
        self.revision += 1
        return mine

    def keep_mine(self) -> Path | None:
        """Have the file hold what was written here; what somebody else left in it is then beside it, in a file of its
        own: that file, None where there was nothing. Raises `Unfit`, `Kept` and `OSError`, and then the file is as it
        was.
        """
        if not self.changed_outside():
            return None
        home, theirs = _Place(self.path), _Place(_free(self.path))
        text = home.read()
        self._journal.take(self.text)
        if text and not theirs.write(text, self._journal.new):
            raise Kept("board_not_kept", why=theirs.path.name)
        if not home.write(self.text, self._journal.new):
            raise Kept("board_not_kept", why=self.path.name)
        self._home, self._beside, self._wrote = home, None, True
        self.revision += 1
        return theirs.path if text else None

    @property
    def theirs(self) -> tuple[Part, ...]:
        """The games of the file as somebody else left it. Raises `Unfit` and `OSError`."""
        return _games(_text(self.path), self.path.name)

    def _load(self) -> str:
        """The file's text, and what of it can be undone."""
        home = _Place(self.path)
        text = home.read()
        try:
            for edit in self._journal.read(text):
                self._remember(edit)
        except _MISFIT:  # an undo of nothing too is no journal of ours
            self._edits, self._undone, self._wrote = [], [], False
            self._journal.aside()
        self._home = home
        return text


class _Place:
    """A file as it was when it was read or written last here; at first one that is not there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._status: _Status | None = None
        self._digest = digest("")

    def read(self) -> str:
        """The text that is there. Raises `Unfit` and `OSError`."""
        self._status, text = _status(self.path), _text(self.path)
        self._digest = digest(text)
        return text

    def changed(self) -> bool:
        """Whether somebody else has changed it since."""
        status = _status(self.path)
        if status == self._status:
            return False
        try:
            same = digest(_text(self.path)) == self._digest
        except (OSError, Unfit):
            return True
        if same:
            self._status = status
        return not same

    def write(self, text: str, temporary: Path) -> bool:
        """Have it hold this text; False where somebody else has changed it, and it is left so. Raises `OSError`, and
        then it is as it was.
        """
        if self._status is not None and digest(text) == self._digest:
            return not self.changed()
        temporary.unlink(missing_ok=True)
        try:
            with written_atomically(self.path, temporary, self._permissions) as stream:
                stream.write(encoded(text))
                stream.flush()
                status = _named(os.fstat(stream.fileno()))
        except _Changed:
            return False
        self._status, self._digest = status, digest(text)
        return True

    def _permissions(self) -> int:
        if self.changed():
            raise _Changed
        try:
            return self.path.stat().st_mode
        except FileNotFoundError:
            return new_permissions()


class Journal:
    """The journal beside one file. It is opened, and made where there is none, with the first edit; then this process
    is the file's one writer. A lock ends with its process, however that ends. `told` names each that was set aside.
    """

    def __init__(self, file: Path) -> None:
        self._file = file.name
        self.told: list[Fact] = []
        self.path = file.with_name(f".{file.name}.journal")
        self._stream: IO[bytes] | None = None
        self._new = secrets.token_hex(8)

    @property
    def new(self) -> Path:
        """Where the next text of the file is made ready. No other file has this name."""
        return self.path.with_name(f"{self.path.name}.{self._new}.new")

    @property
    def full(self) -> bool:
        """Whether it is to begin anew."""
        return self._stream is not None and os.fstat(self._stream.fileno()).st_size > FULL

    @property
    def here(self) -> bool:
        """Whether this process writes the journal, and nobody took it away."""
        return self._stream is not None and self._names(self._stream)

    def take(self, start: str) -> None:
        """Become the writer of a file whose text is `start`; nothing where this process is it. A journal that somebody
        left there meanwhile is set aside. Raises `Kept` where another one is the writer, and
        `OSError`.
        """
        if self._stream is not None:
            return
        self._stream = self._opened()
        if self._stream.seek(0, os.SEEK_END):
            self.aside()
            self._stream = self._opened()
        self.begin(start)

    def begin(self, start: str) -> None:
        """Begin it anew with the text `start`. Raises `OSError`, and then there is none."""
        if self._stream is not None:
            try:
                self._stream.truncate(0)
                _put(self._stream, Head(digest=digest(start), new=self._new))
            except OSError:
                self.done()
                raise

    def _opened(self) -> IO[bytes]:
        """The journal, locked; what its last writer was making ready when it was killed goes. A journal that its writer
        took away meanwhile is not written to.
        """
        for _ in range(100):
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            stream = os.fdopen(os.open(self.path, flags, 0o600), "r+b", buffering=0)
            try:
                _lock(stream.fileno())
            except (BlockingIOError, PermissionError):
                stream.close()
                break
            if self._names(stream):
                stream.seek(0)  # what is no file refuses
                self._sweep(stream)
                return stream
            stream.close()
        raise Kept("board_locked", file=self._file)

    def _names(self, stream: IO[bytes]) -> bool:
        """Whether this stream is what the journal's name leads to."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(stream.fileno()), self.path.lstat())
        return False

    def _sweep(self, stream: IO[bytes]) -> None:
        with suppress(*_MISFIT, OSError):
            head = decode(stream.read(1 << 10).partition(b"\n")[0], type=Head)
            if head.new is not None:
                self._new = head.new
                self.new.unlink()

    def read(self, text: str) -> list[Edit]:
        """The edits of the journal that is there, as far as `text` holds them; none where there is no journal. A
        further one was never answered, and is taken off. Raises one of `_MISFIT` where it is no journal of this text,
        `Kept` where another one is the writer, and `OSError`.
        """
        if not os.path.lexists(self.path):
            return []
        self._stream = self._opened()
        self._stream.seek(0)
        if os.fstat(self._stream.fileno()).st_size > 4 * FULL:
            raise ValueError(self.path)
        data = self._stream.read()
        if not data:
            self.close()
            return []
        lines = data[: data.rfind(b"\n") + 1].splitlines(keepends=True)
        head = decode(lines[0], type=Head)
        edits = [decode(line, type=Edit) for line in lines[1:]]
        digests = [head.digest, *(edit.digest for edit in edits)]
        held = len(edits) - digests[::-1].index(digest(text))
        self._stream.truncate(sum(map(len, lines[: held + 1])))
        return edits[:held]

    @contextmanager
    def added(self, edit: Edit) -> Iterator[None]:
        """Write an edit, which is on the disk within the block and goes again where that fails. Raises `OSError`. A
        journal that somebody took away is let go.
        """
        stream = self._stream
        if stream is None or not self.here:
            self.close()
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.path)
        end = stream.seek(0, os.SEEK_END)
        try:
            _put(stream, edit)
            yield
        except BaseException:
            with suppress(OSError):
                stream.truncate(end)
            raise

    def aside(self) -> None:
        """Let go of the journal, which stays as it is under a name of its own; that is `told`. Raises `OSError`."""
        others = (self.path.with_name(f"{self.path.name}.{number}") for number in count(1))
        other = next(each for each in others if not os.path.lexists(each))
        try:
            self.path.rename(other)
        finally:
            self.close()
        self.told.append(fact("board_aside", file=other.name))

    def done(self) -> None:
        """Take the journal away, and let others write."""
        if self.here:
            with suppress(OSError):
                self.path.unlink()
        self.close()

    def close(self) -> None:
        """Let others write; the journal stays."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def _put(stream: IO[bytes], line: Head | Edit) -> None:
    data = encode(line) + b"\n"
    if stream.write(data) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    os.fsync(stream.fileno())


_Status = tuple[int, int, int, int]
"""By what it is seen that a file was changed."""


def _text(path: Path) -> str:
    """A file's text, empty where there is none. Raises `Unfit` and `OSError`."""
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):  # a link was put here since it was opened
            raise Unfit("board_no_file", file=path.name)
        if path.stat().st_size > MOST:
            raise Unfit("board_too_large", most=MOST)
        return decoded(path.read_bytes())
    except FileNotFoundError:
        return ""


def _status(path: Path) -> _Status | None:
    try:
        return _named(path.lstat())
    except OSError:
        return None


def _named(status: os.stat_result) -> _Status:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _free(path: Path, *first: Path) -> Path:
    """The first of these names, and else of numbered ones, under which there is no file and no journal of one."""
    others = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(each for each in chain(first, others) if not any(map(os.path.lexists, (each, Journal(each).path))))


# The files that a board shows: one, or the `.cgn` files of a folder. Nothing else can be named from outside.

SUFFIX = ".cgn"
MOST_FILES = 1000
"""So many files of a folder are listed."""


class Shelf:
    """A file, which need not be there yet, or a folder. Files are opened when they are asked for. Raises `Unfit` where
    the path is neither.
    """

    def __init__(self, path: Path | None, today: date) -> None:
        if path is None:
            path = Path.cwd() / f"couperation-{today.isoformat()}{SUFFIX}"
            path = _free(path, path)
        self.folder = path.resolve() if path.is_dir() else None
        self._path = path
        self._open: dict[str, Keeper] = {}
        if self.folder is None and not path.resolve().parent.is_dir():
            raise Unfit("board_no_folder", folder=str(path.parent))

    @property
    def place(self) -> Path:
        """The whole path of the file or folder."""
        return self.folder or self._path.resolve()

    @property
    def of(self) -> str:
        """The digest of that path."""
        return hashlib.sha256(os.fsencode(self.place)).hexdigest()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the files, sorted; of a folder those that are regular files in it, links out of it left out."""
        if self.folder is None:
            return (self._path.name,)
        listed = {each.name for each in self.folder.iterdir() if _plain(each.name) and self._within(each)}
        return tuple(sorted(listed | self._open.keys()))[:MOST_FILES]

    def keeper(self, name: str | None) -> Keeper:
        """The file of this name, the only one if left out. Raises `Unfit` where the board does not show it, and
        `OSError`.
        """
        if self.folder is None:
            path, shown = self._path, name in (None, self._path.name)
        else:
            path = self.folder / (name or "")
            shown = name is not None and _plain(name) and (name in self._open or self._within(path))
        if not shown:
            raise Unfit("board_no_file", file=name or "")
        return self._kept(path)

    def new(self, name: str) -> Keeper:
        """A new file of the folder, which is there once something is written. Raises `Unfit`."""
        if self.folder is None or not _plain(name):
            raise Unfit("board_name", file=name)
        path = self.folder / name
        if os.path.lexists(path):
            raise Unfit("board_exists", file=name)
        return self._kept(path)

    def opened(self) -> tuple[Keeper, ...]:
        """The files that were opened."""
        return tuple(self._open.values())

    def close(self) -> bool:
        """Write what is new into the files: whether all is there."""
        closed = [keeper.close() for keeper in self._open.values()]
        return all(closed)

    def _kept(self, path: Path) -> Keeper:
        if path.name not in self._open:
            self._open[path.name] = Keeper(path)
        return self._open[path.name]

    def _within(self, path: Path) -> bool:
        """Whether this is a file of the folder: a regular one, or a link to one in the folder itself."""
        return path.is_file() and path.resolve().parent == self.folder


def _plain(name: str) -> bool:
    """Whether a name is one of a file in the folder, and no path."""
    odd = not name.isprintable() or name.startswith(".") or name != Path(name).name or "\\" in name
    return not odd and name.endswith(SUFFIX) and len(name.encode()) <= 200
