"""A folder of results: parts are there whole or not at all, are of one plan, and can be put together."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import click
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from couperation_formal.cli.commands.study import _shared
from couperation_formal.game.fact import Unfit
from couperation_formal.questions.studies import results as kept
from couperation_formal.questions.studies.results import Results, make_part
from couperation_formal.questions.studies.rows import Unit, read_plan
from tests.cli.run import LEGAL, couperation
from tests.questions.studies.plans import TINY, made, written

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return made(tmp_path_factory.mktemp("whole"))


def test_a_part_that_is_there_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = made(tmp_path, parts=1)
    before = (Path(results.folder) / "parts" / "000000.parquet").stat().st_mtime_ns
    assert make_part(str(results.folder), 0) == results.counted(0) == kept.Counted(6, 0, ())
    assert (Path(results.folder) / "parts" / "000000.parquet").stat().st_mtime_ns == before
    assert results.there() == [0]


def test_a_part_appears_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left of a process that was killed while it wrote counts for nothing, and is removed at the end."""
    results = made(tmp_path, parts=1)

    def killed(*_: object) -> None:
        raise SystemExit

    monkeypatch.setattr(os, "fsync", killed)
    monkeypatch.setattr(Path, "unlink", killed)
    with pytest.raises(SystemExit):
        make_part(str(results.folder), 1)
    monkeypatch.undo()
    assert [each.name[:13] for each in sorted((Path(results.folder) / "parts").iterdir())] == [
        ".couperation-",
        "000000.parque",
    ]
    assert results.there() == [0]
    make_part(str(results.folder), 1)
    results.tidy()
    assert [each.name for each in sorted((Path(results.folder) / "parts").iterdir())] == [
        "000000.parquet",
        "000001.parquet",
    ]


def test_the_digest_is_of_what_was_asked_and_answered(whole: Results, tmp_path: Path) -> None:
    """Not of who made a row, when and in which order; but of every other column."""
    other = made(tmp_path, parts=0)
    for part in reversed(whole.there()):
        elsewhere = {"host": "h", "worker": "w", "version": "9", "commit": "c", "seconds": 9.0}
        other.put(part, [msgspec.structs.replace(row, **elsewhere) for row in reversed(whole.rows(part))])
    assert other.whole() == whole.whole()
    (row, *rest) = whole.rows(2)
    for name, value in {
        "answer": "x",
        "number": 9,
        "evidence": "x",
        "certificate": "x",
        "work": 9,
        "under": "x",
    }.items():
        other.put(2, [msgspec.structs.replace(row, **{name: value}), *rest])
        assert other.whole() != whole.whole(), name


def test_a_digest_of_some_parts_says_so(whole: Results, tmp_path: Path) -> None:
    done = couperation("study", "digest", whole.folder)
    assert (done.exit_code, done.stdout, done.stderr) == (0, whole.whole() + "\n", "")
    done = couperation("study", "digest", made(tmp_path, parts=1).folder)
    assert (done.exit_code, done.stderr) == (3, "these are 1 of 3 parts\n")


def test_parts_that_were_made_apart_are_merged(whole: Results, tmp_path: Path) -> None:
    one, two = made(tmp_path / "a", parts=2), made(tmp_path / "b", parts=0)
    make_part(str(two.folder), 1)
    assert (one.digest(1), two.there()) == (two.digest(1), [1])
    for part in _shared(two.wanted, "3/3"):
        make_part(str(two.folder), part)
    done = couperation("study", "merge", one.folder, two.folder, "-o", tmp_path / "c")
    assert (done.exit_code, done.stdout) == (0, whole.whole() + "\n")
    assert Results(tmp_path / "c").plan == whole.plan


def test_shares_are_each_nth_part() -> None:
    assert [[*_shared(range(7), share)] for share in (None, "1/3", "2/3", "3/3")] == [
        [*range(7)], [0, 3, 6], [1, 4], [2, 5],
    ]  # fmt: skip
    for share in ("0/2", "3/2", "x/2", "1", "1/", "-1/2", "1/2/3", f"1/{'9' * 5000}", "1/2\n"):
        with pytest.raises(click.UsageError):
            _shared(range(7), share)


def test_what_does_not_belong_together_is_not_merged(whole: Results, tmp_path: Path) -> None:
    other = made(tmp_path, TINY.replace("count = 6", "count = 5"), parts=0)
    done = couperation("study", "merge", whole.folder, other.folder, "-o", tmp_path / "c")
    assert (done.exit_code, done.stderr) == (2, f"error: {other.folder} holds results of another plan\n")
    same = made(tmp_path / "same", parts=1)
    (row, *rest) = same.rows(0)
    same.put(0, [msgspec.structs.replace(row, answer="x"), *rest])
    done = couperation("study", "merge", whole.folder, same.folder, "-o", tmp_path / "d")
    assert (done.exit_code, done.stderr) == (2, f"error: part 0 of {same.folder} has other rows\n")


