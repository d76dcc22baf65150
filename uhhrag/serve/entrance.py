"""The page that asks for the token."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from uhhrag.serve.access import PENALTY, same, ticket
from uhhrag.serve.app import App
from uhhrag.serve.responses import Endpoint, Form, changing, field, page

_WRONG = 401


def show_entrance(app: App, request: Request, wrong: str = "", status: int = 200) -> Response:
    """`wrong` says why the last token was refused."""
    return page("desk_enter.html", status, wrong=wrong)


def entering(app: App) -> Endpoint:
    """Exchanges the token for a cookie; a wrong one waits, without holding a thread."""
    answered = changing(app, _enter, "")

    async def endpoint(request: Request) -> Response:
        answer = await answered(request)
        if answer.status_code == _WRONG:
            await asyncio.sleep(PENALTY)
        return answer

    return endpoint


def _enter(app: App, request: Request, form: Form) -> Response:
    token = app.access.token
    if not token or not same(field(form, "token"), token):
        return show_entrance(app, request, "That is not the token.", _WRONG)
    answer = RedirectResponse("/", 303)
    encrypted = app.access.address.startswith("https:")
    answer.set_cookie(
        app.access.cookie, ticket(token), httponly=True, samesite="strict", secure=encrypted
    )
    return answer
