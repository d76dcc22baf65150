from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from uhhrag.errors import UsageError
from uhhrag.exports import docx_export, tables
from uhhrag.exports.claim_review import Publisher, as_claim_review
from uhhrag.serve import drafts
from uhhrag.serve.app import App
from uhhrag.serve.responses import Missing, found, refused, sentence
from uhhrag.views import html_pages
from uhhrag.views.run_view import RunView

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_EXPORTS: Mapping[str, tuple[str, Callable[[RunView, Publisher], str | bytes]]] = {
    "report.html": ("text/html", lambda run, _: html_pages.report(run)),
    "report.docx": (_WORD, lambda run, _: docx_export.as_docx(run)),
    "claims.json": ("application/json", lambda run, _: tables.as_json(run)),
    "claims.csv": ("text/csv", lambda run, _: tables.as_csv(run)),
    "votes.csv": ("text/csv", lambda run, _: tables.as_votes(run)),
    "claimreview.jsonld": ("application/ld+json", as_claim_review),
}


def export(app: App, request: Request) -> Response:
    name, key = request.path_params["name"], request.path_params.get("key")
    draft = request.path_params.get("number")
    media_type, write = found(_EXPORTS.get(name))
    if draft is not None:
        run = drafts.run_of(app, draft)
    else:
        run = app.run_of(found(app.find(key))) if key is not None else app.run_view()
    try:
        content = write(run, app.publisher)
    except UsageError as error:
        return refused("Not exported", sentence(error), 409)
    if isinstance(content, str):
        content = content.encode("utf-8", "replace")
    of = key or (f"draft-{draft}" if draft else "")
    file = f"{of}-{name}" if of else name
    headers = {"content-disposition": f'attachment; filename="{file}"'}
    return Response(content, headers=headers, media_type=media_type)


def asset(app: App, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in html_pages.ASSETS:
        raise Missing
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return Response(html_pages.asset(name), media_type=kind)
