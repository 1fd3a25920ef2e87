"""Parts of the search that answers hardly show: what is remembered, what is surely lost, what is trimmed unseen."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import FINISH, Cell
from couperation_formal.towers.continuation import hunt
from couperation_formal.towers.continuation.answer import Won, answer
from couperation_formal.towers.continuation.guesses import Weights
from couperation_formal.towers.continuation.hunt import Weigher
from couperation_formal.towers.continuation.line import Packed, replay_fault
from couperation_formal.towers.continuation.position import MOST_CARDS
from couperation_formal.towers.continuation.theorems import Reason, beyond_mending
from tests.towers.continuation.reasons_tables import position, state, without
from tests.towers.continuation.same_everywhere import small


@pytest.mark.parametrize("seed", [15, 30, 2700, 2910])
def test_a_line_that_trims_an_unseen_card(seed: int) -> None:
    """A trimmed card that nobody saw is one of those of the Reserve, not an idle one without a number."""
    table, rulings = small(seed)
    found = answer(table, rulings, 20_000)
    if seed < 100:
        assert isinstance(found, Won)
        assert any(turn.trim for turn in found.line)
    if isinstance(found, Won):
        assert replay_fault(found.world, found.line, rulings) is None


def test_the_greatest_card_of_the_greatest_board_is_weighed() -> None:
    spread = hunt._spread((1 << MOST_CARDS | 2, 0), MOST_CARDS)
    assert spread.shape == (MOST_CARDS + 1, 2)
    assert np.argwhere(spread).tolist() == [[1, 0], [MOST_CARDS, 0]]


def test_no_more_plans_are_kept_than_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunt, "_KEPT", 2)
    table, rulings = small(35)
    packed = Packed(table, rulings)
    weigher = Weigher(packed.frame, packed.state.board.middle, Weights())
    cells = np.zeros(packed.state.board.size, dtype=bool)
    for at in range(5):
        cells[at] = True
        assert weigher._plans[cells.tobytes()]
        assert len(weigher._plans) <= 2


def test_a_finish_card_in_the_reserve_that_has_no_number_is_lost() -> None:
    table = state(position(without("d7"), aki="1 2", ben="3", reserve="F 4 50", finish=True))
    for words, lost in (("en-2 finish_value=none", True), ("en-2 finish_value=25", False)):
        packed = Packed(table, parse_rules(words).rulings)
        (root,) = packed.roots()
        (weight,) = Weigher(packed.frame, packed.state.board.middle, Weights()).weigh([root])
        assert (weight == 0) == lost
        assert weight >= 0
    assert FINISH in table.reserve.known


def test_the_card_of_set_up_mends_only_where_it_may_be_replaced() -> None:
    """26 and 27 lie left of 25: only another card in its place puts them in order."""
    table = state(position({"e1": "26", "f1": "27", "g1": "25"}, last="f1"))
    cells = tuple(Cell(column, 1) for column in (4, 5, 6))
    anyone, fixed = (parse_rules(f"ja-2.2 replace_target={option}").rulings for option in ("any", "not_anchor"))
    assert beyond_mending(table, anyone) is None
    assert beyond_mending(table, fixed) == Reason("order", {"pairs": 2, "down": 0}, cells)
    assert beyond_mending(replace(table, anchor_moved=True), fixed) is None
