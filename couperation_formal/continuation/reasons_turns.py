"""The counting game: a table of which only the numbers of cards are left, played as favourably as possible.

Cards have no numbers here: every card can be laid anywhere, and every two cards pay for any action D. What stays is who
moves, how many cards each player owns, the deck, the empty cells, the down cards, and how many cards actions D have to
cost. Whatever is lost here is lost at the table; the theorem is in the specification, `table.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from couperation_formal.continuation.reasons_tower import laid_again
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.rules.drawing import draw_limit

MOST_POSITIONS = 4000
"""Positions of the counting game after which it is given up."""

MOST_DECK = 8
"""With a deck of more cards the counting game is not asked."""

_ANY = 4
"""The most that any card lets the next player draw: two supports with two diamonds each under a heart (DRW03)."""


class Counts(NamedTuple):
    """A position of the counting game. `owe` is what actions D still cost at least; `draw` the limit of the next draw,
    or -1 after a card was laid down: up to `refill` (DRW04).
    """

    mover: int
    own: tuple[int, ...]
    deck: int
    empty: int
    down: int
    owe: int
    draw: int


class Terms(NamedTuple):
    """What stays the same in a counting game.

    The refill of DRW04; the most that a player keeps; how many cards a draw can bring beyond its limit (the Finish
    card); whether a card that is opened can win; whether the apex can be laid a second time; whether action D may lay
    a card down.
    """

    refill: int
    keep: int
    extra: int
    opening_wins: bool
    again: bool
    face_down: bool


def terms_of(state: State, rulings: Rulings) -> Terms:
    """The terms of a table."""
    finish = state.variant == "finish"
    return Terms(
        refill=state.board.refill,
        keep=state.board.hand_limit + finish,
        extra=int(finish),
        opening_wins=rulings.early_apex == "win_on_completion",
        again=not finish and (rulings.early_apex == "no_win" or laid_again(state, rulings)),
        face_down=rulings.reserve_face == "either",
    )


def counts_of(state: State, rulings: Rulings, owe: int) -> Counts:
    """The counting game of a table whose actions D cost `owe` cards at least."""
    return Counts(
        mover=state.to_move,
        own=tuple(state.owned(player) for player in range(len(state.players))),
        deck=len(state.deck),
        empty=state.board.size - len(state.tower.cells),
        down=len(state.tower.down),
        owe=max(owe, int(laid_again(state, rulings))),
        draw=draw_limit(state, state.to_move, rulings).amounts[-1],
    )


def lost(start: Counts, terms: Terms) -> bool:
    """Whether the counting game is surely lost. False also when the deck is large or the positions are too many.

    Cost: MOST_POSITIONS positions at most, each with a few dozen moves; most tables that are alive take one line.
    """
    if start.deck > MOST_DECK:
        return False
    seen = {start}
    waiting = [start]
    while waiting:
        counts = waiting.pop()
        for after, won in _turns(counts, terms):
            if won:
                return False
            if after not in seen and _payable(after):
                seen.add(after)
                waiting.append(after)
        if len(seen) > MOST_POSITIONS:
            return False
    return True


def _payable(counts: Counts) -> bool:
    return counts.empty + counts.owe <= sum(counts.own) + counts.deck


def _turns(counts: Counts, terms: Terms) -> Iterator[tuple[Counts, bool]]:
    """Every turn of the counting game, and whether it wins; those that lay a card and draw most come last."""
    for own, deck in _draws(counts, terms):
        for filled, down, spent, paid, opened in _actions(counts, terms, own):
            after = _after(counts, terms, own - spent, deck, filled, down, paid, opened)
            if after is not None:
                yield after


def _actions(counts: Counts, terms: Terms, own: int) -> Iterator[tuple[int, int, int, int, bool]]:
    """Every action: cells filled, how the number of down cards changes, own cards spent, what of that actions D owe,
    and whether it is C.
    """
    if counts.down:
        yield 0, -1, 0, 0, True
    for paid in range(own - 1, 0, -1):
        if counts.down:
            yield 0, -1, paid, paid, False
        yield 0, 0, paid, paid, False
        if terms.face_down:
            yield 0, 1, paid, paid, False
        if counts.empty > 1 and terms.face_down:
            yield 1, 1, paid + 1, paid, False
        if counts.empty:
            yield 1, 0, paid + 1, paid, False
    if own and counts.empty > 1:
        yield 1, 1, 1, 0, False
    if own and counts.empty:
        yield 1, 0, 1, 0, False


def _draws(counts: Counts, terms: Terms) -> Iterator[tuple[int, int]]:
    """What the player to move may own after the draw, and the deck that is left."""
    own = counts.own[counts.mover]
    limit = max(0, terms.refill - max(0, own - terms.extra)) if counts.draw < 0 else counts.draw
    for drawn in range(min(limit + (terms.extra if limit else 0), counts.deck) + 1):
        yield own + drawn, counts.deck - drawn


def _after(
    counts: Counts, terms: Terms, own: int, deck: int, filled: int, down: int, paid: int, opened: bool
) -> tuple[Counts, bool] | None:
    """The position after a turn, and whether it wins; None where the tower is full and nothing can win any more."""
    mover, empty, still_down = counts.mover, counts.empty - filled, counts.down + down
    owe = max(0, counts.owe - paid)
    won = not empty and not still_down and not owe and (terms.opening_wins or not opened)
    if not empty and not won and not terms.opening_wins:
        if not terms.again:
            return None
        owe = max(owe, 1)
    owned = (*counts.own[:mover], min(own, terms.keep), *counts.own[mover + 1 :])
    draw = -1 if down > 0 else _ANY
    return Counts((mover + 1) % len(owned), owned, deck, empty, still_down, owe, draw), won
