"""What it costs to take a number from the Reserve by action D, where few cards can be spent (ACT05, ACT06).

The theorem that makes these costs a lower bound is in the specification, `table.md`, "What a card taken costs".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from couperation_formal.model.cards import FINISH, FinishCard, UnseenCard
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.rules.orders import finish_number

NEVER = 99
"""More than any number of cards that can be spent."""

MOST_OWN = 12
"""With more own cards than these every number counts as one that D can make."""


class OwnCard(NamedTuple):
    """A number that can be sent, the player whose card it is (-1 for a card of the deck, which anyone may draw), and
    whether it is the Finish card's.
    """

    number: int
    owner: int
    finish: bool


class Costs(NamedTuple):
    """Cards spent beyond one for the cell: `taken[v]` when Glass card v is taken by D, `finish` to have the Finish card
    for the apex. NEVER where it cannot be.
    """

    taken: Sequence[int]
    finish: int


def taking(state: State, rulings: Rulings, spare: int) -> Costs:
    """What taking each card costs at least when at most `spare` cards can be spent beyond one a cell.

    The Finish card is not gone. Cost: quadratic in the own cards for one card to spare, cubic for two.
    """
    top = state.board.cards
    finish = finish_number(state.board, rulings)
    own = _own(state, rulings)
    if spare < 1:
        taken = [NEVER] * (top + 1)
    elif spare > 2 or own is None:
        taken = [1] * (top + 1)
    elif spare == 1:
        taken = _by_one(own, top)
    else:
        taken = _by_two(own, _laid(state), rulings, top)
    waits = state.variant == "finish" and FINISH in state.reserve.known
    needed = 0 if not waits else NEVER if finish is None else taken[finish]
    if spare == 1 and own is not None:
        _without_reserve(taken, state, rulings, own)
    return Costs(taken, needed)


def _own(state: State, rulings: Rulings) -> list[OwnCard] | None:
    """The numbers in hands, in front and in the deck; None where one is unseen or there are more than MOST_OWN."""
    if any(hand.unseen for hand in state.hands) or any(isinstance(card, UnseenCard) for card in state.deck):
        return None
    held = [(card, player) for player, hand in enumerate(state.hands) for card in hand.known]
    held += [(card, -1) for card in state.deck if not isinstance(card, UnseenCard)]
    if state.front is not None:
        held.append((FINISH, state.front))
    if len(held) > MOST_OWN:
        return None
    finish = finish_number(state.board, rulings)
    return [
        OwnCard(number, player, isinstance(card, FinishCard))
        for card, player in held
        if (number := finish if isinstance(card, FinishCard) else card) is not None
    ]


def _laid(state: State) -> list[int] | None:
    """The numbers of the laid Glass cards; None where a card is unseen."""
    cards = [lying.card for lying in state.tower.cells.values()]
    if any(isinstance(card, UnseenCard) for card in cards):
        return None
    return [card for card in cards if isinstance(card, int)]


def _one_player(cards: Iterable[OwnCard]) -> bool:
    return len({card.owner for card in cards} - {-1}) < 2


def _by_one(own: Sequence[OwnCard], top: int) -> list[int]:
    """One D is all there can be, and it destroys nothing: two own cards of one player make the number. The Finish card
    is not sent, as no second D could take it back.
    """
    costs = [NEVER] * (top + 1)
    for pair in combinations([card for card in own if not card.finish], 2):
        if _one_player(pair):
            _make(costs, pair[0].number, pair[1].number, (0,), 1)
    return costs


def _by_two(own: Sequence[OwnCard], laid: Sequence[int] | None, rulings: Rulings, top: int) -> list[int]:
    """Two D that destroy nothing, of which the second may send one card that the first replaced; or one D that destroys
    a card. If one sends the Finish card, the other takes it back.
    """
    if laid is None:
        return [1] * (top + 1)
    costs = [NEVER] * (top + 1)
    changes = (-1, 0, 1) if rulings.adjust == "up_to" else (-1, 1)
    numbers = [card.number for card in own if not card.finish]
    for sent in own:
        if sent.finish:
            for number in [*numbers, *laid]:
                _make(costs, sent.number, number, (0,), 2)
    for triple in combinations([card for card in own if not card.finish], 3):
        if _one_player(triple):
            for one, other in combinations(triple, 2):
                _make(costs, one.number, other.number, changes, 2)
    for first, second in [*combinations(numbers, 2), *((a, b) for a in numbers for b in laid)]:
        _make(costs, first, second, (0,), 1)
    return costs


def _make(costs: list[int], first: int, second: int, changes: Sequence[int], cost: int) -> None:
    for base in (first + second, abs(first - second)):
        for change in changes:
            if 0 < base + change < len(costs):
                costs[base + change] = cost


def _without_reserve(taken: list[int], state: State, rulings: Rulings, own: Sequence[OwnCard]) -> None:
    """Where one D is all there can be, a card that is not in the Reserve is taken only by the D that sends it, together
    with twice its number; a card that lies in the tower not at all.
    """
    glass = {card.number for card in own if not card.finish}
    pairs = [pair for pair in combinations([card for card in own if not card.finish], 2) if _one_player(pair)]
    itself = {min(a.number, b.number) for a, b in pairs if max(a.number, b.number) == 2 * min(a.number, b.number)}
    laid = {lying.card for lying in state.tower.cells.values() if isinstance(lying.card, int)}
    for value in glass | laid:
        taken[value] = 1 if rulings.take_sent == "allowed" and value in itself and value not in laid else NEVER
