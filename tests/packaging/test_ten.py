"""Ten runs of a suite: counted by commit, gone on with where they stopped, a failure told by its test."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import ten


def committed(folder: Path, text: str) -> None:
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    for words in (["add", "test_it.py"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "it"]):
        subprocess.run(["git", *words], cwd=folder, check=True)


@pytest.mark.slow
def test_runs_of_one_commit_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = {"ROOT": tmp_path, "KEPT": tmp_path / "build" / "ten.jsonl", "RUNS": 2, "LOOPS": 1, "SUITE": ()}
    for name, value in small.items():
        monkeypatch.setattr(ten, name, value)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    committed(tmp_path, "def test_it(): pass\n")
    assert ten.main() == 0
    out = capsys.readouterr().out
    assert "1 of 2, beside 0 loops: none failed\n2 of 2, beside 1 loops: none failed\n0 of 2 runs of " in out
    assert ten.main() == 0
    assert capsys.readouterr().out.startswith("0 of 2 runs of ")
    monkeypatch.setattr(ten, "RUNS", 1)
    committed(tmp_path, "def test_it(): assert not 1\n")
    assert ten.main() == 1
    assert "1 of 1, beside 1 loops: test_it.py::test_it\n" in capsys.readouterr().out
    monkeypatch.setattr(ten, "SUITE", ("--nonsense",))
    committed(tmp_path, "def test_it(): pass\n")
    assert ten.main() == 1
    assert "1 of 1, beside 1 loops: exit code 4\n" in capsys.readouterr().out
    (tmp_path / "test_it.py").write_text("", encoding="utf-8")
    assert ten.main() == 2
    assert len(ten.KEPT.read_text("utf-8").splitlines()) == 4
