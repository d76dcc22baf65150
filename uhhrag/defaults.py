from __future__ import annotations

INDEX = "index"
EMBEDDER = "minilm"
LLM = "qwen2.5-coder-1.5b"
RERANKER = "reranker"
APPROACH = "retrieve-question"
GRANULARITY = "sentence"
DEVICE = "cpu"
RERANK = 30
"""Passages the cross-encoder reads; more rank no better (`notes/`)."""
RERANK_SHARE = 0.7
"""The cross-encoder's share of the score, beside the fused ranking's (`notes/`)."""
EXCERPT = 400
"""Characters the cross-encoder reads of a passage, those nearest to the claim."""
POOL = 10_000
"""Passages BM25 keeps per claim (UHH, section 3.1)."""
PATIENCE = 500
"""Passages in a row outside the ten nearest that end embedding (docs/benchmarks.md)."""
SEED = 0
BOOTSTRAP_SEED = 0
RESAMPLES = 1000
UNCLEAR_BELOW = 0.5
"""Less confident verdicts are more likely wrong than right."""
CALIBRATION_CLAIMS, CALIBRATION_EVIDENCE = 100, 6
"""Claims, and evidence of each."""
