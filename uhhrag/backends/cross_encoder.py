"""Reranker: a cross-encoder as ONNX, in a folder with `model.onnx` and `tokenizer.json`.

Query and text are read together, one pair at a time: a quantised model takes the scale of its
activations over all it is given, so a pair's score would otherwise depend on its neighbours. Each
pair is read by one thread, and several threads read several pairs: two threads that share the
products of one short text wait for each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from uhhrag.errors import ModelError, first_line
from uhhrag.protocols import Reranker

LIMIT = 512
"""tokens of query and text together, the three special ones included (BERT's length)"""


def load(folder: Path, threads: int) -> Reranker:
    """The model of `folder`. Raises ModelError where it is missing or cannot be loaded."""
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # both libraries raise bare Exceptions of their own
        reason = first_line(error)
        raise ModelError(f"{folder}: the reranker cannot be loaded: {reason}") from error
    model = _CrossEncoder(session, tokenizer, threads)
    return Reranker(model.relevance, model.tokens, LIMIT)


class _CrossEncoder:
    """An ONNX session that reads pairs of texts, with the tokenizer it was trained with, so many
    pairs at once."""

    def __init__(self, session: Any, tokenizer: Any, threads: int) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._session, self._tokenizer = session, tokenizer
        self._pair_tokenizer = Tokenizer.from_str(tokenizer.to_str())
        # A query so long that no text fits beside it is truncated too, by the longer of the two.
        self._pair_tokenizer.enable_truncation(LIMIT, strategy="longest_first")
        self._inputs = [tensor.name for tensor in session.get_inputs()]
        self._threads = max(1, threads)

    def relevance(self, query: str, texts: Sequence[str], /) -> NDArray[np.float32]:
        """How relevant each text is to the query, higher is better; shape (texts,)."""
        with ThreadPoolExecutor(self._threads, "uhhrag-rerank") as workers:
            scores = workers.map(lambda text: self._score(query, text), texts)
            return np.fromiter(scores, np.float32, len(texts))

    def tokens(self, text: str) -> int:
        """The tokens of a text, without special ones."""
        return len(self._tokenizer.encode(_encodable(text), add_special_tokens=False).ids)

    def _score(self, query: str, text: str) -> float:
        encoded = self._pair_tokenizer.encode(_encodable(query), _encodable(text))
        rows = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        tensors = {name: np.array([rows[name]], np.int64) for name in self._inputs}
        return float(self._session.run(None, tensors)[0].ravel()[0])


def _encodable(text: str) -> str:
    """A text without lone surrogates, which no tokenizer takes."""
    return text.encode("utf-8", "replace").decode()
