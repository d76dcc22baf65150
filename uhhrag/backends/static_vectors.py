"""Normalised sums of a BERT's word embeddings, or of a table (`scripts/static_vectors.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from uhhrag.backends.bert_files import Tokens, file_tokens, is_plain_bert
from uhhrag.protocols import Embedder
from uhhrag.system.text_files import encodable
from uhhrag.system.writing import remove

TABLE = "static.safetensors"
_WORDS, _READ = "embeddings.word_embeddings.weight", 256
"""Weight's name; tokens of a text."""
_MODEL = "embedder"
_STEPS = 127


def of_words(folder: Path) -> Embedder | None:
    """None if unreadable, or no plain BERT."""
    try:
        return _summed(*word_table(folder)) if is_plain_bert(folder) else None
    except (OSError, ValueError, StopIteration, SafetensorError):
        return None


def of_table(file: Path, folder: Path) -> Embedder | None:
    """`folder` has the tokenizer; None if unreadable."""
    try:
        with safe_open(file, "np") as stored:
            table = stored.get_tensor("table").astype(np.float32)
            table *= stored.get_tensor("scale")[:, None]
        return _summed(table, file_tokens(folder, _READ, special=False))
    except (OSError, ValueError, SafetensorError):
        return None


def model_of(file: Path) -> str:
    """The model's fingerprint, or ""."""
    try:
        with safe_open(file, "np") as stored:
            return str((stored.metadata() or {}).get(_MODEL, ""))
    except (OSError, SafetensorError):
        return ""


def word_table(folder: Path) -> tuple[NDArray[np.float32], Tokens]:
    """Shape (tokens, dimension)."""
    with safe_open(folder / "model.safetensors", "np") as weights:
        name = next(name for name in weights.keys() if name.endswith(_WORDS))  # noqa: SIM118
        table = weights.get_tensor(name).astype(np.float32)
    return table, file_tokens(folder, _READ, special=False)


def save(file: Path, table: NDArray[np.float32], fingerprint: str) -> None:
    """`table`: shape (tokens, dimension)."""
    scale = np.maximum(np.abs(table).max(axis=1), np.float32(1e-12)) / np.float32(_STEPS)
    whole = np.rint(table / scale[:, None]).astype(np.int8)
    remove(file)
    save_file({"table": whole, "scale": scale}, file, {_MODEL: fingerprint})


def _summed(table: NDArray[np.float32], tokens: Tokens) -> Embedder:
    def embed(texts: Sequence[str], /) -> NDArray[np.float32]:
        rows = np.empty((len(texts), table.shape[1]), np.float32)
        for row, ids in enumerate(tokens([*map(encodable, texts)])):
            rows[row] = table[ids].sum(axis=0)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))
        return rows

    return embed
