"""Page sources by address: indexes of OpenSearch and Elasticsearch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol
from urllib.parse import quote

from uhhrag.errors import InputError, ModelError, UsageError
from uhhrag.protocols import PageSource
from uhhrag.records import Claim, Page
from uhhrag.text.characters import one_line, repaired, text_lines
from uhhrag.text.claim_words import plain_claim
from uhhrag.text.dates import iso_date, read_date
from uhhrag.text.sentences import sentences

HITS = 20
_FIELDS = {
    "title": ("title", "headline", "name"),
    "author": ("author", "byline", "creator"),
    "url": ("url", "link", "uri", "web_url"),
}
_DATES = ("date", "published", "published_at", "publish_date", "created_at", "@timestamp")
_TEXTS = ("text", "content", "body", "article", "description")
_TIMEOUT = 60.0
"""Seconds."""


def pages_of(answer: Mapping[str, Any], index: str) -> Iterator[Page]:
    """`index` is an address. Raises InputError for another kind of answer."""
    hits = answer.get("hits")
    listed = hits.get("hits") if isinstance(hits, dict) else None
    if not isinstance(listed, list):
        raise InputError(f"{index} does not answer as OpenSearch does; it has no hits.hits")
    for hit in listed:
        if isinstance(hit, dict) and isinstance(hit.get("_source"), dict):
            page = _page(hit["_source"], f"{index}/_doc/{quote(str(hit.get('_id', '')))}")
            yield from [page] if page.lines else []


def _page(document: Mapping[str, Any], own_address: str) -> Page:
    texts = {k: v for k, v in document.items() if isinstance(v, str)}
    about = {name: one_line(_first(texts, names)) for name, names in _FIELDS.items()}
    text = _first(texts, _TEXTS) or max(texts.values(), key=len, default="")
    lines = [s for line in text_lines(repaired(text)) for s in sentences(line)]
    return Page(
        url=about["url"] or own_address,
        lines=tuple(filter(None, map(one_line, lines))),
        title=about["title"],
        author=about["author"],
        date=next(filter(None, (_day(document.get(name)) for name in _DATES)), ""),
    )


def _day(value: Any) -> str:
    """The ISO date of a text, or of seconds or milliseconds since 1970; else "".

    >>> _day("31-10-2020"), _day("Sat, 31 Oct 2020 08:00:00 GMT"), _day(1604131200000), _day(True)
    ('2020-10-31', '2020-10-31', '2020-10-31', '')
    """
    if isinstance(value, int | float) and 10**8 < value < 10**13:
        seconds = value / 1000 if value > 10**11 else value
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    text = value.strip() if isinstance(value, str) else ""
    day, stated = iso_date(text), read_date(text)
    return day if read_date(day) else stated.isoformat() if stated else ""


def _first(texts: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((texts[name] for name in names if texts.get(name, "").strip()), "")


class OpenSource(Protocol):
    def __call__(self, address: str, /, *, allow_remote: bool) -> PageSource: ...


def open_engine(url: str, /, *, allow_remote: bool) -> PageSource:
    """A search engine's index, such as http://127.0.0.1:9200/news; read only. Raises UsageError for
    an unusable address; the source raises ModelError or InputError."""
    # The library opens a socket when it is loaded.
    from uhhrag.backends.http import Refused, exchange, read_address

    address = read_address(url, "--docs", allow_remote=allow_remote)
    if not address.path.strip("/"):
        raise UsageError(f"--docs {url} names no index; it reads http://127.0.0.1:9200/INDEX")

    def pages(claim: Claim) -> Iterable[Page]:
        matching = {"query": plain_claim(claim.text), "fields": ["*"], "lenient": True}
        query = {"size": HITS, "query": {"multi_match": matching}}
        try:
            answer = exchange(address, "/_search", query, timeout=_TIMEOUT)
        except Refused as refused:
            raise ModelError(f"{refused}; is there an index, and may it be searched?") from None
        return pages_of(answer, str(address))

    return pages


SOURCES: Mapping[str, OpenSource] = {
    "http": open_engine,
    "https": open_engine,
}


def is_address(docs: str) -> bool:
    """
    >>> is_address("http://127.0.0.1:9200/news"), is_address("reports")
    (True, False)
    """
    scheme, colon, _ = docs.partition("://")
    return bool(colon) and scheme in SOURCES
