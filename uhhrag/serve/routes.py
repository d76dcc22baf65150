"""Every address of the desk and what answers there."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from uhhrag.serve import changes, claims, downloads, entrance, reviews
from uhhrag.serve.access import Guard
from uhhrag.serve.app import App
from uhhrag.serve.responses import changing, shown


def make_asgi(app: App) -> Starlette:
    """The desk as an ASGI app, behind its guard."""
    routes = [
        Route("/", shown(app, claims.show_list), methods=["GET"]),
        Route("/checks", changing(app, claims.ask), methods=["POST"]),
        Route("/claims/{key}", shown(app, claims.show_claim), methods=["GET"]),
        Route("/claims/{key}/changes", changes.stream_changes(app), methods=["GET"]),
        Route("/claims/{key}/review", changing(app, reviews.review), methods=["POST"]),
        Route("/claims/{key}/again", changing(app, claims.ask_again), methods=["POST"]),
        Route("/export/{name}", shown(app, downloads.export), methods=["GET"]),
        Route("/assets/{name}", shown(app, downloads.asset), methods=["GET"]),
        Route("/enter", shown(app, entrance.show_entrance), methods=["GET"]),
        Route("/enter", changing(app, entrance.enter), methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, access=app.access)])
