"""The desk's JSON interface. Bodies must be `application/json`, which no foreign form can send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from uhhrag.exports.tables import claim_object, language_of, row_object
from uhhrag.records import Claim
from uhhrag.serve.access import not_done
from uhhrag.serve.app import App
from uhhrag.serve.check_table import number_of, view_of
from uhhrag.serve.claims import wrong_date
from uhhrag.serve.responses import MAX_CHARS, Endpoint, taking
from uhhrag.system.decode import json_object
from uhhrag.text.characters import one_line
from uhhrag.version import __version__
from uhhrag.views.answer import CLAIM_SCHEMA, answer_of
from uhhrag.views.searched import Searched

JSON = "application/json"
_WAITING = 202
_POLL_SECONDS = 0.1


def list_targets(app: App, request: Request) -> Response:
    return JSONResponse({key: target.name for key, target in app.targets.items()})


def list_claims(app: App, request: Request) -> Response:
    """First those without a verdict, then the others, latest first."""
    rows = app.rows().claims
    known = {row.key for row in rows}
    waiting = [
        _waiting(check.number, check.claim)
        for check in reversed(app.database.waiting())
        if f"check-{check.number}" not in known
    ]
    settled = [row_object(row) for row in rows]
    return Response(orjson.dumps({"claims": [*waiting, *settled]}), media_type=JSON)


def show_claim(app: App, request: Request) -> Response:
    view = app.find(request.path_params["key"])
    if view is None:
        return not_done(404, "there is no such claim")
    number = number_of(view.key)
    progress = app.queue.progress(number) if number else None
    doing = {"doing": progress.doing if progress else "Waiting"} if view.pending else {}
    if number and view.status == "waiting":
        return JSONResponse(_waiting(number, view.claim) | doing)
    (view,) = app.compared(view)
    return JSONResponse(claim_object(view) | language_of(view) | doing)


def ask(app: App, request: Request, body: bytes) -> Response:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        return not_done(415, f"send {JSON}")
    asked = json_object(body)
    if asked is None:
        return not_done(422, "the body is not a JSON object")
    texts = {name: asked.get(name) for name in ("claim", "date", "speaker", "target")}
    if any(value is not None and not isinstance(value, str) for value in texts.values()):
        return not_done(422, "claim, date, speaker and target are texts")
    text = one_line(texts["claim"] or "")
    target = texts["target"] or (next(iter(app.targets), "") if len(app.targets) == 1 else "")
    if not text:
        return not_done(422, "claim is missing")
    if len(text) > MAX_CHARS:
        return not_done(422, f"claim has more than {MAX_CHARS:,} characters")
    if target not in app.targets:
        return not_done(422, f"target is one of: {', '.join(app.targets) or '(none is here)'}")
    date, speaker = (one_line(texts[name] or "") for name in ("date", "speaker"))
    if wrong := wrong_date(app, date):
        return not_done(422, wrong)
    number = app.database.ask(Claim(0, text, date or None, speaker[:MAX_CHARS] or None), target)
    app.queue.wake()
    address = f"/api/claims/check-{number}"
    return JSONResponse({"key": f"check-{number}", "url": address}, _WAITING, {"location": address})


def answer_now(app: App) -> Endpoint:
    """Answers once the claim is decided, as `uhhrag check --json`."""
    queued = taking(app, ask)

    async def endpoint(request: Request) -> Response:
        response = await queued(request)
        if response.status_code != _WAITING:
            return response
        address = response.headers["location"]
        while (answer := await run_in_threadpool(_answer, app, address)) is None:
            await asyncio.sleep(_POLL_SECONDS)
        return answer

    return endpoint


def _answer(app: App, address: str) -> Response | None:
    """None while the claim waits."""
    check = app.database.check(address.rpartition("/")[2])
    if check is None:
        return not_done(410, "the claim was removed from the desk")
    if check.record is None:
        return None
    view = view_of(check)
    searched = view.searched or Searched()
    # As in `uhhrag check`, whose only claim has the id 0.
    view = replace(view, claim=replace(view.claim, id=0))
    header, before = {"signature": searched.signature}, app.checked_before(view.claim.text)
    answer = answer_of(view, header, searched.documents, before)
    text = json.dumps(answer, ensure_ascii=False) + "\n"
    return Response(text, media_type=JSON, headers={"location": address})


def _waiting(number: int, claim: Claim) -> dict[str, Any]:
    about = {"claim": claim.text, "date": claim.date, "speaker": claim.speaker}
    return {"status": "waiting", "key": f"check-{number}", **about}


_TEXT = {"type": "string"}
_KEY = {"name": "key", "in": "path", "required": True, "schema": _TEXT}


def _answers(schema: dict[str, Any], status: str = "200", meaning: str = "As asked") -> Any:
    told = {status: (meaning, schema), "default": ("Not done; error says why", _of("Error"))}
    return {
        key: {"description": words, "content": {JSON: {"schema": of}}}
        for key, (words, of) in told.items()
    }


def _of(schema: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{schema}"}


_ASKING = {"required": True, "content": {JSON: {"schema": _of("Ask")}}}
OPENAPI: Mapping[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "uhhrag desk", "version": __version__},
    "components": {
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        "schemas": {
            "Ask": {
                "type": "object",
                "required": ["claim"],
                "properties": {
                    "claim": {**_TEXT, "maxLength": MAX_CHARS},
                    "date": {**_TEXT, "description": "When it was claimed: YYYY-MM-DD"},
                    "speaker": _TEXT,
                    "target": {**_TEXT, "description": "A key of /api/targets"},
                },
            },
            "Asked": {"type": "object", "properties": {"key": _TEXT, "url": _TEXT}},
            "Error": {"type": "object", "required": ["error"], "properties": {"error": _TEXT}},
            "Claims": {
                "type": "object",
                "required": ["claims"],
                "properties": {"claims": {"type": "array", "items": _of("Claim")}},
            },
            "Claim": json.loads(CLAIM_SCHEMA.read_bytes()),
        },
    },
    "security": [{}, {"token": []}],
    "paths": {
        "/api/targets": {
            "get": {"responses": _answers({"type": "object", "additionalProperties": _TEXT})}
        },
        "/api/claims": {"get": {"responses": _answers(_of("Claims"))}},
        "/api/claims/{key}": {"get": {"parameters": [_KEY], "responses": _answers(_of("Claim"))}},
        "/v1/check": {
            "post": {
                "summary": "The answer to a claim as uhhrag check --json prints it",
                "requestBody": _ASKING,
                "responses": _answers(_of("Claim")),
            }
        },
        "/api/checks": {
            "post": {
                "requestBody": _ASKING,
                "responses": _answers(_of("Asked"), "202", "In the queue"),
            }
        },
    },
}
