"""Does any continuation of a table win: the question asked of a position, or of a game after a turn.

The engine is `towers.continuation.answer`; here stand what it is asked about, the numbers of the turns, and the
certificates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal

import msgspec

from couperation_formal.analysis.complete import NoTower, Situation, placed, situated
from couperation_formal.analysis.inspect import NoSuchTurn, position_of, state_after, state_of
from couperation_formal.game.budget import Steps, steps_of
from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.record import Game, Position, Snapshot, Turn, short
from couperation_formal.game.rulings import Rules
from couperation_formal.game.tower import UNSEEN
from couperation_formal.notation.write import position_text, turn_text
from couperation_formal.towers.completion.answer import certificate_of
from couperation_formal.towers.continuation.answer import Answer, Exhausted, Unknown, Won, answer as table_answer
from couperation_formal.towers.continuation.theorems import Reason
from couperation_formal.words.say import phrase

Level = Literal["tower", "table"]
"""The level of a question: can the cards that are left fill the tower, or can legal turns still win."""


class TableAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer on the table of a position: a line that wins, a reason why none does, or the budget that ran out."""

    at: Situation
    answer: Answer

    @property
    def winnable(self) -> bool | None:
        """Whether some continuation wins; None where the budget ended first."""
        return None if isinstance(self.answer, Unknown) else isinstance(self.answer, Won)

    def __repr__(self) -> str:
        return short(self, at=str(self.at), winnable=self.winnable)

    def __str__(self) -> str:
        """The verdict, and a line that wins."""
        said = phrase("undetermined")
        if self.winnable is not None:
            said = phrase("completable" if self.winnable else "deadlocked")
        told = phrase("told_of", what=self.at, said=said)
        return "\n".join([told, *map(turn_text, line_from(self.answer, self.at.turn))])


def level_of(item: Game | Snapshot, turn: int | None = None, rules: Rules | None = None) -> Level:
    """The level at which an input is asked about unless told: `table` where somebody is to move, else `tower`.

    Of a game that is after turn `turn` (None: the last). What cannot be asked about counts as `tower`: the question
    tells why. Cost: one replay.
    """
    if isinstance(item, Snapshot):
        return "tower" if item.position.turn is None else "table"
    try:
        return "table" if state_after(item, turn, rules).result is None else "tower"
    except NoSuchTurn:
        return "tower"


def complete_table(
    item: Game | Snapshot,
    turn: int | None = None,
    rules: Rules | None = None,
    budget: Steps | int | None = None,
) -> TableAnswer:
    """Whether any legal continuation wins from this position, or from a game after turn `turn` (None: the last).

    `budget` counts steps (None: `game.budget.DEFAULT`). Raises `NoSuchTurn`, and `NoTower` where
    nobody is to move, where the game is over, where no place of the columns that the rules allow holds the tower, and
    where the cards do not add up. Cost: see `towers.continuation.answer`.
    """
    at = situated(item, turn, rules)
    if at.position.turn is None:
        if isinstance(item, Game):
            raise NoTower(fact("over_after", turn=at.turn))
        raise NoTower(fact("nobody_moves"))
    return TableAnswer(at=at, answer=ask(at.position, budget))


def ask(position: Position, budget: Steps | int | None = None, glance: bool = False) -> Answer:
    """The answer on a position in which somebody is to move, or a `glance` at it. Raises `NoTower` where no pyramid
    holds the tower or the cards do not add up.
    """
    placed(position)
    steps, found = steps_of(budget), list[tuple[Position, Answer]]()
    before = steps.spent
    for sized in every_size(position):
        try:
            found.append((sized, table_answer(state_of(sized), position.rules.rulings, steps, glance)))
        except Unfit as error:
            raise NoTower(error.what) from None
        if isinstance(found[-1][1], Unknown) or type(found[-1][1]) is not type(found[0][1]):
            break
    (_, first), (_, last) = found[0], found[-1]
    if not position.sizes or isinstance(first, Unknown):
        return first
    if type(last) is type(first):
        return msgspec.structs.replace(first, each=tuple(found))
    return Unknown(steps.spent - before, steps.limit - before, 0, (found[0], found[-1]))


def every_size(position: Position) -> Iterator[Position]:
    """The position with each size of the hands whose draws were not noted, the least and the greatest first."""
    names, deck = list(position.sizes), len(state_of(position).deck)
    ways = list(product(*(range(most - least + 1) for least, most in position.sizes.values())))
    for more in dict.fromkeys((ways[0], ways[-1], *ways)):
        if sum(more) <= deck:
            hands = {name: position.hands[name] + (UNSEEN,) * extra for name, extra in zip(names, more, strict=True)}
            yield msgspec.structs.replace(position, hands=position.hands | hands, sizes={})


def numbered(turns: Sequence[Turn], first: int) -> tuple[Turn, ...]:
    """Turns in their order, numbered on from `first`."""
    return tuple(msgspec.structs.replace(turn, number=number) for number, turn in enumerate(turns, start=first))


def line_from(answer: Answer, turn: int | None) -> tuple[Turn, ...]:
    """The line of an answer, its turns numbered on from turn `turn` (None: from 1); empty where there is none."""
    return numbered(answer.line, (turn or 0) + 1) if isinstance(answer, Won) else ()


def world_position(position: Position, answer: Won) -> Position:
    """The fully seen position that the line of `answer` starts from, with the marks that the line needs."""
    marks = answer.world.marks
    tags = {name: value for name, value in position.tags if name not in ("Rules", "Marks")}
    if marks:
        tags["Marks"] = " ".join(f"{value}:{mark}" for value, mark in sorted(marks.items()))
    return position_of(answer.world, position.rules, tuple(tags.items()))


def table_certificates(position: Position, answer: Answer) -> Iterator[dict[str, Any]]:
    """The certificate of an answer; none where the budget ran out, or where the checker cannot repeat the search."""
    if isinstance(answer, Unknown):
        return
    if answer.each:
        for sized, own in answer.each:
            yield from table_certificates(sized, own)
    elif isinstance(answer, Won):
        line = [turn_text(turn) for turn in numbered(answer.line, 1)]
        world = position_text(world_position(position, answer))
        yield certificate_of("table-completable", position, {"world": world, "line": line})
    elif not isinstance(answer.reason, Exhausted):
        yield reason_certificate(position, answer.reason)
    elif answer.checked:
        yield certificate_of("table-deadlocked", position, _search_data(answer.reason))


def answer_certificates(found: TableAnswer) -> Iterator[dict[str, Any]]:
    """The certificate of an answer, see `table_certificates`."""
    return table_certificates(found.at.position, found.answer)


def reason_certificate(position: Position, reason: Reason) -> dict[str, Any]:
    """The certificate that counting proves the table of `position` dead (`spec/table.md`)."""
    return certificate_of("table-deadlocked", position, reason_data(reason))


def reason_data(reason: Reason) -> dict[str, Any]:
    """A reason as an object with its `kind`, cells by name."""
    return {
        "kind": reason.kind,
        "numbers": dict(reason.numbers),
        "cells": [str(cell) for cell in reason.cells],
        "cards": list(reason.cards),
    }


def _search_data(search: Exhausted) -> dict[str, Any]:
    return {
        "kind": "search",
        "reductions": list(search.reductions),
        "positions": search.positions,
        "digest": search.digest,
    }
