"""The wheel, built once for all that looks at it, and an environment with nothing else."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel's file."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="session")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel, what it says it needs, and nothing else.

    What it needs is linked from the environment that runs the tests, so that nothing is fetched.
    """
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    venv.create(folder, symlinks=True)
    (site,) = (folder / "lib").glob("python*/site-packages")
    for name in _needed(PROJECT["project"]["dependencies"]):
        found = distribution(name)
        for top in {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}:
            (site / top).symlink_to(str(found.locate_file(top)))
    python = str(folder / "bin" / "python")
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--no-compile",
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    return folder / "bin"


def _needed(requirements: list[str]) -> set[str]:
    """The names of the distributions that are required here, and of all that they require."""
    known: set[str] = set()
    ahead = list(requirements)
    while ahead:
        wanted = Requirement(ahead.pop())
        name = canonicalize_name(wanted.name)
        if name not in known and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            known.add(name)
            ahead += distribution(name).requires or []
    return known
