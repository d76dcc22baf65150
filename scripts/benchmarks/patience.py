"""How much of a pool must be embedded: `index --patience` against the ten nearest of the whole.

The sentences of all claims' stores are put together, so that each claim has a pool of 10,000 among
as many sentences on other things. Counted are the passages embedded, the share of the ten nearest
to the claim that are among them, and the same for the annotators' questions, which approaches that
search by questions ask.

usage: scripts/bench patience [--averitec DIR] [--claims N] [--work DIR]
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.benchmarks import pools
from scripts.benchmarks.sides import commit, machine
from uhhrag.defaults import POOL
from uhhrag.indexing.bm25 import best, scores_of
from uhhrag.indexing.built_claim import NEAREST, STEP, embedded
from uhhrag.wiring import embedders, nltk_data

PATIENCES = (0, 1_000, 2_000, 3_000)


def main() -> None:
    parser = pools.parser(__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, default=Path("patience.work"))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    nltk_data.load_nltk_data()
    read = pools.read_pools(options.averitec, options.claims)
    embed, _ = embedders.load_embedder(options.embedder, memory=options.work / "vectors.sqlite")
    vectors = embed(list(read.texts))
    print(f"{machine()}, {commit()}; {len(read.texts)} sentences, {len(read.queries)} claims\n")
    print(f"| patience | embedded | the {NEAREST} nearest to the claim | to a question |")
    print("|---|---:|---:|---:|")
    rows: dict[int, list[tuple[int, float, float]]] = {patience: [] for patience in PATIENCES}
    for asked in read.queries:
        pool = vectors[best(scores_of(asked[0], read.texts), POOL)]
        queries = embed(list(asked))
        for patience in PATIENCES:
            rows[patience].append(_row(pool, queries, patience))
    for patience, of_claims in rows.items():
        count, claims, questions = np.array(of_claims).mean(axis=0)
        print(f"| {patience or 'none'} | {count:,.0f} | {claims:.3f} | {questions:.3f} |")


def _row(
    pool: NDArray[np.float32], queries: NDArray[np.float32], patience: int
) -> tuple[int, float, float]:
    """Passages embedded of a pool, best first, and the shares of the nearest among them: of the
    first query, which is the claim, and of the others."""
    steps = (pool[start : start + STEP] for start in range(0, len(pool), STEP))
    count = len(embedded(steps, queries[0], patience)) if patience else len(pool)
    similarities = pool @ queries.T
    shares = [float((pools.best(column, NEAREST) < count).mean()) for column in similarities.T]
    return count, shares[0], float(np.mean(shares[1:])) if shares[1:] else 1.0


if __name__ == "__main__":
    main()
