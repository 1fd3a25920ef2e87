"""A built wheel holds all that the program needs, the specification's data too."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECORDS = sorted((ROOT / "examples" / "legal").glob("*.cgn"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but the wheel's modules in it, as pip puts them there."""
    target = tmp_path_factory.mktemp("wheel") / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(
        [sys.executable, "-P", *words], cwd=site, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_installed_package_is_the_one_that_runs(installed: Path) -> None:
    ran = run(installed, "-c", "import couperation_formal; print(couperation_formal.__file__)")
    assert Path(ran.stdout.strip()).is_relative_to(installed), ran.stderr
    assert (installed / "couperation_formal" / "py.typed").is_file()


@pytest.mark.slow
def test_the_installed_program_checks_a_record(installed: Path) -> None:
    assert RECORDS
    ran = run(installed, "-m", "couperation_formal", "check", *map(str, RECORDS))
    assert ran.returncode == 0, ran.stderr
    assert f"{len(RECORDS)} games: {len(RECORDS)} legal" in ran.stdout


def test_the_installed_specification_explains_a_clause(installed: Path) -> None:
    ran = run(installed, "-m", "couperation_formal", "explain", "TOW02")
    assert ran.returncode == 0, ran.stderr
    assert "TOW02" in ran.stdout


@pytest.mark.slow
def test_the_installed_specification_answers_a_question(installed: Path) -> None:
    ran = run(installed, "-m", "couperation_formal", "ask", "gap", "--most", "1")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("May I lay a card over a gap?\n")
