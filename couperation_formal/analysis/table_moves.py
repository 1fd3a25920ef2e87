"""Which legal actions of a turn keep a table alive: each one is tried with every choice of cards to destroy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, Literal

import msgspec

from couperation_formal.analysis.deadlock import limited, opens_unseen
from couperation_formal.analysis.inspect import NoSuchTurn, kept_tags, position_of, state_after, state_of
from couperation_formal.analysis.sample import fill_amounts
from couperation_formal.analysis.table_answer import ask, numbered, table_certificates
from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Game, NoAction, Open, Position, Turn, short
from couperation_formal.game.rules.ending import ending
from couperation_formal.game.rules.moves import Move, Moves, legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rules
from couperation_formal.game.state import State
from couperation_formal.game.tower import Shown, Value
from couperation_formal.towers.completion.answer import Completable, complete
from couperation_formal.towers.continuation.answer import Answer, Dead, Unknown, Won, lines

_END: Final = 100
"""The steps that an end of a turn takes to be made."""
_ENOUGH: Final = 40_000
"""An action that is still open is asked about again where it can have so many steps, or all that are left."""
_LEAST: Final = 2_000
"""An end is asked about where it can have so many steps, or all that are left."""

Verdict = Literal["alive", "dead", "undetermined"]


class End(msgspec.Struct, frozen=True):
    """An action with one choice of the cards to destroy: the turn, the position after it and its answer."""

    turn: Turn
    position: Position
    answer: Answer


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of the table after `action`.

    `wins` is the turn where the action itself wins the game. `ends` are the ends of the turn that were asked about:
    alive, the one that is; dead, all of them, none where the action loses the game. Of `limit` steps for all actions
    `spent` were taken so far.
    """

    action: Move
    verdict: Verdict
    wins: Turn | None
    ends: tuple[End, ...]
    spent: int
    limit: int
    known: tuple[Turn, ...] = ()

    def kept(self, line: tuple[Turn, ...]) -> Judged:
        """The same with a line that is known to win and begins with the action, where it was open."""
        return self if self.verdict == "alive" else msgspec.structs.replace(self, verdict="alive", known=line)

    @property
    def line(self) -> tuple[Turn, ...] | None:
        """The turn and a continuation after it that wins, None where none was found."""
        if self.wins is not None:
            return (self.wins,)
        for end in self.ends:
            if isinstance(end.answer, Won):
                return end.turn, *numbered(end.answer.line, end.turn.number + 1)
        return self.known or None


