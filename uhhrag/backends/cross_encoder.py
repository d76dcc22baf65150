"""Reranker: a cross-encoder as ONNX, in a folder with `model.onnx` and `tokenizer.json`.

Query and text are read together, one pair at a time: a quantised model takes the scale of its
activations over all it is given, so a pair's score would otherwise depend on its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag.errors import ModelError
from uhhrag.protocols import Reranker

LIMIT = 512
"""tokens of query and text together, the three special ones included (BERT's length)"""


def load(folder: Path, threads: int) -> Reranker:
    """The model of `folder`. Raises ModelError where there is none or it cannot be loaded."""
    import onnxruntime
    from tokenizers import Tokenizer

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # both libraries raise bare Exceptions of their own
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelError(f"{folder}: the reranker cannot be loaded: {reason}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    wanted = [given.name for given in session.get_inputs()]

    def score(query: str, text: str) -> float:
        encoded = pair_tokenizer.encode(_encodable(query), _encodable(text))
        rows = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        given = {name: np.array([rows[name]], np.int64) for name in wanted}
        return float(session.run(None, given)[0].ravel()[0])

    def relevance(query: str, texts: Sequence[str], /) -> NDArray[np.float32]:
        return np.array([score(query, text) for text in texts], np.float32)

    def tokens(text: str) -> int:
        return len(tokenizer.encode(_encodable(text), add_special_tokens=False).ids)

    pair_tokenizer = Tokenizer.from_str(tokenizer.to_str())
    # A query so long that no text fits beside it is cut too, by the longer of the two.
    pair_tokenizer.enable_truncation(LIMIT, strategy="longest_first")
    return Reranker(relevance, tokens, LIMIT)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
