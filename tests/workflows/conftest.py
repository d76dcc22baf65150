"""Fixtures that several files of tests/workflows share."""

from __future__ import annotations

import pytest

from tests.support.ray_cluster import several_nodes


@pytest.fixture(scope="package")
def cluster():
    with several_nodes() as nodes:
        yield nodes
