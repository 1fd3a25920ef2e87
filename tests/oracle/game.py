"""Whole turns, naively: draw, act, keep the limits. Everything is generated and tested; nothing is clever.

An action is ("A", card, cell), ("B", card, cell), ("C", cell) or
("D", taken, cell, sent, destroyed, face_up, replacing) with frozensets `sent` and `destroyed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from .table import State, canonical, card_key, holds_all, in_order, own_cards, start, with_hand, without
from .tower import (
    Card,
    Cell,
    F,
    Game,
    Tower,
    all_cells,
    apex_faults,
    number,
    order_faults,
    outcome,
    place_faults,
    supports,
)

__all__ = [
    "Action",
    "Game",
    "State",
    "actions",
    "canonical",
    "card_key",
    "draws",
    "holds_all",
    "in_order",
    "limits",
    "reachable",
    "start",
    "successors",
]

Action = tuple[Any, ...]

# Drawing


def draw_limit(game: Game, state: State, player: int) -> tuple[str, int]:
    """The clause that sets the draw, and how many cards it allows."""
    cell = state.touched if game.rulings["draw_source"] == "opened" else state.laid
    if cell is None:
        return "DRW01", 1
    card, up = state.tower[cell]
    if not up or card == F:
        return "DRW04", max(0, game.refill - len(state.hands[player]))
    if game.marks[card] != "H":
        return "DRW02", int(game.marks[card])
    return "DRW03", heart_limit(game, state.tower, cell)


def heart_limit(game: Game, tower: Tower, cell: Cell) -> int:
    """DRW03: the diamonds below the heart on `cell`."""
    if cell[1] == 1:
        return 0
    below = [tower[support] for support in supports(cell)]
    marks = [game.marks[card] for card, up in below if up and card != F]
    if "H" in marks and game.rulings["hearts_below"] == "zero_all":
        return 0
    return sum(int(mark) for mark in marks if mark != "H")


def draw_once(state: State, player: int) -> State:
    """One card of the draw: the top of the deck; "F" goes in front and is replaced while there are cards (DRW06)."""
    top, deck = state.deck[0], state.deck[1:]
    if top == F:
        state = state._replace(front=player, deck=deck)
        return draw_once(state, player) if deck else state
    return with_hand(state, player, (*state.hands[player], top))._replace(deck=deck)


def draws(game: Game, state: State) -> list[State]:
    """The tables after every legal draw of the player to move."""
    player = state.to_move
    clause, limit = draw_limit(game, state, player)
    after = [state]
    while len(after) <= limit and after[-1].deck:
        after.append(draw_once(after[-1], player))
    if game.rulings["draw_amount"] == "exact" and clause != "DRW01":
        return after[-1:]
    return after


# Actions


def sums(game: Game, sent: Iterable[Card], destroyed: int) -> set[int]:
    """ACT05: every number that two sent cards and so many destroyed ones can make."""
    first, second = (number(game, card) for card in sent)
    if first is None or second is None:
        return set()
    changes = {
        "each": range(-destroyed, destroyed + 1, 2),
        "uniform": (-destroyed, destroyed),
        "up_to": range(-destroyed, destroyed + 1),
    }[game.rulings["adjust"]]
    return {base + change for base in (first + second, abs(first - second)) for change in changes}


def exchanges(game: Game, state: State, player: int) -> Iterator[tuple[Card, frozenset[Card], frozenset[Card]]]:
    """ACT05, ACT06: every (taken, sent, destroyed) that adds up, wherever the card may be laid."""
    own = own_cards(state, player)
    for sent in combinations(own, 2):
        rest = without(own, sent)
        reserve = state.reserve + (sent if game.rulings["take_sent"] == "allowed" else ())
        for amount in range(len(rest) + 1):
            makes = sums(game, sent, amount)
            for destroyed in combinations(rest, amount):
                for taken in reserve:
                    if number(game, taken) is not None and number(game, taken) in makes:
                        yield taken, frozenset(sent), frozenset(destroyed)


def may_replace(game: Game, state: State, cell: Cell) -> bool:
    """ACT07: whether the card on `cell` may be replaced."""
    ruling = game.rulings["replace_target"]
    if cell not in state.tower:
        return False
    if ruling == "facedown_only":
        return not state.tower[cell][1]
    return ruling == "any" or cell != game.anchor_cell or state.anchor_moved


def laid_faults(game: Game, tower: Tower, cell: Cell, card: Card, up: bool) -> frozenset[str]:
    """The orders and the apex, once `card` lies on `cell`."""
    tower = {**tower, cell: (card, up)}
    return order_faults(game, tower) | apex_faults(game, tower, cell)


def actions(game: Game, state: State, player: int) -> set[Action]:
    """Every legal action of `player` at a table after the draw."""
    laying = {*_lay_actions(game, state, player), *_exchange_actions(game, state, player)}
    return laying | set(_open_actions(state))


def _lay_actions(game: Game, state: State, player: int) -> Iterator[Action]:
    """A and B: every own card on every cell, up and down."""
    for cell in all_cells(game):
        if place_faults(game, state.tower, cell):
            continue
        for card in own_cards(state, player):
            if not laid_faults(game, state.tower, cell, card, True):
                yield "A", card, cell
            if card != F and not laid_faults(game, state.tower, cell, card, False):
                yield "B", card, cell


def _open_actions(state: State) -> Iterator[Action]:
    """C: every down card."""
    for cell, (_, up) in state.tower.items():
        if not up:
            yield "C", cell


def _exchange_actions(game: Game, state: State, player: int) -> Iterator[Action]:
    """D: every exchange, on every cell, up and down, new or in place of another card."""
    found = list(exchanges(game, state, player))
    for cell in all_cells(game):
        replacing = cell in state.tower
        if not may_replace(game, state, cell) if replacing else place_faults(game, state.tower, cell):
            continue
        for face_up in (True, False):
            if not face_up and game.rulings["reserve_face"] == "up":
                continue
            fits = {
                taken: (face_up or taken != F) and not laid_faults(game, state.tower, cell, taken, face_up)
                for taken, _, _ in found
            }
            for taken, sent, destroyed in found:
                if fits[taken]:
                    yield "D", taken, cell, sent, destroyed, face_up, replacing


def perform(game: Game, state: State, player: int, action: Action) -> State:
    """The table after `action`, before the limits. Cards that are not where they should be are passed over."""
    letter = action[0]
    if letter in "AB":
        _, card, cell = action
        state = _lay(_discard(state, player, [card]), cell, card, letter == "A")
    elif letter == "C":
        cell = action[1]
        card, _ = state.tower[cell]
        state = state._replace(tower={**state.tower, cell: (card, True)}, touched=cell)
    else:
        _, taken, cell, sent, destroyed, face_up, replacing = action
        state = _discard(state, player, [*sent, *destroyed])
        state = state._replace(reserve=without((*state.reserve, *sent), [taken]), gone=(*state.gone, *destroyed))
        old = state.tower.get(cell)
        state = _lay(state, cell, taken, face_up)
        if replacing and old:
            state = take_up(state, player, old[0])
            state = state._replace(anchor_moved=state.anchor_moved or cell == game.anchor_cell)
    return state._replace(result=outcome(game, state.tower, letter, cell))


def _discard(state: State, player: int, cards: list[Card]) -> State:
    """`player` gives these cards away, out of the hand or from in front."""
    front = None if F in cards and state.front == player else state.front
    return with_hand(state, player, without(state.hands[player], cards))._replace(front=front)


def _lay(state: State, cell: Cell, card: Card, up: bool) -> State:
    """`card` lies on `cell`, whatever lay there."""
    return state._replace(tower={**state.tower, cell: (card, up)}, laid=cell, touched=cell)


def take_up(state: State, player: int, card: Card) -> State:
    """ACT07: a replaced card comes to `player`."""
    if card == F:
        return state._replace(front=player)
    return with_hand(state, player, (*state.hands[player], card))


# Limits and whole turns


def counted_reserve(game: Game, state: State) -> tuple[Card, ...]:
    """The Reserve's cards that count toward its size, which are those that can be trimmed."""
    counts = game.rulings["finish_reserve_count"] == "yes"
    return tuple(card for card in state.reserve if counts or card != F)


