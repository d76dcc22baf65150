"""Fixtures that several files of tests/pipeline share."""

from __future__ import annotations

import pytest

from uhhrag import models
from uhhrag.errors import ModelError


@pytest.fixture(scope="module")
def small_models():
    try:
        for name in ("minilm", "smollm2-135m", "nltk-data"):
            models.path(name)
    except ModelError as error:
        pytest.skip(str(error))
