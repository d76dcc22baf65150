"""Fixtures that several files of tests/pipeline share."""

from __future__ import annotations

import pytest

from tests.support.model_files import require_models


@pytest.fixture(scope="module")
def small_models():
    require_models("minilm", "smollm2-135m", "nltk-data")
