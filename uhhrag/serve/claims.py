from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from uhhrag.documents.claim_list import JSON_LINES, WORKBOOKS
from uhhrag.documents.claim_list import TABLES as DELIMITED
from uhhrag.documents.draft import ENDINGS
from uhhrag.documents.formats import called
from uhhrag.records import Claim, Label, Vote
from uhhrag.rules.label_words import WORDS
from uhhrag.serve import draft_table
from uhhrag.serve.app import App
from uhhrag.serve.check_table import now, number_of
from uhhrag.serve.claim_list import ORDERS, beside, listed, query_in
from uhhrag.serve.progress import Progress
from uhhrag.serve.responses import MAX_CHARS, Form, field, found, number_in, page, refused, sentence
from uhhrag.serve.worker import NOT_HERE, STOPPED, without_verdict
from uhhrag.system.terminal import quantity
from uhhrag.text.characters import one_line
from uhhrag.text.dates import read_date
from uhhrag.views.claim_row import ClaimRow, fingerprint
from uhhrag.views.html_text import link
from uhhrag.views.review import PieceSide, Review, wrong_votes
from uhhrag.views.run_view import ClaimView

_MAX_URL_CHARS = 2000
ASK = "ask"
DRAFT = "draft"
TABLES = (*DELIMITED, *JSON_LINES, *WORKBOOKS)
"""File endings of claim lists."""
_QUEUED = 50
_PATIENCE_SECONDS = 10.0


def show_list(app: App, request: Request) -> Response:
    rows, waiting = app.rows(), app.database.waiting()
    return page(
        "desk.html",
        run=rows,
        listed=listed(rows.claims, query_in(request.query_params)),
        orders={key: words for key, (words, _) in ORDERS.items()},
        scores=None,
        judged=None,
        targets=app.targets,
        waiting=[(check, app.queue.progress(check.number)) for check in waiting[:_QUEUED]],
        queued=len(waiting),
        form_token=app.form_token(ASK),
        draft_token=app.form_token(DRAFT),
        drafts=draft_table.latest(app.database),
        takes_drafts=app.takes_drafts(),
        against=request.query_params.get("against"),
        endings=",".join((*ENDINGS, *TABLES)),
        draft_kinds=called(ENDINGS),
        list_kinds=called(TABLES),
        needs_date=app.needs_date,
        library=app.library is not None,
        checked_again="" if waiting else told_of_again(app, rows.claims),
        stays=app.stays,
        desk=app.desk,
        **app.hint(),
    )


def show_claim(app: App, request: Request) -> Response:
    key = request.path_params["key"]
    check = app.database.check(key)
    if check and check.record is None:
        progress = app.queue.progress(check.number)
        before = app.database.waiting_before(check.number)
        if before is not None:  # else it ended meanwhile
            return _claim_page(app, found(app.find(key)), progress, before)
    return _claim_page(app, found(app.find(key)))


def _claim_page(
    app: App,
    view: ClaimView,
    progress: Progress | None = None,
    waiting: int | None = None,
    unsaved: Review | None = None,
    wrong: str = "",
    status: int = 200,
) -> Response:
    """`unsaved` fills the form of a review refused as `wrong`."""
    sources, rows = app.sources_of(view.anchor), app.rows()
    check, target = app.database.check(view.key), app.targets.get(view.target)
    history, (view,) = app.database.history(*view.names), app.compared(view)
    draft, order = app.order_of(view.key)
    before, after = beside(order, view.anchor)
    return page(
        "desk_claim.html",
        status,
        view=view,
        unsaved=unsaved,
        wrong=wrong,
        checked_before=app.checked_before(view.claim.text),
        documents=app.read().documents,
        changes=app.changes_of(view),
        served=target is not None,
        fault=target.fault if target else "",
        earlier=app.database.earlier(check)[view.pending :] if check else (),
        openable=sources.pages if sources else {},
        searchable=view.target if target and target.archive() else "",
        progress=progress,
        waiting=waiting,
        form_token=app.form_token(view.anchor),
        reviewed=rows.reviewed,
        total=len(rows.claims) - rows.failed,
        draft=draft,
        before=before,
        after=after,
        reworded=check.claim.text if check and check.claim.text != view.claim.text else "",
        history=history[: -1 if view.review else None],
        attachings=app.database.attachings(*view.names),
        known=len(history),
        settled=check.settled if check else "",
        seen=fingerprint(view),
        desk=app.desk,
        **app.hint(view.anchor),
    )


