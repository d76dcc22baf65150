from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from uhhrag.errors import UhhragError
from uhhrag.models.local import size_in_words
from uhhrag.serve import claims
from uhhrag.serve.access import WRONG_TOKEN_SECONDS, same, ticket
from uhhrag.serve.app import App
from uhhrag.serve.library_pages import COLLECTIONS
from uhhrag.serve.responses import Endpoint, Form, changing, field, found, page, refused
from uhhrag.serve.sample import make_sample, sample_claims

_WRONG = 401


def show_first(app: App, request: Request) -> Response:
    empty = app.library is not None and not app.targets and app.database.empty()
    if empty and not app.read().claims:
        return RedirectResponse("/welcome", 303)
    return claims.show_list(app, request)


def show_welcome(app: App, request: Request) -> Response:
    library, models = found(app.library), found(app.models)
    wanted, fetch = models.missing(), models.state()
    return page(
        "desk_welcome.html",
        missing=[(model, size_in_words(model.size)) for model in wanted],
        size=size_in_words(sum(model.size for model in wanted)),
        command=f"uhhrag models pull {' '.join(model.name for model in wanted)}",
        fetch=fetch,
        fetched=f"{size_in_words(fetch.done)} of {size_in_words(fetch.total)}",
        collections=library.collections(),
        form_token=app.form_token(COLLECTIONS),
        samples=sample_claims(),
        stays=app.stays,
        drafts=app.targets and app.takes_drafts(),
    )


def fetch_models(app: App, request: Request, form: Form) -> Response:
    models = found(app.models)
    act = models.stop if request.url.path.endswith("/stop") else models.start
    act()
    return RedirectResponse("/welcome", 303)


def try_sample(app: App, request: Request, form: Form) -> Response:
    library = found(app.library)
    try:
        collection = make_sample(library.home)
    except (UhhragError, OSError) as error:
        return refused("Not done", f"The sample cannot be made: {error}", 500)
    library.read(collection.key)
    return RedirectResponse(f"/collections/{collection.key}", 303)


def show_entrance(app: App, request: Request, wrong: str = "", status: int = 200) -> Response:
    return page("desk_enter.html", status, wrong=wrong)


def entering(app: App) -> Endpoint:
    """Exchanges the token for a cookie; a wrong one waits, without holding a thread."""
    answered = changing(app, _enter, "")

    async def endpoint(request: Request) -> Response:
        answer = await answered(request)
        if answer.status_code == _WRONG:
            await asyncio.sleep(WRONG_TOKEN_SECONDS)
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
