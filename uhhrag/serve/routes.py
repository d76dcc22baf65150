"""The desk's addresses."""

from __future__ import annotations

import sqlite3

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route

from uhhrag.errors import UhhragError
from uhhrag.serve import (
    api,
    changes,
    claims,
    downloads,
    drafts,
    entrance,
    library_pages,
    reviews,
    search_pages,
    sources,
    welcome,
)
from uhhrag.serve.access import Guard
from uhhrag.serve.app import App
from uhhrag.serve.responses import (
    changing,
    failed,
    not_saved,
    not_served,
    shown,
    taking,
    uploading,
)

_DRAFT = "/drafts/{number:short}"
_CITED = "/claims/{key}/pieces/{number:short}/sources/{place:short}"


class _Short(Convertor[int]):
    """A number that fits SQLite."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("short", _Short())


def make_asgi(app: App) -> Starlette:
    routes = [
        Route("/", shown(app, welcome.show_first), methods=["GET"]),
        Route("/checks", changing(app, claims.ask), methods=["POST"]),
        Route("/checks/again", changing(app, claims.ask_outdated), methods=["POST"]),
        Route("/claims/{key}", shown(app, claims.show_claim), methods=["GET"]),
        Route("/claims/{key}/changes", changes.stream_changes(app), methods=["GET"]),
        Route("/claims/{key}/review", changing(app, reviews.review), methods=["POST"]),
        Route("/claims/{key}/again", changing(app, claims.ask_again), methods=["POST"]),
        Route("/claims/{key}/attach", changing(app, search_pages.attach), methods=["POST"]),
        Route("/claims/{key}/detach", changing(app, search_pages.detach), methods=["POST"]),
        Route("/claims/{key}/stop", changing(app, claims.stop), methods=["POST"]),
        Route("/claims/{key}/remove", changing(app, claims.remove), methods=["POST"]),
        Route("/drafts", uploading(app, drafts.take), methods=["POST"]),
        Route(_DRAFT, shown(app, drafts.show_draft), methods=["GET"]),
        Route(f"{_DRAFT}/changes", changes.stream_draft(app), methods=["GET"]),
        Route(f"{_DRAFT}/checks", changing(app, drafts.check_ticked), methods=["POST"]),
        Route(f"{_DRAFT}/again", changing(app, drafts.ask_outdated), methods=["POST"]),
        Route(f"{_DRAFT}/stop", changing(app, drafts.stop), methods=["POST"]),
        Route(f"{_DRAFT}/remove", changing(app, drafts.remove), methods=["POST"]),
        Route(f"{_DRAFT}/export/{{name}}", shown(app, downloads.export), methods=["GET"]),
        Route(_CITED, shown(app, sources.show_source), methods=["GET"]),
        Route(f"{_CITED}/page.png", shown(app, sources.show_picture), methods=["GET"]),
        Route("/search/{key}", shown(app, search_pages.show_search), methods=["GET"]),
        Route(
            "/documents/{key}/{number:short}",
            shown(app, search_pages.show_document),
            methods=["GET"],
        ),
        Route("/export/{name}", shown(app, downloads.export), methods=["GET"]),
        Route("/claims/{key}/export/{name}", shown(app, downloads.export), methods=["GET"]),
        Route("/api/openapi.json", shown(app, api.show_openapi), methods=["GET"]),
        Route("/api/targets", shown(app, api.list_targets), methods=["GET"]),
        Route("/api/claims", shown(app, api.list_claims), methods=["GET"]),
        Route("/api/claims/{key}", shown(app, api.show_claim), methods=["GET"]),
        Route("/api/checks", taking(app, api.ask), methods=["POST"]),
        Route("/v1/check", api.answer_now(app), methods=["POST"]),
        Route("/assets/{name}", shown(app, downloads.asset), methods=["GET"]),
        Route("/favicon.ico", shown(app, downloads.no_icon), methods=["GET"]),
        Route("/enter", shown(app, entrance.show_entrance), methods=["GET"]),
        Route("/enter", entrance.entering(app), methods=["POST"]),
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
        },
    )


def _library_routes(app: App) -> list[Route]:
    changes_of = {
        "read": library_pages.read_files,
        "stop": library_pages.stop_reading,
        "remove": library_pages.remove_file,
    }
    one = "/collections/{key}"
    return [
        Route("/welcome", shown(app, welcome.show_welcome), methods=["GET"]),
        Route("/welcome/sample", changing(app, welcome.try_sample), methods=["POST"]),
        Route("/welcome/fetch", changing(app, welcome.fetch_models), methods=["POST"]),
        Route("/welcome/stop", changing(app, welcome.fetch_models), methods=["POST"]),
        Route("/collections", shown(app, library_pages.show_collections), methods=["GET"]),
        Route("/collections", changing(app, library_pages.create), methods=["POST"]),
        Route(one, shown(app, library_pages.show_collection), methods=["GET"]),
        Route(f"{one}/delete", changing(app, library_pages.delete), methods=["POST"]),
        Route(one + "/files/{name:path}", library_pages.put_file(app), methods=["PUT"]),
        *(
            Route(
                f"{one}/{name}",
                changing(app, library_pages.changes_collection(change)),
                methods=["POST"],
            )
            for name, change in changes_of.items()
        ),
    ]
