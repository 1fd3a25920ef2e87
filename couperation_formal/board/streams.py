"""Requests into values, and answers with the sentence of what was refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Send

from couperation_formal.board.gate import May
from couperation_formal.board.keeper import Kept
from couperation_formal.game.fact import Told, Unfit, fact
from couperation_formal.questions.records.states import NoSuchTurn
from couperation_formal.words.say import phrase, say

Answer = Callable[[Request], Awaitable[Response]]
"""What answers a request."""


def one_of(text: str | None, words: tuple[Any, ...]) -> Any:
    """A parameter that is one of these words. Raises `Unfit`."""
    if text not in words:
        raise Unfit(fact("board_bad", why=", ".join(words)))
    return text


def number(request: Request, name: str) -> int | None:
    """A parameter that is a number, None where it is left out. Raises `Unfit`."""
    text = request.query_params.get(name)
    if text is None or text == "":
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise Unfit(fact("board_bad", why=name))
    return int(text)


def posted(body: bytes, wanted: Any) -> Any:
    """A body as a value of the type `wanted`. Raises `Unfit`."""
    try:
        return msgspec.json.decode(body, type=wanted)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unfit(fact("board_bad", why=str(error))) from None


def answering(answer: Answer) -> Answer:
    """An answer whose refusals are sentences."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except Kept as error:
            return as_json({"said": str(error)}, 423 if error.what.kind == "board_locked" else 507)
        except (NoSuchTurn, Told) as error:
            return as_json({"said": say(error.what)}, 404 if isinstance(error, LookupError) else 422)
        except LookupError:
            return as_json({"said": phrase("board_nothing")}, 404)
        except OSError as error:
            return as_json({"said": phrase("board_bad", why=error.strerror or type(error).__name__)}, 422)

    return answered


def as_json(value: Any, status: int = 200) -> Response:
    """A value as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


# Who listens for new revisions. A stream tells that there is one, and nothing of the game.

MOST_STREAMS, MOST_WATCHING = 32, 30
"""So many streams there are at most, and so many of them of those who watch: who writes always finds a place."""
BEAT = 10.0
"""So many seconds pass at most without a word; a page that hears less is cut off."""
SLOW = 20.0
"""Who does not take a word in so many seconds is let go, and so is who has so much to hear as `_BEHIND`."""
_BEHIND = 64


class _Stream(StreamingResponse):
    """One who listens, as long as he does."""

    def __init__(self, streams: set[_Stream], may: May, token: str) -> None:
        super().__init__(self._told(), media_type="text/event-stream")
        self.may, self.token = may, token
        self._streams = streams
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(_BEHIND)

    async def stream_response(self, send: Send) -> None:
        """Send what is told; a place among the streams is held so long."""

        async def soon(message: Message) -> None:
            await asyncio.wait_for(send(message), SLOW)

        self._streams.add(self)
        try:
            await super().stream_response(soon)
        finally:
            self._streams.discard(self)

    async def _told(self) -> AsyncIterator[bytes]:
        yield b"retry: 1000\n\n"
        while True:
            try:
                told = await asyncio.wait_for(self._queue.get(), BEAT)
            except TimeoutError:
                told = b"event: still\ndata: 1\n\n"
            if told is None:
                return
            yield told

    def tell(self, told: bytes) -> None:
        """One word more; who is too far behind is let go, and asks anew."""
        if self._queue.full():
            self.end()
        else:
            self._queue.put_nowait(told)

    def end(self) -> None:
        """Let go; what was not sent yet is not sent."""
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)


class Streams:
    """All who listen."""

    def __init__(self) -> None:
        self._open: set[_Stream] = set()

    def listen(self, request: Request) -> Response:
        """A stream for who asks, or that there are too many."""
        may, token = request.scope["may"], request.scope["token"]
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        watching = sum(each.may.kind != "write" for each in self._open)
        full = len(self._open) >= MOST_STREAMS or (may.kind != "write" and watching >= MOST_WATCHING)
        if full:
            return as_json({"said": phrase("board_streams")}, 429)
        return _Stream(self._open, may, token)

    def changed(self, file: str, revision: int, sees: Callable[[str], bool]) -> None:
        """Tell of a new revision: who writes with the file, who watches only where the token shows it, by number."""
        named, bare = ({"file": file, "revision": revision}, {"revision": revision})
        for stream in tuple(self._open):
            if stream.may.kind == "write":
                stream.tell(_event(named))
            elif sees(stream.token):
                stream.tell(_event(bare))

    def drop(self, token: str) -> None:
        """Let go of those who listen with this token."""
        for stream in tuple(self._open):
            if stream.token == token:
                stream.end()

    def stop(self) -> None:
        """Let go of all, so that the server can end."""
        for stream in tuple(self._open):
            stream.end()


def _event(told: object) -> bytes:
    return b"event: changed\ndata: " + msgspec.json.encode(told) + b"\n\n"
