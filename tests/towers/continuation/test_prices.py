"""The least price of a final tower against all final towers, and what Lemma 3 of `search.md` says of turns."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.tower import FINISH, Variant
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.towers.continuation.final_tower import Prices, least_spent
from couperation_formal.towers.continuation.legal import ExchangeMove
from couperation_formal.towers.continuation.line import Packed
from couperation_formal.towers.continuation.position import DOWN, Node, bits
from couperation_formal.towers.continuation.theorems import cards_left
from tests.conftest import LONG
from tests.towers.continuation.final_towers import Filled, final_towers, lying, places, wandered

TABLES = 1500 if LONG else 100
HIGH = 99


def price_of(packed: Packed, node: Node, left: int, filled: Filled) -> int | None:
    """The price of one final tower, from the table of the specification; None where a cell has none."""
    frame, rulings = packed.frame, packed.frame.rulings
    laid, total = lying(packed, node, left), 0
    for cell, card in filled.items():
        code = laid.get(cell, 0)
        again = cell == (0, frame.board.levels) and rulings.early_apex != "win_on_completion"
        if not code:
            total += node.reserve >> card & 1
        elif code % DOWN != card or again:
            anchor = (cell[0] + left, cell[1]) == frame.board.anchor_cell and not node.moved
            if rulings.replace_target == "facedown_only" and code < DOWN:
                return None
            if rulings.replace_target == "not_anchor" and anchor:
                return None
            total += 1
    return total


def least_of_all(packed: Packed, node: Node, taken: int = 0) -> int | None:
    """The least price of all final towers, of those with the number `taken` where it is not 0."""
    frame = packed.frame
    finish = 0
    if frame.variant == "finish" and node.front < 0 and frame.finish not in (*node.tower, *frame.deck[node.top :]):
        if not (node.reserve >> frame.finish & 1 and frame.finish_value):
            return None
        finish = 1
    found = [
        price + finish
        for left in places(packed, node)
        for filled in final_towers(packed, node, left)
        if not taken or taken in filled.values()
        if (price := price_of(packed, node, left, filled)) is not None
    ]
    return min(found, default=None)


def within(price: int | None, limit: int) -> int | None:
    return price if price is not None and price <= limit else None


@pytest.mark.parametrize("part", range(4))
def test_the_least_price_is_that_of_all_final_towers(part: int) -> None:
    rng = Random(f"prices {part}")
    met = set()
    for _ in range(TABLES):
        packed, node = wandered(rng)
        least = least_of_all(packed, node)
        met.add(least)
        for limit in range(5):
            assert Prices(packed.frame).least(node, limit) == within(least, limit), (node, packed.state)
    assert {0, 1, 2, None} <= met


def test_what_is_kept_of_one_tower_changes_no_price_of_another() -> None:
    rng = Random("kept prices")
    some = 0
    for _ in range(TABLES // 2):
        packed, node = wandered(rng)
        kept = Prices(packed.frame)
        for child, _ in islice(packed.turns.turns(node), 40):
            if child is not None:
                some += 1
                assert kept.least(child, 4) == Prices(packed.frame).least(child, 4), (node, child)
    assert some > TABLES


@pytest.mark.parametrize("part", range(2))
def test_idle_cards_are_in_no_cheapest_final_tower(part: int) -> None:
    rng = Random(f"idle {part}")
    met: Counter[bool] = Counter()
    for _ in range(TABLES):
        packed, node = wandered(rng)
        price = least_of_all(packed, node)
        if price is None or node.hidden is not None:
            continue
        idle = Prices(packed.frame).idle(node, price)
        for card in bits(node.reserve & packed.frame.glass):
            least = least_of_all(packed, node, card)
            met[bool(idle >> card & 1)] += 1
            assert bool(idle >> card & 1) == (least is None or least > price), (node, card)
        assert not idle & ~(node.reserve & packed.frame.glass)
    assert min(met[True], met[False]) > 10, met


@pytest.mark.parametrize("part", range(4))
def test_turns_that_destroy_more_than_is_left_lead_to_what_is_left_out(part: int) -> None:
    rng = Random(f"lemma {part}")
    destroying = dearer = 0
    for _ in range(TABLES):
        packed, node = wandered(rng)
        prices = Prices(packed.frame)
        before = prices.least(node, HIGH)
        if before is None:
            continue
        for child, move in packed.turns.turns(node):
            if child is None:
                continue
            exchange = isinstance(move.act, ExchangeMove)
            after = prices.least(child, HIGH)
            assert after is None or after >= before - exchange, (node, move)
            destroying += exchange and bool(move.act.destroyed)  # type: ignore[union-attr]
            dearer += after is not None and after > before
    assert destroying > 10
    assert dearer > 10


@pytest.mark.parametrize("seed", range(40 if LONG else 6))
def test_full_size_prices_are_those_of_the_reasons(seed: int) -> None:
    rules = parse_rules(list(registry().rulebooks)[seed % 4])
    variant: Variant = ("first", "finish")[seed // 4 % 2]
    game = sample_game(2 + seed % 3, variant, rules, 400 + seed, ("random", "careful")[seed % 2])
    some = 0
    for state in replay(game, rules.rulings).states[:-1:3]:
        spare = cards_left(state) - state.board.size + len(state.tower.cells)
        if spare < 3 or FINISH in state.gone.known:
            continue  # with fewer cards the reasons count more for a card taken
        some += 1
        found = Prices(Packed(state, rules.rulings).frame).least(next(Packed(state, rules.rulings).roots()), spare)
        assert found == least_spent(state, rules.rulings, spare)
    assert some
