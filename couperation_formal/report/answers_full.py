"""The answers on towers for people: a drawing, and sentences that can be checked by hand.

They are made from the JSON forms, so that both say the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from couperation_formal.analysis.complete import Completion, Outlook, Situation
from couperation_formal.analysis.deadlock import Scan
from couperation_formal.completion.answer import Completable, Deadlocked, Mended
from couperation_formal.completion.certificate import filling_data
from couperation_formal.completion.problem import Problem
from couperation_formal.model.board import Cell, column_name
from couperation_formal.model.cards import FINISH, Down, UnseenCard
from couperation_formal.model.record import Position
from couperation_formal.report.answers import PlacesData, ReasonData, complete_data, deadlock_data, windows_data
from couperation_formal.report.sentences import ranges, reason_cells, sentence
from couperation_formal.report.text import Piece, safe
from couperation_formal.report.tower import EMPTY, draw_cells

_WIDTH = 94
"""So wide are lines of actions at most, short of the last one."""

GOOD, BAD, OPEN = "bold green", "bold red", "bold yellow"

_NOT_THERE = re.compile(r"(\([^)]*\))")


def complete_full(found: Completion) -> list[Piece]:
    """The tower with a filling, or with each conflict marked and told, and what could save it."""
    position, answer = found.at.position, found.answer
    pieces = header(found.at)
    if isinstance(answer, Completable):
        filling = filling_data(position, answer.problem, answer.filling)
        says = "the numbers in parentheses would complete the tower" if filling else "the tower is full"
        return [*pieces, ("completable", GOOD), (f": {says}\n\n", ""), *_filled(position, answer.problem, filling)]
    pieces += [("deadlocked", BAD), (": no cards that are left can complete this tower as it stands\n", "")]
    pieces += _refusals(position, answer, complete_data(found).reason)
    return [*pieces, ("\n", ""), *_repair(position, found.mended)]


def header(at: Situation) -> list[Piece]:
    """Where a position is from, its event and its rules."""
    where = "position"
    if at.turn is not None:
        where = f"after turn {at.turn} of {at.turns}" if at.turn else f"after the set-up, before turn 1 of {at.turns}"
    return title(at.file, at.index, where, at.position)


def title(file: str, index: int, where: str, position: Position) -> list[Piece]:
    """A file, a game and a place in it; the event and the rules."""
    event = position.tag("Event")
    facts = f"rules {position.rules}, variant {position.variant}"
    return [
        (f"{safe(file)}  game {index}, {where}\n", "bold"),
        (safe(f"{event}: {facts}" if event else facts) + "\n\n", ""),
    ]


def _refusals(position: Position, answer: Deadlocked, reason: ReasonData | None) -> Iterator[Piece]:
    """Each reason with its conflict in brackets, at the first place of the columns that it holds of, and in a
    sentence.
    """
    reasons = [place.reason for place in reason.places] if isinstance(reason, PlacesData) else [reason]
    problems: dict[ReasonData | None, list[Problem]] = {}
    for refusal, each in zip(answer.refusals, reasons, strict=True):
        problems.setdefault(each, []).append(refusal.problem)
    for why, alike in problems.items():
        if why is None or isinstance(why, PlacesData):
            raise AssertionError("each place has a plain reason")
        yield ("\n", "")
        yield from _lines(draw_cells(_marked(position, alike[0], set(reason_cells(why))), _columns(alike[0])))
        where = "" if len(reasons) == 1 else _where(alike, len(problems) == 1)
        yield (f"\n{where}{sentence(why, position)}\n", "")


def _where(alike: Sequence[Problem], everywhere: bool) -> str:
    """The places that a reason holds of."""
    if everywhere:
        return "wherever level 1 lies, "
    ends = [(column_name(columns.start), column_name(columns.stop - 1)) for columns in map(_columns, alike)]
    return f"with level 1 from {', or from '.join(f'{first} to {last}' for first, last in ends)}, "


def _columns(problem: Problem) -> range:
    return range(problem.left, problem.left + problem.board.levels)


def _lines(lines: Iterable[str]) -> Iterator[Piece]:
    """A drawing, what is not there yet fainter."""
    for line in lines:
        for text in _NOT_THERE.split(line):
            yield (text, "dim" if text.startswith("(") else "")
        yield ("\n", "")


def _filled(position: Position, problem: Problem, filling: Mapping[str, object]) -> Iterator[Piece]:
    """The whole tower, what fills it in parentheses."""
    cells = {cell: str(laid) for cell, laid in position.tower}
    for cell in problem.board.pyramid(problem.left):
        if str(cell) in filling:
            cells[cell] = f"({filling[str(cell)]})"
    return _lines(draw_cells(cells, _columns(problem)))


def _marked(position: Position, problem: Problem, marked: Collection[str]) -> dict[Cell, str]:
    """The tower as it lies, these cells in brackets."""
    laid = {cell: str(card) for cell, card in position.tower}
    cells = {}
    for cell in problem.board.pyramid(problem.left):
        text = laid.get(cell, EMPTY)
        if str(cell) in marked:
            cells[cell] = f"[{text}]"
        elif cell in laid or cell.level == 1 or all(support in laid for support in cell.supports):
            cells[cell] = text
    return cells


def _repair(position: Position, mended: Mended | None) -> Iterator[Piece]:
    """What could save a deadlocked tower, and the filling that follows."""
    if mended is None:
        yield (f"{_nothing_helps(position)}\n", "")
        return
    problem, repair = mended
    laid = dict(position.tower)
    cells = sorted(problem.cell(i) for i in repair.cells)
    given = ", ".join(f"{laid[cell]} on {cell}" for cell in cells)
    count = f"{len(cells)} card{'' if len(cells) == 1 else 's'}"
    yield (f"replacing {count} could still save it: {given}; for example like this:\n\n", "")
    yield from _filled(position, problem, filling_data(position, problem, repair.filling))


def _nothing_helps(position: Position) -> str:
    if FINISH in position.gone:
        return "nothing can save it"
    target = position.rules.rulings.replace_target
    if target == "facedown_only":
        return "nothing can save it: no up card may be replaced (replace_target=facedown_only)"
    if target == "not_anchor":
        return "nothing can save it: the 25 of the set-up stays (replace_target=not_anchor)"
    return "nothing can save it, whichever cards are replaced"


def deadlock_full(found: Scan) -> list[Piece]:
    """When the tower was deadlocked, the turn that made it so at last, why, and what would have kept it completable."""
    data, position = deadlock_data(found), found.positions[-1]
    last = len(found.answers) - 1
    pieces = title(found.game.file, found.game.index, f"{last} turn{'' if last == 1 else 's'}", position)
    if found.turn is None:
        stated = f"at the end; deadlocked {_stretches(found.intervals)}" if found.intervals else "after every turn"
        return [*pieces, ("completable", GOOD), (f": {stated}\n", "")]
    pieces += [("deadlocked", BAD), (f": from {when(found.turn)} to the end\n", "")]
    if len(found.intervals) > 1:
        pieces += [(f"before that it was deadlocked {_stretches(found.intervals[:-1])}\n", "")]
    if data.laid is not None:
        pieces += [("the turn: ", "bold"), (f"{safe(data.laid)}\n", "")]
    answer = found.answers[found.turn]
    if isinstance(answer, Deadlocked):
        pieces += _refusals(found.positions[found.turn], answer, data.reason)
    return pieces if data.saving is None else [*pieces, ("\n", ""), *_saving(data.saving, data.complete)]


def when(turn: int) -> str:
    """A turn in words, 0 being the set-up."""
    return f"turn {turn}" if turn else "the set-up"


def _stretches(intervals: Sequence[tuple[int, int]]) -> str:
    return ", ".join(f"after {when(a)}" if a == b else f"from {when(a)} to {when(b)}" for a, b in intervals)


def _saving(saving: tuple[str, ...], complete: bool) -> Iterator[Piece]:
    more = "" if complete else " (unseen cards may allow more)"
    if not saving:
        yield (f"no legal action of this turn would have kept the tower completable{more}\n", "")
        return
    some = "1 legal action" if len(saving) == 1 else f"{len(saving)} legal actions"
    yield (f"{some} of this turn would have kept the tower completable{more}:\n", "")
    yield from ((f"  {line}\n", "") for line in rows(saving))


def rows(actions: Sequence[str]) -> Iterator[str]:
    """Actions, as many on a line as a terminal takes."""
    line = actions[0]
    for action in actions[1:]:
        if len(line) + len(action) > _WIDTH or line[0] != action[0]:
            yield line
            line = action
        else:
            line += f", {action}"
    yield line


def windows_full(found: Outlook) -> list[Piece]:
    """A table of the free cells with the values that each can still take."""
    data, pieces = windows_data(found), header(found.at)
    laid = {str(cell): card for cell, card in found.at.position.tower}
    if not data.places:
        pieces += [("deadlocked", BAD), (": no free cell can be filled so that the tower can be completed\n\n", "")]
    elif not data.windows:
        return [*pieces, ("completable", GOOD), (": no cell is free\n", "")]
    rows = [("cell", "holds", "can take", "")]
    able = {cell: values for cell, values in data.windows.items() if values or cell in data.down}
    for cell, values in able.items():
        holds = str(laid[cell]) if cell in laid else ""
        rows.append((cell, holds, ranges(values) or "nothing", _opened(laid.get(cell), data.down.get(cell))))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for number, row in enumerate(rows):
        text = "  ".join(f"{word:{width}}" for word, width in zip(row, widths, strict=False)) + f"  {row[3]}"
        pieces.append((text.rstrip() + "\n", "" if number else "bold"))
    unable = [cell for cell in data.windows if cell not in able]
    if unable:
        pieces.append((f"\nnothing fits: {', '.join(unable)}\n", ""))
    if len(data.places) > 1:
        pieces.append((f"\nlevel 1 can begin in column {', '.join(data.places)}\n", ""))
    return pieces


def _opened(laid: object, opens: bool | None) -> str:
    if opens is None or not isinstance(laid, Down):
        return ""
    if isinstance(laid.card, UnseenCard):
        return "may be opened, if it is one of these" if opens else "cannot be opened here"
    return "can be opened here" if opens else "cannot be opened here"
