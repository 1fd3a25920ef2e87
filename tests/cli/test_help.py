"""Every help has examples that work, tells what holds where an option is left out, and cuts nothing off."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import click
import pytest

from couperation_formal.cli.main import COMMANDS, GROUPS, cli
from couperation_formal.cli.options import Command
from tests.cli.run import couperation
from tests.conftest import LONG, some

ROOT = Path(__file__).resolve().parents[2]
FOUND: dict[str, Command] = {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}  # type: ignore[misc]
EXAMPLES = [example for command in FOUND.values() for example in command.examples]
SLOW = (
    *("couperation lsp", "couperation dispute --compare en-2 ja-2.2"),
    "couperation study examples/studies/smoke.toml -o results",
    *(example for example in EXAMPLES if example.startswith("couperation board")),
)
"""One waits for an editor, two are the subject of tests/hidden/readings and tests/questions/studies, and some wait for
browsers (tests/board).
"""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_shows_examples_and_what_is_taken_where_an_option_is_left_out(name: str) -> None:
    command = FOUND[name]
    text = couperation(name, "--help").stdout
    assert all(f"\n  {example}\n" in text for example in command.examples)
    assert command.examples
    for option in command.params:
        if isinstance(option, click.Option) and not option.is_flag and not option.required:
            assert option.show_default or "left out" in (option.help or "").lower(), option.opts


def lighter(example: str) -> tuple[str, ...]:
    """What the suite leaves out of the examples that take long: most records of a folder, most turns of one of which a
    player's view is told, most of the budget.
    """
    records = sorted(Path("examples").rglob("*.cgn"))
    if example == "couperation report examples -o games/":
        for path in {*records} - {*some(records)}:
            path.unlink()
    if "--as" in example:
        for path in records:
            path.write_text(path.read_text(encoding="utf-8").partition("\n9. ")[0] + "\n*\n", encoding="utf-8")
    return ("--budget", "9000") if "lost.cgn" in example and "--at" not in example else ()


@pytest.mark.slow
@pytest.mark.parametrize("example", some((each for each in EXAMPLES if each not in SLOW), 3))
def test_the_examples_work(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("examples", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("_build"))
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(example)
    result = couperation(*arguments, *(() if LONG else lighter(example)))
    assert program == "couperation"
    assert result.exit_code in (0, 1, 2 if arguments[0] == "fix" else 0), result.output
    assert result.output or (tmp_path / arguments[-1]).is_file() or "--diff" in arguments


def test_the_list_of_commands_is_whole() -> None:
    words = " ".join(couperation("--help").stdout.split())
    heads = [f"{head}:" for head in GROUPS]
    places = [words.index(each) for each in heads]
    assert places == sorted(places)
    assert "..." not in words[places[0] :]
    assert words == " ".join(couperation().stderr.split())
    for name, command in FOUND.items():
        assert f"{name} {command.get_short_help_str(1000)}" in words


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["chek", "x.cgn"], "No such command 'chek'; did you mean check?"),
        (["check", "--output-frmat", "json", "x.cgn"], "Did you mean one of: '--output', '--output-format'?"),
        (["check", "--rules", "en-3", "x.cgn"], "did you mean en-2?"),
        (["check", "--rules", "en-2 spred=adjacent", "x.cgn"], "did you mean spread?"),
    ],
)
def test_what_is_near_is_named(arguments: list[str], meant: str) -> None:
    result = couperation(*arguments)
    assert result.exit_code == 2
    assert meant in result.stderr


def test_a_player_whose_name_is_near_is_meant() -> None:
    text = '[CGN "1"]\n[Players "Tomas Ben"]\ndeal Tomas 17 30 44\n1. Tmoas A 17@f1\n'
    assert "did you mean Tomas?" in couperation("check", "-", stdin=text).stdout
