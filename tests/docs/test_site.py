"""The documentation's site: what is generated for it, and that it builds without a warning."""

from __future__ import annotations

import html
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import couperation_formal
from couperation_formal.cli.main import COMMANDS
from couperation_formal.formulas.judge import book
from couperation_formal.game.rulings import RULING_NAMES, registry
from couperation_formal.output.report import clauses
from couperation_formal.questions.records.ask import answered, questions
from couperation_formal.questions.schemas import FORMS, schema
from tests.conftest import LONG
from tests.kit.started import run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
FORMULAS = ("step", "after-a-broken-rule", "clauses")
BUILD = f"""\
import gc, sys
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.cmd.build import main
gc.disable()
StandaloneHTMLBuilder.search = {LONG}
sys.exit(main(sys.argv[1:]))
"""
"""Sphinx keeps what it makes to the end: to look for what can be thrown away takes it a third of its time, its own
index of words a tenth.
"""


@pytest.fixture(scope="module")
def made() -> Any:
    """The documentation's own extension."""
    sys.path.insert(0, str(ROOT / "docs" / "_ext"))
    try:
        import couperation_docs

        yield couperation_docs
    finally:
        sys.path.remove(str(ROOT / "docs" / "_ext"))


def test_every_command_is_there_with_its_help(made: Any) -> None:
    text = made.commands()
    assert re.findall(r"^## couperation (\S+)$", text, re.MULTILINE) == list(COMMANDS)
    assert text.count("Usage: couperation ") == text.count("\nExamples:\n  couperation ") == len(COMMANDS)


def test_every_clause_is_there_with_its_records(made: Any) -> None:
    text = made.clauses()
    assert sorted(re.findall(r"^\((\w+)\)=\n### \1 ", text, re.MULTILINE)) == sorted(clauses())
    assert text.count("**Accepts.**") == text.count("**Refuses.**") == len(clauses())


def test_every_ruling_is_there_with_its_options(made: Any) -> None:
    text = made.rulings()
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == list(RULING_NAMES)
    for ruling in registry().rulings.values():
        for option in ruling.options:
            assert f"- `{option.name}`: {option.meaning}" in text
    for clause in clauses().values():
        for name in clause.rulings:
            section = text[text.index(f"## {name}\n") :].partition("\n## ")[0]
            assert f"[{clause.id}](#{clause.id})" in section
    for name in registry().rulebooks:
        assert made.rulebooks().count(f"- `{name}`: ") == 1


@pytest.mark.parametrize("name", FORMS)
def test_every_field_of_a_schema_is_there_and_the_schema_is_a_file(made: Any, name: str) -> None:
    text = made.schemas().partition(f"## {name.replace('_', ' --')}\n")[2].partition("\n## ")[0]
    kept = json.loads((made.SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    assert kept == schema(name)
    for name, form in kept["$defs"].items():
        if "properties" not in form:
            continue
        table = text[text.index(f"**{name}.**") :].split("\n\n")[1]
        assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(form["properties"])


def test_every_question_is_there_with_its_answer_and_its_tower(
    made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made, "PICTURES", tmp_path)
    text = made.questions()
    assert re.findall(r"^### (.+)$", text, re.MULTILINE) == [question.title for question in questions()]
    assert all(answered(question) in text for question in questions())
    drawn = re.findall(
        r"^!\[The tower by levels, from the top: .*\]\(/_build/pictures/([\w-]+)\.svg\)$", text, re.MULTILINE
    )
    assert len(drawn) == len(set(drawn)) == len(questions())
    assert {path.stem for path in tmp_path.glob("*.svg")} == set(drawn)
    refused = text[text.index("### May I lay a card over a gap?") :].partition("\n### ")[0]
    assert r"\[27\]" in refused
    assert "[TOW03](#TOW03)" in refused
    assert "27 on g2 refused" in (tmp_path / "laying-1.svg").read_text(encoding="utf-8")


def test_every_public_name_is_there(made: Any) -> None:
    named = re.findall(r"^\.\. auto\w+:: couperation_formal\.(\w+)$", made.library(), re.MULTILINE)
    assert sorted(named) == sorted(couperation_formal.__all__)


def test_every_page_of_the_specification_is_shown() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "reference").glob("*.md"))
    shown = set(re.findall(r"\{include\} ../../spec/(\S+)", pages))
    assert shown == {path.name for path in (ROOT / "spec").glob("*.md")}


def test_pictures_are_drawn_and_described(made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "PICTURES", tmp_path)
    text = made.fill("before\n\n<!-- picture: a examples/legal/thursday.cgn --at 2 --names -->\n")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")
    assert re.search(r"!\[The tower by levels, from the top: .*18 25 \\\[32\\\].*\]\(/_build/pictures/a.svg\)", text)
    with pytest.raises(RuntimeError, match="no turn 99"):
        made.fill("<!-- picture: b examples/legal/thursday.cgn --at 99 -->")


def test_what_is_unknown_is_not_left_out_in_silence(made: Any) -> None:
    with pytest.raises(KeyError):
        made.fill("<!-- generated: nothing -->")


def test_the_site_builds_without_a_warning_and_loads_nothing_from_afar(tmp_path: Path) -> None:
    out = tmp_path / "html"
    options: list[str | Path] = ["-b", "html", "-W", "--keep-going", "-q", "-d", tmp_path / "trees"]
    ran = run([*options, ROOT / "docs", out], code=BUILD)
    assert ran.returncode == 0, ran.stderr.decode()
    pages = sorted(out.rglob("*.html"))
    assert {"index.html", "tutorial.html"} <= {path.name for path in pages}
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert {name for name in sources if "_build" not in name.parts} <= {path.relative_to(out) for path in pages}
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|img|iframe)[^>]* src="https?:', text), path
        assert not re.search(r'<link[^>]*rel="stylesheet"[^>]*href="https?:', text), path
        assert "<!-- generated" not in text
        assert "<!-- picture" not in text
    assert "@import" not in "".join(path.read_text(encoding="utf-8") for path in out.rglob("*.css"))
    the_names_in_formulas_lead_to_where_they_are_made(out / "reference")
    a_page_of_a_game_is_there_to_step_through(out / "howto" / "report.html")
    words = (out / "glossary.html").read_text(encoding="utf-8")
    assert all(f'id="term-{word}"' in words for word in ("Reserve", "diamond", "heart", "trim", "ruling"))


def a_page_of_a_game_is_there_to_step_through(page: Path) -> None:
    (shown,) = re.findall(r'<iframe src="([^"]+)"', page.read_text(encoding="utf-8"))
    live = (page.parent / shown).resolve().read_text(encoding="utf-8")
    assert "22 on e2 cannot lie between 18 on e1 and 21 on f1" in live
    assert "<script" in live


def the_names_in_formulas_lead_to_where_they_are_made(folder: Path) -> None:
    texts = {name: (folder / f"{name}.html").read_text(encoding="utf-8") for name in FORMULAS}
    ids = {name: set(re.findall(r' id="([^"]+)"', text)) for name, text in texts.items()}
    links = [
        (page, place or f"{page}.html", target, name)
        for page, text in texts.items()
        for place, target, name in re.findall(r'<a class="nv" href="([^"#]*)#([^"]+)">([^<]+)</a>', text)
    ]
    assert len(links) > 500
    for page, place, target, name in links:
        assert target in ids[place.removesuffix(".html")], (page, name)
    wanted = {name for name in book().definitions if name not in book().headings}
    assert wanted <= {html.unescape(target.removeprefix("formula-")) for found in ids.values() for target in found}
    assert {"num2", "W", "TOW02", "Glass"} <= {name for _, _, _, name in links}
