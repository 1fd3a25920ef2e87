"""Which legal actions of a turn keep a table alive: each one is tried with every choice of cards to destroy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec

from couperation_formal.analysis.deadlock import limited, opens_unseen
from couperation_formal.analysis.inspect import NoSuchTurn, kept_tags, position_of, state_after
from couperation_formal.analysis.table_answer import Progress, ask, numbered, table_certificates
from couperation_formal.completion.answer import Completable, complete
from couperation_formal.continuation.answer import Answer, Dead, Unknown, Won
from couperation_formal.model.budget import Spent, Steps, steps_of
from couperation_formal.model.cards import Shown, Value
from couperation_formal.model.fact import fact
from couperation_formal.model.record import Game, NoAction, Open, Position, Turn, short
from couperation_formal.model.rulings import Rules
from couperation_formal.model.state import State
from couperation_formal.play.deal import fill_amounts
from couperation_formal.rules.ending import ending
from couperation_formal.rules.moves import Move, Moves, legal_actions
from couperation_formal.rules.step import carry_out

_END: Final = 100
"""The steps that an end of a turn takes to be made."""
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
    alive, the one that is; dead, all of them, none where the action loses the game. `limit` is what it might spend.
    """

    action: Move
    verdict: Verdict
    wins: Turn | None
    ends: tuple[End, ...]
    limit: int

    @property
    def line(self) -> tuple[Turn, ...] | None:
        """The turn and a continuation after it that wins, None where none was found."""
        if self.wins is not None:
            return (self.wins,)
        for end in self.ends:
            if isinstance(end.answer, Won):
                return end.turn, *numbered(end.answer.line, end.turn.number + 1)
        return None


class Chance:
    """What a turn can do after its recorded draw, under these rules; `turn` is only asked for number, name and draw.
    `budget` pays for everything.
    """

    def __init__(
        self, before: State, turn: Turn, rules: Rules, tags: tuple[tuple[str, str], ...], budget: Steps | int | None
    ) -> None:
        self.budget = steps_of(budget)
        self._before, self._rules, self._tags, self._turn = before, rules, tags, turn
        self._player = before.to_move
        self._drawn = carry_out(before, turn, self._player).drawn
        self.moves: Moves = legal_actions(self._drawn, self._player, rules.rulings, self.budget)

    def judged(self, progress: Progress | None = None) -> Iterator[Judged]:
        """Every action, judged. Each may spend its part of what those before it left."""
        actions = self.moves.actions
        for place, action in enumerate(actions):
            with self.budget.at_most(self.budget.left // (len(actions) - place)):
                found = self.judge(action, progress)
            yield found

    def judge(self, move: Move, progress: Progress | None = None) -> Judged:
        """Whether some end of the turn with this action leaves the table alive. Its ends share the budget: first all
        have a quarter of it, then those that are open the rest. One that gets too little is left open.
        """
        limit, ends = self.budget.left, list[End]()
        try:
            for turn, state in self._ends(move):
                self.budget.spend(_END)
                if state is None:
                    return Judged(action=move, verdict="alive", wins=turn, ends=(), limit=limit)
                ends.append(End(turn, position_of(state, self._rules, self._tags), _OPEN))
        except Spent:
            return Judged(action=move, verdict="undetermined", wins=None, ends=(), limit=limit)
        asked = _asked(ends, self.budget, progress)
        alive = next((end for end in asked if isinstance(end.answer, Won)), None)
        if alive is not None:
            return Judged(action=move, verdict="alive", wins=None, ends=(alive,), limit=limit)
        dead = all(isinstance(end.answer, Dead) for end in asked)
        verdict: Verdict = "dead" if dead else "undetermined"
        return Judged(action=move, verdict=verdict, wins=None, ends=tuple(asked), limit=limit)

    def _ends(self, move: Move) -> Iterator[tuple[Turn, State | None]]:
        """The turns with this action that do not lose, each with the state after it, None where it wins. An unseen
        card that is opened may be any that is placed nowhere.
        """
        rulings = self._rules.rulings
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


_OPEN = Unknown(0, 0, 0)
"""The answer on what was not asked about."""


def _asked(ends: list[End], budget: Steps, progress: Progress | None) -> list[End]:
    """The ends with their answers, up to the first one that is alive."""
    for part in (budget.left // 4, budget.left):
        unsure = [at for at, end in enumerate(ends) if isinstance(end.answer, Unknown)]
        share = max(_LEAST, part // max(1, len(unsure)))
        for at in unsure:
            if not budget.left:
                break
            with budget.at_most(share):
                ends[at] = msgspec.structs.replace(ends[at], answer=ask(ends[at].position, budget, progress))
            if isinstance(ends[at].answer, Won):
                return [ends[at]]
    return ends


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
