"""A folder of results: the plan, the games of a collection, and rows in parts, each of which is there whole or not at
all. Parquet by pyarrow, which only the studies' room imports.
"""

import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple, get_args

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec.structs import asdict, fields

from couperation_formal.game.fact import Unfit, fact
from couperation_formal.output.formats import new_permissions, written_atomically
from couperation_formal.questions.studies.plan import Plan, plan_of
from couperation_formal.questions.studies.rows import Row, Unit, told

FORMAT = "1"
"""The version of the columns: a change of what one means changes it."""

_PLAN, _GAMES, _PARTS = "plan.toml", "games.parquet", "parts"
_PART = re.compile(r"(\d{6,})\.parquet")
_OURS = ".couperation-"
"""How the names of files begin that are being written."""

_TYPES = {str: pa.string(), int: pa.int64(), float: pa.float64()}


def _field(name: str, kind: Any) -> pa.Field:
    """A column of Parquet of a field's type."""
    kinds = get_args(kind) or (kind,)
    return pa.field(name, _TYPES[kinds[0]], nullable=NoneType in kinds)


COLUMNS = pa.schema([_field(each.name, each.type) for each in fields(Row)])
_TEXTS = pa.schema([("file", pa.string()), ("game", pa.int64()), ("text", pa.binary())])


class Counted(NamedTuple):
    """What a part holds: rows, those that are undetermined, and the units that failed, by name."""

    rows: int
    undetermined: int
    failed: tuple[str, ...]


