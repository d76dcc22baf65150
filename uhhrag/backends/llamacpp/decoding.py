"""Runs tokens through llama.cpp for logits or a hidden state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llama_cpp as ll
import numpy as np
from numpy.typing import NDArray

from uhhrag.backends.llamacpp.sequences import BatchToken
from uhhrag.errors import ModelError


def decode_batch(
    context: Any, rows: Sequence[BatchToken], vocabulary: int, gguf: Path
) -> list[NDArray[np.float32]]:
    """Logits after each wanted row, shape (vocabulary,)."""
    with _decoded(context, rows, gguf):
        logits = (ll.llama_get_logits_ith(context, i) for i, row in enumerate(rows) if row.wanted)
        # Copied: llama.cpp reuses the memory for the next batch.
        return [np.ctypeslib.as_array(first, (vocabulary,)).copy() for first in logits]


def decode_state(context: Any, row: BatchToken, width: int, gguf: Path) -> tuple[float, ...]:
    """The state after one token: with embeddings on, llama.cpp computes logits for every row."""
    ll.llama_set_embeddings(context, True)
    try:
        with _decoded(context, [row], gguf):
            state = ll.llama_get_embeddings_ith(context, -1)
            return tuple(np.ctypeslib.as_array(state, (width,)).tolist())
    finally:
        ll.llama_set_embeddings(context, False)


@contextmanager
def _decoded(context: Any, rows: Sequence[BatchToken], gguf: Path) -> Iterator[None]:
    batch = ll.llama_batch_init(len(rows), 0, max(len(row.sequences) for row in rows))
    try:
        batch.n_tokens = len(rows)
        # Token i has place pos[i] in the n_seq_id[i] sequences of seq_id[i]; logits[i] asks for
        # logits.
        for i, row in enumerate(rows):
            batch.token[i], batch.pos[i], batch.logits[i] = row.token, row.position, row.wanted
            batch.n_seq_id[i] = len(row.sequences)
            for j, sequence in enumerate(row.sequences):
                batch.seq_id[i][j] = sequence
        if (code := ll.llama_decode(context, batch)) != 0:
            raise ModelError(f"{gguf.name}: llama.cpp failed to decode (code {code})")
        yield
    finally:
        ll.llama_batch_free(batch)