def test_a_folder_of_something_else_is_refused(whole: Results, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Aki", "utf-8")
    plan = written(tmp_path, TINY + "first = 2\n")
    done = couperation("study", plan, "-o", tmp_path)
    assert (done.exit_code, done.stderr) == (2, f"error: {tmp_path} holds something else than results of a study\n")
    done = couperation("study", plan, "-o", whole.folder)
    assert (done.exit_code, done.stderr) == (2, f"error: {whole.folder} holds results of another plan\n")
    assert couperation("study", plan, "-o", tmp_path / "letter.txt").exit_code == 2
    assert couperation("study", "digest", tmp_path).stderr == f"error: {tmp_path} holds no results of a study\n"


def flipped(path: Path) -> None:
    """The bytes of the rows turned around, those of the end, which say where they lie, left as they are."""
    data = bytearray(path.read_bytes())
    data[40:900] = bytes(each ^ 0x5A for each in data[40:900])
    path.write_bytes(data)


def counted(table: pa.Table, rows: int) -> pa.Table:
    told = msgspec.json.decode(table.schema.metadata[b"couperation"])
    told["counted"][0] = rows
    return table.replace_schema_metadata({b"couperation": msgspec.json.encode(told)})


BODIES: dict[str, Callable[[pa.Table], pa.Table]] = {
    "a column more": lambda table: table.append_column("more", pa.array([1] * 6)),
    "a column less": lambda table: table.drop_columns(["answer"]),
    "another type": lambda table: table.set_column(17, "number", pa.array(["x"] * 6)),
    "no answers": lambda table: table.set_column(16, "answer", pa.nulls(6, pa.string())),
    "no rows": lambda table: table.slice(0, 0),
    "twice the rows": lambda table: pa.concat_tables([table, table]),
    "counted wrong": lambda table: counted(table, 5),
    "counted a text": lambda table: table.replace_schema_metadata({b"couperation": b"[1]"}),
    "nothing counted": lambda table: table.replace_schema_metadata(None),
}
FILES: dict[str, Callable[[Path], object]] = {
    "cut": lambda path: path.write_bytes(path.read_bytes()[:500]),
    "nothing": lambda path: path.write_bytes(b""),
    "flipped": flipped,
    "flipped at its end": lambda path: path.write_bytes(path.read_bytes()[:-60] + b"Z" * 52 + path.read_bytes()[-8:]),
    "another part": lambda path: shutil.copy(path.with_name("000001.parquet"), path),
}


@pytest.mark.parametrize("spoil", ["format", "plan", *BODIES, *FILES])
def test_a_spoiled_part_is_told(spoil: str, whole: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By all that reads rows, and its file is named; nothing takes it for done."""
    folder, row = shutil.copytree(whole.folder, tmp_path / "r"), whole.rows(1)[0]
    path = folder / "parts" / "000000.parquet"
    if spoil == "format":
        monkeypatch.setattr(kept, "FORMAT", "2")
    elif spoil == "plan":
        other = made(tmp_path / "other", TINY + "first = 2\n", parts=1)
        path.write_bytes((Path(other.folder) / "parts" / "000000.parquet").read_bytes())
    elif spoil in FILES:
        FILES[spoil](path)
    else:
        pq.write_table(BODIES[spoil](pq.read_table(path)), path)
    told = f"error: {path} is spoiled, in the wrong place, or of another version\n"
    here, plan, merged = map(str, (folder, folder / "plan.toml", tmp_path / "merged"))
    for words in (
        *(["digest", here], ["check", here, "--share", "1"], ["report", here], ["row", row.id, here]),
        *(["report", here, "--sql", "SELECT count(*) FROM rows"], ["merge", here, "-o", merged], [plan, "-o", here]),
    ):
        done = couperation("study", *words)
        assert (done.exit_code, done.stdout, done.stderr) == (2, "", told), words
    assert not [*tmp_path.glob("merged/parts/*")]


@pytest.mark.parametrize("name", ["0000000.parquet", "000009.parquet", "x000001.parquet", "in/000001.parquet"])
def test_a_part_has_its_own_name(name: str, tmp_path: Path) -> None:
    results = made(tmp_path, parts=1)
    path = Path(results.folder) / "parts" / name
    path.parent.mkdir(exist_ok=True)
    shutil.copy(Path(results.folder) / "parts" / "000000.parquet", path)
    assert results.there() == [0]


def test_spoiled_games_of_a_collection_are_told(tmp_path: Path) -> None:
    text = 'study = "c"\nsource = "collection"\nfiles = ["."]\nquestions = ["length"]\n'
    plan = read_plan(written(tmp_path, text))
    Results(tmp_path / "r", plan, [Unit(None, "a.cgn", 1, LEGAL.encode())])
    flipped(tmp_path / "r" / "games.parquet")
    with pytest.raises(Unfit, match=r"games.parquet is spoiled"):
        Results(tmp_path / "r").units(0)


def test_a_collection_without_its_file_begins_nothing(tmp_path: Path) -> None:
    """Nor one whose second file is a pipe, which nobody writes to."""
    text = 'study = "c"\nsource = "collection"\nfiles = ["a.cgn", "none.cgn"]\nquestions = ["length"]\n'
    (tmp_path / "a.cgn").write_text(LEGAL, "utf-8")
    for reason in ("no such file or directory", "it is no regular file"):
        done = couperation("study", written(tmp_path, text), "-o", tmp_path / "r")
        told = f"error: cannot use {tmp_path / 'none.cgn'}: {reason}\n"
        assert (done.exit_code, done.stderr) == (2, told)
        assert not (tmp_path / "r").exists()
        if not (tmp_path / "none.cgn").exists():
            os.mkfifo(tmp_path / "none.cgn")


def test_a_plan_that_is_there_is_read_as_it_is(whole: Results) -> None:
    assert read_plan(Path(whole.folder) / "plan.toml") == whole.plan
    with pytest.raises(Unfit):
        Results(whole.folder, msgspec.structs.replace(whole.plan, first=9))
