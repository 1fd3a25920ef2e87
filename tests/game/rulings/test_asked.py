"""ARCHITECTURE.md lists every module that reads a ruling, and can be read in ten minutes."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from couperation_formal.game.rulings import registry

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "ARCHITECTURE.md"
HEAD = "## Where a ruling is asked\n"
ROOMS = {
    "game": "couperation_formal/game",
    "hidden": "couperation_formal/hidden",
    "towers": "couperation_formal/towers",
    "questions": "couperation_formal/questions",
    "output": "couperation_formal/output",
    "page": "couperation_formal/page",
    "board": "couperation_formal/board",
    "checker": "checker/couperation_checker",
}
FIELDS = {"adjust", "anchor"}
"""Rulings whose names are fields of other values too: an action D destroys `adjust`, a tower has an `anchor`."""


def read_in(path: Path) -> Iterator[str]:
    """The rulings that a module reads: as a field of rulings, or by name."""
    names = registry().rulings.keys()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr in names:
            of = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
            if node.attr not in FIELDS or of.endswith("rulings"):
                yield node.attr
        elif isinstance(node, ast.Constant) and node.value in names:
            yield str(node.value)


@cache
def listed() -> str:
    """Of each ruling the modules that read it, by room."""
    places: dict[str, dict[str, list[str]]] = {ruling: {} for ruling in registry().rulings}
    for room, folder in ROOMS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            for ruling in {*read_in(path)}:
                places[ruling].setdefault(room, []).append(path.stem)
    lines = []
    for ruling, rooms in places.items():
        told = "; ".join(f"{room} {', '.join(names)}" for room, names in rooms.items())
        lines += textwrap.wrap(f"- `{ruling}`: {told}", 110, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def test_each_place_that_reads_a_ruling_is_listed(request: pytest.FixtureRequest) -> None:
    before, head, after = PAGE.read_text(encoding="utf-8").partition(HEAD)
    said = after.partition("\n- ")[0]
    page = f"{before}{head}{said.rstrip()}\n\n{listed()}"
    if request.config.getoption("--update-goldens"):
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page


def test_every_ruling_is_read_by_the_rules_and_the_checker() -> None:
    lines = [" ".join(line.split()) for line in re.split(r"\n(?=- )", listed())]
    assert [line for line in lines if ": game " not in line] == []
    unchecked = [line.split("`")[1] for line in lines if "; checker " not in line]
    assert unchecked == ["finish_half"]  # which half of the Finish cards was used is a warning, never a refusal


def test_the_page_is_short() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150
    assert [line for line in lines if len(line) > 110] == []
    assert {path.name for path in (ROOT / "couperation_formal").iterdir() if (path / "__init__.py").exists()} <= {
        name for line in lines for name in re.findall(r"[a-z]+", line)
    }
