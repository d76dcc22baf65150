"""Words and sentences as NLTK splits them, each distinct run between spaces once; official scores
need NLTK 3.8.1 to 3.9.2."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from itertools import chain, islice
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from uhhrag.errors import ModelError

T = TypeVar("T")

_DATA: list[str] = []
"""The folder that NLTK may read."""
_UNUSED = frozenset(["scipy", "sklearn"])
_ABBREVIATIONS = frozenset(["al", "approx", "cf", "dept", "eq", "eqs", "fig", "figs"])
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


class _Absent(MetaPathFinder):
    """Hides unused packages from one thread: their import takes four times as long as NLTK's."""

    def __init__(self, thread: int) -> None:
        self._thread = thread

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        if fullname in _UNUSED and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{fullname} is not used here", name=fullname)


def use_nltk_data(folder: Path) -> None:
    """Lets NLTK read `folder` alone (`tokenizers/punkt_tab`, `corpora/wordnet`). Call before the
    first text: NLTK keeps what it has loaded."""
    _DATA[:] = [str(folder)]
    if "nltk" in sys.modules:
        _nltk()


def _nltk() -> Any:
    if "nltk" not in sys.modules:
        absent = _Absent(threading.get_ident())
        sys.meta_path.insert(0, absent)
        try:
            import nltk
        finally:
            sys.meta_path.remove(absent)
    import nltk

    if _DATA:
        nltk.data.path[:] = _DATA
    return nltk


def word_tokenize(text: str) -> list[str]:
    """English, with punctuation. Raises ModelError without data."""
    words: list[str] = _with_data(lambda: _nltk().word_tokenize(text))
    return words


def sentences(text: str) -> list[str]:
    """By Punkt with more abbreviations. Raises ModelError without data."""
    return list(_punkt().tokenize(text))


@cache
def _punkt() -> Any:
    # Our own instance: the one that word_tokenize uses must stay as it came, for the scores.
    punkt = _splitter()
    punkt._params.abbrev_types.update(_ABBREVIATIONS)
    return punkt


def _splitter() -> Any:
    return _with_data(lambda: _nltk().tokenize.PunktTokenizer("english"))


def _with_data(load: Callable[[], T]) -> T:
    nltk = _nltk()
    try:
        return load()
    except LookupError as error:
        raise ModelError(
            f"no English sentence splitter (punkt_tab) in {nltk.data.path}; "
            "run: uhhrag models pull nltk-data"
        ) from error


@cache
def punkt_rules() -> Punkt:
    """Raises ModelError without data."""
    splitter = _splitter()
    abbreviations = frozenset(splitter._params.abbrev_types)
    ruled = abbreviations.union(first for first, _ in splitter._params.collocations)
    ask = cache(splitter.text_contains_sentbreak)

    def breaks(context: str) -> bool:
        plain = _PLAIN.match(context)
        return True if plain and plain[1].lower() not in ruled else bool(ask(context))

    splitter.text_contains_sentbreak = breaks
    return Punkt(splitter.tokenize, abbreviations, breaks)


def words_of(texts: Iterable[str]) -> Iterator[list[str]]:
    """`word_tokenize` of each text, faster. Raises ModelError without data."""
    split_at = punkt_rules().sentences
    words_in: dict[str, str] = {}
    rest = iter(texts)
    while batch := list(islice(rest, _BATCH)):
        parts = ([text] if not _MAY_END.search(text) else split_at(text) for text in batch)
        split = [list(chain.from_iterable(map(_runs, each))) for each in parts]
        new = set(chain.from_iterable(split)).difference(words_in)
        words_in.update(
            _tokenise_runs([run for run in new if not run.isalnum() or run.lower() in JOINED])
        )
        for runs in split:
            yield " ".join(map(words_in.get, runs, runs)).split()


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
    tokenise = _nltk().tokenize.NLTKWordTokenizer().tokenize
    for run in runs:
        if run[0] == _MARK:
            yield run, " ".join(tokenise(run[1:]))
    plain = [run for run in runs if run[0] != _MARK]
    words = " ".join(tokenise(f" {_MARK} ".join(["", *plain, ""]))).split(_MARK)
    yield from zip(plain, words[1:-1], strict=True)
