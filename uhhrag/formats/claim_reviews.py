"""Published checks: ClaimReview (JSON-LD, pages), Google's Fact Check Tools, CSV; those kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from uhhrag.errors import InputError
from uhhrag.formats.linked_data import BROKEN, plain, values_in
from uhhrag.system.checksums import sha256
from uhhrag.system.decode import shaped
from uhhrag.system.terminal import quantity
from uhhrag.system.text_files import write_text
from uhhrag.text.dates import iso_date, read_date, site
from uhhrag.text.delimited import delimited_rows

_KIND = "checked claims"
Json = dict[str, Any]
ENDINGS = (".json", ".jsonld", ".jsonl", ".ndjson", ".html", ".htm", ".csv", ".tsv")
_MAX_DEPTH = 60
_COLUMNS = {
    "claim": ("claim", "claimreviewed", "text", "statement"),
    "rating": (
        *("rating", "verdict", "label", "alternatename", "textualrating"),
        "reviewratingalternatename",
    ),
    "publisher": ("publisher", "author", "organization", "publishername", "authorname"),
    "date": ("date", "datepublished", "reviewdate"),
    "url": ("url", "link"),
    "speaker": ("speaker", "claimant", "itemreviewedauthorname"),
}
"""Column names, of which only letters count: reviewRating.alternateName."""
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """Unknown texts are ""."""

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
        by = f"by {self.publisher}" if self.publisher else ""
        return ", ".join(filter(None, (self.rating, by, self.date)))


def read_reviews(
    text: str, name: str, ending: str, warn: Callable[[str], None] = lambda line: None
) -> list[CheckedClaim]:
    """Warns of reviews without claim or rating. Raises InputError if none is left."""
    try:
        found = list(_found(text, ending))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name}: cannot be read: {error}; give ClaimReview as JSON-LD, or CSV"
        ) from error
    read = [one for one in found if one]
    if not read:
        raise InputError(
            f"{name}: holds no checked claim; give ClaimReview (JSON-LD, or a page with it), or "
            "CSV with columns claim and rating"
        )
    if left := len(found) - len(read):
        warn(f"{name}: {quantity(left, 'review')} without a claim or a rating left out")
    return read


def _found(text: str, ending: str) -> Iterator[CheckedClaim | None]:
    if ending in (".csv", ".tsv"):
        yield from _of_table(text, "\t" if ending == ".tsv" else "")
        return
    for value in values_in(text, ending):
        yield from _Reviews(value).within(value, _MAX_DEPTH) if value is not BROKEN else [None]


class _Reviews:
    """@id can name objects elsewhere in the value."""

    def __init__(self, value: Any) -> None:
        self._named: dict[str, Json] = {}
        waiting = [value]
        while waiting:
            one = waiting.pop()
            if isinstance(one, list):
                waiting += one
            elif isinstance(one, dict):
                waiting += one.values()
                name = one.get("@id")
                if isinstance(name, str) and len(one) > len(self._named.get(name, ())):
                    self._named[name] = one

    def within(self, value: Any, depth: int) -> Iterator[CheckedClaim | None]:
        if isinstance(value, list):
            for one in value:
                yield from self.within(one, depth - 1) if depth else ()
        if not isinstance(value, dict):
            return
        reviews = _objects(value.get("claimReview"))
        if "ClaimReview" in _kinds(value):
            yield self._of_schema(self._first(value))
        elif reviews and not _kinds(reviews[0]):  # Fact Check Tools
            yield from (self._of_tools(value, review) for review in reviews)
        elif depth:
            for one in value.values():
                yield from self.within(one, depth - 1)

    def _of_schema(self, review: Mapping[str, Any]) -> CheckedClaim | None:
        item, author = self._first(review.get("itemReviewed")), review.get("author")
        claimed = item.get("text") if "Claim" in _kinds(item) else None
        employer = self._text(self._first(author).get("worksFor"))
        return _checked(
            self._text(review.get("claimReviewed")) or self._text(claimed),
            self._rating(review.get("reviewRating")),
            self._text(review.get("publisher")) or employer or self._text(author),
            self._text(review.get("datePublished")),
            self._url(review.get("url")),
            self._text(item.get("author")),
        )

    def _of_tools(self, claim: Json, review: Json) -> CheckedClaim | None:
        names = ("textualRating", "publisher", "reviewDate")
        rating, publisher, day = (self._text(review.get(name)) for name in names)
        claimed, speaker = self._text(claim.get("text")), self._text(claim.get("claimant"))
        return _checked(claimed, rating, publisher, day, self._url(review.get("url")), speaker)

    def _rating(self, value: Any) -> str:
        """The publisher's word, or "number of best"."""
        rating = self._first(value)
        word = self._text(rating.get("alternateName"))
        if word or isinstance(value, int | float):
            return word
        number = self._text(rating.get("ratingValue"))
        best, worst = (self._text(rating.get(f"{end}Rating")) for end in ("best", "worst"))
        said = "" if _NUMBER.fullmatch(number) else number
        return self._text(value) or said or _of_scale(number, best, worst)

    def _text(self, value: Any) -> str:
        """A text or number, a list's first, an object's name; else ""."""
        if isinstance(value, list):
            return next(filter(None, map(self._text, value)), "")
        if isinstance(value, dict):
            named = self._first(value)
            return self._text(named.get("@value") or named.get("name"))
        said = isinstance(value, str | int | float) and not isinstance(value, bool)
        return plain(str(value)) if said else ""

    def _url(self, value: Any) -> str:
        address = self._first(value)
        return self._text(address.get("@id") or address.get("url") or value)

    def _first(self, value: Any) -> Mapping[str, Any]:
        """Empty if there is none; one named by @id in full."""
        first = next(iter(_objects(value)), {})
        name = first.get("@id")
        if isinstance(name, str) and first.keys() <= {"@id", "@type"}:
            return self._named[name]
        return first


