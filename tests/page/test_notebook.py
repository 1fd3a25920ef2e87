"""Objects in notebooks, and the notebook of the examples run from end to end."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

import couperation_formal as cf
import couperation_formal.notebook as shown
from couperation_formal.game.tower import STANDARD, Tower
from couperation_formal.questions.disputes.dispute import dispute
from tests.page.pages import BROKEN, DEAD, HEAD, LEGAL, ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NOTEBOOK = ROOT / "examples" / "notebook.ipynb"
EVIL = "<script>alert(1)</script>"


def html(value: Any) -> str:
    text: str = value._repr_html_()
    ElementTree.fromstring(re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL))
    return text


def svg(value: Any) -> str:
    text: str = value._repr_svg_()
    ElementTree.fromstring(text)
    return text


def one(path: Path) -> Any:
    (item,) = cf.read(path)
    return item


def test_towers_states_and_positions_are_pictures() -> None:
    game = one(LEGAL)
    state = cf.state_after(game, 9)
    assert ">46</text>" in svg(state)
    assert "cf-laid" in svg(state)
    assert ">46</text>" in svg(state.tower)
    assert ">46</text>" in svg(cf.position_after(game, 9))
    assert "cf-mark-2" in svg(state)
    assert "An empty tower" in svg(Tower.of(STANDARD, {}))
    assert svg(one(ROOT / "examples/towers/dead.cgn")).startswith("<svg")
    assert shown.__name__ == "couperation_formal.notebook"


def test_verdicts() -> None:
    text = html(cf.check(one(BROKEN)))
    assert "<strong>illegal at turn 8</strong>" in text
    assert "error[TOW02]" in text
    assert "^^^^^^^" in text
    assert 'href="#cf-refused"' in text
    assert html(one(BROKEN)) == text
    assert "win" in html(one(LEGAL))


def test_answers() -> None:
    game = one(LEGAL)
    assert ">(" in html(cf.complete(game, 9, level="tower"))
    dead = html(cf.complete(one(ROOT / "examples/towers/dead.cgn")))
    assert "<strong>deadlocked</strong>" in dead
    assert 'href="#cf-conflict"' in dead
    assert "could still save it" in dead
    assert "<td>d5</td>" in html(cf.windows(game, 22))
    assert "<strong>completable</strong>" in html(cf.deadlock(game, level="tower"))
    died = html(cf.deadlock(one(DEAD), level="tower"))
    assert "from turn 5 to the end" in died
    assert "B 26@f1" in died


def test_answers_at_the_level_of_the_table() -> None:
    game = one(DEAD)
    told = html(cf.complete(game, 3, budget=2_000))
    assert "<strong>" in told
    assert "<svg" in told
    assert "<strong>" in html(cf.deadlock(game, budget=2_000))


def test_disputes() -> None:
    text = html(dispute(one(DEAD)))
    assert "<td>bgg</td><td>legal</td>" in text
    assert "<td>en-2</td><td>illegal</td><td>-</td><td>10</td><td>TOW07 " in text
    assert "if and only if" in text


@pytest.mark.parametrize("text", ["", "nothing", HEAD.replace("Aki", EVIL), HEAD + "1. Aki A 17@f1\n2. Aki A 9@f2\n"])
def test_any_text_is_shown_and_none_becomes_markup(text: str) -> None:
    for item in cf.read_text(text, EVIL):
        assert "<script" not in html(cf.check(item))


@pytest.mark.slow
def test_frames_are_in_letters_of_one_width_and_in_the_notebooks_colours(browser: Browser) -> None:
    """Also where a notebook's own style sheet has black on white for everything that is preformatted."""
    own = "pre{font-family:serif;color:#000;background:#fff;white-space:normal}"
    outputs = html(cf.check(one(BROKEN))) + html(dispute(one(BROKEN)))
    with browser.new_context() as context:
        tab = context.new_page()
        for ink, ground in [("rgb(20, 20, 20)", "rgb(255, 255, 255)"), ("rgb(230, 230, 230)", "rgb(17, 17, 17)")]:
            tab.set_content(f"<style>body{{color:{ink};background:{ground}}} {own}</style>{outputs}")
            frames = tab.locator("pre").evaluate_all(
                "all => all.map(each => { const s = getComputedStyle(each);"
                " return [s.fontFamily.endsWith('monospace'), s.color, s.backgroundColor, s.whiteSpace]; })"
            )
            assert len(frames) > 0
            assert {tuple(each) for each in frames} == {(True, ink, "rgba(0, 0, 0, 0)", "pre")}
            line, carets = tab.locator("pre").first.inner_text().split("\n")[3:5]
            assert line[carets.index("^") :].startswith("A 22@e2")
            ground_of_tower = tab.locator("svg .cf-ground").first.evaluate("node => getComputedStyle(node).fill")
            assert ground_of_tower == "rgb(251, 248, 241)"


@pytest.mark.slow
def test_the_notebook_runs_and_shows_pictures() -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") for cell in notebook.cells)
    nbclient.NotebookClient(
        notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOK.parent)}}
    ).execute()
    kinds = [kind for cell in notebook.cells for output in cell.get("outputs", ()) for kind in output.get("data", ())]
    assert kinds.count("image/svg+xml") >= 1
    assert kinds.count("text/html") >= 5
    last = notebook.cells[6].outputs[0]["data"]["text/plain"]
    assert last == "('illegal', 8, ['TOW02'])"
