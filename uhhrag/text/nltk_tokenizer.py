"""Words and sentences, as NLTK cuts them: one tokeniser for the scorer and for BM25.

The official scorer's numbers hold for the tokeniser of NLTK 3.8.1 to 3.9.2; later ones also
split dashes and apostrophes. Data come from one folder of ours, never from the machine's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import nltk

from uhhrag.errors import ModelError
from uhhrag.text import exact_tokenizer
from uhhrag.text.fast_tokenizer import Rules

T = TypeVar("T")

_ABBREVIATIONS = frozenset(["al", "approx", "cf", "dept", "eq", "eqs", "fig", "figs"])


def use_nltk_data(folder: Path) -> None:
    """Let NLTK read `folder` (with `tokenizers/punkt_tab` and `corpora/wordnet`) and nothing else.

    Call it before the first word is cut: what NLTK has loaded it keeps."""
    nltk.data.path[:] = [str(folder)]


def word_tokenize(text: str) -> list[str]:
    """The words of an English text in order, punctuation as words of its own, case kept.

    Empty for an empty text. Raises ModelError where the data are not there."""
    words: list[str] = _with_data(lambda: nltk.word_tokenize(text))
    return words


def sentences(text: str) -> list[str]:
    """The sentences of an English text in order, each as it stands in the text: cut by Punkt,
    which is told of some abbreviations it does not know.

    Empty for an empty text. Raises ModelError where the data are not there."""
    return _with_data(lambda: list(_punkt().tokenize(text)))


@cache
def _punkt() -> Any:
    # One of our own: what word_tokenize cuts words in must stay as it came, for the scores.
    punkt = nltk.tokenize.PunktTokenizer("english")
    punkt._params.abbrev_types.update(_ABBREVIATIONS)
    return punkt


def words_of(texts: Iterable[str]) -> Iterator[list[str]]:
    """`word_tokenize` of each text, in order, and several times as fast."""
    _with_data(exact_tokenizer.punkt)
    return exact_tokenizer.words_of(texts)


def cut_rules() -> Rules:
    """What `fastwords` must know of the ends of sentences."""
    punkt = _with_data(exact_tokenizer.punkt)
    return Rules(punkt.abbreviations, punkt.breaks)


def _with_data(load: Callable[[], T]) -> T:
    try:
        return load()
    except LookupError as error:
        raise ModelError(
            f"no English sentence splitter (punkt_tab) in {nltk.data.path}; "
            "run: uhhrag models pull nltk-data"
        ) from error
