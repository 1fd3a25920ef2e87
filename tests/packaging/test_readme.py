"""The README: a fresh environment with the wheel alone runs all of it, and what it tells to install installs."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from couperation_formal import __version__
from couperation_formal.cli.main import COMMANDS
from tests.conftest import LONG, some
from tests.kit import started
from tests.kit.started import PROGRAMS

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="its environment is made of links")]

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SESSIONS: list[tuple[str, str]] = [
    (command, output)
    for language, block in BLOCKS
    if language == "console"
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]
SHELL = [
    line.partition("#")[0].split() for language, block in BLOCKS if language == "sh" for line in block.splitlines()
]
INSTALL: list[str] = re.findall(r"`((?:pip|pipx|uv tool) install [^`]+)`", README)
FIRST = README.index("## A session")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records that the README names, and nothing else of the repository."""
    place = tmp_path_factory.mktemp("readme")
    for name in ("examples", "docs/games"):
        shutil.copytree(ROOT / name, place / name)
    return place


def environment(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "COLUMNS": "120", "NO_COLOR": "1"}


def run(words: list[str], folder: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        env=environment(folder),
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def test_every_block_is_one_that_is_run() -> None:
    assert {language for language, _ in BLOCKS} == {"console", "sh", "python", "cgn"}
    assert README.count("```") == 2 * len(BLOCKS)
    assert len(SESSIONS) >= 6
    assert {words[0] for words in SHELL} == {"make", "couperation"}  # make: tests/packaging/test_make.py


@pytest.mark.parametrize(("command", "output"), SESSIONS, ids=[command for command, _ in SESSIONS])
def test_a_session_prints_what_it_says(folder: Path, command: str, output: str) -> None:
    program, *words = shlex.split(command)
    ran = started.run(words, cwd=folder, environment=environment(folder), together=True, module=PROGRAMS[program])
    assert ran.stdout.decode().rstrip() == output.rstrip()


@pytest.mark.parametrize("number", some(range(len(SESSIONS)), len(SESSIONS)))
def test_a_session_needs_nothing_else(fresh: Path, folder: Path, number: int) -> None:
    command, output = SESSIONS[number]
    program, *words = shlex.split(command)
    assert run([str(fresh / program), *words], folder).stdout.rstrip() == output.rstrip()


@pytest.mark.parametrize("words", [words for words in SHELL if words[0] == "couperation"], ids=" ".join)
def test_a_line_to_type_can_be_typed(fresh: Path, folder: Path, words: list[str]) -> None:
    ran = run([str(fresh / words[0]), *words[1:]], folder)
    assert ran.returncode == 0, ran.stdout


def test_the_python_session(fresh: Path, folder: Path) -> None:
    shutil.copy(ROOT / "README.md", folder)
    ran = run([str(fresh / "python"), "-m", "doctest", "-v", "README.md"], folder)
    assert ran.returncode == 0, ran.stdout
    assert re.search(r"[1-9]\d* passed\.?(?: and 0 failed\.)?\n", ran.stdout), ran.stdout
    where = run([str(fresh / "python"), "-c", "import couperation_formal; print(couperation_formal.__file__)"], folder)
    assert Path(where.stdout.strip()).is_relative_to(fresh.parent)


def test_the_record_that_shows_the_notation_is_a_legal_one(fresh: Path, folder: Path) -> None:
    (record,) = [block for language, block in BLOCKS if language == "cgn"]
    ran = run([str(fresh / "couperation"), "check", "--strict", "-"], folder, stdin=record)
    assert (ran.returncode, ran.stdout.startswith("legal: ")) == (0, True), ran.stdout
    assert README.index(record) < FIRST
    for word in ("Reserve", "diamond", "heart", "trim"):
        assert f"**{word}**" in README[:FIRST]


def test_the_environment_holds_nothing_else(fresh: Path, folder: Path) -> None:
    """What is optional is asked for in words that are true wherever the program came from."""
    png = run([str(fresh / "couperation"), "show", "examples/towers/open.cgn", "-o", "a.png"], folder)
    assert (png.returncode, png.stdout.startswith("error: PNG needs the library resvg-py: ")) == (2, True), png.stdout
    lsp = run([str(fresh / "couperation"), "lsp"], folder)
    assert (lsp.returncode, lsp.stdout.startswith("error: the language server needs pygls: ")) == (2, True)
    extras = PROJECT["project"]["optional-dependencies"]
    assert f"pip install '{extras['png'][0]}' " in png.stdout
    assert f"pip install '{extras['lsp'][0]}' " in lsp.stdout
    for program in ("pytest", "mypy"):
        assert run([str(fresh / "python"), "-c", f"import {program}"], folder).returncode == 1


def test_every_command_is_in_the_table() -> None:
    named = [row.split()[0] for row in re.findall(r"^\| `([^`]+)` \|", README, re.MULTILINE)]
    assert set(named) == set(COMMANDS)


def test_no_line_is_long() -> None:
    assert not [line for line in README.splitlines() if len(line) > 120]


def test_three_ways_to_install_from_a_checkout_and_from_a_wheel() -> None:
    assert {each.split(" install")[0] for each in INSTALL} == {"pip", "pipx", "uv tool"}
    wheels = [each for each in INSTALL if ".whl" in each]
    assert len(wheels) == len(INSTALL) - len(wheels) == 4
    assert all(f"couperation_formal-{__version__}-py3-none-any.whl" in each for each in wheels)


@pytest.mark.skipif(not LONG, reason="COUPERATION_LONG is not set")
@pytest.mark.parametrize("line", INSTALL)
def test_what_it_tells_to_install_installs(wheel: Path, tmp_path: Path, line: str) -> None:
    """From the package index, with whichever of the three programs is there."""
    program, *words = shlex.split(line)
    home, place = tmp_path / "home", tmp_path / "place"
    home.mkdir()
    if ".whl" in line:
        place.mkdir()
        shutil.copy(wheel, place)
    else:
        left_out = shutil.ignore_patterns(".venv", ".git", "_build", "__pycache__", ".*_cache", "build", "dist")
        shutil.copytree(ROOT, place, ignore=left_out)
    env = {**os.environ, "HOME": str(home), "UV_PYTHON": sys.executable, "PIPX_DEFAULT_PYTHON": sys.executable}
    env |= {"PIPX_HOME": str(home / "pipx"), "PIPX_BIN_DIR": str(home / "bin")}
    env |= {"UV_TOOL_DIR": str(home / "uv"), "UV_TOOL_BIN_DIR": str(home / "bin")}
    if program == "pip":
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        command = [str(home / "bin" / "python"), "-m", "pip"]
    elif found := shutil.which(program):
        command = [found]
    else:
        pytest.skip(f"no {program} here")
    ran = subprocess.run([*command, *words], cwd=place, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    checked = run([str(home / "bin" / "couperation"), "check", str(ROOT / "examples" / "legal")], tmp_path)
    assert checked.stdout.endswith("2 games: 2 legal\n")
