"""Who listens for new revisions. A stream tells that there is one, and nothing of the game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Send

from couperation_formal.board.gate import May
from couperation_formal.board.wire import as_json
from couperation_formal.words.say import phrase

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
