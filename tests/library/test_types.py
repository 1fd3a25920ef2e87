"""Types as who uses the package sees them: each that a signature names is a public name, and a strict script passes."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import couperation_formal as cf

PLAIN = {
    *("int", "str", "bool", "float", "object", "bytes", "type", "dict", "list", "tuple", "set", "frozenset", "None"),
    *("Any", "Literal", "Callable", "Iterable", "Iterator", "Mapping", "Sequence", "Path", "BinaryIO"),
}
"""Names that are Python's own."""
FUNCTIONS = [name for name in cf.__all__ if inspect.isfunction(getattr(cf, name))]
CLASSES = [name for name in cf.__all__ if inspect.isclass(getattr(cf, name))]
MODEL = [name for name in CLASSES if ".model." in getattr(cf, name).__module__]
"""Whose fields count as well: games, positions, states and what they are made of."""
INNER = {"cls", "self", "Self", "Registry"}

SCRIPT = """
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import couperation_formal as cf


def verdicts(folder: Path) -> Iterator[tuple[str, cf.Verdict, int | None, list[str]]]:
    for path in sorted(folder.glob("*.cgn")):
        for item in cf.read(path):
            report: cf.Report = cf.check(item, "en-2", budget=1000)
            yield item.file, report.verdict, report.turn, [found.code for found in report.diagnostics]


def positions(game: cf.GameLike) -> list[bool]:
    return [cf.tower_completable(cf.position_after(game, turn)) for turn in range(3)]


def cards(state: cf.State) -> dict[cf.Cell, cf.Laid]:
    return dict(state.tower.cells)


def one(action: cf.Action) -> cf.Card | None:
    return action.card if isinstance(action, cf.LayUp) and not isinstance(action.card, cf.UnseenCard) else None


def played(seed: int) -> cf.Game:
    table = cf.Table.new(2, "en-2", seed=seed)
    while table.result is None:
        turns: tuple[cf.Turn, ...] = table.legal_turns(draw=max(table.draw_amounts()))
        table.play(turns[0])
    table.position()
    return table.record()


game = cf.sample_game(rules="bgg")
winnable: bool | None = cf.table_winnable(cf.position_after(game, 20), budget=10)
dead: int | None = cf.first_dead_turn(cf.Table(game), level="tower")
answer = cf.complete(cf.state_after(game), rules=game.rules, level="tower")
if isinstance(answer, cf.Completion) and isinstance(answer.answer, cf.Completable):
    print(answer.answer.filling, winnable, dead)
print(cf.dispute(game), cf.infer([game, played(1)]), cf.moves(game, 1), positions(game), one(game.turns[0].action))
print(*verdicts(Path()), len(cards(cf.state_after(game))))
"""
WRONG = """
import couperation_formal as cf

cf.check(7)
cf.check(cf.sample_game(), engine="z4")
cf.sample_game().turns.append(1)
"""


def types_in(of: Any) -> set[str]:
    """The names in the annotations of a function, or of a class's fields."""
    texts = [getattr(each, "__forward_arg__", each) for each in getattr(of, "__annotations__", {}).values()]
    trees = [ast.parse(text, mode="eval") for text in texts]
    return {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_types_of_a_function_are_public(name: str) -> None:
    assert types_in(getattr(cf, name)) - PLAIN <= {*cf.__all__}


@pytest.mark.parametrize("name", CLASSES)
def test_the_types_of_a_class_are_public(name: str) -> None:
    """Of its methods and properties, and of the fields of the model."""
    kind, found = getattr(cf, name), set[str]()
    for member, value in vars(kind).items():
        call = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if not member.startswith("_") and inspect.isfunction(call):
            found |= types_in(call)
    if name in MODEL:
        found |= types_in(kind)
    assert found - PLAIN - INNER <= {*cf.__all__}


def test_there_is_something_to_look_at() -> None:
    assert len(FUNCTIONS) > 25
    assert len(MODEL) > 25
    assert {"Table", "Report", "Moves"} <= {*CLASSES}


@pytest.mark.slow
def test_a_strict_script_passes_and_a_wrong_one_does_not(tmp_path: Path) -> None:
    """Outside of the repository: what tells the types is the package's `py.typed`."""
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(textwrap.dedent(WRONG), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", "script.py", "wrong.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    lines = [line for line in ran.stdout.splitlines() if ": error: " in line]
    assert [line.partition(": error")[0] for line in lines] == ["wrong.py:4", "wrong.py:5", "wrong.py:6"], ran.stdout
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
