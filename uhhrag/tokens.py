"""Words, as NLTK cuts them: one tokeniser for the scorer and for BM25.

The official scorer's numbers hold for the tokeniser of NLTK 3.8.1 to 3.9.2; later ones also
split dashes and apostrophes. Data come from one folder of ours, never from the machine's own.
"""

from __future__ import annotations

from pathlib import Path

import nltk

from uhhrag.errors import ModelError


def use_nltk_data(folder: Path) -> None:
    """Let NLTK read `folder` (with `tokenizers/punkt_tab` and `corpora/wordnet`) and nothing else.

    Call it before the first word is cut: what NLTK has loaded it keeps."""
    nltk.data.path[:] = [str(folder)]


def word_tokenize(text: str) -> list[str]:
    """The words of an English text in order, punctuation as words of its own, case kept.

    Empty for an empty text. Raises ModelError where the data are not there."""
    try:
        words: list[str] = nltk.word_tokenize(text)
    except LookupError as error:
        raise ModelError(
            f"no English sentence splitter (punkt_tab) in {nltk.data.path}; "
            "run: uhhrag models pull nltk-data"
        ) from error
    return words
