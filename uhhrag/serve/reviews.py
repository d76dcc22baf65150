"""What a person says of a verdict."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from uhhrag.records import Label
from uhhrag.serve.app import App, fingerprint
from uhhrag.serve.responses import Form, field, foreign, missing, own_form, refused
from uhhrag.views.run_view import Review


def review(app: App, request: Request, form: Form) -> Response:
    """Save a review, unless the verdict is another one than its author saw."""
    key = request.path_params["key"]
    note = field(form, "note").replace("\r\n", "\n")
    if not own_form(app, form, key):
        return foreign(note)
    view = app.find(key)
    if view is None or view.verdict is None:
        return missing()
    if field(form, "seen") != fingerprint(view):
        reason = "This claim has been checked again since you opened it. Look at it again."
        return refused("The verdict has changed", reason, 409, note)
    votes = range(len(view.verdict.votes))
    marked = {int(n) for n in form.get("wrong", []) if n.isdecimal() and len(n) < 6}
    label, wrong = field(form, "label"), tuple(sorted(marked & set(votes)))
    written = Review(Label(label) if label in set(Label) else None, wrong, note)
    app.database.review(key, fingerprint(view), written)
    return RedirectResponse(f"/claims/{key}#your-review", 303)
