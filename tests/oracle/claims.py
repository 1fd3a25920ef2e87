"""What one written turn breaks: each part of the turn against the table, every clause named."""

from __future__ import annotations

from collections.abc import Iterable

from .game import (
    actions,
    counted_reserve,
    destroy,
    draw_limit,
    holds_all,
    laid_faults,
    may_replace,
    pass_on,
    perform,
    take_up,
)
from .reader import UNSEEN, Exchange, Turn
from .table import State, own_cards, with_hand
from .tower import Card, Cell, F, Game, number, place_faults

Codes = set[str]


def known_places(state: State) -> list[Card]:
    """Every card whose place outside the deck is known."""
    hands = [card for hand in state.hands for card in hand]
    front = [F] if state.front is not None else []
    return [*hands, *front, *state.reserve, *state.gone, *(card for card, _ in state.tower.values())]


def turn_faults(game: Game, names: tuple[str, ...], state: State, turn: Turn) -> tuple[Codes, State]:
    """Every clause that the turn breaks, and the table after it as far as it can be made out."""
    if state.result:
        return {"END04"}, state
    codes = set()
    if turn.number != state.turns + 1 or turn.name != names[state.to_move]:
        codes.add("END06")
    player = names.index(turn.name) if turn.name in names else state.to_move
    found, drawn = draw_faults(game, state, player, turn)
    codes |= found
    found, acted = action_faults(game, drawn, player, turn)
    codes |= found
    found, after = limit_faults(game, drawn, acted, player, turn)
    return codes | found, pass_on(after)


def draw_faults(game: Game, state: State, player: int, turn: Turn) -> tuple[Codes, State]:
    """DRW01 to DRW06, and SET06 for a card that cannot come from the deck."""
    codes = set()
    shown, deck = turn.draw, state.deck
    placed = known_places(state)
    for at, card in enumerate(shown):
        if card in placed or card in shown[:at] or (card == F and not game.finish):
            codes |= {"SET06", "DRW05"}
        elif at >= len(deck) or (deck[at] != card and (deck[at] != UNSEEN or card in deck)):
            codes.add("DRW05")
    left = deck[len(shown) :]
    amount = len([card for card in shown if card != F])
    if shown and shown[-1] == F:
        amount += 1
        if left and game.finish:
            codes.add("DRW06")
    clause, limit = draw_limit(game, state, player)
    exact = game.rulings["draw_amount"] == "exact" and clause != "DRW01"
    if amount > limit or (exact and amount < limit and left):
        codes.add(clause)
    hand = state.hands[player] + tuple(card for card in shown if card != F)
    front = player if F in shown else state.front
    return codes, with_hand(state, player, hand)._replace(deck=left, front=front)


def action_faults(game: Game, state: State, player: int, turn: Turn) -> tuple[Codes, State]:
    """The clauses of the action, with those of the tower."""
    letter = turn.action[0]
    if letter == "-":
        codes = {"ACT01"} if actions(game, state, player) else set()
        return codes, state._replace(result="stuck")
    if letter == "C":
        return open_faults(game, state, player, *turn.action[1:])
    if letter == "D":
        return exchange_faults(game, state, player, turn.action[1])
    return lay_faults(game, state, player, turn.action)


def lay_faults(game: Game, state: State, player: int, action: tuple) -> tuple[Codes, State]:
    """ACT02 or ACT03, ACT08, and the tower's clauses."""
    letter, card, cell = action
    codes = set()
    if card not in own_cards(state, player):
        codes |= {"ACT02" if letter == "A" else "ACT03", "SET06"}
    if letter == "B" and card == F:
        codes |= {"ACT03", "ACT08"}
    codes |= place_faults(game, state.tower, cell)
    if cell in state.tower:
        return codes, state
    codes |= laid_faults(game, state.tower, cell, card, letter == "A")
    return codes, perform(game, state, player, action)


def open_faults(game: Game, state: State, player: int, cell: Cell, shown: Card) -> tuple[Codes, State]:
    """ACT04, and SET06 where another card lies on the cell than the one shown."""
    card, up = state.tower.get(cell, (None, True))
    codes = {"ACT04"} if up or card != shown else set()
    if card != shown:
        codes.add("SET06")
    if up:
        return codes, state
    state = state._replace(tower={**state.tower, cell: (shown, False)})
    return codes, perform(game, state, player, ("C", cell))


