"""One slip, several clauses: one error, the others notes below it, in every output form (D20)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from couperation_formal.editor.document import Document
from couperation_formal.editor.places import hover
from couperation_formal.notation.read import read_text
from couperation_formal.notebook import html_of_report
from couperation_formal.questions.records.check import check, check_certificates
from couperation_formal.words.say import ENGLISH
from tests.cli.run import couperation
from tests.game.replay.slips import turns

TEXT = turns("Ada +0 D 44-17=27@h1")
CODES = ["ACT06", "LIM02", "SET06"]
MESSAGES = [
    "27 is not in the Reserve: the record does not put it there",
    "no card is trimmed, and 1 must be: of 7 cards in the Reserve 6 may stay",
    "27 is not in the Reserve: the record does not put it there",
]


def printed(form: str, text: str = TEXT) -> str:
    result = couperation("check", "-", "--output-format", form, stdin=text)
    assert result.exit_code == 1
    return str(result.stdout)


def test_full() -> None:
    heads = [line.partition(":")[0] for line in printed("full").splitlines() if line.startswith(("error[", "note["))]
    assert heads == ["error[ACT06]", "note[LIM02]", "note[SET06]"]


def test_concise_and_workflow_commands() -> None:
    assert printed("concise").splitlines() == [
        f"-:10:11: ACT06 {MESSAGES[0]} (ja-2.2 §4.2 D)",
        f"-:10:11: LIM02 note: {MESSAGES[1]} (ja-2.2 §4.3)",
        f"-:10:11: SET06 note: {MESSAGES[2]} (ja-2.2 components)",
    ]
    kinds = [line.split()[0] for line in printed("github").splitlines()]
    assert kinds == ["::error", "::notice", "::notice"]


def test_json() -> None:
    data = json.loads(printed("json"))
    assert data["codes"] == CODES
    assert [(found["code"], found["severity"]) for found in data["diagnostics"]] == [
        ("ACT06", "error"),
        ("LIM02", "note"),
        ("SET06", "note"),
    ]
    legal = json.loads(couperation("check", "-", "--output-format", "json", stdin=turns("Ada +0 A 17@f1")).stdout)
    assert (legal["codes"], legal["diagnostics"]) == ([], [])


def test_a_warning_is_no_code() -> None:
    head = turns("Ada +0 D 44-17=27@h1").replace('[Players "Ada Bo"]', '[Variant "finish"]\n[Players "Ada Bo"]')
    text = head.replace("ja-2.2", "en-2").replace("\n\n1.", "\ndeck F 9\n\n1.")
    data = json.loads(printed("json", text))
    assert [found["severity"] for found in data["diagnostics"]] == ["error", "note", "note", "warning"]
    assert (data["codes"], data["diagnostics"][3]["code"]) == (CODES, "SET05")


def test_sarif() -> None:
    (run,) = json.loads(printed("sarif"))["runs"]
    assert [(found["ruleId"], found["level"]) for found in run["results"]] == [
        ("ACT06", "error"),
        ("LIM02", "note"),
        ("SET06", "note"),
    ]
    error, *notes = run["results"]
    assert "relatedLocations" not in error
    for note in notes:
        (related,) = note["relatedLocations"]
        assert related["physicalLocation"] == error["locations"][0]["physicalLocation"]
        assert related["message"]["text"] == f"the error: ACT06 {MESSAGES[0]}"


def test_page_notebook_and_hover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("slip.cgn").write_text(TEXT, encoding="utf-8")
    assert couperation("report", "slip.cgn", "--output", "slip.html").exit_code == 0
    page = Path("slip.html").read_text(encoding="utf-8")
    (game,) = read_text(TEXT)
    notebook = html_of_report(check(game))
    for code, note in zip(CODES, ("", "Note: ", "Note: "), strict=True):
        assert f'<span class="code">{code}</span> {note}' in page
        assert f"{note.lower().strip(': ') or 'error'}[{code}]" in notebook
    assert "by ACT06." in page
    found = hover(Document(TEXT), TEXT.index("D 44-17"), {}, ENGLISH)
    assert found is not None
    heads = [line.partition(" · ")[0] for line in found[1].splitlines() if line.startswith("**")]
    assert heads == ["**ACT06**", "**LIM02** (note)", "**SET06** (note)"]


def test_certificate_and_dispute_name_the_error() -> None:
    (game,) = read_text(TEXT)
    (certificate,) = check_certificates(check(game))
    assert isinstance(certificate, dict)
    assert certificate["evidence"]["clause"] == "ACT06"
    result = couperation("dispute", "-", "--output-format", "json", stdin=TEXT)
    assert {book["code"] for book in json.loads(result.stdout)["rulebooks"].values()} == {"ACT06"}


def codes_of(text: str) -> list[str]:
    (game,) = read_text(text)
    return [found.code for found in check(game).diagnostics]


ORDER: list[tuple[str, Callable[[], str], list[str]]] = [
    (
        "a wrong player comes first",
        lambda: turns("Bo +0 A 17@f1"),
        ["END06", "ACT02", "SET06"],
    ),
    ("a wrong number", lambda: turns("Ada +0 A 17@f1").replace("1. Ada", "2. Ada"), ["END06"]),
    ("the draw before the action", lambda: turns("Ada +9,10 A 28@f1"), ["DRW01", "ACT02", "TOW01", "LIM01", "SET06"]),
    ("the end", lambda: turns("Ada +0 A 17@f1").replace("*", "win"), ["END05"]),
    ("the deal", lambda: turns("Ada +0 A 30@h1").replace("deal Ada 17", "deal Ada 21"), ["SET06"]),
]


@pytest.mark.parametrize(("text", "codes"), [case[1:] for case in ORDER], ids=[case[0] for case in ORDER])
def test_the_order(text: Callable[[], str], codes: list[str]) -> None:
    assert codes_of(text()) == codes


def test_where_unseen_cards_are_decided_exactly() -> None:
    """What no choice of the unseen cards allows is charged to the action first: a card laid twice, once unseen."""
    text = turns("Ada +0 B ?@f1", "Bo +0 A 38@h1", "Ada +0 A ?@i1", "Bo +0 A 38@j1")
    (game,) = read_text(text)
    report = check(game)
    assert report.verdict == "illegal"
    assert [found.severity for found in report.diagnostics][:1] == ["error"]
    assert [found.severity for found in report.diagnostics].count("error") == 1
    assert report.diagnostics[0].code == "ACT02"
