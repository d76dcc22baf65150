"""Checked claims as published: ClaimReview (JSON-LD, also in pages), Google's Fact Check Tools,
CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from uhhrag.errors import InputError
from uhhrag.text.characters import one_line
from uhhrag.text.dates import iso_date, read_date
from uhhrag.text.delimited import delimited_rows

Json = dict[str, Any]
ENDINGS = (".json", ".jsonld", ".jsonl", ".ndjson", ".html", ".htm", ".csv", ".tsv")
"""Of files read."""
_DEEPEST = 60
"""Levels of objects in which a review is looked for."""
_COLUMNS = {
    "claim": ("claim", "claimreviewed", "text", "statement"),
    "rating": ("rating", "verdict", "label", "alternatename", "textualrating"),
    "publisher": ("publisher", "author", "organization"),
    "date": ("date", "datepublished", "reviewdate"),
    "url": ("url", "link"),
    "speaker": ("speaker", "claimant"),
}


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim and its checker's rating; "" if unknown."""

    claim: str
    rating: str
    """in the publisher's words"""
    publisher: str = ""
    date: str = ""
    """of the check, ISO"""
    url: str = ""
    """of the check"""
    speaker: str = ""

    @property
    def told(self) -> str:
        """The verdict, by whom and when.

        >>> CheckedClaim("It leaks.", "False", "The Gazette", "2021-03-02").told
        'False, by The Gazette, 2021-03-02'
        """
        by = f"by {self.publisher}" if self.publisher else ""
        return ", ".join(filter(None, (self.rating, by, self.date)))


def read_reviews(text: str, name: str, ending: str) -> list[CheckedClaim]:
    """Drops claims without text or rating. Raises InputError if none is left."""
    try:
        found = list(_found(text, ending))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name}: cannot be read: {error}; give ClaimReview as JSON-LD, or CSV"
        ) from error
    if not found:
        raise InputError(
            f"{name}: holds no checked claim; give ClaimReview (JSON-LD, or a page with it), or "
            "CSV with columns claim and rating"
        )
    return found


def _found(text: str, ending: str) -> Iterator[CheckedClaim]:
    if ending in (".csv", ".tsv"):
        yield from _of_table(text, "\t" if ending == ".tsv" else "")
        return
    if ending in (".html", ".htm"):
        blocks = _linked_data(text)
    elif ending in (".jsonl", ".ndjson"):
        blocks = [line for line in text.splitlines() if line.strip()]
    else:
        blocks = [text]
    for block in blocks:
        yield from _within(json.loads(block, strict=False), _DEEPEST)


def _within(value: Any, depth: int) -> Iterator[CheckedClaim]:
    """The reviews anywhere in a JSON value."""
    if isinstance(value, list):
        for one in value:
            yield from _within(one, depth - 1) if depth else ()
    if not isinstance(value, dict):
        return
    kinds = value.get("@type")
    if "ClaimReview" in (kinds if isinstance(kinds, list) else [kinds]):
        made = _checked(
            value.get("claimReviewed"),
            _rating(value.get("reviewRating")),
            _name(value.get("publisher")) or _employer(value.get("author")),
            value.get("datePublished"),
            value.get("url"),
            _name(_first(value.get("itemReviewed")).get("author")),
        )
        yield from [made] if made else []
    elif isinstance(value.get("claimReview"), list):  # Fact Check Tools
        for review in filter(lambda one: isinstance(one, dict), value["claimReview"]):
            made = _checked(
                value.get("text"),
                review.get("textualRating"),
                _name(review.get("publisher")),
                review.get("reviewDate"),
                review.get("url"),
                value.get("claimant"),
            )
            yield from [made] if made else []
    elif depth:
        for one in value.values():
            yield from _within(one, depth - 1)


def _checked(claim: Any, rating: Any, *more: Any) -> CheckedClaim | None:
    """None without a claim or a rating."""
    texts = [one_line(str(v)) if isinstance(v, str | int | float) else "" for v in (claim, rating)]
    publisher, date, url, speaker = (one_line(v) if isinstance(v, str) else "" for v in more)
    if not all(texts):
        return None
    day = iso_date(date) if read_date(date) else ""
    return CheckedClaim(texts[0], texts[1], publisher, day, url, speaker)


def _rating(value: Any) -> Any:
    """The publisher's word, or "number of best"."""
    rating = _first(value)
    if isinstance(value, str):
        return value
    word = rating.get("alternateName") or rating.get("name")
    if word or "ratingValue" not in rating:
        return word
    return f"{rating['ratingValue']} of {rating['bestRating']}" if "bestRating" in rating else None


def _employer(value: Any) -> str:
    """Whom the author works for, or the author."""
    return _name(_first(value).get("worksFor")) or _name(value)


def _name(value: Any) -> str:
    if isinstance(value, str):
        return value
    name = _first(value).get("name", "")
    return name if isinstance(name, str) else ""


def _first(value: Any) -> Mapping[str, Any]:
    """An object, or the first of a list, or an empty one."""
    if isinstance(value, list):
        value = value[0] if value else {}
    return value if isinstance(value, dict) else {}


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.blocks: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kind = dict(attrs).get("type") or ""
        self._inside = tag == "script" and "ld+json" in kind.lower()
        if self._inside:
            self.blocks.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.blocks[-1] += data


def _linked_data(text: str) -> list[str]:
    """The blocks of linked data that are JSON."""
    page = _Scripts()
    page.feed(text)
    page.close()
    return list(filter(_is_json, page.blocks))


def _is_json(block: str) -> bool:
    try:
        json.loads(block, strict=False)
    except ValueError:
        return False
    return True


def _of_table(text: str, delimiter: str) -> Iterator[CheckedClaim]:
    rows = iter(delimited_rows(text, delimiter))
    names = [cell.strip().lower() for cell in next(rows, (0, 0, [""]))[2]]
    known = ([names.index(n) for n in wanted if n in names] for wanted in _COLUMNS.values())
    at = [places[0] if places else -1 for places in known]
    for row in rows:
        made = _checked(*(row.cells[n] if 0 <= n < len(row.cells) else "" for n in at))
        yield from [made] if made else []
