"""The formulas that were read are kept beside the compiled modules: the same again, and nothing else is believed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from couperation_formal.formulas import syntax
from couperation_formal.formulas.book import Book
from couperation_formal.formulas.judge import PAGES, book
from couperation_formal.game.rulings import options_in_order, spec_text

TEXTS = {page: spec_text(page) for page in PAGES}


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Python is told to keep what it compiles."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


def test_what_was_kept_is_what_was_read(elsewhere: Path) -> None:
    read = Book(TEXTS, dict(options_in_order())).items
    assert syntax.kept(TEXTS) is None
    syntax.keep(TEXTS, read)
    (file,) = elsewhere.rglob("*.items*")
    assert file.suffix == ".items"
    assert syntax.kept(TEXTS) == read
    assert book().items == read
    assert syntax.kept({**TEXTS, "step.md": TEXTS["step.md"] + "\n"}) is None


DEEP = b"\x92\xa0\x81\xa0" + b"\x91\x94\xa0" * 30_000
"""Nodes within nodes."""


@pytest.mark.parametrize("spoiled", [b"", b"\xc1", b"\x93\x01\x02\x03", b"[]", b"\x92" * 100_000, DEEP])
def test_what_is_spoiled_is_read_anew(elsewhere: Path, spoiled: bytes) -> None:
    syntax.keep(TEXTS, book().items)
    (file,) = elsewhere.rglob("*.items")
    file.write_bytes(spoiled)
    assert syntax.kept(TEXTS) is None


def test_nothing_is_kept_where_python_keeps_nothing(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    syntax.keep(TEXTS, book().items)
    assert [*elsewhere.rglob("*.items*")] == []


def test_a_folder_that_cannot_be_written_changes_no_answer(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    record = Path(__file__).parents[2] / "examples" / "legal" / "finish.cgn"
    run = [sys.executable, "-m", "couperation_formal", "check", "--engine", "spec", str(record)]
    prefix = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "file")}
    done = subprocess.run(run, env=prefix, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("legal: ")
