from __future__ import annotations

from pathlib import Path

from uhhrag import models
from uhhrag.text.nltk_tokenizer import use_nltk_data


def folder() -> Path:
    return models.path("nltk-data")


def load_nltk_data() -> Path:
    data = folder()
    use_nltk_data(data)
    return data