def read_again(app: App, request: Request, form: Form) -> Response:
    found(app.followed).read(_PATIENCE_SECONDS)
    back = field(form, "back")
    known = app.database.check(back) or app.find(back)
    return RedirectResponse(f"/claims/{back}" if known else "/", 303)


def ask(app: App, request: Request, form: Form) -> Response:
    text, target = one_line(form.get("claim", [""])[0]), field(form, "target")
    date, speaker = field(form, "date"), one_line(field(form, "speaker"))
    if wrong := _wrong_claim(app, text, target) or wrong_date(app, date):
        return refused("Not checked", wrong, 422, text)
    number = app.database.ask(Claim(0, text, date or None, speaker or None), target)
    app.queue.wake()
    return RedirectResponse(f"/claims/check-{number}", 303)


def _wrong_claim(app: App, text: str, target: str) -> str:
    if not text:
        return "Write the claim first."
    if len(text) > MAX_CHARS:
        return f"The claim has more than {MAX_CHARS:,} characters. Check one statement at a time."
    return "" if target in app.targets else "Choose what to check it against."


def wrong_date(app: App, date: str) -> str:
    """Why it is refused, or ""."""
    if read_date(date) is not None or (not date and not app.needs_date):
        return ""
    if date:
        return "The date cannot be read; write it as 2020-10-31."
    return "Say when it was claimed: pages of later dates are left out here."


def ask_again(app: App, request: Request, form: Form) -> Response:
    check = found(app.database.check(request.path_params["key"]))
    if check.record is not None:  # else it waits already
        if check.target not in app.targets:
            return refused("Not checked again", sentence(NOT_HERE), 409, field(form, "claim"))
        app.database.again(check.number, text=one_line(field(form, "claim")))
        app.queue.wake()
    return RedirectResponse(f"/claims/check-{check.number}", 303)


def ask_outdated(app: App, request: Request, form: Form) -> Response:
    again(app, app.rows().claims)
    return RedirectResponse("/", 303)


def again(app: App, rows: Sequence[ClaimRow]) -> None:
    app.database.again(*(row.claim.id for row in rows if row.outdated))
    app.queue.wake()


def told_of_again(app: App, rows: Sequence[ClaimRow]) -> str:
    """Result of the last recheck, or ""."""
    numbers = app.database.checked_again()
    settled = [row for row in rows if row.key and row.claim.id in numbers]
    changed = sum(bool(row.was) for row in settled) or "none"
    aside = sum(bool(row.set_aside) for row in settled)
    told = f"; {quantity(aside, 'review')} of an earlier verdict" if aside else ""
    return f"{len(settled):,} checked again, {changed} changed{told}" if settled else ""


def stop(app: App, request: Request, form: Form) -> Response:
    """The check keeps its earlier verdict, if any."""
    check = found(app.database.check(request.path_params["key"]))
    waits = check.record is None and not app.queue.stop_check(check.number)
    if waits and not app.database.restore(check.number):
        app.database.save_outcome(check.number, without_verdict(check, STOPPED))
    return RedirectResponse(f"/claims/check-{check.number}", 303)


def remove(app: App, request: Request, form: Form) -> Response:
    """A missing check is no error."""
    discard(app, found(number_of(request.path_params["key"])))
    return RedirectResponse("/", 303)


def discard(app: App, *numbers: int) -> None:
    """With their reviews."""
    for number in numbers:
        app.queue.stop_check(number)
    app.database.remove(*numbers)


