"""What a user's boards have in common: the marks of the copy that is played with, and how the page is shown. It stands
in one small file of a folder of the user's own, which nobody else can read (`spec/board.md`).
"""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from msgspec import DecodeError, Meta, Struct
from msgspec.json import decode, encode
from msgspec.structs import asdict, replace

from couperation_formal.game.fact import Unfit
from couperation_formal.game.tower import Mark
from couperation_formal.output.formats import written_atomically
from couperation_formal.output.svg import Theme

_Value = Annotated[str, Meta(pattern=r"^([1-9]|[1-4][0-9]|50)$")]


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is remembered: the marks by the numbers of their cards, the theme, and whether hints are told
    while a game is being recorded.
    """

    marks: dict[_Value, Mark] = {}
    theme: Theme = "auto"
    hints: bool = False


class Change(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be remembered anew; a mark that is None is not known any more."""

    marks: dict[_Value, Mark | None] = {}
    theme: Theme | None = None
    hints: bool | None = None

    def on(self, settings: Settings) -> Settings:
        """The settings after it."""
        marks = {card: mark for card, mark in (settings.marks | self.marks).items() if mark is not None}
        changed = {name: value for name, value in asdict(self).items() if value is not None}
        return replace(settings, **changed | {"marks": marks})


class User:
    """The folder of whoever runs the board. It is made with the first thing that is remembered."""

    def __init__(self) -> None:
        home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111 - never raises
        self._folder = Path(home) / "couperation"
        self._file = self._folder / "board.json"

    @property
    def remembered(self) -> tuple[Settings, str]:
        """What is remembered, and why nothing is where that is so."""
        try:
            return self.settings(), ""
        except Unfit as error:
            return Settings(), str(error)

    def settings(self) -> Settings:
        """What is remembered. Raises `Unfit` where somebody else could have written it, or it cannot be read."""
        try:
            if not self._folder.is_absolute() or not _own(self._folder.stat(), stat.S_ISDIR):
                raise Unfit("board_foreign", file=str(self._folder))
            with self._file.open("rb") as stream:
                if not _own(os.fstat(stream.fileno()), stat.S_ISREG):
                    raise Unfit("board_foreign", file=str(self._file))
                return decode(stream.read(), type=Settings)
        except FileNotFoundError:
            return Settings()
        except (DecodeError, UnicodeDecodeError, RecursionError, OSError) as error:
            why = (isinstance(error, OSError) and error.strerror) or str(error)
            raise Unfit("board_unremembered", file=str(self._file), why=why) from None

    def remember(self, change: Change) -> None:
        """Remember it: the file is written whole. Raises `Unfit`, and then nothing has changed: what cannot be read is
        not written over.
        """
        settings, new = change.on(self.settings()), self._file.with_suffix(".new")
        try:
            self._folder.mkdir(0o700, parents=True, exist_ok=True)
            new.unlink(missing_ok=True)  # of one that was killed
            with written_atomically(self._file, new, lambda: 0o600) as stream:
                stream.write(encode(settings) + b"\n")
        except OSError as error:
            raise Unfit("board_unremembered", file=str(self._file), why=error.strerror or str(error)) from None


def _own(status: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Whether this is of this kind, and nobody else can read or write it."""
    foreign = os.name == "posix" and (status.st_uid != os.getuid() or status.st_mode & 0o077)
    return kind(status.st_mode) and not foreign
