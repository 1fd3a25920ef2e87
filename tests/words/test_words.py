"""Findings are data, and one room makes the sentences: no prose where findings are made, a sentence for each kind, and
another language by another catalog.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from string import Formatter
from typing import get_args

import pytest

import couperation_formal
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Game, Reached
from couperation_formal.game.state import Source
from couperation_formal.game.tower import Mark
from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.check import check
from couperation_formal.words import say as room
from couperation_formal.words.say import ENGLISH, catalog, say
from tests.conftest import LONG, some
from tests.spec.book import ROOT, chapters
from tests.words.pseudo import Catalog, left_over

SENTENCES = catalog(ENGLISH)

PACKAGE = Path(couperation_formal.__file__).parent
RECORDS = [text for chapter in chapters() for text in (*chapter.accepts, *(each.text for each in chapter.refuses))]
RECORDS += [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").rglob("*.cgn"))]
ROOMS = ("game", "towers", "hidden", "formulas/judge", "notation", "questions", "editor")
"""Where no sentence may stand. The formula language tells its own errors; `output` and `cli` lay answers out."""

NUMBERS_AT = {"fact": 1, "phrase": 9, "verdict": 9, "fails": 1, "unsure": 9, "doubt": 9, "unknown": 9, "_slip": 9}
"""What makes facts, and which argument holds their numbers: keywords are values beside."""

ERRORS = {"Told", "Unfit", "Mistaken", "Refused", "Kept", "NoTower", "NoSuchTurn"}
"""Errors that may be given a kind with its values, or a fact."""

KIND_AT = {"verdict": 1, "_slip": 1}
"""Which argument is the kind, where that is not the first."""

COMPUTED: list[str] = []
"""Kinds that are values: a verdict, a severity, one chosen before."""

ADDED = {"unknown": {"text", "meant", "names"}, "_slip": {"word", "meant", "first"}}
"""The values that a maker adds by itself."""

NO_SENTENCES = {"replay_fault", "canonical", "script", "rules", "_order", "_holds", "_few"}
"""Functions whose texts are for nobody: of an error of our own, of a position that is hashed (`search.md`), or SMT-LIB
(`hidden.smt.tower`).
"""

BUGS = {"AssertionError", "KeyError", "LineError", "EngineDisagreement", "RuntimeError", "SolverUnknown", "TypeError"}
"""Errors that are ours: their texts are for who mends them."""

NAMES = {
    *(
        "deal x",
        "mark x",
        "bold cyan",
        "C h1=28",
        "x. x x",
        "hand x",
        "mark of x=x",
        "deck x",
        "line x, ",
        "record x x",
        "record x ",
        "turn x x x",
        "turn x x",
        "x x",
        "x x x",
    ),
    "xx size=x",
    *("player x", "x: x or x", "1. x x -\n", "- `x`: x x", "sample, seed x, x", "careful x", "random x", "erring x"),
    "(+ x x)",
    *("(not gx)", "some action", "rlimit count", " (at end of document)"),
    r"(.*) \(at line (\d+), column (\d+)\)$",
    *("import sys; sys.path[:] = x; x", "from couperation_formal.editor.document import main; main()"),
    "an empty set of readings has no member",
    "no model: the last check found none",
    *("none exists", "not found", "warning only"),
}
"""Texts that are no sentences: lines of CGN, names of variables, values of certificates and JSON, patterns, seeds, a
program; and two of errors that no question can meet.
"""


def places(sentence: str) -> list[tuple[str, str]]:
    """The names of a sentence's places, and the words that each is put into."""
    return [(name, word or "") for _, name, word, _ in Formatter().parse(sentence) if name]


