"""Limits open connections."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 400
"""Below the usual 1,024 open files."""


class Connection(H11Protocol):
    """At `MOST`, closes the connection longest without a whole request, so half-sent ones shut
    nobody out."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        every = self.connections
        if len(every) >= MOST:
            idle = [one for one in every if isinstance(one, Connection) and one.idle]
            if idle:
                min(idle, key=lambda one: one.since).transport.close()
            else:
                transport.close()
        self.since = self.loop.time()
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.idle:
            self.since = self.loop.time()

    @property
    def idle(self) -> bool:
        cycle: Any = self.cycle
        return cycle is None or cycle.response_complete
