"""The ways to spoil a record: each is there, the same in every run, and together they break every clause."""

from __future__ import annotations

from couperation_formal.reference.judge import judge
from tests.checker.records import BREAKABLE, read
from tests.records.spoil import WHOLE, mutations, sampled
from tests.records.spoil_turn import TURNS


def test_mutations_break_every_clause_and_leave_some_games_legal() -> None:
    kinds, broken, legal = set(), set(), set()
    for seed in (0, 2, 5, 10, 16):
        for kind, text in mutations(sampled(seed), seed):
            record = read(text)
            found = judge(record, record.rules.rulings)
            assert found.open_ is None
            kinds.add(kind)
            broken.update(found.broken)
            legal.update([] if found.broken else [kind])
    assert kinds >= {*TURNS, *WHOLE}
    assert broken == BREAKABLE
    assert legal >= {"deckshort", "nodeck"}


def test_mutations_are_the_same_each_time() -> None:
    text = sampled(3)
    assert mutations(text, 3) == mutations(text, 3) != mutations(text, 4)
