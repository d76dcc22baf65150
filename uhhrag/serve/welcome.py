"""The welcome page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from uhhrag.errors import UhhragError
from uhhrag.models.local import size_in_words
from uhhrag.serve import claims
from uhhrag.serve.app import App
from uhhrag.serve.library_pages import COLLECTIONS
from uhhrag.serve.responses import Form, missing, page, refused
from uhhrag.serve.sample import make_sample, sample_claims


def show_first(app: App, request: Request) -> Response:
    """Redirects an empty desk to the welcome page."""
    empty = app.library is not None and not app.targets and app.database.empty()
    if empty and not app.read().claims:
        return RedirectResponse("/welcome", 303)
    return claims.show_list(app, request)


def show_welcome(app: App, request: Request) -> Response:
    if app.library is None or app.models is None:
        return missing()
    wanted, fetch = app.models.missing(), app.models.state()
    return page(
        "desk_welcome.html",
        missing=[(model, size_in_words(model.size)) for model in wanted],
        size=size_in_words(sum(model.size for model in wanted)),
        command=f"uhhrag models pull {' '.join(model.name for model in wanted)}",
        fetch=fetch,
        fetched=f"{size_in_words(fetch.done)} of {size_in_words(fetch.total)}",
        collections=app.library.collections(),
        form_token=app.form_token(COLLECTIONS),
        samples=sample_claims(),
        stays=app.stays,
    )


def fetch_models(app: App, request: Request, form: Form) -> Response:
    if app.models is None:
        return missing()
    act = app.models.stop if request.url.path.endswith("/stop") else app.models.start
    act()
    return RedirectResponse("/welcome", 303)


def try_sample(app: App, request: Request, form: Form) -> Response:
    if app.library is None:
        return missing()
    try:
        collection = make_sample(app.library.home)
    except (UhhragError, OSError) as error:
        return refused("Not done", f"The sample cannot be made: {error}", 500)
    app.library.read(collection.key)
    return RedirectResponse(f"/collections/{collection.key}", 303)
