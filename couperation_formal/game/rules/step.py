"""One recorded turn, carried out as far as it can be: what the clauses look at.

Carrying out a turn judges nothing: what does not fit is noted (`game.state`).
"""

from collections.abc import Callable
from typing import Protocol

import msgspec
from msgspec.structs import replace

from couperation_formal.game.fact import Datum, Fact, Numbers, fact
from couperation_formal.game.record import Action, Exchange, LayDown, LayUp, NoAction, Open, Turn
from couperation_formal.game.rules import arrangement as plain
from couperation_formal.game.rules.arrangement import BrokenOrder, Chain, OrderClause
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Part, Pile, Piles, State, Stray, all_cards, with_hand
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Card, Cell, Down, Laid, Shown, Tower, Up


class Arrangement(Protocol):
    """What decides the orders of a tower: the plain evaluator (`game.rules.arrangement`) or the Z3 model
    (`hidden.smt.tower`).
    """

    def broken_orders(
        self, board: Board, tower: Tower, rulings: Rulings, cell: Cell | None = None, clause: OrderClause | None = None
    ) -> list[BrokenOrder]:
        """The orders between up cards that fail; with `cell`, those that involve it; with `clause`, its own."""

    def failing_chain(self, board: Board, tower: Tower, rulings: Rulings) -> Chain | None:
        """Orders through down cards that no numbers satisfy, or None."""


class Step(msgspec.Struct, frozen=True):
    """A turn between two states.

    `units` is the number of cards drawn, a Finish card and its replacement counting as one. `hand`, `front` and `deck`
    are what the draw leaves. `acted` is the state after the action, `filled` after the cards that are drawn then,
    `after` at the turn's end. `cell` is where the
    action lays or opens a card, None when it cannot be carried out there. `target` is the cell that A, B or D lays a
    card on, `new_cell` the same where no card is replaced. `strays` and `doubts` as in the module's words; `lost` means
    that the unseen cards hide where the Finish card went, so that nothing certain follows. `arrangement` decides the
    orders of towers.
    """

    before: State
    turn: Turn
    player: int
    units: int
    hand: Pile
    front: int | None
    deck: tuple[Shown, ...]
    acted: State
    filled: State
    after: State
    target: Cell | None
    new_cell: Cell | None
    cell: Cell | None
    strays: tuple[Stray, ...]
    doubts: tuple[Fact, ...]
    lost: bool
    arrangement: Arrangement

    @property
    def asked(self) -> Cell | None:
        """The cell whose orders the action can break; None for all orders, where some may be broken already."""
        return None if self.before.given else self.cell

    def failing_chain(self, rulings: Rulings) -> Chain | None:
        """Orders through down cards that no numbers satisfy after the action, as far as the turn answers for them:
        where the tower was `astray` before, for the orders of its own card only.
        """
        board, tower = self.before.board, self.acted.tower
        if self.cell is not None and astray(self.before, rulings):
            return plain.own_chain(board, tower, rulings, self.cell)
        return self.arrangement.failing_chain(board, tower, rulings)

    @property
    def laid_up(self) -> Shown | None:
        """The card that A or D lays up, as far as it is known; None for other actions."""
        action = self.turn.action
        if type(action) is not LayUp and not (type(action) is Exchange and action.face_up):
            return None
        if self.cell is not None:
            return self.acted.tower.cells[self.cell].card
        return action.card if type(action) is LayUp else action.taken

    @property
    def drawn(self) -> State:
        """The state after the draw."""
        hands = with_hand(self.before.hands, self.player, self.hand)
        return replace(self.before, hands=hands, front=self.front, deck=self.deck, to_move=self.player)


def astray(state: State, rulings: Rulings) -> bool:
    """Whether the tower of a table that stands as it was played is out of order (TOW01, TOW02, TOW07). That an opened
    card left no numbers for down cards is no slip where [opened_against] lets it stand: the turn has to mend it.
    """
    if not state.stands:
        return False
    if plain.broken_orders(state.board, state.tower, rulings):
        return True
    if plain.failing_chain(state.board, state.tower, rulings) is None:
        return False
    return not (state.turned and rulings.opened_against == "stands")


