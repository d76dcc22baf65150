"""Models on this machine, for tests that need real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from uhhrag import models
from uhhrag.errors import ModelError


def model_path(name: str) -> Path:
    """What `uhhrag models pull NAME` brought; the test is skipped where there is nothing."""
    try:
        return models.path(name)
    except ModelError as error:
        pytest.skip(str(error))


def require_models(*names: str) -> None:
    """Skip the test where one of the models is not on this machine."""
    for name in names:
        model_path(name)
