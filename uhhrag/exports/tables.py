from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from uhhrag.documents.listing import display_path
from uhhrag.records import Evidence, Source, Vote
from uhhrag.text.language import other_language
from uhhrag.text.machine_speech import speaks_to_machine
from uhhrag.version import __version__
from uhhrag.views import answer
from uhhrag.views.claim_row import ClaimRow
from uhhrag.views.claim_summary import deciding_piece
from uhhrag.views.html_text import clean
from uhhrag.views.run_view import ClaimView, RunView
from uhhrag.views.votes import probability_of

_OF_SOURCE = (
    *("url", "title", "site", "author", "date", "dated_by"),
    *("page", "file", "place", "section", "ocr", "note"),
)
VOTE_COLUMNS = (
    *("key", "claim", "piece", "vote", "probability", "says_nothing", "reviewer_mark"),
    *("sentence", "question", "similarity", *_OF_SOURCE, "compared", "changed_since"),
)
_NUMBER = re.compile(r"-[0-9]+\.[0-9]+")
COLUMNS = (
    *("key", "claim", "date", "speaker", "status", "label", "leans", "confidence"),
    *("reviewer_label", "reviewer", "wrong_votes", "note", "reviewed_at"),
    *("first_url", "searched", "sentences", "documents", "error", "language", "deciding_url"),
    *("checked_again", "only_speaker", "draft", "was", "changed_since"),
    *("given_id", "verdict", "deciding_file", "deciding_place", "deciding_sentence"),
    "review_of_earlier_verdict",
)


def as_json(run: RunView) -> str:
    exported: dict[str, Any] = {
        "uhhrag": __version__,
        "run": run.name,
        "signature": run.header.get("signature", ""),
        "claims": [claim_object(view) | language_of(view) for view in run.claims],
    }
    if run.article:
        exported["article"] = asdict(run.article)
    return json.dumps(exported, indent=1, ensure_ascii=False) + "\n"


def language_of(view: ClaimView) -> dict[str, Any]:
    """None for English; too slow for lists of thousands."""
    return {"language": other_language(view.claim.text) or None}


def claim_object(view: ClaimView) -> dict[str, Any]:
    """With evidence and votes, or an error."""
    verdict = view.verdict
    extra: dict[str, Any] = {}
    if verdict:
        extra |= answer.reasons_of(verdict, view.claim.text)
        for item, piece in zip(verdict.evidence, extra["evidence"], strict=True):
            piece |= {"answer": item.answer, "urls": list(item.urls)}  # as earlier exports
    if view.searched:
        extra["searched"] = asdict(view.searched)
    if view.attached:
        extra["attached"] = [
            {
                "sentence": piece.sentence,
                "speaks_to_machine": speaks_to_machine(piece.sentence),
                "side": str(piece.side),
                "at": piece.at,
                "reviewer": piece.reviewer,
                "not_counted": piece.aside,
                "source": answer.source_fields(piece.source),
            }
            for piece in view.attached
        ]
    return row_object(view) | extra


def row_object(view: ClaimView | ClaimRow) -> dict[str, Any]:
    claim, label, review = view.claim, view.machine_label, view.review
    row: dict[str, Any] = {
        "key": view.anchor,
        "given_id": claim.given_id or None,
        "claim": claim.text,
        "date": claim.date,
        "speaker": claim.speaker,
    }
    if view.status == "waiting":
        row["status"] = "waiting"
    else:
        row |= answer.verdict_fields(view) | {"only_speaker": view.only_speaker}
    if view.status == "failed":
        row["error"] = view.error
    elif view.pending and label:
        row["checked_again"] = True
    told = {"was": view.was, "changed_since": view.since}
    row |= {name: words for name, words in told.items() if words}
    if review:
        row["review"] = {
            "label": review.label,
            "changed": view.reviewed and review.label not in (None, view.machine_class),
            "wrong_votes": list(review.wrong),
            "marks": {str(position): side for position, side in review.marks.items()},
            "kept": list(review.kept),
            "reviewer": review.reviewer,
            "appearance": review.appearance,
            "note": review.note,
            "at": review.at,
            "restored_by": review.actor,
            "restored_at": review.acted,
            "of_an_earlier_verdict": review.stale,
        }
    return row


