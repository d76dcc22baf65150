"""Stand-ins that several test files share: an embedder without a model, a store, an index plan."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from uhhrag.errors import ModelError
from uhhrag.indexing.build import Plan
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.records import Claim
from uhhrag.wiring import nltk_data

FAKE = EmbedderId("fake", 16, "0" * 64)
CLAIMS = (
    Claim(0, "The cat sat on the mat.", "01-02-2020", "A neighbour"),
    Claim(1, "Dogs bark at the moon."),
    Claim(2, "Cows eat grass all day."),
)
PAGES = (
    [("https://a.example", ["A cat sat there.", "The mat is red."]), ("https://b.example", [])],
    [("https://c.example", ["Dogs bark.", " ", "", "The moon is far."])],
    [
        ("https://d.example", ["Cows eat grass."]),
        ("https://e.example", ["Cows eat grass.", "Hay."]),
    ],
)


def fake_embed(texts: Sequence[str], /) -> NDArray[np.float32]:
    """Unit vectors that follow from the text's bytes alone."""
    seeds = (int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) for text in texts)
    rows = np.array([np.random.default_rng(seed).normal(size=16) for seed in seeds], np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def write_page(url: object, lines: object, **more: object) -> str:
    return json.dumps({"claim_id": "0", "url": url, "url2text": lines, **more})


def write_store(folder: Path, pages: Sequence[Sequence[tuple[str, list[str]]]] = PAGES) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for position, of_claim in enumerate(pages):
        rows = [write_page(url, lines, type="gold", query="?") for url, lines in of_claim]
        (folder / f"{position}.json").write_text("\n".join(rows) + "\n")
    return folder


def plan(tmp_path: Path, **changes: object) -> Plan:
    store = tmp_path / "knowledge_store"
    if not store.exists():
        write_store(store)
    fields = {
        "claims": CLAIMS,
        "store": store,
        "out": tmp_path / "index",
        "recipe": IndexSettings(FAKE),
    }
    return Plan(**{**fields, **changes})


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file below the folder, hidden ones too."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def load_nltk_data() -> None:
    try:
        nltk_data.load_nltk_data()
    except ModelError as error:
        pytest.skip(str(error))
