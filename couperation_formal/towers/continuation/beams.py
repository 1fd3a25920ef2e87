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
    deck: float = 0.39
    deep: float = 0.97
    reserve: float = 0.15
    moved: float = 0.07
    by_hand: float = 0.019
    by_deck: float = 0.028
    by_reserve: float = 0.05
    by_moved: float = 0.009
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
    ways: int = 1
    every: bool = False


_USUAL: Final = Weights()
_PAYING: Final = Weights(0.37, 0.19, 0.97, 0.01, 0.0, 0.018, 0.006, 0.02, 0.0, 1.06, 3.0, 3.5, 1.05, 1.05, 0.37, 0.14)
"""Cards to spare count for more, the Reserve for less."""
_STEADY: Final = Weights(
    0.16, 0.08, 0.97, 0.014, 0.0, 0.002, 0.006, 0.008, 0.002, 0.35, 1.0, 1.6, 1.22, 1.5, 0.05, 0.14
)
"""Replacements and down cards count for less, the next draw for more."""
_MORE: Final = (
    Beam(40, _PAYING), Beam(40, _STEADY), Beam(40, _USUAL, 2), Beam(120, _USUAL), Beam(120, _PAYING),
    Beam(400, _USUAL), Beam(1200, _USUAL),
)  # fmt: skip
BEAMS: Final = (Beam(3, _USUAL), Beam(12, _USUAL), Beam(40, _USUAL), *_MORE)
"""Narrow to wide, with different weights: what one misses another often finds."""
ENDS: Final = (
    *BEAMS[:3], Beam(40, _USUAL, 2), Beam(40, _USUAL, 4), Beam(40, _PAYING, every=True),
    Beam(100, _USUAL, every=True), *_MORE,
)  # fmt: skip
"""Those near the end of a game, where one exact payment can matter."""
TOGETHER: Final = (*(Beam(width, weights) for width in (1, 3) for weights in (_USUAL, _PAYING, _STEADY)), BEAMS[1])
"""Those that go from many tables at once: narrow ones with different weights, which find most lines for the least."""
