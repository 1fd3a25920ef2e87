"""Records that hang on the options of the third edition, with verdicts that others read off the rules."""

from __future__ import annotations

import json

import pytest

from couperation_formal.formulas.judge import judge
from couperation_formal.game.record import Game
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import change_rules
from couperation_formal.hidden.readings.standing import plain_verdicts
from couperation_formal.notation.read import read
from tests.spec.book import ROOT

FOLDER = ROOT / "tests" / "data" / "third"
EXPECTED: dict[str, dict[str, str]] = json.loads((FOLDER / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("name", EXPECTED)
def test_a_record_is_judged_as_others_read_it(name: str) -> None:
    """By the rules, by the formulas, and over all readings at once: under its tag, and under each option."""
    (game,) = read(FOLDER / name)
    assert isinstance(game, Game)
    legal = plain_verdicts(game.record).legal
    for change, expected in EXPECTED[name].items():
        rulings = change_rules(game.record.rules, change.split()).rulings
        verdict, _, more = expected.partition(" ")
        found = replay(game.record, rulings)
        assert str(found.illegal or found.reached or "") == more
        assert (rulings in legal) == (verdict == "legal") == (found.illegal is None)
        assert judge(game.record, rulings).turn == found.illegal
