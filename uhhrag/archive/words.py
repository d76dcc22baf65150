from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from uhhrag.archive.filters import NO_FILTER
from uhhrag.archive.snapshot import Snapshot
from uhhrag.archive.text_index import analyzer, words_of
from uhhrag.protocols import Search
from uhhrag.records import Place

_QUOTES = '"“„”‟«»＂「」『』'
_PHRASE = re.compile(rf"[{_QUOTES}]([^{_QUOTES}]*)[{_QUOTES}]|([^\s{_QUOTES}]+)")
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+[.,]\d\d?"
"""One number: 5,379 and 1.5, but no part of 15.05.2023."""
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u31ff\u3400-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Each character is a word: scripts without spaces, and Korean."""
_SIGNS = "\u0300-\u036f\u0900-\u0963\u0966-\u0df3"
"""Vowel signs and other marks."""
_GROUPED = re.compile(r"^(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d\d?)$")
"""A number whose notation can be another: 5,379 and 1.50, but not 1.500."""
_WORD = re.compile(
    rf"(?<![\d.,])(?:{_NUMBER})(?![.,]?\d)|[{_UNSPACED}]|(?:(?![_{_UNSPACED}])[\w{_SIGNS}])+"
)
_OPTIONAL = re.compile(
    "[\u0307\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u200d]"
)
"""Vowel points of Hebrew and Arabic, the dot that İ leaves."""
_KNOWN = "\u0590"
"""Words of letters below are as in full text."""
MOST_DOCUMENTS = 20_000
"""Most read; of more, those of the `MOST_PASSAGES` best passages."""
MOST_PASSAGES = 5_000
_DEEP = 200
"""Ranked sentences looked at for a phrase."""

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordsFound:
    places: tuple[Place, ...]
    sentences: int
    documents: int
    """With a sentence found."""
    whole: bool
    """No match can be missing."""


def phrases_of(query: str) -> list[Phrase]:
    """
    >>> phrases_of('Tunnel «the Harbour Council» 5,379.50 増税')
    [('tunnel',), ('the', 'harbour', 'council'), ('5379.5',), ('増', '税')]
    """
    parts = (quoted or word for quoted, word in _PHRASE.findall(query))
    phrases = (tuple(_words(_folded(part))) for part in parts)
    return [phrase for phrase in phrases if phrase]


def quotations_in(query: str) -> list[str]:
    """
    >>> quotations_in('tunnel «Harbour Council» 5')
    ['"Harbour Council"']
    """
    return [f'"{quoted}"' for quoted, _ in _PHRASE.findall(query) if quoted.strip()]


def has_all(text: str, phrases: Sequence[Phrase]) -> bool:
    """
    >>> has_all("The Council met.", phrases_of("met council"))
    True
    >>> has_all("The council met.", phrases_of('"met council"'))
    False
    """
    folded = _folded(text)
    signs = (word[:1] if word[0].isdecimal() else word for phrase in phrases for word in phrase)
    if any(sign not in folded for sign in signs):  # quick, for most texts
        return False
    words = _words(folded)
    return all(_has(words, phrase) for phrase in phrases)


def find_words(snapshot: Snapshot, query: str, most: int) -> WordsFound:
    """Sentences with all phrases; the first `most` places. Raises IndexFault if damaged."""
    phrases = phrases_of(query)
    numbers, whole = _candidates(snapshot, query, phrases)
    places: list[Place] = []
    sentences = documents = 0
    for number in numbers if phrases else ():
        lines = [n for n, text in enumerate(snapshot.page(number).lines) if has_all(text, phrases)]
        places += [Place(number, line) for line in lines[: most - len(places)]]
        sentences += len(lines)
        documents += bool(lines)
    return WordsFound(tuple(places), sentences, documents, whole)


def find_near(
    snapshot: Snapshot, query: str, most: int, ranked: Search
) -> list[tuple[Place, float | None]]:
    """Ranked sentences with scores, best first. All have the query's quotations; unranked sentences
    with them follow in document order, without a score."""
    quotations = quotations_in(query)
    phrases = phrases_of(" ".join(quotations))
    hits = ranked(query, _DEEP if phrases else most)
    near = {hit.passage.places[0]: hit.score for hit in hits if hit.passage.places}
    if not phrases:
        return [*near.items()]
    lines = ((at, snapshot.page(at.document).lines[at.line]) for at in near)
    kept = [(at, near[at]) for at, line in lines if has_all(line, phrases)]
    places = find_words(snapshot, " ".join(quotations), most + len(kept)).places
    there = {at for at, _ in kept}
    return [*kept, *((at, None) for at in places if at not in there)][:most]


def _candidates(
    snapshot: Snapshot, query: str, phrases: Iterable[Phrase]
) -> tuple[list[int], bool]:
    """Documents to read, and whether no other can match."""
    alive: list[int] = np.flatnonzero(snapshot.live).tolist()
    if len(alive) <= MOST_DOCUMENTS or snapshot.text is None:
        return alive, True
    found = snapshot.text.search(query, MOST_PASSAGES, NO_FILTER.text)
    known = (word for phrase in phrases for word in phrase if max(word) < _KNOWN)
    words = [word for word in known if not word[0].isdecimal()]  # numbers have other notations
    sure = any(words_of(analyzer(), word) for word in words)  # stop words are not indexed
    return np.unique(snapshot.document[found]).tolist(), sure and len(found) < MOST_PASSAGES


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return _OPTIONAL.sub("", unicodedata.normalize("NFKC", text).casefold())


def _words(folded: str) -> list[str]:
    """A number as digits alone."""
    return [_GROUPED.sub(_digits, word) for word in _WORD.findall(folded)]


def _digits(number: re.Match[str]) -> str:
    whole, point, part = number[0].replace(",", "").partition(".")
    return f"{whole}{point}{part}".rstrip("0").rstrip(".") if point else whole


def _has(words: Sequence[str], phrase: Phrase) -> bool:
    starts = (n for n, word in enumerate(words) if word == phrase[0])
    return any(tuple(words[n : n + len(phrase)]) == phrase for n in starts)
