from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from uhhrag.documents.changed import scans_note
from uhhrag.exports.docx_draft import add_draft
from uhhrag.records import Evidence, Source, Vote
from uhhrag.rules.label_words import WORDS
from uhhrag.system.extras import OptionalModule
from uhhrag.system.terminal import quantity
from uhhrag.text.dates import written
from uhhrag.text.language import claim_note, documents_note
from uhhrag.text.machine_speech import MACHINE_SPEECH, speaks_to_machine
from uhhrag.text.repetition import echo_of
from uhhrag.views.answer import COMPARED, NO_SIDE, said_by, source_fields, source_line, sources_of
from uhhrag.views.claim_summary import ClaimSummary, Piece, near_even, summary_of
from uhhrag.views.html_text import clean, truncated
from uhhrag.views.run_view import ClaimView, RunView
from uhhrag.views.searched import NOT_RECORDED, Documents, limits_told
from uhhrag.views.votes import is_unasked, unasked_as, vote_words

docx = OptionalModule("docx", "docs", "Word documents")
_MAX_SENTENCE_CHARS = 4000
_MAX_COMMENT_CHARS = 300
_MAX_TITLE_CHARS = 250
"""The format's limit is 255."""
_MAX_SOURCES = 5
_MADE = "Files and models"


def as_docx(run: RunView) -> bytes:
    """Raises UsageError without python-docx."""
    document = docx.Document()
    document.core_properties.title = clean(truncated(run.name, _MAX_TITLE_CHARS))
    document.core_properties.author = "uhhrag"
    document.core_properties.comments = ""  # else python-docx's own, and its year, 2013
    document.core_properties.created = document.core_properties.modified = datetime.now(UTC)
    if run.article:
        add_draft(document, run.article, run.claims, _comment)
    document.add_heading(clean(f"Fact-check: {run.name}"), level=0)
    _add_list(document, run)
    made = list(dict.fromkeys(filter(None, map(_made_from, run.claims))))
    for view in run.claims:
        _add_claim(document, view, run.documents, made)
    for number, text in enumerate(made, start=1):
        which = f" {number}" if made[1:] else ""
        document.add_heading(f"{_MADE}{which}, with their SHA-256", level=1)
        document.add_paragraph(clean(text))
    sink = io.BytesIO()
    document.save(sink)
    return sink.getvalue()


def _add_list(document: Any, run: RunView) -> None:
    document.add_paragraph(f"Made on {written(datetime.now(UTC).date().isoformat())}.")
    if run.checking:
        _add_bold(document, run.checking)
    if outdated := run.outdated:
        _add_bold(document, outdated)
    if run.claims[1:]:
        document.add_heading("All verdicts", level=1)
        for view in run.claims:
            claim = view.claim
            text = f"{_standing(view)}: {said_by(claim.text, claim.speaker, claim.date)}"
            document.add_paragraph(clean(text), style="List Number")


def _standing(view: ClaimView) -> str:
    if view.machine_label is None:
        return "Not checked yet" if view.pending else "No verdict"
    by = f", by {view.review.reviewer}" if view.review and view.person_label else ""
    settled = view.person_label or (None if view.leans else view.machine_label)
    label = WORDS[settled] if settled else view.verdict_text.lower()
    aside = f" ({view.set_aside})" if view.set_aside else ""
    return f"{label.capitalize()}{by}{aside}{_again(view, ', {}')}"


def _again(view: ClaimView, form: str) -> str:
    """What has changed since, or that it is being checked again, or ""."""
    told = view.since or ("being checked again" if view.pending else "")
    return form.format(told) if told else ""


def _machine(view: ClaimView) -> str:
    return f"The machine’s verdict: {_again(view, '{}; ')}"


def _comment(view: ClaimView, sentence: str) -> str:
    summary = summary_of(view)
    if summary is None:
        return f"No verdict. {view.error}"
    lines = [] if view.claim.text == sentence else [f"Checked as: {view.claim.text}"]
    if view.reviewed and view.person_label and view.review:
        lines.append(f"{view.review.reviewer}: {WORDS[view.person_label]}.")
    if view.set_aside:
        lines.append(f"{view.set_aside}.")
    lines.append(f"{_machine(view)}{summary.sentence}")
    for group in summary.strongest:
        for piece in group.pieces[:1]:
            text = truncated(piece.item.found, _MAX_COMMENT_CHARS)
            where = [_source(source) for source in sources_of(piece.item)[:1]]
            mark = ["by the reviewer’s mark"] if piece.moved else []
            lines.append(" · ".join([f"{group.title}: “{piece.lead}{text}”", *mark, *where]))
            lines += _flags(piece.item.found, view.claim.text)
    return "\n".join(lines)


def _add_claim(
    document: Any, view: ClaimView, documents: Documents | None, made: Sequence[str]
) -> None:
    claim, review = view.claim, view.review
    document.add_heading(clean(claim.text), level=1)
    about = [f"Claimed on {written(claim.date)}" if claim.date else "", claim.speaker or ""]
    if any(about):
        document.add_paragraph(clean(" · ".join(filter(None, about))))
    if note := claim_note(claim.text):
        _add_bold(document, note)
    summary = summary_of(view)
    if summary is None:
        document.add_paragraph(clean(f"No verdict. {view.error}"))
    if review:
        label = f": {WORDS[review.label]}" if review.label else ""
        of = ", of an earlier verdict" if review.stale else ""
        again = f" Made the review again{_by(review.actor, review.acted)}." if review.actor else ""
        _add_bold(document, f"Reviewed{_by(review.reviewer, review.at)}{of}{label}.{again}")
        if review.kept and not review.stale:
            cited = ", ".join(str(position + 1) for position in review.kept)
            document.add_paragraph(
                f"Cited: {'pieces' if len(review.kept) > 1 else 'piece'} {cited}"
            )
        if review.appearance:
            document.add_paragraph(clean(f"Claimed at {review.appearance}"))
        if review.note:
            document.add_paragraph(clean(review.note))
    if summary:
        _add_bold(document, summary.sentence, before=_machine(view))
        _add_groups(document, summary, claim.text)
    _add_attached(document, view)
    if summary:
        _add_searched(document, view, documents, made)


