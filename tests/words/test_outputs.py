"""What the commands print, in a language in which every word stands in brackets: no other word is left but the
record's own and the specification's.
"""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path

import pytest

from couperation_formal.game.fact import DEFAULT
from couperation_formal.game.rulings import registry
from couperation_formal.output.report import clauses
from couperation_formal.words import say as room
from tests.cli.run import couperation
from tests.conftest import LONG, some
from tests.spec.book import ROOT
from tests.words.pseudo import Catalog

RECORDS = sorted((ROOT / "examples").rglob("*.cgn"))
GAMES = [path for path in RECORDS if path.parent.name in ("broken", "disputed", "hidden", "infer", "legal")]
CLASHING = [path for path in GAMES if path.parent.name == "infer"]
RULINGS = registry().rulings

VOCABULARY = re.compile(
    r"[a-m][1-7]?|[A-Z]{3}\d\d|[A-D]|CGN|[F~?\d]+|[~?\dF]+@[a-m]\d|[\d.,]+(:[\d]+)*:?|\d+:[12H]|"
    r"[-+=^_|~?\dF@xa-m\[\]]+|spec/(table|search)\.md(#[-a-z]+)?|"
    r"Rules|Variant|Marks|Event|Players|drop|trim|win|loss|stuck|and|or|if|in|not|where|for|is|[0-9a-f]{64}|v\d+"
)
"""Cells, columns, clauses, actions, cards, numbers, digests; what CGN and the formulas write."""

LINES = re.compile(r"^ *\d+ \| .*$|^ *\| *\^+$|^ *\d  .*$|^::(error|warning|notice) [^:]*::", re.MULTILINE)
"""A line of the record in its frame, a row of a tower, the head of a workflow command."""


FORMS = ("full", "concise", "github")
WHY = ("--why",) if LONG else ()
"""For the suite what should be corrected is searched for once, not for each form."""

KINDS = {
    "apex",
    "cards",
    "exchanges",
    "finish",
    "interval",
    "order",
    "replacements",
    "search",
    "stuck",
    "turns",
    "loss",
}
"""Kinds of reasons, as certificates name them."""


def specification() -> list[str]:
    """The specification's own sentences, the longest first."""
    found = {stand.note for ruling in RULINGS.values() for stand in ruling.texts.values()}
    found |= {stand.place for ruling in RULINGS.values() for stand in ruling.texts.values()}
    found |= {str(stand) for ruling in RULINGS.values() for stand in ruling.texts.values()}
    found |= {option.meaning for ruling in RULINGS.values() for option in ruling.options}
    found |= {ruling.question for ruling in RULINGS.values()} | {*registry().titles.values()}
    for clause in clauses().values():
        found |= {clause.title, clause.rule, *clause.formula.splitlines()}
        found |= {part for row in clause.sources for part in (row.texts, row.place, row.says)}
    return sorted((text.strip() for text in found if text.strip()), key=len, reverse=True)


SPECIFICATION = specification()
NAMES = {*RULINGS, *registry().rulebooks, *(name for ruling in RULINGS.values() for name in ruling.option_names())}


def left(output: str, own: str) -> set[str]:
    """The words of an output that stand outside of brackets and belong to nobody."""
    for text in SPECIFICATION:
        output = output.replace(text, " ")
    output = LINES.sub(" ", re.sub(r"⟦[^⟦⟧]*⟧", " ", output))
    words = {word for word in re.split(r"[\s=;:,()\[\]\"']+", output) if re.search(r"[^\W\d_]", word)}
    names = {*NAMES, *KINDS, *re.split(r"[\s=;:,()\[\]\"']+", own)}
    return {word for word in words - names if not VOCABULARY.fullmatch(word.strip("."))}


def commands(path: Path) -> list[list[str]]:
    """What can be asked about a file of the examples."""
    name, quick = str(path), ["--no-verify", "--budget", "3000"]
    if path in GAMES:
        return [
            ["check", name, "--no-verify", "--why"],
            *(["check", name, "--no-verify", *WHY, "--output-format", form] for form in FORMS[1:]),
            ["show", name],
            ["dispute", name, "--budget", "20000"],
            *(["deadlock", name, *quick, "--level", level] for level in ("tower", "table")),
            ["moves", name, "--at", "2", "--alive", *quick],
            ["moves", name, "--at", "2"],
            ["windows", name, "--no-verify"],
        ]
    return [["show", name], ["windows", name, "--no-verify"],
            *(["complete", name, *quick, "--level", level] for level in ("tower", "table"))]  # fmt: skip


@pytest.fixture
def catalog(monkeypatch: pytest.MonkeyPatch) -> Catalog:
    found = Catalog()
    monkeypatch.setattr(room, "catalog", lambda _: found)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("path", some(RECORDS, 6), ids=lambda path: path.stem)
def test_no_word_is_left_in_an_answer(path: Path, catalog: Catalog) -> None:
    own = f"{path} {path.read_text(encoding='utf-8')}"
    for arguments in commands(path):
        result = couperation(*arguments)
        assert left(result.stdout, own) == set(), arguments
    assert len(catalog.said) > 10


