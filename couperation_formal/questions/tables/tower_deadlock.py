"""Which turn killed the tower of a recorded game, and which actions of that turn would not have.

At the tower level deadness can revert: a replacement may end it. So the answer is about the last stretch of deadlocked
turns, where that reaches the record's end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

import msgspec

from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game, Position, Turn, short
from couperation_formal.game.rules.ending import ending
from couperation_formal.game.rules.moves import Move, legal_actions
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rulings import Rules
from couperation_formal.game.state import State
from couperation_formal.notation.write import action_text, turn_text
from couperation_formal.output import formats
from couperation_formal.output.blocks import BAD, GOOD, Block, Items, Paragraph, Sentence, verdict
from couperation_formal.output.formats import Data, Natural, Positive
from couperation_formal.output.report import game_named
from couperation_formal.questions.records.states import Illegal, kept_tags, legal_part
from couperation_formal.questions.tables import why
from couperation_formal.questions.tables.ask import require_shown
from couperation_formal.questions.tables.moves import limited, opens_unseen
from couperation_formal.towers.completion.answer import (
    Completable,
    Deadlocked,
    TowerAnswer,
    completable_certificate,
    complete,
    deadlocked_certificate,
)
from couperation_formal.words.say import encodable, phrase

_ASKED: Final = 200
"""The steps that a question about a tower takes."""


class Saving(msgspec.Struct, frozen=True):
    """A legal action after which the tower is completable, the position at that turn's end and its filling.

    Where cards have to be destroyed for the limits, these are such that the tower stays completable.
    """

    action: Move
    position: Position
    answer: Completable


class Scan(formats.Answer, msgspec.Struct, frozen=True, kw_only=True):
    """The tower's answers through a game.

    `positions[k]` and `answers[k]` stand after turn k; 0 is the set-up. `intervals` are the stretches of turns after
    which the tower was deadlocked, first and last turn included. `turn` is the first turn of the last stretch, where
    that reaches the record's end; else None. `saving` are the legal actions of that turn with known cards that keep the
    tower completable, None without a turn or for the set-up; `complete` is False where unseen cards may allow more, or
    the budget ended first. Where `illegal` is a turn, `game` ends before it.
    """

    game: Game
    positions: tuple[Position, ...]
    answers: tuple[TowerAnswer, ...]
    intervals: tuple[tuple[int, int], ...]
    turn: int | None
    saving: tuple[Saving, ...] | None
    complete: bool
    illegal: Illegal | None = None

    def __repr__(self) -> str:
        return short(self, game=self.game, turn=self.turn)

    def __str__(self) -> str:
        """Since when the tower cannot be completed, and what would have kept it so."""
        said = phrase("never_dead") if self.turn is None else phrase("dead_since", turn=self.turn)
        told = phrase("told_of", what=game_named(self.game.file, self.game.index), said=said)
        return "\n".join([told, *(action_text(each.action) for each in self.saving or ())])

    def data(self) -> DeadlockData:
        """The answer as `deadlock --output-format json` writes it."""
        turn = self.turn
        return DeadlockData(
            file=encodable(self.game.file),
            game=self.game.index,
            verdict=why.tower_verdict(self.answers[-1]),
            level="tower",
            intervals=self.intervals,
            turn=turn,
            laid=turn_text(self.game.record.turns[turn - 1]) if turn else None,
            reason=None if turn is None else why.reason_of(why.places_of(self.answers[turn])),
            saving=None if self.saving is None else tuple(action_text(each.action) for each in self.saving),
            complete=self.complete,
            illegal=None if self.illegal is None else self.illegal.turn,
            checked=True,
            format=1,
        )

    def blocks(self) -> Iterator[Paragraph]:
        """When the tower was deadlocked, the turn that made it so at last, why, and what would not have."""
        data, position = self.data(), self.positions[-1]
        top = why.title(self.game.file, self.game.index, fact("turns_in_all", turns=len(self.answers) - 1), position)
        if self.illegal is not None:
            top = [*top, looked_until(self.illegal)]
        if self.turn is None:
            yield top
            if self.intervals:
                yield [verdict("completable", GOOD, "dead_for_a_while", stretches=_stretches(self.intervals))]
            else:
                yield [verdict("completable", GOOD, "after_every_turn")]
            return
        yield top
        told: list[Block] = [verdict("deadlocked", BAD, "dead_to_the_end", when=self.turn)]
        if len(self.intervals) > 1:
            told.append(Sentence(phrase("dead_before", stretches=_stretches(self.intervals[:-1]))))
        if data.laid is not None:
            told.append(Sentence(data.laid, phrase("the_turn")))
        yield told
        yield from why.refusals(self.positions[self.turn], why.places_of(self.answers[self.turn]))
        if data.saving is not None:
            more = "" if data.complete else phrase("unseen_may_allow")
            if data.saving:
                yield [Sentence(phrase("kept_tower", actions=len(data.saving), more=more)), Items(data.saving)]
            else:
                yield [Sentence(phrase("none_kept_tower", more=more))]

    def certificates(self) -> Iterator[dict[str, Any]]:
        """A tower certificate for each turn, 0 first, and one for the position after each saving action."""
        for position, answer in zip(self.positions, self.answers, strict=True):
            if isinstance(answer, Completable):
                yield completable_certificate(position, answer)
            else:
                yield deadlocked_certificate(position, answer)
        for each in self.saving or ():
            yield completable_certificate(each.position, each.answer)


def scan(game: Game, rules: Rules | None = None, budget: Steps | int | None = None) -> Scan:
    """When the tower of a game was deadlocked, under the game's own rules or `rules`.

    The actions of the turn in question are asked as far as `budget` allows. Of an illegal game the turns before the
    first illegal one are looked at. Raises `NoSuchTurn` where its set-up is illegal or it cannot be told to its end,
    and `NoTower` where an up card is not shown. Cost: one replay, one question for each turn, and one for each legal
    action of the turn in question (times the choices of cards to destroy at worst).
    """
    rules = rules or game.record.rules
    game, outcome, illegal = legal_part(game, rules)
    states = outcome.states
    tags = kept_tags(game)
    positions = tuple(position_of(state, rules, tags) for state in states)
    for position in positions:
        require_shown(position)
    answers = tuple(complete(position) for position in positions)
    intervals = _intervals([isinstance(answer, Deadlocked) for answer in answers])
    turn = intervals[-1][0] if intervals and intervals[-1][1] == len(states) - 1 else None
    saving: tuple[Saving, ...] | None = None
    whole = not turn
    if turn:
        chance = _Chance(states[turn - 1], game.record.turns[turn - 1], rules, tags, steps_of(budget))
        savings = list[Saving]()
        with suppress(Spent):
            savings.extend(chance.saving())
            whole = chance.complete
        saving = tuple(savings)
    return Scan(
        game=game,
        positions=positions,
        answers=answers,
        intervals=intervals,
        turn=turn,
        saving=saving,
        complete=whole,
        illegal=illegal,
    )


def _intervals(dead: list[bool]) -> tuple[tuple[int, int], ...]:
    starts = [k for k, now in enumerate(dead) if now and (k == 0 or not dead[k - 1])]
    ends = [k for k, now in enumerate(dead) if now and (k + 1 == len(dead) or not dead[k + 1])]
    return tuple(zip(starts, ends, strict=True))


class _Chance:
    """What a turn could have done otherwise, after its recorded draw."""

    def __init__(
        self, before: State, turn: Turn, rules: Rules, tags: tuple[tuple[str, str], ...], budget: Steps
    ) -> None:
        self._rules, self._tags, self._turn, self._budget = rules, tags, turn, budget
        self._player = before.to_move
        self._drawn = carry_out(before, turn, self._player).drawn
        self._moves = legal_actions(self._drawn, self._player, rules.rulings, budget)

    @property
    def complete(self) -> bool:
        """Whether no unseen card may allow more."""
        return self._moves.complete and not any(map(opens_unseen, self._moves.actions))

    def saving(self) -> Iterator[Saving]:
        """The legal actions with known cards that keep the tower completable, in the order of `legal_actions`."""
        for move in self._moves.actions:
            saving = None if opens_unseen(move) else self._saved(move)
            if saving is not None:
                yield saving

    def _saved(self, move: Move) -> Saving | None:
        """`move` with an end of the turn that keeps the tower completable, None where there is none or it loses."""
        turn = Turn(self._turn.number, self._turn.player, (), move)
        step = carry_out(self._drawn, turn, self._player)
        end = ending(step, self._rules.rulings)
        if end == "loss":
            return None
        acted = self._asked(move, step.acted)
        if acted is None or end == "win":
            return acted
        needed = frozenset(acted.answer.filling.values())
        for _, _, state in limited(step.acted, self._player, self._rules.rulings, needed):
            saving = self._asked(move, state)
            if saving is not None:
                return saving
        return None

    def _asked(self, move: Move, state: State) -> Saving | None:
        self._budget.spend(_ASKED)
        position = position_of(state, self._rules, self._tags)
        answer = complete(position)
        return Saving(move, position, answer) if isinstance(answer, Completable) else None


class DeadlockData(Data, frozen=True, kw_only=True):
    """When a game's tower was deadlocked. `verdict` is that at the record's end; of a deadlocked one `turn` is the
    first of the last stretch of turns, `laid` that turn as CGN (None for the set-up), `reason` why the tower was
    deadlocked after it, and `saving` its legal actions with known cards that keep the tower completable; `complete` is
    false where unseen cards may allow more. Turn `illegal` is the first that is, and only those before it were looked
    at.
    """

    file: str
    game: Positive
    verdict: why.Answered
    level: Literal["tower"]
    intervals: tuple[tuple[Natural, Natural], ...]
    turn: Natural | None
    laid: str | None
    reason: why.ReasonData | None
    saving: tuple[str, ...] | None
    complete: bool
    illegal: Positive | None
    checked: bool
    format: Literal[1]


def looked_until(illegal: Illegal) -> Sentence:
    """That only the turns before the first illegal one were looked at; all of them where just the result is wrong."""
    if illegal.clause == "END05":
        return Sentence(phrase("result_wrong", clause=illegal.clause))
    return Sentence(phrase("looked_until", turn=illegal.turn, clause=illegal.clause))


def _stretches(intervals: Sequence[tuple[int, int]]) -> tuple[Fact, ...]:
    return tuple(map(stretch, intervals))


def stretch(turns: tuple[int, int]) -> Fact:
    """Some turns in a row, 0 being the set-up."""
    return fact("stretch_one" if turns[0] == turns[1] else "stretch", first=turns[0], last=turns[1])
