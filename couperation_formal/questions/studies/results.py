"""The results of a study: a folder with the plan, the games of a collection, and rows in parts, each of which is there
whole or not at all; and the cluster that makes the parts: one of this machine, or one that stands already. Parquet by
pyarrow, tasks by Dask, which only the studies' room imports.

A task is a part: it gets the folder and the part's number, writes the part and returns what it holds. A task that
failed three times, by an error or because its worker was killed, is asked again unit by unit; a unit that fails as
often gets rows that say so. A few tasks for each worker are in flight.
"""

import logging
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import dask
import fsspec
import pyarrow as pa
from distributed import CancelledError, Client, LocalCluster, as_completed, comm
from msgspec import inspect, json, structs
from pyarrow import compute, dataset, parquet as pq

from couperation_formal.game.fact import Unfit
from couperation_formal.output.formats import new_permissions, written_atomically
from couperation_formal.questions.studies.rows import Plan, Row, Unit, failed, plan_of, rows, told

FORMAT = "1"
"""The version of the columns: a change of what one means changes it."""

_PLAN, _GAMES, _PARTS = "plan.toml", "games.parquet", "parts"
_OURS = ".couperation-"
"""How the names of files begin that are being written."""


def _field(each: Any) -> pa.Field:
    """A column of Parquet of a field's type."""
    kinds = getattr(each.type, "types", (each.type,))
    known = {inspect.IntType: pa.int64(), inspect.FloatType: pa.float64()}
    return pa.field(each.name, known.get(type(kinds[0]), pa.string()), nullable=len(kinds) > 1)


COLUMNS = pa.schema([*map(_field, cast("inspect.StructType", inspect.type_info(Row)).fields)])
_TEXTS = pa.schema([("file", pa.string()), ("game", pa.int64()), ("text", pa.binary())])


class Counted(NamedTuple):
    """What a part holds: rows, those that are undetermined, and the units that failed, by name."""

    rows: int
    undetermined: int
    failed: tuple[str, ...]


def _counted(table: pa.Table) -> Counted:
    failed = table.filter(compute.field("failed") != "").select(["seed", "file", "game"]).to_pylist()
    open_ = table.filter(compute.field("answer") == "undetermined").num_rows
    return Counted(table.num_rows, open_, tuple(dict.fromkeys(Unit(**each).named for each in failed)))


