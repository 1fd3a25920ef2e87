"""Reasons why no continuation of a table wins, found by counting: the cheap tests that come before any search.

Each kind has a theorem with its proof in the specification, `table.md`. A reason is sound: what the position does not
show is chosen as favourably as can be. None says nothing.
"""

from __future__ import annotations

import msgspec

from couperation_formal.continuation.reasons.counting_game import CountingGame, counts_of, terms_of
from couperation_formal.continuation.reasons.disorder import beyond_mending
from couperation_formal.continuation.reasons.final_tower import finish_lies_low, laid_again, least_replaced, least_spent
from couperation_formal.continuation.reasons.interval import evidence
from couperation_formal.model.board import Cell
from couperation_formal.model.budget import Steps
from couperation_formal.model.cards import FINISH, UNSEEN, Up
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.rules.drawing import draw_limit
from couperation_formal.rules.orders import finish_number

THEOREMS = {
    "finish": "the-finish-card-is-out-of-reach",
    "apex": "the-apex-cannot-be-laid-again",
    "stuck": "a-player-who-can-do-nothing",
    "order": "a-tower-out-of-order",
    "cards": "cards-against-empty-cells",
    "interval": "cells-against-numbers",
    "replacements": "cards-against-replacements",
    "exchanges": "cards-against-actions-d",
    "turns": "the-counting-game",
}
"""Each kind of reason, cheap to dear, and the heading of its theorem."""


class Reason(msgspec.Struct, frozen=True):
    """Why no continuation wins. `theorem` is the anchor of a heading of `table.md`.

    `cells` and `cards` are what `numbers` count where single ones can be named: cells by column, then level, cards
    rising.
    """

    kind: str
    theorem: str
    numbers: dict[str, int]
    cells: tuple[Cell, ...] = ()
    cards: tuple[int, ...] = ()


def reason(state: State, rulings: Rulings, budget: Steps | None = None) -> Reason | None:
    """A reason why no legal continuation of this table wins, or None, which says nothing.

    `state` stands before the draw of `to_move`, its game not over. `budget` pays for the counting game; raises `Spent`.
    Cost: microseconds while there are clearly too few cards; about a millisecond for the cheapest final tower; some
    tens of them at worst for the counting game.
    """
    found = _finish(state, rulings) or _apex(state, rulings) or _stuck(state, rulings) or _order(state, rulings)
    if found is not None:
        return found
    cards = cards_left(state)
    empty = state.board.size - len(state.tower.cells)
    if empty > cards:
        return _reason("cards", {"empty": empty, "cards": cards})
    least = least_spent(state, rulings, cards - empty)
    if least is None:
        return _too_dear(state, rulings, empty, cards)
    counts = counts_of(state, rulings, least)
    terms = terms_of(state.board, state.variant, rulings, laid_again(state, rulings))
    if CountingGame(terms, budget).lost(counts):
        numbers = {"empty": empty, "down": counts.down, "owe": counts.owe, "deck": counts.deck, "draw": counts.draw}
        return _reason("turns", {**numbers, **{f"player {i + 1}": own for i, own in enumerate(counts.own)}})
    return None


def cards_left(state: State) -> int:
    """The cards in hands, in front and in the deck."""
    return sum(hand.size for hand in state.hands) + (state.front is not None) + len(state.deck)


def _reason(kind: str, numbers: dict[str, int], cells: tuple[Cell, ...] = (), cards: tuple[int, ...] = ()) -> Reason:
    return Reason(kind, THEOREMS[kind], numbers, cells, cards)


def _finish(state: State, rulings: Rulings) -> Reason | None:
    if state.variant == "first":
        return None
    if finish_gone(state):
        return _reason("finish", {"gone": 1})
    unseen = Up(UNSEEN) in state.tower.cells.values() or UNSEEN in state.deck or state.front is not None
    kept = FINISH in state.reserve.known or not (unseen or state.whereabouts(FINISH) is not None)
    if kept and finish_number(state.board, rulings) is None:  # in the Reserve, or an unseen card there or gone
        return _reason("finish", {"reserve": 1})
    low = state.tower.finish
    if low is not None and finish_lies_low(state) and rulings.replace_target == "facedown_only":
        return _reason("finish", {"laid": 1}, (low,))
    return None


def finish_gone(state: State) -> bool:
    """Whether the Finish card of the variant `finish` is seen gone, or nowhere, with no unseen card that it may be: a
    drawn one lies in front, so no hand holds it, and it is never down.
    """
    about = state.front is not None or UNSEEN in state.deck or state.reserve.unseen > 0
    about = about or Up(UNSEEN) in state.tower.cells.values()
    return FINISH in state.gone.known or not (about or state.whereabouts(FINISH) is not None)


def _apex(state: State, rulings: Rulings) -> Reason | None:
    if not laid_again(state, rulings):
        return None
    if state.variant == "finish" or rulings.replace_target == "facedown_only":
        apex = next(cell for cell in state.tower.cells if cell.level == state.board.levels)
        return _reason("apex", {"down": len(state.tower.down)}, (apex,))
    return None


def _stuck(state: State, rulings: Rulings) -> Reason | None:
    if state.owned(state.to_move) or state.tower.down or rulings.no_action == "skipped":
        return None
    limit = draw_limit(state, state.to_move, rulings).amounts[-1]
    if limit and state.deck:
        return None
    return _reason("stuck", {"player": state.to_move + 1, "deck": len(state.deck), "draw": limit})


def _order(state: State, rulings: Rulings) -> Reason | None:
    if not state.given or (found := beyond_mending(state, rulings)) is None:
        return None
    return _reason("order", {"pairs": found.pairs, "down": found.down}, found.cells)


def _too_dear(state: State, rulings: Rulings, empty: int, cards: int) -> Reason:
    """The plainest of the reasons why no final tower can be paid for."""
    spare = cards - empty
    shown = evidence(state, rulings, spare)
    if shown is not None:
        numbers = {"empty": empty, "cards": cards, "above": shown.above, "below": shown.below}
        return _reason("interval", numbers, shown.cells, shown.cards)
    replaced = least_replaced(state, rulings, spare) is None
    return _reason("replacements" if replaced else "exchanges", {"empty": empty, "cards": cards, "spent": spare + 1})
