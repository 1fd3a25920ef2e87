"""Whether a player has no legal action (ACT01, END03), as a formula over unseen cards.

Every action is asked for at once, not tried: a card of one's own on a free cell, up or down, and a card that some two
own cards pay for (ACT05) on a free or a taken one. [adjust] plays no part: with k further own cards every change from
-k to k can be had, by cards that all add or all subtract.
"""

from __future__ import annotations

from collections.abc import Iterator

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import FINISH, Card, FinishCard
from couperation_formal.rules.orders import orders
from couperation_formal.symbolic.cards import Hidden, known
from couperation_formal.symbolic.circuit import FALSE, TRUE, Formula, no
from couperation_formal.symbolic.orders import Laying, Placed, fillable, ordered
from couperation_formal.symbolic.shape import beside, inside
from couperation_formal.symbolic.table import Pile, Table, present


def no_action(table: Table, player: int) -> Formula:
    """Whether `player`, after the draw, has no legal action. Cost: cards times cells times the orders of a cell."""
    if any(placed.down for placed in table.tower.values()):
        return FALSE
    owned = table.owned(player)
    if not owned:
        return TRUE
    circuit = table.circuit
    own: Pile = {card: table.hands[player].get(card, FALSE) for card in owned}
    if FINISH in owned:
        own[FINISH] = table.front[player]
    # the number of cards in a hand is known though the cards are not: said like this, no solver has to count them
    glass = circuit.any_of([here for here, size in table.hand_cases(player) if size > 0])
    actions = []
    for cell, free in _free(table):
        for card in owned:
            actions.append(circuit.all_of((free, own[card], _up(table, table.tower, cell, known(card)))))
        actions.append(circuit.all_of((free, glass, _down(table, table.tower, cell))))
    takeable = _takeable(table, player, own)
    for cell, free, tower in (*((*place, table.tower) for place in _free(table)), *_replaceable(table)):
        either = circuit.both(table.choices.chooses("reserve_face", "either"), _down(table, tower, cell))
        for card, here in takeable.items():
            fits = _up(table, tower, cell, known(card))
            if card is not FINISH:
                fits = circuit.either(fits, either)
            actions.append(circuit.all_of((free, here, fits)))
    return no(circuit.any_of(actions))


def _free(table: Table) -> Iterator[tuple[Cell, Formula]]:
    """The empty cells on which the shape allows a card, each with the readings that allow it (TOW03 to TOW06)."""
    for cell in sorted(orders(table.cards.board).cells - table.tower.keys()):
        allowed = inside(table, cell)
        if cell.level > 1:
            if any(support not in table.tower for support in cell.supports):
                continue
        elif not beside(table, cell):
            allowed = table.circuit.both(allowed, table.choices.chooses("spread", "anywhere"))
        if allowed != FALSE:
            yield cell, allowed


def _replaceable(table: Table) -> Iterator[tuple[Cell, Formula, Laying]]:
    """The cells whose up card D may replace (ACT07), with the tower that is left."""
    choices = table.choices
    for cell in sorted(table.tower):
        allowed = no(choices.chooses("replace_target", "facedown_only"))
        if cell == table.cards.board.anchor_cell and not table.anchor_moved:
            allowed = table.circuit.both(allowed, no(choices.chooses("replace_target", "not_anchor")))
        yield cell, allowed, {other: placed for other, placed in table.tower.items() if other != cell}


def _up(table: Table, tower: Laying, cell: Cell, card: Hidden) -> Formula:
    """Whether the card may lie up on the cell; no card of the tower is down (TOW01, TOW02, TOW08)."""
    if cell.level == table.cards.board.levels and FINISH in table.cards.every and FINISH not in card:
        return FALSE
    after = {**tower, cell: Placed(card, False)}
    return table.circuit.both(*(ordered(table.cards, after, cell, clause) for clause in ("TOW01", "TOW02")))


def _down(table: Table, tower: Laying, cell: Cell) -> Formula:
    """Whether a Glass card may lie down on the cell (TOW07, TOW08)."""
    if cell.level == table.cards.board.levels:
        return FALSE
    return fillable(table.cards, {**tower, cell: Placed({}, True)})


def _takeable(table: Table, player: int, own: Pile) -> Pile:
    """For each card whether D can take it: some two own cards pay for it, with the others to adjust (ACT05, ACT06)."""
    circuit, choices = table.circuit, table.choices
    numbered = choices.chooses("finish_value", "25")
    again = choices.chooses("take_sent", "allowed")
    spare = _spare(table, player)
    paid: dict[Card, list[Formula]] = {}
    cards = list(own)
    for i, first in enumerate(cards):
        for second in cards[i + 1 :]:
            both = circuit.both(own[first], own[second])
            if FINISH in (first, second):
                both = circuit.both(both, numbered)
            if both == FALSE:
                continue
            for target in {*present(table.reserve), first, second}:
                there = table.reserve.get(target, FALSE)
                if target in (first, second):
                    there = circuit.either(there, again)
                change = _change(table, first, second, target)
                if change < len(spare):
                    paid.setdefault(target, []).append(circuit.all_of((both, there, spare[change])))
    takeable = {card: circuit.any_of(ways) for card, ways in paid.items()}
    if FINISH in takeable:
        takeable[FINISH] = circuit.both(takeable[FINISH], numbered)
    return takeable


def _change(table: Table, first: Card, second: Card, target: Card) -> int:
    """The least number of further cards with which two cards pay for `target`."""
    low, high, goal = (
        table.cards.board.anchor if isinstance(card, FinishCard) else card for card in (first, second, target)
    )
    return min(abs(low + high - goal), abs(abs(low - high) - goal))


def _spare(table: Table, player: int) -> list[Formula]:
    """Formula k says that the player has at least k cards beside two of one's own."""
    circuit, front = table.circuit, table.front[player]
    sizes: dict[int, Formula] = {}
    for here, size in table.hand_cases(player):
        for total, case in ((size, no(front)), (size + 1, front)):
            sizes[total] = circuit.either(sizes.get(total, FALSE), circuit.both(here, case))
    most = max(size for size, here in sizes.items() if here != FALSE)
    return [circuit.any_of([here for size, here in sizes.items() if size >= k + 2]) for k in range(max(most - 1, 0))]
