"""Static embeddings: which passages are near a claim, told roughly and without the real model.

A text is the weighted mean of fixed vectors, one a piece of the vocabulary. They are distilled
from the embedder itself by letting it embed each piece alone (after Model2Vec, Minish Lab 2024),
so there is nothing to download and any embedder with a tokenizer.json will do. A piece weighs
a / (a + its share of the pool's tokens) (Arora et al. 2017, SIF).

Left out: the removal of common components, which gained nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import ModelError
from uhhrag.protocols import CoarseScorer, Embedder

_RARE = 1e-3
"""a: a piece with this share of the tokens counts half of a rare one"""
_LONGEST = 256
"""pieces of a text that count"""
_AT_ONCE = 256
"""texts whose vectors are summed together"""


def distilled(embed: Embedder, folder: Path) -> CoarseScorer:
    """A coarse scorer made of an embedder and the tokeniser in its folder. It embeds the whole
    vocabulary once."""
    tokenizer = _tokenizer(folder)
    pieces = [tokenizer.id_to_token(i) or "" for i in range(tokenizer.get_vocab_size())]
    table = embed([piece.removeprefix("##") for piece in pieces])

    def ids_of(texts: Sequence[str]) -> list[NDArray[np.int64]]:
        encodable = [text.encode("utf-8", "replace").decode() for text in texts]
        found = tokenizer.encode_batch(encodable, add_special_tokens=False)
        return [np.array(one.ids, dtype=np.int64) for one in found]

    def coarse_score(query: str, texts: Sequence[str], /) -> NDArray[np.float32]:
        every = ids_of([query, *texts])
        counts = np.bincount(np.concatenate(every), minlength=len(table))
        weights = (_RARE / (_RARE + counts / max(counts.sum(), 1))).astype(np.float32)
        target = _mean(table, weights, every[:1])[0]
        chunks = range(1, len(every), _AT_ONCE)
        # Not by a matrix product, in which equal rows may come out differing in the last bit.
        scores = [(_mean(table, weights, every[i : i + _AT_ONCE]) * target).sum(1) for i in chunks]
        return np.concatenate([np.empty(0, np.float32), *scores])

    return coarse_score


def _mean(
    table: NDArray[np.float32], weights: NDArray[np.float32], ids: Sequence[NDArray[np.int64]]
) -> NDArray[np.float32]:
    """The unit vectors of texts, zero for a text without a piece."""
    rows = np.stack([weights[of_one] @ table[of_one] for of_one in ids])
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    found: NDArray[np.float32] = rows / np.maximum(norms, np.float32(1e-12))
    return found


def _tokenizer(folder: Path) -> Any:
    from tokenizers import Tokenizer

    file = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # its errors have no class of their own
        raise ModelError(
            f"{file}: --cascade needs the embedder's tokenizer.json, which cannot be read"
        ) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(_LONGEST)
    return tokenizer
