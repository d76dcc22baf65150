"""What leaves the desk as files: everything as JSON, a row per claim as CSV, and reviewed verdicts
as schema.org ClaimReview (JSON-LD)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

from uhhrag import __version__
from uhhrag.records import Evidence, Label, Vote
from uhhrag.text.dates import read_date
from uhhrag.views.html_text import link
from uhhrag.views.run_view import ClaimView, RunView

RATINGS = {Label.SUPPORTED: 5, Label.CONFLICTING: 3, Label.REFUTED: 1}
"""From 1, false, to 5, true. Not Enough Evidence has no place on that scale."""
COLUMNS = (
    "key",
    "claim",
    "date",
    "speaker",
    "verdict",
    "confidence",
    "reviewer_verdict",
    "wrong_votes",
    "note",
    "reviewed_at",
    "first_url",
    "error",
)


def as_json(run: RunView) -> str:
    """Every claim with its verdict, evidence, votes and latest review."""
    exported = {
        "uhhrag": __version__,
        "run": run.name,
        "signature": run.header.get("signature", ""),
        "claims": [_claim(view) for view in run.claims],
    }
    return json.dumps(exported, indent=1, ensure_ascii=False) + "\n"


def _claim(view: ClaimView) -> dict[str, Any]:
    claim, verdict, review = view.claim, view.verdict, view.review
    row: dict[str, Any] = {
        "key": view.anchor,
        "claim": claim.text,
        "date": claim.date,
        "speaker": claim.speaker,
    }
    if verdict is None:
        return row | {"error": view.error}
    per_piece = verdict.vote_per_piece
    row |= {
        "verdict": verdict.label,
        "confidence": view.confidence,
        "evidence": [
            _evidence(item) | ({"vote": _vote(verdict.votes[i])} if per_piece else {})
            for i, item in enumerate(verdict.evidence)
        ],
    }
    if not per_piece:
        row["votes"] = [_vote(vote) for vote in verdict.votes]
    if review:
        row["review"] = {
            "verdict": review.label or verdict.label,
            "changed": review.label is not None and review.label is not verdict.label,
            "wrong_votes": list(review.wrong),
            "note": review.note,
            "at": review.at,
            "of_an_earlier_verdict": review.stale,
        }
    return row


def _evidence(item: Evidence) -> dict[str, Any]:
    return {"question": item.question, "answer": item.answer, "urls": list(item.urls)}


def _vote(vote: Vote) -> dict[str, Any]:
    return {"label": vote.label, "probability": vote.probability, "origin": vote.origin}


def as_csv(run: RunView) -> str:
    """A row per claim, for a spreadsheet, in which no cell is a formula."""
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(COLUMNS)
    for view in run.claims:
        writer.writerow([_cell(value) for value in _row(view)])
    return sink.getvalue()


def _row(view: ClaimView) -> Iterable[object]:
    claim, verdict, review = view.claim, view.verdict, view.review
    urls = [url for item in verdict.evidence for url in item.urls] if verdict else []
    confidence = view.confidence
    return (
        view.anchor,
        claim.text,
        claim.date,
        claim.speaker,
        verdict.label if verdict else None,
        None if confidence is None else f"{confidence:.4f}",
        (review.label or (verdict.label if verdict else None)) if review else None,
        " ".join(str(position + 1) for position in review.wrong) if review else None,
        review.note if review else None,
        review.at if review else None,
        next(iter(urls), None),
        view.error,
    )


def _cell(value: object) -> str:
    r"""Spreadsheets take a cell that begins with one of these as a formula, and run it.

    >>> _cell("=1+1"), _cell(None), _cell("a")
    ("'=1+1", '', 'a')
    """
    text = "" if value is None else str(value)
    return f"'{text}" if text.lstrip()[:1] in tuple("=+-@\t\r") and text else text


def as_claim_review(run: RunView, reviewer: str) -> str:
    """The claims that a person reviewed, as a JSON-LD graph. `reviewer` is named as the author of
    the reviews. A claim that nobody reviewed is left out."""
    reviews = [_claim_review(view, reviewer) for view in run.claims if view.review]
    graph = {"@context": "https://schema.org", "@graph": [review for review in reviews if review]}
    return json.dumps(graph, indent=1, ensure_ascii=False) + "\n"


def _claim_review(view: ClaimView, reviewer: str) -> dict[str, Any]:
    claim, verdict, review = view.claim, view.verdict, view.review
    if verdict is None or review is None or review.stale:
        return {}
    label = review.label or verdict.label
    item: dict[str, Any] = {"@type": "Claim"}
    if claim.speaker:
        item["author"] = {"@type": "Person", "name": claim.speaker}
    if claim.date and (day := read_date(claim.date)):
        item["datePublished"] = day.isoformat()
    rating: dict[str, Any] = {"@type": "Rating", "alternateName": label}
    if label in RATINGS:
        rating |= {"ratingValue": RATINGS[label], "bestRating": 5, "worstRating": 1}
    claim_review: dict[str, Any] = {
        "@type": "ClaimReview",
        "claimReviewed": claim.text,
        "datePublished": review.at[:10],
        "inLanguage": "en",
        "author": {"@type": "Organization", "name": reviewer},
        "itemReviewed": item,
        "reviewRating": rating,
    }
    if review.note:
        claim_review["reviewBody"] = review.note
    if sources := _agreeing(view, label):
        claim_review["citation"] = [{"@type": "CreativeWork", "url": url} for url in sources]
    return claim_review


def _agreeing(view: ClaimView, label: Label) -> list[str]:
    """The addresses of the evidence whose vote agrees with the label and was not marked wrong; of
    all evidence where the votes are not on single pieces."""
    verdict, review = view.verdict, view.review
    if verdict is None or review is None:
        return []
    per_piece = verdict.vote_per_piece
    agreeing = [
        item
        for i, item in enumerate(verdict.evidence)
        if not per_piece or (verdict.votes[i].label is label and i not in review.wrong)
    ]
    return list(dict.fromkeys(url for item in agreeing for url in item.urls if link(url)))
