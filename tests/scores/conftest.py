"""What several files of tests/scores need."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.nltk_data import nltk_data_folder
from uhhrag.scores.meteor import load_meteor_data


@pytest.fixture(scope="session")
def language() -> Path:
    """The folder of NLTK's data, with WordNet open for METEOR."""
    folder = nltk_data_folder()
    load_meteor_data(folder)
    return folder
