"""The tower of a turn (TOW01 to TOW06), and the table after a turn that stands as it was played."""

from __future__ import annotations

from msgspec.structs import replace

from couperation_formal.game.fact import Datum
from couperation_formal.game.record import Exchange, LayDown, LayUp, NoAction, Open, Turn
from couperation_formal.game.rules.arrangement import OrderClause, gap, up_numbers, within
from couperation_formal.game.rules.step import Finding, Step, fails, lying, unsure
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State, all_cards
from couperation_formal.game.tower import FINISH, UNSEEN, Card, Cell, Down, Laid, Shown, Tower, Up, column_name

# The table after a turn that stands as it was played, whether it was legal or not: the total step of spec/step.md.
#
# `game.rules.step` follows a turn as far as it fits. Where it does not fit, this is the specification's state before
# the next turn, component by component, over sets of cards.

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
    return Pile.of(shown).known


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


# The tower after actions A, B and D (TOW01 to TOW08).


def has_place(step: Step, rulings: Rulings) -> bool:
    """Whether a card that was laid has a place (TOW03 to TOW06), or one was opened: else no order is asked (D7)."""
    placing = () if step.target is None else (tow03, tow04, tow05)
    return step.cell is not None and not any(check(step, rulings) for check in placing)


def out_of_order(step: Step, rulings: Rulings) -> Finding | None:
    """The first of the orders' clauses that does not hold."""
    return tow01(step, rulings) or tow02(step, rulings) or tow07(step, rulings)


def _broken(step: Step, rulings: Rulings, clause: OrderClause) -> Finding | None:
    if step.cell is None:
        return None
    broken = step.arrangement.broken_orders(step.before.board, step.acted.tower, rulings, step.asked, clause)
    if not broken or not has_place(step, rulings):  # in this order: few are broken
        return None
    (lower, upper, _), low, high = broken[0]
    tower, needed = step.acted.tower, gap(clause, rulings)
    numbers: dict[str, Datum] = {"lower": lower, "upper": upper, "low": low, "high": high, "needed": needed}
    top = upper if upper.level > lower.level else lower
    left, right = lying(tower, lower), lying(tower, upper)
    if clause == "TOW01" or not tower.cells.keys() >= {*top.supports}:  # a card that was laid wrongly can lack one
        return fails("row" if needed else "row_lax", "action", numbers, left=left, right=right)
    left, right = (lying(tower, support) for support in top.supports)
    card = lying(tower, top)
    return fails("between" if needed else "between_lax", "action", numbers, card=card, left=left, right=right)


def tow01(step: Step, rulings: Rulings) -> Finding | None:
    """On one level the values of up cards rise to the right, gaps included."""
    return _broken(step, rulings, "TOW01")


def tow02(step: Step, rulings: Rulings) -> Finding | None:
    """An up card lies between its two supports."""
    return _broken(step, rulings, "TOW02")


def tow03(step: Step, _rulings: Rulings) -> Finding | None:
    """A card above level 1 needs both its supports."""
    cell = step.new_cell
    if cell is None or cell.level == 1:
        return None
    cells = step.before.tower.cells
    missing = [support for support in cell.supports if support not in cells]
    if not missing:
        return None
    return fails("unsupported", "action", {"cell": cell, "support": missing[0]}, missing=tuple(missing))


def tow04(step: Step, rulings: Rulings) -> Finding | None:
    """The tower stays inside a pyramid over adjacent columns of level 1 that include the anchor's; where it stood
    outside before, the card.
    """
    if step.cell is None:
        return None
    tower, board = step.acted.tower, step.before.board
    if step.before.stands and not within(step.before.tower, board, rulings):
        tower = Tower.of(board, {step.cell: tower.cells[step.cell]})
    if within(tower, board, rulings):
        return None
    first, last = column_name(tower.first), column_name(tower.last)
    numbers: dict[str, Datum] = {"cell": step.cell, "first": first, "last": last}
    if rulings.anchor != "middle":
        return fails("outside", "action", numbers, levels=board.levels, anchor=board.anchor)
    left, right = Cell(board.middle, 1), Cell(board.middle + board.levels - 1, 1)
    return fails("outside_middle", "action", numbers, left=left, right=right)


def tow05(step: Step, rulings: Rulings) -> Finding | None:
    """A new card of level 1 lies next to an occupied cell of level 1."""
    cell = step.new_cell
    if cell is None or cell.level != 1 or rulings.spread == "anywhere":
        return None
    cells = step.before.tower.cells
    if cell in cells or Cell(cell.column - 1, 1) in cells or Cell(cell.column + 1, 1) in cells:
        return None
    return fails("alone", "action", {"cell": cell})


def tow06(step: Step, _rulings: Rulings) -> Finding | None:
    """A card is laid only on an empty cell, action D's replacement aside."""
    cell = step.new_cell
    if cell is not None and cell in step.before.tower.cells:
        return fails("occupied", "action", {"cell": cell}, by=lying(step.before.tower, cell))
    return None


def tow07(step: Step, rulings: Rulings) -> Finding | None:
    """Some numbers for all down cards together satisfy every order; asked when no order between up cards fails."""
    if step.cell is None:
        return None
    board, tower, chain = step.before.board, step.acted.tower, step.failing_chain(rulings)
    if chain is None or not has_place(step, rulings):
        return None
    if step.arrangement.broken_orders(board, tower, rulings, step.asked):
        return None
    known = up_numbers(board, tower, rulings)
    first, last = (cell if cell in known else None for cell in (chain.cells[0], chain.cells[-1]))
    low = 1 if first is None else known[first]
    cells = tuple(cell for cell in chain.cells if cell not in (first, last))
    numbers: dict[str, Datum] = {"lower": first, "upper": last, "low": low, "high": chain.limit}
    ends = {name: lying(tower, cell) for name, cell in (("first", first), ("last", last)) if cell is not None}
    kind = {(): "chain_alone", ("first",): "chain_ceiling", ("last",): "chain_floor"}.get((*ends,), "chain")
    return fails(kind, "action", numbers, downs=tuple(lying(tower, cell) for cell in cells), cells=cells, **ends)


def tow08(step: Step, rulings: Rulings) -> Finding | None:
    """The apex is never down, in the finish variant it is the Finish card, and [early_apex] says whether it may lie
    early.
    """
    cell = step.target
    if cell is None or cell.level != step.before.board.levels:
        return None
    action = step.turn.action
    if isinstance(action, LayDown) or (isinstance(action, Exchange) and not action.face_up):
        return fails("apex_down", "action", {"cell": cell, "face": "down"})
    if step.before.variant == "finish":
        if step.laid_up is UNSEEN:
            return unsure("whether_apex", "action")
        if step.laid_up is not FINISH:
            return fails("apex_other", "action", {"cell": cell, "card": step.laid_up})
    down = sorted(step.acted.tower.down - {cell})
    if rulings.early_apex == "forbidden" and down:
        return fails("apex_early", "action", {"cell": cell, "down": down[0]}, all=tuple(down))
    return None


def unseen_orders(step: Step) -> bool:
    """Whether the orders involve an up card that the record does not show, so that they cannot be told."""
    return step.cell is not None and bool(step.acted.tower.hidden)
