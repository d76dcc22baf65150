"""Time and site limits on evidence (Chen et al., section 3.2): later pages and fact-checks give the
answer away. A passage stays if one of its pages may."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fnmatch import fnmatchcase
from functools import cache
from itertools import compress
from pathlib import Path

from uhhrag.errors import InputError, UsageError
from uhhrag.records import Claim, Hit, Page, Passage, Source, source_of
from uhhrag.system.checksums import sha256
from uhhrag.system.terminal import quantity
from uhhrag.text.dates import OF_FILE, dated, original, read_date, site

SHIPPED = Path(__file__).parent / "sites.txt"
CLAIM_DATE, UNDATED = "claim-date", "undated"
_HOST = re.compile(r"[\w.-]+")


@dataclass(frozen=True, slots=True)
class Limits:
    before: str | None = None
    """last day of a page; `claim-date` for each claim's own"""
    sites: tuple[str, ...] = ()
    """hosts with subdomains, and patterns over addresses"""
    undated: bool = True
    file_dates: bool = False
    """take a document's date from its file's metadata"""

    def __bool__(self) -> bool:
        return self != Limits()

    def __str__(self) -> str:
        """For a signature; "" without limits."""
        listed = sha256("\n".join(self.sites))[:8]
        parts = [
            f"before={self.before}" if self.before else "",
            f"web-sites={listed}" if self.sites else "",
            "" if self.undated else "no-undated",
            "file-dates" if self.file_dates else "",
        ]
        return ",".join(part for part in parts if part)

    @property
    def by_claim_date(self) -> bool:
        return self.before == CLAIM_DATE


def read_limits(
    before: str | None, sites: Path | None, *, undated: bool, file_dates: bool = False
) -> Limits:
    """Raises UsageError for a wrong date, InputError for an unreadable list of sites."""
    if before not in (None, CLAIM_DATE) and read_date(before or "") is None:
        raise UsageError(f"--before {before}: is not a date; give YYYY-MM-DD, or {CLAIM_DATE}")
    if sites is None:
        return Limits(before, (), undated, file_dates)
    file = SHIPPED if sites == Path("default") else sites
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"--exclude-sites {sites}: cannot be read ({error}); give a text file with one site "
            "per line, or the word default"
        ) from error
    filled = filter(None, (line.partition("#")[0].strip().lower() for line in lines))
    listed = dict.fromkeys(site for entry in filled for site in _listed(entry, str(sites)))
    if not listed:
        raise InputError(
            f"--exclude-sites {sites}: names no site; give a text file with one site per line"
        )
    return Limits(before, tuple(listed), undated, file_dates)


def _listed(entry: str, location: str) -> list[str]:
    """Raises InputError for neither host nor pattern: it would exclude nothing."""
    host = entry.removeprefix("*.").rpartition("://")[2].removesuffix("/").strip(".")
    below = [host.removeprefix("www.")] if _HOST.fullmatch(host) else []
    if "*" in entry:
        return [entry, *(below if "." in host else ())]
    if not below:
        raise InputError(
            f"--exclude-sites {location}: {entry[:80]} is no site and would exclude nothing; give "
            "a site such as a.example, or a pattern over addresses such as *a.example/news/*"
        )
    return below


Reason = Callable[[Source], str]
"""Why a page goes: "site", "date", "undated", or "" to keep it."""
Pages = Callable[[int], Page | None]


def removes(limits: Limits, claim: Claim) -> Reason:
    last = last_day(limits, claim)
    hosts = frozenset(entry for entry in limits.sites if "*" not in entry)
    patterns = tuple(entry for entry in limits.sites if "*" in entry)

    def reason(source: Source) -> str:
        if below(site(source.url), hosts) or matches(source.url, patterns):
            return "site"
        page = dated(source)
        if is_undated(page, limits):
            return "" if limits.undated else UNDATED
        return "date" if last and (day := read_date(page.date)) and day > last else ""

    return reason


def allowed(
    hits: Sequence[Hit], sources: Sequence[Source], reason: Reason, document: Pages | None = None
) -> tuple[dict[int, Hit], Mapping[str, int], frozenset[str]]:
    """Hits that stay, by position; removals by limit; removed addresses. Pages of one address go
    together; with `document` each counts alone."""

    @cache
    def of_page(number: int) -> str:
        page = document(number) if document else None
        return reason(source_of(page)) if page else ""

    reasons: dict[str, str] = {}
    for source in sources:
        reasons[source.url] = reasons.get(source.url) or reason(source)
    staying: dict[int, Hit] = {}
    removed: Counter[str] = Counter()
    for position, hit in enumerate(hits):
        urls = hit.passage.urls or ("",)
        for url in urls:
            if url not in reasons:
                reasons[url] = reason(Source(url))
        why = [reasons[url] for url in urls]
        if document and hit.passage.places:
            why = [of_page(place.document) for place in hit.passage.places]
        if not all(why):
            staying[position] = replace(hit, passage=_without(hit.passage, why))
        else:
            removed[why[-1]] += 1
    left_out = frozenset(url for url, limit in reasons.items() if limit)
    return staying, dict(sorted(removed.items())), left_out


def undated_among(
    hits: Sequence[Hit], sources: Sequence[Source], limits: Limits, document: Pages | None = None
) -> int:
    """Passages without a date that a limit could compare; pages as in `allowed`."""

    def reason(source: Source) -> str:
        return UNDATED if is_undated(dated(source), limits) else ""

    last = {source.url: source for source in sources}
    return sum(allowed(hits, list(last.values()), reason, document)[1].values())


def is_undated(page: Source, limits: Limits) -> bool:
    """Of a `dated` page; a file's own date counts only if asked for."""
    return not page.dated_by or (page.dated_by == OF_FILE and not limits.file_dates)


def kept_by(undated: int) -> dict[str, int]:
    return {UNDATED: undated} if undated else {}


def kept_notes(kept: Mapping[str, int]) -> tuple[str, ...]:
    """
    >>> kept_notes({"undated": 2}), kept_notes({})
    (('2 passages of documents without a date of their own stayed in',), ())
    """
    passages = quantity(kept.get(UNDATED, 0), "passage")
    told = f"{passages} of documents without a date of their own stayed in"
    return (told,) if kept.get(UNDATED) else ()


def _without(passage: Passage, why: Sequence[str]) -> Passage:
    stays = [not limit for limit in why]
    urls, places = compress(passage.urls, stays), compress(passage.places, stays)
    return replace(passage, urls=tuple(urls), places=tuple(places))


def last_day(limits: Limits, claim: Claim) -> date | None:
    """None without a limit."""
    return read_date((claim.date if limits.by_claim_date else limits.before) or "")


def below(host: str, hosts: frozenset[str]) -> bool:
    parts = host.split(".")
    return any(".".join(parts[n:]) in hosts for n in range(len(parts)))


def matches(url: str, patterns: Sequence[str]) -> bool:
    """A user's own file has no address; "*.pdf" is meant for the web."""
    address = original(url).lower()
    own = address.startswith("file:")
    return not own and any(fnmatchcase(address, pattern) for pattern in patterns)
