"""Policies: each plays legally, errs as often as its name says, and none acts against what it was told."""

from __future__ import annotations

from copy import copy
from typing import get_args

import pytest
from msgspec.structs import replace

import couperation_formal as cf
from couperation_formal.game.position import position_of
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import STANDARD
from couperation_formal.questions.records.sample import (
    AskingPlayer,
    CarefulPlayer,
    ErringPlayer,
    Player,
    Policy,
    RandomPlayer,
    deal,
    take_turn,
)
from couperation_formal.questions.records.states import game_of
from couperation_formal.questions.tables.deadlock import Scan, TableScan
from couperation_formal.towers.completion.answer import Completable, complete
from couperation_formal.towers.continuation.answer import Dead, Won, answer
from tests.cli.run import couperation

RULES = parse_rules("ja-2.2")
POLICIES: tuple[Policy, ...] = get_args(Policy)


def turns(player: Player, seed: int) -> list[str]:
    """A game of two players of the `finish` variant, turn by turn."""
    state, found = starting_state(setup_of(deal(("Aki", "Ben"), "finish", RULES, seed), STANDARD)), list[str]()
    while state.result is None:
        turn, state = take_turn(state, player, RULES.rulings)
        found.append(str(turn))
    return found


@pytest.mark.parametrize("policy", [policy for policy in POLICIES if policy != "table"])
def test_a_policy_plays_legal_games_and_the_same_again(policy: Policy) -> None:
    for seed in (1, 2):
        record = cf.sample_game(3, "finish", "en-2 finish_refill=at_once", seed, policy)
        assert cf.check(record).verdict == "legal"
        assert record == cf.sample_game(3, "finish", "en-2 finish_refill=at_once", seed, policy)
    assert couperation("sample", "--policy", policy).exit_code == 0


def test_errors_come_at_their_rate() -> None:
    """None and all at the rates 0 and 1; at another one, of a thousand decisions about its share."""
    careful = CarefulPlayer(4, RULES.rulings)
    assert turns(ErringPlayer(4, careful, 0), 4) == turns(CarefulPlayer(4, RULES.rulings), 4)
    assert turns(ErringPlayer(4, careful, 1), 4) == turns(RandomPlayer(4), 4)
    erring = ErringPlayer(4, careful, 0.1)
    random = sum(isinstance(erring._one(), RandomPlayer) for _ in range(1_000))
    assert 70 < random < 130
    assert [policy for policy in POLICIES if policy.startswith("erring-")] == [
        "erring-0.05",
        "erring-0.1",
        "erring-0.2",
    ]


def before(record: cf.Record, turn: int) -> cf.Table:
    """The table before a turn of a game."""
    return cf.Table(game_of(replace(record, turns=record.turns[: turn - 1], result=None), "test"))


def died(record: cf.Record) -> int:
    """The turn that killed the tower."""
    found = cf.deadlock(record, level="tower")
    assert isinstance(found, Scan)
    assert found.turn is not None
    return found.turn


def test_the_tower_is_kept_where_it_can_be() -> None:
    """Where a careful player kills the tower, the one that asks does not; where that one does, every turn would."""
    careful = cf.sample_game(seed=54)
    table = before(careful, died(careful))
    asking = AskingPlayer(1, RULES)
    _, after = take_turn(table.state, asking, RULES.rulings)
    assert isinstance(complete(position_of(after, RULES, ())), Completable)
    asked = cf.sample_game(seed=2, policy="tower")
    turn = died(asked)
    table, draw = before(asked, turn), len(asked.turns[turn - 1].draw)
    for each in table.legal_turns(draw=draw):
        played = copy(table)
        played.play(each)
        assert not cf.tower_completable(played.position())


@pytest.mark.slow
def test_the_table_is_kept_where_it_is_known_how() -> None:
    """A careful player loses the table by turn 28 of a game, and the one that asks plays another turn that wins."""
    record = cf.sample_game(rules="en-2", seed=4)
    rules = parse_rules("en-2")
    found = cf.deadlock(record, budget=100_000)
    assert isinstance(found, TableScan)
    assert (found.dead, found.open) == (28, None)
    table = before(record, 28)
    _, kept = take_turn(table.state, AskingPlayer(4, rules, budget=20_000), rules.rulings)
    assert isinstance(answer(cf.state_after(record, 28), rules.rulings, 100_000), Dead)
    assert isinstance(answer(kept, rules.rulings, 100_000), Won)
