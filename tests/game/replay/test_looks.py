"""What one look at a turn shows to hold is broken by no clause: those left out are asked here too."""

from __future__ import annotations

from random import Random

import pytest

from couperation_formal.game.replay import replay
from couperation_formal.game.rules.clauses import ASKED, ORDER_RULINGS, left_to_ask
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rules.turn import surely_ordered
from couperation_formal.game.rulings import Rulings, noting, registry
from tests.checker.records import read
from tests.questions.records.spoil import sampled
from tests.questions.records.spoil_turn import TURNS, Scene


def rulings_like(own: Rulings, rng: Random) -> Rulings:
    """The same rulings, one in two with two other options."""
    return (
        own.with_changes(rng.choice(list(own.changes(rng.sample([*registry().rulings], 2), 2))))
        if rng.random() < 0.5
        else own
    )


@pytest.mark.parametrize("seed", range(48))
def test_a_clause_that_is_not_asked_holds(seed: int) -> None:
    rng = Random(seed)
    record = read(sampled(seed))
    rulings = record.rules.rulings
    states = replay(record, rulings).states
    left_out = set[str]()
    for state, turn in zip(states, record.turns, strict=False):
        step = carry_out(state, turn, state.to_move)
        scene = Scene(rng, record, step)
        spoiled = [spoil(scene) for spoil in rng.sample([*TURNS.values()], 6)]
        for played in (turn, *filter(None, spoiled)):
            under = rulings_like(rulings, rng)
            step = carry_out(state, played, state.to_move)
            asked = left_to_ask(step, under)
            for clause in ASKED[type(played.action)]:
                if clause not in asked:
                    left_out.add(clause.id)
                    assert clause.check(step, under) is None, (clause.id, played)
    assert left_out >= {
        "DRW02",
        "DRW05",
        "TOW01",
        "TOW02",
        "TOW03",
        "TOW05",
        "TOW06",
        "TOW07",
        "TOW08",
        "SET06",
        "ACT02",
    }


@pytest.mark.parametrize("seed", range(8))
def test_a_ruling_is_read_only_where_the_answer_hangs_on_it(seed: int) -> None:
    """None on orders where one look shows that they hold, none on what sets a draw after a card was laid up."""
    record = read(sampled(seed))
    rulings = record.rules.rulings
    shown = 0
    for state, turn in zip(replay(record, rulings).states, record.turns, strict=False):
        step, asked = carry_out(state, turn, state.to_move), set[str]()
        told = left_to_ask(step, noting(rulings, asked))
        assert told == left_to_ask(step, rulings)
        if surely_ordered(step):
            shown += 1
            assert asked.isdisjoint(ORDER_RULINGS)
        if not state.turned and not state.laid_down:
            assert "draw_source" not in asked
    assert shown > 3