@pytest.mark.slow
def test_no_word_is_left_where_no_record_is_asked(catalog: Catalog) -> None:
    asked = [["explain", name] for name in (*clauses(), *RULINGS, *registry().rulebooks, "CGN")]
    asked += [
        ["rules"],
        ["deadlocks", "--max-cards", "2", "--no-verify"],
        ["infer", *map(str, GAMES if LONG else [GAMES[0], *CLASHING])],
    ]
    asked += [["dispute", "--compare", "en-2", "bgg"]]
    texts = " ".join(f"{path} {path.read_text(encoding='utf-8')}" for path in RECORDS)
    for arguments in asked:
        assert left(couperation(*arguments).stdout, texts) == set(), arguments
    assert len(catalog.said) > 40


def test_a_word_is_seen() -> None:
    assert left("⟦the tower⟧ 17@f1 and deadlocked ⟦so⟧", "") == {"deadlocked"}


def bare(output: str) -> list[str]:
    """The words of an output that stand outside of brackets."""
    return re.findall(r"[^\W\d_]+", re.sub(r"⟦[^⟦⟧]*⟧", "", output))


def test_no_word_is_left_beside_the_answers(tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of counts, of two rulebooks that agree, of a file that cannot be read, of an answer that is not checked, of a
    clause that a record does not decide.
    """
    counts = couperation("deadlocks", "--max-cards", "1", "--count").stdout
    assert bare(counts) == []
    assert counts.count("\n") == 2
    assert bare(couperation("dispute", "--compare", "en-2", "en-2").stdout) == []
    (told,) = json.loads(couperation("check", str(tmp_path / "x"), "--output-format", "json").stdout)["diagnostics"]
    assert told["message"].startswith("⟦")
    monkeypatch.setattr("couperation_formal.cli.run.FREE", 3)
    monkeypatch.setattr("couperation_formal.cli.run._SHARE", DEFAULT)
    lost = couperation("complete", str(ROOT / "examples" / "tables" / "lost.cgn"), "--at", "35").stdout
    assert bare(lost.splitlines()[-1]) == []
    assert "⟦" in lost.splitlines()[-1]


@pytest.mark.slow
def test_no_word_is_left_in_what_is_warned_of_and_mended(tmp_path: Path, catalog: Catalog) -> None:
    start, game = '[CGN "1"]\n[Players "Aki Ben"]\n', tmp_path / "game.cgn"
    deals = "deal Aki 17 30 44\ndeal Ben 22 9 3\n"
    texts = (
        f'{start}[Rule "x"]\n[Varient "x"]\n[marks "x"]\n[event "x"]\n[players "x"]\n{deals}1. Aki A 17@f1\n',
        f"{start}{deals}1. Aki A 44@i1\n",
        f'{start}[Marks "17:2"]\n{deals}reserve 1 50 12 33 40 7\n1. Aki A 17@f1\n2. Ben A 22@f2\n',
        f'{start}[Rules "ja-2.2"]\n{deals}1. Aki A 17@f1\n2. Ben +4 A 22@f2\n',
        f"{start}{deals}1 Aki A 17＠f1\n",
        f"{start}{deals}1 Aki A 51@f1\n",
    )
    for text in texts:
        game.write_text(text, encoding="utf-8")
        for arguments in (*(("check", "--output-format", form) for form in FORMS), ("fix",), ("fix", "--write")):
            result = couperation(*arguments, game)
            shown = "" if arguments[0] == "fix" else result.stdout
            assert left(shown + result.stderr, f"{game} {text} FULLWIDTH COMMERCIAL AT U+FF20") == set(), arguments
    told = {"tag_unknown", "another_counts", "rules_missing", "under_illegal", "under_legal", "marks_missing"}
    told |= {f"lacking_{tag}" for tag in ("rules", "variant", "marks", "event")} | {
        "would_mend",
        "mended",
        "form_mended",
    }
    assert told <= catalog.said


def test_what_cannot_be_asked_is_said_by_the_catalog(tmp_path: Path, catalog: Catalog) -> None:
    game = tmp_path / "game.cgn"
    game.write_text('[CGN "1"]\n[Players "Aki Ben"]\n1. Aki A 17@f1\n2. Ben +? B ?@h1\n', encoding="utf-8")
    table, out = ROOT / "examples" / "tables" / "alive.cgn", tmp_path / "out"
    out.write_text("mine", encoding="utf-8")
    refused: list[tuple[str | Path, ...]] = [
        *(("dispute", game, "--until", "9"), ("dispute", table), ("explain", "ACT03", game, "--at", "2")),
        *(
            ("check", tmp_path / "none"),
            ("check", game, "--game", "7"),
            ("show", table, "--at", "3"),
            ("fmt", "--write", out),
        ),
        *(("show", game, "-o", tmp_path / "no" / "tower.svg"), ("report", game, "-o", out), ("rules", "nobody")),
    ]
    for arguments in refused:
        result = couperation(*map(str, arguments))
        assert result.exit_code in (2, 3)
        if "Usage:" not in result.stderr:  # click's own
            own = " ".join(
                map(str, (*arguments, *registry().rulebooks, tmp_path / "no", os.strerror(errno.ENOENT).lower()))
            )
            assert left(result.stderr, own) == set(), arguments
