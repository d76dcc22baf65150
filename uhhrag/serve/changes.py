"""Telling an open page that there is something new on its claim (server-sent events)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from uhhrag.serve.app import App
from uhhrag.serve.responses import Endpoint, missing

_BEAT = 0.2
"""Seconds between two looks for something new."""
_QUIET = 15.0
"""Seconds after which a stream says that it is still there."""


def stream_changes(app: App) -> Endpoint:
    """One event whenever there is something new on a claim, until it is settled. What is new
    stands on the claim's page."""

    async def endpoint(request: Request) -> Response:
        number = request.path_params["key"].removeprefix("check-")
        if not number.isdecimal() or len(number) > 9:
            return missing()
        return StreamingResponse(_events(app, int(number)), media_type="text/event-stream")

    return endpoint


async def _events(app: App, number: int) -> AsyncIterator[str]:
    before: object = None
    last_event = time.monotonic()
    yield "retry: 1000\n\n"
    while True:
        now = await run_in_threadpool(_state, app, number)
        if now != before:
            before, last_event = now, time.monotonic()
            yield "data: changed\n\n"
        elif time.monotonic() - last_event > _QUIET:
            last_event = time.monotonic()
            yield ": still here\n\n"
        if now is None:
            return
        await asyncio.sleep(_BEAT)


def _state(app: App, number: int) -> tuple[Any, ...] | None:
    """What a claim's page shows while it waits; None when it waits no more."""
    progress = app.queue.progress(number)
    if progress:
        return (progress.doing, len(progress.evidence), len(progress.votes))
    waiting = [check.number for check in app.waiting()]
    return (waiting.index(number),) if number in waiting else None
