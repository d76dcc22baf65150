"""Time our embedder against SentenceTransformer.encode with its defaults, on the same sentences.

Ours is in the numbers that are fastest on this processor, and in float32 beside them. Sentences
are drawn from the stores of real claims, each once. All sides take turns in one process, and CPU
seconds of all threads count, since others may use the machine too. Then: how many of each query's
ten best sentences by the library's float32 vectors ours has among its ten best, over claims and the
annotators' questions; and what embedding each sentence once for all claims saves. `--index` takes
the library's vectors from an index built with --precision fp32, instead of making them anew.

Fails where ours is not 1.5 (float32), 3 (bfloat16) or 4 times (with AMX) as fast as the library.

usage: scripts/bench embed [--sentences N] [--rounds N] [--claims N] [--index FOLDER]
"""

import sys
from functools import partial
from pathlib import Path

import numpy as np

from scripts.benchmarks.pools import Pools, Rows, agreement, contenders, parser, read_pools
from scripts.benchmarks.sides import begin, in_turn, peak_of, ratio, show
from uhhrag import models
from uhhrag.backends import kernels, sentence_transformer
from uhhrag.indexing import index_folder
from uhhrag.protocols import Embedder

FASTER = {kernels.FP32: 1.5, kernels.BF16: 3.0, kernels.BF16_AMX: 4.0}
"""How many times as fast as the library ours is to be, by its numbers."""
SAME = 0.99
NEAR = 30


def library(folder: Path) -> Embedder:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    return partial(model.encode, show_progress_bar=False)


def exact_vectors(pools: Pools, folder: Path | None, encode: Embedder) -> Rows:
    if folder is None:
        return encode(pools.texts)
    opened, row_of = index_folder.open_index(folder), {t: i for i, t in enumerate(pools.texts)}
    exact = np.full((len(row_of), opened.header.recipe.embedder.dimension), np.nan, np.float32)
    for claim_id in range(len(pools.rows)):
        claim = index_folder.load_claim(opened, claim_id)
        found = claim.vectors.reconstruct_n(0, claim.vectors.ntotal)
        exact[[row_of[hit.passage.text] for hit in claim.hits]] = found
    return exact


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--sentences", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--index", type=Path, help="an index of the claims, of fp32 vectors")
    given = options.parse_args()
    folder = models.path(given.embedder)
    pools = read_pools(given.averitec, given.claims)
    drawn = np.random.default_rng(0).choice(len(pools.texts), given.sentences, replace=False)
    some = [pools.texts[row] for row in drawn]
    begin()
    numbers = kernels.fastest()
    ours, grown = peak_of(lambda: sentence_transformer.load(folder, numbers=numbers))
    print(f"memory    {grown:.0f} MiB more with the model, ", end="")
    print(f"{peak_of(lambda: ours(some))[1]:.0f} more while it embeds, ", end="")
    exact, encode = sentence_transformer.load(folder), library(folder)
    print(f"{peak_of(lambda: encode(some))[1]:.0f} while the library does")
    sides = {"library": encode, kernels.FP32: exact, numbers: ours}
    times = in_turn({name: partial(side, some) for name, side in sides.items()}, given.rounds)
    show(times, numbers)
    faster = ratio(times, "library", numbers)
    total = sum(map(len, pools.rows))
    print(
        f"once      {total} sentences of {len(pools.rows)} claims are {len(pools.texts)} distinct"
    )
    vectors, queries = exact_vectors(pools, given.index, encode), encode(pools.all_queries)
    near = contenders(pools, vectors, queries, NEAR)
    same, count = agreement(near, pools.texts, pools.all_queries, ours)
    print(f"same      {same:.4f} of the ten best, {len(near)} queries, {count} sentences embedded")
    if (faster < FASTER[numbers] or same < SAME) and not given.force:
        goal = FASTER[numbers]
        sys.exit(f"not {goal:g} times as fast as the library at {SAME:.0%} the same ten best")


if __name__ == "__main__":
    main()
