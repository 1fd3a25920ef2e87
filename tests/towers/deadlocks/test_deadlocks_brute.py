"""The minimal deadlocks are those of the definition: whole sets on small boards, under all rulings that matter."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from couperation_formal.game.record import LayDown, LayUp
from couperation_formal.game.rules.moves import legal_actions
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import Board, Value, Variant
from tests.conftest import LONG, some
from tests.towers.deadlocks.brute import DOWN, F, Game, Laying, card, laid_on, tower_of
from tests.towers.deadlocks.deadlocks_brute import BEARING, FOUR, agree, rulings_with

pytestmark = pytest.mark.slow

TINY = Board(levels=3, cards=7, anchor=4)
EVEN = Board(levels=2, cards=8, anchor=3)
TIGHT = Board(levels=3, cards=6, anchor=3)
NINE = Board(levels=3, cards=9, anchor=5)
TWELVE = Board(levels=3, cards=12, anchor=6)
FOURTEEN = Board(levels=3, cards=14, anchor=7)
WIDE = Board(levels=4, cards=12, anchor=6)

FORMS: tuple[tuple[Variant, str], ...] = (
    ("first", "25"),
    ("finish", "25"),
    ("finish", "none"),
    ("finish", "apex_free"),
)
COMBINATIONS = tuple(product(*(registry().rulings[name].option_names() for name in BEARING)))


@pytest.mark.parametrize(("variant", "finish_value"), FORMS)
def test_all_rulings_that_bear_on_towers(variant: Variant, finish_value: str) -> None:
    found = 0
    for at, options in some(enumerate(COMBINATIONS), 5):
        early_apex = registry().rulings["early_apex"].option_names()[at % 4]
        found += agree(Game(TINY, rulings_with(options, finish_value, early_apex), variant), 3, 1)
    assert found > (500 if LONG else 90)


@pytest.mark.parametrize("early_apex", some(registry().rulings["early_apex"].option_names(), 2))
@pytest.mark.parametrize("facedown", registry().rulings["facedown"].option_names())
def test_towers_that_reach_the_apex(facedown: str, early_apex: str) -> None:
    for anchor, (variant, finish_value) in product(("middle", "floating"), FORMS):
        rulings = rulings_with((anchor, "adjacent", facedown, "strict", "strict"), finish_value, early_apex)
        agree(Game(TIGHT, rulings, variant), 5, 0)
        agree(Game(EVEN, rulings, variant), 2, 2)


@pytest.mark.parametrize(
    ("board", "cards", "gone"),
    some([(NINE, 3, 2), (TWELVE, 4, 1), (FOURTEEN, 4, 0), (FOUR, 4, 0), (FOUR, 3, 1), (NINE, 5, 0), (WIDE, 3, 1)]),
    ids=lambda value: f"{value.levels}x{value.cards}" if isinstance(value, Board) else str(value),
)
def test_larger_boards(board: Board, cards: int, gone: int) -> None:
    rng = Random(board.cards * 100 + cards * 10 + gone + 1)
    found = 0
    for _ in range(20 if LONG else 2):
        options = rng.choice([each for each in COMBINATIONS if each[2] != "ignored"])
        variant, finish_value = rng.choice(FORMS)
        found += agree(Game(board, rulings_with(options, finish_value, "no_win"), variant), cards, gone)
    assert found > (20 if LONG else 10)


@pytest.mark.parametrize(("board", "cards"), [(NINE, 3), (FOURTEEN, 2)], ids=["3x9", "3x14"])
def test_down_cards_without_orders(board: Board, cards: int) -> None:
    found = 0
    for anchor, row_order in product(("middle", "floating"), ("strict", "weak")):
        rulings = rulings_with((anchor, "adjacent", "ignored", row_order, "strict"), "25", "no_win")
        found += agree(Game(board, rulings), cards, 0)
    assert found > 30


@pytest.mark.parametrize("rules", ["ja-2.2", "en-2", "bgg", "ja-2.2 row_order=weak between=inclusive"])
def test_the_towers_of_the_definition_are_those_of_the_legal_actions(rules: str) -> None:
    """Each tower with one card more that the tests lay is one that actions A and B reach, and the other way round."""
    rulings = parse_rules(rules).rulings
    variants: tuple[Variant, ...] = ("first", "finish")
    for variant in variants:
        game = Game(TINY, rulings, variant)
        layer = {Laying()}
        rng = Random(5)
        for _ in range(5):
            following = set()
            for laying in rng.sample(sorted(layer, key=str), min(len(layer), 12)):
                after = set(laid_on(game, laying))
                assert after == set(by_actions(game, laying))
                following |= after
            layer = following


def by_actions(game: Game, laying: Laying) -> set[Laying]:
    tower = tower_of(game, laying)
    used = {label for _, label in laying} | {game.board.anchor}
    found = set()
    for label in [*range(1, game.board.cards + 1), F]:
        if label in used or (label == F and game.variant == "first"):
            continue
        state = State(
            board=game.board,
            variant=game.variant,
            players=("A", "B"),
            marks={},
            tower=tower,
            hands=(Pile() if label == F else Pile(frozenset({Value(int(label))})), Pile()),
            front=0 if label == F else None,
            reserve=Pile(),
            deck=(),
        )
        for action in legal_actions(state, 0, game.rulings).actions:
            if isinstance(action, LayUp):
                assert card(label).card == action.card
                found.add(laying | {(action.cell, label)})
            elif isinstance(action, LayDown):
                found.add(laying | {(action.cell, DOWN)})
    return found
