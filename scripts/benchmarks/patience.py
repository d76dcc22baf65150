"""How much of a pool must be embedded: `index --patience` against the ten nearest of the whole.

Two archives. `stores`: the sentences of all claims' stores together, so that each claim has a pool
of 10,000 among as many sentences on other things. `scifact`: the sentences of SciFact's abstracts
hidden in 300,000 lines, as `scripts.make_store` makes them, with claims of its training set. Pools
are ordered by BM25 alone, by BM25 and the static vectors of the embedder's own word embeddings, and
by BM25 and trained ones, as a patience does for the default embedder. Counted are the
passages embedded, the share of the ten nearest to the claim that are among them, the smallest
such share of a claim, and the share for the annotators' questions, which approaches that search by
questions ask.

usage: scripts/bench patience [stores|scifact] [--averitec DIR] [--claims N] [--work DIR]
"""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.benchmarks import pools
from scripts.benchmarks.sides import commit, machine
from scripts.make_store import Words, lines_of, pages
from uhhrag.defaults import POOL
from uhhrag.indexing.best_first import (
    NEAREST,
    STEP,
    embed_until,
    places_best_first,
)
from uhhrag.indexing.bm25 import best, scores_of
from uhhrag.protocols import Embedder
from uhhrag.wiring import embedders, nltk_data

PATIENCES = (250, 500, 750, 1_000, 2_000, 3_000)
LINES = 300_000
Counted = tuple[float, float, float]


def main() -> None:
    parser = pools.parser(__doc__.split("\n")[0])
    parser.add_argument("archive", nargs="?", choices=["stores", "scifact"], default="stores")
    parser.add_argument("--work", type=Path, default=Path("patience.work"))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    nltk_data.load_nltk_data()
    read = scifact if options.archive == "scifact" else stores
    texts, queries = read(options.averitec, options.claims)
    memory = options.work / "vectors.sqlite"
    embed, identity = embedders.load_embedder(options.embedder, memory=memory)
    own = embedders.load_static(options.embedder, identity, trained=False)
    best_known = embedders.load_static(options.embedder, identity)
    orders: dict[str, Embedder | None] = {"BM25": None}
    orders |= {f"BM25 and {static.order}": static.embed for static in (own, best_known) if static}
    print(f"{machine()}, {commit()}; {len(texts)} sentences, {len(queries)} claims\n")
    print(
        f"| order | patience | embedded | the {NEAREST} nearest to the claim | least | a question |"
    )
    print("|---|---:|---:|---:|---:|---:|")
    rows: dict[tuple[str, int], list[Counted]] = {}
    for asked in queries:
        for key, counted in of_claim(asked, texts, embed, orders):
            rows.setdefault(key, []).append(counted)
    for (order, patience), counts in rows.items():
        count, claims, questions = np.array(counts).mean(axis=0)
        least = min(share for _, share, _ in counts)
        shares = f"{claims:.3f} | {least:.1f} | {questions:.3f}"
        print(f"| {order} | {patience} | {count:,.0f} | {shares} |")


def stores(averitec: Path, claims: int) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    read = pools.read_pools(averitec, claims)
    return read.texts, read.queries


def scifact(averitec: Path, claims: int) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Distinct lines, and claims spread over the training set."""
    folder = averitec.parent / "scifact"
    abstracts = map(json.loads, (folder / "corpus.jsonl").read_text().splitlines())
    own = list(dict.fromkeys(line for document in abstracts for line in document["abstract"]))
    files = sorted((averitec / "knowledge_store").glob("*.json"))
    others = list(dict.fromkeys(itertools.chain.from_iterable(map(lines_of, files))))
    made = pages(own, Words(others, 7), LINES)
    every = [json.loads(line) for line in (folder / "claims_train.jsonl").read_text().splitlines()]
    chosen = every[:: max(1, len(every) // claims)][:claims]
    lines = dict.fromkeys(line for _, page in made for line in page)
    return tuple(lines), [(claim["claim"],) for claim in chosen]


def of_claim(
    asked: Sequence[str],
    texts: Sequence[str],
    embed: Embedder,
    orders: Mapping[str, Embedder | None],
) -> Iterator[tuple[tuple[str, int], Counted]]:
    """For each order and patience: passages embedded of a claim's pool, and the shares of the
    nearest among them: of the first query, which is the claim, and of the others."""
    pool = [texts[place] for place in best(scores_of(asked[0], texts), POOL)]
    vectors, queries = embed(pool), embed(list(asked))
    nearest = [pools.best(column, NEAREST) for column in (vectors @ queries.T).T]
    for order, static in orders.items():
        places = places_best_first(asked[0], pool, static)
        for patience in PATIENCES:
            count = embedded(vectors[places], queries[0], patience)
            shares = [float(np.isin(some, places[:count]).mean()) for some in nearest]
            questions = float(np.mean(shares[1:])) if shares[1:] else float("nan")
            yield (order, patience), (count, shares[0], questions)


def embedded(vectors: NDArray[np.float32], claim: NDArray[np.float32], patience: int) -> int:
    """How many vectors, in their order, are computed before a patience ends."""
    steps = (vectors[start : start + STEP] for start in range(0, len(vectors), STEP))
    return len(embed_until(steps, claim, patience))


if __name__ == "__main__":
    main()
