"""Fixtures that several files of tests/serve share."""

from __future__ import annotations

import threading

import pytest

from tests.support.serving import desk_of


@pytest.fixture
def desk(tmp_path):
    with desk_of(tmp_path / "run") as served:
        yield served


@pytest.fixture
def votes():
    """How many votes may be cast: all, unless a test takes them away."""
    return threading.Semaphore(100)
