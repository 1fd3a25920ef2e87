"""What is known of a table: answers that were given are kept, others are asked of a process (`asked`).

An answer about one table says something of others with the same beginning: one that is lost stays lost, and before one
that is alive all were. So a game that is lost is not asked about again with each turn, and since when it is lost is
found from the last turn that was alive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import takewhile
from typing import Any, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from couperation_formal.analysis.inspect import NoSuchTurn, kept_tags, legal_part, position_of
from couperation_formal.board.asked import Asked
from couperation_formal.board.judge import stood_before
from couperation_formal.board.known import Asking, Detail, Known, not_asked, tower_known
from couperation_formal.board.wire import as_json, number, one_of
from couperation_formal.model.record import Game, Outcome, Record
from couperation_formal.notation.write import position_text, record_text
from couperation_formal.report.html.fate import Line
from couperation_formal.words.say import phrase

_MOST_DOUBLED = 5
_KEPT = 64
_LOOK = 1.0
"""Seconds after which it is looked whether anybody still waits."""
_RANKS: dict[Detail, int] = {"end": 0, "line": 0, "since": 1, "saving": 2}


class _Running:
    """A question that is being answered, and how many wait for it."""

    def __init__(self, task: asyncio.Task[bytes | None]) -> None:
        self.task, self.waiting = task, 0


class Know:
    """The answers on tables of this board."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._kept: list[tuple[Record, Known]] = []
        self._running: dict[tuple[str, Detail, int], _Running] = {}

    async def answer(self, request: Request, game: Game) -> Response:
        """The answer to `GET /api/know`."""
        turn = number(request, "turn")
        turn = len(game.record.turns) if turn is None else turn
        if turn > len(game.record.turns):
            raise LookupError(turn)
        if one_of(request.query_params.get("level", "table"), ("table", "tower")) == "tower":
            return as_json(tower_known(game, turn))
        detail: Detail = one_of(request.query_params.get("detail", "end"), get_args(Detail))
        found = await self._table(game, turn, detail, min(number(request, "double") or 0, _MOST_DOUBLED), request)
        return as_json({"said": phrase("board_asked_away")}, 409) if found is None else as_json(found)

    async def _table(self, game: Game, turn: int, detail: Detail, double: int, request: Request) -> Known | None:
        """What is known of the table after a turn; None where the question was dropped."""
        record = msgspec.structs.replace(game.record, turns=game.record.turns[:turn], result=None)
        try:
            legal, outcome, illegal = legal_part(msgspec.structs.replace(game, record=record))
        except NoSuchTurn as error:
            return not_asked(turn, error)
        if illegal is not None and len(legal.record.turns) < turn:
            told = phrase("board_know_stands", turn=illegal.turn, clause=illegal.clause)
            return await self._standing(game, turn, double, Line(told), request)
        recalled = next(self._recalled(record, turn, detail, double), None)
        if recalled is not None:
            return recalled
        result, forgets = outcome.states[-1].result, bool(outcome.doubts)
        if result is not None and (result == "win" or _RANKS[detail] == 0):
            ended = self._ended(turn, result)
            self._keep(record, ended)
            return ended
        asking = Asking(
            text=record_text(record),
            turn=turn,
            detail=detail,
            double=double,
            alive=None if forgets else self._alive(record),
            forgets=forgets,
        )
        answer = await self._ask(asking, request)
        if answer is not None and answer.standing != "none":
            self._keep(record, answer)
        return answer

    async def _standing(self, game: Game, turn: int, double: int, told: Line, request: Request) -> Known | None:
        """The same after an illegal turn: of the table as it stands, without those before it."""
        state = stood_before(game.record, turn + 1)
        if state.result is not None:
            ended = self._ended(turn, state.result)
            return msgspec.structs.replace(ended, alive=None, said=(told, *ended.said))
        position = position_of(state, game.record.rules, kept_tags(game))
        asking = Asking(text=position_text(position), turn=turn, detail="end", double=double)
        found = await self._ask(asking, request)
        return None if found is None else msgspec.structs.replace(found, said=(told, *found.said))

    def _ended(self, turn: int, result: Outcome) -> Known:
        """What is known of a game that is over."""
        if result == "win":
            return Known(turn=turn, standing="won", alive=turn, said=(Line(phrase("board_know_won")),))
        return Known(turn=turn, standing="lost", said=(Line(phrase("ended_with_this", result=result)),))

    async def _ask(self, asking: Asking, request: Request) -> Known | None:
        """Ask; who asks the same waits for the same answer. Where nobody waits any more, the question is dropped."""
        key = asking.text, asking.detail, asking.double
        running = self._running.get(key)
        if running is None or running.task.done():
            task = asyncio.create_task(self._asked.known(msgspec.json.encode(asking)))
            running = self._running[key] = _Running(task)
        running.waiting += 1
        try:
            while not (await asyncio.wait({running.task}, timeout=_LOOK))[0]:
                if running.waiting == 1 and await request.is_disconnected():
                    self._asked.drop("know")
        finally:
            running.waiting -= 1
            if not running.waiting and self._running.get(key) is running:
                del self._running[key]
        written = running.task.result()
        if written is None:
            return None
        return msgspec.json.decode(written, type=Known) if written else not_asked(asking.turn, phrase("board_failed"))

    def drop(self) -> None:
        """End the question that is being answered; whoever asks the same again begins anew."""
        self._asked.drop("know")
        self._running.clear()

    def _keep(self, record: Record, found: Known) -> None:
        self._kept = [(record, found), *self._kept][:_KEPT]

    def _shared(self, record: Record) -> Iterator[tuple[Known, int]]:
        """The answers on tables of the same deal, newest first, each with the number of turns that are the same."""
        for other, known in self._kept:
            if _deal(other) == _deal(record):
                alike = takewhile(lambda pair: pair[0] == pair[1], zip(other.turns, record.turns, strict=False))
                yield known, sum(1 for _ in alike)

    def _recalled(self, record: Record, turn: int, detail: Detail, double: int) -> Iterator[Known]:
        """What was answered before, of this table or of another one that tells of it."""
        for known, same in self._shared(record):
            exact = known.since == 0 or (known.since is not None and known.alive == known.since - 1)
            enough = _RANKS[known.detail] >= _RANKS[detail] and (exact or known.double >= double)
            if (
                (known.since is not None and same >= known.since and enough)
                or (known.standing == "lost" and same >= known.turn and detail == "end")
                or (same == turn == known.turn and enough and (detail != "line" or known.line))
            ):
                yield msgspec.structs.replace(known, turn=turn)
            elif detail == "end" and not known.forgets and known.alive is not None and turn <= min(known.alive, same):
                yield Known(turn=turn, standing="alive", alive=turn, said=(Line(phrase("stands_alive")),))

    def _alive(self, record: Record) -> int | None:
        """The last turn of which is known that the table was alive after it."""
        shared = [(known, same) for known, same in self._shared(record) if not known.forgets]
        return max((min(known.alive, same) for known, same in shared if known.alive is not None), default=None)


def _deal(record: Record) -> Any:
    return msgspec.structs.replace(record, turns=(), result=None)