def exchange_faults(game: Game, state: State, player: int, d: Exchange) -> tuple[Codes, State]:
    """ACT05 to ACT08, and the tower's clauses."""
    destroyed = [card for _, card in d.adjust]
    codes = set()
    if not holds_all(own_cards(state, player), [*d.sent, *destroyed]):
        codes |= {"ACT05", "SET06"}
    if number(game, d.taken) is None or number(game, d.taken) not in written_sums(game, d):
        codes.add("ACT05")
    if d.taken not in state.reserve and d.taken not in d.sent:
        codes |= {"ACT06", "SET06"}
    if d.taken not in state.reserve and game.rulings["take_sent"] == "forbidden":
        codes.add("ACT06")
    if not d.face_up and (d.taken == F or game.rulings["reserve_face"] == "up"):
        codes.add("ACT08")
    codes |= target_faults(game, state, d)
    blocked = d.replaced is None and d.cell in state.tower
    if not blocked:
        codes |= laid_faults(game, state.tower, d.cell, d.taken, d.face_up)
    after = perform(game, state, player, ("D", d.taken, d.cell, d.sent, destroyed, d.face_up, False))
    if d.replaced is not None:
        after = take_up(after, player, card_back(state, d))
        after = after._replace(anchor_moved=state.anchor_moved or d.cell == game.anchor_cell)
    return codes, after._replace(tower=state.tower, result=None) if blocked else after


def written_sums(game: Game, d: Exchange) -> set[int]:
    """ACT05: the numbers that the exchange makes as it is written; none where its marks are not allowed."""
    first, second = (number(game, card) for card in d.sent)
    marks = [mark for mark, _ in d.adjust]
    ruling = game.rulings["adjust"]
    if first is None or second is None or ("|" in marks and ruling != "up_to"):
        return set()
    if ruling == "uniform" and len(set(marks)) > 1:
        return set()
    base = first + second if d.sign == "+" else abs(first - second)
    return {base + marks.count("^") - marks.count("_")}


def target_faults(game: Game, state: State, d: Exchange) -> Codes:
    """ACT07 for a replacement that is written, TOW03 to TOW06 for a card laid anew."""
    if d.replaced is None:
        return set(place_faults(game, state.tower, d.cell))
    lies = state.tower.get(d.cell)
    card, up = d.replaced
    codes = set()
    if lies is None:
        codes |= {"ACT07", *place_faults(game, state.tower, d.cell)}
    elif lies[1] != up or card not in (lies[0], UNSEEN) or not may_replace(game, state, d.cell):
        codes.add("ACT07")
    if card != UNSEEN and (lies is None or lies[0] != card):
        codes.add("SET06")
    return codes


def card_back(drawn: State, d: Exchange) -> Card:
    """The card that D replaces, as it is told: the one that is written, or the one that lies there."""
    lies, _ = drawn.tower.get(d.cell, (UNSEEN, False))
    return lies if d.replaced[0] == UNSEEN else d.replaced[0]


def told_hand(drawn: State, player: int, action: tuple) -> int:
    """D3: the hand's size after the action, each card that it names taken to have been where it says. ``F`` is no hand
    card.
    """
    size = len(drawn.hands[player])
    if action[0] in "AB":
        return max(0, size - (action[1] != F))
    if action[0] != "D":
        return size
    d = action[1]
    for card in [*d.sent, *(card for _, card in d.adjust)]:
        size = max(0, size - (card != F))
    if d.replaced is None:
        return size
    return size + (card_back(drawn, d) != F)


def told_reserve(game: Game, drawn: State, action: tuple) -> int:
    """D3: how many cards of the Reserve count after the action, in the same way."""
    uncounted = F if game.rulings["finish_reserve_count"] == "no" else None
    size = sum(card != uncounted for card in drawn.reserve)
    if action[0] != "D":
        return size
    return size + sum(card != uncounted for card in action[1].sent) - (action[1].taken != uncounted)


def limit_faults(game: Game, drawn: State, state: State, player: int, turn: Turn) -> tuple[Codes, State]:
    """LIM01 and LIM02, and SET06 for a card that was not there to be destroyed. Nothing is once the game is over."""
    going = not state.result
    drops = going * max(0, told_hand(drawn, player, turn.action) - game.hand_limit)
    trims = going * max(0, told_reserve(game, drawn, turn.action) - game.reserve_sizes[game.players])
    codes = amount_faults("LIM01", turn.drop, state.hands[player], drops)
    codes |= amount_faults("LIM02", turn.trim, counted_reserve(game, state), trims)
    if not holds_all(own_cards(state, player), turn.drop) or not holds_all(state.reserve, turn.trim):
        codes.add("SET06")
    return codes, destroy(state, player, turn.drop, turn.trim)


def amount_faults(clause: str, cards: Iterable[Card], there: tuple[Card, ...], wanted: int) -> Codes:
    """`clause`, unless exactly `wanted` of the cards that are there were destroyed."""
    cards = tuple(cards)
    return set() if len(cards) == wanted and holds_all(there, cards) else {clause}
