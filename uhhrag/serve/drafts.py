"""Only the reading process opens uploads, whose size is limited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from uhhrag.documents.draft import (
    ENDINGS,
    Draft,
    DraftSentence,
    read_draft,
    read_list,
    why_no_draft,
)
from uhhrag.errors import InputError, UsageError
from uhhrag.formats.claim_reviews import CheckedClaim
from uhhrag.serve import draft_table
from uhhrag.serve.app import App
from uhhrag.serve.claims import DRAFT, TABLES, again, discard, told_of_again, wrong_date
from uhhrag.serve.responses import Form, field, found, page, refused, sentence
from uhhrag.serve.worker import NOT_HERE
from uhhrag.system.spare import spare_folder
from uhhrag.system.terminal import printable
from uhhrag.system.text_files import write_bytes
from uhhrag.text.characters import one_line
from uhhrag.text.pronouns import doubt, refers_back
from uhhrag.views.claim_row import ClaimRow, RowList
from uhhrag.views.run_view import RunView

MAX_SENTENCES = 2000
"""Sentences of a draft."""
_PASTED = "pasted text"


def take(app: App, form: Form, name: str, content: bytes) -> Response:
    text = form.get("text", [""])[0]
    target, date = field(form, "target"), field(form, "date")
    if wrong := _wrong_form(app, target, text, name, content) or wrong_date(app, date):
        return refused("Not taken", wrong, 422, text)
    try:
        draft = _read(app, text, name, content)
    except (InputError, UsageError) as error:
        return refused("The draft cannot be read", str(error), 422, text)
    speaker = one_line(field(form, "speaker"))
    dated = tuple(
        replace(one, date=one.date or date or None, speaker=one.speaker or speaker or None)
        for one in draft.sentences
    )
    undated = (one for one in dated if app.needs_date and wrong_date(app, one.date or ""))
    if one := next(undated, None):
        reason = f"{one.date}: is not a date; write it as 2020-10-31. It is of: {one.text}"
        return refused("Not taken", reason, 422)
    number = draft_table.add(app.database, replace(draft, sentences=dated), target)
    return RedirectResponse(f"/drafts/{number}", 303)


def _wrong_form(app: App, target: str, text: str, name: str, content: bytes) -> str:
    if target not in app.targets or not app.takes_drafts():
        return "Choose what to check the draft against."
    if text.strip() and content:
        return "Paste a text or choose a file, not both: one of them would be left out."
    if name and not content:
        return f"{name[-200:]} is empty. Choose another file."
    return "" if text.strip() or content else "Paste the draft, or choose a file."


def _read(app: App, text: str, name: str, content: bytes) -> Draft:
    # A browser may send a path of any system; its last part is the name.
    given = printable(name.replace("\\", "/").rpartition("/")[2])
    name = given[:200] if content else _PASTED
    ending = Path(given).suffix.lower() if content else ".txt"
    if ending not in (*ENDINGS, *TABLES):
        raise InputError(f"{name}: {why_no_draft(ending, (*ENDINGS, *TABLES))}")
    with app.reading, spare_folder() as spare:
        path = spare / f"draft{ending}"
        write_bytes(path, content or text.encode("utf-8", "replace"))
        try:
            draft = (
                read_list(path, name, MAX_SENTENCES + 1)
                if ending in TABLES
                else read_draft(path, name)
            )
        except InputError as error:
            raise InputError(str(error).replace(str(path), name)) from error
    if len(draft.sentences) > MAX_SENTENCES:
        raise InputError(
            f"{name}: has more than {MAX_SENTENCES:,} sentences; the desk takes no more of a "
            "draft; split it, or use uhhrag check --article"
        )
    return draft


def run_of(app: App, number: int) -> RunView:
    """Settled claims alone. Raises Missing."""
    draft = found(draft_table.find(app.database, number)).draft
    claims = tuple(view for key in draft_table.keys_of(draft) if (view := app.find(key)))
    return replace(app.run_of(*claims), name=draft.title or draft.name, article=draft)


def show_draft(app: App, request: Request) -> Response:
    number = request.path_params["number"]
    desk_draft = found(draft_table.find(app.database, number))
    rows = app.rows_of(desk_draft.draft)
    failed = {row.claim.id for row in rows.claims if row.machine_label is None}
    left = [
        (at, one)
        for at, one in enumerate(desk_draft.draft.sentences)
        if one.check is None or one.check in failed
    ]
    whole = [(at, one.claim) for at, one in left if one.why in ("", doubt(one.claim))]
    offered = {at: text for at, text in whole if refers_back(text)}
    before = _checked_before(app, rows, left)
    listed = Path(desk_draft.draft.name).suffix.lower() in TABLES
    return page(
        "desk_draft.html",
        number=number,
        draft=desk_draft.draft,
        target=desk_draft.target,
        run=rows,
        asked=desk_draft.asked,
        settled=desk_draft.settled,
        where=", ".join(dict.fromkeys(row.where for row in rows.claims if row.where)),
        ahead=app.targets.get(desk_draft.target),
        checked_again=told_of_again(app, rows.claims),
        left=left,
        listed=listed,
        offered=offered,
        before=before,
        known={at for at, one in left if _known(before.get(at), one, desk_draft.target)},
        elsewhere=_checked_elsewhere(app, left),
        form_token=app.form_token(f"{DRAFT}-{number}"),
        **app.hint(),
    )


def _checked_before(
    app: App, rows: RowList, sentences: Sequence[tuple[int, DraftSentence]]
) -> dict[int, ClaimRow]:
    """Latest other verdicts on the same sentences, by position."""
    own = {row.key for row in rows.claims}
    known: dict[str, ClaimRow] = {}
    for row in app.rows().claims:  # the latest first
        if row.machine_label and row.key not in own:
            known.setdefault(row.claim.text, row)
    return {at: known[one.claim] for at, one in sentences if one.claim in known}


def _known(before: ClaimRow | None, sentence: DraftSentence, target: str) -> bool:
    """Whether a check would ask the same again."""
    if before is None or before.since or before.target != target:
        return False
    return (before.claim.speaker, before.claim.date) == (sentence.speaker, sentence.date)


def _checked_elsewhere(
    app: App, sentences: Sequence[tuple[int, DraftSentence]]
) -> dict[int, CheckedClaim]:
    """Other publishers' checks, by position."""
    claims = [(at, one.claim) for at, one in sentences if not one.why]
    found = app.checked_before.recognise([text for _, text in claims])
    return {at: one for (at, _), one in zip(claims, found, strict=True) if one}


