"""Where the tests find the sentence splitter and WordNet."""

from __future__ import annotations

from pathlib import Path

from tests.support.model_files import model_path


def nltk_data_folder() -> Path:
    """What `uhhrag models pull nltk-data` brought; the test is skipped where there is nothing."""
    return model_path("nltk-data")
