"""Answers about tables of full size: lines, budgets, what is assumed, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from random import Random
from typing import get_args

import msgspec
import pytest

from couperation_formal.game.record import LayUp
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rulings, parse_rules
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import STANDARD, UNSEEN, Value, Variant
from couperation_formal.questions.records.sample import deal, sample_game
from couperation_formal.towers.continuation.answer import Dead, Exhausted, Unknown, Won, answer
from couperation_formal.towers.continuation.exhaust import REDUCTIONS, Exhaustion, Reductions, canonical, digest
from couperation_formal.towers.continuation.legal import SearchStep
from couperation_formal.towers.continuation.line import LineError, Packed, line_of, replay_fault
from tests.conftest import LONG, some
from tests.towers.continuation.brute import BOARDS, NAMES, dealt, hide, random_rulings

pytestmark = pytest.mark.slow

DEALS = 20 if LONG else 4


def start(seed: int) -> tuple[State, str]:
    rules = ("ja-2.2", "en-1", "en-2", "bgg")[seed % 4]
    variant: Variant = get_args(Variant)[seed // 4 % 2]
    record = deal(NAMES[: 2 + seed % 3], variant, parse_rules(rules), seed)
    return starting_state(setup_of(record, STANDARD)), rules


@cache
def won(seed: int) -> tuple[State, Rulings, Won]:
    """A deal and its line."""
    state, words = start(seed)
    rulings = parse_rules(words).rulings
    found = answer(state, rulings)
    assert isinstance(found, Won), seed
    return state, rulings, found


@pytest.mark.parametrize("seed", range(DEALS))
def test_every_position_of_a_won_game_is_alive(seed: int) -> None:
    state, rulings, found = won(seed)
    assert found.world == state
    places = range(len(found.line)) if LONG else (len(found.line) // 2, len(found.line) - 2, len(found.line) - 1)
    for place, turn in enumerate(found.line):
        if place in places:
            again = answer(state, rulings)
            assert isinstance(again, Won), (seed, place)
            assert replay_fault(state, again.line, rulings) is None
        state = carry_out(state, turn, state.to_move).after


@pytest.mark.parametrize("seed", range(15 if LONG else 3))
def test_unseen_cards_and_marks_of_a_full_table(seed: int) -> None:
    state, words = start(seed)
    rulings = parse_rules(words).rulings
    hidden = hide(Random(seed), state)
    found = answer(hidden, rulings)
    assert isinstance(found, Won), seed
    assert not found.world.reserve.unseen
    assert UNSEEN not in found.world.deck
    for known, world in zip(hidden.hands, found.world.hands, strict=True):
        assert known.known <= world.known
        assert known.size == len(world.known)
    assert set(found.world.marks) == set(hidden.marks) | set(found.assumed_marks)
    assert not set(hidden.marks) & set(found.assumed_marks)
    for value in found.assumed_marks:
        fewer = {card: mark for card, mark in found.world.marks.items() if card != value}
        assert replay_fault(msgspec.structs.replace(found.world, marks=fewer), found.line, rulings) is not None


def test_a_small_budget_is_no_deadlock() -> None:
    state, words = start(0)
    found = answer(state, parse_rules(words).rulings, 50)
    assert isinstance(found, Unknown)
    assert found.limit == 50
    assert found.spent >= 50
    assert found.bound == 43 - 27


def test_a_game_that_is_over_and_cards_that_do_not_add_up_are_refused() -> None:
    state, words = start(0)
    rulings = parse_rules(words).rulings
    with pytest.raises(ValueError, match="over"):
        answer(msgspec.structs.replace(state, result="win"), rulings)
    with pytest.raises(ValueError, match="unseen cards"):
        answer(msgspec.structs.replace(state, reserve=Pile(frozenset({Value(1)}))), rulings)


def test_a_line_that_does_not_replay_is_our_fault() -> None:
    state, words = start(1)
    rulings = parse_rules(words).rulings
    packed = Packed(state, rulings)
    (root,) = packed.roots()
    _, move = next(packed.turns.turns(root))
    with pytest.raises(LineError):
        line_of(packed, SearchStep(SearchStep(None, root, None), root, move), packed.state.marks)


def test_replay_names_the_clause() -> None:
    state, rulings, found = won(0)
    first, *rest = found.line
    spoiled = msgspec.structs.replace(first, action=LayUp(Value(25), state.board.anchor_cell))
    assert "ACT02" in (replay_fault(state, (spoiled, *rest), rulings) or "")
    assert replay_fault(state, found.line[:-1], rulings) == "the line ends in None"
    again = msgspec.structs.replace(found.line[-1], number=len(found.line) + 1, player=state.players[0])
    assert "follows the end" in (replay_fault(state, (*found.line, again), rulings) or "")


SCRIPT = """
from tests.towers.continuation.test_search_answer import digests
print(digests())
"""


def digests() -> list[str]:
    """What several searches come to, in words."""
    found = []
    for seed in range(5):
        rng = Random(seed)
        state = dealt(rng, BOARDS[2], 2, "first", 2)
        rulings = random_rulings(rng)
        packed = Packed(hide(rng, state) if seed % 2 else state, rulings)
        exhaustion = Exhaustion(packed.turns, list(packed.roots()), Reductions(packed.frame, ()))
        search = exhaustion.search(3000)
        found.append(f"{exhaustion.looked} {search.positions} {search.digest}")
    state, words = start(3)
    won = answer(state, parse_rules(words).rulings)
    return [*found, str(won.line) if isinstance(won, Won) else ""]


def test_the_same_answer_in_every_run() -> None:
    """In this process, and in a new one with another hash seed."""
    here = digests()
    for seed in some(("1", "2"), 2):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, env=environment
        )
        assert run.stdout == f"{here}\n"


def test_canonical_text_and_digest() -> None:
    state = dealt(Random(3), BOARDS[0], 2, "first", 0)
    packed = Packed(state, random_rulings(Random(3), further=False))
    (root,) = packed.roots()
    text = canonical(packed.frame, root)
    assert text.split("\n")[0] == "tower 3@b1"
    assert text.split("\n")[-4:] == ["turn 0", "draw 0", "laid -", "moved 0"]
    one, (child, _) = {root}, next(packed.turns.turns(root))
    assert child is not None
    both = int(digest(packed.frame, one), 16) + int(digest(packed.frame, {child}), 16)
    assert int(digest(packed.frame, {root, child}), 16) == both % 2**64


def test_an_exhausted_table_says_how() -> None:
    record = sample_game(2, "finish", parse_rules("bgg"), 1003, "careful")
    rulings = record.rules.rulings
    kinds = set()
    for state in replay(record, rulings).states[-6:]:
        if state.result is None:
            found = answer(state, rulings)
            kinds.add(type(found))
            if isinstance(found, Dead) and isinstance(found.reason, Exhausted):
                assert found.reason.reductions == REDUCTIONS
                assert found.checked
                assert found.reason.positions > 0
    assert Dead in kinds


def test_a_line_trims_real_cards_where_the_search_only_counted_them() -> None:
    rng = Random("idle trims")
    idle = 0
    for _ in range(400 if LONG else 120):
        rulings = random_rulings(rng)
        state = dealt(rng, rng.choice(BOARDS), rng.choice((2, 3)), rng.choice(("first", "finish")), rng.randint(1, 3))
        packed = Packed(state, rulings)
        search = Exhaustion(packed.turns, list(packed.roots()), Reductions(packed.frame)).search(2000)
        if search.won is None:
            continue
        line = line_of(packed, search.won, state.marks)
        assert replay_fault(line.world, line.turns, rulings) is None
        step: SearchStep | None = search.won
        while step is not None:
            idle += step.move is not None and any(card > packed.frame.finish for card in step.move.trim)
            step = step.before
    assert idle > 3