def carry_out(state: State, turn: Turn, player: int, arrangement: Arrangement = plain) -> Step:
    """`turn` of `player` carried out on `state`. Cost: linear in the cards that the turn names, plus a copy of the
    tower.
    """
    run = Piles.of(state, player)
    action = turn.action
    units = _draw(run, turn.draw, "draw", turn.draw_open) if turn.draw or turn.draw_open else 0
    hand, front, deck = run.hand, run.front, run.deck
    cell = _act(run, action)
    target = None if type(action) is Open or type(action) is NoAction else action.cell
    new_cell = None if type(action) is Exchange and action.replaced is not None else target
    turns, to_move = state.turns + 1, (player + 1) % len(state.players)
    after = filled = acted = run.state(turns, to_move)
    if turn.fill or turn.fill_open:
        _draw(run, turn.fill, "fill", turn.fill_open)
        after = filled = run.state(turns, to_move)
    if turn.drop or turn.trim:
        _limit(run, turn)
        after = run.state(turns, to_move)
    seen = (tuple(run.strays), tuple(run.doubts), run.lost)
    return Step(
        state, turn, player, units, hand, front, deck, acted, filled, after, target, new_cell, cell, *seen, arrangement
    )


def _draw(run: Piles, cards: tuple[Shown, ...], part: Part, any_number: bool) -> int:
    """Take `cards` from the deck, or `any_number`: which were on top, and which are left, is not known then; the number
    of cards of the draw (DRW06).
    """
    if any_number:
        run.deck = (UNSEEN,) * len(run.deck)
        run.hand = replace(run.hand, more=len(run.deck))
    units = 0
    replacement = False
    for card in cards:
        if not replacement:
            units += 1
        replacement = False
        top = run.deck[0] if run.deck else None
        if top is None:
            misplaced = True
        elif card is UNSEEN:
            misplaced = False
        elif top is UNSEEN:
            absent = card is FINISH and run.start.variant == "first"
            misplaced = absent or run.whereabouts(card) is not None
        else:
            misplaced = card != top or card in run.hand.known or (card is FINISH and run.front is not None)
        if misplaced:
            run.stray(card, "deck", part)
        shown = top if card is UNSEEN and top is not None else card
        run.deck = run.deck[1:]
        if shown is FINISH:
            run.front = run.player
            replacement = True
        else:
            run.hand = run.hand.add(shown)
    return units


def _act(run: Piles, action: Action) -> Cell | None:
    if type(action) is NoAction:
        run.skipped, run.given = run.start.skipped + 1, run.start.given
        return None
    run.turned = type(action) is Open
    if type(action) is LayUp:
        return _lay(run, action.cell, Up(run.own(action.card)))
    if type(action) is LayDown:
        return _lay(run, action.cell, Down(_laid_down(run, action.card)))
    return _open(run, action) if type(action) is Open else _exchange(run, action)


def _laid_down(run: Piles, card: Shown) -> Shown:
    """The card that B takes out of the hand; the Finish card in front is one's own too, though never laid down."""
    if card is FINISH:
        return run.own(card)
    taken, run.hand = run.take(run.hand, card, "hand", "action")
    return taken


def _lay(run: Piles, cell: Cell, laid: Laid, replacing: bool = False) -> Cell | None:
    if (cell in run.tower.cells) != replacing:
        return None
    run.tower = run.tower.lay(cell, laid)
    run.laid = run.touched = cell
    run.laid_down = type(laid) is Down
    return cell


def _open(run: Piles, action: Open) -> Cell | None:
    laid = run.tower.cells.get(action.cell)
    if type(laid) is not Down:
        if action.card is not UNSEEN and (laid is None or laid.card != action.card):
            run.stray(action.card, "tower", "action")
        return None
    card = _recognise(run, laid.card, action.card)
    run.tower = run.tower.lay(action.cell, Up(card))
    run.touched = action.cell
    return action.cell


def _recognise(run: Piles, known: Shown, shown: Shown) -> Shown:
    """The card on a cell of which `known` was known and that the turn shows as `shown`."""
    if shown is UNSEEN:
        if known is UNSEEN:
            run.doubt("which_held")
        return known
    if known is UNSEEN and run.whereabouts(shown) is None and shown is not FINISH:
        run.doubt("whether_held", card=shown)
    elif known != shown:
        run.stray(shown, "tower", "action")
    return shown


