from __future__ import annotations

import asyncio
import errno
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeVar
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response

from uhhrag.errors import UhhragError
from uhhrag.serve.access import MAX_DRAFT_FORM_BYTES, PROGRAMS, max_bytes_of, refusal, too_long
from uhhrag.serve.app import App
from uhhrag.system.checksums import sha256
from uhhrag.views import html_pages

T = TypeVar("T")
MAX_CHARS = 5000
_MAX_FORM_SECONDS = 60.0
_FULL = (errno.ENOSPC, errno.EDQUOT)
_FIELDS = 4100
"""Ticks and wordings of the longest draft."""
_TOKEN = "token_of_form"  # noqa: S105 - a field's name
_WRITTEN = ("claim", "note", "name", "text")
"""Fields that a refused form gives back."""
Form = Mapping[str, list[str]]
Endpoint = Callable[[Request], Awaitable[Response]]


def changing(
    app: App, change: Callable[[App, Request, Form], Response], name: str = "{key}"
) -> Endpoint:
    """Acts on this desk's form `name`, formatted with the path's parameters; "" is any."""

    def changed(app: App, request: Request, body: bytes) -> Response:
        text = body.decode("utf-8", "replace")
        try:
            form = parse_qs(text, keep_blank_values=True, max_num_fields=_FIELDS)
        except ValueError:
            return Response("That has too many fields.\n", 413)
        if name and (answer := _foreign(app, form, name.format(**request.path_params))):
            return answer
        act = partial(change, app, request, form)
        return app.sent.answer([request.url.path, text], act) if name else act()

    return taking(app, changed)


def taking(app: App, take: Callable[[App, Request, bytes], Response]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        path, body = request.scope["path"], bytearray()
        most = max_bytes_of(request.method, path)
        try:
            async with asyncio.timeout(_MAX_FORM_SECONDS):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > most:
                        return too_long(path, most)
        except ClientDisconnect:
            return Response(status_code=400)
        except TimeoutError:
            late = refusal(path, 408, "That took too long.")
            late.headers["connection"] = "close"
            return late
        return await run_in_threadpool(take, app, request, bytes(body))

    return endpoint


def uploading(app: App, take: Callable[[App, Form, str, bytes], Response], name: str) -> Endpoint:
    """As `changing`, with a file's name and bytes, perhaps empty; the guard checks its size."""

    async def endpoint(request: Request) -> Response:
        try:
            async with request.form(
                max_files=1, max_fields=20, max_part_size=MAX_DRAFT_FORM_BYTES
            ) as form:
                fields = {k: [v] for k, v in form.items() if isinstance(v, str)}
                file = form.get("file")
                called, content = "", b""
                if isinstance(file, UploadFile):
                    called, content = file.filename or "", await file.read()
        except HTTPException as error:
            return refused("Not read", f"{error.detail}", 400)
        except ClientDisconnect:
            return Response(status_code=400)

        def act() -> Response:
            return _foreign(app, fields, name) or take(app, fields, called, content)

        return await run_in_threadpool(app.sent.answer, [fields, called, sha256(content)], act)

    return endpoint


def page(template: str, status: int = 200, **values: Any) -> Response:
    made = html_pages.environment().get_template(template)
    return HTMLResponse(made.render(values, longest=MAX_CHARS), status)


def refused(title: str, reason: str, status: int, draft: str = "") -> Response:
    """`draft` returns the person's text."""
    return page("desk_refused.html", status, title=title, reason=reason, draft=draft)


async def not_saved(request: Request, error: Exception) -> Response:
    """For an unusable file, as on a full disk."""
    reason = getattr(error, "strerror", None) or str(error)
    code = getattr(error, "sqlite_errorcode", None)
    full = code == sqlite3.SQLITE_FULL or getattr(error, "errno", None) in _FULL
    then = "Make room, then try again." if full else "Nothing was changed."
    disk = isinstance(error, (OSError, sqlite3.OperationalError))
    what = "The disk refuses it" if disk else "The desk’s file cannot be used"
    return _not_done(request, f"{what}: {reason}. {then}", 507)


async def failed(request: Request, error: Exception) -> Response:
    return _not_done(request, f"{error}.", 500)


async def not_served(request: Request, error: Any) -> Response:
    answer = refusal(request.scope["path"], error.status_code, error.detail)
    answer.headers.update(error.headers or {})
    return answer


def _not_done(request: Request, reason: str, status: int) -> Response:
    path = request.scope["path"]
    if path.startswith(PROGRAMS):
        return refusal(path, status, reason)
    return refused("Not done", reason, status)


def sentence(reason: object) -> str:
    """
    >>> sentence("there is a file of the name Ada already"), sentence("kept/a.json: is damaged")
    ('There is a file of the name Ada already.', 'kept/a.json: is damaged.')
    """
    text = str(reason)
    begins = text[:1] if "/" in text.partition(" ")[0] else text[:1].upper()
    return f"{begins}{text[1:]}."


class Missing(Exception):
    """What a page is of is not here; the message is a sentence."""


def found(value: T | None) -> T:
    """Raises Missing for None."""
    if value is None:
        raise Missing
    return value


async def missing(request: Request, error: Exception) -> Response:
    return refused("Nothing here", str(error) or "There is no such page.", 404)


ON_ERROR: Mapping[Any, Callable[[Request, Any], Awaitable[Response]]] = {
    sqlite3.Error: not_saved,
    OSError: not_saved,
    UhhragError: failed,
    HTTPException: not_served,
    Missing: missing,
}


def _foreign(app: App, form: Form, name: str) -> Response | None:
    """Refuses a form without this desk's token."""
    if app.owns(field(form, _TOKEN), name):
        return None
    written = next((form[field][0] for field in _WRITTEN if field in form), "")
    return refused("Not saved", "This form is not of this desk. Open the page again.", 403, written)


def field(form: Form, name: str) -> str:
    """First value, stripped and cut; line ends are one character, as browsers count."""
    return form.get(name, [""])[0].replace("\r\n", "\n").strip()[:MAX_CHARS]


def number_in(text: str) -> int | None:
    """At most nine digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
