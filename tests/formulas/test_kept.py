"""The formulas that were read are kept beside the compiled modules: the same again, and nothing else is believed."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from couperation_formal.formulas import syntax
from couperation_formal.formulas.book import Book
from couperation_formal.formulas.judge import PAGES, book
from couperation_formal.formulas.syntax import Items
from couperation_formal.game.rulings import options_in_order, spec_text

TEXTS = {page: spec_text(page) for page in PAGES}


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Python is told to keep what it compiles."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


ANEW = book.__wrapped__
"""The book as a process reads it that has not read it yet."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Items, bytes]:
    """The formulas of the specification, read by Lark, and the file in which they were kept then."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "pycache_prefix", str(folder))
        patch.setattr(sys, "dont_write_bytecode", False)
        items = Book(TEXTS, dict(options_in_order())).items
        assert syntax.kept(TEXTS) is None
        assert ANEW().items == items
    (file,) = folder.rglob("*.items")
    return items, file.read_bytes()


@pytest.fixture
def read(made: tuple[Items, bytes], elsewhere: Path) -> Items:
    """The same, kept elsewhere: what was read."""
    place = Path(cache_from_source(syntax.__file__)).with_suffix(".items")
    place.parent.mkdir(parents=True)
    place.write_bytes(made[1])
    return made[0]


def test_what_was_kept_is_what_was_read(read: Items, monkeypatch: pytest.MonkeyPatch) -> None:
    assert syntax.kept(TEXTS) == read
    monkeypatch.setattr(syntax, "parse", None)
    assert ANEW().items == read


def test_what_is_of_something_else_is_not_believed(
    read: Items, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert syntax.kept({**TEXTS, "step.md": TEXTS["step.md"] + "\n"}) is None
    grammar, source = syntax._grammar(), Path(syntax.__file__).read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(syntax, "_grammar", lambda: grammar + "\n")
        assert syntax.kept(TEXTS) is None
    with monkeypatch.context() as patch:
        patch.setattr(syntax, "__version__", "0")
        assert syntax.kept(TEXTS) is None
    other = tmp_path / "syntax.py"
    other.write_bytes(source + b"\n")
    other.with_name("formula.lark").write_text(grammar, "utf-8")
    with monkeypatch.context() as patch:
        (kept,) = tmp_path.rglob("*.items")
        patch.setattr(syntax, "__file__", str(other))
        place = Path(cache_from_source(str(other))).with_suffix(".items")
        place.parent.mkdir(parents=True)
        place.write_bytes(kept.read_bytes())
        assert syntax.kept(TEXTS) is None
        other.write_bytes(source)
        assert syntax.kept(TEXTS) == read


DEEP = b"\x81\xa0" + b"\x91\x94\xa0" * 30_000
"""Nodes within nodes."""


@pytest.mark.parametrize("spoiled", [b"", b"\xc1", b"[]" * 40, DEEP])
def test_what_is_spoiled_is_read_anew_and_mended(read: Items, elsewhere: Path, spoiled: bytes) -> None:
    (file,) = elsewhere.rglob("*.items")
    whole = file.read_bytes()
    for spoilt in (spoiled, whole[:-1], whole[: len(whole) // 2], whole[:40] + spoiled, whole + spoiled + b"\0"):
        file.write_bytes(spoilt)
        assert syntax.kept(TEXTS) is None
    assert ANEW().items == read
    assert file.read_bytes() == whole


def test_no_bit_can_change(read: Items, elsewhere: Path) -> None:
    (file,) = elsewhere.rglob("*.items")
    whole = file.read_bytes()
    for at in range(0, len(whole), 1009):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert syntax.kept(TEXTS) is None
    file.write_bytes(whole)
    assert syntax.kept(TEXTS) == read


def test_several_may_read_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        made = [*pool.map(lambda text: syntax.parse(text), [f"given x{n}: Int\n" * 60 for n in range(8)])]
    assert [items[0].value for items in made] == [f"x{n}" for n in range(8)]


def test_nothing_is_kept_where_python_keeps_nothing(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    syntax.keep(TEXTS, {})
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
