"""The pages of the desk and what they can do: a route each."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from uhhrag.records import Claim, Label
from uhhrag.serve import exports
from uhhrag.serve.access import COOKIE, LARGEST, Access, Guard, same, ticket
from uhhrag.serve.corpora import Targets
from uhhrag.serve.database import Database, DeskCheck
from uhhrag.serve.progress import Progress
from uhhrag.serve.worker import Queue
from uhhrag.system.terminal import printable
from uhhrag.views import html_pages
from uhhrag.views.run_view import ClaimView, Review, RunView, claim_view

LONGEST = 5000
"""Characters of a claim or a note."""
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
_BEAT = 0.2
"""Seconds between two looks for something new."""
_QUIET = 15.0
"""Seconds after which a stream says that it is still there."""

Form = Mapping[str, list[str]]
Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class App:
    """What the pages work with. `read` gives the run as it is on disk now; `reviewer` is whose
    reviews are exported."""

    database: Database
    queue: Queue
    targets: Targets
    read: Callable[[], RunView]
    access: Access
    reviewer: str

    def run_view(self) -> RunView:
        """The desk's checks, the latest first, then the run's claims, each with its review."""
        run, reviews = self.read(), self.database.reviews()
        settled = [check_of(asked) for asked in self.database.asked() if asked.record]
        claims = (*reversed(settled), *run.claims)
        return replace(run, claims=tuple(_reviewed(c, reviews) for c in claims))

    def waiting(self) -> list[DeskCheck]:
        return [asked for asked in self.database.asked() if asked.record is None]

    def seal(self, form: str) -> str:
        """What a form of ours carries, so that no other page can send it."""
        return hmac.new(self.database.secret(), form.encode(), hashlib.sha256).hexdigest()


def check_of(asked: DeskCheck) -> ClaimView:
    """A settled check as a claim of the pages."""
    record = dict(asked.record or {})
    view = claim_view(record, Path("desk"), record.get("seconds"))
    return replace(view, key=f"check-{asked.number}")


def fingerprint(view: ClaimView) -> str:
    """What a review is of: the claim, its verdict and the evidence that votes were cast on."""
    verdict = view.verdict
    said = [verdict.label, *((e.question, e.answer) for e in verdict.evidence)] if verdict else []
    return hashlib.sha256(repr((view.claim.text, said)).encode()).hexdigest()


def _reviewed(view: ClaimView, reviews: Mapping[str, tuple[str, Review]]) -> ClaimView:
    if view.anchor not in reviews:
        return view
    seen, review = reviews[view.anchor]
    return replace(view, review=replace(review, stale=seen != fingerprint(view)))


def make_asgi(app: App) -> Starlette:
    """The ASGI app: the routes behind the guard."""
    routes = [
        Route("/", _shown(app, _list), methods=["GET"]),
        Route("/checks", _changing(app, _ask), methods=["POST"]),
        Route("/claims/{key}", _shown(app, _claim), methods=["GET"]),
        Route("/claims/{key}/changes", _stream(app), methods=["GET"]),
        Route("/claims/{key}/review", _changing(app, _review), methods=["POST"]),
        Route("/claims/{key}/again", _changing(app, _again), methods=["POST"]),
        Route("/export/{name}", _shown(app, _export), methods=["GET"]),
        Route("/assets/{name}", _shown(app, _asset), methods=["GET"]),
        Route("/enter", _shown(app, _token_form), methods=["GET"]),
        Route("/enter", _changing(app, _enter), methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, access=app.access)])


def _shown(app: App, page: Callable[[App, Request], Response]) -> Answer:
    async def answer(request: Request) -> Response:
        return await run_in_threadpool(page, app, request)

    return answer


def _changing(app: App, change: Callable[[App, Request, Form], Response]) -> Answer:
    async def answer(request: Request) -> Response:
        body = b""
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST:
                    return Response("That is too long.\n", 413)
        except ClientDisconnect:
            return Response(status_code=400)
        form = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=500)
        return await run_in_threadpool(change, app, request, form)

    return answer


def _list(app: App, request: Request, wrong: str = "", status: int = 200) -> Response:
    run = app.run_view()
    return _page(
        "desk.html",
        status,
        run=run,
        scores=html_pages.scores_of(run),
        targets=app.targets,
        waiting=[(asked, app.queue.progress(asked.number)) for asked in app.waiting()],
        seal=app.seal("ask"),
        longest=LONGEST,
        wrong=wrong,
    )


def _claim(app: App, request: Request) -> Response:
    key = request.path_params["key"]
    waiting = app.waiting()
    for before, asked in enumerate(waiting):
        if key == f"check-{asked.number}":
            pending = ClaimView(asked.claim, None, key=key)
            return _one(app, pending, app.queue.progress(asked.number), before)
    view = _find(app, key)
    return _one(app, view) if view else _missing()


def _one(
    app: App, view: ClaimView, progress: Progress | None = None, waiting: int | None = None
) -> Response:
    return _page(
        "desk_claim.html",
        view=view,
        progress=progress,
        waiting=waiting,
        seal=app.seal(view.anchor),
        seen=fingerprint(view),
        longest=LONGEST,
    )


def _find(app: App, key: str) -> ClaimView | None:
    return next((c for c in app.run_view().claims if c.anchor == key), None)


def _ask(app: App, request: Request, form: Form) -> Response:
    text, target = printable(_said(form, "claim")), _said(form, "target")
    if not _sealed(app, form, "ask"):
        return _foreign(text)
    if not text or target not in app.targets:
        missing = "Write the claim first." if not text else "Choose what to check it against."
        return _list(app, request, missing, 422)
    claim = Claim(0, text, _said(form, "date") or None, printable(_said(form, "speaker")) or None)
    number = app.database.ask(claim, target)
    app.queue.wake()
    return RedirectResponse(f"/claims/check-{number}", 303)


def _review(app: App, request: Request, form: Form) -> Response:
    key = request.path_params["key"]
    note = _said(form, "note").replace("\r\n", "\n")
    if not _sealed(app, form, key):
        return _foreign(note)
    view = _find(app, key)
    if view is None or view.verdict is None:
        return _missing()
    if _said(form, "seen") != fingerprint(view):
        said = "This claim has been checked again since you opened it. Look at it anew."
        return _refused("Another verdict stands now", said, 409, kept=note)
    votes = range(len(view.verdict.votes))
    wrong = {int(n) for n in form.get("wrong", []) if n.isdecimal() and len(n) < 6}
    label = _said(form, "label")
    review = Review(
        Label(label) if label in set(Label) else None, tuple(sorted(wrong & set(votes))), note
    )
    app.database.review(key, fingerprint(view), review)
    return RedirectResponse(f"/claims/{key}#your-review", 303)


def _again(app: App, request: Request, form: Form) -> Response:
    key = request.path_params["key"]
    if not _sealed(app, form, key):
        return _foreign("")
    for asked in app.database.asked():
        if key == f"check-{asked.number}" and asked.record and "error" in asked.record:
            app.database.again(asked.number)
            app.queue.wake()
            return RedirectResponse(f"/claims/{key}", 303)
    return _missing()


def _export(app: App, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _EXPORTS:
        return _missing()
    kind, write = _EXPORTS[name]
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    content = write(app.run_view(), app.reviewer).encode("utf-8", "replace")
    return Response(content, headers=headers, media_type=kind)


def _asset(app: App, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _ASSETS:
        return _missing()
    return Response(html_pages.asset(name), media_type=_ASSETS[name])


def _token_form(app: App, request: Request, wrong: str = "", status: int = 200) -> Response:
    return _page("desk_enter.html", status, wrong=wrong)


def _enter(app: App, request: Request, form: Form) -> Response:
    token = app.access.token
    if not token or not same(_said(form, "token"), token):
        time.sleep(1)
        return _token_form(app, request, "That is not the token.", 401)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, ticket(token), httponly=True, samesite="strict", path="/")
    return answer


def _stream(app: App) -> Answer:
    """Server-sent events: one whenever there is something new on a claim. What it is stands on the
    claim's page."""

    async def changes(number: int) -> AsyncIterator[str]:
        before: object = None
        said = time.monotonic()
        yield "retry: 1000\n\n"
        while True:
            now = await run_in_threadpool(_state, app, number)
            if now != before:
                before, said = now, time.monotonic()
                yield "data: changed\n\n"
            elif time.monotonic() - said > _QUIET:
                said = time.monotonic()
                yield ": still here\n\n"
            if now is None:
                return
            await asyncio.sleep(_BEAT)

    async def answer(request: Request) -> Response:
        number = request.path_params["key"].removeprefix("check-")
        if not number.isdecimal() or len(number) > 9:
            return _missing()
        return StreamingResponse(changes(int(number)), media_type="text/event-stream")

    return answer


def _state(app: App, number: int) -> tuple[Any, ...] | None:
    """What a claim's page shows while it waits; None when it waits no more."""
    progress = app.queue.progress(number)
    if progress:
        return (progress.doing, len(progress.evidence), len(progress.votes))
    waiting = [asked.number for asked in app.waiting()]
    return (waiting.index(number),) if number in waiting else None


def _page(template: str, status: int = 200, **values: Any) -> Response:
    return HTMLResponse(html_pages.environment().get_template(template).render(values), status)


def _refused(title: str, said: str, status: int, kept: str = "") -> Response:
    return _page("desk_refused.html", status, title=title, said=said, kept=kept)


def _missing() -> Response:
    return _refused("Nothing here", "There is no such page.", 404)


def _foreign(kept: str) -> Response:
    return _refused("Not saved", "This form is not of this desk. Open the page anew.", 403, kept)


def _sealed(app: App, form: Form, name: str) -> bool:
    return same(_said(form, "seal"), app.seal(name))


def _said(form: Form, name: str) -> str:
    return form.get(name, [""])[0].strip()[:LONGEST]