def _objects(value: Any) -> list[Json]:
    several = value if isinstance(value, list) else [value]
    return [one for one in several if isinstance(one, dict)]


def _kinds(value: Mapping[str, Any]) -> list[str]:
    """Without their vocabulary."""
    kinds = value.get("@type")
    several = kinds if isinstance(kinds, list) else [kinds]
    return [re.split("[/:#]", kind)[-1] for kind in several if isinstance(kind, str)]


def _of_scale(number: str, best: str, worst: str) -> str:
    """
    >>> _of_scale("2", "5", ""), _of_scale("5", "1", "5"), _of_scale("-1", "-1", "-1")
    ('2 of 5', '5, where 1 is best', '')
    """
    if not all(map(_NUMBER.fullmatch, (number, best, worst or "0"))) or best == worst:
        return ""
    if worst and float(worst) > float(best):
        return f"{number}, where {best} is best"
    return f"{number} of {best}" if float(best) > 0 else ""


def _checked(
    claim: str, rating: str, publisher: str, date: str, url: str, speaker: str
) -> CheckedClaim | None:
    """None without claim or rating; the site stands in for a publisher."""
    if not claim or not rating:
        return None
    return CheckedClaim(claim, rating, publisher or site(url), _day(date), url, speaker)


def _day(text: str) -> str:
    """ISO; "" if none or ambiguous.

    >>> _day("March 2, 2021"), _day("31-10-2020"), _day("1-2-2020"), _day("1611111111")
    ('2021-03-02', '2020-10-31', '', '')
    """
    if (day := iso_date(text)) >= "1900":
        return day
    stated = read_date(text)
    return stated.isoformat() if stated and stated.day > 12 else ""


def _of_table(text: str, delimiter: str) -> Iterator[CheckedClaim | None]:
    rows = iter(delimited_rows(text, delimiter))
    names = [re.sub("[^a-z]", "", cell.lower()) for cell in next(rows, (0, 0, [""]))[2]]
    known = ([names.index(n) for n in wanted if n in names] for wanted in _COLUMNS.values())
    at = [places[0] if places else -1 for places in known]
    for row in rows:
        cells = [plain(row.cells[n]) if 0 <= n < len(row.cells) else "" for n in at]
        if any(cells):
            yield _checked(*cells)


def write_checked(file: Path, claims: Sequence[CheckedClaim]) -> None:
    body = "".join(orjson.dumps(asdict(claim)).decode() + "\n" for claim in claims)
    head = {"uhhrag": _KIND, "claims": len(claims), "sha256": sha256(body)}
    write_text(file, orjson.dumps(head).decode() + "\n" + body)


def read_checked(file: Path) -> tuple[CheckedClaim, ...]:
    """Raises InputError if missing or damaged."""
    try:
        first, _, body = file.read_bytes().decode().partition("\n")
        head = orjson.loads(first)
        if head["uhhrag"] != _KIND or head["sha256"] != sha256(body):
            raise ValueError("its bytes have changed")
        return tuple(shaped(CheckedClaim, orjson.loads(line)) for line in body.splitlines())
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{file}: is no sound file of checked claims ({error}); delete it and make it again: "
            "uhhrag claims import"
        ) from error


def merged(*claims: Iterable[CheckedClaim]) -> list[CheckedClaim]:
    """The latest of each check; if undated, the one given last."""
    kept: dict[tuple[str, str], CheckedClaim] = {}
    for one in chain.from_iterable(claims):
        check = one.url or one.publisher, one.claim
        if check not in kept or not one.date or one.date >= kept[check].date:
            kept[check] = one
    return list(kept.values())
