"""The four actions (ACT01 to ACT08) and the whereabouts of cards (SET06)."""

from __future__ import annotations

from couperation_formal.model.cards import FINISH, UNSEEN, Down, FinishCard, UnseenCard, Value
from couperation_formal.model.record import Exchange, LayDown, LayUp, NoAction, Open
from couperation_formal.model.rulings import Rulings
from couperation_formal.rules.finding import Finding
from couperation_formal.rules.moves import Move, some_action
from couperation_formal.rules.orders import finish_number
from couperation_formal.rules.run import Source, Stray
from couperation_formal.rules.step import Step


def set06(step: Step, _rulings: Rulings) -> Finding | None:
    """Every card is in exactly one place: none is shown where it cannot be."""
    for stray in step.strays:
        if isinstance(stray.card, UnseenCard):
            continue
        if stray.source == "deck" and _in_deck(step, stray):
            continue
        return Finding(_stray_message(stray), stray.part)
    return None


def _in_deck(step: Step, stray: Stray) -> bool:
    """Whether a card that is not the deck's next one may lie deeper in it: then only DRW05 is broken."""
    if stray.card is FINISH and step.before.variant == "first":
        return False
    deck = step.before.deck
    return stray.where == "in the deck" or (stray.where is None and (stray.card in deck or UNSEEN in deck))


def _stray_message(stray: Stray) -> str:
    where = f"it is {stray.where}" if stray.where else "the record does not put it there"
    source = {"front": "in front of the player", "tower": "on that cell of the tower"}.get(
        stray.source, f"in the {stray.source}"
    )
    name = "the Finish card" if stray.card is FINISH else str(stray.card)
    return f"{name} is not {source}: {where}"


def _stray(step: Step, part: str, *sources: Source) -> Finding | None:
    for stray in step.strays:
        if stray.part == part and stray.source in sources:
            if isinstance(stray.card, UnseenCard):
                return Finding(f"no card is left in the {stray.source}", stray.part)
            return Finding(_stray_message(stray), stray.part)
    return None


def act01(step: Step, rulings: Rulings) -> Finding | None:
    """One action each turn: no action only where none is legal."""
    if not isinstance(step.turn.action, NoAction):
        return None
    action = some_action(step.drawn, step.player, rulings)
    if action is not None:
        return Finding(f"an action was possible: {_possible(action)}", "action")
    if step.drawn.hands[step.player].unseen:
        return Finding("whether an action was possible with the unseen cards", "action", sure=False)
    return None


def _possible(move: Move) -> str:
    if isinstance(move, Open):
        return f"the down card on {move.cell} can be opened"
    if isinstance(move, Exchange):
        return f"{move.taken} can be taken from the Reserve and laid on {move.cell}"
    way = "up" if isinstance(move, LayUp) else "down"
    return f"{'a hand card' if move.card is UNSEEN else move.card} can be laid {way} on {move.cell}"


def act02(step: Step, _rulings: Rulings) -> Finding | None:
    """A: a card of one's own hand, or one's own Finish card, is laid up."""
    return _stray(step, "action", "hand", "front") if isinstance(step.turn.action, LayUp) else None


def act03(step: Step, _rulings: Rulings) -> Finding | None:
    """B: a card of one's own hand is laid down; never the Finish card."""
    if not isinstance(step.turn.action, LayDown):
        return None
    if step.turn.action.card is FINISH:
        return Finding("the Finish card is never laid down", "action")
    return _stray(step, "action", "hand")


def act04(step: Step, _rulings: Rulings) -> Finding | None:
    """C: a down card of the tower is turned up where it lies."""
    action = step.turn.action
    if not isinstance(action, Open):
        return None
    laid = step.before.tower.cells.get(action.cell)
    if laid is None:
        return Finding(f"nothing lies on {action.cell}", "action")
    if type(laid) is not Down:
        return Finding(f"the card on {action.cell} is up already", "action")
    if any(stray.source == "tower" for stray in step.strays):
        known = f"the down card on {action.cell} is {laid.card}" if laid.card is not UNSEEN else "it cannot lie there"
        return Finding(f"{action.card} cannot show on {action.cell}: {known}", "action")
    return None


