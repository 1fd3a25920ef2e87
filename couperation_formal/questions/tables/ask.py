"""What is asked about towers and tables, and what all these questions share."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import asdict, replace

from couperation_formal.game.fact import Fact, Steps, Told, Unfit, fact, numbers
from couperation_formal.game.position import position_of, state_of, under
from couperation_formal.game.record import Game, Position, Snapshot, Turn
from couperation_formal.game.rulings import Rules
from couperation_formal.game.tower import UNSEEN, Up
from couperation_formal.notation import write
from couperation_formal.output.report import game_named
from couperation_formal.questions.records import states
from couperation_formal.towers.completion.answer import certificate_of
from couperation_formal.towers.completion.fill import problems
from couperation_formal.towers.continuation.answer import Answer, Exhausted, Unknown, Won, answer as table_answer
from couperation_formal.towers.continuation.theorems import Reason
from couperation_formal.words.say import ENGLISH, say


class NoTower(Told, LookupError):
    """What was asked for has no tower that the rules allow."""


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """A position and where it is from: position or game `index` of `file`, after turn `turn` of `turns`; both are None
    for a position.
    """

    file: str
    index: int
    turn: int | None
    turns: int | None
    position: Position

    @property
    def where(self) -> Fact:
        """Where it is from, in a few words."""
        parts = (game_named(self), *([] if self.turn is None else [after(self.turn, self.turns)]))
        return fact("listed", texts=parts)

    def __str__(self) -> str:
        return say(self.where, ENGLISH)


def after(turn: int, turns: int | None) -> Fact:
    """A place in a game of so many turns, 0 being the set-up."""
    return fact("after_turn" if turn else "after_setup", turn=turn, turns=turns)


def require_shown(position: Position) -> None:
    """Raises `NoTower` where an up card of the tower is not shown: the question needs its number."""
    for cell, laid in position.tower:
        if laid == Up(UNSEEN):
            raise NoTower(fact("up_unseen", cell=cell))


def place_asked(
    name: str, item: states.PlaceLike, turn: int | None, rules: Rules | str | None
) -> tuple[Game | Snapshot, int | None, Rules | None]:
    """What the public function `name` asks about, the turn, and the rules that stand in place of its own. Raises
    `NoSuchTurn` for a turn of a position.
    """
    numbers(turn=turn)
    read = states.rules_of(rules)
    asked = states.place_of(item, name, read)
    if turn is not None and isinstance(asked, Snapshot):
        raise states.NoSuchTurn(fact("no_position_turn"))
    return asked, turn, read


def level_asked(level: "Level | None") -> None:
    """Raises `ValueError` for a word that is no level."""
    if level is not None:
        states.word("level", level, get_args(Level))


def situation(item: Game | Snapshot, turn: int | None, rules: Rules | None) -> Situation:
    """The position that `item` is, or the game's position after turn `turn` (None: the last), under its own rules or
    `rules`.

    Raises `NoSuchTurn`, also for a turn of a position, and `NoTower` where no place of the columns that the rules
    allow holds the tower, or where an up card of it is not shown.
    """
    at = situated(item, turn, rules)
    require_shown(at.position)
    placed(at.position)
    return at


def situated(item: Game | Snapshot, turn: int | None, rules: Rules | None) -> Situation:
    """The same without a look at the tower. Raises `NoSuchTurn`, and `NoTower` for a turn of a position."""
    if isinstance(item, Snapshot):
        if turn is not None:
            raise NoTower(fact("no_turns"))
        return Situation(file=item.file, index=item.index, turn=None, turns=None, position=under(item.position, rules))
    state = states.state_after(item, turn, rules)
    position = position_of(state, rules or item.record.rules, states.kept_tags(item))
    turns = len(item.record.turns)
    return Situation(file=item.file, index=item.index, turn=state.turns, turns=turns, position=position)


def position_text(position: states.PlaceLike, rules: Rules | str | None = None) -> str:
    """A position as canonical CGN; of a game that after its last turn. Raises what `position_after` raises."""
    read = states.rules_of(rules)
    if isinstance(position, Position) and read is None:
        return write.position_text(position)
    return write.position_text(situated(states.place_of(position, "position_text", read), None, read).position)


def placed(position: Position) -> None:
    """Raises `NoTower` where no place of the columns that the rules allow holds the tower."""
    if not problems(position):
        raise NoTower(fact("no_pyramid", rules=str(position.rules)))


Level = Literal["tower", "table"]
"""The level of a question: can the cards that are left fill the tower, or can legal turns still win."""


def level_of(item: Game | Snapshot, turn: int | None, rules: Rules | None) -> Level:
    """The level at which an input is asked about unless told: `table` where somebody is to move, else `tower`.

    Of a game that is after turn `turn` (None: the last). What cannot be asked about counts as `tower`: the question
    tells why. Cost: one replay.
    """
    try:
        return "tower" if situated(item, turn, rules).position.turn is None else "table"
    except (states.NoSuchTurn, NoTower):
        return "tower"


def ask(position: Position, steps: Steps, glance: bool = False) -> Answer:
    """The answer on a position in which somebody is to move, or a `glance` at it. Raises `NoTower` where no pyramid
    holds the tower or the cards do not add up.
    """
    placed(position)
    answers, before = list[tuple[Position, Answer]](), steps.spent
    for sized in every_size(position):
        try:
            answers.append((sized, table_answer(state_of(sized), position.rules.rulings, steps, glance)))
        except Unfit as error:
            raise NoTower(error.what) from None
        if isinstance(answers[-1][1], Unknown) or type(answers[-1][1]) is not type(answers[0][1]):
            break
    (_, first), (_, last) = answers[0], answers[-1]
    if not position.sizes or isinstance(first, Unknown):
        return first
    if type(last) is type(first):
        return replace(first, each=tuple(answers))
    return Unknown(steps.spent - before, steps.limit - before, 0, (answers[0], answers[-1]))


def every_size(position: Position) -> Iterator[Position]:
    """The position with each size of the hands whose draws were not noted, the least and the greatest first."""
    names, deck = list(position.sizes), len(state_of(position).deck)
    ways = list(product(*(range(most - least + 1) for least, most in position.sizes.values())))
    for more in dict.fromkeys((ways[0], ways[-1], *ways)):
        if sum(more) <= deck:
            hands = {name: position.hands[name] + (UNSEEN,) * extra for name, extra in zip(names, more, strict=True)}
            yield replace(position, hands=position.hands | hands, sizes={})


def line_from(answer: Answer, turn: int | None) -> tuple[Turn, ...]:
    """The line of an answer, its turns numbered on from turn `turn` (None: from 1); empty where there is none."""
    line = answer.line if isinstance(answer, Won) else ()
    return tuple(replace(each, number=number) for number, each in enumerate(line, (turn or 0) + 1))


def world_position(position: Position, answer: Won) -> Position:
    """The fully seen position that the line of `answer` starts from, with the marks that the line needs."""
    tags = tuple(tag for tag in position.tags if tag[0] != "Rules")
    return position_of(answer.world, position.rules, tags).bearing(answer.world.marks)


def table_certificates(position: Position, answer: Answer) -> Iterator[dict[str, Any]]:
    """The certificate of an answer; none where the budget ran out, or where the checker cannot repeat the search."""
    if isinstance(answer, Unknown):
        return
    if answer.each:
        for sized, own in answer.each:
            yield from table_certificates(sized, own)
    elif isinstance(answer, Won):
        line = [write.turn_text(turn) for turn in line_from(answer, None)]
        world = write.position_text(world_position(position, answer))
        yield certificate_of("table-completable", position, {"world": world, "line": line})
    elif answer.checked:
        yield certificate_of("table-deadlocked", position, reason_data(answer.reason))


def reason_data(reason: Reason | Exhausted) -> dict[str, Any]:
    """A reason as an object with its `kind`, cells by name."""
    if isinstance(reason, Exhausted):
        return {"kind": "search", **asdict(reason), "reductions": list(reason.reductions)}
    return {
        "kind": reason.kind,
        "numbers": dict(reason.numbers),
        "cells": [str(cell) for cell in reason.cells],
        "cards": list(reason.cards),
    }
