"""Action D on a symbolic table (ACT05 to ACT08)."""

from __future__ import annotations

from couperation_formal.model.cards import FINISH, Down
from couperation_formal.model.record import Exchange
from couperation_formal.symbolic.cards import Hidden
from couperation_formal.symbolic.circuit import FALSE, Formula, no
from couperation_formal.symbolic.table import Mention, Table, present

_CHANGE = {"^": 1, "_": -1, "|": 0}


def exchange(table: Table, turn: int, player: int, action: Exchange) -> Hidden | None:
    """Ask the clauses of action D and take its cards; what it lays, None where it cannot be carried out."""
    old = table.tower.get(action.cell)
    if action.replaced is None:
        if old is not None:
            table.ask(turn, "TOW06", f"{action.cell} is empty", "action", FALSE)
            return None
    elif old is None or old.down != isinstance(action.replaced, Down):
        table.ask(turn, "ACT07", f"such a card lies on {action.cell}", "action", FALSE)
        return None
    sent = []
    spent = [action.first, action.second, *(card for _, card in action.adjust)]
    if len(spent) > max(size for _, size in table.hand_cases(player)) + 1:
        table.ask(turn, "ACT05", "the player has so many cards", "action", FALSE)
        return None
    for index, card in enumerate(spent):
        possible = table.owned(player)
        if not possible:
            table.ask(turn, "ACT05", "the player has so many cards", "action", FALSE)
            return None
        hidden = table.mention(Mention(turn, "action", index), card, possible)
        there = table.own(player, hidden, table.reserve if index < 2 else table.gone)
        table.ask(turn, "ACT05", f"card {index + 1} of the sum is the player's own", "action", there)
        sent.append(hidden)
    taken = table.mention(Mention(turn, "action", len(spent)), action.taken, present(table.reserve))
    there = table.move(taken, table.reserve, None)
    table.ask(turn, "ACT06", "the card taken is in the Reserve", "action", there)
    table.reserve_size += 1
    table.finish_astray = table.circuit.both(taken.get(FINISH, FALSE), no(there))
    _sent(table, turn, sent[0], sent[1], taken)
    _sum(table, turn, action, sent[0], sent[1], taken)
    _adjusted(table, turn, action)
    if not action.face_up:
        choices = table.choices
        table.ask(turn, "ACT08", "the card taken may lie down", "action", choices.chooses("reserve_face", "either"))
        table.ask(turn, "ACT08", "the card taken is not F", "action", no(taken.get(FINISH, FALSE)))
    if action.replaced is not None and old is not None:
        _replace(table, turn, player, action, old.card, old.down)
    return taken


def _sent(table: Table, turn: int, first: Hidden, second: Hidden, taken: Hidden) -> None:
    """The card taken is none of the two sent, under `take_sent=forbidden` (ACT06)."""
    both = table.circuit.both
    again = [both(here, sent.get(card, FALSE)) for sent in (first, second) for card, here in taken.items()]
    forbidden = table.choices.chooses("take_sent", "forbidden")
    table.ask(turn, "ACT06", "not sent in this turn", "action", no(both(forbidden, table.circuit.any_of(again))))


def _adjusted(table: Table, turn: int, action: Exchange) -> None:
    signs = {sign for sign, _ in action.adjust}
    choices = table.choices
    if "|" in signs:
        table.ask(turn, "ACT05", "a card without effect", "action", choices.chooses("adjust", "up_to"))
    if len(signs) > 1:
        table.ask(turn, "ACT05", "unlike adjustments", "action", no(choices.chooses("adjust", "uniform")))


def _sum(table: Table, turn: int, action: Exchange, first: Hidden, second: Hidden, taken: Hidden) -> None:
    """The numbers of the cards agree (ACT05) [finish_value]."""
    circuit, cards = table.circuit, table.cards
    without = no(table.choices.chooses("finish_value", "25"))
    finish = circuit.any_of([hidden.get(FINISH, FALSE) for hidden in (first, second, taken)])
    table.ask(turn, "ACT05", "F has a number", "action", no(circuit.both(without, finish)))
    change = sum(_CHANGE[sign] for sign, _ in action.adjust)
    fits: dict[int, Formula] = {}
    for here, number in cards.numbers(taken):
        fits[number] = circuit.either(fits.get(number, FALSE), here)
    rules = []
    for here, low in cards.numbers(first):
        for there, high in cards.numbers(second):
            base = low + high if action.sign == "+" else abs(low - high)
            rules.append(circuit.implies(circuit.both(here, there), fits.get(base + change, FALSE)))
    table.ask(turn, "ACT05", "the numbers agree", "action", circuit.all_of(rules))


def _replace(table: Table, turn: int, player: int, action: Exchange, old: Hidden, down: bool) -> None:
    """The replaced card goes to the player (ACT07) [replace_target]."""
    choices, board = table.choices, table.cards.board
    if action.replaced is not None:
        at = Mention(turn, "action", 3 + len(action.adjust))
        table.shows(at, "ACT07", f"lies on {action.cell}", old, action.replaced.card)
    if not down:
        allowed = no(choices.chooses("replace_target", "facedown_only"))
        table.ask(turn, "ACT07", "an up card may be replaced", "action", allowed)
    if action.cell == board.anchor_cell:
        if not table.anchor_moved:
            allowed = no(choices.chooses("replace_target", "not_anchor"))
            table.ask(turn, "ACT07", "the anchor may be replaced", "action", allowed)
        table.anchor_moved = True
    del table.tower[action.cell]
    table.receive(player, old)
