"""Small tables: the answers against trying everything, with each reduction on and off."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from couperation_formal.continuation.answer import Dead, Won, answer
from couperation_formal.continuation.search.exhaust import exhaust
from couperation_formal.continuation.search.reductions import REDUCTIONS, Bounds
from couperation_formal.continuation.turns.line import replay_fault
from couperation_formal.continuation.turns.pack import Packed
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from tests.continuation.brute import (
    BOARDS,
    TooMany,
    Truth,
    dealt,
    hide,
    random_rulings,
    worlds,
)

LONG = os.environ.get("COUPERATION_LONG") == "1"
TABLES = 60 if LONG else 6
MOST = 2000 if LONG else 400
SETS = ((), *((name,) for name in REDUCTIONS), REDUCTIONS)


def searched(state: State, rulings: Rulings, used: tuple[str, ...]) -> bool:
    """Whether the exhaustive search alone, with these reductions, finds a line."""
    packed = Packed(state, rulings)
    search = exhaust(packed.turns, list(packed.roots()), Bounds(packed.frame, used), 10**7)
    assert search.ended
    return search.won is not None


def check(state: State, rulings: Rulings, alive: bool, seen: Counter[str], used: tuple[str, ...] | None) -> None:
    found = answer(state, rulings, 10**6)
    assert isinstance(found, Won if alive else Dead), (state, rulings, found)
    seen["alive" if alive else "dead"] += 1
    if isinstance(found, Won):
        assert replay_fault(found.world, found.line, rulings) is None
    if isinstance(found, Dead):
        seen[type(found.reason).__name__] += 1
    if used is not None:
        assert searched(state, rulings, used) == alive, (state, rulings, used)
        seen["reduced"] += 1


def table(rng: Random) -> tuple[State, Rulings]:
    board = rng.choice(BOARDS)
    players = rng.choice((2, 3))
    kept = rng.randint(1, 3) if board.levels == 2 else rng.randint(2, 3)
    return dealt(rng, board, players, rng.choice(("first", "finish")), kept), random_rulings(rng)


@pytest.mark.parametrize("part", range(4))
def test_every_reachable_position_is_answered_as_trying_everything_does(part: int) -> None:
    rng = Random(f"reachable {part}")
    seen: Counter[str] = Counter()
    tables = 0
    while tables < TABLES:
        state, rulings = table(rng)
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
