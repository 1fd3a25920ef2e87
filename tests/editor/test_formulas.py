"""Formulas on the specification's pages in an editor: unknown names, types and meanings under the cursor."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lsprotocol import types

from couperation_formal.game.rulings import spec_folder
from tests.editor.client import Editor
from tests.editor.server import drive

ALONE = """# Frogs

```formula
given pond: set Int
heavy := {f in pond with f > 9}
```

## calm · No frog is heavy

```formula
heavy is empty
```
"""


@pytest.fixture(name="page")
def _page(tmp_path: Path) -> Path:
    """A page of a copy of the specification."""
    shutil.copytree(spec_folder(), tmp_path / "spec")
    return tmp_path / "spec" / "clauses" / "tower.md"


def place(text: str, words: str) -> tuple[int, int]:
    before = text[: text.index(words)]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


def shown(found: types.Hover | None) -> str:
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


@pytest.mark.slow
def test_a_page_of_the_specification_is_read_with_its_others(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    async def session(editor: Editor) -> None:
        assert await editor.open(text, page.as_uri(), "markdown") == []
        assert "num2: map Cell to Int" in shown(await editor.hover(*place(text, "num2)\n")))
        assert "the numbers that can be read" in shown(await editor.hover(*place(text, "num2)\n")))
        assert shown(await editor.hover(*place(text, "v(x) <row"))) == "```text\nv: map Cell to Int\n```"
        assert "type Cell = (col: Int, lev: Int)" in shown(await editor.hover(*place(text, "lev x = lev y")))
        assert await editor.hover(*place(text, "**Rule.**")) is None
        assert await editor.format() == []
        assert await editor.fixes() == []
        assert await editor.complete(*place(text, "num2)\n")) == []

        (found,) = await editor.type(text.replace("rising(num2)", "risng(num2)", 1))
        assert found.message == "risng is not known here; is rising meant?"
        assert found.severity == types.DiagnosticSeverity.Error
        line, column = place(text, "rising(num2)")
        assert found.range == types.Range(types.Position(line, column), types.Position(line, column + 5))
        assert await editor.hover(line, column) is None

        (found,) = await editor.type(text.replace("lev x = lev y", "lev x = W", 1))
        assert found.message == "a number is compared with a map Cell to Laid"
        assert await editor.type(text) == []

    drive(session)


@pytest.mark.slow
def test_an_error_of_another_page_is_told_at_the_first_formula(page: Path) -> None:
    other = page.parent.parent / "step.md"
    other.write_text(other.read_text("utf-8").replace("num2 :=", "num3 :=", 1), "utf-8")
    text = page.read_text(encoding="utf-8")

    async def session(editor: Editor) -> None:
        (found,) = await editor.open(text, page.as_uri(), "markdown")
        assert found.range.start == types.Position(*place(text, "```formula"))
        assert "num2 is not known here" in found.message

    drive(session)


@pytest.mark.slow
def test_a_page_alone_lines_with_cr_and_pages_without_formulas(tmp_path: Path) -> None:
    uri = (tmp_path / "frogs.md").as_uri()

    async def session(editor: Editor) -> None:
        assert await editor.open(ALONE.replace("\n", "\r\n"), uri, "markdown") == []
        assert "heavy: set Int" in shown(await editor.hover(10, 2))
        assert "heavy := {f in pond with f > 9}" in shown(await editor.hover(10, 2))
        assert "No frog is heavy" not in shown(await editor.hover(10, 2))
        (found,) = await editor.type(ALONE.replace("heavy is", "heavi is").replace("\n", "\r\n"))
        assert found.range == types.Range(types.Position(10, 0), types.Position(10, 5))
        assert await editor.type("# Nothing\n\nheavy\n") == []
        assert await editor.hover(2, 1) is None
        assert await editor.type("```formula\n" + "(" * 5000 + "\n```\n") != []

    drive(session)
