"""Where the reference data stand; tests that need them are skipped where they are absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference data: the folder UHHRAG_SHARED names, else `shared` beside the checkout."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("UHHRAG_SHARED", beside))
    if not folder.is_dir():
        pytest.skip(f"no reference data at {folder}; set UHHRAG_SHARED to run this test")
    return folder
