"""Server-sent events for waiting claims and drafts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from uhhrag.serve import draft_table
from uhhrag.serve.app import App
from uhhrag.serve.check_table import number_of
from uhhrag.serve.responses import Endpoint, found

Shown = tuple[Any, ...] | None
"""What a page shows; None once settled."""
_POLL_SECONDS = 0.2
_KEEP_ALIVE_SECONDS = 15.0


def streaming(app: App, state: Callable[[App, int], Shown]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        at = request.path_params
        number = found(number_of(at["key"])) if "key" in at else at["number"]
        events = _events(lambda: state(app, number))
        at_once = {"x-accel-buffering": "no"}  # which proxies obey, nginx first of all
        return StreamingResponse(events, media_type="text/event-stream", headers=at_once)

    return endpoint


async def _events(state: Callable[[], Shown]) -> AsyncIterator[str]:
    before: object = None
    last_event = time.monotonic()
    yield "retry: 1000\n\n"
    while True:
        now = await run_in_threadpool(state)
        if now != before or time.monotonic() - last_event > _KEEP_ALIVE_SECONDS:
            yield "data: changed\n\n" if now != before else ": still here\n\n"
            before, last_event = now, time.monotonic()
        if now is None:
            return
        await asyncio.sleep(_POLL_SECONDS)


def of_claim(app: App, number: int) -> Shown:
    progress = app.queue.progress(number)
    if progress:
        return (progress.doing, len(progress.evidence), len(progress.votes))
    before = app.database.waiting_before(number)
    return None if before is None else (before,)


def of_draft(app: App, number: int) -> Shown:
    asked, settled = draft_table.counts(app.database, number)
    return (asked, settled) if settled < asked else None
