"""What FAISS's ways of storing a vector cost: bytes, and the ten and hundred best that change.

Each claim's sentences are embedded and put into one index for each way; claims and the annotators'
questions are searched for in it. Exact is the inner product of the float32 vectors by numpy.

usage: scripts/bench vectors [--claims N] [--index FOLDER]
"""

import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import faiss
import numpy as np

from scripts.benchmarks.pools import Pools, Rows, best, parser, read_pools
from uhhrag.indexing import index_folder
from uhhrag.wiring import embedders

KINDS = ("float32", "fp16", "bf16", "8bit", "6bit", "4bit")


def store(kind: str, rows: Rows) -> faiss.Index:
    if kind == "float32":
        found: faiss.Index = faiss.IndexFlatIP(rows.shape[1])
    else:
        number = getattr(faiss.ScalarQuantizer, f"QT_{kind}")
        found = faiss.IndexScalarQuantizer(rows.shape[1], number, faiss.METRIC_INNER_PRODUCT)
        found.train(rows)
    found.add(rows)
    return found


def claims(pools: Pools, folder: Path | None, embedder: str) -> Iterator[tuple[Rows, Rows]]:
    """For each claim, the vectors of its sentences and queries."""
    opened = index_folder.open_index(folder) if folder else None
    precision = opened.header.recipe.embedder.precision if opened else None
    embed, _ = embedders.load_embedder(embedder, precision=precision)
    for claim_id, (rows, queries) in enumerate(zip(pools.rows, pools.queries, strict=True)):
        if opened:
            flat = index_folder.load_claim(opened, claim_id).vectors
            yield flat.reconstruct_n(0, flat.ntotal), embed(queries)
        else:
            yield embed([pools.texts[row] for row in rows]), embed(queries)


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--index", type=Path, help="an index of the claims, of float32 vectors")
    given = options.parse_args()
    pools = read_pools(given.averitec, given.claims)
    every = list(claims(pools, given.index, given.embedder))
    print("stored as  bytes  same 10  same 100  order of 10  score off by  search")
    base = 0.0
    for kind in KINDS:
        size, tens, hundreds, orders, errors, times = 0, [], [], [], [], []
        for rows, queries in every:
            found = store(kind, rows)
            size += len(faiss.serialize_index(found))
            for query in queries:
                begun = time.perf_counter()
                scores, places = found.search(query[None], len(rows))
                times.append(time.perf_counter() - begun)
                exact, order = rows @ query, places[0][np.lexsort((places[0], -scores[0]))]
                tens.append(np.isin(order[:10], best(exact, 10)).mean())
                hundreds.append(np.isin(order[:100], best(exact, 100)).mean())
                orders.append(bool((order[:10] == best(exact, 10)).all()))
                errors.append(float(np.abs(scores[0] - exact[places[0]]).max()))
        count = sum(len(rows) for rows, _ in every)
        middle = statistics.median(times)
        base = base or middle
        print(
            f"{kind:<9} {size / count:6.0f}  {np.mean(tens):7.4f}  {np.mean(hundreds):8.4f}"
            f"  {np.mean(orders):11.2f}  {max(errors):12.5f}  {middle / base:6.2f}"
        )


if __name__ == "__main__":
    main()
