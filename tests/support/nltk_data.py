"""Where the tests find the sentence splitter and WordNet."""

from __future__ import annotations

from pathlib import Path

import pytest

from uhhrag import models
from uhhrag.errors import ModelError


def nltk_data_folder() -> Path:
    """What `uhhrag models pull nltk-data` brought; the test is skipped where there is nothing."""
    try:
        return models.path("nltk-data")
    except ModelError as error:
        pytest.skip(str(error))
