"""What each free cell of a tower can still take: a value is listed exactly when some filling puts it there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from couperation_formal.game.record import Position
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, Cell, Down, Laid, UnseenCard, Up, Value
from couperation_formal.towers.completion.answer import (
    Completable,
    Deadlocked,
    completable_certificate,
    complete,
    deadlocked_certificate,
)
from couperation_formal.towers.completion.fill import Problem, bounds, fill, problems


class Windows(msgspec.Struct, frozen=True, kw_only=True):
    """The values that free cells can take.

    `values` holds for every free cell, of every place that the tower allows, the values that some filling puts there,
    rising. `down` tells for each down card whether it can be opened where it lies; of an unseen one, whether some card
    that it may be could. `lefts` are the leftmost columns of the places that have a filling. `witnesses` are fillings
    that show every value listed.
    """

    values: dict[Cell, tuple[int, ...]]
    down: dict[Cell, bool]
    lefts: tuple[int, ...]
    witnesses: tuple[Completable, ...]


def windows(
    position: Position,
    board: Board = STANDARD,
    only: Collection[Cell] | None = None,
    sure: Mapping[Cell, Collection[int]] | None = None,
) -> Windows:
    """What each free cell can take, with every up card staying where it is; with `only`, what these cells can (others
    may lack values then). Of the values in `sure` it is known that a cell can take them: these are not asked about, and
    no witness need show them.

    Each value inside a cell's window is fixed there and the question asked again, unless a filling found before has it
    there. Cost: one filling for each cell and value at most, for each place.
    """
    found: dict[Cell, set[int]] = {}
    known = sure or {}
    lefts: list[int] = []
    witnesses: list[Completable] = []
    located: frozenset[int] = frozenset()
    for problem in problems(position, board):
        located = problem.located
        told = {(i, value) for i in problem.free for value in known.get(problem.cell(i), ())}
        cells = {i: found.setdefault(problem.cell(i), set(known.get(problem.cell(i), ()))) for i in problem.free}
        filling = fill(problem)
        if filling is None:
            continue
        lefts.append(problem.left)
        wanted = [i for i in problem.free if only is None or problem.cell(i) in only]
        for witness in _witnesses(problem, filling, wanted, told):
            if any(value not in cells[i] for i, value in witness.items()):
                witnesses.append(Completable(problem, witness))
                for i, value in witness.items():
                    cells[i].add(value)
    values = {cell: tuple(sorted(found[cell])) for cell in sorted(found)}
    down = {cell: _opens(laid, values[cell], located) for cell, laid in sorted(position.tower) if type(laid) is Down}
    return Windows(values=values, down=down, lefts=tuple(lefts), witnesses=tuple(witnesses))


def _opens(laid: Laid, values: tuple[int, ...], located: frozenset[int]) -> bool:
    """Whether a down card's value, or some value that an unseen one may have, is among these."""
    if isinstance(laid.card, UnseenCard):
        return any(value not in located for value in values)
    return laid.card in values


def _witnesses(
    problem: Problem, filling: dict[int, int], wanted: list[int], told: set[tuple[int, int]]
) -> Iterator[dict[int, int]]:
    """Fillings that together show all that the wanted cells of a place can take but for what is `told`, `filling`
    first.
    """
    yield filling
    shown = told | set(filling.items())
    window = bounds(problem, problem.fixed)
    for i in wanted:
        for value in problem.values:
            if window.low[i] < value < window.high[i] and (i, value) not in shown:
                other = fill(_with(problem, i, value))
                if other is not None:
                    other[i] = value
                    shown.update(other.items())
                    yield other


def _with(problem: Problem, cell: int, value: int) -> Problem:
    """The problem with one more card up."""
    return msgspec.structs.replace(
        problem,
        fixed=(*problem.fixed[:cell], value, *problem.fixed[cell + 1 :]),
        values=tuple(other for other in problem.values if other != value),
        located=problem.located - {value},
    )


def windows_certificates(position: Position, found: Windows) -> Iterator[dict[str, Any]]:
    """Tower certificates for all that `found` lists and leaves out.

    Fillings that show each value listed; for each cell and available value left out, that the tower is deadlocked once
    that card lies up there; of a tower that is deadlocked as it stands, this alone. Nothing for values that have to be
    gone, as there are no more than unseen gone cards: no position has such a card up. Cost: one question for each value
    left out.
    """
    if not found.lefts:
        answer = complete(position)
        if not isinstance(answer, Deadlocked):
            raise AssertionError("a tower that no cell can be filled of is deadlocked")
        yield deadlocked_certificate(position, answer)
        return
    for witness in found.witnesses:
        yield completable_certificate(position, witness)
    problem = problems(position)[0]
    gone = len(problem.values) - len(problem.located) <= problem.hidden
    laying = problem.located if gone else problem.values
    for cell, values in found.values.items():
        for value in sorted(laying):
            if value not in values:
                laid = laid_up(position, problem.located, cell, value)
                answer = complete(laid)
                if not isinstance(answer, Deadlocked):
                    raise AssertionError(f"{value} on {cell} was left out and can be completed")
                yield deadlocked_certificate(laid, answer)


def laid_up(position: Position, located: frozenset[int], cell: Cell, value: int) -> Position:
    """The tower's question once `value` lies up on `cell`, as a position of its own.

    Supports that are missing are laid down below it, which bounds nothing; so are cards in gaps of level 1, and others
    in place of down cards that are, or may be, this one. Cards whose place is known, `located`, are those down, first
    of all, and in the Reserve.
    """
    tower = dict(position.tower)
    tower[cell] = Up(Value(value))
    shown = {laid.card for laid in tower.values()}
    known = [Value(other) for other in sorted(located) if other not in shown]
    bare = [other for other, laid in tower.items() if laid in (Down(Value(value)), Down(UNSEEN))]
    for other in (*bare, *_missing(tower)):
        tower[other] = Down(known.pop() if known else UNSEEN)
    return Position(
        tags=position.tags,
        players=position.players,
        rules=position.rules,
        variant=position.variant,
        marks=position.marks,
        tower=tuple(sorted(tower.items(), key=lambda item: (item[0].level, item[0].column))),
        hands={},
        reserve=tuple(known) or None,
        gone=position.gone,
    )


def _missing(tower: dict[Cell, Laid]) -> list[Cell]:
    """The empty cells that a tower needs so that each card has its supports and level 1 no gap."""
    needed = set(tower)
    for level in range(max(cell.level for cell in tower), 1, -1):
        needed.update(lower for cell in list(needed) if cell.level == level for lower in cell.supports)
    columns = [cell.column for cell in needed if cell.level == 1]
    needed.update(Cell(column, 1) for column in range(min(columns), max(columns) + 1))
    return sorted(needed.difference(tower))
