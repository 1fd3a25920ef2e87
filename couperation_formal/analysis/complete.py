"""Is the tower of a position, or of a game after a turn, still completable, and what could save it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from couperation_formal.analysis.inspect import kept_tags, position_of, state_after
from couperation_formal.analysis.named import game_named
from couperation_formal.game.budget import Spent
from couperation_formal.game.fact import Told, fact
from couperation_formal.game.record import Game, Position, Snapshot, short
from couperation_formal.game.rulings import Rules, taggable
from couperation_formal.game.tower import UNSEEN, Up
from couperation_formal.towers.completion.answer import (
    Completable,
    Deadlocked,
    Mended,
    TowerAnswer,
    completable_certificate,
    complete as complete_tower,
    deadlocked_certificate,
    mend,
    repair_certificate,
)
from couperation_formal.towers.completion.fill import Problem, fill, problems
from couperation_formal.towers.completion.windows import Windows, windows as tower_windows, windows_certificates
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
    from couperation_formal.analysis.verify import EngineDisagreement
    from couperation_formal.hidden.smt.arrangement import SolverUnknown
    from couperation_formal.hidden.smt.tower import z3_fill

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
