"""The examples for other programs, where their packages are installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.model]
PACKAGES = {"langchain_retriever": "langchain_core", "llama_index_retriever": "llama_index.core"}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_retriever_finds_sentences_with_their_sources(name, tmp_path: Path):
    pytest.importorskip(PACKAGES[name], reason=f"{PACKAGES[name]} is not installed")
    docs = tmp_path / "reports"
    docs.mkdir()
    (docs / "ferry.md").write_text("# The ferry of Lunde\n\nIt was sold in 2019.\n")
    words = [sys.executable, str(ROOT / "examples" / f"{name}.py"), str(docs), "ferry sold"]
    printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "It was sold in 2019. file:ferry.md" in printed
