"""The data that cuts text into words."""

from __future__ import annotations

from pathlib import Path

from uhhrag import models
from uhhrag.text.nltk_tokenizer import use_nltk_data


def load_nltk_data() -> Path:
    """Let NLTK cut words by the data that `uhhrag models pull nltk-data` brought, in the folder
    that is given back."""
    folder = models.path("nltk-data")
    use_nltk_data(folder)
    return folder
