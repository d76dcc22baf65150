"""Pages in place of a search engine's hits (Papelo, section 3.3; Chen et al., section 3.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from uhhrag.protocols import EvidenceSource, NumberedDocuments
from uhhrag.records import Claim, Hit, Page, Source
from uhhrag.text.dates import OF_FILE, dated, read_date, site

_DEEPER = 4
"""Sentences per page wanted."""
_WORD = re.compile(r"\w+")
_ADDRESS = re.compile(r"\w+://|([\w-]+\.)+[a-z]{2,}(/\S*)?$")


@dataclass(frozen=True, slots=True)
class PageHit:
    """Unknown metadata are ""."""

    hit: Hit
    """Its best sentence."""
    text: str
    url: str = ""
    title: str = ""
    date: str = ""

    @property
    def site(self) -> str:
        return site(self.url)


def find_documents(corpus: EvidenceSource, query: str, count: int) -> tuple[PageHit, ...]:
    """Best first. A cosine of 0 or below is no hit; a hit without URL is a page."""
    best: dict[str, Hit] = {}
    for hit in corpus.search(query, _DEEPER * count):
        if hit.score > 0:
            best.setdefault(next(iter(hit.passage.urls), hit.passage.text), hit)
    return tuple(_document(hit, corpus.document) for hit in list(best.values())[:count])


def _document(hit: Hit, document: NumberedDocuments) -> PageHit:
    text = hit.passage.text
    url = next(iter(hit.passage.urls), "")
    page = _page_of(hit, document)
    if page is None:
        return PageHit(hit, text, url)
    source = dated(Source(url, date=page.date, dated_by=page.dated_by))
    # Prompts of papers have days: of a month, the last.
    day = None if source.dated_by == OF_FILE else read_date(source.date)
    return PageHit(hit, text, url, page.title, f"{day or ''}")


def lines_of(found: PageHit, document: NumberedDocuments) -> tuple[str, ...]:
    """Empty if the page is not kept."""
    page = _page_of(found.hit, document)
    return page.lines if page else ()


def _page_of(hit: Hit, document: NumberedDocuments) -> Page | None:
    place = next(iter(hit.passage.places), None)
    return document(place.document) if place else None


def widened(
    found: PageHit, document: NumberedDocuments, width: int, share: float
) -> PageHit | None:
    """None without a window around its hit."""
    held = window(lines_of(found, document), found.hit.passage.text, width, share)
    return replace(found, text="\n".join(held)) if held else None


def window(lines: Sequence[str], text: str, width: int, share: float) -> tuple[str, ...]:
    """The middle run of those of `width` lines that cover over `share` of the words of `text`
    (Papelo, section 3.3)."""
    wanted = _words(text)
    held = [wanted & _words(line) for line in lines]
    starts = range(max(len(lines) - width, 0) + 1) if lines else range(0)
    covering = [
        start
        for start in starts
        if wanted and len(set().union(*held[start : start + width])) > share * len(wanted)
    ]
    if not covering:
        return ()
    middle = covering[len(covering) // 2]
    return tuple(lines[middle : middle + width])


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def show(documents: Sequence[PageHit], *, metadata: bool, clip: int) -> str:
    return "\n\n".join(
        f"Document {number}{_said(document) if metadata else ''}:\n{clipped(document.text, clip)}"
        for number, document in enumerate(documents, 1)
    )


def _said(document: PageHit) -> str:
    known = [" ".join(document.title.split())[:120]] if document.title else []
    known += [f"from {document.site}"] if document.site else []
    known += [f"published {document.date}"] if document.date else []
    return f" ({', '.join(known)})" if known else ""


def clipped(text: str, limit: int) -> str:
    """
    >>> clipped("one two three", 9)
    'one two …'
    """
    return "\n".join(_clipped(line, limit) for line in text.split("\n"))


def _clipped(line: str, limit: int) -> str:
    if len(line) <= limit:
        return line
    clipped = line[: limit + 1].rsplit(None, 1)
    return f"{clipped[0][:limit] if clipped else ''} …"


def names_in(text: str) -> str:
    """Capitalised words that begin no sentence, and numbers."""
    names = [
        word
        for sentence in re.split(r"(?<=[.?!])\s+", text)
        for word in sentence.split()[1:]
        if word[0].isdigit() or word.lstrip("\"'“‘(")[:1].isupper()
    ]
    return " ".join(dict.fromkeys(word.strip("\"'“”‘’().,;:?!") for word in names))


def speaker_of(claim: Claim) -> str:
    """
    >>> [speaker_of(Claim(0, "It rained.", speaker=s)) for s in ("St.John", "news.example", None)]
    ['St.John', '', '']
    """
    speaker = (claim.speaker or "").strip()
    return "" if _ADDRESS.match(speaker) else speaker


def origin(claim: Claim) -> str:
    speaker = speaker_of(claim)
    known = [f"by {speaker}"] if speaker else []
    known += [f"on {claim.date}"] if claim.date else []
    return f" ({' '.join(known)})" if known else ""
