"""The data by which NLTK splits text into sentences and words."""

from __future__ import annotations

from pathlib import Path

from uhhrag import models
from uhhrag.text.nltk_tokenizer import use_nltk_data


def folder() -> Path:
    """Where `uhhrag models pull nltk-data` put it. Raises ModelError where it is missing."""
    return models.path("nltk-data")


def load_nltk_data() -> Path:
    """Let NLTK tokenise by this data, and give its folder."""
    data = folder()
    use_nltk_data(data)
    return data
