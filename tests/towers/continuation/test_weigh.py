"""The weighted number of final towers against all final towers."""

from __future__ import annotations

from math import isclose, prod
from random import Random

import pytest

from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import parse_rules
from couperation_formal.questions.records.sample import sample_game
from couperation_formal.towers.continuation.guesses import Weights
from couperation_formal.towers.continuation.hunt import Weigher
from couperation_formal.towers.continuation.line import Packed
from couperation_formal.towers.continuation.position import DOWN, Node
from tests.conftest import LONG
from tests.towers.continuation.final_towers import Filled, final_towers, lying, places, wandered

TABLES = 800 if LONG else 60
WEIGHTS = Weights(0.5, 0.4, 0.9, 0.3, 0.2, 0.11, 0.12, 0.13, 0.14, 0.7, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0)
"""With nothing counted beside the towers."""


def factor(packed: Packed, node: Node, laid: dict[tuple[int, int], int], cell: tuple[int, int], card: int) -> float:
    """How easily a card comes to a cell, as `Weights` says."""
    frame, w = packed.frame, WEIGHTS
    code = laid.get(cell, 0)
    stays = cell != (0, frame.board.levels) or frame.rulings.early_apex == "win_on_completion"
    if code % DOWN == card:
        return (w.open if code >= DOWN else 1.0) * stays
    hands = [[other for other in range(1, frame.board.cards + 1) if hand >> other & 1] for hand in node.hands]
    if any(card in hand for hand in hands):
        return w.by_hand if code else w.hand
    if node.reserve >> card & 1:
        paid = any(card in (a + b, a - b) for hand in hands for a in hand for b in hand if a != b)
        return (w.by_reserve if code else w.reserve) * (w.payable if paid else 1)
    if card in frame.deck[node.top :]:
        depth = frame.deck.index(card) - node.top
        return (w.by_deck if code else w.deck) * w.deep**depth
    return w.by_moved if code else w.moved


def sum_of_all(packed: Packed, node: Node, left: int) -> float:
    laid = lying(packed, node, left)

    def weight(filled: Filled) -> float:
        return prod(factor(packed, node, laid, cell, card) for cell, card in filled.items())

    return sum(weight(filled) for filled in final_towers(packed, node, left))


@pytest.mark.parametrize("part", range(4))
def test_the_weight_is_the_sum_over_all_final_towers(part: int) -> None:
    rng = Random(f"weights {part}")
    some = 0
    for _ in range(TABLES):
        packed, node = wandered(rng)
        frame = packed.frame
        held = sum(hand.bit_count() for hand in node.hands) + (node.front >= 0) + len(frame.deck) - node.top
        lost = held < frame.size - len(node.tower) + node.tower.count(0)
        if frame.variant == "finish" and node.front < 0 and frame.finish not in (*node.tower, *frame.deck[node.top :]):
            lost = lost or not (node.reserve >> frame.finish & 1 and frame.finish_value)
        for left in places(packed, node):
            expected = 0.0 if lost else sum_of_all(packed, node, left)
            (found,) = Weigher(frame, left, WEIGHTS).weigh([node])
            assert isclose(found, expected, rel_tol=1e-9, abs_tol=1e-15), (node, packed.state)
            some += expected > 0
    assert some > TABLES // 4


def test_many_at_once_weigh_what_each_weighs_alone() -> None:
    rules = parse_rules("ja-2.2")
    state = replay(sample_game(3, "finish", rules, 77, "random"), rules.rulings).states[12]
    packed = Packed(state, rules.rulings)
    nodes = [next(packed.roots())]
    while len(nodes) < 300:
        nodes += [child for child, _ in packed.turns.turns(nodes[len(nodes) // 2]) if child is not None]
    weigher = Weigher(packed.frame, packed.frame.board.middle, Weights())
    together = weigher.weigh(nodes)
    assert [float(weight) for weight in together] == [float(weigher.weigh([node])[0]) for node in nodes]
    assert len(weigher.weigh([])) == 0
