from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from uhhrag.archive.words import find_words, phrases_of
from uhhrag.records import Page, Place, Source, source_of
from uhhrag.serve.app import App
from uhhrag.serve.responses import MAX_CHARS, Form, Missing, field, found, number_in, page, refused
from uhhrag.serve.sources import BESIDE, lines_around
from uhhrag.serve.targets import Searchable
from uhhrag.system.checksummed_json import digest
from uhhrag.views.review import PieceSide

_EXACT, _NEAR = 100, 20
"""Most sentences with all words, and near ones."""
_GONE = (
    "This document was taken out, or the documents were read again, since you came to its address. "
    "Search for it again."
)
_SIDES = (PieceSide.SUPPORTS, PieceSide.CONTRADICTS)


class _Found(NamedTuple):
    place: Place
    sentence: str
    source: Source
    language: str


def show_search(app: App, request: Request) -> Response:
    archive = _archive(app, request)
    query = request.query_params.get("q", "").strip()[:MAX_CHARS]
    asked = bool(phrases_of(query))
    words = find_words(archive.snapshot, query, _EXACT)
    search = archive.ranked if asked else None
    hits = search(query, _NEAR + len(words.places)) if search else []
    places = (hit.passage.places[0] for hit in hits if hit.passage.places)
    others = (place for place in places if place not in words.places)
    key = request.path_params["key"]
    return page(
        "desk_search.html",
        key=key,
        name=app.targets[key].name,
        query=query,
        asked=asked,
        words=words,
        exact=_found(archive, words.places),
        near=_found(archive, islice(others, _NEAR)),
        by_meaning=search is not None,
        **app.hint(request.query_params.get("claim", "")),
        **_attaching(app, request),
    )


def show_document(app: App, request: Request) -> Response:
    number = request.path_params["number"]
    key = request.path_params["key"]
    target = app.targets.get(key)
    archive = target.archive() if target else None
    document = archive.page(number) if archive else None
    if document is None:
        raise Missing(_GONE)
    return page(
        "desk_document.html",
        key=key,
        number=number,
        name=target.name if target else "",
        document=document,
        **lines_around(document, *(_line(request, document, name) for name in ("line", "at"))),
        query=request.query_params.get("q", "")[:MAX_CHARS],
        beside=BESIDE,
        **_attaching(app, request),
    )


def attach(app: App, request: Request, form: Form) -> Response:
    key = request.path_params["key"]
    archive = found(found(app.targets.get(field(form, "target"))).archive())
    number, line = (found(number_in(field(form, name))) for name in ("document", "line"))
    side, view, document = field(form, "side"), found(app.find(key)), found(archive.page(number))
    if side not in _SIDES or line >= len(document.lines):
        raise Missing
    if digest(sentence := document.lines[line]) != field(form, "sentence"):
        reason = "The documents were read again since you opened it. Search for the sentence again."
        return refused("Not attached", reason, 409)
    source = source_of(document, line)
    app.database.attach(view.names[0], PieceSide(side), sentence, source)
    return RedirectResponse(f"/claims/{key}#attached", 303)


def detach(app: App, request: Request, form: Form) -> Response:
    key, number = request.path_params["key"], found(number_in(field(form, "number")))
    for name in found(app.find(key)).names:
        app.database.detach(name, number)
    return RedirectResponse(f"/claims/{key}#attached", 303)


def _attaching(app: App, request: Request) -> dict[str, Any]:
    key = request.query_params.get("claim", "")
    view = app.find(key) if key else None
    return {"claim": view, "form_token": app.form_token(key) if view else ""}


def _archive(app: App, request: Request) -> Searchable:
    return found(found(app.targets.get(request.path_params["key"])).archive())


def _line(request: Request, document: Page, name: str) -> int | None:
    line = number_in(request.query_params.get(name, ""))
    return line if line is not None and line < len(document.lines) else None


def _found(archive: Searchable, places: Iterable[Place]) -> list[_Found]:
    found = ((place, archive.page(place.document)) for place in places)
    return [
        _Found(place, one.lines[place.line], source_of(one, place.line), one.language)
        for place, one in found
        if one is not None
    ]
