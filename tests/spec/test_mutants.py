"""Leave one clause out of the rules, and its own examples must notice: no clause is there for nothing."""

from __future__ import annotations

from typing import Any

import pytest

from couperation_formal.game import replay as replay_module
from couperation_formal.game.rules import clauses, setup, turn
from tests.spec.book import Chapter
from tests.spec.clauses import CHAPTERS, codes, judge

DEFINITIONS: dict[str, tuple[Any, ...]] = {
    "END01": (turn, "end01", "end01_opened"),
    "END02": (turn, "end02_apex", "end02_opened"),
    "END04": (replay_module, "end04"),
    "END05": (replay_module, "end05"),
    "END06": (replay_module, "end06"),
    "SET05": (replay_module, "set05"),
}


def leave_out(clause: str, patch: pytest.MonkeyPatch) -> None:
    """Drop `clause` from the rules."""
    if clause in clauses.TURN_CLAUSES:
        patch.setattr(clauses, "_left", clauses._left.__wrapped__)  # nothing is kept of what is asked without it
        for action, asked in clauses.ASKED.items():
            patch.setitem(clauses.ASKED, action, tuple(found for found in asked if found.id != clause))
    if clause in setup.SETUP_CHECKS:
        kept = {name: check for name, check in setup.SETUP_CHECKS.items() if name != clause}
        patch.setattr(replay_module, "SETUP_CHECKS", kept)
    if clause in DEFINITIONS:
        module, *names = DEFINITIONS[clause]
        for name in names:
            patch.setattr(module, name, lambda *_: None)
    if clause == "END03":
        original = turn.ending
        patch.setattr(
            replay_module,
            "ending",
            lambda step, rulings: None if original(step, rulings) == "stuck" else original(step, rulings),
        )


def answer(text: str) -> object:
    """What the program says of a record."""
    found = judge(text)
    return found.verdict, found.turn, found.result, codes(found), codes(found, "warning")


def notices(text: str, clause: str) -> bool:
    """Whether the program says something else of a record without a clause."""
    before = answer(text)
    with pytest.MonkeyPatch.context() as patch:
        leave_out(clause, patch)
        return answer(text) != before


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.id)
def test_a_clause_left_out_is_missed(chapter: Chapter) -> None:
    texts = [*(example.text for example in chapter.refuses), *chapter.accepts]
    assert any(notices(text, chapter.id) for text in texts)
