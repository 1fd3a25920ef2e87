"""Games made in code: the deal, players that decide each turn, sample games, and a table that is played on by hand."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, islice, product
from math import inf
from random import Random
from typing import Literal, NamedTuple, Protocol, Self, get_args

from msgspec.structs import replace

from couperation_formal.game import tower as towers
from couperation_formal.game.fact import Mistaken, Steps, Unfit, numbers, of_type
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Action, Exchange, Game, NoAction, Outcome, Position, Record, Turn, short
from couperation_formal.game.replay import replay
from couperation_formal.game.rules.arrangement import extension_key, shown_on, up_numbers
from couperation_formal.game.rules.moves import Move, legal_actions
from couperation_formal.game.rules.setup import setup_of, starting_state
from couperation_formal.game.rules.step import Step, carry_out
from couperation_formal.game.rules.turn import counted, draw_limit, ending, fill_limit
from couperation_formal.game.rulings import Rules, Rulings, parse_rules, taggable, unknown
from couperation_formal.game.seen import seen_record
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Card, Mark, Shown, Value, Variant, card_key
from couperation_formal.notation.parse import CARDS
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import header_tags, record_text
from couperation_formal.output.report import Report
from couperation_formal.questions.records import check, states
from couperation_formal.towers.completion.answer import Completable, complete
from couperation_formal.towers.continuation.answer import Unknown, Won, answer as table_answer

# A table where games are made: the deal, and one whole turn as a player decides it.

_MARK_WEIGHTS = (3, 2, 1)
"""Of one diamond, two and a heart."""


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
    event: str | None = None,
) -> Record:
    """The start of a game: a record without turns whose set-up is shown in full, the same for the same arguments.

    Every card gets a random mark, half of them one diamond, a third two. The Finish card is shuffled
    into the half that [finish_half] names, so that SET05 has nothing to warn of. Raises `ValueError` when the board has
    no Reserve for so many players, or too few cards.
    """
    size = board.reserve_size(len(players))
    if size is None:
        raise Unfit("no_reserve", players=len(players))
    rng = Random(seed)
    values = [Value(value) for value in range(1, board.cards + 1)]
    marks = dict(zip(values, rng.choices(get_args(Mark), _MARK_WEIGHTS, k=board.cards), strict=True))
    least, greatest = values[0], values[-1]
    cards: list[Card] = [value for value in values if value not in (least, board.anchor, greatest)]
    rng.shuffle(cards)
    if len(cards) < board.deal * len(players) + size - 2:
        raise Unfit("few_cards", cards=board.cards, players=len(players))
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
        marks=marks,
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


def limited(
    state: State, player: int, rulings: Rulings, needed: frozenset[int]
) -> Iterator[tuple[tuple[Shown, ...], tuple[Shown, ...], State]]:
    """Each choice of cards that `player` may destroy after an action (LIM01, LIM02), those that are not `needed`
    first: the drop, the trim, the state after them.
    """
    hand, reserve = state.hands[player], state.reserve
    drops, trims = _too_many(state, player, rulings)
    trimming = list(_choices(reserve, trims, needed, counted(reserve, rulings) < reserve.size))
    for dropped, trimmed in product(_choices(hand, drops, needed, False), trimming):
        gone = state.gone
        for card in (*dropped, *trimmed):
            gone = gone.add(card)
        hands = list(state.hands)
        hands[player] = _without(hand, dropped)
        after = replace(state, hands=tuple(hands), reserve=_without(reserve, trimmed), gone=gone)
        yield dropped, trimmed, after


def _too_many(state: State, player: int, rulings: Rulings) -> tuple[int, int]:
    """How many cards of a hand and of the Reserve have to be destroyed (LIM01, LIM02)."""
    trims = 0 if state.reserve_size is None else counted(state.reserve, rulings) - state.reserve_size
    return max(0, state.hands[player].size - state.board.hand_limit), max(0, trims)


def _choices(pile: Pile, count: int, needed: frozenset[int], finish_stays: bool) -> Iterator[tuple[Shown, ...]]:
    """Every choice of so many cards out of a pile, unseen ones alike; those not `needed` first."""

    def rank(card: Card) -> tuple[bool, bool, tuple[int, int]]:
        return card is FINISH, card in needed, card_key(card)

    known = sorted((card for card in pile.known if not (finish_stays and card is FINISH)), key=rank)
    for unseen in range(min(count, pile.unseen) + 1):
        for chosen in combinations(known, count - unseen):
            yield (*chosen, *(UNSEEN,) * unseen)


def _without(pile: Pile, cards: tuple[Shown, ...]) -> Pile:
    """The pile without these cards, the unseen ones among them being unseen ones of the pile."""
    known = pile.known.difference(cards)
    return Pile(known, pile.size - len(cards) - len(known))


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
    if not actions:
        step = carry_out(state, turn, seat)
        end = ending(step, rulings)
        return turn, step.after if end in (None, "unknown") else replace(step.after, result=end)
    return finished(state, replace(turn, action=player.action(drawn, actions)), player, rulings)


def finished(state: State, turn: Turn, player: Player, rulings: Rulings) -> tuple[Turn, State]:
    """A turn with its action, and with what `player` then fills, drops and trims; the state after it."""
    seat = state.to_move
    step = carry_out(state, turn, seat)
    end = ending(step, rulings)
    if end is not None and end != "unknown":
        return turn, replace(step.after, result=end)
    fills = fill_amounts(step, rulings)
    if fills[-1]:
        turn = replace(turn, fill=step.deck[: player.amount(step.acted, fills)])
        step = carry_out(state, turn, seat)
    filled = step.filled
    hand, row = (tuple(sorted(pile.known, key=card_key)) for pile in (filled.hands[seat], filled.reserve))
    if rulings.finish_reserve_count == "no":
        row = tuple(card for card in row if card is not FINISH)
    drops, trims = _too_many(filled, seat, rulings)
    if not drops and not trims:
        return turn, step.after
    drop = player.destroy(filled, hand, drops) if drops else ()
    turn = replace(turn, drop=drop, trim=player.destroy(filled, row, trims) if trims else ())
    return turn, carry_out(state, turn, seat).after


# Ways to play: at random, with care to win, with errors, and asking before each action.

_KIND_WEIGHTS: dict[type[Move], float] = dict(zip(get_args(Move), (8, 3, 0.2, 5), strict=True))
"""Of laying a card up or down, opening one, and exchanging."""

# The careful player's measures, found by trial; only their proportions matter.
_OPEN_CELL = 0.3  # a cell that is still to be filled
_TIGHT_CELL = 1.0  # the same cell, divided by half a card more than the cards that fit there
_DOWN = 0.6  # a down card that fits where it lies and waits to be opened
_MISFIT = 2.5  # a card that lies where it cannot stay, and each number by which an up card is out of place
_CARD = 0.3  # a card of one's own spent beyond one a turn
_RUIN = 1000.0  # what makes the game hopeless

_TURN, _ASKED = 20_000, 4
"""The steps that a turn's questions about the table take, and to how many of these they suffice."""


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
        self.rng = Random(f"careful {seed}")
        self._rulings = rulings

    def amount(self, state: State, amounts: tuple[int, ...]) -> int:
        """As many as stay in hand after an action that takes one card; else the fewest."""
        room = state.board.hand_limit + 1 - state.hands[state.to_move].size
        return max((amount for amount in amounts if amount <= room), default=amounts[0])

    def action(self, state: State, actions: tuple[Move, ...]) -> Move:
        """The action that leaves the best prospects; equals are chosen from at random."""
        worths = self.worths(state, actions)
        most = max(worths)
        return self.rng.choice([action for action, worth in zip(actions, worths, strict=True) if worth == most])

    def worths(self, state: State, actions: tuple[Move, ...]) -> list[float]:
        """The prospects after each action."""
        prospects: dict[object, float] = {}
        worths = []
        for action in actions:
            key: object = action
            cost = 0.0
            if isinstance(action, Exchange):  # looked at once for all the ways to pay for it
                key = action.taken, action.cell, action.face_up
                cost = _CARD * (1 + len(action.adjust))
                if any(card is FINISH for _, card in action.adjust):
                    cost += _RUIN
            if key not in prospects:
                prospects[key] = self._prospect(state, action)
            worths.append(prospects[key] - cost)
        return worths

    def destroy(self, state: State, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
        """The cards that would fit the fewest cells still to be filled, the Finish card last."""
        return self.spared(state, cards)[:count]

    def spared(self, state: State, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards, those of least use first."""
        windows = _outlook(state, self._rulings).windows

        def use(card: Card) -> tuple[float, tuple[int, int]]:
            fits = sum(low <= card <= high for low, high in windows) if isinstance(card, int) else inf
            return fits, card_key(card)

        return tuple(sorted(cards, key=use))

    def _prospect(self, state: State, action: Move) -> float:
        """How good the table is after `action`: without bounds when it wins, hopeless when it loses."""
        turn = Turn(state.turns + 1, state.players[state.to_move], (), action)
        step = carry_out(state, turn, state.to_move)
        end = ending(step, self._rulings)
        if end is not None:
            return inf if end == "win" else -2 * _RUIN
        return _outlook(step.acted, self._rulings).worth


class AskingPlayer(CarefulPlayer):
    """Plays with care, but asks before it acts: of the actions, the best first, it takes the first after which the
    cards that are left can complete the tower. With a budget, so many steps a turn, it asks besides whether the table
    can still be won, which is to look at the deck and at all hands: it takes the first action after which it knows a
    line that wins, else the first of which it knows nothing. Where all is lost it plays as the careful one.
    """

    def __init__(self, seed: int, rules: Rules, board: Board = STANDARD, budget: int = 0) -> None:
        super().__init__(seed, rules.rulings)
        self._rules, self._board, self._budget = rules, board, budget

    def action(self, state: State, actions: tuple[Move, ...]) -> Move:
        """The first action that an answer speaks for. Cost: a question or two for each action until then."""
        worths, steps = self.worths(state, actions), Steps(self._budget)
        ranked = sorted(range(len(actions)), key=lambda at: (-worths[at], self.rng.random()))
        unknown = None
        for at in ranked:
            turn = Turn(state.turns + 1, state.players[state.to_move], (), actions[at])
            answer = self._alive(finished(state, turn, self, self._rules.rulings)[1], steps)
            if answer:
                return actions[at]
            unknown = at if answer is None and unknown is None else unknown
            if unknown is not None and not steps.left:
                break
        return actions[ranked[0] if unknown is None else unknown]

    def destroy(self, state: State, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
        """The cards of least use whose loss leaves enough for the tower."""
        spared = self.spared(state, cards)
        ways = (each for each in combinations(spared, count) if self._stands(state, each))
        return next(ways, spared[:count])

    def _stands(self, state: State, lost: tuple[Card, ...] = ()) -> bool:
        """Whether the cards that are left without these can complete the tower."""
        position = position_of(state, self._rules, ())
        return isinstance(complete(replace(position, gone=position.gone + lost), self._board), Completable)

    def _alive(self, state: State, steps: Steps) -> bool | None:
        """Whether the tower can be completed and, with a budget, the table be won; None where that is not known."""
        if state.result is not None or not self._stands(state):
            return state.result == "win"
        if not self._budget:
            return True
        with steps.at_most(self._budget // _ASKED):
            found = table_answer(state, self._rules.rulings, steps) if steps.left else None
        return None if found is None or isinstance(found, Unknown) else isinstance(found, Won)


class ErringPlayer:
    """Decides as another player does, but with probability `rate` at random (an epsilon-greedy player)."""

    def __init__(self, seed: int, player: Player, rate: float) -> None:
        self._rng, self._rate = Random(f"erring {seed}"), rate
        self._players: tuple[Player, Player] = (player, RandomPlayer(seed))

    def amount(self, state: State, amounts: tuple[int, ...]) -> int:
        """The amount of one of the two."""
        return self._one().amount(state, amounts)

    def action(self, state: State, actions: tuple[Move, ...]) -> Move:
        """The action of one of the two."""
        return self._one().action(state, actions)

    def destroy(self, state: State, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
        """The cards of one of the two."""
        return self._one().destroy(state, cards, count)

    def _one(self) -> Player:
        return self._players[self._rng.random() < self._rate]


def player_of(policy: "Policy", seed: int, rules: Rules, board: Board = STANDARD) -> Player:
    """Who plays by a policy; the number in a name is the rate of errors."""
    name, _, rate = policy.partition("-")
    if name == "random":
        return RandomPlayer(seed)
    if name in ("tower", "table"):
        return AskingPlayer(seed, rules, board, _TURN if name == "table" else 0)
    careful = CarefulPlayer(seed, rules.rulings)
    return ErringPlayer(seed, careful, float(rate)) if rate else careful


class _Pyramid(NamedTuple):
    """The cells to be filled, each after all that are below it in the orders; `below[i]` are the places of the one or
    two cells from which all orders to cell i follow when the tower is full; `apex` is the place of the apex.
    """

    cells: tuple[towers.Cell, ...]
    below: tuple[tuple[int, ...], ...]
    apex: int


@lru_cache(maxsize=64)
def _pyramid(board: Board, left: int) -> _Pyramid:
    cells = tuple(sorted(board.pyramid(left), key=extension_key))
    place = {cell: i for i, cell in enumerate(cells)}
    covers = [(towers.Cell(column - 1, level + 1), towers.Cell(column, level - 1)) for column, level in cells]
    below = tuple(tuple(place[cell] for cell in pair if cell in place) for pair in covers)
    return _Pyramid(cells, below, place[max(cells, key=lambda cell: cell.level)])


class _Outlook(NamedTuple):
    """The windows of the cells that are still to be filled, and what the table is worth."""

    windows: list[tuple[int, int]]
    worth: float


def _outlook(state: State, rulings: Rulings) -> _Outlook:
    """The outlook for the pyramid nearest to the middle that the tower allows. Cost: some tens of microseconds."""
    board, tower = state.board, state.tower
    pyramid = _pyramid(board, min(max(board.middle, tower.first), tower.last))
    numbers, apex = up_numbers(board, tower, rulings), pyramid.cells[pyramid.apex]
    fixed = [numbers.get(cell) for cell in pyramid.cells]
    if state.variant == "finish" and apex not in tower.cells:
        fixed[pyramid.apex] = shown_on(board, apex, rulings)
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
            if laid and isinstance(laid.card, int):
                worth -= _DOWN if low[i] <= laid.card <= high[i] else _MISFIT
    return _Outlook(windows, worth)


def _bounds(fixed: list[int | None], pyramid: _Pyramid, greatest: int) -> tuple[list[int], list[int], int]:
    """The least and the greatest number of every cell, room for all the others counted in as if every order were
    strict; and how far the fixed numbers are from leaving that room.
    """
    low: list[int] = []
    strain = 0
    for value, below in zip(fixed, pyramid.below, strict=True):
        least = 1
        for j in below:
            if low[j] >= least:
                least = low[j] + 1
        if value is not None and least > value:
            strain += least - value
        low.append(least if value is None else value)
    high = [greatest if value is None else value for value in fixed]
    for i in reversed(range(len(high))):
        for j in pyramid.below[i]:
            if fixed[j] is None and high[j] >= high[i]:
                high[j] = high[i] - 1
    return [min(value, greatest + 1) for value in low], [max(value, 0) for value in high], strain


def _misplaced(state: State, rulings: Rulings) -> int:
    """How many up cards have to be replaced before the game can be won: the Finish card below the apex that waits for
    it, an apex over down cards.
    """
    count = 0
    for cell, laid in state.tower.cells.items():
        apex = cell.level == state.board.levels
        if laid.card is FINISH and not apex:
            count += 1
        if apex and state.tower.down and rulings.early_apex != "win_on_completion":
            count += 1
    return count


# Complete legal games, and what a recorder at the table sees of a game.

PLAYER_NAMES = ("Aki", "Ben", "Chie", "Dai")

Usual = Literal["careful", "random"]
Policy = Literal[Usual, "erring-0.05", "erring-0.1", "erring-0.2", "tower", "table"]
"""How players decide: with care; at random; with care but for this share of random decisions; asking before each action
whether the tower can still be completed, or also whether the table can still be won.
"""


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
    some milliseconds at random, tens of them with care; bench/policies.md tells of the others.
    """
    numbers(seed=seed)
    states.word("variant", variant, get_args(Variant))
    states.word("policy", policy, get_args(Policy))
    of_type("board", board, Board, "board")
    names = _names(players, board)
    if board.reserve_size(len(names)) is None:
        raise Unfit("no_game_for", players=len(names))
    rules = taggable(states.rules_of(rules) or parse_rules(""))
    start = deal(names, variant, rules, seed, board, event=f"sample, seed {seed}, {policy}")
    state = starting_state(setup_of(start, board))
    player = player_of(policy, seed, rules, board)
    turns: list[Turn] = []
    while state.result is None:
        turn, state = take_turn(state, player, rules.rulings)
        turns.append(turn)
    record = replace(start, turns=tuple(turns), result=state.result)
    return seen_record(record) if public else record


# A game that is played turn by turn in code. What a turn may be is asked of the replay, of the legal actions and of the
# ends of turns; nothing is said again here.

_NUMBERED = re.compile(r"\s*[0-9]+\.")

Cards = Sequence[int | Card] | str
"""Cards: their numbers, ``"F"`` or `FINISH` for the Finish card; or a text of them, ``"17 30 44"``."""


class IllegalPlay(ValueError):
    """A turn or a set-up that the rules do not allow, or that is no CGN; `report` tells of the game with it."""

    def __init__(self, report: Report) -> None:
        super().__init__("\n".join(map(str, report.diagnostics)))
        self.report = report
        self.diagnostics = report.diagnostics


class Table(states.Playable):
    """A game in progress in which every card and every mark is known: to the table, not to its players.

    `Table(game)` goes on with a game, `Table.new` deals one. Each turn is judged by the rules when it is played; what
    they refuse leaves the table as it was; `copy.copy` makes another table that is played on by itself. Cost of a turn:
    one replay of the game so far.
    """

    def __init__(self, game: states.GameLike) -> None:
        """Raises `IllegalPlay` for a game that is illegal, `ValueError` for one that hides a card or a mark."""
        record = states.game_of(game, "Table").record
        self._record = replace(record, rules=taggable(record.rules), result=None)
        self._state = self._judged(replace(self._record, result=record.result))
        piles = (*self._state.hands, self._state.reserve, self._state.gone)
        hidden = any(pile.unseen for pile in piles) or UNSEEN in self._state.deck or len(record.marks) < STANDARD.cards
        if hidden or any(laid.card is UNSEEN for laid in self._state.tower.cells.values()):
            raise Unfit("not_all_shown")

    @classmethod
    def new(
        cls,
        players: Sequence[str] | str | int = 2,
        rules: Rules | str | None = None,
        variant: Variant = "first",
        *,
        seed: int = 0,
        deals: Mapping[str, Cards] | None = None,
        reserve: Cards | None = None,
        deck: Cards | None = None,
        marks: Mapping[int, Mark] | None = None,
    ) -> Self:
        """A table after the set-up, for these names or for so many players. `deals` are hands by name, `deck` the cards
        on its top; whatever is not given is dealt by `seed`, and marks are drawn by it. Raises `IllegalPlay` for a
        set-up that the rules do not allow, and `ValueError` for a number of players that no game is for.
        """
        states.word("variant", variant, get_args(Variant))
        numbers(seed=seed)
        names = _names(players, STANDARD)
        read = taggable(states.rules_of(rules) or parse_rules(""))
        dealt = deal(names, variant, read, seed)
        given = {name: _cards(f"deals[{name!r}]", cards) for name, cards in (deals or {}).items()}
        for name in given:
            if name not in names:
                raise Unfit(unknown("no_player_named", name, names))
        dealt = _given(dealt, given, _cards("reserve", reserve), _cards("deck", deck))
        for value, mark in (marks or {}).items():
            states.word(f"marks[{value!r}]", mark, get_args(Mark))
            _cards("marks", [value])
        borne = {**dealt.marks, **{Value(value): mark for value, mark in (marks or {}).items()}}
        return cls(replace(dealt, marks=borne, tags=header_tags(names, read, variant, borne)))

    @property
    def state(self) -> State:
        """The state before the next player's draw."""
        return self._state

    @property
    def result(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self._state.result

    @property
    def to_move(self) -> str | None:
        """The name of the player whose turn it is, None after the end."""
        return None if self._state.result is not None else self._state.players[self._state.to_move]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far."""
        return self._record.turns

    def draw_amounts(self) -> tuple[int, ...]:
        """How many cards may be drawn now, rising; nothing after the end."""
        return () if self.result is not None else draw_amounts(self._state, self._record.rules.rulings)

    def legal_actions(self, draw: int | None = None) -> tuple[Move, ...]:
        """Every legal action after a draw of so many cards, the fewest that are legal if left out. None may be legal:
        then the turn is ``-``. Raises `ValueError` where so many cannot be drawn.
        """
        if self.result is not None:
            return ()
        drawn = carry_out(self._state, self._drawing(draw), self._state.to_move).drawn
        return legal_actions(drawn, self._state.to_move, self._record.rules.rulings).actions

    def legal_turns(self, action: Action | str | None = None, draw: int | None = None) -> tuple[Turn, ...]:
        """Every whole turn after a draw as in `legal_actions`: each legal action with each choice of what is filled,
        dropped and trimmed, or those with this action; ``-`` where no action is legal. All of them can be played.
        """
        if self.result is not None:
            return ()
        turn, rulings = self._drawing(draw), self._record.rules.rulings
        if action is not None:
            turn = replace(turn, action=self._turn(action, None).action)
            return tuple(filter(self._legal, _ends(self._state, turn, rulings)))
        wanted = [replace(turn, action=each) for each in self.legal_actions(draw)] or [turn]
        return tuple(end for each in wanted for end in _ends(self._state, each, rulings))

    def play(self, move: Turn | Action | str, *, draw: int | None = None, drop: Cards = (), trim: Cards = ()) -> Turn:
        """Play a turn: an action, a whole turn (of `legal_turns`), or its text in CGN, with or without number and name:
        ``"A 17@f1"``, ``"+3,48 D 3-48=45@j1x44 trim 3"``. It is returned as it was played.

        With `draw` so many cards are taken off the deck; a turn and a text may name them themselves, and an action
        without `draw` comes after the fewest that may be drawn. Raises `IllegalPlay`, and `ValueError` for what is no
        single turn; the table is then as it was.
        """
        turn = self._turn(move, draw)
        turn = replace(turn, drop=turn.drop + _cards("drop", drop), trim=turn.trim + _cards("trim", trim))
        record = replace(self._record, turns=(*self._record.turns, turn))
        self._state, self._record = self._judged(record), record
        return turn

    def record(self) -> Game:
        """The game so far, its result stated where it has ended."""
        return states.game_of(replace(self._record, result=self._state.result), "Table")

    def position(self) -> Position:
        """The table as a CGN position."""
        return states.position_after(self.record())

    def __repr__(self) -> str:
        told = {"turns": len(self._record.turns), "to_move": self.to_move, "result": self.result}
        return short(self, players=" ".join(self._record.players), rules=str(self._record.rules), **told)

    def __str__(self) -> str:
        return str(self._state)

    def _judged(self, record: Record) -> State:
        """The state after a game so far. Raises `IllegalPlay`, and `ValueError` where it hides a card that counts."""
        outcome = replay(record, record.rules.rulings)
        if outcome.illegal is not None:
            raise IllegalPlay(check.check(states.game_of(record, "Table"), record.rules, "plain"))
        if outcome.doubts:
            raise Unfit("not_all_shown")
        return outcome.states[-1]

    def _legal(self, turn: Turn) -> bool:
        outcome = replay(replace(self._record, turns=(*self._record.turns, turn)), self._record.rules.rulings)
        return outcome.illegal is None and not outcome.doubts

    def _drawing(self, draw: int | None) -> Turn:
        """The next turn, with a draw and no action yet."""
        numbers(draw=draw)
        amounts = self.draw_amounts()
        amount = amounts[0] if draw is None else draw
        if amount not in amounts:
            raise Unfit("no_such_draw", draw=draw, amounts=amounts)
        state = self._state
        return Turn(state.turns + 1, state.players[state.to_move], top_cards(state.deck, amount), NoAction())

    def _turn(self, move: Turn | Action | str, draw: int | None) -> Turn:
        turn = self._read(move) if isinstance(move, str) else move
        action = turn.action if isinstance(turn, Turn) else turn
        if not isinstance(action, get_args(Action)):
            raise Mistaken("takes_value", name="play", wanted="action", given=type(move).__name__)
        if not isinstance(action, NoAction) and not isinstance(action.cell, towers.Cell):
            raise Mistaken("takes_value", name="cell", wanted="cell", given=type(action.cell).__name__)
        if not isinstance(turn, Turn):
            over = Turn(self._state.turns + 1, self._state.players[self._state.to_move], (), turn)
            return over if self.result is not None else replace(self._drawing(draw), action=turn)
        if draw is None:
            return turn
        if turn.draw:
            raise Unfit("draw_twice")
        return replace(turn, draw=self._drawing(draw).draw)

    def _read(self, text: str) -> Turn:
        """The turn that a text is, read as the next line of the game."""
        state = self._state
        line = text if _NUMBERED.match(text) else " ".join([f"{state.turns + 1}.", state.players[state.to_move], text])
        if len(text.splitlines()) != 1:
            raise Unfit("one_turn")
        item = next(read_text(record_text(self._record).removesuffix("*\n") + line + "\n"))
        if not isinstance(item, Game):
            raise IllegalPlay(check.check(item))
        if len(item.record.turns) != len(self._record.turns) + 1 or item.record.result is not None:
            raise Unfit("one_turn")
        return item.record.turns[-1]


def _names(players: Sequence[str] | str | int, board: Board) -> tuple[str, ...]:
    named = states.names_of(players)
    if not isinstance(named, int):
        return named
    if board.reserve_size(named) is None or named > len(PLAYER_NAMES):
        raise Unfit("no_game_for", players=named)
    return PLAYER_NAMES[:named]


def _cards(name: str, cards: Cards | None) -> tuple[Card, ...]:
    """Cards as they were given to the argument `name`; none for None."""
    given = cards.replace(",", " ").split() if isinstance(cards, str) else list(cards or ())
    taken = []
    for each in given:
        card = CARDS.get(str(each), UNSEEN)
        if isinstance(card, towers.UnseenCard):
            raise Unfit("takes_value", name=name, wanted="card", given=repr(each))
        taken.append(card)
    return tuple(taken)


def _ends(state: State, turn: Turn, rulings: Rulings) -> Iterator[Turn]:
    """A turn without an end, with each choice of what is filled, dropped and trimmed."""
    seat = state.to_move
    step = carry_out(state, turn, seat)
    if isinstance(turn.action, NoAction) or ending(step, rulings) is not None:
        yield turn
        return
    for count in fill_amounts(step, rulings):
        filled = replace(turn, fill=step.deck[:count])
        for drop, trim, _ in limited(carry_out(state, filled, seat).filled, seat, rulings, frozenset()):
            yield replace(filled, drop=drop, trim=trim)


def _given(
    dealt: Record, deals: Mapping[str, tuple[Shown, ...]], reserve: tuple[Shown, ...], deck: tuple[Shown, ...]
) -> Record:
    """A deal in which some places hold the cards that were given; the others keep the order of the rest."""
    row, pile = dealt.reserve or (), dealt.deck or ()
    taken = {FINISH, *row[:2], *reserve, *deck, *(card for cards in deals.values() for card in cards)}
    order = [card for cards in (*dealt.deals.values(), row, pile) for card in cards]
    rest = iter([card for card in order if card not in taken])
    hands = {
        name: deals[name] if name in deals else tuple(islice(rest, len(cards))) for name, cards in dealt.deals.items()
    }
    row = reserve or (*row[:2], *islice(rest, len(row) - 2))
    below = list(rest)
    if FINISH in pile and FINISH not in deck:
        below.insert(max(0, pile.index(FINISH) - len(deck)), FINISH)
    return replace(dealt, deals=hands, reserve=row, deck=(*deck, *below))
