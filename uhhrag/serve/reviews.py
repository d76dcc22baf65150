"""Saves a person's review."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from uhhrag.records import Label, Vote
from uhhrag.serve.app import App
from uhhrag.serve.responses import Form, field, missing, refused
from uhhrag.text.characters import one_line
from uhhrag.views.claim_row import ClaimRow, fingerprint
from uhhrag.views.html_text import link
from uhhrag.views.review import PieceSide, Review, wrong_votes

_ADDRESS = 2000
"""Characters."""


def review(app: App, request: Request, form: Form) -> Response:
    """Save a review, unless its verdict has changed."""
    key, note = request.path_params["key"], field(form, "note")
    view = app.find(key)
    if view is None or view.verdict is None:
        return missing()
    if field(form, "seen") != fingerprint(view):
        reason = "This claim has been checked again since you opened it. Look at it again."
        return refused("The verdict has changed", reason, 409, note)
    appearance = field(form, "appearance")
    if appearance and (len(appearance) > _ADDRESS or not link(appearance)):
        reason = "Where it was claimed is no web address; write it as https://…"
        return refused("Not saved", reason, 422, f"{appearance}\n\n{note}".strip())
    label, reviewer = field(form, "label"), one_line(field(form, "reviewer"))[:200]
    if label not in set(Label) or not reviewer:
        missed = "Choose a verdict" if label not in set(Label) else "Write your name"
        return refused("Not saved", f"{missed}: a person decides, and signs for it.", 422, note)
    votes = view.verdict.votes if view.verdict.vote_per_piece else ()
    marks = _marks(votes, form)
    written = Review(
        label=Label(label),
        wrong=wrong_votes(marks, votes),
        note=note,
        marks=marks,
        reviewer=reviewer,
        appearance=appearance,
        kept=tuple(at for at in range(len(view.verdict.evidence)) if field(form, f"keep-{at}")),
    )
    app.database.review(view.names[0], fingerprint(view), written)
    if field(form, "then") != "next":
        return RedirectResponse(f"/claims/{key}#your-review", 303)
    following = next_unreviewed(app.rows().claims, key)
    return RedirectResponse(f"/claims/{following}" if following else "/", 303)


def _marks(votes: Sequence[Vote], form: Form) -> dict[int, PieceSide]:
    said = {position: field(form, f"mark-{position}") for position in range(len(votes))}
    return {at: PieceSide(side) for at, side in said.items() if side in set(PieceSide)}


def next_unreviewed(claims: Sequence[ClaimRow], key: str) -> str:
    """Key of the next one, cyclic; "" if all are reviewed."""
    keys = [row.anchor for row in claims]
    start = keys.index(key) + 1 if key in keys else 0
    left = (r for r in (*claims[start:], *claims[:start]) if r.machine_label and r.anchor != key)
    return next((row.anchor for row in left if not row.reviewed), "")
