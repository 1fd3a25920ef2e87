"""Processes beside the server, for what takes longer: each answers one question, with lower rank, and ends with the
server (`worker`). What one told of a table is kept.
"""

import asyncio
import pickle
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import takewhile
from typing import Any

from msgspec.json import encode
from msgspec.structs import replace

from couperation_formal.board.judge import slips, stood_after
from couperation_formal.board.know import Asking, Detail, Known, not_asked
from couperation_formal.board.worker import framed
from couperation_formal.editor.document import HOME, command
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Game, Outcome, Record
from couperation_formal.game.replay import replay
from couperation_formal.notation.write import record_text
from couperation_formal.output.blocks import Block, Sentence
from couperation_formal.questions.records.states import NoSuchTurn, legal_part

COMMAND = "from couperation_formal.cli.main import run; run()"
"""What runs the command line with its arguments."""
_LINE = 1 << 20
_BELOW: dict[str, Any] = {"creationflags": getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)}


class Beside:
    """The one process of its kind that is at work. A newer question ends the one before."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._questions = 0
        self._closed = False

    async def start(self, code: str, *arguments: str, question: bytes) -> asyncio.subprocess.Process | None:
        """Run `code` in a process of its own, with `question` as its standard input. None where it was ended while it
        began, or none is to begin any more.
        """
        self.drop()
        if self._closed:
            return None
        mine = self._questions
        process = await begun(code, *arguments)
        if mine != self._questions:
            _kill(process)
            return None
        self._process = process
        assert process.stdin is not None
        process.stdin.write(framed(question))
        with suppress(ConnectionError):
            await process.stdin.drain()
        return process

    async def answer(self, code: str, *arguments: str, question: bytes, most: float) -> bytes | None:
        """What `code` writes; None where it was ended first, or took more than `most` seconds."""
        process = await self.start(code, *arguments, question=question)
        if process is None:
            return None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(most):
                output = await process.stdout.read()
                await process.wait()
        except TimeoutError:
            return None
        else:
            return output if self._process is process else None
        finally:
            self.drop(process)

    def drop(self, only: asyncio.subprocess.Process | None = None) -> None:
        """End what is at work; with `only` that one, whether it is still the newest or not."""
        process = self._process if only is None else only
        if only is None:
            self._questions += 1
        if process is self._process:
            self._process = None
        if process is not None:
            _kill(process)

    def close(self) -> None:
        """End what is at work, and begin nothing from now on."""
        self._closed = True
        self.drop()


async def begun(code: str, *arguments: str) -> asyncio.subprocess.Process:
    """A process that runs `code` once it has read its question."""
    return await asyncio.create_subprocess_exec(
        *command(f"from couperation_formal.board.worker import begin; begin(); {code}"),
        *arguments,
        cwd=HOME,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_LINE,
        **_BELOW,
    )


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()


# What is known of a table: answers that were given are kept, others are asked of a process (`beside`).
#
# An answer about one table says something of others with the same beginning: one that is lost stays lost, and before
# one that is alive all were. So a game that is lost is not asked about again with each turn, and since when it is lost
# is found from the last turn that was alive.

_MOST_DOUBLED = 5
_MOST = 3600.0
_RUN = "from couperation_formal.board.know import answer; answer()"
_KEPT = 64
_LOOK = 1.0
"""Seconds after which it is looked whether anybody still waits."""
Gone = Callable[[], Awaitable[bool]]
_RANKS: dict[Detail, int] = {"end": 0, "line": 0, "since": 1, "saving": 2}


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

    async def table(self, game: Game, turn: int, detail: Detail, double: int, gone: Gone) -> Known | None:
        """What is known of the table after a turn; None where the question was dropped. `gone` tells whether who asks
        went away.
        """
        double = min(double, _MOST_DOUBLED)
        turns = tuple(replace(each, glyphs=()) for each in game.record.turns[:turn])
        record = replace(game.record, turns=turns, result=None)
        try:
            _, _, illegal = legal_part(replace(game, record=record))
        except NoSuchTurn as error:
            return not_asked(turn, error.what)
        told: tuple[Block, ...] = ()
        first = 0
        if illegal is not None and illegal.clause != "END05":
            told = (Sentence(fact("board_know_stands", turn=illegal.turn, clause=illegal.clause)),)
            # the last turn that breaks a rule where those before it stand as they were played
            wrong = (each.turn for each in slips(record) if not each.warning and each.clause != "END05")
            first = max(wrong, default=0)
        known = await self._found(record, first, detail, double, gone)
        return None if known is None else replace(known, said=(*told, *known.said))

    async def _found(self, record: Record, first: int, detail: Detail, double: int, gone: Gone) -> Known | None:
        """The same of the last table of a record that was played by the rules from table `first` on."""
        recalled = next(self._recalled(record, first, detail, double), None)
        if recalled is not None:
            return recalled
        turn = len(record.turns)
        outcome = replay(record, record.rules.rulings, since=turn if first else 0, hanging=False)
        result, forgets = stood_after(record, None).result, bool(outcome.doubts)
        if result is not None and (result == "win" or _RANKS[detail] == 0):
            ended = replace(_ended(turn, result), first=first)
            self._keep(record, ended)
            return ended
        alive = self._alive(record, first) if detail == "since" else None  # what saves needs a line from there
        asking = Asking(
            text=record_text(record), detail=detail, double=double, first=first, alive=alive, forgets=forgets
        )
        answer = await self._ask(asking, turn, gone)
        if answer is not None and answer.standing != "none":
            self._keep(record, answer)
        return answer

    async def _ask(self, asking: Asking, turn: int, gone: Gone) -> Known | None:
        """Ask; who asks the same waits for the same answer. Where nobody waits any more, the question is dropped."""
        key = asking.text, asking.detail, asking.double
        running = self._running.get(key)
        if running is None or running.task.done():
            task = asyncio.create_task(self._beside.answer(_RUN, question=encode(asking), most=_MOST))
            running = self._running[key] = _Running(task)
        running.waiting += 1
        try:
            while not (await asyncio.wait({running.task}, timeout=_LOOK))[0]:
                if running.waiting == 1 and await gone():
                    self._beside.drop()
        finally:
            running.waiting -= 1
            if not running.waiting and self._running.get(key) is running:
                del self._running[key]
        written = running.task.result()
        if written is None:
            return None
        known: Known = pickle.loads(written) if written else not_asked(turn, fact("board_failed"))
        return known

    def drop(self) -> None:
        """End the question that is being answered; whoever asks the same again begins anew."""
        self._beside.drop()
        self._running.clear()

    def close(self) -> None:
        """End it, and answer none from now on."""
        self._beside.close()

    def _keep(self, record: Record, known: Known) -> None:
        self._kept = [(record, known), *self._kept][:_KEPT]

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
                yield replace(known, turn=turn)
            elif detail == "end" and _alive_to(known, same) >= turn >= known.first:
                said = (Sentence(fact("stands_alive")),)
                yield Known(turn=turn, standing="alive", alive=turn, said=said, first=first)

    def _alive(self, record: Record, first: int) -> int | None:
        """The last turn from `first` on of which is known that the table was alive after it."""
        alives = [alive for known, same in self._shared(record) if (alive := _alive_to(known, same)) >= known.first]
        return max((alive for alive in alives if alive >= first), default=None)


def _alive_to(known: Known, same: int) -> int:
    """The last turn of so many that are the same of which an answer says that the table was alive after it; -1 where
    it says so of none.
    """
    return -1 if known.alive is None or known.forgets else min(known.alive, same)


def _ended(turn: int, result: Outcome) -> Known:
    """What is known of a game that is over."""
    if result == "win":
        return Known(turn=turn, standing="won", alive=turn, said=(Sentence(fact("board_know_won")),))
    return Known(turn=turn, standing="lost", said=(Sentence(fact("ended_with_this", result=result)),))


def _deal(record: Record) -> Any:
    return replace(record, turns=(), result=None)
