"""Finds sentences with all words of a query."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from uhhrag.archive.filters import NO_FILTER
from uhhrag.archive.snapshot import Snapshot
from uhhrag.records import Place

_PHRASE = re.compile(r"[\"“„”]([^\"“„”]*)[\"“„”]|(\S+)")
_WORD = re.compile(r"\w+")
MOST_DOCUMENTS = 20_000
"""Most read; of more, the `MOST_PASSAGES` best by full text."""
MOST_PASSAGES = 5_000

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordsFound:
    places: tuple[Place, ...]
    """Those of the first sentences."""
    sentences: int
    """Number of all."""
    documents: int
    """With a sentence found."""
    whole: bool
    """Every document was read."""


def phrases_of(query: str) -> list[Phrase]:
    """Words; those in quotation marks are one phrase.

    >>> phrases_of('Tunnel "the Harbour Council" 5,379')
    [('tunnel',), ('the', 'harbour', 'council'), ('5', '379')]
    """
    parts = (quoted or word for quoted, word in _PHRASE.findall(query))
    return [phrase for phrase in map(_words, parts) if phrase]


def has_all(text: str, phrases: Iterable[Phrase]) -> bool:
    """Whether a text has every phrase, in upper or lower case.

    >>> has_all("The Council met.", phrases_of("met council"))
    True
    >>> has_all("The council met.", phrases_of('"met council"'))
    False
    """
    words = _words(text)
    return all(_has(words, phrase) for phrase in phrases)


def find_words(snapshot: Snapshot, query: str, most: int) -> WordsFound:
    """Sentences with all words, and the first `most` places.

    Raises IndexFault for damaged bytes."""
    phrases = phrases_of(query)
    numbers, whole = _candidates(snapshot, query)
    places: list[Place] = []
    sentences = documents = 0
    for number in numbers if phrases else ():
        lines = [n for n, text in enumerate(snapshot.page(number).lines) if has_all(text, phrases)]
        places += [Place(number, line) for line in lines[: most - len(places)]]
        sentences += len(lines)
        documents += bool(lines)
    return WordsFound(tuple(places), sentences, documents, whole)


def _candidates(snapshot: Snapshot, query: str) -> tuple[list[int], bool]:
    """Documents to read, and whether these are all."""
    alive: list[int] = np.flatnonzero(snapshot.live).tolist()
    if len(alive) <= MOST_DOCUMENTS or snapshot.text is None:
        return alive, True
    found, _ = snapshot.text.search(query, MOST_PASSAGES, NO_FILTER.text)
    return np.unique(snapshot.document[found]).tolist(), len(found) < MOST_PASSAGES


def _words(text: str) -> Phrase:
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _has(words: Sequence[str], phrase: Phrase) -> bool:
    starts = (n for n, word in enumerate(words) if word == phrase[0])
    return any(tuple(words[n : n + len(phrase)]) == phrase for n in starts)
