"""Tables after draws that were not noted (``+*``, ``fill *``): what is told of them is so in every world."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from couperation_formal.game.record import LayDown, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Laid
from tests.conftest import LONG
from tests.hidden.symbolic.records import TINY, hidden, opened, sampled, spoiled

BOARDS = (*TINY, STANDARD)
GAMES = 60 if LONG else 25
"""For each chunk."""


def agree(told: State, true: State) -> None:
    """What is told of a table is so of the true one: towers but for cards not seen, sizes, where known cards are."""
    assert told.tower.cells.keys() == true.tower.cells.keys()
    for cell, laid in told.tower.cells.items():
        assert same(laid, true.tower.cells[cell])
    for hand, own, (least, most) in zip(told.hands, true.hands, map(told.sizes, range(len(told.hands))), strict=True):
        assert least <= own.size <= most
        assert hand.known <= own.known or own.unseen
    least, most = told.sizes()
    assert least <= len(true.deck) <= most
    for pile, own in ((told.reserve, true.reserve), (told.gone, true.gone)):
        assert pile.size == own.size
        assert known(pile) <= known(own) or own.unseen
    names = ("front", "to_move", "laid", "touched", "anchor_moved", "turned", "replaced", "skipped")
    assert [getattr(told, name) for name in names] == [getattr(true, name) for name in names]
    assert told.result in (None, true.result)


def same(one: Laid, other: Laid) -> bool:
    return (type(one) is type(other) and UNSEEN in (one.card, other.card)) or one == other


def known(pile: Pile) -> frozenset[object]:
    return frozenset(pile.known)


def case(seed: int, spoils: int = 0) -> tuple[Record, Record, Board]:
    """A game, and the same with cards and marks lost and draws not noted."""
    rng, board = Random(f"open tables {seed}"), BOARDS[seed % len(BOARDS)]
    record = spoiled(sampled(seed, board), rng, board, spoils)
    if board is STANDARD:
        record = replace(record, turns=record.turns[:14], result=None)
    return record, opened(hidden(record, rng), rng, rng.choice((1, 2, 4))), board


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(40 if LONG else 4))
def test_what_was_played_is_among_what_is_told(chunk: int) -> None:
    """A legal game is not refused, and its true tables lie within those that are told."""
    open_tables = 0
    for seed in range(chunk * 60, chunk * 60 + GAMES):
        record, shown, board = case(seed)
        true, told = (replay(each, record.rules.rulings, board) for each in (record, shown))
        assert told.illegal is None, seed
        lost = any(doubt.what.kind == "finish_lost" for doubt in told.doubts)  # then the last hand counts it or not
        assert lost or len(told.states) == len(true.states), seed
        for table, own in zip(told.states[: len(told.states) - lost], true.states, strict=False):
            agree(table, own)
            open_tables += table.open
    assert open_tables > GAMES


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(40 if LONG else 4))
def test_tables_as_they_were_played_lie_within_those_that_are_told(chunk: int) -> None:
    followed = 0
    for seed in range(chunk * 60, chunk * 60 + GAMES):
        record, shown, board = case(seed, 2)
        if not record.turns:
            continue
        last = len(record.turns)
        true, told = (replay(each, record.rules.rulings, board, since=last) for each in (record, shown))
        if any(slip.clause in ("SET06", "DRW05") or not slip.turn for slip in true.slips):
            continue  # a card was not where it was taken from
        down = (turn.action for turn in record.turns)
        backs = (at for at, act in enumerate(down) if isinstance(act, LayDown) and act.card is FINISH)
        lost = any(doubt.what.kind == "finish_lost" for doubt in told.doubts)  # then the last hand counts it or not
        upto = min(len(told.states) - lost, next(backs, last) + 1)  # a `?` that B lays down is no F
        for table, own in zip(told.states[:upto], true.states, strict=False):
            agree(table, own)
            followed += table.open
    assert followed > GAMES // 2