@contextmanager
def _sound(path: str) -> Iterator[None]:
    """Raises `Unfit` where what is read of a file is not what was written."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system's, while Arrow's own has no number
        raise Unfit("study_spoiled", file=path) from error


class Results:
    """The results in a folder, or at an address that fsspec knows (``s3://…``). Raises `Unfit` where there are none."""

    def __init__(self, folder: str | Path, plan: Plan | None = None, games: Iterable[Unit] = ()) -> None:
        """With a plan they are its results, which may be there in part; the games of a collection are kept when they
        begin. Raises `Unfit` where the folder holds something else.
        """
        self.folder = str(folder) if "://" in str(folder) else str(Path(folder).resolve())
        try:
            self._files, self._root = fsspec.url_to_fs(self.folder, use_listings_cache=False)
        except ImportError as error:
            raise Unfit("study_sql", why=str(error)) from None
        self._here = "file" in self._files.protocol
        begun = self._files.exists(f"{self._root}/{_PLAN}")
        if self._here and not self._files.isdir(f"{self._root}/{_PARTS}"):
            begun = False  # there is a plan, but not of results
        if plan is not None and not begun:
            self._begin(plan, games)
        elif not begun:
            raise Unfit("study_none", folder=self.folder)
        try:
            self.plan = plan_of(self._files.cat_file(f"{self._root}/{_PLAN}").decode())
        except ValueError as error:
            raise Unfit("study_none", folder=self.folder) from error
        if plan not in (None, self.plan):
            raise Unfit("study_other_plan", folder=self.folder)

    def _begin(self, plan: Plan, games: Iterable[Unit]) -> None:
        names = self._files.ls(self._root, detail=False) if self._files.isdir(self._root) else []
        if not all(name.rpartition("/")[2].startswith((_OURS, _GAMES, _PARTS)) for name in names):
            raise Unfit("study_other_folder", folder=self.folder)
        listed = iter(games)
        with tempfile.TemporaryFile() as read:  # whole, before anything is begun
            with pq.ParquetWriter(read, _TEXTS, write_page_checksum=True) as writer:
                while part := [each._asdict() for each in islice(listed, plan.part)]:
                    writer.write_table(pa.Table.from_pylist(part, _TEXTS), row_group_size=plan.part)
            self._files.makedirs(f"{self._root}/{_PARTS}", exist_ok=True)
            if plan.source == "collection":
                read.seek(0)
                with self._written(_GAMES) as stream:
                    shutil.copyfileobj(read, stream)
        with self._written(_PLAN) as stream:
            stream.write(plan.text.encode())

    @contextmanager
    def _written(self, name: str) -> Iterator[Any]:
        """A file that appears whole; an object of a storage does so when its stream is closed."""
        if not self._here:
            with self._files.open(f"{self._root}/{name}", "wb") as stream:
                yield stream
            return
        path = Path(self._root, name)
        with written_atomically(path, path.with_name(f"{_OURS}{os.urandom(8).hex()}"), new_permissions) as stream:
            yield stream

    @cached_property
    def _games(self) -> pq.ParquetFile:
        path = f"{self._root}/{_GAMES}"
        with _sound(path):
            return pq.ParquetFile(path, filesystem=self._files, page_checksum_verification=True)

    @cached_property
    def wanted(self) -> range:
        """The numbers of all parts."""
        return range(self._games.num_row_groups if self.plan.source == "collection" else self.plan.parts)

    def there(self) -> list[int]:
        """The numbers of the parts that are there, rising."""
        names = {*self._files.find(f"{self._root}/{_PARTS}")}
        return [part for part in self.wanted if self._part(part) in names]

    def has(self, part: int) -> bool:
        """Whether a part is there."""
        return bool(self._files.exists(self._part(part)))

    def dataset(self) -> Any:
        """The rows of the parts that are there, each of which is one of ours. Raises `Unfit`."""
        paths = [self._part(part) for part in self.there() if self.counted(part).rows]
        return dataset.dataset(paths, COLUMNS, filesystem=self._files, format="parquet")

    def units(self, part: int) -> list[Unit]:
        """What the rows of a part are made of."""
        if self.plan.source != "collection":
            return [Unit(seed) for seed in self.plan.seeds(part)]
        with _sound(f"{self._root}/{_GAMES}"):
            return [Unit(**each) for each in self._games.read_row_group(part).to_pylist()]

    def games(self) -> Iterator[Unit]:
        """All games of a collection."""
        return (unit for part in self.wanted for unit in self.units(part))

    def put(self, part: int, rows: Iterable[Row]) -> Counted:
        """Write a part."""
        table = pa.Table.from_pylist([structs.asdict(each) for each in rows], COLUMNS)
        table = table.replace_schema_metadata(self._told_of(part, table))
        with self._written(self._part(part, "")) as stream:
            pq.write_table(table, stream, compression="zstd", write_page_checksum=True)
        return _counted(table)

    def counted(self, part: int) -> Counted:
        """What a part holds."""
        return _counted(self._read(part))

    def rows(self, part: int) -> list[Row]:
        """The rows of a part."""
        return [Row(**each) for each in self._read(part).to_pylist()]

    def find(self, id_: str) -> Row | None:
        """The row of this id. Cost: a look at all ids."""
        found = self.dataset().to_table(filter=dataset.field("id") == id_).to_pylist()
        return next((Row(**each) for each in found), None)

    def digest(self, part: int) -> bytes:
        """The digest of a part's sorted rows."""
        lines = sorted(json.encode(told(each)) for each in self.rows(part))
        return sha256(b"\n".join(lines)).digest()

    def whole(self) -> str:
        """The digest of all parts that are there, in their order, and of nothing that hangs on who made them."""
        return sha256(b"".join(self.digest(part) for part in self.there())).hexdigest()

    def tidy(self) -> None:
        """Remove what was left half written: all parts are there, and nobody writes any more."""
        for each in self._files.find(f"{self._root}/{_PARTS}"):
            if _OURS in each.rpartition("/")[2]:
                self._files.rm_file(each)

    def take(self, other: "Results") -> None:
        """Take the parts of other results of the same plan. Raises `Unfit` where these are of another plan, or where a
        part is there with other rows.
        """
        if other.plan != self.plan:
            raise Unfit("study_other_plan", folder=other.folder)
        for part in other.there():
            if not self.has(part):
                other._read(part)
                with self._written(self._part(part, "")) as stream:
                    stream.write(other._files.cat_file(other._part(part)))
            elif self.digest(part) != other.digest(part):
                raise Unfit("study_differs", part=part, folder=other.folder)

    def _part(self, part: int, root: str | None = None) -> str:
        return "/".join(filter(None, (self._root if root is None else root, _PARTS, f"{part:06}.parquet")))

    def _told_of(self, part: int, table: pa.Table) -> dict[bytes, bytes]:
        """The metadata of a part of these rows."""
        own = {"format": FORMAT, "plan": self.plan.digest, "part": part, "counted": _counted(table)}
        return {b"couperation": json.encode(own)}

    def _read(self, part: int) -> pa.Table:
        """A part that is as it was written. Raises `Unfit`."""
        path = self._part(part)
        with _sound(path):
            table = pq.ParquetFile(path, filesystem=self._files, page_checksum_verification=True).read()
            table.validate(full=True)
            if not table.schema.equals(COLUMNS) or table.schema.metadata != self._told_of(part, table):
                raise Unfit("study_spoiled", file=path)
        return table


# The cluster.

_TRIES = 3
"""So often a task is tried."""

_AHEAD = 3
"""So many tasks for each thread of the workers are in flight."""

_HOST = "127.0.0.1"

T = TypeVar("T")


def make_part(folder: str, part: int) -> Counted:
    """Make a part, where it is not there yet."""
    results = Results(folder)
    if results.has(part):
        return results.counted(part)
    return results.put(part, (row for unit in results.units(part) for row in rows(results.plan, unit)))


def make_unit(folder: str, part: int, unit: int) -> list[Row]:
    """The rows of one unit of a part."""
    results = Results(folder)
    return [*rows(results.plan, results.units(part)[unit])]


@contextmanager
def cluster(scheduler: str | None, workers: int) -> Iterator[Client]:
    """A cluster that stands at an address, or one of so many processes that ends with the block. All of the latter
    listens on this machine only. Raises `Unfit` where no scheduler answers. Dask's own log is silent meanwhile.
    """
    logging.disable()
    try:
        with dask.config.set({"distributed.scheduler.allowed-failures": _TRIES - 1}), ExitStack() as stack:
            local = None if scheduler is not None else stack.enter_context(_local(workers))
            try:
                client = Client(local or scheduler, set_as_default=False)
            except (OSError, ValueError):
                raise Unfit("study_no_scheduler", address=scheduler) from None
            yield stack.enter_context(client)
    finally:
        logging.disable(logging.NOTSET)


def _local(workers: int) -> LocalCluster:
    """A cluster of this machine. An interruption is this process's affair: those that it starts ignore it."""
    own = {"host": _HOST, "dashboard_address": f"{_HOST}:0"}
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return LocalCluster(n_workers=workers, threads_per_worker=1, silence_logs=logging.CRITICAL, **own)
    finally:
        signal.signal(signal.SIGINT, before)


def dashboard(client: Client) -> str | None:
    """The address of the cluster's dashboard, None where it has none."""
    return str(client.dashboard_link) if "dashboard" in client.scheduler_info()["services"] else None


def run(client: Client, results: Results, parts: Sequence[int]) -> Iterator[Counted]:
    """Make these parts; what each of them holds, as they come. Raises `Unfit` where the scheduler went away."""
    for part, made in _asked(client, lambda part: (make_part, results.folder, part), parts):
        yield made if isinstance(made, Counted) else _by_units(client, results, part)


def _by_units(client: Client, results: Results, part: int) -> Counted:
    """Make a part whose task failed."""
    units, folder = results.units(part), results.folder
    made = dict(_asked(client, lambda unit: (make_unit, folder, part, unit), range(len(units))))
    listed: list[Row] = []
    for number, unit in enumerate(units):
        found = made[number]
        why = f"{type(found).__name__}" if isinstance(found, BaseException) else ""
        listed += failed(results.plan, unit, why) if why else cast("list[Row]", found)
    return results.put(part, listed)


def _asked(
    client: Client, task: Callable[[int], tuple[Any, ...]], numbers: Sequence[int]
) -> Iterator[tuple[int, object]]:
    """What the task of each number returned, or the error that it raised each time, as they come."""
    left, flying, names = iter(numbers), as_completed(loop=client.loop), dict[Any, int]()

    def send() -> None:
        most = _AHEAD * max(1, sum(client.nthreads().values()))
        for number in islice(left, max(0, most - len(names))):
            future = client.submit(*task(number), retries=_TRIES - 1, pure=False)
            names[future] = number
            flying.add(future)

    try:
        send()
        for future in flying:
            if future.status not in ("finished", "error"):
                raise Unfit("study_lost")
            yield names.pop(future), future.exception() if future.status == "error" else future.result()
            send()
    except (comm.CommClosedError, CancelledError):  # the scheduler ended while it was asked
        raise Unfit("study_lost") from None
