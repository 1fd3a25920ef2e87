"""The tower question answered for a whole position, certified; what each free cell can still take."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec

from couperation_formal.game.fact import Spent
from couperation_formal.game.record import Position
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, Cell, Down, Up, Value, column_name, level_by_level
from couperation_formal.notation.write import position_text
from couperation_formal.towers.completion import fill

# The tower question answered for a whole position: a filling, or one reason for each place of the columns.


class Refusal(NamedTuple):
    """Why one place of the columns is out of the question."""

    problem: fill.Problem
    reason: fill.Reason


class Completable(msgspec.Struct, frozen=True):
    """The tower can be completed: a filling of the free cells, by cell number of `problem`, the first place that has
    one.
    """

    problem: fill.Problem
    filling: dict[int, int]


class Mended(NamedTuple):
    """The least set of up cards to give up, at the first place where it is least."""

    problem: fill.Problem
    repair: fill.Repair


class Deadlocked(msgspec.Struct, frozen=True):
    """The tower cannot be completed as it stands: a reason for each place that it still allows, from left to right."""

    refusals: tuple[Refusal, ...]


TowerAnswer = Completable | Deadlocked
Filler = Callable[[fill.Problem], dict[int, int] | None]
"""A filling of the free cells of a problem, by cell number, or None where there is none."""


def complete(
    position: Position, board: Board = STANDARD, by: Filler = fill.fill, home: int | None = None
) -> TowerAnswer:
    """Whether the tower of a position can be completed with the cards that are left, its up cards staying where they
    are. `by` fills it; `fill` is exact, and the reason of a refusal is always the exact one. The place from column
    `home` comes first.

    Cost: n log n in the cells for each place of the columns; tens of microseconds on the printed board.
    """
    refusals = []
    for problem in sorted(fill.problems(position, board), key=lambda problem: problem.left != home):
        filling = by(problem)
        if filling is not None:
            return Completable(problem, filling)
        refusals.append(Refusal(problem, fill.reason_of(problem)))
    return Deadlocked(tuple(refusals))


def mend(position: Position, board: Board = STANDARD) -> Mended | None:
    """The least set of up cards whose giving up saves the tower, empty where it needs none; None when no set does.

    Of several places with the least number the leftmost is taken. Cost: see `fill.repair`.
    """
    repairs = ((problem, fill.repair(problem)) for problem in fill.problems(position, board))
    able = (Mended(problem, least) for problem, least in repairs if least is not None)
    return min(able, key=lambda mended: len(mended.repair.cells), default=None)


# Certificates: answers at the tower level with their evidence, as plain data that any program can check.
#
# The format is the specification's, `certificate.md`. Cells are written by column, then level.

Json = dict[str, Any]
"""A JSON object."""


def tower_certificate(position: Position, answer: TowerAnswer) -> Json:
    """The certificate of an answer: the filling that completes the tower, or a reason for each place of the columns."""
    if isinstance(answer, Deadlocked):
        return certificate_of("tower-deadlocked", position, {"places": places_data(answer)})
    filling = filling_data(position, answer.problem, answer.filling)
    return certificate_of("tower-completable", position, {"column": column_of(answer.problem), "filling": filling})


def repair_certificate(position: Position, mended: Mended | None) -> Json:
    """The certificate of the least set of up cards to give up, or (None) that no set helps.

    `mended` is what `mend` found. Cost: the repair of each place anew, and its search tree where disjoint conflicts do
    not suffice. Raises `Spent` where that is longer than any file that a checker reads, as it may be for a tower far
    out of order (spec/certificate.md, "Theorem on long trees").
    """
    evidence: Json = {"distance": None, "column": None, "give_up": [], "filling": None}
    if mended is not None:
        problem, least = mended
        evidence = {
            "distance": len(least.cells),
            "column": column_of(problem),
            "give_up": cells_data(problem, least.cells),
            "filling": filling_data(position, problem, least.filling),
        }
    lower = [
        {"column": column_of(problem), "proof": _proof(problem, evidence["distance"])}
        for problem in fill.problems(position)
    ]
    return certificate_of("tower-repair", position, {**evidence, "lower": lower})


def certificate_of(claim: str, position: Position, evidence: Json) -> Json:
    """A claim about a position, with what shows it."""
    return {
        "format": 1,
        "claim": claim,
        "position": position_text(position),
        "rulings": msgspec.structs.asdict(position.rules.rulings),
        "evidence": evidence,
    }


def column_of(problem: fill.Problem) -> str:
    """The letter of the leftmost column of a place."""
    return column_name(problem.left)


def cells_data(problem: fill.Problem, cells: Iterable[int]) -> list[str]:
    """The names of cells, by column, then level."""
    return [str(problem.cell(i)) for i in _in_order(problem, cells)]


def _in_order(problem: fill.Problem, cells: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(cells, key=lambda i: problem.shape.places[i]))


def filling_data(
    position: Position, problem: fill.Problem, filling: Mapping[int, int]
) -> dict[str, int | Literal["F"]]:
    """A filling by the names of the cells, in their order. The apex of the `finish` variant is ``F`` unless it lies
    there.
    """
    shown: dict[int, int | Literal["F"]] = dict(filling)
    apex = problem.shape.apex
    if problem.finish and problem.cell(apex) not in dict(position.tower):
        shown[apex] = "F"
    return {str(problem.cell(i)): shown[i] for i in _in_order(problem, shown)}


def places_data(answer: Deadlocked) -> list[Json]:
    """The place and the reason of each refusal."""
    return [{"column": column_of(problem), "reason": reason_data(problem, why)} for problem, why in answer.refusals]


def reason_data(problem: fill.Problem, reason: fill.Reason) -> Json:
    """A reason as an object with its `kind`."""
    if isinstance(reason, fill.FinishReason):
        cell = None if reason.cell is None else str(problem.cell(reason.cell))
        return {"kind": "finish", "why": reason.why, "cell": cell}
    if isinstance(reason, fill.OrderClash):
        return {"kind": "order", "cells": [str(problem.cell(i)) for i in reason]}
    if isinstance(reason, fill.Interval):
        cells = cells_data(problem, reason.cells)
        return {"kind": "interval", **reason._asdict(), "cells": cells, "left": list(reason.left)}
    intervals = [reason_data(problem, interval) for interval in reason.intervals]
    return {"kind": "gone", "intervals": intervals, "missing": reason.missing}


def _proof(problem: fill.Problem, distance: int | None) -> Json:
    """That no fewer than `distance` cards will do at this place; None: no number of cards."""
    if distance == 0:
        return {"kind": "disjoint", "conflicts": []}
    least = fill.repair(problem)
    if least is None:
        return {"kind": "disjoint", "conflicts": [_conflict_data(problem, _hopeless(problem))]}
    if distance is None:
        raise AssertionError("a place that can be repaired bounds the distance")
    conflicts = [fill.ConflictingCards(_in_order(problem, cells), why) for cells, why in least.conflicts]
    chosen = fill.disjoint([each.cells for each in conflicts])[:distance]
    if len(chosen) == distance:
        return {"kind": "disjoint", "conflicts": [_conflict_data(problem, conflicts[i]) for i in chosen]}
    return _tree(problem, conflicts, distance)


def _hopeless(problem: fill.Problem) -> fill.ConflictingCards:
    """The conflict without cells of a place that nothing repairs."""
    if problem.finish_gone or problem.stray in problem.kept:
        return fill.ConflictingCards((), fill.reason_of(problem))
    clash = fill.conflict(problem, ())
    if clash is None:
        raise AssertionError("what nothing repairs has a conflict without cells")
    return clash


def _conflict_data(problem: fill.Problem, clash: fill.ConflictingCards) -> Json:
    return {"cells": cells_data(problem, clash.cells), "reason": reason_data(problem, clash.reason)}


_MOST_NODES: Final = 1 << 15
"""More do not go into the 1 MiB of a certificate."""


def _tree(problem: fill.Problem, conflicts: Sequence[fill.ConflictingCards], distance: int) -> Json:
    """The search tree: at each node the smallest conflict that the cards given up on the way leave alone.

    As no set of fewer than `distance` cards meets every conflict, there always is one. Nodes are listed level by level.
    """
    waiting: deque[tuple[int, ...]] = deque([()])
    listed = 1
    used: dict[int, int] = {}
    nodes = []
    while waiting:
        given = waiting.popleft()
        apart = [i for i, each in enumerate(conflicts) if set(given).isdisjoint(each.cells)]
        chosen = min(apart, key=lambda i: (len(conflicts[i].cells), i))
        branches: list[int] = []
        if len(given) < distance - 1:
            waiting.extend((*given, cell) for cell in conflicts[chosen].cells)
            branches = list(range(listed, listed + len(conflicts[chosen].cells)))
            listed += len(branches)
        if listed > _MOST_NODES:
            raise Spent
        nodes.append({"conflict": used.setdefault(chosen, len(used)), "branches": branches})
    return {"kind": "tree", "conflicts": [_conflict_data(problem, conflicts[i]) for i in used], "nodes": nodes}


# What each free cell of a tower can still take: a value is listed exactly when some filling puts it there.


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
    by_cell: dict[Cell, set[int]] = {}
    known = sure or {}
    lefts: list[int] = []
    witnesses: list[Completable] = []
    located: frozenset[int] = frozenset()
    for problem in fill.problems(position, board):
        located = problem.located
        told = {(i, value) for i in problem.free for value in known.get(problem.cell(i), ())}
        cells = {i: by_cell.setdefault(problem.cell(i), set(known.get(problem.cell(i), ()))) for i in problem.free}
        filling = fill.fill(problem)
        if filling is None:
            continue
        lefts.append(problem.left)
        wanted = [i for i in problem.free if only is None or problem.cell(i) in only]
        for witness in _witnesses(problem, filling, wanted, told):
            if any(value not in cells[i] for i, value in witness.items()):
                witnesses.append(Completable(problem, witness))
                for i, value in witness.items():
                    cells[i].add(value)
    values = {cell: tuple(sorted(by_cell[cell])) for cell in sorted(by_cell)}
    down = {cell: _opens(laid, values[cell], located) for cell, laid in sorted(position.tower) if type(laid) is Down}
    return Windows(values=values, down=down, lefts=tuple(lefts), witnesses=tuple(witnesses))


def _opens(laid: Down, values: tuple[int, ...], located: frozenset[int]) -> bool:
    """Whether a down card's value, or some value that an unseen one may have, is among these."""
    if laid.card is UNSEEN:
        return any(value not in located for value in values)
    return laid.card in values


