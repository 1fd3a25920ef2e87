"""Towers out of order, which only a position can have: legal actions, turns and answers in three ways."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from couperation_formal.formulas.judge import legal_moves
from couperation_formal.game.record import Exchange, Open
from couperation_formal.game.rules.arrangement import holds
from couperation_formal.game.rules.moves import legal_actions, some_action
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import Down, Tower, Up, Value
from couperation_formal.towers.continuation.answer import Dead, answer
from couperation_formal.towers.continuation.theorems import reason
from tests.agree.small_boards import successors
from tests.conftest import LONG
from tests.formulas.judge.ending_z3 import turns_to_win
from tests.towers.continuation.brute import TooMany, Truth
from tests.towers.continuation.reasons_brute import disordered
from tests.towers.continuation.search_small import SETS, check, table
from tests.towers.continuation.search_turns import compare

pytestmark = pytest.mark.slow

TABLES = 150 if LONG else 30


def on_the_way(rng: Random, state: State, rulings: Rulings) -> State:
    """A table of the first half of a game played at random from this one on."""
    path = [state]
    while ahead := [after for after in successors(path[-1], rulings) if after.result is None]:
        path.append(rng.choice(ahead))
    return rng.choice(path[: len(path) // 2 + 1])


def test_actions_turns_and_answers_on_small_boards() -> None:
    rng = Random("tables out of order")
    seen: Counter[str] = Counter()
    tables = 0
    while tables < TABLES:
        start, rulings = table(rng)
        try:
            for _ in range(6):
                state = disordered(rng, on_the_way(rng, start, rulings), rulings)
                if state is not None:
                    judge(state, rulings, rng, seen)
        except TooMany:
            continue
        tables += 1
    print(dict(seen))
    assert seen["mended"] >= 10
    assert min(seen["alive"], seen["order"], seen["C"], seen["D"], seen["Exhausted"]) >= 3


def judge(state: State, rulings: Rulings, rng: Random, seen: Counter[str]) -> None:
    ours = legal_actions(state, state.to_move, rulings).actions
    assert ours == legal_moves(state, rulings), (state, rulings)
    assert (some_action(state, state.to_move, rulings) is not None) == bool(ours)
    assert {type(action) for action in ours} <= {Open, Exchange}
    seen.update({Open: "C", Exchange: "D"}[type(action)] for action in ours)
    ahead = compare(state, rulings)
    seen["mended"] += bool(ahead)
    stands = rulings.opened_against == "stands"
    kept = [after for after in ahead if not after.skipped and not (after.turned and stands)]
    assert all(holds(after.board, after.tower, rulings) for after in kept)
    alive = Truth(rulings, 1500 if LONG else 300).wins(state)
    check(state, rulings, alive, seen, rng.choice(SETS))
    found = reason(state, rulings)
    seen[found.kind if found else "no reason"] += 1
    if found is not None and found.kind == "order":
        beyond_mending(state, rulings, found.cells, seen)


def beyond_mending(state: State, rulings: Rulings, cells: tuple[Any, ...], seen: Counter[str]) -> None:
    """The cells that a reason names are out of order, none of them can be left out, and no card mends them."""

    def mends(some: set[Any]) -> bool:
        laid = {cell: state.tower.cells[cell] for cell in some}
        tries = [laid]
        for cell in some:
            up = cell not in state.tower.down
            anchored = cell == state.board.anchor_cell and not state.anchor_moved
            kept = up if rulings.replace_target == "facedown_only" else anchored
            if rulings.replace_target == "any" or not kept:
                faces = (Up, Down) if rulings.reserve_face == "either" else (Up,)
                cards = map(Value, range(1, state.board.cards + 1))
                tries += [{**laid, cell: face(card)} for card in cards for face in faces]
        return any(holds(state.board, Tower.of(state.board, each), rulings) for each in tries)

    assert not mends(set(cells))
    assert all(mends(set(cells) - {cell}) for cell in cells)
    seen["least"] += 1


def test_short_endings_by_z3() -> None:
    """Of towers out of order that one action D wins with, and of some that it does not."""
    rng = Random("z3")
    seen: Counter[bool] = Counter()
    while sum(seen.values()) < (30 if LONG else 2):
        start, rulings = table(rng)
        if start.board.levels > 2:
            continue
        state = disordered(rng, on_the_way(rng, start, rulings), rulings)
        if state is None:
            continue
        try:
            won = Truth(rulings, 400).wins(state)
        except TooMany:
            continue
        if not won and seen[False] > seen[True]:
            continue
        assert (turns_to_win(state, rulings, 6) is not None) <= won
        assert isinstance(answer(state, rulings), Dead) is not won
        seen[won] += 1
