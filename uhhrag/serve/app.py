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
from uhhrag.serve.access import COOKIE, LARGEST, Door, Guard, same, ticket
from uhhrag.serve.corpora import Grounds
from uhhrag.serve.database import Asked, Desk
from uhhrag.serve.progress import Sight
from uhhrag.serve.worker import Queue
from uhhrag.system.terminal import printable
from uhhrag.views import html_pages
from uhhrag.views.run_view import Account, Checked, Review, checked_in

LONGEST = 5000
"""Characters of a claim or a note."""
_ASSETS = {
    "style.css": "text/css",
    "report.js": "text/javascript",
    "watch.js": "text/javascript",
}
_EXPORTS: Mapping[str, tuple[str, Callable[[Account, str], str]]] = {
    "report.html": ("text/html", lambda account, _: html_pages.report(account)),
    "claims.json": ("application/json", lambda account, _: exports.as_json(account)),
    "claims.csv": ("text/csv", lambda account, _: exports.as_csv(account)),
    "claimreview.jsonld": ("application/ld+json", exports.as_claim_review),
}
_BEAT = 0.2
"""Seconds between two looks for something new."""
_QUIET = 15.0
"""Seconds after which a stream says that it is still there."""

Form = Mapping[str, list[str]]
Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Office:
    """All that the pages work with. `read` gives the run as it is on disk now; `reviewer` is whose
    reviews are exported."""

    desk: Desk
    queue: Queue
    grounds: Grounds
    read: Callable[[], Account]
    door: Door
    reviewer: str

    def account(self) -> Account:
        """The desk's checks, the latest first, then the run's claims, each with its review."""
        run, reviews = self.read(), self.desk.reviews()
        settled = [check_of(asked) for asked in self.desk.asked() if asked.record]
        claims = (*reversed(settled), *run.claims)
        return replace(run, claims=tuple(_reviewed(c, reviews) for c in claims))

    def waiting(self) -> list[Asked]:
        return [asked for asked in self.desk.asked() if asked.record is None]

    def seal(self, form: str) -> str:
        """What a form of ours carries, so that no other page can send it."""
        return hmac.new(self.desk.secret(), form.encode(), hashlib.sha256).hexdigest()


def check_of(asked: Asked) -> Checked:
    """A settled check as a claim of the pages."""
    record = dict(asked.record or {})
    checked = checked_in(record, Path("desk"), record.get("seconds"))
    return replace(checked, key=f"check-{asked.number}")


def fingerprint(checked: Checked) -> str:
    """What a review is of: the claim, its verdict and the evidence that votes were cast on."""
    verdict = checked.verdict
    said = [verdict.label, *((e.question, e.answer) for e in verdict.evidence)] if verdict else []
    return hashlib.sha256(repr((checked.claim.text, said)).encode()).hexdigest()


def _reviewed(checked: Checked, reviews: Mapping[str, tuple[str, Review]]) -> Checked:
    if checked.anchor not in reviews:
        return checked
    seen, review = reviews[checked.anchor]
    return replace(checked, review=replace(review, stale=seen != fingerprint(checked)))


def make_app(office: Office) -> Starlette:
    """The app, its door included."""
    routes = [
        Route("/", _shown(office, _list), methods=["GET"]),
        Route("/checks", _changing(office, _ask), methods=["POST"]),
        Route("/claims/{key}", _shown(office, _claim), methods=["GET"]),
        Route("/claims/{key}/changes", _stream(office), methods=["GET"]),
        Route("/claims/{key}/review", _changing(office, _review), methods=["POST"]),
        Route("/claims/{key}/again", _changing(office, _again), methods=["POST"]),
        Route("/export/{name}", _shown(office, _export), methods=["GET"]),
        Route("/assets/{name}", _shown(office, _asset), methods=["GET"]),
        Route("/enter", _shown(office, _door), methods=["GET"]),
        Route("/enter", _changing(office, _enter), methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, door=office.door)])


def _shown(office: Office, page: Callable[[Office, Request], Response]) -> Answer:
    async def answer(request: Request) -> Response:
        return await run_in_threadpool(page, office, request)

    return answer


def _changing(office: Office, change: Callable[[Office, Request, Form], Response]) -> Answer:
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
        return await run_in_threadpool(change, office, request, form)

    return answer


def _list(office: Office, request: Request, wrong: str = "", status: int = 200) -> Response:
    account = office.account()
    return _page(
        "desk.html",
        status,
        account=account,
        scores=html_pages.scores_of(account),
        grounds=office.grounds,
        waiting=[(asked, office.queue.sight(asked.number)) for asked in office.waiting()],
        seal=office.seal("ask"),
        longest=LONGEST,
        wrong=wrong,
    )


def _claim(office: Office, request: Request) -> Response:
    key = request.path_params["key"]
    waiting = office.waiting()
    for before, asked in enumerate(waiting):
        if key == f"check-{asked.number}":
            pending = Checked(asked.claim, None, key=key)
            return _one(office, pending, office.queue.sight(asked.number), before)
    checked = _find(office, key)
    return _one(office, checked) if checked else _missing()