def _witnesses(
    problem: fill.Problem, filling: dict[int, int], wanted: list[int], told: set[tuple[int, int]]
) -> Iterator[dict[int, int]]:
    """Fillings that together show all that the wanted cells of a place can take but for what is `told`, `filling`
    first.
    """
    yield filling
    shown = told | set(filling.items())
    window = fill.bounds(problem)
    for i in wanted:
        for value in problem.values:
            if window.low[i] < value < window.high[i] and (i, value) not in shown:
                # The problem with one more card up.
                laid = msgspec.structs.replace(
                    problem,
                    fixed=(*problem.fixed[:i], value, *problem.fixed[i + 1 :]),
                    values=tuple(other for other in problem.values if other != value),
                    located=problem.located - {value},
                )
                other = fill.fill(laid)
                if other is not None:
                    other[i] = value
                    shown.update(other.items())
                    yield other


def windows_certificates(position: Position, listed: Windows) -> Iterator[dict[str, Any]]:
    """Tower certificates for all that `listed` lists and leaves out.

    Fillings that show each value listed; for each cell and available value left out, that the tower is deadlocked once
    that card lies up there; of a tower that is deadlocked as it stands, this alone. Nothing for values that have to be
    gone, as there are no more than unseen gone cards: no position has such a card up. Cost: one question for each value
    left out.
    """
    if not listed.lefts:
        yield _deadlocked(position)
        return
    for witness in listed.witnesses:
        yield tower_certificate(position, witness)
    problem = fill.problems(position)[0]
    gone = len(problem.values) - len(problem.located) <= problem.hidden
    laying = problem.located if gone else problem.values
    for cell, values in listed.values.items():
        for value in sorted(laying):
            if value not in values:
                yield _deadlocked(laid_up(position, problem.located, cell, value))


def _deadlocked(position: Position) -> Json:
    """The certificate that a tower is deadlocked, which it has to be."""
    answer = complete(position)
    if not isinstance(answer, Deadlocked):
        raise AssertionError(f"a tower that should be deadlocked can be completed: {position_text(position)}")
    return tower_certificate(position, answer)


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
        tower=level_by_level(tower),
        hands={},
        reserve=tuple(known) or None,
        gone=position.gone,
    )


def _missing(tower: Collection[Cell]) -> list[Cell]:
    """The empty cells that a tower needs so that each card has its supports and level 1 no gap."""
    needed = set(tower)
    for level in range(max(cell.level for cell in tower), 1, -1):
        needed.update(lower for cell in list(needed) if cell.level == level for lower in cell.supports)
    columns = [cell.column for cell in needed if cell.level == 1]
    needed.update(Cell(column, 1) for column in range(min(columns), max(columns) + 1))
    return sorted(needed.difference(tower))
