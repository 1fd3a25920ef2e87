"""The counting game: a table of which only the numbers of cards are left, played as favourably as possible.

Cards have no numbers here: every card can be laid anywhere, and every two cards pay for any action D. What stays is who
moves, how many cards each player owns, the deck, the empty cells, the down cards, and how many cards actions D have to
cost. Whatever is lost here is lost at the table; the theorem is in the specification, `table.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from couperation_formal.continuation.reasons.final_tower import laid_again
from couperation_formal.model.board import Board
from couperation_formal.model.budget import Steps
from couperation_formal.model.cards import Variant
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.rules.drawing import draw_limit

MOST_DECK = 8
MOST_CARDS = 20
"""With a deck of more cards, or more own cards and cards of the deck, the counting game is not asked."""

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
    a card down; whether the game is asked at all.
    """

    refill: int
    keep: int
    extra: int
    opening_wins: bool
    again: bool
    face_down: bool
    asked: bool


def terms_of(board: Board, variant: Variant, rulings: Rulings, laid_again: bool) -> Terms:
    """The terms of a table; `laid_again` tells whether the apex lies and has to be laid again."""
    finish = variant == "finish"
    return Terms(
        refill=board.refill,
        keep=board.hand_limit + finish,
        extra=int(finish),
        opening_wins=rulings.early_apex == "win_on_completion",
        again=not finish and (rulings.early_apex == "no_win" or laid_again),
        face_down=rulings.reserve_face == "either",
        # Not where a player may have no turn, or draws twice in one.
        asked=rulings.no_action == "loses" and not (finish and rulings.finish_refill == "at_once"),
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


def without(counts: Counts, cards: int) -> Counts:
    """The same with so many cards fewer for the player to move, who may owe them to the draw."""
    own = counts.own
    return counts._replace(own=(*own[: counts.mover], own[counts.mover] - cards, *own[counts.mover + 1 :]))


class CountingGame:
    """The counting game under these terms. What it finds is kept; `budget` pays for it."""

    def __init__(self, terms: Terms, budget: Steps | None = None) -> None:
        self.terms, self._budget = terms, budget or Steps()
        self._lost: dict[Counts, bool] = {}

    def lost(self, counts: Counts) -> bool:
        """Whether the counting game is lost from here. False also where it is not asked.

        Raises `Spent`. Cost: mostly one line of play; at worst some tens of thousands of positions, a second.
        """
        if not self.terms.asked or counts.deck > MOST_DECK or counts.deck + sum(counts.own) > MOST_CARDS:
            return False
        found = self._lost.get(counts)
        if found is None:
            found = self._lost[counts] = not self._wins(counts)
        return found

    def _wins(self, counts: Counts) -> bool:
        self._budget.spend(1 + max(0, counts.own[counts.mover]))
        return any(won or (_payable(after) and not self.lost(after)) for after, won in _turns(counts, self.terms))


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
    for drawn in range(max(0, -own), min(limit + (terms.extra if limit else 0), counts.deck) + 1):
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
