from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from uhhrag import models
from uhhrag.errors import UhhragError
from uhhrag.text.nltk_tokenizer import use_nltk_data


def folder() -> Path:
    return models.path("nltk-data")


def splits_sentences() -> bool:
    """Whether the data is here."""
    with suppress(UhhragError):
        return bool(load_nltk_data())
    return False


def load_nltk_data() -> Path:
    data = folder()
    use_nltk_data(data)
    return data