def check_ticked(app: App, request: Request, form: Form) -> Response:
    desk_draft = found(draft_table.find(app.database, request.path_params["number"]))
    if desk_draft.target not in app.targets:
        return refused("Not checked", sentence(NOT_HERE), 409)
    ticks, sentences = set(form.get("sentence", [])), desk_draft.draft.sentences
    positions = [at for at in range(len(sentences)) if str(at) in ticks]
    written = [(at, one_line(field(form, f"claim-{at}"))) for at in range(len(sentences))]
    said = {at: text for at, text in written if text not in ("", one_line(sentences[at].claim))}
    if lost := [said[at] for at in said if at not in positions]:
        reason = "You have changed these sentences; go back, and tick them or restore their text."
        return refused("Not checked", reason, 422, "\n".join(lost))
    if not positions:
        return refused("Nothing is ticked", "Tick the sentences that are to be checked.", 422)
    draft_table.ask(app.database, desk_draft, positions, said)
    app.queue.wake()
    return RedirectResponse(f"/drafts/{desk_draft.number}", 303)


def ask_outdated(app: App, request: Request, form: Form) -> Response:
    desk_draft = found(draft_table.find(app.database, request.path_params["number"]))
    again(app, app.rows_of(desk_draft.draft).claims)
    return RedirectResponse(f"/drafts/{desk_draft.number}", 303)


def stop(app: App, request: Request, form: Form) -> Response:
    """Remove claims that never had a verdict."""
    number = request.path_params["number"]
    found(draft_table.find(app.database, number))
    _stop(app, number)
    return RedirectResponse(f"/drafts/{number}", 303)


def remove(app: App, request: Request, form: Form) -> Response:
    """A missing draft is no error."""
    number = request.path_params["number"]
    _stop(app, number)
    there = draft_table.find(app.database, number) if field(form, "claims") else None
    discard(app, *(one.check for one in there.draft.sentences if one.check) if there else ())
    draft_table.remove(app.database, number)
    return RedirectResponse("/", 303)


def _stop(app: App, number: int) -> None:
    for check in draft_table.unfinished(app.database, number):
        app.queue.stop_check(check)
        if not app.database.restore(check):
            app.database.remove(check)
