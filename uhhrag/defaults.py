"""Defaults that several places share."""

from __future__ import annotations

INDEX = "index"
EMBEDDER = "minilm"
LLM = "qwen2.5-coder-1.5b"
RERANKER = "reranker"
APPROACH = "retrieve-question"
GRANULARITY = "sentence"
DEVICE = "cpu"
RERANK = 30
"""Passages that the cross-encoder reads; more rank no better (`notes/`)."""
RERANK_SHARE = 0.7
"""The cross-encoder's share of the score, the rest is the fused ranking's; chosen on training
claims (`notes/`)."""
EXCERPT = 400
"""Characters that the cross-encoder reads of a passage, those nearest to the claim."""
POOL = 10_000
"""Passages per claim that BM25 keeps (UHH, section 3.1)."""
PATIENCE = 500
"""Passages in a row outside the ten nearest, after which the rest is not embedded; 99 % of the ten
nearest stay (docs/benchmarks.md)."""
SEED = 0
BOOTSTRAP_SEED = 0
RESAMPLES = 1000
UNCLEAR_BELOW = 0.5
"""A less confident verdict is unclear: more likely wrong than right."""
CALIBRATION_CLAIMS, CALIBRATION_EVIDENCE = 100, 6
"""Claims for `calibrate`, and pieces of evidence of each."""
