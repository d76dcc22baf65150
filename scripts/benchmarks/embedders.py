"""Embedders side by side: how well they find, how long they read, how much memory they take.

SciFact: the nDCG@10 of the cited abstracts (title and text) among all 5,183, by claims of its
training and dev sets. AVeriTeC: the nDCG@10 of a claim's own sentences, where a sentence is as
relevant as the number of published systems that used it. Times are processor seconds of all
threads. One embedder a process, since each may hold torch to other instructions.

usage: scripts/bench embedders [--embedder NAME_OR_FOLDER] [--claims N] [--averitec DIR]
"""

import json
import resource
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.benchmarks import pools
from scripts.benchmarks.sides import commit, machine
from uhhrag.protocols import Embedder
from uhhrag.text.characters import one_line
from uhhrag.wiring import embedders, nltk_data

TOP, STEP = 10, 512


def main() -> None:
    given = pools.parser(__doc__.split("\n")[0]).parse_args()
    nltk_data.load_nltk_data()
    embed, identity = embedders.load_embedder(given.embedder)
    print(f"{machine()}, {commit()}, {given.embedder} in {identity.precision}\n", flush=True)
    averitec(given.averitec, given.claims, embed)
    scifact(given.averitec.parent / "scifact", embed)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def averitec(folder: Path, claims: int, embed: Embedder) -> None:
    read = pools.read_pools(folder, claims)
    lines = (folder / "qrels.jsonl").read_text(encoding="utf-8").splitlines()
    judged = {entry["claim_id"]: entry["real"] for entry in map(json.loads, lines)}
    vectors, seconds = embedded(read.texts, embed)
    values = []
    for claim, (rows, queries) in enumerate(zip(read.rows, read.queries, strict=True)):
        own = np.array(rows)
        nearest = own[pools.best(vectors[own] @ embed([queries[0]])[0], TOP)]
        used = {one_line(entry["sentence"]): len(entry["systems"]) for entry in judged[claim]}
        gains = [used.get(one_line(read.texts[row]), 0) for row in nearest]
        values.append(pools.ndcg(gains, list(used.values())))
    print(f"AVeriTeC, {claims} claims: nDCG@10 {np.mean(values):.3f}; ", end="")
    print(f"{len(read.texts):,} sentences in {seconds:.0f} CPU s", flush=True)


def scifact(folder: Path, embed: Embedder) -> None:
    documents = [json.loads(line) for line in (folder / "corpus.jsonl").read_text().splitlines()]
    texts = [f"{one['title']}. {' '.join(one['abstract'])}" for one in documents]
    vectors, seconds = embedded(texts, embed)
    for part in ("train", "dev"):
        lines = (folder / f"claims_{part}.jsonl").read_text().splitlines()
        claims = [json.loads(line) for line in lines]
        values = []
        for claim, query in zip(claims, embed([one["claim"] for one in claims]), strict=True):
            nearest = pools.best(vectors @ query, TOP)
            gains = [int(documents[row]["doc_id"] in claim["cited_doc_ids"]) for row in nearest]
            values.append(pools.ndcg(gains, [1] * len(claim["cited_doc_ids"])))
        print(f"SciFact {part}, {len(claims)} claims: nDCG@10 {np.mean(values):.3f}")
    print(f"{len(texts):,} abstracts in {seconds:.0f} CPU s", flush=True)


def embedded(texts: Sequence[str], embed: Embedder) -> tuple[NDArray[np.float32], float]:
    """The vectors, a row per text, and the processor seconds that they took."""
    begun = time.process_time()
    parts = [embed(texts[start : start + STEP]) for start in range(0, len(texts), STEP)]
    return np.concatenate(parts), time.process_time() - begun


if __name__ == "__main__":
    main()
