"""What a user's boards have in common: the marks of the copy that is played with, how the page is shown, and who was
let in. It stands in small files of a folder of the user's own, which nobody else can read (`spec/board.md`).
"""

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import DecodeError, Meta, Struct, ValidationError, convert, to_builtins
from msgspec.json import decode, encode

from couperation_formal.game.fact import Unfit
from couperation_formal.game.tower import Mark
from couperation_formal.output.formats import written_atomically
from couperation_formal.output.svg import Theme

LASTS = 30 * 86_400
"""So many seconds a token is known to later boards."""
_MOST = 400
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
    def remembered(self) -> tuple[Settings, str]:
        """What is remembered, and why nothing is where that is so."""
        try:
            return self.read("board.json", Settings), ""
        except Unfit as error:
            return Settings(), str(error)

    def remember(self, change: dict[str, Any]) -> None:
        """Remember settings; a mark that is null is known no more. Raises `Unfit`, and then nothing has changed."""
        before: dict[str, Any] = to_builtins(self.read("board.json", Settings))
        try:
            marks = {**before["marks"], **change.get("marks", {})}
            changed = {**before, **change, "marks": {card: mark for card, mark in marks.items() if mark is not None}}
            self.write("board.json", convert(changed, Settings))
        except (ValidationError, TypeError) as error:
            raise Unfit("board_bad", why=str(error)) from None

    def read(self, name: str, kind: type[_T]) -> _T:
        """What a file holds, an empty one where there is none. Raises `Unfit` where somebody else could have written
        it, or it cannot be read.
        """
        file = self._folder / name
        try:
            if not self._folder.is_absolute() or not _own(self._folder.stat(), stat.S_ISDIR):
                raise Unfit("board_foreign", file=str(self._folder))
            with file.open("rb") as stream:
                if not _own(os.fstat(stream.fileno()), stat.S_ISREG):
                    raise Unfit("board_foreign", file=str(file))
                return decode(stream.read(), type=kind)
        except FileNotFoundError:
            return kind()
        except (DecodeError, UnicodeDecodeError, RecursionError, OSError) as error:
            why = (isinstance(error, OSError) and error.strerror) or str(error)
            raise Unfit("board_unremembered", file=str(file), why=why) from None

    def write(self, name: str, value: object) -> None:
        """Have a file hold this, whole or not at all; who writes has read it. Raises `Unfit`."""
        file = self._folder / name
        new = file.with_suffix(".new")
        try:
            self._folder.mkdir(0o700, parents=True, exist_ok=True)
            new.unlink(missing_ok=True)  # of one that was killed
            with written_atomically(file, new, lambda: 0o600) as stream:
                stream.write(encode(value) + b"\n")
        except OSError as error:
            raise Unfit("board_unremembered", file=str(file), why=error.strerror or str(error)) from None


def _own(status: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Whether this is of this kind, and nobody else can read or write it."""
    foreign = os.name == "posix" and (status.st_uid != os.getuid() or status.st_mode & 0o077)
    return kind(status.st_mode) and not foreign


class Doors:
    """The tokens that a user's boards issued for one file or folder, whose path has the digest `of`. Where they cannot
    be kept none is known.
    """

    def __init__(self, of: str) -> None:
        self._user, self._of = User(), of

    def known(self, kind: str, token: str) -> bool:
        """Whether this token was issued to do this, not long ago, and not withdrawn."""
        with suppress(Unfit):
            return any((each.token, each.of) == (_digest(kind, token), self._of) for each in self._fresh())
        return False

    def open(self, kind: str, token: str) -> None:
        """Let later boards know a token."""
        with suppress(Unfit):
            doors = [*self._fresh(), Door(_digest(kind, token), self._of, time.time())]
            self._user.write("doors.json", doors[-_MOST:])

    def close(self, token: str | None = None) -> None:
        """Let no later board know a token, without one all of this file or folder."""
        digests = [_digest(kind, token) for kind in ("write", "watch")] if token is not None else []
        with suppress(Unfit):
            doors = [each for each in self._fresh() if each.of != self._of or (digests and each.token not in digests)]
            self._user.write("doors.json", doors)

    def _fresh(self) -> list[Door]:
        return [each for each in self._user.read("doors.json", list[Door]) if time.time() - each.since < LASTS]


def _digest(kind: str, token: str) -> str:
    return sha256(f"{kind} {token}".encode("utf-8", "replace")).hexdigest()
