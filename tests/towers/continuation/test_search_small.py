"""Small tables: the answers against trying everything, with each reduction on and off."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from tests.conftest import LONG
from tests.towers.continuation.brute import TooMany, Truth, hide, worlds
from tests.towers.continuation.search_small import SETS, check, table

pytestmark = pytest.mark.slow

TABLES = 20 if LONG else 3
MOST = 2000 if LONG else 400


THIRD = {"draw_source": "as_laid"}, {"facedown": "repeats", "finish_in_hand": "yes"}
"""Options that random rulings have seldom."""


@pytest.mark.parametrize(("part", "changes"), [*((part, {}) for part in range(4)), *enumerate(THIRD, 4)])
def test_every_reachable_position_is_answered_as_trying_everything_does(part: int, changes: dict[str, str]) -> None:
    rng = Random(f"reachable {part}")
    seen: Counter[str] = Counter()
    tables = 0
    while tables < TABLES:
        state, rulings = table(rng)
        rulings = rulings.with_changes(changes)
        truth = Truth(rulings, MOST)
        try:
            truth.wins(state)
        except TooMany:
            continue
        tables += 1
        positions = sorted(truth.alive.items(), key=str)
        for key, alive in rng.sample(positions, min(len(positions), 100 if LONG else 40)):
            used = rng.choice(SETS)
            check(truth.states[key], rulings, alive, seen, used)
    assert seen["alive"] > tables
    assert seen["Exhausted"] > tables // 2
    assert seen["Reason"] > tables


@pytest.mark.parametrize("part", range(2))
def test_unseen_things_are_chosen_as_favourably_as_can_be(part: int) -> None:
    rng = Random(f"unseen {part}")
    seen: Counter[str] = Counter()
    tables = 0
    while tables < 3 * TABLES:
        state, rulings = table(rng)
        truth = Truth(rulings, 300)
        try:
            truth.wins(state)
            reached = rng.choice([truth.states[key] for key in sorted(truth.states, key=str)])
            hidden = hide(rng, reached)
            alive = any_wins(hidden, rulings)
        except TooMany:
            continue
        tables += 1
        seen["gained"] += alive and not truth.wins(reached)
        check(hidden, rulings, alive, seen, rng.choice(SETS))
    assert min(seen["alive"], seen["dead"]) > 1


def any_wins(state: State, rulings: Rulings) -> bool:
    """Whether some world of the state has a winning continuation. Raises `TooMany`."""
    return any(Truth(rulings, 300).wins(world) for world in list(worlds(state, 120)))
