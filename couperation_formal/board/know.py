"""Can the tower still be completed, can the table still be won: what the commands and the report page say, for the
board. The tower is asked about at once, the table in a process of its own (`beside`), which `run` is.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, takewhile
from typing import Annotated, Any, Final, Literal

import msgspec
from couperation_checker import check_object
from couperation_checker.strict import Work
from starlette.requests import Request
from starlette.responses import Response

from couperation_formal.board.beside import Beside
from couperation_formal.board.judge import stood_before, turn_at
from couperation_formal.board.record import Looked
from couperation_formal.board.streams import as_json
from couperation_formal.game.budget import DEFAULT, Steps
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game, Outcome, Record
from couperation_formal.game.replay import replay
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.output.blocks import Paragraph
from couperation_formal.output.svg import home_column
from couperation_formal.page.fate import Line, line_of
from couperation_formal.page.steps import outlook, outlook_lines
from couperation_formal.questions.records.states import NoSuchTurn, kept_tags, legal_part
from couperation_formal.questions.tables.ask import NoTower, Situation, ask
from couperation_formal.questions.tables.complete import TableAnswer
from couperation_formal.questions.tables.deadlock import SHARE, TableScan, scan_end, scan_table
from couperation_formal.questions.tables.why import reasons_of
from couperation_formal.words.say import phrase

Detail = Literal["end", "line", "since", "saving"]
"""What of a table is asked: whether it can be won, a line that wins, since when it cannot, what would have saved it."""

Standing = Literal["alive", "lost", "won", "unknown", "none"]

_WORK: Final = 5_000
"""The independent checker may take so many steps of its own, or one for every two that the question left."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a table after a turn.

    `standing` is `unknown` where the budget ended first, `none` where it cannot be asked. `since` is the first turn
    after which the table is known to be lost, `alive` the last one after which it is known not to be; both None where
    that was not asked. `said` tells it and why, `cells` are those that the reason is about, `line` turns that win after
    turn `alive`, `saving` what would have saved the table at turn `since`. `double` tells how often the budget was
    doubled; `forgets` that the record leaves doubts, so that being alive says nothing of others; from table `first`
    on the game was played by the rules.
    """

    turn: int
    standing: Standing
    detail: Detail = "end"
    double: int = 0
    since: int | None = None
    alive: int | None = None
    said: tuple[Line, ...] = ()
    cells: tuple[str, ...] = ()
    line: tuple[Line, ...] = ()
    saving: tuple[Line, ...] | None = None
    forgets: bool = False
    first: int = 0


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """A question about the table after the last turn of a game. From table `first` on it was played by the rules; what
    stands before is taken as it was played. `alive` is a turn after which the table was alive.
    """

    text: str
    detail: Detail
    double: int = 0
    first: int = 0
    alive: int | None = None
    forgets: bool = False


def tower_known(game: Game, turn: int) -> dict[str, Any]:
    """Whether the tower after a turn can be completed, as the report page tells it. Cost: a replay, a millisecond."""
    state, rules = stood_before(game.record, turn + 1), game.record.rules
    home = home_column(state.tower, rules.rulings, state.board)
    found = outlook(position_of(state, rules, kept_tags(game)), home)
    said = outlook_lines(found, before=False)
    return {"turn": turn, "standing": found.answer, "said": said, "cells": found.conflict}


def not_asked(turn: int, why: object) -> Known:
    """That a question cannot be asked."""
    return Known(turn=turn, standing="none", said=(Line(phrase("board_know_not_asked", why=why)),))


def run() -> None:
    """Answer the question that stands in standard input."""
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Asking)
    sys.stdout.buffer.write(msgspec.json.encode(table_known(asked)))
    sys.stdout.flush()


def table_known(asked: Asking) -> Known:
    """The answer on a table. Cost: up to the budget; seconds."""
    game = next(read_text(asked.text))
    if not isinstance(game, Game):
        raise ValueError(game)
    budget = Steps(DEFAULT << asked.double)
    try:
        found = _at_end(game, budget) if asked.detail in ("end", "line") else _through(game, asked, budget)
    except (NoSuchTurn, NoTower) as error:
        return not_asked(len(game.record.turns), error)
    told = {name: getattr(asked, name) for name in ("detail", "double", "first", "forgets")}
    return msgspec.structs.replace(found, **told)


def _at_end(game: Game, budget: Steps) -> Known:
    """The last table, which has the part of the budget that a scan of the game would give it."""
    turn, rules = len(game.record.turns), game.record.rules
    position = position_of(stood_before(game.record, turn + 1), rules, kept_tags(game))
    at = Situation(file=game.file, index=game.index, turn=turn, turns=turn, position=position)
    with budget.at_most(-(-budget.left // SHARE)):
        found = TableAnswer(at=at, answer=ask(position, budget))
    said = _checked(lambda: found.certificates(), budget)
    if found.winnable:
        line = _lines(found.line_blocks())
        return Known(turn=turn, standing="alive", alive=turn, said=(Line(phrase("stands_alive")), *said), line=line)
    said = (*_lines(found.no_line_blocks()), *said)
    if found.winnable is None:
        return Known(turn=turn, standing="unknown", said=said)
    cells = (cell for reason in reasons_of(found.answer) for cell in reason.cells)
    return Known(turn=turn, standing="lost", said=said, cells=tuple(dict.fromkeys(cells)))


def _through(game: Game, asked: Asking, budget: Steps) -> Known:
    """Since when the table is lost; with `saving` also what would have saved it, as `deadlock` answers it."""
    saving = asked.detail == "saving"
    if saving and asked.first == 0 and not asked.forgets:
        found = scan_table(game, budget=budget)
    else:
        states = [stood_before(game.record, place + 1) for place in range(len(game.record.turns) + 1)]
        found = scan_end(game, states, asked.first, asked.forgets, budget, asked.alive, saving)
    said = _checked(lambda: found.certificates(), budget)
    cells = (cell for reason in found.data().reasons for cell in reason.cells)
    return Known(
        turn=len(game.record.turns),
        standing=_standing(found),
        since=found.dead,
        alive=found.alive,
        said=(*_lines(found.standing_blocks()), *said),
        cells=tuple(dict.fromkeys(cells)),
        line=_lines(found.line_blocks()),
        saving=_lines(found.saving_blocks()) if saving else None,
    )


def _standing(found: TableScan) -> Standing:
    if found.dead is not None:
        return "lost"
    alive = found.alive == len(found.positions) - 1
    return "unknown" if not alive else "won" if found.result == "win" else "alive"


def _lines(paragraphs: Iterable[Paragraph]) -> tuple[Line, ...]:
    return tuple(map(line_of, chain.from_iterable(paragraphs)))


def _checked(certificates: Callable[[], Iterable[dict[str, Any]]], budget: Steps) -> tuple[Line, ...]:
    """What is to be said of the independent check of an answer. Raises `RuntimeError` where the checker rejects it."""
    work: Work = Work(max(_WORK, budget.left // 2))
    for certificate in certificates():
        verdict = check_object(certificate, work)
        if verdict.status == "rejected":
            raise RuntimeError(verdict.message)
        if verdict.status == "unsupported":
            return (Line(phrase("unchecked")),)
    return ()


# What is known of a table: answers that were given are kept, others are asked of a process (`beside`).
#
# An answer about one table says something of others with the same beginning: one that is lost stays lost, and before
# one that is alive all were. So a game that is lost is not asked about again with each turn, and since when it is lost
# is found from the last turn that was alive.

_MOST_DOUBLED = 5
_MOST = 3600.0
_RUN = "from couperation_formal.board.know import run; run()"
_KEPT = 64
_LOOK = 1.0
"""Seconds after which it is looked whether anybody still waits."""
Count = Annotated[int, msgspec.Meta(ge=0)]
_RANKS: dict[Detail, int] = {"end": 0, "line": 0, "since": 1, "saving": 2}


class Asked(Looked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked of the table after turn `turn`, the last one if left out, of a game as it is `seen` and with the
    turns of a `branch` (`record.looked`). It is answered of `revision` only; `double` doubles the budget so often.
    """

    revision: int | None = None
    turn: Count | None = None
    level: Literal["table", "tower"] = "table"
    detail: Detail = "end"
    double: Count = 0


