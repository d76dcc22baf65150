"""Passages: the lines of a store's pages, with the pages that have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from uhhrag.records import Page, Passage, Place
from uhhrag.store.leads import lead_at


def passages_of(page: Page) -> Iterator[Passage]:
    """Of the filled lines.

    >>> [passage.text for passage in passages_of(Page("https://a.example", ("One.", " ", "Two.")))]
    ['One.', 'Two.']
    """
    urls = _urls(page)
    return (Passage(line, urls) for line in filled_lines(page))


class Lines(NamedTuple):
    texts: list[str]
    urls: list[tuple[str, ...]]


def lines_of(pages: Iterable[Page]) -> Lines:
    texts: list[str] = []
    urls: list[tuple[str, ...]] = []
    for page in pages:
        texts += filled_lines(page)
        urls += [_urls(page)] * (len(texts) - len(urls))
    return Lines(texts, urls)


def distinct_lines(pages: Iterable[Page]) -> Lines:
    """As `unique`, over pages, without a record for each line.

    >>> distinct_lines([Page("a", ("x", "y")), Page("b", ("x",))])
    Lines(texts=['x', 'y'], urls=[('a', 'b'), ('a',)])
    """
    urls_of: dict[str, tuple[str, ...]] = {}
    for page in pages:
        new = dict.fromkeys(filled_lines(page), _urls(page))
        # Seen first, since the values of a line that is known already must not be replaced.
        repeated = new.keys() & urls_of.keys()
        for text in repeated:
            new[text] = tuple(dict.fromkeys(urls_of[text] + new[text]))
        urls_of |= new
    return Lines(list(urls_of), list(urls_of.values()))


def filled_lines(page: Page) -> list[str]:
    return [line for line in page.lines if line and not line.isspace()]


def distinct_sentences(documents: Mapping[int, Page]) -> tuple[Passage, ...]:
    """The distinct lines of numbered documents. Lines are equal if title and lead are as well.

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


def sentence_at(text: str, places: Mapping[str, Place]) -> Passage:
    """A passage from its places by address."""
    there = {url: place for url, place in places.items() if url}
    return Passage(text, tuple(there), tuple(there.values()))


def _urls(page: Page) -> tuple[str, ...]:
    return (page.url,) if page.url else ()


def unique(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """One passage for each text (UHH's "unique sentences"), in order of first sight, with all
    URLs.

    >>> found = unique([Passage("x", ("a",)), Passage("y", ("a",)), Passage("x", ("b",))])
    >>> [(passage.text, passage.urls) for passage in found]
    [('x', ('a', 'b')), ('y', ('a',))]
    """
    urls_of: dict[str, dict[str, None]] = {}
    for passage in passages:
        urls_of.setdefault(passage.text, {}).update(dict.fromkeys(passage.urls))
    return tuple(Passage(text, tuple(urls)) for text, urls in urls_of.items())
