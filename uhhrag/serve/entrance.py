"""Where a visitor gives the token."""

from __future__ import annotations

import time

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from uhhrag.serve.access import COOKIE, same, ticket
from uhhrag.serve.app import App
from uhhrag.serve.responses import Form, field, page


def show_entrance(app: App, request: Request, wrong: str = "", status: int = 200) -> Response:
    """The form that asks for the token; `wrong` says what was wrong with the last one."""
    return page("desk_enter.html", status, wrong=wrong)


def enter(app: App, request: Request, form: Form) -> Response:
    """Give a browser that knows the token its cookie; a wrong token costs a second."""
    token = app.access.token
    if not token or not same(field(form, "token"), token):
        time.sleep(1)
        return show_entrance(app, request, "That is not the token.", 401)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, ticket(token), httponly=True, samesite="strict", path="/")
    return answer
