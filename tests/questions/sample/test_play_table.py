"""The deal, the amounts of a draw, and the limits of a turn."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from couperation_formal.game.record import Exchange, LayUp, NoAction
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.moves import Move
from couperation_formal.game.rulings import Rules, parse_rules
from couperation_formal.game.state import Pile, State, all_cards
from couperation_formal.game.tower import FINISH, STANDARD, Board, Card, Cell, FinishCard, Tower, Up, Value, Variant
from couperation_formal.questions.records.sample import RandomPlayer, deal, draw_amounts, take_turn, top_cards
from tests.questions.sample.games import rules, seats, seeds, variants

BOOK = parse_rules("ja-2.2")
G1 = Cell(6, 1)


def cards(*named: int | FinishCard) -> tuple[Card, ...]:
    return tuple(Value(card) if isinstance(card, int) else card for card in named)


def state(**changes: object) -> State:
    """After 25 was opened on g1: hands 2 3 4 and 5 6 7, then what `changes` says."""
    table = State(
        board=STANDARD,
        variant="first",
        players=("Aki", "Ben"),
        marks={Value(25): "2"},
        tower=Tower.start(STANDARD),
        hands=(Pile.of(cards(2, 3, 4)), Pile.of(cards(5, 6, 7))),
        reserve=Pile.of(cards(1, 50, 10, 11, 12, 13)),
        deck=cards(20, 21, 22),
        turns=4,
        touched=G1,
        laid=G1,
    )
    return msgspec.structs.replace(table, **changes)


@given(seats, variants, rules, seeds)
def test_a_deal_holds_every_card_once_and_never_warns(players: int, variant: Variant, rules: Rules, seed: int) -> None:
    record = deal(("Aki", "Ben", "Chie", "Dai")[:players], variant, rules, seed)
    assert record == deal(record.players, variant, rules, seed)
    assert record.deck is not None
    assert record.reserve is not None
    dealt = [*record.deck, *record.reserve, *(card for hand in record.deals.values() for card in hand), 25]
    assert Counter(dealt) == Counter(all_cards(STANDARD, variant))
    assert set(record.marks) == set(range(1, 51))
    outcome = replay(record, rules.rulings)
    assert (outcome.broken, outcome.doubts, outcome.reached) == ((), (), "unfinished")


@pytest.mark.parametrize("half", ["top", "bottom"])
@pytest.mark.parametrize("players", [2, 3])
def test_the_finish_card_can_lie_anywhere_in_its_half(half: str, players: int) -> None:
    book = parse_rules(f"ja-2.2 finish_half={half}")
    places = set()
    for seed in range(500):
        deck = deal(("Aki", "Ben", "Chie")[:players], "finish", book, seed).deck
        assert deck is not None
        places.add(deck.index(FINISH) + 1)
        glass = len(deck) - 1
    assert places == set(range(1, (glass + 1) // 2 + 2) if half == "top" else range(glass // 2 + 1, glass + 2))


def test_marks_are_half_ones_and_a_third_twos() -> None:
    marks = Counter(mark for seed in range(100) for mark in deal(("Aki", "Ben"), "first", BOOK, seed).marks.values())
    assert 0.45 < marks["1"] / 5000 < 0.55
    assert 0.29 < marks["2"] / 5000 < 0.38


def test_a_deal_needs_a_reserve_and_enough_cards() -> None:
    with pytest.raises(ValueError, match="no Reserve for 5 players"):
        deal(("a", "b", "c", "d", "e"), "first", BOOK, 1)
    with pytest.raises(ValueError, match="12 cards are too few for 2 players"):
        deal(("a", "b"), "first", BOOK, 1, Board(levels=3, cards=12, anchor=6))


def test_the_finish_card_brings_its_replacement() -> None:
    assert top_cards(cards(FINISH, 3, 4), 1) == (FINISH, 3)
    assert top_cards(cards(5, FINISH, 3, 4), 2) == (5, FINISH, 3)
    assert top_cards(cards(5, FINISH, 3, 4), 1) == (5,)
    assert top_cards(cards(5, FINISH), 2) == (5, FINISH)
    assert top_cards(cards(5, 6), 0) == ()


@pytest.mark.parametrize(
    ("changes", "up_to", "exact"),
    [
        ({}, (0, 1, 2), (2,)),
        ({"touched": None, "laid": None}, (0, 1), (0, 1)),
        ({"deck": (20,)}, (0, 1), (1,)),
        ({"deck": ()}, (0,), (0,)),
        ({"deck": (20, FINISH)}, (0, 1, 2), (2,)),
        ({"deck": (FINISH, 20)}, (0, 1), (1,)),
        ({"marks": {Value(25): "H"}}, (0,), (0,)),
    ],
)
def test_amounts_keep_to_the_limit_and_the_deck(
    changes: dict[str, Any], up_to: tuple[int, ...], exact: tuple[int, ...]
) -> None:
    assert draw_amounts(state(**changes), BOOK.rulings) == up_to
    assert draw_amounts(state(**changes), parse_rules("bgg").rulings) == exact


class Scripted(RandomPlayer):
    """Draws and acts as told, and destroys the first cards it is offered."""

    def __init__(self, amount: int, action: Move) -> None:
        super().__init__(0)
        self._amount, self._action = amount, action
        self.offered: list[tuple[Card, ...]] = []

    def amount(self, state: State, amounts: tuple[int, ...]) -> int:
        assert self._amount in amounts
        return self._amount

    def action(self, state: State, actions: tuple[Move, ...]) -> Move:
        assert self._action in actions
        return self._action

    def destroy(self, state: State, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
        self.offered.append(cards)
        return cards[:count]


def test_a_full_hand_is_dropped_to_three() -> None:
    player = Scripted(2, LayUp(Value(2), Cell(5, 1)))
    turn, after = take_turn(state(), player, BOOK.rulings)
    assert (turn.number, turn.player, turn.draw, turn.drop, turn.trim) == (5, "Aki", (20, 21), (3,), ())
    assert player.offered == [(3, 4, 20, 21)]
    assert after.hands[0] == Pile.of(cards(4, 20, 21))
    assert after.gone == Pile.of(cards(3))
    assert after.result is None


@pytest.mark.parametrize(("counts", "trim"), [("yes", (1, 2)), ("no", (1,))])
def test_the_reserve_is_trimmed_as_the_finish_card_counts(counts: str, trim: tuple[int, ...]) -> None:
    book = parse_rules(f"ja-2.2 finish_reserve_count={counts}")
    table = state(variant="finish", reserve=Pile.of(cards(1, 50, 10, 11, 12, 6, FINISH)))
    player = Scripted(0, Exchange(Value(2), "+", Value(4), (), Value(6), True, Cell(5, 1), None))
    turn, after = take_turn(table, player, book.rulings)
    assert turn.trim == trim
    assert (FINISH in player.offered[0]) == (counts == "yes")
    assert FINISH in after.reserve.known


def test_nothing_is_destroyed_after_the_end() -> None:
    board = msgspec.structs.replace(STANDARD, levels=2)
    cells = {Cell(1, 1): Up(Value(25)), Cell(0, 1): Up(Value(9))}
    table = state(board=board, tower=Tower.of(board, cells), touched=Cell(1, 1))
    player = Scripted(2, LayUp(Value(20), Cell(0, 2)))
    turn, after = take_turn(table, player, BOOK.rulings)
    assert (turn.drop, turn.trim, after.result) == ((), (), "win")
    assert after.hands[0].size == 4


def test_without_an_action_the_game_is_stuck() -> None:
    table = state(hands=(Pile(), Pile.of(cards(5, 6, 7))), deck=())
    turn, after = take_turn(table, RandomPlayer(1), BOOK.rulings)
    assert turn.action == NoAction()
    assert after.result == "stuck"


@given(st.integers())
def test_a_random_player_keeps_to_what_is_offered(seed: int) -> None:
    player, table = RandomPlayer(seed), state()
    offered = cards(*range(1, 1 + Random(seed).randint(1, 6)))
    assert player.amount(table, (0, 1, 2)) in (0, 1, 2)
    gone = player.destroy(table, offered, 1)
    assert len(gone) == 1
    assert set(gone) <= set(offered)
