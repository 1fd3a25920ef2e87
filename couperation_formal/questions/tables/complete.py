"""Is the tower of a position, or of a game after a turn, still completable, and what could save it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal

import msgspec

from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.fact import Told, Unfit, fact
from couperation_formal.game.position import position_of, state_of
from couperation_formal.game.record import Game, Position, Snapshot, Turn, short
from couperation_formal.game.rulings import Rules, taggable
from couperation_formal.game.tower import UNSEEN, Up
from couperation_formal.notation.write import position_text, turn_text
from couperation_formal.output.report import game_named
from couperation_formal.questions.records.states import NoSuchTurn, kept_tags, state_after
from couperation_formal.towers.completion.answer import (
    Completable,
    Deadlocked,
    Mended,
    TowerAnswer,
    certificate_of,
    completable_certificate,
    complete as complete_tower,
    deadlocked_certificate,
    mend,
    repair_certificate,
)
from couperation_formal.towers.completion.fill import Problem, fill, problems
from couperation_formal.towers.completion.windows import Windows, windows as tower_windows, windows_certificates
from couperation_formal.towers.continuation.answer import Answer, Exhausted, Unknown, Won, answer as table_answer
from couperation_formal.towers.continuation.theorems import Reason
from couperation_formal.words.say import phrase

TowerEngine = Literal["exact", "z3", "both"]


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

    def __str__(self) -> str:
        """Where it is from, in a few words."""
        game = game_named(self.file, self.index)
        if self.turn is None:
            return game
        after = phrase("after_turn" if self.turn else "after_setup", turn=self.turn, turns=self.turns)
        return f"{game}, {after}"


class Completion(msgspec.Struct, frozen=True, kw_only=True):
    """The answer on a position's tower. `mended` is the least set of up cards whose giving up saves it, None where none
    does or where nothing has to be given up.
    """

    at: Situation
    answer: TowerAnswer
    mended: Mended | None

    @property
    def completable(self) -> bool:
        """Whether the tower can be completed."""
        return isinstance(self.answer, Completable)

    def __repr__(self) -> str:
        return short(self, at=str(self.at), completable=self.completable)

    def __str__(self) -> str:
        """The verdict, and a filling as cards on cells."""
        said = phrase("completable" if self.completable else "deadlocked")
        lines = [phrase("told_of", what=self.at, said=said)]
        if isinstance(self.answer, Completable):
            problem = self.answer.problem
            lines.append(" ".join(f"{value}@{problem.cell(i)}" for i, value in self.answer.filling.items()))
        return "\n".join(filter(None, lines))


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What every free cell of a position's tower can still take."""

    at: Situation
    windows: Windows

    def __repr__(self) -> str:
        return short(self, at=str(self.at), cells=len(self.windows.values))

    def __str__(self) -> str:
        """Each free cell and the numbers that it can take."""
        return "\n".join(" ".join(map(str, (cell, *values))) for cell, values in self.windows.values.items())


def require_shown(position: Position) -> None:
    """Raises `NoTower` where an up card of the tower is not shown: the question needs its number."""
    for cell, laid in position.tower:
        if isinstance(laid, Up) and laid.card is UNSEEN:
            raise NoTower(fact("up_unseen", cell=cell))


def situation(item: Game | Snapshot, turn: int | None = None, rules: Rules | None = None) -> Situation:
    """The position that `item` is, or the game's position after turn `turn` (None: the last), under its own rules or
    `rules`.

    Raises `NoSuchTurn`, also for a turn of a position, and `NoTower` where no place of the columns that the rules
    allow holds the tower, or where an up card of it is not shown.
    """
    at = situated(item, turn, rules)
    require_shown(at.position)
    placed(at.position)
    return at


def situated(item: Game | Snapshot, turn: int | None = None, rules: Rules | None = None) -> Situation:
    """The same without a look at the tower. Raises `NoSuchTurn`, and `NoTower` for a turn of a position."""
    if isinstance(item, Snapshot):
        if turn is not None:
            raise NoTower(fact("no_turns"))
        return Situation(file=item.file, index=item.index, turn=None, turns=None, position=_under(item.position, rules))
    state = state_after(item, turn, rules)
    position = position_of(state, rules or item.record.rules, kept_tags(item))
    turns = len(item.record.turns)
    return Situation(file=item.file, index=item.index, turn=state.turns, turns=turns, position=position)


def placed(position: Position) -> None:
    """Raises `NoTower` where no place of the columns that the rules allow holds the tower."""
    if not problems(position):
        raise NoTower(fact("no_pyramid", rules=str(position.rules)))


def _under(position: Position, rules: Rules | None) -> Position:
    """The position under other rules, its tags too."""
    if rules is None:
        return position
    rules = taggable(rules)
    tags = [tag for tag in position.tags if tag[0] != "Rules"]
    return msgspec.structs.replace(position, rules=rules, tags=(*tags[:1], ("Rules", str(rules)), *tags[1:]))


def complete(
    item: Game | Snapshot, turn: int | None = None, rules: Rules | None = None, engine: TowerEngine = "exact"
) -> Completion:
    """The answer at the tower level, and what could save a deadlocked tower.

    `engine` "exact" fills the tower by earliest deadline first, "z3" has Z3 decide, and "both" asks both and raises
    `EngineDisagreement` where they differ. Raises what `situation` raises; with Z3 `Spent` where it gives up.
    Cost: tens of microseconds, tens of milliseconds with Z3; for a deadlocked tower the search for its repair.
    """
    at = situation(item, turn, rules)
    answer = complete_tower(at.position) if engine == "exact" else _by_z3(at, both=engine == "both")
    mended = mend(at.position) if isinstance(answer, Deadlocked) else None
    return Completion(at=at, answer=answer, mended=mended)


def _by_z3(at: Situation, both: bool) -> TowerAnswer:
    from couperation_formal.hidden.smt.arrangement import SolverUnknown
    from couperation_formal.hidden.smt.tower import z3_fill
    from couperation_formal.questions.records.check import EngineDisagreement

    def by_both(problem: Problem) -> dict[int, int] | None:
        exact, z3 = fill(problem), z3_fill(problem)
        if (exact is None) != (z3 is None):
            raise EngineDisagreement(f"{at}: {'no filling' if exact is None else 'a filling'}, z3 the contrary")
        return exact

    try:
        return complete_tower(at.position, by=by_both if both else z3_fill)
    except SolverUnknown:
        raise Spent from None


def completion_certificates(found: Completion) -> Iterator[dict[str, Any]]:
    """The certificate of an answer and, where it is no, that of what could save the tower."""
    position, answer = found.at.position, found.answer
    if isinstance(answer, Completable):
        yield completable_certificate(position, answer)
    else:
        yield deadlocked_certificate(position, answer)
        yield repair_certificate(position, found.mended)


def windows(item: Game | Snapshot, turn: int | None = None, rules: Rules | None = None) -> Outlook:
    """What every free cell can still take, exactly. Raises what `situation` raises. Cost: see
    `towers.completion.windows`.
    """
    at = situation(item, turn, rules)
    return Outlook(at=at, windows=tower_windows(at.position))


def outlook_certificates(found: Outlook) -> Iterator[dict[str, Any]]:
    """Certificates for every value listed and left out; see `towers.completion.windows.windows_certificates`."""
    return windows_certificates(found.at.position, found.windows)


# Does any continuation of a table win: the question asked of a position, or of a game after a turn.
#
# The engine is `towers.continuation.answer`; here stand what it is asked about, the numbers of the turns, and the
# certificates.

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