def excess(game: Game, state: State, player: int) -> tuple[int, int]:
    """LIM01, LIM02: how many cards must be dropped and trimmed; none once the game is over."""
    if state.result:
        return 0, 0
    hand = len(state.hands[player]) - game.hand_limit
    reserve = len(counted_reserve(game, state)) - game.reserve_sizes[game.players]
    return max(0, hand), max(0, reserve)


def destroy(state: State, player: int, drop: Iterable[Card], trim: Iterable[Card]) -> State:
    """The table after these cards were dropped and trimmed."""
    drop, trim = tuple(drop), tuple(trim)
    state = with_hand(state, player, without(state.hands[player], drop))
    return state._replace(reserve=without(state.reserve, trim), gone=state.gone + drop + trim)


def limits(game: Game, state: State) -> list[State]:
    """The tables after every legal choice of drops and trims by the player to move."""
    player = state.to_move
    hand, reserve = excess(game, state, player)
    return [
        destroy(state, player, drop, trim)
        for drop in combinations(state.hands[player], hand)
        for trim in combinations(counted_reserve(game, state), reserve)
    ]


def pass_on(state: State) -> State:
    """The turn is over: it counts, and the next player is to move (also when the game has ended)."""
    return state._replace(turns=state.turns + 1, to_move=(state.to_move + 1) % len(state.hands))


def successors(game: Game, state: State) -> list[State]:
    """The tables after one full legal turn; none once the game is over. A stuck turn has the result "stuck"."""
    if state.result:
        return []
    after = []
    for drawn in draws(game, state):
        possible = actions(game, drawn, drawn.to_move)
        if not possible:
            after.append(drawn._replace(result="stuck"))
        for action in possible:
            after += limits(game, perform(game, drawn, drawn.to_move, action))
    return [pass_on(state) for state in after]


def reachable(game: Game, first: State, max_turns: int) -> dict[tuple[Any, ...], State]:
    """Every table that legal turns reach from `first` in at most `max_turns`, itself included, by canonical form."""
    found = {canonical(first): first}
    edge = [first]
    for _ in range(max_turns):
        ahead = {canonical(state): state for old in edge for state in successors(game, old)}
        edge = [state for form, state in ahead.items() if form not in found]
        found.update(ahead)
    return found