class Results:
    """The results in a folder. Raises `Unfit` where it holds none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.plan = plan_of((folder / _PLAN).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise Unfit("study_none", folder=str(folder)) from error
        if not (folder / _PARTS).is_dir():
            raise Unfit("study_none", folder=str(folder))

    @classmethod
    def begin(cls, folder: Path, plan: Plan, games: Iterable[Unit] = ()) -> "Results":
        """The results of a plan, which may be there in part. The games of a collection are kept when it begins. Raises
        `Unfit` where the folder holds something else.
        """
        if (folder / _PLAN).exists() and (folder / _PARTS).is_dir():
            results = cls(folder)
            if results.plan != plan:
                raise Unfit("study_other_plan", folder=str(folder))
            return results
        if folder.is_dir() and any(not each.name.startswith((_OURS, _GAMES, _PARTS)) for each in folder.iterdir()):
            raise Unfit("study_other_folder", folder=str(folder))
        (folder / _PARTS).mkdir(parents=True, exist_ok=True)
        if plan.source == "collection":
            _keep(folder / _GAMES, plan, games)
        _write(folder / _PLAN, plan.text.encode())
        return cls(folder)

    @cached_property
    def _games(self) -> pq.ParquetFile:
        return pq.ParquetFile(self.folder / _GAMES)

    @cached_property
    def wanted(self) -> range:
        """The numbers of all parts."""
        return range(self._games.num_row_groups if self.plan.source == "collection" else self.plan.parts)

    def there(self) -> list[int]:
        """The numbers of the parts that are there, rising."""
        names = (_PART.fullmatch(each.name) for each in (self.folder / _PARTS).iterdir())
        return sorted(int(name[1]) for name in names if name is not None)

    def has(self, part: int) -> bool:
        """Whether a part is there."""
        return self._part(part).exists()

    def paths(self) -> list[Path]:
        """The files of the parts that are there, each of which is one of ours. Raises `Unfit`."""
        for part in self.there():
            self._open(part)
        return [self._part(part) for part in self.there()]

    def units(self, part: int) -> list[Unit]:
        """What the rows of a part are made of."""
        if self.plan.source != "collection":
            return [Unit(seed) for seed in self.plan.seeds(part)]
        return [Unit(**each) for each in self._games.read_row_group(part).to_pylist()]

    def text(self, file: str | None, game: int | None) -> bytes | None:
        """The text of a recorded game. Cost: a look at all of them."""
        for part in self.wanted if self.plan.source == "collection" else ():
            for unit in self.units(part):
                if (unit.file, unit.game) == (file, game):
                    return unit.text
        return None

    def put(self, part: int, rows: Iterable[Row]) -> Counted:
        """Write a part."""
        listed = [asdict(each) for each in rows]
        failed = tuple(dict.fromkeys(_unit_of(each) for each in listed if each["failed"]))
        counted = Counted(len(listed), sum(each["answer"] == "undetermined" for each in listed), failed)
        told_of = {"format": FORMAT, "plan": self.plan.digest, "counted": msgspec.json.encode(counted).decode()}
        schema = COLUMNS.with_metadata({f"couperation.{name}": value for name, value in told_of.items()})
        sink = pa.BufferOutputStream()
        pq.write_table(pa.Table.from_pylist(listed, schema), sink, compression="zstd")
        _write(self._part(part), sink.getvalue())
        return counted

    def counted(self, part: int) -> Counted:
        """What a part holds."""
        return msgspec.json.decode(self._open(part).schema_arrow.metadata[b"couperation.counted"], type=Counted)

    def rows(self, part: int) -> list[Row]:
        """The rows of a part."""
        return [Row(**each) for each in self._open(part).read().to_pylist()]

    def find(self, id_: str) -> Row | None:
        """The row of this id. Cost: a look at all ids."""
        for part in self.there():
            table = self._open(part).read(["id"])
            if id_ in table["id"].to_pylist():
                return next(each for each in self.rows(part) if each.id == id_)
        return None

    def digest(self, part: int) -> bytes:
        """The digest of a part's sorted rows."""
        lines = sorted(msgspec.json.encode(told(each)) for each in self.rows(part))
        return sha256(b"\n".join(lines)).digest()

    def whole(self) -> str:
        """The digest of all parts that are there, in their order, and of nothing that hangs on who made them."""
        return sha256(b"".join(self.digest(part) for part in self.there())).hexdigest()

    def tidy(self) -> None:
        """Remove what was left half written: all parts are there, and nobody writes any more."""
        for each in (self.folder / _PARTS).glob(f"{_OURS}*"):
            each.unlink(missing_ok=True)

    def take(self, other: "Results") -> None:
        """Take the parts of other results of the same plan. Raises `Unfit` where these are of another plan, or where a
        part is there with other rows.
        """
        if other.plan != self.plan:
            raise Unfit("study_other_plan", folder=str(other.folder))
        for part in other.there():
            if not self.has(part):
                _write(self._part(part), other._part(part).read_bytes())
            elif self.digest(part) != other.digest(part):
                raise Unfit("study_differs", part=part, folder=str(other.folder))

    def games(self) -> Iterator[Unit]:
        """All games of a collection."""
        return (unit for part in self.wanted for unit in self.units(part))

    def _part(self, part: int) -> Path:
        return self.folder / _PARTS / f"{part:06}.parquet"

    def _open(self, part: int) -> pq.ParquetFile:
        path = self._part(part)
        try:
            file = pq.ParquetFile(path)
        except pa.ArrowInvalid as error:
            raise Unfit("study_spoiled", file=str(path)) from error
        known = file.schema_arrow.metadata or {}
        if known.get(b"couperation.format") != FORMAT.encode():
            raise Unfit("study_spoiled", file=str(path))
        if known.get(b"couperation.plan") != self.plan.digest.encode():
            raise Unfit(fact("study_other_plan", folder=str(path)))
        return file


def _unit_of(row: dict[str, Any]) -> str:
    return Unit(row["seed"], row["file"], row["game"]).named


def _keep(path: Path, plan: Plan, games: Iterable[Unit]) -> None:
    """Keep the games of a collection, those of a part in a group of rows."""
    listed, temporary = iter(games), path.with_name(f"{_OURS}{os.urandom(8).hex()}")
    with written_atomically(path, temporary, new_permissions) as stream, pq.ParquetWriter(stream, _TEXTS) as writer:
        while part := list(islice(listed, plan.part)):
            rows = [{"file": each.file, "game": each.game, "text": each.text} for each in part]
            writer.write_table(pa.Table.from_pylist(rows, _TEXTS), row_group_size=plan.part)


def _write(path: Path, data: Any) -> None:
    temporary = path.with_name(f"{_OURS}{os.urandom(8).hex()}")
    with written_atomically(path, temporary, new_permissions) as stream:
        stream.write(data)
