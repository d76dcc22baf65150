"""The user's own documents without a claim: search them, open any one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from uhhrag.corpus.words import find_words, phrases_of
from uhhrag.errors import IndexFault
from uhhrag.records import Page, Place, Source, source_of
from uhhrag.serve.app import App
from uhhrag.serve.archives import Searchable
from uhhrag.serve.responses import LONGEST, missing, page, refused
from uhhrag.serve.sources import BESIDE, DAMAGED, lines_around

_EXACT, _NEAR = 100, 20
"""Sentences shown that have every word, and that are near in words and meaning."""


class _Found(NamedTuple):
    """A sentence that a search found."""

    place: Place
    sentence: str
    source: Source


def show_search(app: App, request: Request) -> Response:
    """What a search finds: every sentence with all words, then those near to them."""
    archive = _archive(app, request)
    query = request.query_params.get("q", "").strip()[:LONGEST]
    if archive is None:
        return missing()
    asked = bool(phrases_of(query))
    try:
        words = find_words(archive.snapshot, query, _EXACT)
        search = archive.ranked() if asked else None
        hits = search(query, _NEAR) if search else []
        exact = _found(archive, words.places)
        near = _found(archive, (h.passage.places[0] for h in hits if h.passage.places))
    except IndexFault:
        return refused("Damaged", DAMAGED, 500)
    key = request.path_params["key"]
    return page(
        "desk_search.html",
        key=key,
        name=app.targets[key].name,
        query=query,
        asked=asked,
        words=words,
        exact=exact,
        near=[one for one in near if one.place not in words.places],
        by_meaning=search is not None,
        longest=LONGEST,
    )


def show_document(app: App, request: Request) -> Response:
    """A document with what is known of it; a sentence of it marked where the address names one."""
    archive = _archive(app, request)
    number = request.path_params["number"]
    try:
        document = archive.page(number) if archive else None
    except IndexFault:
        return refused("Damaged", DAMAGED, 500)
    if document is None:
        return missing()
    shown = lines_around(document, _line(request, document))
    key = request.path_params["key"]
    return page(
        "desk_document.html",
        key=key,
        number=number,
        name=app.targets[key].name,
        document=document,
        quoted={at - shown["before"]: whose for at, whose in document.quoted},
        **shown,
        query=request.query_params.get("q", "")[:LONGEST],
        beside=BESIDE,
    )


def _archive(app: App, request: Request) -> Searchable | None:
    target = app.targets.get(request.path_params["key"])
    return target.archive() if target else None


def _line(request: Request, document: Page) -> int | None:
    asked = request.query_params.get("line", "")
    known = asked.isascii() and asked.isdigit() and len(asked) < 10
    return int(asked) if known and int(asked) < len(document.lines) else None


def _found(archive: Searchable, places: Iterable[Place]) -> list[_Found]:
    found = []
    for place in places:
        document = archive.page(place.document)
        if document is not None:
            source = source_of(document, place.line)
            found.append(_Found(place, document.lines[place.line], source))
    return found
