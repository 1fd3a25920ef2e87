"""What the documentation tells to type is typed: shell lines in a copy of the records, Python sessions, settings."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
import yaml

from couperation_formal.notation.read import Malformed, read
from tests.cli.run import couperation
from tests.conftest import LONG
from tests.kit.started import PROGRAMS, run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.relative_to(ROOT).parts)
STUDY = ("couperation study examples", "couperation study report")
NOT_RUN = (*STUDY, "pip install .", "make ", "code --install-extension ", "couperation board ")
"""Beginnings of shell lines that would change the machine, end only when they are told to, or take a minute:
studies are run by tests/questions/studies.
"""


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT / "docs"))


SHELL = [page for page in PAGES if blocks(page, "sh")]
PYTHON = [page for page in PAGES if blocks(page, "python")]


def test_there_is_something_to_type() -> None:
    assert len(SHELL) >= 4
    assert PYTHON


@pytest.mark.parametrize("page", SHELL, ids=name_of)
def test_shell_lines_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "docs" / "games", tmp_path / "docs" / "games")
    monkeypatch.chdir(tmp_path)
    if not LONG:  # a page of the whole game takes seconds
        game = tmp_path / "examples" / "legal" / "thursday.cgn"
        game.write_text(game.read_text(encoding="utf-8").partition("\n7. ")[0] + "\n*\n", encoding="utf-8")
    for line in "".join(blocks(page, "sh")).splitlines():
        if line.startswith(NOT_RUN):
            continue
        program, *arguments = shlex.split(line)
        assert program in PROGRAMS, line
        if not LONG:  # all examples take ten seconds
            arguments = ["examples/legal" if word == "examples" else word for word in arguments]
        if program == "couperation":
            ran = couperation(*arguments)
            assert ran.exit_code in (0, 1), (line, ran.stderr)
        else:
            assert run(arguments, module=PROGRAMS[program]).returncode in (0, 1), line
        for option in ("--output", "--certificate"):
            if option in arguments:
                assert (tmp_path / arguments[arguments.index(option) + 1]).stat().st_size


@pytest.mark.parametrize("page", PYTHON, ids=name_of)
def test_python_sessions_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried
    assert not failed


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_settings_can_be_read(page: Path) -> None:
    for block in blocks(page, "toml"):
        tomllib.loads(block)
    for block in blocks(page, "yaml"):
        yaml.safe_load(block)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_session_shows_a_failure_of_the_program(page: Path) -> None:
    shown = "".join(blocks(page, "console"))
    assert "internal error" not in shown
    assert "please report" not in shown


def test_every_block_is_of_a_language_that_is_tried() -> None:
    known = {"console", "sh", "python", "toml", "yaml", "lua", "vim", "elisp", "cgn"}
    known |= {"{include}", "{literalinclude}", "{toctree}", "{glossary}", "{raw}"}
    for page in PAGES:
        opened = re.findall(r"^```(\S+)", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(opened) <= known, page


def test_the_pages_records_are_read() -> None:
    games = sorted((ROOT / "docs" / "games").glob("*.cgn"))
    assert len(games) >= 4
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for path in games:
        assert not any(isinstance(item, Malformed) for item in read(path))
        assert f"games/{path.name}" in pages, f"no page uses {path.name}"


def test_the_commands_of_the_editor_page_exist() -> None:
    page = (ROOT / "docs" / "howto" / "editors.md").read_text(encoding="utf-8")
    assert '{ "couperation", "lsp" }' in page
    assert couperation("lsp", "--help").exit_code == 0
