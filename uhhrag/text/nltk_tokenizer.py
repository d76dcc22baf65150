"""Words and sentences as NLTK splits them; official scores need NLTK 3.8.1 to 3.9.2."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from uhhrag.errors import ModelError
from uhhrag.text import exact_tokenizer

T = TypeVar("T")

_DATA: list[str] = []
"""The folder that NLTK may read."""
_UNUSED = frozenset(["scipy", "sklearn"])
_ABBREVIATIONS = frozenset(["al", "approx", "cf", "dept", "eq", "eqs", "fig", "figs"])


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
    return _with_data(lambda: list(_punkt().tokenize(text)))


@cache
def _punkt() -> Any:
    # Our own instance: the one that word_tokenize uses must stay as it came, for the scores.
    punkt = _nltk().tokenize.PunktTokenizer("english")
    punkt._params.abbrev_types.update(_ABBREVIATIONS)
    return punkt


def words_of(texts: Iterable[str]) -> Iterator[list[str]]:
    """`word_tokenize` of each text, faster. Raises ModelError without data."""
    _with_data(exact_tokenizer.punkt)
    return exact_tokenizer.words_of(texts)


def punkt_rules() -> exact_tokenizer.Punkt:
    return _with_data(exact_tokenizer.punkt)


def _with_data(load: Callable[[], T]) -> T:
    nltk = _nltk()
    try:
        return load()
    except LookupError as error:
        raise ModelError(
            f"no English sentence splitter (punkt_tab) in {nltk.data.path}; "
            "run: uhhrag models pull nltk-data"
        ) from error
