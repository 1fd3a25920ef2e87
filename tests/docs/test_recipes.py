"""The recipes of CONTRIBUTING.md are all that it takes: a form, a question and an option are added to a copy of the
tree, in the files that each recipe names and in no other.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.run import HEAD, LEGAL

ROOT = Path(__file__).resolve().parents[2]
RECIPES = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Recipes")[2]

pytestmark = pytest.mark.slow

Copy = Callable[..., subprocess.CompletedProcess[str]]


def recipe(name: str) -> str:
    """The paragraph of a recipe."""
    return RECIPES.partition(f"**{name}.**")[2].partition("\n\n**")[0]


def copied(folder: Path, recipe: str, edits: dict[str, tuple[str, str]], files: dict[str, str] | None = None) -> Copy:
    """A copy of the tree with texts put in place of others, each in a file that the recipe names, and with new files;
    what runs a command in it.
    """
    for part in ("couperation_formal", "checker", "spec"):
        shutil.copytree(ROOT / part, folder / part)  # with what was compiled, which is of the same time
    for name, (before, after) in edits.items():
        own = name.removeprefix("couperation_formal/")
        assert own in recipe or f"{Path(own).parent}/" in recipe, name
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(before) == 1, name
        (folder / name).write_text(text.replace(before, after), encoding="utf-8")
    for name, text in (files or {}).items():
        (folder / name).write_text(text, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(folder / "checker")])}

    def run(*arguments: str, stdin: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "couperation_formal", *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, text=True, env=env, cwd=folder, check=False)

    return run


def test_a_form_of_the_output(tmp_path: Path) -> None:
    form = "class Verdicts(Form):\n    def case(self, case: Case) -> Written:\n"
    form += '        return _report(case).verdict + "\\n"'
    run = copied(
        tmp_path,
        recipe("A form of the output"),
        {
            "couperation_formal/output/formats.py": (
                "FORMS: dict[str, type[Form]] = {\n",
                f'{form}\n\n\nFORMS: dict[str, type[Form]] = {{\n    "verdicts": Verdicts,\n',
            ),
            "couperation_formal/cli/commands/check.py": ('"junit", narrow', '"junit", "verdicts", narrow'),
        },
    )
    done = run("check", "--output-format", "verdicts", "-", stdin=LEGAL + HEAD + "1. Aki A 17@a1\n")
    assert (done.stdout, done.returncode) == ("legal\nillegal\n", 1)
    assert "verdicts" in run("check", "--help", stdin="").stdout
    (tmp_path / "own.toml").write_text('output-format = "verdicts"\n', encoding="utf-8")
    assert run("check", "--config", "own.toml", "-", stdin=LEGAL).stdout.endswith("\nlegal\n")


QUESTION = """
from __future__ import annotations

from collections.abc import Iterator

import msgspec

from couperation_formal.game.record import Game
from couperation_formal.output.blocks import Paragraph, Sentence
from couperation_formal.output.formats import Data, Natural
from couperation_formal.output.formats import Answer
from couperation_formal.game.fact import fact


class LengthData(Data, frozen=True, kw_only=True):
    turns: Natural


class Length(Answer, msgspec.Struct, frozen=True):
    game: Game

    def data(self) -> LengthData:
        return LengthData(turns=len(self.game.record.turns))

    def blocks(self) -> Iterator[Paragraph]:
        yield [Sentence(fact("so_long", turns=self.data().turns))]
"""

COMMAND = '''
@options.command("couperation length examples/legal")
@options.FILES
@options.ONE
@options.form("full", "json")
def length_command(run: Run, files: tuple[str, ...]) -> Exit:
    """Tell how many turns a game has."""
    from couperation_formal.questions.records.length import Length

    run.games(files, lambda game: run.answer(Length(game)))
    return run.end()


@options.command("couperation position'''


def test_a_question(tmp_path: Path) -> None:
    run = copied(
        tmp_path,
        recipe("A question"),
        {
            "couperation_formal/cli/commands/look.py": ('@options.command("couperation position', COMMAND),
            "couperation_formal/cli/main.py": ('"look.position"', '"look.position", "look.length"'),
            "couperation_formal/words/en.json": (
                '"what is found: the set-up": {\n',
                '"what is found: the set-up": {\n    "so_long": "It has {turns} turns.",\n',
            ),
        },
        {"couperation_formal/questions/records/length.py": QUESTION},
    )
    turns = len(re.findall(r"(?m)^\d+\.", LEGAL))
    assert run("length", "-", stdin=LEGAL).stdout == f"It has {turns} turns.\n"
    told = [
        json.loads(line)
        for line in run("length", "-", "--output-format", "json", stdin=LEGAL * 2).stdout.split("\n")
        if line
    ]
    assert told == [{"turns": turns}] * 2
    assert "length" in run("--help", stdin="").stdout


DECK = """[CGN "1"]
[Rules "bgg{}"]
[Players "Aki Ben"]
[Variant "finish"]
deal Aki 17 30 44
deal Ben 22 9 3
reserve 1 50 12 33 40 7
deck F 5 6 8
"""


def test_an_option(tmp_path: Path) -> None:
    """With a third option of `finish_half` the Finish card may lie anywhere in the deck."""
    listed = (
        (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("- `finish_half`:")[2].partition("\n- ")[0]
    )
    assert "setup" in listed
    before = '    return fact("half_above", place=place) if shown and place <= glass // 2 else None\n'
    run = copied(
        tmp_path,
        recipe("A ruling or an option") + "game/rules/",
        {
            "spec/rulings.toml": (
                'bottom = "In the bottom half."\n',
                'bottom = "In the bottom half."\nanywhere = "In either half."\n',
            ),
            "couperation_formal/game/rules/setup.py": (
                before,
                f'    if rulings.finish_half == "anywhere":\n        return None\n{before}',
            ),
        },
    )
    for engine in ("auto", "spec"):
        with_it = run("check", "-", "--engine", engine, stdin=DECK.format(" finish_half=anywhere"))
        assert "SET05" not in with_it.stdout, engine
        assert "SET05" in run("check", "-", "--engine", engine, stdin=DECK.format("")).stdout, engine
        assert with_it.returncode == 0, with_it.stderr
    assert "anywhere" in run("explain", "finish_half", stdin="").stdout
