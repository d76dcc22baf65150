"""Where the tests find the sentence splitter and WordNet."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from uhhrag.errors import UhhragError


def language_folder() -> Path:
    """What UHHRAG_NLTK_DATA names, else what `uhhrag models pull nltk-data` brought; the test is
    skipped where there is neither."""
    if named := os.environ.get("UHHRAG_NLTK_DATA"):
        return Path(named)
    try:
        from uhhrag import models

        return models.path("nltk-data")
    except (ImportError, UhhragError) as error:
        pytest.skip(f"no language data: {error}; run: uhhrag models pull nltk-data")
