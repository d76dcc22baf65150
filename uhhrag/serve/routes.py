"""Every address of the desk and what answers there."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from uhhrag.serve import api, changes, claims, downloads, drafts, entrance, reviews, sources
from uhhrag.serve.access import Guard
from uhhrag.serve.app import App
from uhhrag.serve.responses import changing, shown, taking, uploading

_DRAFT = "/drafts/{number:int}"
_CITED = "/claims/{key}/pieces/{number:int}/sources/{place:int}"


def make_asgi(app: App) -> Starlette:
    """The desk as an ASGI app, behind its guard."""
    routes = [
        Route("/", shown(app, claims.show_list), methods=["GET"]),
        Route("/checks", changing(app, claims.ask), methods=["POST"]),
        Route("/claims/{key}", shown(app, claims.show_claim), methods=["GET"]),
        Route("/claims/{key}/changes", changes.stream_changes(app), methods=["GET"]),
        Route("/claims/{key}/review", changing(app, reviews.review), methods=["POST"]),
        Route("/claims/{key}/again", changing(app, claims.ask_again), methods=["POST"]),
        Route("/claims/{key}/stop", changing(app, claims.stop), methods=["POST"]),
        Route("/claims/{key}/remove", changing(app, claims.remove), methods=["POST"]),
        Route("/drafts", uploading(app, drafts.take), methods=["POST"]),
        Route(_DRAFT, shown(app, drafts.show_draft), methods=["GET"]),
        Route(f"{_DRAFT}/changes", changes.stream_draft(app), methods=["GET"]),
        Route(f"{_DRAFT}/checks", changing(app, drafts.check_ticked), methods=["POST"]),
        Route(f"{_DRAFT}/stop", changing(app, drafts.stop), methods=["POST"]),
        Route(f"{_DRAFT}/remove", changing(app, drafts.remove), methods=["POST"]),
        Route(f"{_DRAFT}/export/{{name}}", shown(app, downloads.export), methods=["GET"]),
        Route(_CITED, shown(app, sources.show_source), methods=["GET"]),
        Route(f"{_CITED}/page.png", shown(app, sources.show_picture), methods=["GET"]),
        Route("/export/{name}", shown(app, downloads.export), methods=["GET"]),
        Route("/claims/{key}/export/{name}", shown(app, downloads.export), methods=["GET"]),
        Route("/api/openapi.json", shown(app, api.show_openapi), methods=["GET"]),
        Route("/api/targets", shown(app, api.list_targets), methods=["GET"]),
        Route("/api/claims", shown(app, api.list_claims), methods=["GET"]),
        Route("/api/claims/{key}", shown(app, api.show_claim), methods=["GET"]),
        Route("/api/checks", taking(app, api.ask), methods=["POST"]),
        Route("/assets/{name}", shown(app, downloads.asset), methods=["GET"]),
        Route("/favicon.ico", shown(app, downloads.no_icon), methods=["GET"]),
        Route("/enter", shown(app, entrance.show_entrance), methods=["GET"]),
        Route("/enter", changing(app, entrance.enter), methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, access=app.access)])
