"""A table as text: the tower, the hands, the Reserve, what is gone and in the deck, and the next draw."""

from __future__ import annotations

from couperation_formal.analysis.inspect import state_of as state_of
from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.cards import Shown, card_list
from couperation_formal.model.record import Position
from couperation_formal.model.state import State
from couperation_formal.model.tower import Tower
from couperation_formal.report.text import Piece, safe
from couperation_formal.report.tower import draw_tower
from couperation_formal.rules.drawing import draw_limit


def table(position: Position, board: Board = STANDARD) -> list[Piece]:
    """The position as text. Lines that it does not give are left out."""
    tower = Tower.of(board, dict(position.tower))
    drawing = draw_tower(tower, position.rules.rulings, position.last, board=board)
    rows: list[tuple[str, str]] = []
    for player in position.players:
        if player in position.hands or position.front == player:
            front = "  and F in front" if position.front == player else ""
            rows.append((player, _cards(position.hands.get(player, ())) + front))
    if position.reserve is not None:
        rows.append(("Reserve", _cards(position.reserve)))
    rows.append(("gone", _cards(position.gone)))
    if position.turn is not None:
        state = state_of(position, board)
        top = f", from the top {_in_order(position.deck)}" if position.deck else ""
        rows += [("deck", f"{len(state.deck)} cards{top}"), ("to move", f"{position.turn}, {_draw(position, state)}")]
    width = max(len(safe(name)) for name, _ in rows)
    return [
        *((line + "\n", "") for line in drawing),
        ("\n", ""),
        *(piece for name, text in rows for piece in ((f"{safe(name):{width}}  ", "bold"), (safe(text) + "\n", ""))),
    ]


def _cards(cards: tuple[Shown, ...]) -> str:
    return card_list(cards) or "none"


def _in_order(cards: tuple[Shown, ...]) -> str:
    return " ".join(str(card) for card in cards)


def _draw(position: Position, state: State) -> str:
    if not state.deck:
        return "who draws nothing: the deck is empty"
    limit = draw_limit(state, state.to_move, position.rules.rulings)
    amounts = " or ".join(str(amount) for amount in limit.amounts)
    by = f"{limit.clause}, by the card on {position.last}" if position.last is not None else limit.clause
    if limit.amounts == (0,):
        return f"who draws nothing ({by})"
    exact = position.rules.rulings.draw_amount == "exact" and limit.clause != "DRW01"
    return f"who {'draws' if exact else 'may draw up to'} {amounts} ({by})"
