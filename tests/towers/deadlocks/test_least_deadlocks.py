"""Deadlocks of five cards on a board of four levels, where the last one can disagree with a single other by one."""

from __future__ import annotations

import pytest

from tests.towers.deadlocks.brute import Game
from tests.towers.deadlocks.deadlocks_brute import FOUR, agree, rulings_with


@pytest.mark.slow
@pytest.mark.parametrize(("row_order", "between", "number"), [("strict", "strict", 33), ("weak", "inclusive", 45)])
def test_five_cards_below_a_finish_card(row_order: str, between: str, number: int) -> None:
    rulings = rulings_with(("floating", "adjacent", "integers", row_order, between), "25", "forbidden")
    assert agree(Game(FOUR, rulings, "finish"), 5, 0) == number
