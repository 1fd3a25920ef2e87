"""The Pythons that the package is for: the target that tries them all, and what needs nothing installed with each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.run import couperation
from tests.packaging.pythons import found, main, versions

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths as on POSIX")


def test_the_versions_are_those_of_the_workflow() -> None:
    assert f"python: {json.dumps(versions())}" in WORKFLOW
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in versions()


@pytest.mark.slow
@pytest.mark.parametrize("version", versions())
def test_the_checker_runs_with_each_that_is_found(tmp_path: Path, version: str) -> None:
    """It needs the standard library only."""
    python = found(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    file = tmp_path / "dead.json"
    assert couperation("complete", ROOT / "examples/towers/dead.cgn", "--certificate", file).exit_code == 1
    command = [python, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'checker')!r});" + RUN, str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, "accepted" in ran.stdout) == (0, True), ran.stdout + ran.stderr
    file.write_text(file.read_text(encoding="utf-8").replace("tower-deadlocked", "tower-completable"), encoding="utf-8")
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


RUN = "from couperation_checker.__main__ import main; raise SystemExit(main())"


def test_none_found_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(os.environ, "PATH", "")
    assert main(["3.99"]) == 1
    assert capsys.readouterr().out == "Python 3.99: not found\n"
