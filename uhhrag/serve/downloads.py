"""Files that the desk gives: exports, and the style and scripts of its pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from uhhrag.serve import exports
from uhhrag.serve.app import App
from uhhrag.serve.responses import missing
from uhhrag.views import html_pages
from uhhrag.views.run_view import RunView

_ASSETS = {
    "style.css": "text/css",
    "report.js": "text/javascript",
    "watch.js": "text/javascript",
}
_EXPORTS: Mapping[str, tuple[str, Callable[[RunView, str], str]]] = {
    "report.html": ("text/html", lambda run, _: html_pages.report(run)),
    "claims.json": ("application/json", lambda run, _: exports.as_json(run)),
    "claims.csv": ("text/csv", lambda run, _: exports.as_csv(run)),
    "claimreview.jsonld": ("application/ld+json", exports.as_claim_review),
}


def export(app: App, request: Request) -> Response:
    """All claims in one of the formats, to be saved as a file."""
    name = request.path_params["name"]
    if name not in _EXPORTS:
        return missing()
    media_type, write = _EXPORTS[name]
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    content = write(app.run_view(), app.reviewer).encode("utf-8", "replace")
    return Response(content, headers=headers, media_type=media_type)


def asset(app: App, request: Request) -> Response:
    """A style sheet or script of the pages."""
    name = request.path_params["name"]
    if name not in _ASSETS:
        return missing()
    return Response(html_pages.asset(name), media_type=_ASSETS[name])
