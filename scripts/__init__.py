"""Programs for people who work on uhhrag; run from the root of the repository.

Shell scripts set up, test, check and demonstrate. The Python modules here are run as
`python -m scripts.NAME`, the benchmarks as `scripts/bench NAME`.
"""
