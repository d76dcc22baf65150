"""Documents cited by evidence, read-only.

Addresses name a claim, a piece and a source, never a file. Only read text and drawn PDF pages are
sent, no document."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from uhhrag.documents.formats import FORMATS, kind_of
from uhhrag.records import Evidence, Page
from uhhrag.serve.app import App
from uhhrag.serve.responses import missing, page

BESIDE = 400
"""Lines shown on either side."""


class _Cited(NamedTuple):
    """A piece and the page that holds it."""

    item: Evidence
    page: Page
    line: int | None
    """None if the page no longer has the sentence."""

    @property
    def number(self) -> int | None:
        """The page's number in a PDF."""
        held = self.line is not None and len(self.page.numbers) > self.line
        return self.page.numbers[self.line or 0] if held else None

    @property
    def ocr(self) -> int | None:
        """OCR's confidence in percent; None for text."""
        held = self.line is not None and len(self.page.ocr) > self.line
        return self.page.ocr[self.line or 0] if held else None


def show_source(app: App, request: Request) -> Response:
    """A cited document, its sentence marked."""
    sources, cited = app.sources_of(request.path_params["key"]), _cited(app, request)
    if cited is None or sources is None:
        return missing()
    document = cited.page
    drawn = cited.number is not None and _is_drawn(sources.file(document))
    return page(
        "desk_source.html",
        document=document,
        claim_key=request.path_params["key"],
        piece=request.path_params["number"],
        **lines_around(document, cited.line),
        picture=f"{request.url.path}/page.png" if drawn else "",
        number=cited.number,
        ocr=cited.ocr,
    )


def lines_around(document: Page, line: int | None) -> dict[str, Any]:
    """Template values: lines around one (or the first), headings, numbers of lines left out."""
    start = max(0, (line or 0) - BESIDE)
    lines = document.lines[start : (line or 0) + BESIDE + 1]
    numbers = document.numbers[start : start + len(lines)] or (None,) * len(lines)
    return {
        "lines": list(zip(lines, numbers, strict=True)),
        "headings": {at - start for at, _ in document.sections},
        "marked_line": None if line is None else line - start,
        "before": start,
        "after": len(document.lines) - start - len(lines),
    }


def show_picture(app: App, request: Request) -> Response:
    """A cited page of a PDF."""
    sources, cited = app.sources_of(request.path_params["key"]), _cited(app, request)
    if cited is None or cited.number is None or sources is None:
        return missing()
    path = sources.file(cited.page)
    if path is None or not _is_drawn(path):
        return missing()
    sentence = cited.item.sentence or cited.item.answer
    picture = sources.picture(path, cited.number, sentence)
    return Response(picture, media_type="image/png") if picture else missing()


def _is_drawn(path: Path | None) -> bool:
    kind = kind_of(path) if path else ""
    return bool(kind and FORMATS[kind].picture)


def _cited(app: App, request: Request) -> _Cited | None:
    where = request.path_params
    view = app.find(where["key"])
    verdict = view.verdict if view else None
    sources = app.sources_of(where["key"])
    if verdict is None or sources is None:
        return None
    if not 0 < where["number"] <= len(verdict.evidence):
        return None
    item = verdict.evidence[where["number"] - 1]
    if where["place"] >= len(item.urls):
        return None
    pages = sources.pages.get(item.urls[where["place"]], ())
    line = item.places[where["place"]].line if where["place"] < len(item.places) else -1
    sentence = item.sentence or item.answer
    holding = next((page for page in pages if page.holds(sentence, line)), None)
    if holding:
        return _Cited(item, holding, line)
    moved = [(page, n) for page in pages for n, text in enumerate(page.lines) if text == sentence]
    if len(moved) == 1:
        return _Cited(item, *moved[0])
    return _Cited(item, pages[0], None) if pages else None