WORDS = {word for sentence in SENTENCES.values() for _, word in places(sentence) if word} - {"capital", "translated"}
PUT = {entry for entry in SENTENCES if any(entry == word or entry.startswith(f"{word} ") for word in WORDS)}


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All parts of a module."""
    return [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


@cache
def modules() -> list[Path]:
    """Those of the package outside of the words."""
    return sorted({*PACKAGE.rglob("*.py")} - {*(PACKAGE / "words").rglob("*.py")})


def sentences(path: Path) -> Iterator[str]:
    """The texts of a module in which a blank stands between two letters, but for its docstrings and what it says of
    its own bugs.
    """
    apart: set[ast.AST] = set()
    for node in nodes(path):
        bug = isinstance(node, ast.Raise) and maker(node.exc) in BUGS
        if bug or isinstance(node, ast.Expr) or getattr(node, "name", "") in NO_SENTENCES:
            apart |= {*ast.walk(node)}
        elif isinstance(node, ast.JoinedStr):
            apart |= {*node.values}
    for node in {*nodes(path)} - apart:
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in parts)
        if isinstance(node, ast.Constant | ast.JoinedStr) and re.search(r"[^\W\d] [^\W\d]", text):
            yield text


@pytest.mark.slow
@pytest.mark.parametrize("name", ROOMS)
def test_no_sentence_stands_where_things_are_found(name: str) -> None:
    paths = [*(PACKAGE / name).rglob("*.py")] or [PACKAGE / f"{name}.py"]
    found = {path.name: {*sentences(path)} for path in sorted(paths)}
    assert {module: texts - NAMES for module, texts in found.items() if texts - NAMES} == {}


def test_a_sentence_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text('"""A doc."""\nx = f"{y} is taken"\nz = "not so"\nraise AssertionError("a bug")\nk = "deal"\n')
    assert {*sentences(path)} == {"x is taken", "not so"}
    another = tmp_path / "another.py"
    another.write_text('raise ValueError("not a bug")\n')
    assert {*sentences(another)} == {"not a bug"}


def kinds(node: ast.expr, scope: list[ast.AST]) -> Iterator[str]:
    """The kinds that an argument can be; of a text with a place each that has its form, of a name those that it is
    given in the parts of `scope`. What is a parameter of the function is told where that is called.
    """
    assigned = [each for each in scope if isinstance(each, ast.Assign)] if isinstance(node, ast.Name) else []
    given = [each.value for each in assigned if isinstance(node, ast.Name) and named(each.targets[0], node.id)]
    if isinstance(node, ast.IfExp):
        yield from (*kinds(node.body, scope), *kinds(node.orelse, scope))
    elif isinstance(node, ast.JoinedStr):
        form = "".join(str(part.value) if isinstance(part, ast.Constant) else r"\w+" for part in node.values)
        yield from [entry for entry in SENTENCES if re.fullmatch(form, entry)] or [form]
    elif isinstance(node, ast.Constant):
        yield str(node.value)
    elif given:
        for value in given:
            yield from kinds(value, scope)
    else:
        COMPUTED.append(ast.unparse(node))


def named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def keys(node: ast.AST | None) -> set[str] | None:
    """The names in numbers that are written out; None where they are made elsewhere."""
    found = [each for each in ast.walk(node) if isinstance(each, ast.Dict)] if node else []
    return {str(key.value) for each in found for key in each.keys if isinstance(key, ast.Constant)} if found else None


def made() -> Iterator[tuple[str, set[str] | None]]:
    """Every kind of fact that is made outside of the words, with the names of its values, None where not all can be
    read off the call.
    """
    for path in modules():
        tree = nodes(path)[0]
        assert isinstance(tree, ast.Module)
        # where a name may stand for very many kinds
        blocks = path.stem == "why" or {"output", "page"} & {*path.relative_to(PACKAGE).parts}
        scopes = [node for node in nodes(path) if isinstance(node, ast.FunctionDef)]
        for scope in (*scopes, *(node for node in tree.body if isinstance(node, ast.Assign))):
            parts = [*ast.walk(scope)]
            within = [] if blocks else parts
            noted = (node for node in parts if isinstance(node, ast.AnnAssign))
            own: list[tuple[ast.expr, ast.expr | None]] = [(node.target, node.value) for node in noted]
            plain = [node for node in parts if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)]
            own += [(node.targets[0], node.value) for node in plain]
            local = {target.id: keys(value) for target, value in own if isinstance(target, ast.Name)}
            for call in parts:
                if not isinstance(call, ast.Call) or any(not each.arg for each in call.keywords):
                    continue
                written = maker(call) in ERRORS and isinstance(call.args[0], ast.Constant | ast.IfExp)
                at = 9 if written else NUMBERS_AT.get(maker(call))
                if at is None:
                    continue
                given = call.args[at] if len(call.args) > at else None
                numbers = local.get(given.id) if isinstance(given, ast.Name) else keys(given) if given else set()
                beside = {str(each.arg) for each in call.keywords} | ADDED.get(maker(call), set())
                names = None if numbers is None else numbers | beside
                yield from ((kind, names) for kind in kinds(call.args[KIND_AT.get(maker(call), 0)], within))


def maker(call: ast.AST | None) -> str:
    """The name of the function that is called; of a method only `doubt`."""
    func = call.func if isinstance(call, ast.Call) else None
    if isinstance(func, ast.Attribute):
        return "doubt" if func.attr == "doubt" else ""
    return func.id if isinstance(func, ast.Name) else ""


@cache
def every_made() -> tuple[tuple[str, set[str] | None], ...]:
    return (*made(),)


def forms() -> Iterator[str]:
    """What the texts of the package outside of the words can be, as patterns."""
    for node in (node for path in modules() for node in nodes(path)):
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            parts = (re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"\w+" for p in node.values)
            yield "".join(parts)
        elif isinstance(node, ast.Constant) and node.value in SENTENCES:
            yield re.escape(str(node.value))


def shown() -> Iterator[str]:
    """Every kind that a template or a script of the page says: it stands there in quotes."""
    pages = (PACKAGE / "page", PACKAGE / "board")
    for path in (each for page in pages for form in ("*.j2", "*.js") for each in page.rglob(form)):
        yield from SENTENCES.keys() & {*re.findall(r'"(\w+)"', path.read_text(encoding="utf-8"))}


SHOWN = {*shown()}


@pytest.mark.slow
def test_each_kind_has_a_sentence_and_each_sentence_its_kind() -> None:
    texts = "|".join({form for form in forms() if re.search(r"[a-z]{3,}", form)})
    named = {entry for entry in SENTENCES if re.fullmatch(texts, entry)}
    assert {kind for kind, _ in every_made()} | SHOWN | named == SENTENCES.keys() - PUT | named | SHOWN
    assert {kind for kind in SENTENCES if kind.startswith("live")} - PUT <= SHOWN
    assert len(COMPUTED) < 30, COMPUTED
    assert len(every_made()) > 100


def test_no_kind_stands_twice_in_the_catalog() -> None:
    pairs: list[str] = []
    text = Path(room.__file__).with_name("en.json").read_text(encoding="utf-8")
    json.loads(text, object_pairs_hook=lambda found: pairs.extend(name for name, _ in found))
    kinds = [name for name in pairs if name in SENTENCES]
    assert sorted(kinds) == sorted(SENTENCES)


def test_the_places_of_each_sentence_are_given() -> None:
    unread = {kind for kind, names in every_made() if names is None}
    assert unread == {"astray", "elsewhere", "used_before", "begins_elsewhere", "judged"}
    short = {
        kind: (SENTENCES[kind], names)
        for kind, names in every_made()
        if names is not None and not {name for name, _ in places(SENTENCES[kind])} <= names
    }
    assert short == {}


def test_each_value_has_its_words() -> None:
    assert {
        word for word in WORDS if not any(entry == word or entry.startswith(f"{word} ") for entry in SENTENCES)
    } == set()
    for word, values in (("place", Source), ("reached", Reached), ("mark", Mark)):
        assert {f"{word} {value}" for value in get_args(values)} <= SENTENCES.keys()
    assert say(fact("unsupported", cell="d2", missing=("d1", "e1")), ENGLISH).endswith(
        "nothing lies on d1 and e1 below it"
    )


CARD = re.compile(r"(?<=[ +^_|~=,x-])(\d+|F|\?)(?=[\s@,=x+^_|-])")


def spoiled(rng: Random, text: str) -> str:
    """A record with another card at one place, and sometimes with another result."""
    spots = [found for found in CARD.finditer(text) if found.start() > 12]
    if spots:
        found = rng.choice(spots)
        text = text[: found.start()] + rng.choice(["?", "F", str(rng.randint(1, 50))]) + text[found.end() :]
    return re.sub(r"^(\*|win|loss|stuck)$", rng.choice([r"\1", "win", "loss", "*"]), text, flags=re.MULTILINE)


@pytest.mark.slow
def test_in_another_language_no_word_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for what the record itself says: its names, cards, lines. The suite spoils a quarter of the records."""
    catalog, rng, told = Catalog(), Random(5), 0
    monkeypatch.setattr(room, "catalog", lambda _: catalog)
    for text in [*RECORDS, *(spoiled(rng, text) for text in some(RECORDS * 4, 16))]:
        own = " ".join(text.split())
        for game in read_text(text):
            report = check(game, engine="plain") if isinstance(game, Game) else None
            for found in report.diagnostics if report else ():
                told += 1
                assert left_over(found.message, own) == []
    assert told > (1000 if LONG else 250)
    assert len(catalog.said) > 120, sorted(SENTENCES.keys() - catalog.said)
