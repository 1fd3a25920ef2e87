"""Unseen cards that fill the hand once the Finish card was laid (`finish_refill=at_once`)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from couperation_formal.game.replay import replay
from couperation_formal.game.tower import UNSEEN
from couperation_formal.hidden.smt.exact import Impossible, Possible
from tests.conftest import some
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.records import FILLS, hand_filled


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seed", "turn"), FILLS)
def test_a_hand_filled_with_unseen_cards(rules: str, seed: int, turn: int) -> None:
    record = hand_filled(rules, seed, turn)
    assert record.turns[turn - 1].fill == (UNSEEN,)
    found = decide(record, record.rules.rulings)
    assert isinstance(found, Possible)
    assert UNSEEN not in found.world.turns[turn - 1].fill
    outcome = replay(found.world, record.rules.rulings)
    assert (outcome.illegal, outcome.doubts) == (None, ())


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seed", "turn"), some(FILLS, 2))
def test_too_many_cards_and_those_that_the_rulings_forbid(rules: str, seed: int, turn: int) -> None:
    record = hand_filled(rules, seed, turn)
    filled = record.turns[turn - 1]
    more = replace(filled, fill=(UNSEEN,) * 3)
    for changed, rulings in [
        (replace(record, turns=(*record.turns[: turn - 1], more)), record.rules.rulings),
        (replace(record, turns=record.turns[:turn]), record.rules.rulings.with_changes({"finish_refill": "next"})),
    ]:
        found = decide(changed, rulings)
        assert isinstance(found, Impossible)
        assert found.turn <= turn
        assert found.turn < turn or "DRW04" in {rule.clause for rule in found.broken}
