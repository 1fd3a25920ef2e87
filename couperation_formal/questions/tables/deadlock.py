"""Which turn killed a recorded game, why, and what that turn could have done instead; of its tower, or of its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from couperation_formal.game.dealing import one_of
from couperation_formal.game.fact import Fact, Spent, Steps, Told, fact, steps_of, taken
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game, Outcome, Position, Turn, short
from couperation_formal.game.rules.moves import Move, Moves
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.rules.turn import ending
from couperation_formal.game.rulings import Rules
from couperation_formal.game.state import State
from couperation_formal.game.tower import Mark
from couperation_formal.notation.write import action_text, turn_text
from couperation_formal.output import formats
from couperation_formal.output.blocks import Block, Columns, Heading, Items, Paragraph, Play, Sentence, verdict
from couperation_formal.output.formats import Data, GameData, Natural, Positive
from couperation_formal.output.report import game_named
from couperation_formal.questions.records.sample import limited
from couperation_formal.questions.records.states import GameLike, Illegal, game_of, kept_tags, legal_part, rules_of
from couperation_formal.questions.tables import ask, why
from couperation_formal.questions.tables.moves import NOT_ASKED, Chance, Judged, opens_unseen
from couperation_formal.towers.completion.answer import Completable, TowerAnswer, complete, tower_certificate
from couperation_formal.towers.continuation.answer import Answer, Dead, Won
from couperation_formal.words.say import ENGLISH, encodable, say, stretches

# When the tower of a recorded game was deadlocked, and which actions of the turn that made it so would not have.
#
# At the tower level deadness can revert: a replacement may end it. So the answer is about the last stretch of
# deadlocked turns, where that reaches the record's end.

_ASKED: Final = 200
"""The steps that a question about a tower takes."""


class Saving(msgspec.Struct, frozen=True):
    """A legal action after which the tower is completable, the position at that turn's end and its filling.

    Where cards have to be destroyed for the limits, these are such that the tower stays completable.
    """

    action: Move
    position: Position
    answer: Completable


class Scan(formats.Answer, kw_only=True):
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
    illegal: Illegal | None

    def __repr__(self) -> str:
        return short(self, game=self.game, turn=self.turn)

    def __str__(self) -> str:
        """Since when the tower cannot be completed, and what would have kept it so."""
        said = fact("never_dead") if self.turn is None else fact("dead_since", turn=self.turn)
        told = say(fact("told_of", what=game_named(self.game), said=said), ENGLISH)
        return "\n".join([told, *(action_text(each.action) for each in self.saving or ())])

    def data(self) -> DeadlockData:
        """The answer as `deadlock --output-format json` writes it."""
        turn = self.turn
        return DeadlockData.about(
            self.game,
            self,
            verdict=why.verdict_of(self.answers[-1]),
            level="tower",
            laid=turn_text(self.game.record.turns[turn - 1]) if turn else None,
            reason=None if turn is None else why.reason_of(self.answers[turn]),
            saving=None if self.saving is None else tuple(action_text(each.action) for each in self.saving),
            illegal=None if self.illegal is None else self.illegal.turn,
            checked=True,
        )

    def blocks(self) -> Iterator[Paragraph]:
        """When the tower was deadlocked, the turn that made it so at last, why, and what would not have."""
        data = self.data()
        yield _title(self)
        if self.turn is None:
            alive = "dead_for_a_while" if self.intervals else "after_every_turn"
            yield [verdict("completable", alive, stretches=tuple(map(stretch, self.intervals)))]
            return
        told: list[Block] = [verdict("deadlocked", "dead_to_the_end", when=self.turn)]
        if len(self.intervals) > 1:
            before = tuple(map(stretch, self.intervals[:-1]))
            told.append(Sentence(fact("dead_before", stretches=before)))
        if data.laid is not None:
            told.append(Sentence(data.laid, fact("the_turn")))
        yield told
        yield from why.refusals(self.positions[self.turn], self.answers[self.turn])
        if data.saving is not None:
            more = "" if data.complete else fact("unseen_may_allow")
            if data.saving:
                yield [Sentence(fact("kept_tower", actions=len(data.saving), more=more)), Items(data.saving)]
            else:
                yield [Sentence(fact("none_kept_tower", more=more))]

    def certificates(self) -> Iterator[dict[str, Any]]:
        """A tower certificate for each turn, 0 first, and one for the position after each saving action."""
        for position, answer in zip(self.positions, self.answers, strict=True):
            yield tower_certificate(position, answer)
        for each in self.saving or ():
            yield tower_certificate(each.position, each.answer)


def scan(game: Game, rules: Rules | None, budget: Steps) -> Scan:
    """When the tower of a game was deadlocked, under the game's own rules or `rules`.

    The actions of the turn in question are asked as far as `budget` allows. Of an illegal game the turns before the
    first illegal one are looked at. Raises `NoSuchTurn` where its set-up is illegal or it cannot be told to its end,
    and `NoTower` where an up card is not shown. Cost: one replay, one question for each turn, and one for each legal
    action of the turn in question (times the choices of cards to destroy at worst).
    """
    rules = rules or game.record.rules
    game, outcome, illegal = legal_part(game, rules)
    states = outcome.states
    positions = _positions(game, states, rules)
    for position in positions:
        ask.require_shown(position)
    answers = tuple(complete(position) for position in positions)
    intervals = tuple(stretches(at for at, answer in enumerate(answers) if not isinstance(answer, Completable)))
    turn = intervals[-1][0] if intervals and intervals[-1][1] == len(states) - 1 else None
    savings: list[Saving] = []
    whole = not turn
    if turn:
        rescue = _Rescue(states[turn - 1], game.record.turns[turn - 1], rules, kept_tags(game), budget)
        with suppress(Spent):
            savings.extend(filter(None, map(rescue.saved, rescue.moves.actions)))
            whole = rescue.moves.complete and not any(map(opens_unseen, rescue.moves.actions))
    return Scan(
        game=game,
        positions=positions,
        answers=answers,
        intervals=intervals,
        turn=turn,
        saving=tuple(savings) if turn else None,
        complete=whole,
        illegal=illegal,
    )


def _positions(game: Game, states: Sequence[State], rules: Rules) -> tuple[Position, ...]:
    tags = kept_tags(game)
    return tuple(position_of(state, rules, tags) for state in states)


class _Rescue(Chance):
    """What the turn could have done for the tower."""

    def saved(self, move: Move) -> Saving | None:
        """`move` with an end of the turn that keeps the tower completable, None where there is none, where it loses, or
        where it opens an unseen card.
        """
        if opens_unseen(move):
            return None
        step = carry_out(self._drawn, Turn(self._turn.number, self._turn.player, (), move), self._player)
        end = ending(step, self.rulings)
        acted = None if end == "loss" else self._asked(move, step.acted)
        if acted is None or end == "win":
            return acted
        needed = frozenset(acted.answer.filling.values())
        ends = limited(step.acted, self._player, self.rulings, needed)
        return next(filter(None, (self._asked(move, state) for _, _, state in ends)), None)

    def _asked(self, move: Move, state: State) -> Saving | None:
        self.budget.spend(_ASKED)
        position = self.position(state)
        answer = complete(position)
        return Saving(move, position, answer) if isinstance(answer, Completable) else None


class DeadlockData(GameData):
    """When a game's tower was deadlocked. `verdict` is that at the record's end; of a deadlocked one `turn` is the
    first of the last stretch of turns, `laid` that turn as CGN (None for the set-up), `reason` why the tower was
    deadlocked after it, and `saving` its legal actions with known cards that keep the tower completable; `complete` is
    false where unseen cards may allow more. Turn `illegal` is the first that is, and only those before it were looked
    at.
    """

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


def _title(scan: Scan | TableScan) -> Paragraph:
    """The game; that only the turns before the first illegal one were looked at, or all where the result is wrong."""
    turns = fact("turns_in_all", turns=len(scan.positions) - 1)
    top = why.title(scan.game.file, scan.game.index, turns, scan.positions[-1])
    if scan.illegal is None:
        return top
    told = "result_wrong" if scan.illegal.clause == "END05" else "looked_until"
    return [*top, Sentence(fact(told, turn=scan.illegal.turn, clause=scan.illegal.clause))]


def stretch(turns: tuple[int, int]) -> Fact:
    """Some turns in a row, 0 being the set-up."""
    return fact("stretch_one" if turns[0] == turns[1] else "stretch", first=turns[0], last=turns[1])


# When a recorded game was dead: its first dead position, the turn that killed it, and what would not have.
#
# Deadness never reverts: what wins after a turn wins before it too, by that turn. So the first dead position is
# searched by halves. That holds as long as nothing known is forgotten: later positions of a record whose unseen cards
# leave doubts may show less. There a line proves something of the tables before only where the record, with a card for
# each unseen one, and then the line are one game that wins; the other tables are asked about turn by turn. A record
# that wins is taken at its word: whether it is legal is another question.

SHARE: Final = 6
"""A position may spend this part of what is left: about so many are asked about."""


class TableScan(formats.Answer, kw_only=True):
    """Where a game's table died.

    `positions` stand after turns 0 to the last one; `answers` holds those that were asked about, by turn. `result` is
    how the game ended, None where it goes on. `dead` is the first turn after which the table is known to be dead, 0 for
    the set-up, None where it never is; a game that was lost is dead after its last turn. `alive` is the last turn after
    which it is known to be alive, None where that is not known of the deal. Between the two nothing is known.
    `alternatives` are the legal actions of turn `dead` after its draw, judged, where the turn before it was alive;
    `complete` is False where unseen cards may allow more, and where the budget ended before all were found (`told`
    False). Where a turn is `illegal`, `game` ends before it. `forgets` tells that a later position may show less; then
    one game that is as recorded up to turn `served`, and goes on to win, shows each table of it alive (-1: none does).
    Positions before `first` are not asked about. `taken` tells what was spent of the budget.
    """

    game: Game
    positions: tuple[Position, ...]
    answers: dict[int, Answer]
    result: Outcome | None
    dead: int | None
    alive: int | None
    alternatives: tuple[Judged, ...]
    complete: bool
    told: bool
    illegal: Illegal | None
    forgets: bool
    served: int
    first: int
    taken: Fact

    def alive_after(self, turn: int) -> bool | None:
        """Whether the table was alive after turn `turn`, None where that is not known."""
        if self.dead is not None and turn >= self.dead:
            return False
        known = self.alive is not None and turn <= self.alive and not self.forgets
        return True if known or turn <= self.served or isinstance(self.answers.get(turn), Won) else None

    @property
    def open(self) -> tuple[int, int] | None:
        """The first and last turn after which it is not known whether the table was dead, None where all is known."""
        first = self.first if self.alive is None else self.alive + 1
        last = len(self.positions) - 1 if self.dead is None else self.dead - 1
        return (first, last) if first <= last else None

    @property
    def cut_at(self) -> int | None:
        """The illegal turn before which `game` ends, None where all turns were looked at."""
        return None if self.illegal is None or self.illegal.clause == "END05" else self.illegal.turn

    def __repr__(self) -> str:
        return short(self, game=self.game, dead=self.dead, alive=self.alive, open=self.open)

    def __str__(self) -> str:
        """Since when the table was dead, and the actions that would have kept it alive."""
        if self.open is not None:
            said = fact("open_between", first=self.open[0], last=self.open[1], taken=self.taken)
        else:
            said = fact("never_dead") if self.dead is None else fact("dead_since", turn=self.dead)
        told = say(fact("told_of", what=game_named(self.game), said=said), ENGLISH)
        return "\n".join([told, *(action_text(each.action) for each in self.judged("alive"))])

    def judged(self, verdict: str) -> list[Judged]:
        """The alternatives with this verdict."""
        return [each for each in self.alternatives if each.verdict == verdict]

    def data(self) -> TableDeadlockData:
        """The answer as `deadlock --level table --output-format json` writes it."""
        dead, alive = self.dead, self.alive
        end = len(self.positions) - (2 if self.result == "win" else 1)
        last = self.answers.get(end if dead is None else dead)
        shown = self.answers.get(-1 if alive is None else alive, NOT_ASKED)
        saved = ((action_text(each.action), why.written(each.line or ())) for each in self.judged("alive"))
        saving = tuple(SavingData(action=action, line=line) for action, line in saved)
        exact = bool(dead) and alive == (dead or 0) - 1
        verdict: why.Answered = "completable" if alive == len(self.positions) - 1 else "undetermined"
        reasons: tuple[why.TableReasonData, ...] = ()
        if dead is not None:
            verdict = "deadlocked"
            reasons = (why.ended(self.result or "loss"),) if last is None else why.reasons_of(last)
        return TableDeadlockData.about(
            self.game,
            self,
            verdict=verdict,
            level="table",
            turn=dead,
            laid=encodable(turn_text(self.game.record.turns[dead - 1])) if dead else None,
            reasons=reasons,
            line=why.written(ask.line_from(shown, alive)) or None,
            assumed_marks=why.marks_of(shown),
            saving=saving if exact else None,
            undecided=tuple(action_text(each.action) for each in self.judged("undetermined")),
            illegal=None if self.illegal is None else self.illegal.turn,
            checked=why.checked(last),
            budget=why.budget_of(last),
        )

    def blocks(self) -> Iterator[Paragraph]:
        """The first dead position, the turn that killed it, why, and what could have been played instead."""
        yield _title(self)
        yield from self.standing_blocks()
        yield from self.saving_blocks()
        yield from self.line_blocks()

    def standing_blocks(self) -> Iterator[Paragraph]:
        """Since when the table was dead, and why; that it is not, or that this is not known."""
        data = self.data()
        if data.verdict == "undetermined":
            said = why.ran_out(data.budget, self.taken) if data.budget else fact("dead_open", taken=self.taken)
            yield [verdict("undetermined", "told", said=said), *_open(self)]
            return
        if self.dead is None:
            won = self.result == "win"
            alive = "alive_to_the_end" if self.cut_at is None else "alive_until"
            yield [verdict("has_won" if won else "can_win", "game_is_won" if won else alive)]
            return
        dead: list[Block] = [verdict("cannot_win", "dead_from", when=self.dead), *_open(self)]
        if data.laid is not None:
            dead.append(Sentence(data.laid, fact("the_turn" if self.open is None else "dead_after")))
        yield dead
        if self.dead in self.answers:
            yield why.told(data.reasons, data.checked)
        else:
            yield [Sentence(fact("ended_with_this", result=self.result))]

    def saving_blocks(self) -> Iterator[Paragraph]:
        """The actions of the turn that lost a table that would have kept it alive, where they were asked about."""
        data = self.data()
        if data.saving is None:
            return
        fewer = "unseen_may_allow" if self.told else "budget_before_all"
        more: tuple[Fact, ...] = () if self.complete else (fact(fewer, taken=self.taken),)
        if data.undecided:
            more += (fact("undecided_more", count=len(data.undecided), taken=self.taken),)
        if data.saving:
            kept = Sentence(fact("kept_table", actions=len(data.saving), more=more))
            yield [kept, Items([each.action for each in data.saving])]
        else:
            open_ = data.undecided or not self.told
            yield [Sentence(fact("none_known_kept_table" if open_ else "none_kept_table", more=more))]

    def line_blocks(self) -> Iterator[Paragraph]:
        """A line that wins from the last table known to be alive; nothing of a game that is won."""
        line, alive = self.data().line, self.alive or 0
        if line is not None and (self.dead is not None or self.result is None):
            would = [Sentence(fact("would_have_won", when=alive))] if self.dead is not None else []
            yield [*would, Play(line)]
            yield from why.assumed(self.positions[alive], self.answers[alive])

    def certificates(self) -> Iterator[dict[str, Any]]:
        """The certificates of the first dead position and of the last alive one, as far as somebody is to move there,
        and of the positions after the actions that keep the table alive.
        """
        for turn in (self.dead, self.alive if self.result != "win" else len(self.positions) - 2):
            if turn is not None and turn in self.answers:
                yield from ask.table_certificates(self.positions[turn], self.answers[turn])
        for each in self.judged("alive"):
            yield from each.certificates()


def scan_table(game: Game, rules: Rules | None, budget: Steps, illegal: Illegal | None = None) -> TableScan:
    """The first dead position of a game, under its own rules or `rules`, and what the turn before it could have done.

    `budget` pays for everything: a position may spend a sixth of what is left, the actions of the killing turn the
    rest. Of an illegal game the turns before the first illegal one are looked at, or before `illegal`. Raises
    `NoSuchTurn` where its set-up is illegal or it cannot be told to its end, and `NoTower` as
    `questions.tables.ask.ask` does. Cost: one replay and about log2(turns) questions; one for each turn where the
    record leaves doubts.
    """
    rules = rules or game.record.rules
    legal, outcome, illegal = legal_part(game, rules, illegal)
    search = _Search(legal, outcome.states, rules, budget)
    forgets = bool(outcome.doubts) and outcome.states[-1].result != "win"
    return search.scan(search.by_turns() if forgets else search.by_halves(), forgets, illegal)


def scan_end(
    game: Game, states: Sequence[State], first: int, forgets: bool, budget: Steps, alive: int | None, judged: bool
) -> TableScan:
    """The same for whoever looks at the last table, of which the turns before are asked about where it is dead.

    `states` are the tables from the set-up on, those from `first` on by legal turns; the tables before it are not
    asked about. With `forgets` no answer is taken to say anything of other tables. `alive` is a turn after which the
    table is known to be alive. Only with `judged` the actions of the killing turn are asked about. Raises `NoTower`.
    """
    search = _Search(game, states, game.record.rules, budget)
    dead, last = search.from_end(max(first - 1, -1 if alive is None or forgets else alive))
    ends = dead, None if last is None or last < first else last
    return search.scan(ends, forgets or first > 0, None, first, judged)


class Undetermined(Told, RuntimeError):
    """The budget ended before the answer was found. The table died, if it did, after turn `first` or a later one up to
    `last`; 0 is the set-up.
    """

    def __init__(self, first: int, last: int, taken: Fact) -> None:
        super().__init__(fact("open_between", first=first, last=last, taken=taken))
        self.first, self.last = first, last


def deadlock(
    game: GameLike,
    rules: Rules | str | None = None,
    *,
    level: ask.Level | None = None,
    budget: Steps | int | None = None,
) -> Scan | TableScan:
    """Which turn killed a game, and why. With the level ``"tower"`` it is asked of the tower as it lies. Raises
    `NoSuchTurn`. Cost: see `scan` and `scan_table`.
    """
    asked, read = game_of(game, "deadlock"), rules_of(rules)
    ask.level_asked(level)
    look = scan if level == "tower" else scan_table
    return look(asked, read, steps_of(budget))


def first_dead_turn(
    game: GameLike, rules: Rules | str | None = None, *, level: ask.Level = "table", budget: Steps | int | None = None
) -> int | None:
    """The turn that killed a game, by place, 0 for the set-up: after it no continuation wins. None: there is none, for
    sure. Where the budget ends first it raises `Undetermined`, so that what is open never looks like None.

    With the level ``"tower"``: the turn after which the tower could not be completed any more, up to the end of the
    record. That is exact. Raises `NoSuchTurn` where the record is illegal or cannot be told to its end.
    """
    answer = deadlock(game, rules, level=level, budget=budget)
    if isinstance(answer, Scan):
        return answer.turn
    if answer.open is not None:
        raise Undetermined(*answer.open, answer.taken)
    return answer.dead


class _Search:
    """The positions of a game, the last one of which may be after its end, and their answers as far as asked for."""

    def __init__(self, game: Game, states: Sequence[State], rules: Rules, budget: Steps) -> None:
        self.answers: dict[int, Answer] = {}
        self._served = -1
        self._game, self._states, self._rules, self._budget = game, states, rules, budget
        self._positions, self._result = _positions(game, states, rules), states[-1].result
        self._last = len(states) - 1
        self._asked = self._last if self._result is None else self._last - 1

    def _ask(self, turn: int) -> Answer:
        if turn not in self.answers:
            with self._budget.at_most(-(-self._budget.left // SHARE)):
                self.answers[turn] = ask.ask(self._positions[turn], self._budget)
        return self.answers[turn]

    def _is(self, kind: type[Won | Dead], turn: int) -> bool:
        """Whether the table after a turn is known to be alive or dead."""
        if turn > self._asked:
            return kind is (Won if self._result == "win" else Dead)
        return isinstance(self._ask(turn), kind)

    def scan(
        self,
        ends: tuple[int | None, int | None],
        forgets: bool,
        illegal: Illegal | None,
        first: int = 0,
        judged: bool = True,
    ) -> TableScan:
        """What a search found: the first position known to be dead and the last one before it known to be alive. Where
        these follow each other the other actions of the killing turn are `judged`.
        """
        dead, alive = ends
        moves, alternatives = Moves((), True), tuple[Judged, ...]()
        if judged and dead and alive == dead - 1:
            own = self._game.record.turns[dead - 1]
            chance = Chance(self._states[alive], own, self._rules, kept_tags(self._game), self._budget)
            moves, line = chance.moves, ask.line_from(self.answers.get(alive, NOT_ASKED), alive)
            known = line[0].action if line and line[0].draw == own.draw else None
            decided = (each.kept(line) if each.action == known else each for each in chance.judged())
            alternatives = tuple(sorted(decided, key=lambda each: moves.actions.index(each.action)))
        return TableScan(
            game=self._game,
            positions=self._positions,
            answers=dict(sorted(self.answers.items())),
            result=self._result,
            dead=dead,
            alive=alive,
            alternatives=alternatives,
            complete=moves.complete,
            told=moves.told,
            illegal=illegal,
            forgets=forgets,
            served=self._served,
            first=first,
            taken=taken(self._budget),
        )

    def from_end(self, low: int) -> tuple[int | None, int | None]:
        """The search where the last position is dead; else whether that one is known to be alive."""
        if self._result != "win" and self._is(Dead, self._last):
            return self.by_halves(low)
        return None, self._last if self._is(Won, self._last) else low if low >= 0 else None

    def by_halves(self, low: int = -1) -> tuple[int | None, int | None]:
        """The search where nothing known is forgotten; after turn `low` the table is known to be alive. An open answer
        counts as alive in the first search and as dead in the second, which begins at the last one that is known to be
        alive.
        """
        if self._result == "win":
            self._ask(self._asked)
            return None, self._last
        dead = self._last + 1
        if self._is(Dead, self._last):
            dead = _first(partial(self._is, Dead), self._last, low)
        elif self._is(Won, self._last):
            return None, self._last
        known = max((turn for turn, answer in self.answers.items() if isinstance(answer, Won)), default=low)
        alive = _first(lambda turn: not self._is(Won, turn), min(dead, self._last), known) - 1
        return (dead if dead <= self._last else None), (alive if alive >= 0 else None)

    def by_turns(self) -> tuple[int | None, int | None]:
        """The search where a later position may show less: turn by turn up to the first dead one, but for tables before
        one whose line serves them too. These are looked for by halves.
        """
        high, at = self._last + 1, self._last
        while at > self._served:
            if self._is(Dead, at):
                high = at
            elif self._serves(at):
                self._served = at
            else:
                break
            at = (self._served + high) // 2
        dead = next(filter(partial(self._is, Dead), range(self._served + 1, self._last + 1)), None)
        before = range(self._last + 1 if dead is None else dead)
        return dead, next(filter(partial(self._is, Won), reversed(before)), None)

    def _serves(self, turn: int) -> bool:
        """Whether the turns up to this one and the line that wins after it are one game, for which one deal and one
        choice of marks is tried: then the tables before are alive as well. Cost: a replay.
        """
        answer, record = self._ask(turn), self._game.record
        if not isinstance(answer, Won) or answer.each:
            return False
        line, before = ask.line_from(answer, turn), replace(record, turns=record.turns[:turn], result=None)
        played = one_of(before, self._rules.rulings, line, answer.world.marks)
        return played is not None and played.reached == "win"


def _first(holds: Callable[[int], bool], last: int, low: int = -1) -> int:
    """The first turn after `low` that `holds`: `last` does, and what holds once holds from there on. Cost: log2(last)
    calls.
    """
    high = last
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


class SavingData(Data):
    """An action that keeps the table alive, and the turns that then win, its own first."""

    action: str
    line: tuple[str, ...]


class TableDeadlockData(GameData):
    """Where a game's table died. `verdict` is that at the record's end, `result` how the game ended.

    `turn` is the first turn after which the table is known to be dead (0: the deal), `alive` the last one after which
    it is known to be alive; what lies between is not known. `laid` is turn `turn` as CGN and `reasons` why it is dead
    after it. `line` are turns that win after turn `alive`, None where the record itself does. `saving` are the actions
    of turn `turn` after its draw that keep the table alive, `undecided` those of which it is not known; `complete` is
    false where unseen cards may allow more. Turn `illegal` is the first that is, and only those before it were looked
    at. `checked` and `budget` are those of the first dead position, or of the end.
    """

    verdict: why.Answered
    level: Literal["table"]
    result: Outcome | None
    turn: Natural | None
    alive: Natural | None
    laid: str | None
    reasons: tuple[why.TableReasonData, ...]
    line: tuple[str, ...] | None
    assumed_marks: dict[str, Mark]
    saving: tuple[SavingData, ...] | None
    undecided: tuple[str, ...]
    complete: bool
    illegal: Positive | None
    checked: bool | None
    budget: why.BudgetData | None
    format: Literal[1]


class SummaryData(Data):
    """Several games together: how many were alive to the end, dead or undetermined there; of the dead ones how many
    first were so after which turn (0: the deal), and the reasons by frequency. `unchecked` are the dead ones whose
    search is too large for the independent checker, `inexact` those whose killing turn is not certain.
    """

    summary: Literal["deadlock"]
    level: Literal["table"]
    games: Natural
    alive: Natural
    dead: Natural
    undetermined: Natural
    turns: dict[str, Positive]
    reasons: dict[str, Positive]
    unchecked: Natural
    inexact: Natural
    format: Literal[1]


def summary_data(games: Sequence[TableDeadlockData]) -> SummaryData:
    """The summary of the games of one run. Turns rise, reasons fall by number, then rise by name."""
    verdicts = Counter(game.verdict for game in games)
    dead = [game for game in games if game.turn is not None]
    turns = Counter(game.turn or 0 for game in dead)
    reasons = Counter(reason.kind for game in dead for reason in game.reasons[:1])
    return SummaryData(
        summary="deadlock",
        level="table",
        games=len(games),
        alive=verdicts["completable"],
        dead=verdicts["deadlocked"],
        undetermined=verdicts["undetermined"],
        turns={str(turn): count for turn, count in sorted(turns.items())},
        reasons=dict(sorted(reasons.items(), key=lambda each: (-each[1], each[0]))),
        unchecked=sum(game.checked is False for game in dead),
        inexact=sum(bool(game.turn) and game.alive != (game.turn or 0) - 1 for game in dead),
        format=1,
    )


def _open(scan: TableScan) -> Iterator[Block]:
    """Where it is not known whether the table was dead."""
    if scan.open is not None:
        alive = fact("none_alive") if scan.alive is None else fact("alive_after", when=scan.alive)
        yield Sentence(fact("not_known_dead", span=stretch(scan.open), taken=scan.taken, alive=alive))


def summary_blocks(data: SummaryData) -> Iterator[Paragraph]:
    """The summary of several games as a small table."""
    told = ["games", "alive", "dead", "undetermined"]
    told += [name for name in ("inexact", "unchecked") if getattr(data, name)]
    rows = [(fact(f"summary_{name}"), str(getattr(data, name))) for name in told]
    yield [Heading(fact("summary")), Columns(rows, indent=2)]
    if data.turns:
        bars = [(fact("after", turn=turn), f"{n:4} {'#' * min(n, 60)}") for turn, n in data.turns.items()]
        yield [Heading(fact("first_dead_after")), Columns(bars, indent=2)]
    if data.reasons:
        yield [Heading(fact("reasons")), Columns([(kind, str(n)) for kind, n in data.reasons.items()], indent=2)]
