"""What the budget of `dispute` does not suffice for is said, and never taken for an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Game
from couperation_formal.hidden.readings.sets import Verdicts
from couperation_formal.notation.read import read
from couperation_formal.questions.disputes import dispute as module
from couperation_formal.questions.disputes.dispute import Dispute, dispute
from tests.cli.run import HEAD, UNDETERMINED, couperation, objects
from tests.hidden.readings.outputs import valid

LATE = Path(__file__).resolve().parents[2] / "data" / "budget" / "late.cgn"
"""A game that is illegal at turn 14, which only a large budget finds."""
BOOKS = ["en-1", "en-2", "ja-2.2", "bgg"]


def asked(budget: int, at: int | None = None) -> Dispute:
    (game,) = read(LATE)
    assert isinstance(game, Game)
    return dispute(game, None, budget, at=at, whole=True)


def test_an_illegal_game_whose_turn_was_not_found_is_not_all_told() -> None:
    result = couperation("dispute", "--whole", "--budget", "3000", LATE)
    assert result.exit_code == 3
    assert [line.split() for line in result.stdout.splitlines() if " illegal  " in line] == [
        [book, "illegal", "-", "not", "found", "not", "found"] for book in BOOKS
    ]
    told = "illegal under en-1, en-2, ja-2.2, bgg; the budget ended before the turn and its clause were found"
    assert told in result.stdout
    (data,) = objects(couperation("dispute", "--whole", "--budget", "3000", LATE, "--output-format", "json"))
    valid("dispute", data)
    assert data["untold"] == [f"rulebooks.{book}" for book in BOOKS]
    assert [data["rulebooks"]["en-1"][name] for name in ("verdict", "turn", "code")] == ["illegal", None, None]


@pytest.mark.parametrize("at", [None, 2, 14, 25])
@pytest.mark.parametrize("budget", [10, 700, 3000, 6000])
def test_what_is_not_told_is_named(budget: int, at: int | None) -> None:
    """Every part that is missing is named, and nothing else; a turn without its clause is missing."""
    found = asked(budget, at)
    books = {
        f"rulebooks.{name}" for name, book in found.rulebooks.items() if book.verdict == "illegal" and not book.code
    }
    named = {part for part in found.untold if part.startswith("rulebooks.")}
    assert named == books
    for condition in ("legal_when", "illegal_when", "undetermined_when"):
        assert (condition in found.untold) is (getattr(found, condition) is None)
    assert {f"changes.{name}" for name, each in found.changes.items() if each is None} <= set(found.untold)


def test_whether_a_turn_can_be_carried_out_may_be_open() -> None:
    result = couperation("dispute", "--at", "14", "--budget", "2000", LATE)
    assert result.exit_code == 3
    assert "whether the turns can be carried out is not known: the budget ended before" in result.stdout


def test_legal_under_no_reading_is_said_only_when_it_is_known() -> None:
    nothing = couperation("dispute", "-", "--budget", "1", stdin=UNDETERMINED)
    assert nothing.exit_code == 3
    assert "undetermined under every reading" in nothing.stdout
    assert "legal under no reading" not in nothing.stdout
    text = HEAD.replace("deal Ben 22 9 3", "deal Ben ? ? ?") + "1. Aki A 17@e1\n2. Ben +0 A ?@d1\n3. Aki +0 C e1=?\n"
    some = couperation("dispute", "-", "--budget", "400", stdin=text.replace("3. Aki +0 C e1=?\n", ""))
    assert some.exit_code == 3
    assert "legal under no reading, as far as it is known" in some.stdout
    assert "no changes are known to turn it" in some.stdout
    assert "smallest changes that are known" in some.stdout


def test_a_tree_that_was_not_made_is_not_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def spends(_verdicts: Verdicts, steps: Steps) -> None:
        steps.spend(steps.left + 1)

    monkeypatch.setattr(module, "decision_tree", spends)
    result = couperation("dispute", "-", stdin=HEAD + "1. Aki A 17@e1\n")
    assert result.exit_code == 3
    assert "decision tree\n  the budget ended before it was found" in result.stdout
    assert "too large to be drawn" not in result.stdout
