"""A table where games are made: the deal, and one whole turn as a player decides it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol

import msgspec

from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.cards import FINISH, Card, Mark, Shown, Value, Variant, card_key
from couperation_formal.model.fact import Unfit, fact
from couperation_formal.model.record import NoAction, Record, Turn
from couperation_formal.model.rulings import Rules, Rulings
from couperation_formal.model.state import Pile, State
from couperation_formal.notation.write import header_tags
from couperation_formal.rules.drawing import draw_limit, fill_limit
from couperation_formal.rules.ending import counted, ending
from couperation_formal.rules.moves import Move, legal_actions
from couperation_formal.rules.step import Step, carry_out

_MARKS: tuple[Mark, ...] = ("1", "2", "H")
_MARK_WEIGHTS = (3, 2, 1)


class Player(Protocol):
    """Who decides in the turns of a game. Every state is fully seen; a player looks at no more of it than it says."""

    def amount(self, state: State, amounts: tuple[int, ...], /) -> int:
        """How many cards to draw: one of `amounts`, which rise."""

    def action(self, state: State, actions: tuple[Move, ...], /) -> Move:
        """What to do in `state`, which stands after the draw: one of `actions`, of which there is at least one."""

    def destroy(self, state: State, cards: tuple[Card, ...], count: int, /) -> tuple[Card, ...]:
        """Which `count` of `cards`, too many for a hand or the Reserve, to destroy; `state` stands after the
        action.
        """


def deal(
    players: tuple[str, ...],
    variant: Variant,
    rules: Rules,
    seed: int,
    board: Board = STANDARD,
    marks: Mapping[Value, Mark] | None = None,
    event: str | None = None,
) -> Record:
    """The start of a game: a record without turns whose set-up is shown in full, the same for the same arguments.

    Without `marks` every card gets a random one, half of them one diamond, a third two. The Finish card is shuffled
    into the half that [finish_half] names, so that SET05 has nothing to warn of. Raises `ValueError` when the board has
    no Reserve for so many players, or too few cards.
    """
    size = board.reserve_size(len(players))
    if size is None:
        raise Unfit(fact("no_reserve", players=len(players)))
    rng = Random(seed)
    values = [Value(value) for value in range(1, board.cards + 1)]
    if marks is None:
        marks = dict(zip(values, rng.choices(_MARKS, _MARK_WEIGHTS, k=board.cards), strict=True))
    least, greatest = values[0], values[-1]
    cards: list[Card] = [value for value in values if value not in (least, board.anchor, greatest)]
    rng.shuffle(cards)
    if len(cards) < board.deal * len(players) + size - 2:
        raise Unfit(fact("few_cards", cards=board.cards, players=len(players)))
    deals: dict[str, tuple[Shown, ...]] = {}
    for name in players:
        deals[name], cards = tuple(cards[: board.deal]), cards[board.deal :]
    reserve, deck = (least, greatest, *cards[: size - 2]), cards[size - 2 :]
    if variant == "finish":
        glass = len(deck)
        top = rules.rulings.finish_half == "top"
        deck.insert(rng.randint(0, (glass + 1) // 2) if top else rng.randint(glass // 2, glass), FINISH)
    return Record(
        tags=header_tags(players, rules, variant, marks, event),
        players=players,
        rules=rules,
        variant=variant,
        marks=dict(marks),
        deals=deals,
        reserve=reserve,
        deck=tuple(deck),
    )


def draw_amounts(state: State, rulings: Rulings) -> tuple[int, ...]:
    """The legal amounts of the next draw, rising (DRW01 to DRW06). The state is fully seen."""
    limit = draw_limit(state, state.to_move, rulings)
    held = len(state.deck) - (FINISH in state.deck[:-1])
    most = min(limit.amounts[-1], held)
    if limit.clause == "DRW04":
        return _to_fill(most, rulings)
    if rulings.draw_amount == "exact" and limit.clause != "DRW01":
        return (most,)
    return tuple(range(most + 1))


def fill_amounts(step: Step, rulings: Rulings) -> tuple[int, ...]:
    """The legal amounts of cards to draw after the action, rising (DRW04); none but 0 as a rule. All is fully seen."""
    return _to_fill(min(fill_limit(step, rulings), len(step.deck)), rulings)


def _to_fill(most: int, rulings: Rulings) -> tuple[int, ...]:
    """The amounts that may fill a hand, which lacks `most` cards or has as many from the deck at most."""
    if rulings.draw_amount == "exact":
        return (most,)
    return (0, most) if most and rulings.refill_amount == "all_or_none" else tuple(range(most + 1))


def top_cards(deck: tuple[Shown, ...], amount: int) -> tuple[Shown, ...]:
    """The cards that a draw of `amount` takes off `deck`, which holds so many: the Finish card brings its replacement
    with it (DRW06).
    """
    with_finish = FINISH in deck[:amount] and amount < len(deck)
    return deck[: amount + with_finish]


def take_turn(state: State, player: Player, rulings: Rulings) -> tuple[Turn, State]:
    """The next turn as `player` decides it, and the state after it, with the result when the game has ended.

    `state` is fully seen and its game not over. Without a legal action the turn is ``-`` (ACT01). Cost: that of
    `legal_actions`, and of the player's choices.
    """
    seat = state.to_move
    draw = top_cards(state.deck, player.amount(state, draw_amounts(state, rulings)))
    turn = Turn(state.turns + 1, state.players[seat], draw, NoAction())
    drawn = carry_out(state, turn, seat).drawn
    actions = legal_actions(drawn, seat, rulings).actions
    if actions:
        turn = msgspec.structs.replace(turn, action=player.action(drawn, actions))
    step = carry_out(state, turn, seat)
    end = ending(step, rulings)
    if end is not None and end != "unknown":
        return turn, msgspec.structs.replace(step.after, result=end)
    if not actions:
        return turn, step.after
    fills = fill_amounts(step, rulings)
    if fills[-1]:
        turn = msgspec.structs.replace(turn, fill=step.deck[: player.amount(step.acted, fills)])
        step = carry_out(state, turn, seat)
    drop, trim = _limits(step.filled, seat, player, rulings)
    if not drop and not trim:
        return turn, step.after
    turn = msgspec.structs.replace(turn, drop=drop, trim=trim)
    return turn, carry_out(state, turn, seat).after


def _limits(state: State, seat: int, player: Player, rulings: Rulings) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """What is dropped and what is trimmed (LIM01, LIM02)."""
    hand, reserve = state.hands[seat], state.reserve
    drop: tuple[Card, ...] = ()
    trim: tuple[Card, ...] = ()
    limit, size = state.board.hand_limit, state.reserve_size
    if hand.size > limit:
        drop = player.destroy(state, _listed(hand), hand.size - limit)
    extra = 0 if size is None else counted(reserve, rulings) - size
    if extra > 0:
        cards = _listed(reserve)
        if rulings.finish_reserve_count == "no":
            cards = tuple(card for card in cards if card is not FINISH)
        trim = player.destroy(state, cards, extra)
    return drop, trim


def _listed(pile: Pile) -> tuple[Card, ...]:
    return tuple(sorted(pile.known, key=card_key))
