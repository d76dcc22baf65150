"""Serves the desk on one port."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import Literal

import uvicorn
from starlette.types import ASGIApp

from uhhrag.documents.collections import kept_home
from uhhrag.errors import UsageError
from uhhrag.serve.app import App
from uhhrag.serve.connections import Connection
from uhhrag.serve.routes import make_asgi

_PATIENCE = 2
"""Seconds for pages and the running check to end."""


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
        timeout_graceful_shutdown=_PATIENCE,
    )


def serve(app: App, listening: socket.socket, ready: Callable[[], None]) -> None:
    """`ready` is called once pages can be opened."""
    config = config_of(make_asgi(app))
    with kept_home(app.library.home) if app.library else contextlib.nullcontext():
        _serve(app, config, listening, ready)


def _serve(
    app: App, config: uvicorn.Config, listening: socket.socket, ready: Callable[[], None]
) -> None:
    app.queue.start()
    if app.library:
        app.library.start()
    listening.listen(128)
    ready()
    with contextlib.closing(listening):
        try:
            uvicorn.Server(config).run(sockets=[listening])
        finally:
            app.queue.stop(_PATIENCE)
            if app.models:
                app.models.stop()
            if app.library:
                app.library.stop(_PATIENCE)