def _by(name: str, at: str) -> str:
    return f"{f' by {name}' if name else ''} on {written(at[:10])}, {at[11:16]} UTC"


def _add_bold(document: Any, text: str, before: str = "") -> None:
    paragraph = document.add_paragraph(before)
    paragraph.add_run(clean(text)).bold = True


def _add_groups(document: Any, summary: ClaimSummary, claim: str) -> None:
    """Each piece once, the strongest first."""
    first = {piece.number for group in summary.strongest for piece in group.pieces}
    for group in summary.strongest:
        _add_pieces(document, group.title, group.pieces, claim)
    for group in summary.groups:
        others = [piece for piece in group.pieces if piece.number not in first]
        also = "Also " if len(others) < len(group.pieces) else ""
        _add_pieces(document, f"{also}{group.title}".capitalize(), others, claim)


def _add_attached(document: Any, view: ClaimView) -> None:
    if view.attached:
        document.add_heading("Attached by hand", level=2)
    for piece in view.attached:
        document.add_paragraph(
            clean(f"{piece.side}: {truncated(piece.sentence, _MAX_SENTENCE_CHARS)}")
        )
        for flag in (*_flags(piece.sentence, view.claim.text), piece.aside):
            document.add_paragraph(flag) if flag else None
        _add_source(document, f"{_source(piece.source)}\nAttached{_by(piece.reviewer, piece.at)}")


def _add_pieces(document: Any, title: str, pieces: Sequence[Piece], claim: str) -> None:
    if pieces:
        document.add_heading(title, level=2)
    for piece in pieces:
        sentence = truncated(piece.item.found, _MAX_SENTENCE_CHARS)
        document.add_paragraph(clean(f"{piece.number}. {piece.lead}{sentence}"))
        vote = _said(piece.item, piece.vote) if piece.vote else ""
        vote += "; marked otherwise by the reviewer" if piece.moved else ""
        more = len(piece.item.urls) - _MAX_SOURCES
        others = f"The same sentence on {more} more" if more > 0 else ""
        sources = sources_of(piece.item)[:_MAX_SOURCES]
        compared = "".join(f"{COMPARED}: {form}" for form in piece.item.compared)
        lines = [compared, *map(_source, sources), others, vote]
        lines += _flags(piece.item.found, claim)
        _add_source(document, "\n".join(filter(None, lines)))


def _flags(sentence: str, claim: str) -> list[str]:
    spoken = MACHINE_SPEECH if speaks_to_machine(sentence) else ""
    return [*filter(None, (spoken, echo_of(sentence, claim)))]


def _add_source(document: Any, text: str) -> None:
    paragraph = document.add_paragraph()
    paragraph.paragraph_format.left_indent = 360_000  # EMU: a centimetre
    paragraph.add_run(clean(text)).italic = True


def _said(item: Evidence, vote: Vote) -> str:
    if is_unasked(item, vote):
        return NO_SIDE[unasked_as(item)]
    silent, even = vote.says_nothing, near_even(vote)
    return f"Vote: {vote_words(vote.label, vote.probability, silent=silent, even=even)}"


def _source(source: Source) -> str:
    return source_line(source_fields(source))


def _add_searched(
    document: Any, view: ClaimView, documents: Documents | None, made: Sequence[str]
) -> None:
    verdict, kept = view.verdict, view.searched
    document.add_heading("What was searched", level=2)
    if view.key:
        documents = kept.documents if kept else None
    told = [] if kept or not view.key else [NOT_RECORDED]
    told += [f"{kept.where}, as it was then."] if kept and kept.where else []
    told += _told_of(documents) if documents else []
    told += [f"{text}." for text in limits_told(verdict.removed if verdict else {})]
    told += verdict.notes if verdict else ()
    if made[1:] and (text := _made_from(view)):
        told.append(f"{_MADE}: list {made.index(text) + 1} at the end.")
    for text in told:
        document.add_paragraph(clean(text))


def _told_of(documents: Documents) -> list[str]:
    parts = ((documents.sentences, "sentence"), (documents.documents, "document"))
    size = " of ".join(quantity(number, unit) for number, unit in parts)
    scans, other = scans_note(documents.scans), documents_note(documents.languages)
    out = quantity(documents.left_out, "file")
    left = f"Left out: {out} (removed, links, or of kinds that are not read)."
    return [
        f"{size} in {quantity(documents.files, 'file')}.",
        *(f"Could not be read: {name}: {why}" for name, why in documents.unread.items()),
        *(f"Read in part: {name}: {what}" for name, what in documents.partly.items()),
        *(f"Left out: {name}: {why}" for name, why in documents.left_out_files.items()),
        *([f"Not read: {scans}."] if scans else []),
        *([other] if other else []),
        *([left] if documents.left_out else []),
    ]


def _made_from(view: ClaimView) -> str:
    """Method, and files and models with hashes, a line each; "" if not recorded."""
    kept = view.searched
    if kept is None or view.verdict is None:
        return ""
    lines = [f"Method: {kept.signature}"] if kept.signature else []
    lines += [f"{name}: {hash_}" for name, hash_ in (*kept.files.items(), *kept.models.items())]
    return "\n".join(lines)
