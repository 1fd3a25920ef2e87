"""The symbolic answer on small boards is that of all worlds enumerated: legal when some world is, else the first turn
that none survives.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

import pytest

from couperation_formal.game.record import Record
from couperation_formal.game.tower import Board
from couperation_formal.hidden.smt.exact import Impossible, Possible
from couperation_formal.notation.write import record_text
from tests.agree.frozen import frozen
from tests.checker.records import read
from tests.conftest import LONG
from tests.formulas.judge.turns import key
from tests.hidden.symbolic.asked import decide
from tests.hidden.symbolic.brute import Found, TooMany, enumerate_worlds
from tests.hidden.symbolic.brute_shared import refines
from tests.hidden.symbolic.records import TINY, hidden, sampled, spoiled

pytestmark = pytest.mark.slow

CHUNKS = 12 if LONG else 3
EACH = 100 if LONG else 10


class Case(NamedTuple):
    record: Record
    board: Board


def case(seed: int) -> Case:
    """A small game, mostly spoiled in one way or two, with cards and marks lost."""
    rng = Random(f"worlds {seed}")
    board = TINY[seed % len(TINY)]
    record = spoiled(sampled(seed, board), rng, board, rng.choice((0, 1, 1, 1, 2)))
    return Case(hidden(record, rng), board)


def compare(found: Case, want: Found) -> str:
    """The verdict on which the two agree."""
    record, board = found
    answer = decide(record, record.rules.rulings, board)
    if want.turn is None:
        assert isinstance(answer, Possible), record_text(record)
        assert refines(answer.world, record)
        world = enumerate_worlds(answer.world, record.rules.rulings, board)
        assert world.turn is None
        assert len(world.worlds) == 1
        return "legal"
    assert isinstance(answer, Impossible), record_text(record)
    assert answer.turn == want.turn, record_text(record)
    if "DRW06" not in want.codes:  # where more `?` are drawn than the deck has Glass cards, no world tells what follows
        assert {rule.clause for rule in answer.broken} & want.codes, (record_text(record), want.codes)
    return "illegal"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_answer_is_that_of_all_worlds(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(chunk * EACH, (chunk + 1) * EACH):
        found = case(seed)
        try:
            want = enumerate_worlds(found.record, found.record.rules.rulings, found.board, 6000 if LONG else 800)
        except TooMany:
            continue
        seen[compare(found, want)] += 1
    assert seen["legal"]
    assert seen["illegal"]
    assert seen.total() >= EACH * 3 // 4


def test_the_enumeration_keeps_the_game_that_was_played() -> None:
    """A sampled game has one world, itself; with cards hidden it is one of the worlds."""
    for seed in range(20 if LONG else 3):
        board = TINY[seed % len(TINY)]
        record = sampled(seed, board)
        (world,) = enumerate_worlds(record, record.rules.rulings, board).worlds
        less = hidden(record, Random(seed))
        worlds = enumerate_worlds(less, less.rules.rulings, board).worlds
        assert key(world.table) in {key(other.table) for other in worlds}


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_answer_is_the_frozen_one(chunk: int) -> None:
    """Found once by enumerating worlds with rules that are no more (`tests/data/frozen`)."""
    for told in frozen("unseen.jsonl.xz")[chunk :: CHUNKS if LONG else 16 * CHUNKS]:
        record = read(told["text"])
        answer = decide(record, record.rules.rulings, TINY[told["board"]])
        if told["turn"] is None:
            assert isinstance(answer, Possible), told["text"]
        else:
            assert isinstance(answer, Impossible), told["text"]
            assert answer.turn == told["turn"], told["text"]
            assert {rule.clause for rule in answer.broken} & {*told["codes"]}, told["text"]
