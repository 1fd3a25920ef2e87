"""The sizes that a draw may have had which was not noted (``+*``)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import msgspec

from couperation_formal.model.board import Board
from couperation_formal.model.cards import UNSEEN
from couperation_formal.model.record import Turn

_HEART = 4
"""The most that a card allows to draw: a heart over two cards with two diamonds each."""


def most_drawn(board: Board) -> int:
    """One card more than any limit allows, which stands for all draws that are too large."""
    return max(_HEART, board.refill) + 1


def sizes(turn: Turn, board: Board) -> Iterator[Turn]:
    """The turn with each size of its draws that were not noted: unseen cards, up to one more than any limit allows,
    which stands for all that are too many. Small draws come first.
    """
    ways = [(UNSEEN,) * size for size in range(most_drawn(board) + 1)]
    draws = ways if turn.draw_open else [turn.draw]
    fills = ways if turn.fill_open else [turn.fill]
    for draw, fill in product(draws, fills):
        yield msgspec.structs.replace(turn, draw=draw, fill=fill, draw_open=False, fill_open=False)
