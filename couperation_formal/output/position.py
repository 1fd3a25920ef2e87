"""A position for people: its tower, and a row for each thing beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.position import next_draw, state_of
from couperation_formal.game.record import Position
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, Shown, card_list
from couperation_formal.output.blocks import Columns, Drawing, Paragraph
from couperation_formal.words.say import interval, phrase, spoken


class Row(NamedTuple):
    """A line of a table beside its tower: what it is about, the cards that lie there, and what else there is to say."""

    name: str
    cards: tuple[Shown, ...] | None
    said: str = ""


def position_blocks(
    position: Position, board: Board = STANDARD, deck: tuple[int, int] | None = None
) -> Iterator[Paragraph]:
    """The tower of a position, the hands, the Reserve, what is gone and in the deck, the next draw; nothing for what it
    does not give. Where nobody is to move `deck` may tell how many cards are left, from the least to the most.
    """
    yield [Drawing(position, board=board)]
    rows = position_rows(position, board, deck)
    yield [Columns([((name, "bold"), ("" if cards is None else _cards(cards)) + said) for name, cards, said in rows])]


def position_rows(position: Position, board: Board = STANDARD, deck: tuple[int, int] | None = None) -> Iterator[Row]:
    """What a position gives beside its tower, as `position_blocks` shows it."""
    for player in position.players:
        if player in position.hands or position.front == player:
            front = phrase("and_finish_in_front") if position.front == player else ""
            cards = tuple(position.hands.get(player, ()))
            if player not in position.sizes:
                yield Row(spoken(player), cards, front)
                continue
            known = tuple(card for card in cards if card is not UNSEEN)
            sizes = phrase("deck_of", cards=interval(*position.sizes[player]), top=front)
            yield Row(spoken(player), known or None, phrase("known_of", cards=sizes) if known else sizes)
    if position.reserve is not None:
        yield Row(phrase("row_reserve"), tuple(position.reserve))
    yield Row(phrase("row_gone"), tuple(position.gone))
    if position.turn is None:
        if deck is not None:
            yield Row(phrase("row_deck"), None, phrase("deck_of", cards=interval(*deck), top=""))
        return
    state = state_of(position, board)
    top = phrase("from_the_top", cards=" ".join(map(str, position.deck))) if position.deck else ""
    yield Row(phrase("row_deck"), None, phrase("deck_of", cards=interval(*state.sizes()), top=top))
    yield Row(phrase("row_to_move"), None, phrase("to_move", player=position.turn, draw=_draw(position, state)))


def _cards(cards: Sequence[Shown]) -> str:
    return card_list(tuple(cards)) or phrase("no_cards")


def _draw(position: Position, state: State) -> Fact:
    if not state.deck:
        return fact("draws_nothing_left")
    limit, cell = next_draw(position, state), position.last
    by = (
        fact("draw_by", clause=limit.clause, cell=cell)
        if cell is not None
        else fact("draw_clause", clause=limit.clause)
    )
    if limit.amounts == (0,):
        return fact("draws_nothing", by=by)
    exact = position.rules.rulings.draw_amount == "exact" and limit.clause != "DRW01"
    if exact:
        return fact("draws_exactly", amounts=limit.amounts, by=by)
    return fact("draws_up_to" if len(limit.amounts) == 1 else "draws_perhaps", most=limit.amounts[-1], by=by)
