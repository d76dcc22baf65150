"""Reviewed verdicts as schema.org ClaimReview (JSON-LD)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from uhhrag.errors import UsageError
from uhhrag.records import Label
from uhhrag.system.terminal import quantity
from uhhrag.text.dates import CAPTURED, OF_FILE, read_date
from uhhrag.text.language import other_language
from uhhrag.views.answer import name_before, sources_of
from uhhrag.views.html_text import link
from uhhrag.views.review import Review
from uhhrag.views.run_view import ClaimView, RunView

_IN_HTML = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}
"""Escapes that keep JSON from ending a script element."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
RATINGS = {Label.SUPPORTED: 5, Label.CONFLICTING: 3, Label.REFUTED: 1}
"""1 is false, 5 true; Not Enough Evidence has none."""


@dataclass(frozen=True, slots=True)
class Publisher:
    name: str = ""
    url: str = ""
    base: str = ""
    """address below which reviews will be, if known"""


def require_web(option: str, url: str) -> None:
    if url and not link(url):
        raise UsageError(f"{option} {url}: is no web address; give one that begins with https://")


def as_claim_review(run: RunView, publisher: Publisher) -> str:
    """JSON-LD, safe inside a script element. Raises UsageError without reviews."""
    reviews = [one for view in run.claims if (one := _claim_review(view, publisher))]
    if not reviews:
        raise UsageError(_why_none(run))
    text = json.dumps(reviews, indent=1, ensure_ascii=False)
    return text.translate(_IN_HTML) + "\n"


def _why_none(run: RunView) -> str:
    earlier = sum(view.reviewed_before for view in run.claims)
    if earlier:
        return f"{quantity(earlier, 'review')} of an earlier verdict; review again, then export"
    return "no verdict here was chosen by a person who gave a name; review one, then export it"


def _claim_review(view: ClaimView, publisher: Publisher) -> dict[str, Any]:
    claim, review, label = view.claim, view.review, view.person_label
    if view.verdict is None or review is None or label is None or not review.reviewer:
        return {}  # in earlier versions nobody had to choose or sign
    item: dict[str, Any] = {"@type": "Claim", "text": claim.text}
    if claim.speaker:
        item["author"] = {"@type": "Person", "name": claim.speaker}
    day = read_date(claim.date or "")
    if day and not _MONTH.fullmatch((claim.date or "").strip()):  # which names no day
        item["datePublished"] = day.isoformat()
    if link(review.appearance):
        item["appearance"] = {"@type": "CreativeWork", "url": review.appearance}
    rating: dict[str, Any] = {"@type": "Rating", "alternateName": label}
    if label in RATINGS:
        rating |= {"ratingValue": RATINGS[label], "bestRating": 5, "worstRating": 1}
    claim_review: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "claimReviewed": claim.text,
        "datePublished": review.at[:10],
        "author": _author(publisher, review),
        "itemReviewed": item,
        "reviewRating": rating,
    }
    if not any(map(other_language, (claim.text, review.note))):
        claim_review["inLanguage"] = "en"
    if publisher.base:
        claim_review["url"] = f"{publisher.base.rstrip('/')}/{view.anchor}"
    if review.note:
        claim_review["reviewBody"] = review.note
    if works := _cited(view):
        claim_review["citation"] = works
    return claim_review


def _author(publisher: Publisher, review: Review) -> dict[str, Any]:
    known = (("name", publisher.name), ("url", publisher.url))
    organization = {name: value for name, value in known if value}
    works_for = {"worksFor": {"@type": "Organization", **organization}} if organization else {}
    return {"@type": "Person", "name": review.reviewer, **works_for}


def _cited(view: ClaimView) -> list[dict[str, Any]]:
    evidence = view.verdict.evidence if view.verdict else ()
    kept = view.review.kept if view.review else ()
    cited = (evidence[n] for n in kept if n < len(evidence))
    works: dict[str, dict[str, Any]] = {}
    attached = (piece.source for piece in view.attached if not piece.aside)
    for source in (*(s for item in cited for s in sources_of(item)), *attached):
        work: dict[str, Any] = {"@type": "CreativeWork"}
        if source.title:
            work["name"] = source.title
        if source.author and link(source.url):  # who wrote a file of one's own may need cover
            work["author"] = {"@type": "Person", "name": source.author}
        if _DAY.fullmatch(source.date) and source.dated_by not in (CAPTURED, OF_FILE):
            work["datePublished"] = source.date
        if link(source.url):
            works[source.url] = work | {"url": source.url}
        elif source.url.startswith("file:"):
            sheet = not source.title or f" {source.title}, " in source.place
            name = name_before(source.place, source.url) if sheet else source.title
            name = ", ".join(filter(None, (name, source.place)))
            works[source.url + source.place] = work | {"name": name}
    return list(works.values())
