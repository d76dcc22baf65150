"""Fixtures that several files of tests/serve share."""

from __future__ import annotations

import threading

import pytest

from tests.support.browser import chromium, opener
from tests.support.serving import desk_of, gated


@pytest.fixture(scope="package")
def browser():
    """A headless Chromium; the test is skipped where there is none."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def desk(tmp_path):
    with desk_of(tmp_path / "run") as served:
        yield served


@pytest.fixture(scope="module")
def still(tmp_path_factory):
    """A desk that is only read, or refuses what it is asked for."""
    with desk_of(tmp_path_factory.mktemp("still") / "run") as served:
        yield served


@pytest.fixture
def votes():
    """How many votes may be cast: all, unless a test takes them away."""
    return threading.Semaphore(100)


@pytest.fixture
def gated_desk(tmp_path, votes):
    """A desk whose votes wait for `votes`."""
    with desk_of(tmp_path / "run", method=gated(votes)) as served:
        yield served


@pytest.fixture
def view(browser, gated_desk):
    """Open a page of the gated desk in the browser; options are those of the browser's context."""
    with opener(browser) as opened:
        yield lambda path="/", **options: opened(gated_desk.address + path, **options)
