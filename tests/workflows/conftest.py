"""Fixtures that several files of tests/workflows share."""

from __future__ import annotations

import pytest

from tests.support.ray_cluster import connect, several_nodes


@pytest.fixture(scope="package")
def nodes():
    with several_nodes() as cluster:
        yield cluster


@pytest.fixture
def cluster(nodes):
    """With this process connected to it, whatever the test before left."""
    connect(nodes)
    return nodes
