"""What a user's boards have in common: the marks of the copy that is played with, how the page is shown, and who was
let in. It stands in small files of a folder of the user's own, which nobody else can read (`spec/board.md`).
"""

import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import DecodeError, Meta, Struct, ValidationError, convert, to_builtins
from msgspec.json import decode, encode

from couperation_formal.game.fact import Text, Unfit, fact
from couperation_formal.game.tower import Mark
from couperation_formal.output.formats import written_atomically
from couperation_formal.output.svg import Theme

LASTS = 30 * 86_400
"""So many seconds a token is known to later boards."""
_MOST = 400
_LARGEST = 1 << 20
"""A file with more bytes is not read."""
_Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
_T = TypeVar("_T")


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is remembered: the marks by the numbers of their cards, the theme, and whether hints are told while
    a game is being recorded.
    """

    marks: dict[Annotated[str, Meta(pattern=r"^([1-9]|[1-4][0-9]|50)$")], Mark] = {}
    theme: Theme = "auto"
    hints: bool = False


class Door(Struct, frozen=True, forbid_unknown_fields=True):
    """A token that was issued, and the path of what it shows, by their digests, and when that was."""

    token: _Digest
    of: _Digest
    since: float


class User:
    """The folder of whoever runs the board. It is made with the first thing that is remembered."""

    def __init__(self) -> None:
        home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111 - never raises
        self._folder = Path(home) / "couperation"

    @property
    def remembered(self) -> tuple[Settings, Text]:
        """What is remembered, and why nothing is where that is so."""
        try:
            return self.read("board.json", Settings), ""
        except Unfit as error:
            return Settings(), error.what

    def remember(self, change: dict[str, Any]) -> None:
        """Remember settings; a mark that is null is known no more. Raises `Unfit`, and then nothing has changed."""

        def changed(settings: Settings) -> Settings:
            before: dict[str, Any] = to_builtins(settings)
            try:
                marks = {card: mark for card, mark in {**before["marks"], **change.get("marks", {})}.items() if mark}
                return convert({**before, **change, "marks": marks}, Settings)
            except (ValidationError, TypeError) as error:
                raise Unfit("board_bad", why=str(error)) from None

        self.change("board.json", Settings, changed)

    def read(self, name: str, kind: type[_T]) -> _T:
        """What a file holds, an empty one where there is none. Raises `Unfit` where somebody else could have written
        it, or it cannot be read.
        """
        file = self._folder / name
        try:
            for path, right in ((self._folder, stat.S_ISDIR), (file, stat.S_ISREG)):
                if not path.is_absolute() or not right(path.stat().st_mode) or _foreign(path.stat()):
                    raise Unfit("board_foreign", file=str(path))
            with file.open("rb") as stream:
                data = stream.read(_LARGEST + 1)
            if len(data) > _LARGEST:
                raise Unfit("board_unremembered", file=str(file), why=fact("board_too_large", most=_LARGEST))
            return decode(data, type=kind)
        except FileNotFoundError:
            return kind()
        except (DecodeError, UnicodeDecodeError, RecursionError, OSError) as error:
            why = str(getattr(error, "strerror", None) or error)
            raise Unfit("board_unremembered", file=str(file), why=why) from None

    def change(self, name: str, kind: type[_T], changed: Callable[[_T], _T]) -> None:
        """Have a file hold something else, whole or not at all; no other board changes it meanwhile. Raises `Unfit`."""
        file, new = self._folder / name, self._folder / f"{name}.new"
        try:
            self._folder.mkdir(0o700, parents=True, exist_ok=True)
            with _alone(self._folder):
                value = encode(changed(self.read(name, kind)))
                new.unlink(missing_ok=True)  # of one that was killed
                with written_atomically(file, new, lambda: 0o600) as stream:
                    stream.write(value + b"\n")
        except OSError as error:
            raise Unfit("board_unremembered", file=str(file), why=str(error.strerror)) from None

    def stamp(self, name: str) -> tuple[float, ...]:
        """What tells one state of a file from another; empty where there is none."""
        with suppress(OSError):
            status = (self._folder / name).stat()
            return status.st_mtime_ns, status.st_size, status.st_ino, status.st_mode, status.st_uid
        return ()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Others who ask for the same folder wait."""
    if sys.platform == "win32":  # pragma: no cover - a folder has no lock there
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)  # a process that was forked meanwhile holds what is only closed
        os.close(handle)


def _foreign(found: os.stat_result) -> bool:
    """Whether others can read or write this."""
    return os.name == "posix" and (found.st_uid != os.getuid() or bool(found.st_mode & 0o077))


class Doors:
    """The tokens that a user's boards issued for one file or folder, whose path has the digest `of`. Where they cannot
    be read none is known, and none is known to be withdrawn.
    """

    def __init__(self, of: str) -> None:
        self._user, self.of = User(), of
        self._read: tuple[tuple[float, ...] | None, list[Door]] = None, []

    def known(self, kind: str, token: str) -> bool:
        """Whether this token was issued to do this, not long ago, and not withdrawn."""
        with suppress(Unfit):
            return self._has(kind, token)
        return False

    def withdrawn(self, kind: str, token: str) -> bool:
        """Whether a token that was known is so no more."""
        with suppress(Unfit):
            return not self._has(kind, token)
        return False

    def open(self, kind: str, token: str) -> bool:
        """Let later boards know a token; whether they do."""
        door = Door(_digest(kind, token), self.of, time.time())
        with suppress(Unfit):
            self._user.change("doors.json", list[Door], lambda doors: [*filter(_fresh, doors), door][-_MOST:])
            return True
        return False

    def close(self, token: str | None = None) -> None:
        """Let no later board know a token, without one all of this file or folder. Raises `Unfit`."""
        closed = [_digest(kind, token or "") for kind in ("write", "watch")]

        def left(doors: list[Door]) -> list[Door]:
            return [each for each in doors if each.of != self.of or (token and each.token not in closed)]

        self._user.change("doors.json", list[Door], left)

    def _has(self, kind: str, token: str) -> bool:
        stamp = self._user.stamp("doors.json")
        if stamp != self._read[0]:
            self._read = stamp, self._user.read("doors.json", list[Door])
        wanted = _digest(kind, token), self.of
        return wanted in [(each.token, each.of) for each in self._read[1] if _fresh(each)]


def _fresh(door: Door) -> bool:
    return time.time() - door.since < LASTS


def _digest(kind: str, token: str) -> str:
    return sha256(f"{kind} {token}".encode("utf-8", "replace")).hexdigest()
