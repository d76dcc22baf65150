from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpora import read_here, write_documents
from tests.support.doubles import load_nltk_data


@pytest.fixture(autouse=True)
def here(monkeypatch) -> None:
    load_nltk_data()
    read_here(monkeypatch)


@pytest.fixture
def docs(tmp_path) -> Path:
    return write_documents(tmp_path / "docs")
