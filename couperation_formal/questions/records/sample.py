"""Whole sample games: the deal, players that decide each turn, and a game from both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import inf
from random import Random
from typing import Literal, NamedTuple, Protocol, get_args

import msgspec

from couperation_formal.game.fact import Unfit, fact, numbers, of_type
from couperation_formal.game.record import Exchange, LayDown, LayUp, NoAction, Open, Record, Turn
from couperation_formal.game.rules.arrangement import extension_key, number, shown_on
from couperation_formal.game.rules.moves import Move, legal_actions
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rules.step import Step, carry_out
from couperation_formal.game.rules.turn import counted, draw_limit, ending, fill_limit
from couperation_formal.game.rulings import Rules, Rulings, parse_rules, taggable
from couperation_formal.game.seen import seen_record
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import (
    FINISH,
    STANDARD,
    Board,
    Card,
    Cell,
    Down,
    FinishCard,
    Mark,
    Shown,
    Value,
    Variant,
    card_key,
)
from couperation_formal.notation.write import header_tags
from couperation_formal.questions.records.taken import names_of, rules_of, word

# A table where games are made: the deal, and one whole turn as a player decides it.

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


# Two ways to play: at random, and with care to win.

_KIND_WEIGHTS: dict[type[Move], float] = {LayUp: 8, LayDown: 3, Open: 0.2, Exchange: 5}

# The careful player's measures, found by trial; only their proportions matter.
_OPEN_CELL = 0.3  # a cell that is still to be filled
_TIGHT_CELL = 1.0  # the same cell, divided by half a card more than the cards that fit there
_DOWN = 0.6  # a down card that fits where it lies and waits to be opened
_MISFIT = 2.5  # a card that lies where it cannot stay, and each number by which an up card is out of place
_CARD = 0.3  # a card of one's own spent beyond one a turn
_RUIN = 1000.0  # what makes the game hopeless


class RandomPlayer:
    """Plays legally and without a plan: first the kind of action (A often, C seldom), then one of that kind."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(f"random {seed}")

    def amount(self, _state: State, amounts: tuple[int, ...]) -> int:
        """A legal amount, rather more than fewer."""
        return self._rng.choices(amounts, [1 + 4 * amount for amount in amounts])[0]

    def action(self, _state: State, actions: tuple[Move, ...]) -> Move:
        """A legal action."""
        kinds = [kind for kind in _KIND_WEIGHTS if any(type(action) is kind for action in actions)]
        (kind,) = self._rng.choices(kinds, [_KIND_WEIGHTS[kind] for kind in kinds])
        return self._rng.choice([action for action in actions if type(action) is kind])

    def destroy(self, _state: State, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
        """Any of the cards."""
        return tuple(self._rng.sample(cards, count))


class CarefulPlayer:
    """Plays to win: leaves room in the tower for the cards that are still about, and spends few cards.

    It knows its own hand, the Reserve, the destroyed cards and what every down card is, but neither the deck's order
    nor who of the others has which card.
    """

    def __init__(self, seed: int, rulings: Rulings) -> None:
        self._rng = Random(f"careful {seed}")
        self._rulings = rulings

    def amount(self, state: State, amounts: tuple[int, ...]) -> int:
        """As many as stay in hand after an action that takes one card; else the fewest."""
        room = state.board.hand_limit + 1 - state.hands[state.to_move].size
        return max((amount for amount in amounts if amount <= room), default=amounts[0])

    def action(self, state: State, actions: tuple[Move, ...]) -> Move:
        """The action that leaves the best prospects; equals are chosen from at random."""
        prospects: dict[object, float] = {}
        worths = []
        for action in actions:
            key: object = action
            cost = 0.0
            if isinstance(action, Exchange):  # looked at once for all the ways to pay for it
                key = action.taken, action.cell, action.face_up
                cost = _CARD * (1 + len(action.adjust))
                if any(isinstance(card, FinishCard) for _, card in action.adjust):
                    cost += _RUIN
            if key not in prospects:
                prospects[key] = self._prospect(state, action)
            worths.append(prospects[key] - cost)
        most = max(worths)
        return self._rng.choice([action for action, worth in zip(actions, worths, strict=True) if worth == most])

    def destroy(self, state: State, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
        """The cards that would fit the fewest cells still to be filled, the Finish card last."""
        windows = _outlook(state, self._rulings).windows

        def use(card: Card) -> tuple[float, tuple[int, int]]:
            fits = inf if isinstance(card, FinishCard) else sum(low <= card <= high for low, high in windows)
            return fits, card_key(card)

        return tuple(sorted(cards, key=use)[:count])

    def _prospect(self, state: State, action: Move) -> float:
        """How good the table is after `action`: without bounds when it wins, hopeless when it loses."""
        turn = Turn(state.turns + 1, state.players[state.to_move], (), action)
        step = carry_out(state, turn, state.to_move)
        end = ending(step, self._rulings)
        if end is not None:
            return inf if end == "win" else -2 * _RUIN
        return _outlook(step.acted, self._rulings).worth


class _Pyramid(NamedTuple):
    """The cells to be filled, each after all that are below it in the orders; `below[i]` are the places of the one or
    two cells from which all orders to cell i follow when the tower is full.
    """

    cells: tuple[Cell, ...]
    below: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def _pyramid(board: Board, left: int) -> _Pyramid:
    cells = tuple(sorted(board.pyramid(left), key=extension_key))
    place = {cell: i for i, cell in enumerate(cells)}
    covers = [(Cell(column - 1, level + 1), Cell(column, level - 1)) for column, level in cells]
    return _Pyramid(cells, tuple(tuple(place[cell] for cell in pair if cell in place) for pair in covers))


class _Outlook(NamedTuple):
    """The windows of the cells that are still to be filled, and what the table is worth."""

    windows: list[tuple[int, int]]
    worth: float


def _outlook(state: State, rulings: Rulings) -> _Outlook:
    """The outlook for the pyramid nearest to the middle that the tower allows. Cost: some tens of microseconds."""
    board, tower = state.board, state.tower
    pyramid = _pyramid(board, min(max(board.middle, tower.first), tower.last))
    fixed: list[int | None] = []
    for cell in pyramid.cells:
        laid = tower.cells.get(cell)
        finish = shown_on(board, cell, rulings)
        awaited = state.variant == "finish" and cell.level == board.levels
        fixed.append(number(laid, finish) if laid else finish if awaited else None)
    low, high, strain = _bounds(fixed, pyramid, board.cards)
    spent = {*fixed, *state.gone.known}
    about = list(accumulate((value not in spent for value in range(1, board.cards + 1)), initial=0))
    windows = []
    worth = -_MISFIT * (strain + _misplaced(state, rulings))
    for i, cell in enumerate(pyramid.cells):
        if fixed[i] is None:
            windows.append((low[i], high[i]))
            fitting = about[high[i]] - about[low[i] - 1] if low[i] <= high[i] else 0
            worth -= _OPEN_CELL + _TIGHT_CELL / (fitting + 0.5)
            laid = tower.cells.get(cell)
            if isinstance(laid, Down) and isinstance(laid.card, int):
                worth -= _DOWN if low[i] <= laid.card <= high[i] else _MISFIT
    return _Outlook(windows, worth)


def _bounds(fixed: list[int | None], pyramid: _Pyramid, greatest: int) -> tuple[list[int], list[int], int]:
    """The least and the greatest number of every cell, room for all the others counted in as if every order were
    strict; and how far the fixed numbers are from leaving that room.
    """
    low: list[int] = []
    strain = 0
    for value, below in zip(fixed, pyramid.below, strict=True):
        least = max((low[j] + 1 for j in below), default=1)
        if value is not None:
            strain += max(0, least - value)
        low.append(least if value is None else value)
    high = [greatest if value is None else value for value in fixed]
    for i in reversed(range(len(high))):
        for j in pyramid.below[i]:
            if fixed[j] is None:
                high[j] = min(high[j], high[i] - 1)
    return [min(value, greatest + 1) for value in low], [max(value, 0) for value in high], strain


def _misplaced(state: State, rulings: Rulings) -> int:
    """How many up cards have to be replaced before the game can be won: the Finish card below the apex that waits for
    it, an apex over down cards.
    """
    count = 0
    for cell, laid in state.tower.cells.items():
        apex = cell.level == state.board.levels
        if state.variant == "finish" and isinstance(laid.card, FinishCard) and not apex:
            count += 1
        if apex and state.tower.down and rulings.early_apex != "win_on_completion":
            count += 1
    return count


# Complete legal games, and what a recorder at the table sees of a game.

PLAYER_NAMES = ("Aki", "Ben", "Chie", "Dai")

Policy = Literal["careful", "random"]


def sample_game(
    players: int | Sequence[str] | str = 2,
    variant: Variant = "first",
    rules: Rules | str | None = None,
    seed: int = 0,
    policy: Policy = "careful",
    public: bool = False,
    board: Board = STANDARD,
) -> Record:
    """A complete legal game, its result stated; the same for the same arguments. All players follow `policy`; they are
    so many, or have these names, or those of a text.

    With `public` it is shown as a recorder at the table sees it (`game.seen`). A rulebook of the user's own is named
    by a known one and its changes. Raises `ValueError` for a number of players that the board has no Reserve for. Cost:
    some tens of milliseconds at random, a few tenths of a second with care.
    """
    numbers(seed=seed)
    word("variant", variant, get_args(Variant))
    word("policy", policy, get_args(Policy))
    of_type("board", board, Board, "board")
    players = names_of(players)
    names = PLAYER_NAMES[:players] if isinstance(players, int) else players
    count = players if isinstance(players, int) else len(names)
    if board.reserve_size(count) is None or count != len(names):
        raise Unfit(fact("no_game_for", players=count))
    rules = taggable(rules_of(rules) or parse_rules(""))
    start = deal(names, variant, rules, seed, board, event=f"sample, seed {seed}, {policy}")
    state = starting_state(setup_of(start, board))
    player: Player = RandomPlayer(seed) if policy == "random" else CarefulPlayer(seed, rules.rulings)
    turns: list[Turn] = []
    while state.result is None:
        turn, state = take_turn(state, player, rules.rulings)
        turns.append(turn)
    record = msgspec.structs.replace(start, turns=tuple(turns), result=state.result)
    return seen_record(record) if public else record
