"""On four small boards: verdicts, fillings, reasons and repairs against trying everything."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from couperation_formal.game.tower import Board
from tests.conftest import LONG
from tests.towers.completion.small_boards import compare
from tests.towers.completion.towers import SMALL, random_position

pytestmark = pytest.mark.slow

PARTS = 4 if LONG else 3
TOWERS = 6500 if LONG else 280
"""For each board and part."""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("board", SMALL, ids=lambda board: f"{board.levels}-{board.cards}")
def test_small_boards(board: Board, part: int) -> None:
    rng = Random(f"small {board.levels} {board.cards} {part}")
    seen: Counter[str] = Counter()
    for _ in range(TOWERS):
        position, tight = random_position(rng, board)
        seen["tight"] += tight
        seen["unseen gone"] += any(card not in range(1, board.cards + 1) for card in position.gone)
        compare(position, board, seen)
    assert seen["tight"] > TOWERS // 3
    assert seen["gone"] >= max(1, TOWERS // 560)  # an F that can only be gone is the rarest
    for kind in ("completable", "OrderClash", "Interval", "Starved", "below_apex", "several", "repaired", "lost"):
        assert seen[kind] > max(1, TOWERS // 500), kind
