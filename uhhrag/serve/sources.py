"""Documents, read-only. Addresses name claim, piece and source, never a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from uhhrag.archive.words import find_near, find_words, phrases_of, quotations_in
from uhhrag.documents.formats import FORMATS, kind_of
from uhhrag.documents.listing import display_path
from uhhrag.records import Evidence, Page, Place, Source, source_of
from uhhrag.serve.app import App
from uhhrag.serve.claims import signer
from uhhrag.serve.responses import MAX_CHARS, Form, Missing, field, found, number_in, page, refused
from uhhrag.serve.targets import Searchable, Sources
from uhhrag.system.checksummed_json import digest
from uhhrag.views.answer import name_before
from uhhrag.views.review import PieceSide

BESIDE = 400
TAKEN_OUT = (
    "was taken out of the documents since this claim was checked. "
    "Its sentence stays with the claim."
)
_EXACT, _NEAR = 100, 20
"""Most sentences with all words, and near ones."""
_GONE = (
    "This document was taken out, or the documents were read again, since you came to its address. "
    "Search for it again."
)


class _Cited(NamedTuple):
    sources: Sources
    item: Evidence
    page: Page
    line: int | None
    """None if the sentence is gone."""
    changed: bool
    """Whether its file has, since the check."""

    @property
    def source(self) -> Source:
        return source_of(self.page, self.line)


def show_source(app: App, request: Request) -> Response:
    cited = _cited(app, request)
    document = cited.page
    drawn = cited.source.number is not None and _is_drawn(cited.sources.file(document))
    return page(
        "desk_source.html",
        document=document,
        claim_key=request.path_params["key"],
        piece=request.path_params["number"],
        **lines_around(document, cited.line),
        picture=f"{request.url.path}/page.png" if drawn else "",
        number=cited.source.number,
        changed=cited.changed,
        ocr=cited.source.ocr,
    )


def lines_around(document: Page, line: int | None, at: int | None = None) -> dict[str, Any]:
    """Template values around `line` (marked), else `at`, else the first line."""
    middle = (at or 0) if line is None else line
    start = max(0, middle - BESIDE)
    lines = document.lines[start : middle + BESIDE + 1]
    places = [source_of(document, start + number).place for number in range(len(lines))]
    own = document.url.startswith("file:")
    saved = display_path(document.file) or document.url
    return {
        "file": name_before(next(iter(places), ""), document.url) if own else saved,
        "lines": list(zip(lines, places, strict=True)),
        "headings": {at - start for at in document.headings},
        "quoted": {at - start: whose for at, whose in document.quoted},
        "marked_line": None if line is None else line - start,
        "before": start,
        "after": len(document.lines) - start - len(lines),
    }


def show_picture(app: App, request: Request) -> Response:
    cited = _cited(app, request)
    number, path = found(cited.source.number), found(cited.sources.file(cited.page))
    sentence = cited.item.found
    picture = cited.sources.picture(path, number, sentence) if _is_drawn(path) else b""
    return Response(found(picture or None), media_type="image/png")


def _is_drawn(path: Path | None) -> bool:
    kind = kind_of(path) if path else ""
    return bool(kind and FORMATS[kind].picture)


def _cited(app: App, request: Request) -> _Cited:
    key, number, place = (request.path_params[name] for name in ("key", "number", "place"))
    view, sources = found(app.find(key)), app.sources_of(key)
    evidence = found(view.verdict).evidence
    item = found(evidence[number - 1] if 0 < number <= len(evidence) else None)
    url = found(item.urls[place] if place < len(item.urls) else None)
    pages = sources.pages.get(url, ()) if sources else ()
    if sources is None or not pages:
        raise Missing(f"{display_path(url)} {TAKEN_OUT}")
    document, line = _holding(pages, item, place)
    changes = app.changes_of(view)
    changed = bool(changes and display_path(document.file) in changes.changed)
    return _Cited(sources, item, document, line, changed)


def _holding(pages: Sequence[Page], item: Evidence, place: int) -> tuple[Page, int | None]:
    """The sentence's current place; else the first page, without a line."""
    sentence = item.found
    line = item.places[place].line if place < len(item.places) else -1
    if held := next((one for one in pages if one.holds(sentence, line)), None):
        return held, line
    moved = [(one, n) for one in pages for n, text in enumerate(one.lines) if text == sentence]
    return moved[0] if len(moved) == 1 else (pages[0], None)


class _Found(NamedTuple):
    place: Place
    sentence: str
    source: Source
    language: str


def show_search(app: App, request: Request) -> Response:
    key = request.path_params["key"]
    archive = found(found(app.targets.get(key)).archive())
    query = request.query_params.get("q", "").strip()[:MAX_CHARS]
    asked = bool(phrases_of(query))
    words = find_words(archive.snapshot, query, _EXACT)
    search = archive.ranked if asked else None
    most = _NEAR + len(words.places)
    ranked = find_near(archive.snapshot, query, most, search) if search else []
    others = (place for place, _ in ranked if place not in words.places)
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
        quoted=bool(quotations_in(query)),
        **app.hint(request.query_params.get("claim", "")),
        **_attaching(app, request),
    )


def show_document(app: App, request: Request) -> Response:
    key, number = request.path_params["key"], request.path_params["number"]
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
    number, line, shown, side = (*field(form, "attach").split(), "", "", "", "")[:4]
    document, at = found(archive.page(found(number_in(number)))), found(number_in(line))
    if side not in (PieceSide.SUPPORTS, PieceSide.CONTRADICTS) or at >= len(document.lines):
        raise Missing
    if digest(sentence := document.lines[at]) != shown:
        reason = "The documents were read again since you opened it. Search for the sentence again."
        return refused("Not attached", reason, 409)
    view, source = found(app.find(key)), source_of(document, at)
    if piece := view.piece_of(sentence, source.url):
        return refused("Not attached", f"This is piece {piece} of the claim; mark it there.", 409)
    app.database.attach(view.names[0], PieceSide(side), sentence, source, signer(form))
    return RedirectResponse(f"/claims/{key}#attached", 303)


def detach(app: App, request: Request, form: Form) -> Response:
    key, number = request.path_params["key"], number_in(field(form, "number"))
    every = app.database.attachings(*found(app.find(key)).names)
    one = found(next((one for one in every if one.number == number), None))
    app.database.attach(one.key, PieceSide.NOTHING, one.sentence, one.source, signer(form))
    return RedirectResponse(f"/claims/{key}#attached", 303)


def _attaching(app: App, request: Request) -> dict[str, Any]:
    key = request.query_params.get("claim", "")
    view = app.find(key) if key else None
    return {"claim": view, "form_token": app.form_token(key) if view else ""}


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
