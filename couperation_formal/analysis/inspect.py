"""Looking into a record: the state after a turn, the same as a position and back, and the legal actions of a turn."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from couperation_formal.game.budget import Steps
from couperation_formal.game.fact import Told, fact
from couperation_formal.game.record import Game, Position
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rules.drawing import Limit, draw_limit, draw_source, idle
from couperation_formal.game.rules.moves import Moves, legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rules, taggable
from couperation_formal.game.state import Pile, State, all_cards
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, Shown, Tower, card_key


class NoSuchTurn(Told, LookupError):
    """The record has no such turn, or a turn before it is illegal, so that no state follows."""


def state_after(game: Game, turn: int | None = None, rules: Rules | None = None) -> State:
    """The state after turn `turn`, counted by place; 0 is the set-up, None the last turn. Raises `NoSuchTurn`."""
    outcome = _outcome(game, rules)
    return _state(game, outcome, len(game.record.turns) if turn is None else turn)


class Illegal(NamedTuple):
    """The first illegal turn of a game, and the clause that it breaks first."""

    turn: int
    clause: str


def legal_part(game: Game, rules: Rules | None = None) -> tuple[Game, Replay, Illegal | None]:
    """The game up to its first illegal turn, this excluded, its replay, and that turn; where it is the stated result
    that is wrong, all turns. Raises `NoSuchTurn` where the set-up is illegal or the record cannot be told so far. Cost:
    one replay, two of an illegal game.
    """
    outcome, illegal = _outcome(game, rules), None
    if outcome.illegal is not None and not _setup_refused(outcome):
        illegal = Illegal(outcome.illegal, outcome.broken[0].clause)
        kept = game.record.turns if illegal.clause == "END05" else game.record.turns[: illegal.turn - 1]
        game = msgspec.structs.replace(game, record=msgspec.structs.replace(game.record, turns=kept, result=None))
        outcome = _outcome(game, rules)
    _state(game, outcome, len(game.record.turns))
    return game, outcome, illegal


def _outcome(game: Game, rules: Rules | None) -> Replay:
    return replay(game.record, (rules or game.record.rules).rulings)


def _setup_refused(outcome: Replay) -> bool:
    """Whether the set-up breaks a rule; a record without turns may state a wrong result too."""
    return outcome.illegal == 0 and outcome.broken[0].clause != "END05"


def _state(game: Game, outcome: Replay, turn: int, ahead: int = 0) -> State:
    """The state after a turn, which is asked for by the turn that comes so many after it."""
    turns = len(game.record.turns)
    if not 0 <= turn <= turns:
        raise NoSuchTurn(fact("no_turn", turn=turn, turns=turns))
    if _setup_refused(outcome):
        raise NoSuchTurn(fact("setup_illegal", clause=outcome.broken[0].clause))
    if turn >= len(outcome.states):
        bad, last = len(outcome.states), len(outcome.states) - 1 + ahead
        if outcome.illegal == bad:
            raise NoSuchTurn(fact("no_state_illegal", bad=bad, turn=turn, clause=outcome.broken[0].clause, last=last))
        raise NoSuchTurn(fact("no_state_untold", bad=bad, turn=turn, why=outcome.doubts[-1].what, last=last))
    return outcome.states[turn]


def doubtful(game: Game, turn: int | None = None, rules: Rules | None = None) -> bool:
    """Whether the state after turn `turn` (None: the last) stands on something that the record does not show, so that
    the turns up to it may be illegal all the same.
    """
    last = len(game.record.turns) if turn is None else turn
    return any(doubt.turn <= last for doubt in _outcome(game, rules).doubts)


def moves_at(game: Game, turn: int, rules: Rules | None = None, budget: Steps | None = None) -> Moves:
    """Every legal action in turn `turn` after its recorded draw, as far as `budget` allows. Raises `NoSuchTurn`.

    Where the record ends before `turn`, that turn stands without a draw. The turn itself may be illegal; only its draw
    is taken from it.
    """
    state = turn_table(game, turn, rules)
    return legal_actions(state, state.to_move, (rules or game.record.rules).rulings, budget)


def turn_table(game: Game, turn: int, rules: Rules | None = None) -> State:
    """The table in turn `turn` after its recorded draw; where the record ends before, without one. Raises
    `NoSuchTurn`.
    """
    if turn < 1:
        raise NoSuchTurn(fact("turns_from_1"))
    state = _state(game, _outcome(game, rules), turn - 1, ahead=1)
    if state.result is not None:
        raise NoSuchTurn(fact("turn_over", end=state.turns, turn=turn))
    if turn <= len(game.record.turns):
        state = carry_out(state, game.record.turns[turn - 1], state.to_move).drawn
    return state


def position_after(game: Game, turn: int | None = None, rules: Rules | None = None) -> Position:
    """The state after turn `turn` as a position. Raises `NoSuchTurn`."""
    rules = rules or game.record.rules
    return position_of(state_after(game, turn, rules), rules, kept_tags(game))


def kept_tags(game: Game) -> tuple[tuple[str, str], ...]:
    """The tags of a game that its positions keep; `position_of` adds the rules."""
    kept = ("CGN", "Event", "Variant", "Players", "Marks")
    return tuple((name, value) for name, value in game.record.tags if name in kept)


def position_of(state: State, rules: Rules, tags: tuple[tuple[str, str], ...]) -> Position:
    """A state as a position, under these rules; `tags` are kept and a `Rules` tag is added.

    After the end of a game nobody is to move, and the position has no `turn`.
    """
    rules = taggable(rules)
    going = state.result is None
    deck = list(state.deck)
    while deck and deck[-1] is UNSEEN:
        deck.pop()
    front = None if state.front is None else state.players[state.front]
    tags = (*tags[:1], ("Rules", str(rules)), *tags[1:])
    return Position(
        tags=tags,
        players=state.players,
        rules=rules,
        variant=state.variant,
        marks=state.marks,
        tower=tuple(sorted(state.tower.cells.items(), key=lambda item: (item[0].level, item[0].column))),
        hands={name: _cards(hand) for name, hand in zip(state.players, state.hands, strict=True)},
        front=front,
        reserve=_cards(state.reserve),
        gone=_cards(state.gone),
        deck=tuple(deck) or None,
        turn=state.players[state.to_move] if going else None,
        last=draw_source(state, rules.rulings) if going else None,
        idle=going and idle(state, rules.rulings),
        skipped=state.skipped if going else 0,
        replaced=state.replaced and rules.rulings.replacements == "once",
        sizes={name: state.sizes(at) for at, name in enumerate(state.players) if state.hands[at].more},
    )


def next_draw(position: Position, state: State) -> Limit:
    """The limit of the next draw in a position in which somebody is to move; `state` is `state_of` it."""
    return draw_limit(state, state.to_move, position.rules.rulings)


def state_of(position: Position, board: Board = STANDARD) -> State:
    """The state of a position in which somebody is to move: the deck is every card that is placed nowhere else, and the
    anchor was replaced where its card does not lie up on its cell.
    """
    hands = tuple(Pile.of(position.hands.get(player, ())) for player in position.players)
    more = [most - least for least, most in (position.sizes.get(player, (0, 0)) for player in position.players)]
    hands = tuple(msgspec.structs.replace(hand, more=extra) for hand, extra in zip(hands, more, strict=True))
    reserve, gone = Pile.of(position.reserve or ()), Pile.of(position.gone)
    placed = len(position.tower) + sum(hand.size for hand in hands) + reserve.size + gone.size
    size = len(all_cards(board, position.variant)) - placed - (position.front is not None)
    known = (position.deck or ())[: max(0, size)]
    tower = Tower.of(board, dict(position.tower))
    to_move = position.players.index(position.turn) if position.turn is not None else 0
    return State(
        board=board,
        variant=position.variant,
        players=position.players,
        marks=position.marks,
        tower=tower,
        hands=hands,
        front=position.players.index(position.front) if position.front is not None else None,
        reserve=reserve,
        gone=gone,
        deck=(*known, *(UNSEEN,) * (size - len(known))),
        to_move=to_move,
        laid=position.last,
        touched=position.last,
        anchor_moved=tower.numbers.get(board.anchor_cell) != board.anchor,
        turned=position.idle,
        replaced=position.replaced,
        skipped=position.skipped,
        given=True,
    )


def _cards(pile: Pile) -> tuple[Shown, ...]:
    return (*sorted(pile.known, key=card_key), *(UNSEEN,) * pile.unseen)
