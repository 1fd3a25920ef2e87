"""The files that a board shows: one, or the `.cgn` files of a folder. Nothing else can be named from outside."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from couperation_formal.board.keeper import Keeper
from couperation_formal.game.fact import Unfit, fact

SUFFIX = ".cgn"
MOST = 1000
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
        return tuple(sorted(found))[:MOST]

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
