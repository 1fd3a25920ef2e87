"""The grammar for editors against the reader, and what editors, hooks and workflows start."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from couperation_formal.cli.main import COMMANDS
from couperation_formal.game.record import Game, Snapshot, Span
from couperation_formal.notation.read import read, read_text
from tests.editor.textmate import Scoped, scopes
from tests.kit import started

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR: dict[str, Any] = json.loads((ROOT / "editors" / "cgn.tmLanguage.json").read_text(encoding="utf-8"))
EXAMPLES = sorted((ROOT / "examples").rglob("*.cgn"))
NOTATION = re.findall(r"```cgn\n(.*?)```", (ROOT / "spec" / "notation.md").read_text(encoding="utf-8"), re.DOTALL)


def at(found: list[Scoped], text: str, span: Span) -> list[tuple[str, str]]:
    return [(text[each.start : each.end], each.scope) for each in found if span.start <= each.start < span.end]


def test_the_extension_carries_the_same_grammar() -> None:
    copy = ROOT / "editors" / "vscode" / "syntaxes" / "cgn.tmLanguage.json"
    assert json.loads(copy.read_text(encoding="utf-8")) == GRAMMAR


def test_the_extension_names_files_that_exist() -> None:
    folder = ROOT / "editors" / "vscode"
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    (language,), (grammar,) = package["contributes"]["languages"], package["contributes"]["grammars"]
    assert grammar["scopeName"] == GRAMMAR["scopeName"]
    assert [language["id"], grammar["language"]] == ["cgn", "cgn"]
    for name in ("extension.js", language["configuration"], grammar["path"]):
        assert (folder / name).is_file()
    json.loads((folder / "language-configuration.json").read_text(encoding="utf-8"))
    program, command = package["contributes"]["configuration"]["properties"]["cgn.server"]["default"]
    assert program == "couperation"
    assert command in COMMANDS
    assert package["contributes"]["configuration"]["properties"]["cgn.server"]["scope"] == "machine"


def test_every_rule_is_reached() -> None:
    """A rule of the repository that nothing includes colours nothing."""
    named = set(re.findall(r'"include": "#([\w-]+)"', json.dumps(GRAMMAR)))
    assert named == set(GRAMMAR["repository"])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_coloured_as_the_reader_reads_them(path: Path) -> None:
    check_items(list(read(path)))


@pytest.mark.parametrize("text", NOTATION)
def test_the_notations_examples_are_coloured(text: str) -> None:
    check_items(list(read_text(text)))


def check_items(items: list[Any]) -> None:
    assert items
    for item in items:
        if not isinstance(item, Game | Snapshot):
            continue
        own = item.layout.text
        found = scopes(GRAMMAR, own)
        for name, span in item.layout.tags.items():
            assert (name, "entity.name.tag.cgn") in at(found, own, span)
        for comment in item.layout.comments:
            scope = "comment.line.semicolon.cgn" if comment.text[0] == ";" else "comment.block.cgn"
            assert any(own.startswith(comment.text[:1], each.start) and each.scope == scope for each in found)
        if isinstance(item, Game):
            _check_turns(item, found)
        else:
            (tower,) = [span for name, span in item.layout.lines.items() if name == "tower"]
            cells = [part for part, scope in at(found, own, tower) if scope == "variable.other.cell.cgn"]
            assert cells == re.findall(r"@(\w\d)", own[tower.start : tower.end])


def _check_turns(game: Game, found: list[Scoped]) -> None:
    own = game.layout.text
    for turn, layout in zip(game.record.turns, game.layout.turns, strict=True):
        coloured = dict(at(found, own, layout.line))
        assert coloured[own[layout.number.start : layout.number.end]] == "constant.numeric.turn.cgn"
        players = [part for part, scope in at(found, own, layout.player) if scope == "entity.name.player.cgn"]
        assert players == [turn.player]
        action = at(found, own, layout.action)
        assert action[0] == (own[layout.action.start], "keyword.control.action.cgn")
        if layout.draw is not None:
            drawn = own[layout.draw.start : layout.draw.end]
            assert at(found, own, layout.draw) == [(drawn, "constant.numeric.draw.cgn")]
        for span in (layout.drop, layout.trim):
            if span is not None:
                assert at(found, own, span)[0][1] == "keyword.other.destroy.cgn"
    if game.layout.result is not None and game.record.result is not None:
        assert at(found, own, game.layout.result) == [(game.record.result, "keyword.other.result.cgn")]


@pytest.mark.parametrize("word", ["A 51@g1", "A 17@n1", "B 17@g8", "C g1=0", "D 1+2=3@g1y", "a 1@g1"])
def test_what_is_no_action_is_not_coloured_as_one(word: str) -> None:
    found = scopes(GRAMMAR, f"1. Aki {word}\n")
    assert "keyword.control.action.cgn" not in {each.scope for each in found}


def test_an_open_brace_colours_up_to_the_next_game_only() -> None:
    found = scopes(GRAMMAR, '1. Aki A 17@f1 { open\nwin\n[CGN "1"]\nwin\n')
    assert [each.scope for each in found if each.start > 20][-1] == "keyword.other.result.cgn"


PARTS = """1. Aki +*   A F@h1 fill 14,9 drop 5
2. Ben      A F@h1 ! fill * trim 12
3. Aki      -
"""
LINES = """position
last -
skipped 1
replaced yes
"""


@pytest.mark.parametrize(
    ("text", "word", "scope"),
    [
        (PARTS, "+*", "constant.numeric.draw.cgn"),
        (PARTS, "fill", "keyword.other.fill.cgn"),
        (PARTS, "14,9", "constant.numeric.draw.cgn"),
        (PARTS, "*", "constant.numeric.draw.cgn"),
        (PARTS, "drop", "keyword.other.destroy.cgn"),
        (PARTS, "trim", "keyword.other.destroy.cgn"),
        (PARTS, "-", "keyword.control.action.cgn"),
        (LINES, "last", "keyword.other.line.cgn"),
        (LINES, "-", "constant.language.nothing.cgn"),
        (LINES, "skipped", "keyword.other.line.cgn"),
        (LINES, "1", "constant.numeric.count.cgn"),
        (LINES, "replaced", "keyword.other.line.cgn"),
        (LINES, "yes", "constant.language.whether.cgn"),
    ],
)
def test_what_the_further_rulings_need_is_coloured(text: str, word: str, scope: str) -> None:
    found = [(text[each.start : each.end], each.scope) for each in scopes(GRAMMAR, text)]
    assert (word, scope) in found


@pytest.mark.parametrize("line", ["last 1", "skipped 100", "skipped -", "replaced maybe", "1. Aki A F@h1 fill 99"])
def test_what_they_do_not_know_is_not(line: str) -> None:
    words = {line[each.start : each.end] for each in scopes(GRAMMAR, line)}
    assert line.split()[-1] not in words


HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def run(entry: str, *files: Path) -> int:
    program, *arguments = shlex.split(entry)
    return started.run([*arguments, *files], module=started.PROGRAMS[program]).returncode


def test_the_hooks_have_their_shape() -> None:
    assert [hook["id"] for hook in HOOKS] == ["couperation-check", "couperation-fmt"]
    for hook in HOOKS:
        assert {"id", "name", "entry", "language", "files"} <= hook.keys()
        assert hook["language"] == "python"
        assert re.search(hook["files"], "games/thursday.cgn")
        assert not re.search(hook["files"], "games/thursday.cgn.txt")


@pytest.mark.slow
def test_the_hooks_entries_run(tmp_path: Path) -> None:
    check, fmt = (hook["entry"] for hook in HOOKS)
    assert run(check, ROOT / "examples" / "legal" / "thursday.cgn") == 0
    assert run(check, ROOT / "examples" / "broken" / "between.cgn") == 1
    copy = Path(shutil.copy(ROOT / "examples" / "broken" / "between.cgn", tmp_path))
    copy.write_text(copy.read_text(encoding="utf-8").replace("+0 ", "+0   "), encoding="utf-8")
    before = copy.read_text(encoding="utf-8")
    assert run(fmt, copy) == 0
    assert copy.read_text(encoding="utf-8") != before


@pytest.mark.slow
def test_the_workflow_runs_commands_that_exist() -> None:
    workflow = yaml.safe_load((ROOT / "examples" / "github-workflow.yml").read_text(encoding="utf-8"))
    runs = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    lines = [line for line in runs if line.startswith("couperation ")]
    assert {re.search(r"--output-format (\w+)|--check", line)[0] for line in lines} == {  # type: ignore[index]
        "--output-format github",
        "--output-format sarif",
        "--check",
    }
    for line in lines:
        command = line.partition(" > ")[0].replace(" games", " examples/legal")
        assert run(command, *([] if "examples" in command else [ROOT / "examples" / "legal"])) in (0, 1)
    assert set(workflow["jobs"]) == {"annotations", "code-scanning"}
