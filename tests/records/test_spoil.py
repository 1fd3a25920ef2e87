"""The ways to spoil a record: each is there, the same in every run, and together they break every clause."""

from __future__ import annotations

import pytest

from couperation_formal.reference.judge import judge
from tests.checker.records import BREAKABLE, read
from tests.records.spoil import WHOLE, mutations, sampled
from tests.records.spoil_turn import TURNS


@pytest.mark.slow
def test_mutations_break_every_clause_and_leave_some_games_legal() -> None:
    kinds, broken, legal = set[str](), set[str](), set[str]()
    for seed in (0, 2, 5, 10, 14, 16):
        for kind, text in mutations(sampled(seed), seed):
            record = read(text)
            found = judge(record, record.rules.rulings)
            assert found.open_ is None
            kinds.add(kind)
            broken.update(found.broken)
            if kind in ("deckshort", "nodeck"):
                assert (found.turn, found.reached) == (None, record.result)
                legal.add(kind)
    assert kinds >= {*TURNS, *WHOLE}
    assert broken == BREAKABLE
    assert len(legal) == 2


def test_mutations_are_the_same_each_time() -> None:
    text = sampled(3)
    assert mutations(text, 3) == mutations(text, 3) != mutations(text, 4)
