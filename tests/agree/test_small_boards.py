"""Small boards, exhaustively: rules and formulas allow the same turns of every state that is reached, and the states
reached are the frozen ones (`tests/data/frozen`).
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import UnseenCard, Variant
from tests.agree.small_boards import canonical, compare, frozen_rulings, random_rulings, successors, table
from tests.conftest import LONG

pytestmark = pytest.mark.slow

FROZEN = json.loads((Path(__file__).parents[1] / "data" / "frozen" / "small_boards.json").read_text())


def reachable(first: State, rulings: Rulings, turns: int) -> set[tuple[Any, ...]]:
    found = {canonical(first)}
    edge = [first]
    for _ in range(turns):
        ahead = {canonical(state): state for old in edge if old.result is None for state in successors(old, rulings)}
        edge = [state for form, state in ahead.items() if form not in found]
        found |= set(ahead)
    return found


def nearly_over(seed: int) -> State:
    """A table with a deck of one or two cards; the others are gone."""
    first = table(seed, 2, "finish" if seed % 2 else "first")
    kept = 1 + seed % 2
    gone = Pile(frozenset(card for card in first.deck[kept:] if not isinstance(card, UnseenCard)))
    return msgspec.structs.replace(first, deck=first.deck[:kept], gone=gone)


def digest(states: set[tuple[Any, ...]]) -> str:
    return hashlib.sha256("\n".join(sorted(map(repr, states))).encode()).hexdigest()[:16]


@pytest.mark.parametrize("variant", ["first", "finish"])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(20 if LONG else 2))
def test_rules_and_formulas_allow_the_same_turns(seed: int, players: int, variant: Variant) -> None:
    number = seed * 100 + players
    assert compare(table(number, players, variant), random_rulings(number), 3 if LONG else 2) > 1


@pytest.mark.parametrize("seed", range(15 if LONG else 2))
def test_rules_and_formulas_allow_the_same_turns_to_the_end(seed: int) -> None:
    assert compare(nearly_over(seed), random_rulings(seed), 40) > 1


@pytest.mark.parametrize("variant", ["first", "finish"])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(25 if LONG else 8))
def test_the_states_reached_are_the_frozen_ones(seed: int, players: int, variant: Variant) -> None:
    number = seed * 100 + players
    states = reachable(table(number, players, variant), frozen_rulings(number), 3)
    assert [len(states), digest(states)] == FROZEN[f"{variant} {number}"]


@pytest.mark.parametrize("seed", range(20 if LONG else 6))
def test_the_states_of_whole_games_are_the_frozen_ones(seed: int) -> None:
    states = reachable(nearly_over(seed), frozen_rulings(seed), 40)
    assert [len(states), digest(states)] == FROZEN[f"whole {seed}"]
