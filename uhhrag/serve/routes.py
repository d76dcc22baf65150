from __future__ import annotations

import sqlite3
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from uhhrag.errors import UhhragError
from uhhrag.serve import (
    api,
    changes,
    claims,
    downloads,
    drafts,
    library_pages,
    search_pages,
    sources,
    welcome,
)
from uhhrag.serve.access import Guard
from uhhrag.serve.app import App
from uhhrag.serve.responses import (
    Form,
    Missing,
    changing,
    failed,
    missing,
    not_saved,
    not_served,
    shown,
    taking,
    uploading,
)

_DRAFT = "/drafts/{number:short}"
_FORM = f"{claims.DRAFT}-{{number}}"
_CITED = "/claims/{key}/pieces/{number:short}/sources/{place:short}"


class _Short(IntegerConvertor):
    """A number that fits SQLite."""

    regex = "[0-9]{1,9}"


register_url_convertor("short", _Short())


def make_asgi(app: App) -> Starlette:
    routes = [
        Route("/", shown(app, welcome.show_first)),
        Route("/checks", changing(app, claims.ask, claims.ASK), methods=["POST"]),
        Route("/checks/again", changing(app, claims.ask_outdated, claims.ASK), methods=["POST"]),
        Route("/claims/{key}", shown(app, claims.show_claim)),
        Route("/claims/{key}/changes", changes.stream_changes(app)),
        Route("/claims/{key}/review", changing(app, claims.review), methods=["POST"]),
        Route("/claims/{key}/again", changing(app, claims.ask_again), methods=["POST"]),
        Route("/claims/{key}/attach", changing(app, search_pages.attach), methods=["POST"]),
        Route("/claims/{key}/detach", changing(app, search_pages.detach), methods=["POST"]),
        Route("/claims/{key}/stop", changing(app, claims.stop), methods=["POST"]),
        Route("/claims/{key}/remove", changing(app, claims.remove), methods=["POST"]),
        Route("/drafts", uploading(app, drafts.take), methods=["POST"]),
        Route(_DRAFT, shown(app, drafts.show_draft)),
        Route(f"{_DRAFT}/changes", changes.stream_draft(app)),
        Route(f"{_DRAFT}/checks", changing(app, drafts.check_ticked, _FORM), methods=["POST"]),
        Route(f"{_DRAFT}/again", changing(app, drafts.ask_outdated, _FORM), methods=["POST"]),
        Route(f"{_DRAFT}/stop", changing(app, drafts.stop, _FORM), methods=["POST"]),
        Route(f"{_DRAFT}/remove", changing(app, drafts.remove, _FORM), methods=["POST"]),
        Route(f"{_DRAFT}/export/{{name}}", shown(app, downloads.export)),
        Route(_CITED, shown(app, sources.show_source)),
        Route(f"{_CITED}/page.png", shown(app, sources.show_picture)),
        Route("/search/{key}", shown(app, search_pages.show_search)),
        Route("/documents/{key}/{number:short}", shown(app, search_pages.show_document)),
        Route("/export/{name}", shown(app, downloads.export)),
        Route("/claims/{key}/export/{name}", shown(app, downloads.export)),
        Route("/api/openapi.json", shown(app, api.show_openapi)),
        Route("/api/targets", shown(app, api.list_targets)),
        Route("/api/claims", shown(app, api.list_claims)),
        Route("/api/claims/{key}", shown(app, api.show_claim)),
        Route("/api/checks", taking(app, api.ask), methods=["POST"]),
        Route("/v1/check", api.answer_now(app), methods=["POST"]),
        Route("/assets/{name}", shown(app, downloads.asset)),
        Route("/favicon.ico", shown(app, downloads.no_icon)),
        Route("/enter", shown(app, welcome.show_entrance)),
        Route("/enter", welcome.entering(app), methods=["POST"]),
    ]
    routes += _library_routes(app) if app.library is not None else []
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, access=app.access)],
        exception_handlers={
            sqlite3.Error: not_saved,
            OSError: not_saved,
            UhhragError: failed,
            HTTPException: not_served,
            Missing: missing,
        },
    )


def _library_routes(app: App) -> list[Route]:
    one = "/collections/{key}"

    def post(path: str, change: Callable[[App, Request, Form], Response]) -> Route:
        return Route(path, changing(app, change, library_pages.COLLECTIONS), methods=["POST"])

    return [
        Route("/welcome", shown(app, welcome.show_welcome)),
        post("/welcome/sample", welcome.try_sample),
        post("/welcome/fetch", welcome.fetch_models),
        post("/welcome/stop", welcome.fetch_models),
        Route("/collections", shown(app, library_pages.show_collections)),
        post("/collections", library_pages.create),
        Route(one, shown(app, library_pages.show_collection)),
        post(f"{one}/delete", library_pages.delete),
        post(f"{one}/read", library_pages.read_files),
        post(f"{one}/stop", library_pages.stop_reading),
        post(f"{one}/remove", library_pages.remove_file),
        Route(one + "/files/{name:path}", library_pages.put_file(app), methods=["PUT"]),
    ]
