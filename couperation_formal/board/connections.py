"""Connections: one that asks nothing is let go, and those from elsewhere leave room for those of this machine."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from couperation_formal.board.address import plain

MOST, FROM_ELSEWHERE = 200, 150
"""So many connections there are at most, and so many of them from other machines."""
SILENT = 15.0
"""So many seconds a connection may last without a whole request."""


class Connection(H11Protocol):
    """A connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it, or let it go at once where there are too many from elsewhere."""
        super().connection_made(transport)
        others = sum(isinstance(each, Connection) and not each.near for each in self.connections)
        if not self.near and others > FROM_ELSEWHERE:
            transport.abort()
        else:
            self.loop.call_later(SILENT, self._silent, None)

    def on_response_complete(self) -> None:
        """An answer is complete: the next request has as long as the first one."""
        answered = self.cycle
        super().on_response_complete()
        self.loop.call_later(SILENT, self._silent, answered)

    @property
    def near(self) -> bool:
        """Whether it comes from this machine."""
        if self.client is None or self.server is None:
            return False
        client = plain(self.client[0])
        return client.is_loopback or client == plain(self.server[0])

    def _silent(self, answered: RequestResponseCycle | None) -> None:
        if self.cycle is answered:  # no other request was read
            self.transport.close()
