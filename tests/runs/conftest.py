"""Fixtures that several files of tests/runs share."""

from __future__ import annotations

import pytest

from tests.support.small_run import run_all


@pytest.fixture
def folder(tmp_path):
    """A finished run of four claims."""
    list(run_all(tmp_path / "run"))
    return tmp_path / "run"
