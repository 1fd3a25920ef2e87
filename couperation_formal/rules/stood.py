"""The table after a turn that stands as it was played, whether it was legal or not: the total step of spec/step.md.

`rules.step` follows a turn as far as it fits. Where it does not fit, this is the specification's state before the next
turn, component by component, over sets of cards.
"""

from __future__ import annotations

from msgspec.structs import replace

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Card, Down, Laid, Shown, UnseenCard, Up
from couperation_formal.model.record import Exchange, LayDown, LayUp, NoAction, Open, Turn
from couperation_formal.model.state import Pile, State, all_cards
from couperation_formal.model.tower import Tower
from couperation_formal.rules.step import Step

Cards = frozenset[Card]


class _NotSeen(Exception):
    """The record does not show a card that decides where others lie."""


def stood(step: Step) -> State | None:
    """The table after a turn of one of the players; None where the record does not show enough to tell.

    Cost: that of the step where each card was where the turn took it from.
    """
    turn = step.turn
    fits = step.cell is not None or isinstance(turn.action, NoAction)
    if fits and not step.strays and FINISH not in turn.drop:
        return None if step.lost else step.after
    return stood_by(step.before, turn, step.player)


def stood_by(state: State, turn: Turn, player: int | None) -> State | None:
    """The table after any turn on a fully seen one, `player` None for a name that is not in the game (it draws nothing
    and holds nothing); None where it is not seen, or where the card that sets the next draw is in the tower no
    more. Cost: linear in the cards.
    """
    if turn.draw_open or turn.fill_open:
        return None
    try:
        return _stood(state, turn, player)
    except _NotSeen:
        return None


def _stood(state: State, turn: Turn, player: int | None) -> State | None:
    action, tower = turn.action, dict(state.tower.cells)
    hands = [_seen(pile) for pile in state.hands]
    reserve, gone = _seen(state.reserve), _seen(state.gone)
    drawn = _drawn(state, turn.draw) if player is not None else frozenset()
    filled = _drawn(state, turn.fill, len(turn.draw)) if player is not None else frozenset()
    target, laid, cell = _laid(state, turn)
    sent = _cards((action.first, action.second)) if isinstance(action, Exchange) else frozenset()
    spent = _cards(tuple(card for _, card in action.adjust)) if isinstance(action, Exchange) else frozenset()
    taken = _cards((action.taken,)) if isinstance(action, Exchange) else frozenset()
    shown = frozenset() if laid is None else _cards((laid.card,))
    leaving = shown if isinstance(action, LayUp | LayDown) else sent | spent
    gained = _gained(state, turn)
    dropped = _cards(turn.drop) | _cards(turn.trim)
    at_gone = dropped | (spent - taken)
    at_tower = shown - dropped
    at_reserve = sent - taken - at_gone
    at_hand = ((drawn - leaving) | gained | filled) - at_gone - at_tower - at_reserve
    placed = at_gone | at_tower | at_reserve | at_hand
    if player is not None:
        hands[player] = ((hands[player] | (drawn - {FINISH})) - leaving) | ((gained | filled) - {FINISH})
    front = player if FINISH in drawn else state.front
    if FINISH in gained | filled:
        front = player
    elif front is not None and front == player and FINISH in leaving:
        front = None
    touched = target or cell or state.touched
    if cell is not None and laid is not None:
        tower[cell] = laid
    tower = {
        at: lying
        for at, lying in tower.items()
        if lying.card not in placed or (at == touched and lying.card in at_tower)
    }
    due = state.to_move if player is None else (player + 1) % len(state.players)
    picks_up = isinstance(action, Exchange) and action.replaced is not None
    of_set_up = picks_up and target == state.board.anchor_cell
    if not {touched, target or state.laid} <= {*tower, None}:
        return None
    return replace(
        state,
        tower=Tower.of(state.board, tower),
        hands=tuple(Pile(hand - (placed - (at_hand if at == player else set()))) for at, hand in enumerate(hands)),
        front=None if FINISH in at_gone | at_tower | at_reserve else front,
        reserve=Pile(((reserve | sent) - taken) - (placed - at_reserve)),
        gone=Pile((gone | spent | dropped) - (placed - at_gone)),
        deck=_deck(state, turn, placed, reserve | gone),
        turns=state.turns + 1,
        to_move=due,
        laid=target or state.laid,
        touched=touched,
        anchor_moved=state.anchor_moved or of_set_up,
        turned=target is None and (isinstance(action, Open) or state.turned),
        replaced=state.replaced or (picks_up and target in state.tower.cells),
        skipped=state.skipped + 1 if isinstance(action, NoAction) else 0,
    )


def _seen(pile: Pile) -> Cards:
    if pile.unseen or pile.more:
        raise _NotSeen
    return pile.known


def _cards(shown: tuple[Shown, ...]) -> Cards:
    if UNSEEN in shown:
        raise _NotSeen
    return frozenset(card for card in shown if not isinstance(card, UnseenCard))


def _drawn(state: State, cards: tuple[Shown, ...], before: int = 0) -> Cards:
    """The cards of a draw, with so many drawn before it: a ``?`` is the deck's next card."""
    deck = (*state.deck[before:], *(UNSEEN,) * len(cards))
    return _cards(tuple(deck[at] if card is UNSEEN else card for at, card in enumerate(cards)))


def _laid(state: State, turn: Turn) -> tuple[Cell | None, Laid | None, Cell | None]:
    """The cell that A, B or D lays a card on; how the card lies that the action lays or opens; and its cell."""
    action = turn.action
    if isinstance(action, NoAction):
        return None, None, None
    if isinstance(action, Open):
        there = state.tower.cells.get(action.cell)
        card = there.card if action.card is UNSEEN and there is not None else action.card
        return None, Up(card), action.cell
    if isinstance(action, Exchange):
        return action.cell, (Up if action.face_up else Down)(action.taken), action.cell
    return action.cell, (Up if isinstance(action, LayUp) else Down)(action.card), action.cell


def _gained(state: State, turn: Turn) -> Cards:
    """The card that D picks up: the one that it names, or where it names none the one that lies there."""
    action = turn.action
    if not isinstance(action, Exchange) or action.replaced is None:
        return frozenset()
    there = state.tower.cells.get(action.cell)
    if action.replaced == Down(UNSEEN):
        return frozenset() if there is None else _cards((there.card,))
    return _cards((action.replaced.card,))


def _deck(state: State, turn: Turn, placed: Cards, others: Cards) -> tuple[Shown, ...]:
    """The deck without the cards that lie elsewhere now. One that was not shown anywhere was drawn from its place in
    the draw, or came from deep in the deck.
    """
    laid = {lying.card for lying in state.tower.cells.values()}
    known = {*others, *laid, *(card for hand in state.hands for card in hand.known), *state.deck}
    hidden: set[Shown] = {card for card in placed & all_cards(state.board, state.variant) if card not in known}
    if state.front is not None:
        hidden.discard(FINISH)
    deck = list(state.deck)
    for at, card in enumerate((*turn.draw, *turn.fill)[: len(deck)]):
        if card in hidden and deck[at] is UNSEEN:
            deck[at] = card
            hidden.remove(card)
    left = [card for card in deck if card is UNSEEN or card not in placed]
    unseen = [at for at, card in enumerate(left) if card is UNSEEN]
    for at in reversed(unseen[max(len(unseen) - len(hidden), 0) :]):
        del left[at]
    return tuple(left)
