"""How the desk answers: pages from templates, refusals, and the forms it takes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response

from uhhrag.serve.access import LARGEST, same
from uhhrag.serve.app import App
from uhhrag.views import html_pages

LONGEST = 5000
"""Characters of a claim or a note."""

Form = Mapping[str, list[str]]
Endpoint = Callable[[Request], Awaitable[Response]]


def shown(app: App, page: Callable[[App, Request], Response]) -> Endpoint:
    """An endpoint that gives a page. It runs in a thread, since pages read files."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(page, app, request)

    return endpoint


def changing(app: App, change: Callable[[App, Request, Form], Response]) -> Endpoint:
    """An endpoint that takes a form of at most `LARGEST` bytes and changes something."""

    def changed(app: App, request: Request, body: bytes) -> Response:
        text = body.decode("utf-8", "replace")
        return change(app, request, parse_qs(text, keep_blank_values=True, max_num_fields=500))

    return taking(app, changed)


def taking(app: App, take: Callable[[App, Request, bytes], Response]) -> Endpoint:
    """An endpoint that takes a body of at most `LARGEST` bytes."""

    async def endpoint(request: Request) -> Response:
        body = b""
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST:
                    return Response("That is too long.\n", 413)
        except ClientDisconnect:
            return Response(status_code=400)
        return await run_in_threadpool(take, app, request, body)

    return endpoint


def page(template: str, status: int = 200, **values: Any) -> Response:
    """A template filled with values, all of them escaped."""
    return HTMLResponse(html_pages.environment().get_template(template).render(values), status)


def refused(title: str, reason: str, status: int, draft: str = "") -> Response:
    """A page that says why nothing was done; `draft` gives back what a person wrote."""
    return page("desk_refused.html", status, title=title, reason=reason, draft=draft)


def missing() -> Response:
    return refused("Nothing here", "There is no such page.", 404)


def foreign(draft: str) -> Response:
    """The answer to a form without this desk's token."""
    return refused("Not saved", "This form is not of this desk. Open the page again.", 403, draft)


def own_form(app: App, form: Form, name: str) -> bool:
    """Whether the form carries the token that this desk gave it."""
    return same(field(form, "token_of_form"), app.form_token(name))


def field(form: Form, name: str) -> str:
    """The first value of a field without blanks around it, at most `LONGEST` characters; "" where
    the form has none."""
    return form.get(name, [""])[0].strip()[:LONGEST]
