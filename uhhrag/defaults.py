"""Every default that more than one place needs; this file imports nothing.

The numbers of the papers stand with their approaches in `uhhrag.approaches`.
"""

from __future__ import annotations

INDEX = "index"
EMBEDDER = "minilm"
LLM = "qwen2.5-coder-1.5b"
RERANKER = "reranker"
APPROACH = "retrieve-question"
GRANULARITY = "sentence"
DEVICE = "cpu"
RERANK = 30
"""Passages of a corpus that the cross-encoder reads for a claim; more rank no better on training
claims (`notes/`)."""
RERANK_SHARE = 0.7
"""The share of the cross-encoder in the score of a passage that it reads; the rest is that of the
fused ranking. Chosen on training claims, as is EXCERPT (`notes/`)."""
EXCERPT = 400
"""Characters that the cross-encoder reads of a passage at most: the sentences nearest to the claim
by static vectors."""
POOL = 10_000
"""Passages per claim that BM25 keeps (UHH, section 3.1)."""
PATIENCE = 500
"""Passages in a row, none of them among the ten nearest to the claim, after which the rest of a
pool is not embedded, for an embedder with trained static vectors: it keeps 99 % of the ten
nearest (docs/benchmarks.md). Others embed all, as the paper does."""
SEED = 0
BOOTSTRAP_SEED = 0
RESAMPLES = 1000
UNCLEAR_BELOW = 0.5
"""The confidence below which a verdict for a side is called unclear: it is more likely wrong than
right."""
CALIBRATION_CLAIMS, CALIBRATION_EVIDENCE = 100, 6
"""Claims that `calibrate` draws, and pieces of evidence per claim."""
