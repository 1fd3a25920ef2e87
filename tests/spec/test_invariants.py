"""What stays true (`spec/step.md`): each card in one place after a legal turn, and an end to every game."""

from __future__ import annotations

import random
import re

import pytest

from couperation_formal.formulas.judge import judge
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Variant
from couperation_formal.questions.records.sample import sample_game
from tests.agree.small_boards import successors
from tests.conftest import LONG
from tests.spec.book import ROOT
from tests.towers.continuation.reasons_brute import random_rulings, small_deal

BOOKS = list(registry().rulebooks)


@pytest.mark.parametrize("seed", range(60 if LONG else 12))
def test_each_card_is_in_one_place_after_a_legal_turn(seed: int) -> None:
    variant: Variant = ("first", "finish")[seed % 2]
    rules = parse_rules(BOOKS[seed % 4])
    record = sample_game(2 + seed % 3, variant, rules, seed, "random" if seed % 5 else "careful")
    tables = judge(record, rules.rulings).tables
    assert len(tables) == len(record.turns) + 1
    for values in tables:
        piles = [*values.value("H").values(), values.value("R"), values.value("G"), values.value("K")]
        places = [card for pile in piles for card in pile] + [lying[1] for lying in values.value("W").values()]
        places += [("F",)] if values.value("f") is not None else []
        every = [("Glass", number) for number in range(1, 51)] + ([("F",)] if variant == "finish" else [])
        assert sorted(places) == sorted(every)


def own_and_deck(state: State) -> int:
    return sum(hand.size for hand in state.hands) + (state.front is not None) + len(state.deck)


@pytest.mark.parametrize("seed", range(400 if LONG else 60))
def test_every_game_ends_within_the_bound(seed: int) -> None:
    """Random play on small boards, under any rulings: what the proof says of each turn, and the bound."""
    rng, rulings = random.Random(seed), random_rulings(seed)
    state = small_deal(seed, 2 + seed % 2, bool(seed % 3))
    first, empty = own_and_deck(state), state.board.size - 1
    most = first + (empty if rulings.reserve_face == "up" else first)
    actions = turns = 0
    while state.result is None and (after := list(successors(state, rulings))):
        following = rng.choice(after)
        fall = own_and_deck(state) - own_and_deck(following)
        opened = len(state.tower.down) - len(following.tower.down)
        skipped = following.skipped > state.skipped
        assert fall >= 0
        assert skipped or fall >= 1 or opened == 1
        actions, turns, state = actions + (not skipped), turns + 1, following
    assert actions <= most
    assert turns <= (len(state.players) * (most + 1) if rulings.no_action == "skipped" else most + 1)


def test_the_table_of_bounds_is_that_of_the_printed_board() -> None:
    page = (ROOT / "spec" / "step.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| (\d) \| (\d+) \| (\d+) \| (\d+) \| (\d+), (\d+) \|$", page, re.MULTILINE)
    wanted = []
    for players, reserve in STANDARD.reserve_sizes:
        own = STANDARD.cards - 1 - reserve
        cells = STANDARD.size - 1
        wanted.append((players, reserve, own, own + cells, 2 * own, own + 1 + cells, 2 * own + 2))
    assert [tuple(map(int, row)) for row in rows] == wanted