def review(app: App, request: Request, form: Form) -> Response:
    key, note = request.path_params["key"], field(form, "note")
    view = found(app.find(key))
    verdict = found(view.verdict)
    if field(form, "seen") != fingerprint(view):
        reason = "This claim has been checked again since you opened it. Look at it again."
        return refused("The verdict has changed", reason, 409, note)
    label = field(form, "label")
    votes = verdict.votes if verdict.vote_per_piece else ()
    marks = _marks(votes, form)
    written = Review(
        label=Label(label) if label in set(Label) else None,
        wrong=wrong_votes(marks, votes),
        note=note,
        marks=marks,
        reviewer=one_line(field(form, "reviewer"))[:200],
        appearance=field(form, "appearance"),
        kept=tuple(at for at in range(len(verdict.evidence)) if field(form, f"keep-{at}")),
        seen=fingerprint(view),
    )
    if wrong := _wrong_review(written):
        return _claim_page(app, view, unsaved=written, wrong=wrong, status=422)
    known = number_in(field(form, "known"))
    if not app.database.review_after(known, written, *view.names):
        wrong = _reviewed_since(app.database.history(*view.names))
        return _claim_page(app, found(app.find(key)), unsaved=written, wrong=wrong, status=409)
    if field(form, "then") != "next":
        return RedirectResponse(f"/claims/{key}#your-review", 303)
    draft, order = app.order_of(key)
    following = next_unreviewed(order, key)
    back = f"/drafts/{draft}" if draft else "/"
    return RedirectResponse(f"/claims/{following}" if following else back, 303)


def take_back(app: App, request: Request, form: Form) -> Response:
    """Make an earlier review current again, as its reviewer's; number 0 withdraws."""
    key, which = request.path_params["key"], found(number_in(field(form, "which")))
    view, known = found(app.find(key)), number_in(field(form, "known"))
    history = app.database.history(*view.names)
    earlier = found(dict(enumerate((Review(), *history))).get(which))
    review = replace(earlier, actor=signer(form), acted=now())
    stale = review.label and review.seen != fingerprint(view)
    if stale or not app.database.review_after(known, review, *view.names):
        return refused("Not done", "It was reviewed or checked again since you opened it.", 409)
    return RedirectResponse(f"/claims/{key}", 303)


def signer(form: Form) -> str:
    """Raises HTTPException without a name."""
    if name := one_line(field(form, "reviewer"))[:200]:
        return name
    raise HTTPException(422, "Write your name: a person decides, and signs for it.")


def _reviewed_since(history: Sequence[Review]) -> str:
    who, verdict = "Somebody", ""
    if latest := next(reversed(history), None):
        who = latest.actor or latest.reviewer or who
        verdict = f": {WORDS[latest.label]}" if latest.label else ": withdrawn"
    return (
        f"{who} has reviewed this claim since you opened it{verdict}. "
        "To put yours in its place, save it again."
    )


def _wrong_review(written: Review) -> str:
    """Why it is not saved, or ""."""
    where = written.appearance
    if where and (len(where) > _MAX_URL_CHARS or not link(where)):
        return "Where it was claimed is no web address; write it as https://…"
    missed = "" if written.reviewer else "Write your name"
    missed = missed if written.label else "Choose a verdict"
    return f"{missed}: a person decides, and signs for it." if missed else ""


def _marks(votes: Sequence[Vote], form: Form) -> dict[int, PieceSide]:
    said = {position: field(form, f"mark-{position}") for position in range(len(votes))}
    return {at: PieceSide(side) for at, side in said.items() if side in set(PieceSide)}


def next_unreviewed(claims: Sequence[ClaimRow], key: str) -> str:
    """Key of the next one, cyclic, or ""."""
    keys = [row.anchor for row in claims]
    start = keys.index(key) + 1 if key in keys else 0
    left = (r for r in (*claims[start:], *claims[:start]) if r.machine_label and r.anchor != key)
    return next((row.anchor for row in left if not row.reviewed and not row.pending), "")
