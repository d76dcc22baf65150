"""Cited documents, read-only. Addresses name a claim, piece and source, never a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from uhhrag.documents.formats import FORMATS, kind_of
from uhhrag.documents.listing import display_path
from uhhrag.records import Evidence, Page, Source, source_of
from uhhrag.serve.app import App
from uhhrag.serve.responses import Missing, found, page
from uhhrag.serve.targets import Sources
from uhhrag.views.answer import name_before

BESIDE = 400
TAKEN_OUT = (
    "was taken out of the documents since this claim was checked. "
    "Its sentence stays with the claim."
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
    """Template values: lines around `line`, which is marked, or `at`, or the first."""
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
    """Where the sentence is now; else the first page, without a line."""
    sentence = item.found
    line = item.places[place].line if place < len(item.places) else -1
    if held := next((one for one in pages if one.holds(sentence, line)), None):
        return held, line
    moved = [(one, n) for one in pages for n, text in enumerate(one.lines) if text == sentence]
    return moved[0] if len(moved) == 1 else (pages[0], None)
