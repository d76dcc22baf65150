from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from uhhrag.records import Page, Passage, Place
from uhhrag.text.apart import is_of_letter, names_columns
from uhhrag.text.dates import is_day
from uhhrag.text.fragments import has_pairs, is_entry, is_fragment, says_nothing
from uhhrag.text.pronouns import lead, line_above, sentence_before

_AROUND = 10
"""Lines of a letter's head or end, at most."""


class Lines(NamedTuple):
    texts: list[str]
    urls: list[tuple[str, ...]]


def lines_of(pages: Iterable[Page]) -> Lines:
    texts: list[str] = []
    urls: list[tuple[str, ...]] = []
    for page in pages:
        texts += filled_lines(page)
        urls += [urls_of(page)] * (len(texts) - len(urls))
    return Lines(texts, urls)


def distinct_lines(pages: Iterable[Page]) -> Lines:
    """UHH's "unique sentences", in order of first sight, with all URLs."""
    known: dict[str, tuple[str, ...]] = {}
    for page in pages:
        new = dict.fromkeys(filled_lines(page), urls_of(page))
        # Seen first, since the values of a line that is known already must not be replaced.
        for text in new.keys() & known.keys():
            new[text] = tuple(dict.fromkeys(known[text] + new[text]))
        known |= new
    return Lines(list(known), list(known.values()))


def filled_lines(page: Page) -> list[str]:
    return [line for line in page.lines if line and not line.isspace()]


def distinct_sentences(documents: Mapping[int, Page]) -> tuple[Passage, ...]:
    """Lines are equal only if title and lead are.

    >>> page = Page("a", ("Schools", "5.", "Roads", "5."), sections=((0, "Schools"), (2, "Roads")))
    >>> [passage.text for passage in distinct_sentences({0: page, 1: page})]
    ['Schools', '5.', 'Roads', '5.']
    """
    places: dict[tuple[str, str, str], dict[str, Place]] = {}
    for number, page in documents.items():
        for line, text in enumerate(page.lines):
            if text and not text.isspace():
                there = places.setdefault((page.title, lead_at(page, line), text), {})
                there.setdefault(page.url, Place(number, line))
    return tuple(sentence_at(text, there) for (_, _, text), there in places.items())


def is_filled(page: Page, line: int) -> bool:
    return bool(page.lines[line].strip())


def may_decide(page: Page, line: int) -> bool:
    """Whether it may be evidence: it says something, and is no heading without a verb, nor leads a
    list in, names columns, or stands beside a letter's text. A lone word or day says something in
    such a list and as an answer.

    >>> sections = ((0, "Quay"), (2, "Quay – It has:"))
    >>> page = Page("", ("Quay", "Opening in May 2025", "It has:", "cranes"), sections=sections)
    >>> [may_decide(page, line) for line in range(4)]
    [False, True, False, True]
    """
    text = page.lines[line]
    titled = text == page.title or page.heads(line)
    if titled and (text.endswith(":") or _is_heading(text)):
        return False
    above = page.stands_under(line), line_above(page.lines, line)
    led = any(one.endswith((":", "?")) for one in above)
    if says_nothing(text, least=1 if led else 2) or (is_day(text) and not led):
        return False
    own = _own_part(page, line)
    return not (names_columns(page.lines, line) or is_of_letter(page.part(own), own.index(line)))


def _is_heading(text: str) -> bool:
    """Whether it has no verb and no figure behind a name."""
    bare = is_entry(text) and not has_pairs(text)
    return is_fragment(text.replace(":", ",") if bare else text)


def _own_part(page: Page, line: int) -> range:
    """Lines around by the same writer, below the same heading."""
    start = page.heading(line)[0]
    first, last, whose = line, line + 1, page.quoted_at(line)
    while first > max(0, line - _AROUND, start + 1) and page.quoted_at(first - 1) == whose:
        first -= 1
    while last < min(len(page.lines), line + _AROUND) and page.quoted_at(last) == whose:
        last += 1
    return range(first, last)


def sentence_at(text: str, places: Mapping[str, Place]) -> Passage:
    """`places` are by address."""
    there = {url: place for url, place in places.items() if url}
    return Passage(text, tuple(there), tuple(there.values()))


def urls_of(page: Page) -> tuple[str, ...]:
    return (page.url,) if page.url else ()


def lead_at(page: Page, line: int) -> str:
    """The heading, and the line before if this one refers back."""
    return lead((page.section(line),), sentence_before(page.lines, line))