def _exchange(run: Piles, action: Exchange) -> Cell | None:
    finish_about = FINISH in run.reserve.known or run.front is not None
    sent = [run.own(action.first), run.own(action.second)]
    for _, card in action.adjust:
        run.gone = run.gone.add(run.own(card))
    for card in sent:
        run.reserve = run.reserve.add(card)
    if action.taken is UNSEEN and FINISH in run.reserve.known:
        run.lost = run.lost or run.reserve.size > 1
    taken, run.reserve = run.take(run.reserve, action.taken, "Reserve", "action")
    laid: Laid = Up(taken) if action.face_up else Down(taken)
    if action.replaced is None:
        return _lay(run, action.cell, laid)
    old = run.tower.cells.get(action.cell)
    card = action.replaced.card
    if old is not None:
        card = _recognise(run, old.card, card)
    elif card is not UNSEEN:
        run.stray(card, "tower", "action")
    if card is FINISH:
        run.front = run.player
    else:
        run.lost = run.lost or (finish_about and card is UNSEEN and type(old) is Up)
        run.hand = run.hand.add(card)
    if old is not None:
        run.replaced = True
        run.anchor_moved = run.anchor_moved or action.cell == run.start.board.anchor_cell
    return _lay(run, action.cell, laid, replacing=True)


def _limit(run: Piles, turn: Turn) -> None:
    for card in turn.drop:
        if card is FINISH:
            if run.front != run.player:
                run.stray(card, "front", "drop")
            continue
        taken, run.hand = run.take(run.hand, card, "hand", "drop")
        run.gone = run.gone.add(taken)
    for card in turn.trim:
        if card is UNSEEN and FINISH in run.reserve.known:
            run.lost = True
        taken, run.reserve = run.take(run.reserve, card, "Reserve", "trim")
        run.gone = run.gone.add(taken)


# What a clause answers: nothing where it holds, else a finding.


class Finding(msgspec.Struct, frozen=True):
    """A clause that does not hold: by what, and the part of the turn, or line of the set-up (``"deal Aki"``), meant.

    With `sure` False the record does not show enough to tell: the clause may hold or not.
    """

    what: Fact
    part: str
    sure: bool = True


Check = Callable[[Step, Rulings], Finding | None]
"""A clause as a pure function: what it finds in a turn under these rulings."""


def fails(kind: str, numbers: Numbers, part: str = "action", /, **beside: Datum) -> Finding:
    """A clause that does not hold; see `Fact`."""
    return Finding(fact(kind, numbers, **beside), part)


def unsure(kind: str, part: str = "action", /, **beside: Datum) -> Finding:
    """A clause of which the record does not show whether it holds."""
    return Finding(fact(kind, **beside), part, sure=False)


def lying(tower: Tower, cell: Cell) -> Fact:
    """What lies on a cell, which is not empty."""
    laid = tower.cells[cell]
    return fact("lying_down", cell=cell) if type(laid) is Down else fact("lying_up", cell=cell, card=laid.card)


# The table after a turn that stands as it was played, whether it was legal or not: the total step of spec/step.md.
#
# What stands above follows a turn as far as it fits. Where it does not fit, this is the specification's state before
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
    drawn = filled = sent = spent = taken = gained = frozenset[Card]()
    if player is not None:
        drawn, filled = _drawn(state, turn.draw), _drawn(state, turn.fill, len(turn.draw))
    target, laid, cell = _laid(state, turn)
    picks_up = isinstance(action, Exchange) and action.replaced is not None
    if isinstance(action, Exchange):
        sent, taken = _cards((action.first, action.second)), _cards((action.taken,))
        spent = _cards(tuple(card for _, card in action.adjust))
        back = state.tower.cells.get(action.cell) if action.replaced == Down(UNSEEN) else action.replaced
        gained = frozenset() if back is None else _cards((back.card,))
    shown = frozenset() if laid is None else _cards((laid.card,))
    leaving = shown if isinstance(action, LayUp | LayDown) else sent | spent
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
    kept = {at for at, lying in tower.items() if at == touched and lying.card in at_tower}
    tower = {at: lying for at, lying in tower.items() if at in kept or lying.card not in placed}
    due = state.to_move if player is None else (player + 1) % len(state.players)
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
        laid_down=state.laid_down if target is None else type(laid) is Down,
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
