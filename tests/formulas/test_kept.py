"""The formulas that were read are kept beside the compiled modules: the same again, and nothing else is believed."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from couperation_formal.formulas import reading, syntax
from couperation_formal.formulas.book import Book, Checker
from couperation_formal.formulas.judge import PAGES, book
from couperation_formal.formulas.syntax import Kept
from couperation_formal.game.rulings import options_in_order, spec_text

TEXTS = {page: spec_text(page) for page in PAGES}
OPTIONS = dict(options_in_order())


def kept() -> Kept | None:
    return syntax.kept(TEXTS, OPTIONS)


def said(of: Book) -> Kept:
    return Kept(of.items, of.givens, of.definitions)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Python is told to keep what it compiles."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


anew = book.__wrapped__
"""The book as a process reads it that has not read it yet."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kept, bytes]:
    """The formulas of the specification, read by Lark and typed, and the file in which they were kept then."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "pycache_prefix", str(folder))
        patch.setattr(sys, "dont_write_bytecode", False)
        made = said(Book(TEXTS, OPTIONS))
        assert kept() is None
        assert said(anew()) == made
    (file,) = folder.rglob("*.items")
    return made, file.read_bytes()


@pytest.fixture
def read(made: tuple[Kept, bytes], elsewhere: Path) -> Kept:
    """The same, kept elsewhere: what was read."""
    place = Path(cache_from_source(syntax.__file__)).with_suffix(".items")
    place.parent.mkdir(parents=True)
    place.write_bytes(made[1])
    return made[0]


def test_what_was_kept_is_what_was_read(read: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept() == read
    assert list(read.definitions) == list(book().definitions)
    monkeypatch.setattr(reading, "parse", None)
    monkeypatch.setattr(Checker, "definition", None)
    assert said(anew()) == read


def test_what_was_kept_is_read_without_lark(read: Kept, elsewhere: Path) -> None:
    assert kept() == read
    asked = "from couperation_formal.formulas.judge import book; book(); import sys; print('lark' in sys.modules)"
    run = [sys.executable, "-X", f"pycache_prefix={elsewhere}", "-c", asked]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "False\n"


def test_what_is_of_something_else_is_not_believed(read: Kept, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert syntax.kept({**TEXTS, "step.md": TEXTS["step.md"] + "\n"}, OPTIONS) is None
    assert syntax.kept(TEXTS, {**OPTIONS, "between": ("any",)}) is None
    with monkeypatch.context() as patch:
        patch.setattr(syntax, "_lark", lambda: Path(__file__))
        assert kept() is None
    (file,) = tmp_path.rglob("*.items")
    names = ("syntax.py", "reading.py", "book.py", "formula.lark")
    for name in names:
        (tmp_path / name).write_bytes(Path(syntax.__file__).with_name(name).read_bytes())
    other = tmp_path / "syntax.py"
    with monkeypatch.context() as patch:
        patch.setattr(syntax, "__file__", str(other))
        place = Path(cache_from_source(str(other))).with_suffix(".items")
        place.parent.mkdir(parents=True)
        place.write_bytes(file.read_bytes())
        assert kept() == read
        for name in names:
            source = (tmp_path / name).read_bytes()
            (tmp_path / name).write_bytes(source + b"\n")
            assert kept() is None
            (tmp_path / name).write_bytes(source)
        assert kept() == read


DEEP = b"\x81\xa0" + b"\x91\x94\xa0" * 30_000
"""Nodes within nodes."""


@pytest.mark.parametrize("spoiled", [b"", b"\xc1", b"[]" * 40, DEEP])
def test_what_is_spoiled_is_read_anew_and_mended(read: Kept, elsewhere: Path, spoiled: bytes) -> None:
    (file,) = elsewhere.rglob("*.items")
    whole = file.read_bytes()
    for spoilt in (spoiled, whole[:-1], whole[: len(whole) // 2], whole[:40] + spoiled, whole + spoiled + b"\0"):
        file.write_bytes(spoilt)
        assert kept() is None
    assert said(anew()) == read
    assert file.read_bytes() == whole


def test_no_bit_can_change(read: Kept, elsewhere: Path) -> None:
    (file,) = elsewhere.rglob("*.items")
    whole = file.read_bytes()
    for at in range(0, len(whole), 1009):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert kept() is None
    file.write_bytes(whole)
    assert kept() == read


def test_several_may_read_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        made = [*pool.map(lambda text: reading.parse(text), [f"given x{n}: Int\n" * 60 for n in range(8)])]
    assert [items[0].value for items in made] == [f"x{n}" for n in range(8)]


def test_nothing_is_kept_where_python_keeps_nothing(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    syntax.keep(TEXTS, OPTIONS, Kept({}, {}, {}))
    assert [*elsewhere.rglob("*.items*")] == []


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_changes_no_answer(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    record = Path(__file__).parents[2] / "examples" / "legal" / "finish.cgn"
    run = [sys.executable, "-m", "couperation_formal", "check", "--engine", "spec", str(record)]
    prefix = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "file")}
    done = subprocess.run(run, env=prefix, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("legal: ")