def _one(
    office: Office, checked: Checked, sight: Sight | None = None, waiting: int | None = None
) -> Response:
    return _page(
        "desk_claim.html",
        checked=checked,
        sight=sight,
        waiting=waiting,
        seal=office.seal(checked.anchor),
        seen=fingerprint(checked),
        longest=LONGEST,
    )


def _find(office: Office, key: str) -> Checked | None:
    return next((c for c in office.account().claims if c.anchor == key), None)


def _ask(office: Office, request: Request, form: Form) -> Response:
    text, ground = printable(_said(form, "claim")), _said(form, "ground")
    if not _sealed(office, form, "ask"):
        return _foreign(text)
    if not text or ground not in office.grounds:
        missing = "Write the claim first." if not text else "Choose what to check it against."
        return _list(office, request, missing, 422)
    claim = Claim(0, text, _said(form, "date") or None, printable(_said(form, "speaker")) or None)
    number = office.desk.ask(claim, ground)
    office.queue.wake()
    return RedirectResponse(f"/claims/check-{number}", 303)


def _review(office: Office, request: Request, form: Form) -> Response:
    key = request.path_params["key"]
    note = _said(form, "note").replace("\r\n", "\n")
    if not _sealed(office, form, key):
        return _foreign(note)
    checked = _find(office, key)
    if checked is None or checked.verdict is None:
        return _missing()
    if _said(form, "seen") != fingerprint(checked):
        said = "This claim has been checked again since you opened it. Look at it anew."
        return _refused("Another verdict stands now", said, 409, kept=note)
    votes = range(len(checked.verdict.votes))
    wrong = {int(n) for n in form.get("wrong", []) if n.isdecimal() and len(n) < 6}
    label = _said(form, "label")
    review = Review(
        Label(label) if label in set(Label) else None, tuple(sorted(wrong & set(votes))), note
    )
    office.desk.review(key, fingerprint(checked), review)
    return RedirectResponse(f"/claims/{key}#your-review", 303)


def _again(office: Office, request: Request, form: Form) -> Response:
    key = request.path_params["key"]
    if not _sealed(office, form, key):
        return _foreign("")
    for asked in office.desk.asked():
        if key == f"check-{asked.number}" and asked.record and "error" in asked.record:
            office.desk.again(asked.number)
            office.queue.wake()
            return RedirectResponse(f"/claims/{key}", 303)
    return _missing()


def _export(office: Office, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _EXPORTS:
        return _missing()
    kind, write = _EXPORTS[name]
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    content = write(office.account(), office.reviewer).encode("utf-8", "replace")
    return Response(content, headers=headers, media_type=kind)


def _asset(office: Office, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _ASSETS:
        return _missing()
    return Response(html_pages.asset(name), media_type=_ASSETS[name])


def _door(office: Office, request: Request, wrong: str = "", status: int = 200) -> Response:
    return _page("desk_enter.html", status, wrong=wrong)


def _enter(office: Office, request: Request, form: Form) -> Response:
    token = office.door.token
    if not token or not same(_said(form, "token"), token):
        time.sleep(1)
        return _door(office, request, "That is not the token.", 401)
    answer = RedirectResponse("/", 303)
    answer.set_cookie(COOKIE, ticket(token), httponly=True, samesite="strict", path="/")
    return answer


def _stream(office: Office) -> Answer:
    """Server-sent events: one whenever there is something new on a claim. What it is stands on the
    claim's page."""

    async def changes(number: int) -> AsyncIterator[str]:
        before: object = None
        said = time.monotonic()
        yield "retry: 1000\n\n"
        while True:
            now = await run_in_threadpool(_state, office, number)
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


def _state(office: Office, number: int) -> tuple[Any, ...] | None:
    """What a claim's page shows while it waits; None when it waits no more."""
    sight = office.queue.sight(number)
    if sight:
        return (sight.doing, len(sight.evidence), len(sight.votes))
    waiting = [asked.number for asked in office.waiting()]
    return (waiting.index(number),) if number in waiting else None


def _page(template: str, status: int = 200, **values: Any) -> Response:
    return HTMLResponse(html_pages.environment().get_template(template).render(values), status)


def _refused(title: str, said: str, status: int, kept: str = "") -> Response:
    return _page("desk_refused.html", status, title=title, said=said, kept=kept)


def _missing() -> Response:
    return _refused("Nothing here", "There is no such page.", 404)


def _foreign(kept: str) -> Response:
    return _refused("Not saved", "This form is not of this desk. Open the page anew.", 403, kept)


def _sealed(office: Office, form: Form, name: str) -> bool:
    return same(_said(form, "seal"), office.seal(name))


def _said(form: Form, name: str) -> str:
    return form.get(name, [""])[0].strip()[:LONGEST]
