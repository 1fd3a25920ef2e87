"""The beams that are tried in the search for a line: plain data."""

from __future__ import annotations

from typing import Final, NamedTuple


class Weights(NamedTuple):
    """How easily a card comes to a cell, found by trial, and how much else counts for; all factors.

    The first four are for an empty cell: out of a hand; out of the deck, and once more for each card above it; from the
    Reserve by action D; from where it lies in the tower, once it is replaced there. The next four are the same for
    another card on a laid cell, always by D. `open` is for a down card opened where it lies.
    """

    hand: float = 0.64
    deck: float = 0.38
    deep: float = 0.97
    reserve: float = 0.15
    moved: float = 0.07
    by_hand: float = 0.019
    by_deck: float = 0.028
    by_reserve: float = 0.05
    by_moved: float = 0.015
    open: float = 1.05
    payable: float = 3.0
    """A card of the Reserve that a sum or a difference of two cards of one hand makes."""
    slack: float = 1.64
    """A card that need not fill a cell."""
    held: float = 1.22
    """A card in a hand, up to two for each player."""
    draw: float = 1.05
    """A card that the next player can draw."""
    idle: float = 0.6
    """A next player without any card."""
    finish: float = 0.14
    """The Finish card in the Reserve."""


class Beam(NamedTuple):
    """A beam: how many positions of a turn are followed, by which weights, how many ways to pay for D, to drop and to
    trim are looked at, and whether instead every legal turn is.
    """

    width: int
    weights: Weights
    ways: int = 2
    every: bool = False


_USUAL: Final = Weights()
BEAMS: Final = (Beam(3, _USUAL), Beam(12, _USUAL), Beam(40, _USUAL), Beam(120, _USUAL))
"""Narrow to wide, with different weights: what one misses another often finds."""
ENDS: Final = (*BEAMS[:3], Beam(20, _USUAL, every=True), Beam(100, _USUAL, every=True), *BEAMS[3:])
"""Those near the end of a game, where one exact payment can matter."""