def act05(step: Step, rulings: Rulings) -> Finding | None:
    """D: two own cards are sent; their sum or difference, adjusted by own cards destroyed, is the number of the card
    taken.
    """
    action = step.turn.action
    if not isinstance(action, Exchange):
        return None
    stray = _stray(step, "action", "hand", "front")
    if stray is not None:
        return stray
    signs = {sign for sign, _ in action.adjust}
    if "|" in signs and rulings.adjust != "up_to":
        return Finding("a destroyed card must change the result by one", "action")
    if rulings.adjust == "uniform" and len(signs) > 1:
        return Finding("the destroyed cards must all add or all subtract", "action")
    numbers = []
    for card in (action.first, action.second, action.taken):
        if isinstance(card, UnseenCard):
            return Finding("whether the sum is right: a card in it is unseen", "action", sure=False)
        if isinstance(card, FinishCard):
            finish = finish_number(step.before.board, rulings)
            if finish is None:
                return Finding("the Finish card has no number: it can be neither sent nor taken", "action")
            numbers.append(Value(finish))
        else:
            numbers.append(card)
    first, second, taken = numbers
    base = first + second if action.sign == "+" else abs(first - second)
    result = base + sum({"^": 1, "_": -1, "|": 0}[sign] for sign, _ in action.adjust)
    if result != taken:
        adjusted = f", adjusted {result}" if action.adjust else ""
        said = f"{first} and {second} have the {'sum' if action.sign == '+' else 'difference'} {base}{adjusted}"
        return Finding(f"{said}; the card taken is {taken}", "action")
    return None


def act06(step: Step, rulings: Rulings) -> Finding | None:
    """D: the card taken lies in the Reserve; [take_sent] says whether it may be one just sent."""
    action = step.turn.action
    if not isinstance(action, Exchange):
        return None
    if (
        rulings.take_sent == "forbidden"
        and action.taken is not UNSEEN
        and action.taken in (action.first, action.second)
    ):
        return Finding(f"{action.taken} was sent to the Reserve in this very turn", "action")
    return _stray(step, "action", "Reserve")


def act07(step: Step, rulings: Rulings) -> Finding | None:
    """D may replace a laid card, one that [replace_target] allows."""
    action = step.turn.action
    if not isinstance(action, Exchange) or action.replaced is None:
        return None
    laid = step.before.tower.cells.get(action.cell)
    if laid is None:
        return Finding(f"there is no card on {action.cell} to replace", "action")
    if type(laid) is not type(action.replaced):
        lies = "down" if type(laid) is Down else "up"
        return Finding(f"the card on {action.cell} lies {lies}, not as the record says", "action")
    if any(stray.source == "tower" for stray in step.strays):
        return Finding(f"the card on {action.cell} is {laid.card}, not {action.replaced.card}", "action")
    if rulings.replace_target == "facedown_only" and type(laid) is not Down:
        return Finding(f"only a down card may be replaced, and {laid.card} on {action.cell} is up", "action")
    board = step.before.board
    of_set_up = action.cell == board.anchor_cell and not step.before.anchor_moved
    if rulings.replace_target == "not_anchor" and of_set_up:
        return Finding(f"the {board.anchor} of the set-up may not be replaced", "action")
    return None


def act08(step: Step, rulings: Rulings) -> Finding | None:
    """D: the card taken is laid up, or down where [reserve_face] allows it; the Finish card never down, by B or by
    D.
    """
    action = step.turn.action
    if isinstance(action, LayDown):
        return Finding("the Finish card is never laid down", "action") if action.card is FINISH else None
    if not isinstance(action, Exchange) or action.face_up:
        return None
    if action.taken is FINISH:
        return Finding("the Finish card is never laid down", "action")
    if rulings.reserve_face == "up":
        return Finding(f"the card taken from the Reserve must be laid up, and {action.taken} is laid down", "action")
    return None
