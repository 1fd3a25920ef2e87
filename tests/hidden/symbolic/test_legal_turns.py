"""The lemmas of spec/symbolic.md on turns, against the total step of the formulas."""

from __future__ import annotations

from typing import Any

import pytest

from couperation_formal.formulas.circuit import TRUE, Many, OpenMap, OpenSequence, OpenValue
from couperation_formal.formulas.judge import judge
from couperation_formal.game.record import Turn
from couperation_formal.hidden.symbolic.record import symbolic
from couperation_formal.hidden.symbolic.turns import SymbolicTurns
from tests.conftest import LONG
from tests.hidden.readings.records import spoiled
from tests.hidden.symbolic.records import sampled

STATE = ("W", "H", "f", "R", "K", "laid", "touched", "moved", "turned", "replaced", "skipped", "due", "result")


def plain(value: Any) -> Any:
    """An open value of a record that shows everything; a set with the size that it is said to have."""
    if isinstance(value, Many):
        assert set(value.members.values()) <= {TRUE, -TRUE}
        members = frozenset(member for member, here in value.members.items() if here == TRUE)
        assert value.size == len(members)
        return members
    if isinstance(value, OpenMap):
        return {key: plain(found) for key, found in value.entries.items()}
    if isinstance(value, OpenSequence):
        assert value.length == len(value.items) + sum(here == TRUE for here in value.behind.values())
        return value.items, frozenset(member for member, here in value.behind.items() if here == TRUE)
    assert not isinstance(value, OpenValue)
    return value


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40 if LONG else 10))
def test_the_state_after_a_legal_turn_is_that_of_the_total_step(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    states = []
    turn_of = SymbolicTurns.turn

    def turn(play: SymbolicTurns, place: int, turn: Turn) -> bool:
        goes_on = turn_of(play, place, turn)
        states.append({name: plain(play.names.value(name)) for name in STATE})
        return goes_on

    monkeypatch.setattr(SymbolicTurns, "turn", turn)
    record = sampled(seed)
    symbolic(record, record.rules.rulings)
    tables = judge(record, record.rules.rulings).tables[1:]
    assert len(states) == len(tables) == len(record.turns)
    for state, table in zip(states, tables, strict=True):
        top, below = state.pop("K")
        deck = table.value("K")
        assert (top, below) == (deck[: len(top)], frozenset(deck[len(top) :]))
        state |= {name: state[name] in (TRUE, True) for name in ("moved", "turned", "replaced")}
        assert state == {name: table.value(name) for name in state}


@pytest.mark.slow
def test_a_turn_that_breaks_set06_breaks_another_clause() -> None:
    found = 0
    for seed in range(40 if LONG else 3):
        for _, record in spoiled(sampled(seed), seed):
            judgement = judge(record, record.rules.rulings)
            if judgement.turn and "SET06" in judgement.broken:
                assert len(judgement.broken) > 1
                found += 1
    assert found > (20 if LONG else 5)
