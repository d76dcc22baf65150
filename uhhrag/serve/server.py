from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Any, Literal

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from uhhrag.documents.collections import kept_home
from uhhrag.errors import UsageError
from uhhrag.serve.app import App
from uhhrag.serve.routes import make_asgi

_SHUTDOWN_SECONDS = 2
MAX_CONNECTIONS = 400
"""Below the usual 1,024 open files."""


class Connection(H11Protocol):
    """At `MAX_CONNECTIONS`, closes the one longest without a whole request: half-sent ones shut
    nobody out."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        every = self.connections
        if len(every) >= MAX_CONNECTIONS:
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


def listen(host: str, port: int) -> socket.socket:
    """A bound socket; port 0 takes a free one. Raises UsageError."""
    # With its protocol: asyncio sets TCP_NODELAY only on sockets marked as TCP.
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except OSError as error:
        raise UsageError(
            f"{host}:{port} cannot be listened on ({error.strerror or error}); "
            "give another --port, or 0 for any"
        ) from error
    return listening


def config_of(asgi: ASGIApp, lifespan: Literal["on", "off"] = "off") -> uvicorn.Config:
    return uvicorn.Config(
        asgi,
        access_log=False,
        log_level="error",
        server_header=False,
        lifespan=lifespan,
        http=Connection,
        ws="none",
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )


def serve(app: App, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Calls `ready` once pages can be opened."""
    config = config_of(make_asgi(app))
    with closing(listening), ExitStack() as ended:
        if app.library:
            ended.enter_context(kept_home(app.library.home))
            app.library.start()
            ended.callback(app.library.stop, _SHUTDOWN_SECONDS)
        if app.models:
            ended.callback(app.models.stop)
        app.queue.start()
        ended.callback(app.queue.stop, _SHUTDOWN_SECONDS)
        listening.listen(128)
        ready()
        uvicorn.Server(config).run(sockets=[listening])


def open_page(address: str) -> bool:
    """False without a screen, where a text browser would take the terminal."""
    screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if sys.platform.startswith("linux") and not screen:
        return False
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    return True
