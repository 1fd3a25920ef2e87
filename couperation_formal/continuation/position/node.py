"""What the search moves about: positions, turns, what a player has after a draw and what an action leaves, as named
tuples of numbers and masks (`frame`).
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Hidden(NamedTuple):
    """What is not seen, in a position: the numbers of unseen cards as a mask, how many of them lie in each hand and in
    the Reserve, whether the Finish card is among the deck's, and the marks that were settled, as masks.
    """

    values: int
    hands: tuple[int, ...]
    reserve: int
    finish: bool
    ones: int = 0
    twos: int = 0
    hearts: int = 0


FIRST_TURN: Final = -1


class Node(NamedTuple):
    """A position before the draw of the player in `seat`; the parts of `spec/search.md`, "Positions".

    Hands and the Reserve are masks of cards; `front` is the seat with the Finish card in front, -1 for none; `top`
    counts the cards that have left the deck; `limit` is how many cards can be drawn now, FIRST_TURN in turn 1 (one, if
    wanted), below that as many less for none or all of them; `laid` is the cell laid last, or that of the source, where
    a later draw can hang on it, else -1; `moved` tells whether the card of set-up was replaced, where that matters;
    `hidden` is None where everything is seen; `replaced` tells whether D replaced a card, where that matters; `skipped`
    counts the turns without action just before.
    """

    tower: bytes
    hands: tuple[int, ...]
    front: int
    reserve: int
    top: int
    seat: int
    limit: int
    laid: int
    moved: bool
    hidden: Hidden | None
    replaced: bool = False
    skipped: int = 0


class LayUpMove(NamedTuple):
    """A: the card and the cell."""

    card: int
    cell: int


class LayDownMove(NamedTuple):
    """B: the card, 0 for an unseen one, and the cell."""

    card: int
    cell: int


class OpenMove(NamedTuple):
    """C: the cell and the card that it shows."""

    cell: int
    card: int


class ExchangeMove(NamedTuple):
    """D: the cards sent, destroyed (0 for unseen ones) and taken, and how and where it is laid; `replaced` is what lay
    there, 0 for nothing.
    """

    first: int
    second: int
    destroyed: tuple[int, ...]
    taken: int
    face_up: bool
    cell: int
    replaced: int


class PassMove(NamedTuple):
    """No action: none is legal (`no_action=skipped`)."""


Act = LayUpMove | LayDownMove | OpenMove | ExchangeMove


class Move(NamedTuple):
    """A turn: how many cards the draw takes off the deck, which of them the Finish card unseen until now is (-1 for
    none), the action, the cards dropped and trimmed, 0 for unseen ones, and how many more leave the deck after the
    action.
    """

    drawn: int
    finish_at: int
    act: Act | PassMove
    drop: tuple[int, ...] = ()
    trim: tuple[int, ...] = ()
    fill: int = 0


class Own(NamedTuple):
    """What the player to move has after a draw."""

    hand: int
    unseen: int
    front: int
    top: int
    finish_at: int
    finish: bool
    """Whether the Finish card is still among the deck's unseen cards."""


class Total(NamedTuple):
    """What D sends, destroys and takes: masks and the numbers of cards, unseen ones apart."""

    first: int
    second: int
    destroyed: tuple[int, ...]
    taken: int
    sent_mask: int
    sent_unseen: int
    gone_mask: int
    gone_unseen: int
    taken_unseen: bool
    shown: int
    """The unseen cards that become numbers by this."""


class Step(NamedTuple):
    """How a search came to a position: the step before it, and the turn that led here, None at the root. The step of a
    winning turn holds the position before that turn.
    """

    before: Step | None
    node: Node
    move: Move | None


def put(parts: tuple[int, ...], seat: int, part: int) -> tuple[int, ...]:
    """The parts of all players with that of one seat changed."""
    return (*parts[:seat], part, *parts[seat + 1 :])
