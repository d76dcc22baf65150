"""A reranker: a cross-encoder as ONNX (`model.onnx`, `tokenizer.json`).

One pair per run: quantised models scale activations over all inputs. One thread per pair: threads
that share a short text wait for each other."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from uhhrag.backends.libraries import encodable
from uhhrag.errors import ModelError, first_line
from uhhrag.protocols import Reranker

LIMIT = 512
"""Tokens of query and text with special ones (BERT's length)."""


def load(folder: Path, threads: int) -> Reranker:
    """The model of a folder, tried with a pair. Raises ModelError."""
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        model = _CrossEncoder(session, tokenizer, threads)
        model.relevance("one text", ["another"])
    except Exception as error:  # both libraries raise bare Exceptions of their own
        reason = first_line(error)
        raise ModelError(f"{folder}: the reranker cannot be loaded: {reason}") from error
    return Reranker(model.relevance, model.tokens, LIMIT)


class _CrossEncoder:
    def __init__(self, session: Any, tokenizer: Any, threads: int) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._session, self._tokenizer = session, tokenizer
        self._pair_tokenizer = Tokenizer.from_str(tokenizer.to_str())
        # Longest first: a query may leave no room for a text.
        self._pair_tokenizer.enable_truncation(LIMIT, strategy="longest_first")
        self._inputs = [tensor.name for tensor in session.get_inputs()]
        self._threads = max(1, threads)

    def relevance(self, query: str, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Relevance of each text, higher is better; shape (texts,)."""
        with ThreadPoolExecutor(self._threads, "uhhrag-rerank") as workers:
            scores = workers.map(lambda text: self._score(query, text), texts)
            return np.fromiter(scores, np.float32, len(texts))

    def tokens(self, text: str) -> int:
        """Number of tokens without special ones."""
        return len(self._tokenizer.encode(encodable(text), add_special_tokens=False).ids)

    def _score(self, query: str, text: str) -> float:
        encoded = self._pair_tokenizer.encode(encodable(query), encodable(text))
        rows = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        tensors = {name: np.array([rows[name]], np.int64) for name in self._inputs}
        scores = self._session.run(None, tensors)[0].ravel()
        if len(scores) != 1:
            raise ValueError(f"it has {len(scores)} numbers for a pair, not one")
        return float(scores[0])