def as_csv(run: RunView) -> str:
    drafts = run.drafts
    rows = (
        (*_row(one), drafts.get(one.anchor), one.was, one.since, *_deciding(one))
        for one in run.claims
    )
    return _table(COLUMNS, rows)


def _table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    sink = io.StringIO()
    csv.writer(sink).writerows([columns, *(map(_cell, row) for row in rows)])
    return sink.getvalue()


def _row(view: ClaimView) -> Iterable[object]:
    claim, verdict = view.claim, view.verdict
    review = view.review if view.reviewed else None
    urls = [url for item in verdict.evidence for url in item.urls] if verdict else []
    confidence, deciding = view.confidence, deciding_piece(view)
    documents = view.searched.documents if view.searched else None
    return (
        view.anchor,
        claim.text,
        claim.date,
        claim.speaker,
        view.status,
        view.field_label,
        view.leans,
        None if confidence is None else f"{confidence:.4f}",
        review.label if review else None,
        review.reviewer if review else None,
        " ".join(str(position + 1) for position in review.wrong) if review else None,
        review.note if review else None,
        review.at if review else None,
        next(iter(urls), None),
        view.searched.where if view.searched else None,
        documents.sentences if documents else None,
        documents.documents if documents else None,
        None if view.status == "waiting" else view.error,
        *language_of(view).values(),
        next(iter(deciding.item.urls), None) if deciding else None,
        "yes" if view.pending and view.verdict else None,
        view.only_speaker,
    )


def _deciding(view: ClaimView) -> Iterable[object]:
    piece = deciding_piece(view)
    source = next(iter(answer.sources_of(piece.item)), Source("")) if piece else Source("")
    own = source.url.startswith("file:")
    file = answer.name_before(source.place, source.url) if own else display_path(source.file)
    found = piece.item.found if piece else None
    return (view.claim.given_id, view.verdict_text, file, source.place, found, view.set_aside)


def _cell(value: object) -> str:
    r"""Quoted if a spreadsheet would run it as a formula.

    >>> _cell("=1+1"), _cell("\uff1d1"), _cell(None), _cell("a"), _cell("-0.1200")
    ("'=1+1", "'＝1", '', 'a', '-0.1200')
    """
    text = "" if value is None else clean(str(value))
    first = unicodedata.normalize("NFKC", text.lstrip()[:1])  # a wide "=" begins one, too
    return f"'{text}" if first in tuple("=+-@") and not _NUMBER.fullmatch(text) else text


def as_votes(run: RunView) -> str:
    """Also of evidence attached by hand."""
    return _table(VOTE_COLUMNS, chain.from_iterable(map(_vote_rows, run.claims)))


def _vote_rows(view: ClaimView) -> Iterable[Iterable[object]]:
    claim = (view.anchor, view.claim.text)
    verdict = view.verdict
    for position, item in enumerate(verdict.evidence if verdict else ()):
        vote = verdict.votes[position] if verdict and verdict.vote_per_piece else None
        yield (*claim, position + 1, *_piece(item, vote, view.marks.get(position)), view.since)
    for piece in view.attached:
        by_hand = (*[None] * 4, None if piece.aside else piece.side, piece.sentence, None, None)
        yield (*claim, *by_hand, *_source_cells(piece.source), None, view.since)


def _piece(item: Evidence, vote: Vote | None, mark: object) -> Iterable[object]:
    return (
        vote.label if vote else None,
        probability_of(item, vote) if vote else None,
        vote.says_nothing if vote else None,
        mark,
        item.found,
        item.question,
        f"{item.retrieval_score:.4f}",
        *_source_cells(next(iter(answer.sources_of(item)), Source(""))),
        "".join(item.compared),
    )


def _source_cells(source: Source) -> Iterable[object]:
    fields = answer.source_fields(source) | {"author": source.by}
    return (fields[name] for name in _OF_SOURCE)
