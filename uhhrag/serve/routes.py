from __future__ import annotations

from collections.abc import Callable
from functools import partial

from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from uhhrag.serve import api, changes, claims, downloads, drafts, library_pages, sources, welcome
from uhhrag.serve.access import Guard
from uhhrag.serve.app import FOLLOWED, App
from uhhrag.serve.responses import ON_ERROR, Form, changing, taking, uploading

_DRAFT = "/drafts/{number:short}"
_FORM = f"{claims.DRAFT}-{{number}}"
_CITED = "/claims/{key}/pieces/{number:short}/sources/{place:short}"


class _Short(IntegerConvertor):
    """Fits SQLite."""

    regex = "[0-9]{1,9}"


register_url_convertor("short", _Short())


def make_asgi(app: App) -> Starlette:
    # Starlette runs what is not async in a thread: pages read files.
    routes = [
        Route("/", partial(welcome.show_first, app)),
        Route("/checks", changing(app, claims.ask, claims.ASK), methods=["POST"]),
        Route("/checks/again", changing(app, claims.ask_outdated, claims.ASK), methods=["POST"]),
        Route("/documents/read", changing(app, claims.read_again, FOLLOWED), methods=["POST"]),
        Route("/claims/{key}", partial(claims.show_claim, app)),
        Route("/claims/{key}/changes", changes.streaming(app, changes.of_claim)),
        Route("/claims/{key}/review", changing(app, claims.review), methods=["POST"]),
        Route("/claims/{key}/back", changing(app, claims.take_back), methods=["POST"]),
        Route("/claims/{key}/again", changing(app, claims.ask_again), methods=["POST"]),
        Route("/claims/{key}/attach", changing(app, sources.attach), methods=["POST"]),
        Route("/claims/{key}/detach", changing(app, sources.detach), methods=["POST"]),
        Route("/claims/{key}/stop", changing(app, claims.stop), methods=["POST"]),
        Route("/claims/{key}/remove", changing(app, claims.remove), methods=["POST"]),
        Route("/drafts", uploading(app, drafts.take, claims.DRAFT), methods=["POST"]),
        Route(_DRAFT, partial(drafts.show_draft, app)),
        Route(f"{_DRAFT}/changes", changes.streaming(app, changes.of_draft)),
        Route(f"{_DRAFT}/checks", changing(app, drafts.check_ticked, _FORM), methods=["POST"]),
        Route(f"{_DRAFT}/again", changing(app, drafts.ask_outdated, _FORM), methods=["POST"]),
        Route(f"{_DRAFT}/stop", changing(app, drafts.stop, _FORM), methods=["POST"]),
        Route(f"{_DRAFT}/remove", changing(app, drafts.remove, _FORM), methods=["POST"]),
        Route(f"{_DRAFT}/export/{{name}}", partial(downloads.export, app)),
        Route(_CITED, partial(sources.show_source, app)),
        Route(f"{_CITED}/page.png", partial(sources.show_picture, app)),
        Route("/search/{key}", partial(sources.show_search, app)),
        Route("/documents/{key}/{number:short}", partial(sources.show_document, app)),
        Route("/export/{name}", partial(downloads.export, app)),
        Route("/claims/{key}/export/{name}", partial(downloads.export, app)),
        Route("/api/openapi.json", JSONResponse(api.OPENAPI), methods=["GET"]),
        Route("/api/targets", partial(api.list_targets, app)),
        Route("/api/claims", partial(api.list_claims, app)),
        Route("/api/claims/{key}", partial(api.show_claim, app)),
        Route("/api/checks", taking(app, api.ask), methods=["POST"]),
        Route("/v1/check", api.answer_now(app), methods=["POST"]),
        Route("/assets/{name}", partial(downloads.asset, app)),
        Route("/favicon.ico", Response(status_code=204), methods=["GET"]),  # browsers ask for it
        Route("/enter", partial(welcome.show_entrance, app)),
        Route("/enter", welcome.entering(app), methods=["POST"]),
    ]
    routes += _library_routes(app) if app.library is not None else []
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, access=app.access)],
        exception_handlers=ON_ERROR,
    )


def _library_routes(app: App) -> list[Route]:
    one = "/collections/{key}"

    def post(path: str, change: Callable[[App, Request, Form], Response]) -> Route:
        return Route(path, changing(app, change, library_pages.COLLECTIONS), methods=["POST"])

    return [
        Route("/welcome", partial(welcome.show_welcome, app)),
        post("/welcome/sample", welcome.try_sample),
        post("/welcome/fetch", welcome.fetch_models),
        post("/welcome/stop", welcome.fetch_models),
        Route("/collections", partial(library_pages.show_collections, app)),
        post("/collections", library_pages.create),
        Route(one, partial(library_pages.show_collection, app)),
        post(f"{one}/delete", library_pages.delete),
        post(f"{one}/read", library_pages.read_files),
        post(f"{one}/stop", library_pages.stop_reading),
        post(f"{one}/remove", library_pages.remove_file),
        Route(f"{one}/files", partial(library_pages.list_files, app)),
        Route(one + "/files/{name:path}", library_pages.put_file(app), methods=["PUT"]),
    ]
