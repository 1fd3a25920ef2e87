"""The ways to spoil a record: each is there, the same in every run, and together they break every clause."""

from __future__ import annotations

import pytest

from couperation_formal.game.replay import replay
from tests.checker.records import BREAKABLE, read
from tests.questions.records.spoil import WHOLE, mutations, sampled
from tests.questions.records.spoil_turn import TURNS


@pytest.mark.slow
def test_mutations_break_every_clause_and_leave_some_games_legal() -> None:
    kinds, broken, legal = set[str](), set[str](), set[str]()
    for seed in (0, 5, 29):
        for kind, text in mutations(sampled(seed), seed):
            record = read(text)
            found = replay(record, record.rules.rulings)
            assert not found.doubts
            kinds.add(kind)
            broken.update(each.clause for each in found.broken if not each.warning)
            if kind in ("deckshort", "nodeck"):
                assert (found.illegal, found.reached) == (None, record.result)
                legal.add(kind)
    assert kinds >= {*TURNS, *WHOLE}
    assert broken == BREAKABLE
    assert len(legal) == 2


def test_mutations_are_the_same_each_time() -> None:
    text = sampled(3)
    assert mutations(text, 3) == mutations(text, 3) != mutations(text, 4)