class _Running:
    """A question that is being answered, and how many wait for it."""

    def __init__(self, task: asyncio.Task[bytes | None]) -> None:
        self.task, self.waiting = task, 0


class Know:
    """The answers on tables of this board."""

    def __init__(self) -> None:
        self._beside = Beside()
        self._kept: list[tuple[Record, Known]] = []
        self._running: dict[tuple[str, Detail, int], _Running] = {}

    async def answer(self, asked: Asked, game: Game, request: Request) -> Response:
        """The answer on a table of the game that is looked at."""
        turn = turn_at(game.record, asked.turn)
        if asked.level == "tower":
            return as_json(tower_known(game, turn))
        found = await self._table(game, turn, asked.detail, min(asked.double, _MOST_DOUBLED), request)
        return as_json({"said": phrase("board_asked_away")}, 409) if found is None else as_json(found)

    async def _table(self, game: Game, turn: int, detail: Detail, double: int, request: Request) -> Known | None:
        """What is known of the table after a turn; None where the question was dropped."""
        turns = tuple(msgspec.structs.replace(each, glyphs=()) for each in game.record.turns[:turn])
        record = msgspec.structs.replace(game.record, turns=turns, result=None)
        try:
            _, _, illegal = legal_part(msgspec.structs.replace(game, record=record))
        except NoSuchTurn as error:
            return not_asked(turn, error)
        told: tuple[Line, ...] = ()
        if illegal is not None and illegal.clause != "END05":
            told = (Line(phrase("board_know_stands", turn=illegal.turn, clause=illegal.clause)),)
        found = await self._found(record, _legal_from(record) if told else 0, detail, double, request)
        return None if found is None else msgspec.structs.replace(found, said=(*told, *found.said))

    async def _found(self, record: Record, first: int, detail: Detail, double: int, request: Request) -> Known | None:
        """The same of the last table of a record that was played by the rules from table `first` on."""
        recalled = next(self._recalled(record, first, detail, double), None)
        if recalled is not None:
            return recalled
        turn = len(record.turns)
        outcome = replay(record, record.rules.rulings, since=turn if first else 0, hanging=False)
        result, forgets = stood_before(record, turn + 1).result, bool(outcome.doubts)
        if result is not None and (result == "win" or _RANKS[detail] == 0):
            ended = msgspec.structs.replace(_ended(turn, result), first=first)
            self._keep(record, ended)
            return ended
        alive = self._alive(record, first) if detail == "since" else None  # what saves needs a line from there
        asking = Asking(
            text=record_text(record), detail=detail, double=double, first=first, alive=alive, forgets=forgets
        )
        answer = await self._ask(asking, turn, request)
        if answer is not None and answer.standing != "none":
            self._keep(record, answer)
        return answer

    async def _ask(self, asking: Asking, turn: int, request: Request) -> Known | None:
        """Ask; who asks the same waits for the same answer. Where nobody waits any more, the question is dropped."""
        key = asking.text, asking.detail, asking.double
        running = self._running.get(key)
        if running is None or running.task.done():
            task = asyncio.create_task(self._beside.answer(_RUN, question=msgspec.json.encode(asking), most=_MOST))
            running = self._running[key] = _Running(task)
        running.waiting += 1
        try:
            while not (await asyncio.wait({running.task}, timeout=_LOOK))[0]:
                if running.waiting == 1 and await request.is_disconnected():
                    self._beside.drop()
        finally:
            running.waiting -= 1
            if not running.waiting and self._running.get(key) is running:
                del self._running[key]
        written = running.task.result()
        if written is None:
            return None
        return msgspec.json.decode(written, type=Known) if written else not_asked(turn, phrase("board_failed"))

    def drop(self) -> None:
        """End the question that is being answered; whoever asks the same again begins anew."""
        self._beside.drop()
        self._running.clear()

    def close(self) -> None:
        """End it, and answer none from now on."""
        self._beside.close()

    def _keep(self, record: Record, found: Known) -> None:
        self._kept = [(record, found), *self._kept][:_KEPT]

    def _shared(self, record: Record) -> Iterator[tuple[Known, int]]:
        """The answers on tables of the same deal, newest first, each with the number of turns that are the same."""
        for other, known in self._kept:
            if _deal(other) == _deal(record):
                alike = takewhile(lambda pair: pair[0] == pair[1], zip(other.turns, record.turns, strict=False))
                yield known, sum(1 for _ in alike)

    def _recalled(self, record: Record, first: int, detail: Detail, double: int) -> Iterator[Known]:
        """What was answered before, of this table or of another one that tells of it."""
        turn = len(record.turns)
        for known, same in self._shared(record):
            exact = known.since is not None and (known.since == known.first or known.alive == known.since - 1)
            enough = _RANKS[known.detail] >= _RANKS[detail] and (exact or known.double >= double)
            if (
                (known.since is not None and same >= known.since >= first and enough)
                or (known.standing == "lost" and same >= known.turn >= first and detail == "end")
                or (same == turn == known.turn and enough and (detail != "line" or known.line))
            ):
                yield msgspec.structs.replace(known, turn=turn)
            elif detail == "end" and _alive_to(known, same) >= turn >= known.first:
                yield Known(turn=turn, standing="alive", alive=turn, said=(Line(phrase("stands_alive")),), first=first)

    def _alive(self, record: Record, first: int) -> int | None:
        """The last turn from `first` on of which is known that the table was alive after it."""
        found = [alive for known, same in self._shared(record) if (alive := _alive_to(known, same)) >= known.first]
        return max((alive for alive in found if alive >= first), default=None)


def _alive_to(known: Known, same: int) -> int:
    """The last turn of so many that are the same of which an answer says that the table was alive after it; -1 where
    it says so of none.
    """
    return -1 if known.alive is None or known.forgets else min(known.alive, same)


def _ended(turn: int, result: Outcome) -> Known:
    """What is known of a game that is over."""
    if result == "win":
        return Known(turn=turn, standing="won", alive=turn, said=(Line(phrase("board_know_won")),))
    return Known(turn=turn, standing="lost", said=(Line(phrase("ended_with_this", result=result)),))


def _legal_from(record: Record) -> int:
    """The last turn that breaks a rule where those before it stand as they were played; 0 where there is none."""
    outcome = replay(record, record.rules.rulings, since=len(record.turns), hanging=False)
    wrong = [each.turn for each in (*outcome.slips, *outcome.broken) if not each.warning and each.clause != "END05"]
    return max(wrong, default=0)


def _deal(record: Record) -> Any:
    return msgspec.structs.replace(record, turns=(), result=None)