class Chance:
    """What a turn can do after its recorded draw, under these rules; `turn` is only asked for number, name and draw.
    `budget` pays for everything.
    """

    def __init__(
        self, before: State, turn: Turn, rules: Rules, tags: tuple[tuple[str, str], ...], budget: Steps | int | None
    ) -> None:
        self.budget = steps_of(budget)
        self._rules, self._tags, self._turn, self.rulings = rules, tags, turn, rules.rulings
        self._player = before.to_move
        self._drawn = carry_out(before, turn, self._player).drawn
        self.moves: Moves = legal_actions(self._drawn, self._player, rules.rulings, self.budget)

    def judged(self) -> Iterator[Judged]:
        """Every action, judged, in the order in which they are decided, the open ones last.

        First there is a glance at all of them, then beams go from all that are open at once, so that a line found
        for one serves the others; what is still open shares the rest of the budget twice: a quarter of it, then all.
        """
        cases = [_Case(self, move) for move in self.moves.actions]
        for case in cases:
            case.look(1)
        yield from (case.judged for case in cases if not case.open)
        begun = [case for case in cases if case.unsure and not case.ends[case.unsure[0]].position.sizes]
        tables = [state_of(case.ends[case.unsure[0]].position) for case in begun]
        for at, won in lines(tables, self.rulings, self.budget) if begun else ():
            begun[at].settle(begun[at].unsure[0], won)
            yield begun[at].judged
        for part, least in ((4, 0), (1, _ENOUGH)):
            cases = [case for case in cases if case.open]
            for place, case in enumerate(cases):
                with self.budget.at_most(max(least, self.budget.left // part // (len(cases) - place))):
                    case.ask()
                if least or not case.open:
                    yield case.judged

    def ends(self, move: Move) -> Iterator[tuple[Turn, State | None]]:
        """The turns with this action that do not lose, each with the state after it, None where it wins. An unseen
        card that is opened may be any that is placed nowhere.
        """
        rulings = self.rulings
        for shown in self._shown(move):
            turn = Turn(self._turn.number, self._turn.player, (), shown)
            step = carry_out(self._drawn, turn, self._player)
            end = ending(step, rulings)
            whole = msgspec.structs.replace(turn, draw=self._turn.draw)
            if end == "win":
                yield whole, None
            elif end != "loss":
                for fill in (step.deck[:count] for count in fill_amounts(step, rulings)):
                    filled = carry_out(self._drawn, msgspec.structs.replace(turn, fill=fill), self._player).filled
                    for drop, trim, state in limited(filled, self._player, rulings, self._needed(filled)):
                        yield msgspec.structs.replace(whole, fill=fill, drop=drop, trim=trim), state

    def position(self, state: State) -> Position:
        """A state after the turn as a position."""
        return position_of(state, self._rules, self._tags)

    def _shown(self, move: Move) -> Iterator[Move]:
        if not (isinstance(move, Open) and opens_unseen(move)):
            yield move
            return
        for value in map(Value, range(1, self._drawn.board.cards + 1)):
            if self._drawn.whereabouts(value) is None:
                yield Open(move.cell, value)

    def _needed(self, state: State) -> frozenset[int]:
        """The cards of some filling of the tower: those that are better kept."""
        if state.tower.hidden:
            return frozenset()
        answer = complete(position_of(state, self._rules, self._tags))
        return frozenset(answer.filling.values()) if isinstance(answer, Completable) else frozenset()


class _Case:
    """An action while it is judged: its ends as far as they are made, and the places of those that are `unsure`."""

    def __init__(self, chance: Chance, move: Move) -> None:
        self._chance, self._budget, self._move, self._more = chance, chance.budget, move, chance.ends(move)
        self._wins: Turn | None = None
        self._whole = False
        self.ends: list[End] = []
        self.unsure: list[int] = []

    @property
    def judged(self) -> Judged:
        """What is known of the action so far."""
        ends, (spent, limit) = tuple(self.ends), (self._budget.spent, self._budget.limit)
        return Judged(action=self._move, verdict=self._verdict, wins=self._wins, ends=ends, spent=spent, limit=limit)

    @property
    def _verdict(self) -> Verdict:
        if self._wins or (self.ends and isinstance(self.ends[-1].answer, Won)):
            return "alive"
        return "dead" if self._whole and not self.unsure else "undetermined"

    @property
    def open(self) -> bool:
        """Whether it is not known what becomes of the table."""
        return self._verdict == "undetermined"

    def look(self, most: int) -> None:
        """Make further ends until a glance leaves so many open. One that cannot be paid for is made later."""
        with suppress(Spent):
            while self.open and len(self.unsure) < most and not self._whole:
                self._budget.spend(_END)
                turn, state = next(self._more, (None, None))
                if turn is None or state is None:
                    self._wins, self._whole = turn, True
                else:
                    position = self._chance.position(state)
                    self.unsure.append(len(self.ends))
                    self.ends.append(End(turn, position, OPEN))
                    self.settle(self.unsure[-1], ask(position, self._budget, True))

    def settle(self, at: int, answer: Answer) -> None:
        """Note the answer on an end. One that is alive is all that is told of the action."""
        end = msgspec.structs.replace(self.ends[at], answer=answer)
        if isinstance(answer, Won):
            self.ends, self.unsure = [end], []
        else:
            self.ends[at] = end
            if isinstance(answer, Dead):
                self.unsure.remove(at)

    def ask(self) -> None:
        """Ask about the open ends, which share the budget, up to the first one that is alive."""
        self.look(sys.maxsize)
        for place, at in enumerate(unsure := tuple(self.unsure)):
            if self.open and self._budget.left:
                with self._budget.at_most(max(_LEAST, self._budget.left // (len(unsure) - place))):
                    self.settle(at, ask(self.ends[at].position, self._budget))


OPEN = Unknown(0, 0, 0)
"""The answer on what was not asked about."""


class Prospect(msgspec.Struct, frozen=True, kw_only=True):
    """A turn of a game and what can be done in it."""

    game: Game
    turn: int
    player: str
    chance: Chance

    def judged(self) -> Iterator[Judged]:
        """Each action with what becomes of the table after it, as it is found."""
        return self.chance.judged()

    def __repr__(self) -> str:
        return short(self, game=self.game, turn=self.turn, actions=len(self.chance.moves.actions))

    def __str__(self) -> str:
        """The legal actions, one a line."""
        return str(self.chance.moves)


def prospect(game: Game, turn: int, rules: Rules | None = None, budget: Steps | int | None = None) -> Prospect:
    """The legal actions of turn `turn` after its recorded draw, ready to be judged. Raises `NoSuchTurn`.

    Where the record ends before `turn`, that turn stands without a draw.
    """
    rules = rules or game.record.rules
    if turn < 1:
        raise NoSuchTurn(fact("turns_from_1"))
    state = state_after(game, turn - 1, rules)
    if state.result is not None:
        raise NoSuchTurn(fact("turn_over", end=state.turns, turn=turn))
    player = state.players[state.to_move]
    recorded = turn <= len(game.record.turns)
    draw: tuple[Shown, ...] = game.record.turns[turn - 1].draw if recorded else ()
    chance = Chance(state, Turn(turn, player, draw, NoAction()), rules, kept_tags(game), budget)
    return Prospect(game=game, turn=turn, player=player, chance=chance)


def judged_certificates(found: Judged) -> Iterator[dict[str, Any]]:
    """The certificates of the positions after an action. An action that wins at once needs none: the rules say so."""
    for end in found.ends:
        yield from table_certificates(end.position, end.answer)
