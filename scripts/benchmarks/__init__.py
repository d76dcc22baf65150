"""Benchmarks: uhhrag and the obvious implementation in turn, on the same data.

`scripts/bench NAME` runs one. `sides`, `llm_sides`, `memory` and `pools` hold what several of them
share.
"""
