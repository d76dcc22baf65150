"""Splits texts exactly as NLTK does, but each distinct run between spaces once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from typing import Any, NamedTuple

_BATCH = 2_000
_MARK = "\ue000"
"""Not printable, so in no run."""
_FOLLOWED = r"(?:\s+\S|[)\";}\]*:@'({\[?!])"
_MAY_END = re.compile(r"[.?!]" + _FOLLOWED)
_PLAIN = re.compile(r"([^\W\d_]{2,})[.?!]" + _FOLLOWED)
_ODD_START = re.compile(r"''|\"[\"']")
_LAST_PERIOD = re.compile(r"(?<=[^.])\.[])}>\"'»”’]*$")
JOINED = frozenset(["cannot", "gimme", "gonna", "gotta", "lemme", "wanna"])
"""Alphanumeric words that NLTK splits after the third letter."""
_CLOSERS = frozenset("])}>\"'»”’")


class Punkt(NamedTuple):
    sentences: Callable[[str], list[str]]
    abbreviations: frozenset[str]
    """In lower case, without period."""
    breaks: Callable[[str], bool]
    """Whether the first period of "word. Next" ends a sentence."""


@cache
def punkt() -> Punkt:
    """Raises LookupError without NLTK's data."""
    from nltk.tokenize.punkt import PunktTokenizer

    splitter = PunktTokenizer("english")
    abbreviations = frozenset(splitter._params.abbrev_types)
    ruled = abbreviations.union(first for first, _ in splitter._params.collocations)
    ask = cache(splitter.text_contains_sentbreak)

    def breaks(context: str) -> bool:
        plain = _PLAIN.match(context)
        return True if plain and plain[1].lower() not in ruled else bool(ask(context))

    splitter.text_contains_sentbreak = breaks
    return Punkt(splitter.tokenize, abbreviations, breaks)


def words_of(texts: Iterable[str]) -> Iterator[list[str]]:
    """As NLTK's word_tokenize. Raises LookupError without Punkt's data."""
    words_in: dict[str, str] = {}
    rest = iter(texts)
    while batch := list(islice(rest, _BATCH)):
        split = [list(chain.from_iterable(map(_runs, _sentences(text)))) for text in batch]
        new = set(chain.from_iterable(split)).difference(words_in)
        words_in.update(
            _tokenise_runs([run for run in new if not run.isalnum() or run.lower() in JOINED])
        )
        for runs in split:
            yield " ".join(map(words_in.get, runs, runs)).split()


def _sentences(text: str) -> list[str]:
    return punkt().sentences(text) if _MAY_END.search(text) else [text]


def _runs(sentence: str) -> list[str]:
    """Its last period apart; or a mark and the whole sentence."""
    runs = sentence.split()
    if not runs:
        return []
    end = runs[-1]
    if not sentence.isprintable() or _ODD_START.match(runs[0]) or _CLOSERS.issuperset(end):
        return [_MARK + sentence]
    last = _LAST_PERIOD.search(end)
    if last:
        runs[-1:] = [end[: last.start()], end[last.start() :]]
    return runs


def _tokenise_runs(runs: Sequence[str]) -> Iterator[tuple[str, str]]:
    tokenise = _tokeniser()
    for run in runs:
        if run[0] == _MARK:
            yield run, " ".join(tokenise(run[1:]))
    plain = [run for run in runs if run[0] != _MARK]
    words = " ".join(tokenise(f" {_MARK} ".join(["", *plain, ""]))).split(_MARK)
    yield from zip(plain, words[1:-1], strict=True)


@cache
def _tokeniser() -> Any:
    from nltk.tokenize import NLTKWordTokenizer

    return NLTKWordTokenizer().tokenize
