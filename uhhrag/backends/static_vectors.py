"""Static vectors of a plain BERT's tokens: a text's is the sum of those of its tokens, at unit
length. They know nothing of order or context and cost a hundredth of the model's own.

The table is the model's own word embeddings, or one that was trained to give the model's vectors
(`scripts/static_vectors.py`), in whole numbers from -127 to 127 with a scale for each token.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from uhhrag.backends.bert_files import Tokens, file_tokens
from uhhrag.protocols import Embedder
from uhhrag.system.writing import remove

TABLE = "static.safetensors"
"""The file of a trained table."""
_WORDS, _READ = "embeddings.word_embeddings.weight", 256
"""The name of a BERT's word embeddings, and how many tokens of a text a static vector is of."""
_MODEL = "embedder"
_STEPS = 127


def of_words(folder: Path) -> Embedder | None:
    """Static vectors by the word embeddings of a model's folder. None where its files cannot be
    read in this way."""
    try:
        return _summed(*word_table(folder))
    except (OSError, ValueError, StopIteration, SafetensorError):
        return None


def of_table(file: Path, folder: Path) -> Embedder | None:
    """Static vectors by a trained table and the tokeniser of its model's folder. None where one of
    them cannot be read."""
    try:
        with safe_open(file, "np") as stored:
            table = stored.get_tensor("table").astype(np.float32)
            table *= stored.get_tensor("scale")[:, None]
        return _summed(table, file_tokens(folder, _READ, special=False))
    except (OSError, ValueError, SafetensorError):
        return None


def model_of(file: Path) -> str:
    """The fingerprint of the model that a trained table belongs to; "" where it cannot be read."""
    try:
        with safe_open(file, "np") as stored:
            return str((stored.metadata() or {}).get(_MODEL, ""))
    except (OSError, SafetensorError):
        return ""


def word_table(folder: Path) -> tuple[NDArray[np.float32], Tokens]:
    """A BERT's word embeddings, shape (tokens, dimension), and its tokeniser. Raises OSError,
    ValueError, StopIteration or SafetensorError where they cannot be read."""
    with safe_open(folder / "model.safetensors", "np") as weights:
        name = next(name for name in weights.keys() if name.endswith(_WORDS))  # noqa: SIM118
        table = weights.get_tensor(name).astype(np.float32)
    return table, file_tokens(folder, _READ, special=False)


def save(file: Path, table: NDArray[np.float32], fingerprint: str) -> None:
    """Write a trained table, shape (tokens, dimension), of the model with this fingerprint."""
    scale = np.maximum(np.abs(table).max(axis=1), np.float32(1e-12)) / np.float32(_STEPS)
    whole = np.rint(table / scale[:, None]).astype(np.int8)
    remove(file)
    save_file({"table": whole, "scale": scale}, file, {_MODEL: fingerprint})


def _summed(table: NDArray[np.float32], tokens: Tokens) -> Embedder:
    def embed(texts: Sequence[str], /) -> NDArray[np.float32]:
        rows = np.empty((len(texts), table.shape[1]), np.float32)
        encodable = [text.encode("utf-8", "replace").decode() for text in texts]
        for row, ids in enumerate(tokens(encodable)):
            rows[row] = table[ids].sum(axis=0)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))
        return rows

    return embed
