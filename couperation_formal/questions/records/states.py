"""Looking into a record: the state after a turn, the same as a position and back, and the legal actions of a turn."""

from __future__ import annotations

import re
from typing import NamedTuple, cast

import msgspec
from msgspec.structs import replace

from couperation_formal.game.budget import Steps
from couperation_formal.game.fact import Told, Unfit, fact, numbers, of_type
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game, Position, Snapshot
from couperation_formal.game.replay import Replay, replay
from couperation_formal.game.rules.moves import Moves, legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rules, Rulings, unknown
from couperation_formal.game.seen import seen_position, seen_record
from couperation_formal.game.state import State
from couperation_formal.notation.parse import name_of, name_written
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import position_text, record_text
from couperation_formal.questions.records.taken import GameLike, PlaceLike, game_of, place_of, rules_of


class NoSuchTurn(Told, LookupError):
    """The record has no such turn, or a turn before it is illegal, so that no state follows."""


def state_after(game: GameLike, turn: int | None = None, rules: Rules | str | None = None) -> State:
    """The state after turn `turn`, counted by place; 0 is the set-up, None the last turn. Raises `NoSuchTurn`."""
    numbers(turn=turn)
    item = game_of(game, "state_after")
    return _state(item, _outcome(item, rules_of(rules)), len(item.record.turns) if turn is None else turn)


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


def position_after(game: GameLike, turn: int | None = None, rules: Rules | str | None = None) -> Position:
    """The same state as a CGN position. Raises `NoSuchTurn`."""
    numbers(turn=turn)
    item = game_of(game, "position_after")
    under = rules_of(rules) or item.record.rules
    return position_of(state_after(item, turn, under), under, kept_tags(item))


def kept_tags(game: Game) -> tuple[tuple[str, str], ...]:
    """The tags of a game that its positions keep; `position_of` adds the rules."""
    kept = ("CGN", "Event", "Variant", "Players", "Marks")
    return tuple((name, value) for name, value in game.record.tags if name in kept)


# Games and positions as one player, or the public, could have written them down.


class View(NamedTuple):
    """Who looks: a player by name, or (None) the public."""

    player: str | None


def view_of(name: str) -> View:
    """The view that a word names: ``public`` is everybody at the table, anything else a player, as is all between
    quotation marks, which no name holds.
    """
    return View(None if name == "public" else name_written(re.sub(r'^"(.*)"$', r"\1", name)))


def seen_by(item: PlaceLike, viewer: str | None = None) -> Game | Snapshot:
    """A game or position as the player `viewer` could have written it down, or (None) anybody at the table: what he
    cannot know is unseen, and comments, glyphs and tags that may tell anything are left out. A turn shows what was
    known when it was played (`game.seen`). Its text is canonical and nothing of the item's own. Raises `ValueError`
    where nobody of this name plays. Cost: that of reading the game once.
    """
    item = place_of(item, "seen_by")
    of_type("viewer", viewer, str, "str")
    players = item.record.players if isinstance(item, Game) else item.position.players
    viewer = None if viewer is None else name_of(viewer)
    if viewer is not None and viewer not in players:
        raise Unfit(unknown("no_player_named", viewer, players))
    if isinstance(item, Game):
        return game_seen(item, viewer)
    position = seen_position(item.position, viewer)
    read = cast("Snapshot", next(read_text(position_text(position), item.file)))
    return replace(read, index=item.index, position=position)


def game_seen(game: Game, viewer: str | None) -> Game:
    """`seen_by` of a game, and nobody's name is asked."""
    record = seen_record(game.record, viewer)
    read = cast("Game", next(read_text(record_text(record), game.file)))
    return replace(read, index=game.index, record=record)


def states_seen(game: Game, rulings: Rulings) -> tuple[State, ...]:
    """The tables of a game that was `seen_by` somebody, as far as it tells them. Cost: one replay."""
    return replay(game.record, rulings).states
