"""A cross-encoder as ONNX, one pair and thread per run: quantised models scale over all inputs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uhhrag.backends.bert_files import file_tokenizer
from uhhrag.backends.libraries import faults_as
from uhhrag.protocols import Reranker
from uhhrag.system.text_files import encodable

LIMIT = 512
"""Tokens of query, text and specials (BERT's)."""


def load(folder: Path, threads: int) -> Reranker:
    """Raises ModelError if a trial pair fails."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when the library is loaded
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    # Both libraries raise bare Exceptions of their own.
    with faults_as(f"{folder}: the reranker cannot be loaded", Exception):
        session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        reranker = _reranker(session, folder, max(1, threads))
        reranker.relevance("one text", ["another"])
    return reranker


def _reranker(session: Any, folder: Path, threads: int) -> Reranker:
    tokenizer, pairs = file_tokenizer(folder), file_tokenizer(folder)
    tokenizer.no_truncation()
    # Longest first: a query may leave no room for a text.
    pairs.enable_truncation(LIMIT, strategy="longest_first")
    inputs = [tensor.name for tensor in session.get_inputs()]

    def relevance(query: str, texts: Sequence[str], /) -> NDArray[np.float32]:
        with ThreadPoolExecutor(threads, "uhhrag-rerank") as workers:
            return np.fromiter(workers.map(partial(score, query), texts), np.float32, len(texts))

    def tokens(text: str) -> int:
        return len(tokenizer.encode(encodable(text), add_special_tokens=False).ids)

    def score(query: str, text: str) -> float:
        encoded = pairs.encode(encodable(query), encodable(text))
        rows = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        tensors = {name: np.array([rows[name]], np.int64) for name in inputs}
        scores = session.run(None, tensors)[0].ravel()
        if len(scores) != 1:
            raise ValueError(f"it has {len(scores)} numbers for a pair, not one")
        return float(scores[0])

    return Reranker(relevance, tokens, LIMIT)
