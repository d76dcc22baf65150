"""The numbers of a corpus's search, chosen on claims that no result is reported of: `scripts/bench
corpus choices`.

Both engines and the cross-encoder are asked once for each claim of SciFact's training set; then the
rankings are joined in every way below, and each way is scored as `quality` does. The first line of
each table is how a corpus is searched now.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scripts.benchmarks import pools
from uhhrag import defaults
from uhhrag.corpus.excerpt import excerpts
from uhhrag.corpus.filters import NO_FILTER
from uhhrag.corpus.search import DEPTH, RANK_CONSTANT, spread
from uhhrag.corpus.snapshot import open_corpus
from uhhrag.corpus.vector_index import CorpusVectors
from uhhrag.corpus.windows import text_of
from uhhrag.system.terminal import progress
from uhhrag.wiring import embedders, rerankers
from uhhrag.wiring.machine import Machine

Json = dict[str, Any]
CONSTANTS = (RANK_CONSTANT, 5, 10, 20, 40, 100)
WEIGHTS = (1.0, 0.5, 0.7, 1.5, 2.0)
"""What the rank among the vectors counts, where that in the full text counts 1."""
READ = (defaults.RERANK, 10, 20, 50)
SHARES = (defaults.RERANK_SHARE, 1.0, 0.9, 0.8, 0.6, 0.5, 0.4, 0.3)
"""The share of the cross-encoder in the last score; the rest is that of the fused ranking."""
EXCERPTS = (defaults.EXCERPT, 0, 200, 300)
"""Characters that the cross-encoder reads of a passage; 0: all of it."""
Ranked = Sequence[int]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was found for a claim: the documents wanted, those with a rationale, passages by each
    engine, best first, and what the cross-encoder gives each of the best passages, by how many
    characters of them it reads."""

    wanted: frozenset[str]
    rationale: frozenset[str]
    text: Ranked
    vectors: Ranked
    read: Mapping[int, Mapping[int, float]]


def choices(options: argparse.Namespace) -> Json:
    """Every way of joining the rankings, scored over the claims of a split, or so many of them."""
    lines = (options.data / f"claims_{options.split}.jsonl").read_text().splitlines()
    draw = random.Random(0)  # noqa: S311 - drawn to be drawn again
    number = min(options.claims or len(lines), len(lines))
    claims = [json.loads(lines[at]) for at in sorted(draw.sample(range(len(lines)), number))]
    corpus = options.work / "scifact"
    kept = options.work / f"asked-{options.split}-{number}.json"
    if not kept.exists():
        kept.write_text(json.dumps(asked(corpus, claims)))
    found = json.loads(kept.read_text())
    names: list[str] = found["documents"]
    everything = [
        Asked(
            frozenset(map(str, claim["cited_doc_ids"])),
            frozenset(claim["evidence"]),
            one["text"],
            one["vectors"],
            {
                int(longest): {int(number): score for number, score in scores.items()}
                for longest, scores in one["read"].items()
            },
        )
        for claim, one in zip(claims, found["claims"], strict=True)
    ]

    def table(ways: Mapping[str, Callable[[Asked], Ranked]]) -> Json:
        return {name: means(everything, way, names) for name, way in ways.items()}

    fused = {
        f"constant {k}, vectors count {w}": lambda one, k=k, w=w: joined(one, k, w)
        for k, w in [*((k, 1.0) for k in CONSTANTS), *((RANK_CONSTANT, w) for w in WEIGHTS[1:])]
    }
    read = {
        f"{d} read, {c or 'all'} characters, their share {s}": (
            lambda one, d=d, s=s, c=c: reranked(one, d, s, c)
        )
        for d in READ
        for c in EXCERPTS
        for s in SHARES
    }
    single = {"text": lambda one: one.text, "vectors": lambda one: one.vectors}
    known = {
        "claims": number,
        "split": options.split,
        f"seconds to read {max(READ)}": found["seconds"],
    }
    return {**known, **table({**single, **fused, **read})}


def asked(folder: Path, claims: Sequence[Json]) -> Json:
    """What both engines and the cross-encoder say of each claim."""
    snapshot = open_corpus(folder)
    vectors = snapshot.manifest.vectors
    if vectors is None:
        raise SystemExit(f"choices: {folder} has no vectors; run: uhhrag corpus embed {folder}")
    nearest = CorpusVectors(snapshot, vectors).nearest
    embed, identity = embedders.load_embedder(vectors.embedder.name)
    static = embedders.load_static(vectors.embedder.name, identity)
    relevance = rerankers.load_reranker(defaults.RERANKER, Machine()).model.relevance
    queries = embed([claim["claim"] for claim in claims])
    found = []
    seconds: dict[int, list[float]] = {longest: [] for longest in EXCERPTS}
    for claim, query in progress(zip(claims, queries, strict=True), len(claims), "claims"):
        if snapshot.text is None:
            raise SystemExit(f"choices: {folder} is empty")
        text = snapshot.text.search(claim["claim"], DEPTH, NO_FILTER.text)[0].tolist()
        near = nearest(query, DEPTH, NO_FILTER).tolist()
        first = Asked(frozenset(), frozenset(), text, near, {})
        best = joined(first, RANK_CONSTANT, 1.0)[: max(READ)]
        passages = [snapshot.passage(number) for number in best]
        read = {}
        for longest in EXCERPTS:
            parts: Sequence[Sequence[str]] = [page.part(place) for page, place in passages]
            if longest and static:
                parts = excerpts(claim["claim"], parts, static.embed, longest)
            texts = [text_of(page.title, p) for (page, _), p in zip(passages, parts, strict=True)]
            begun = time.perf_counter()
            scores = relevance(claim["claim"], texts).tolist()
            seconds[longest].append(time.perf_counter() - begun)
            read[longest] = dict(zip(best, scores, strict=True))
        found.append({"text": text, "vectors": near, "read": read})
    documents = [snapshot.page(d).url.partition("#")[2] for d in range(len(snapshot.live))]
    spent = {longest: float(np.median(times)) for longest, times in seconds.items()}
    return {
        "seconds": spent,
        "claims": found,
        "documents": [documents[d] for d in snapshot.document.tolist()],
    }


def scores_of(one: Asked, constant: int, weight: float) -> dict[int, float]:
    """The score of each passage that an engine found, by its ranks."""
    scores: dict[int, float] = {}
    for ranking, counts in ((one.text, 1.0), (one.vectors, weight)):
        for place, number in enumerate(ranking, start=1):
            scores[number] = scores.get(number, 0.0) + counts / (constant + place)
    return scores


def joined(one: Asked, constant: int, weight: float) -> Ranked:
    """Passages by their ranks in both engines."""
    scores = scores_of(one, constant, weight)
    return sorted(scores, key=lambda number: (-scores[number], number))


def reranked(one: Asked, depth: int, share: float, longest: int) -> Ranked:
    """The first passages in the order of what the cross-encoder and the fused ranking give them,
    each brought to 0 to 1 over these passages; then the others."""
    first = joined(one, RANK_CONSTANT, 1.0)
    before = scores_of(one, RANK_CONSTANT, 1.0)
    head = first[:depth]
    given = one.read[longest]
    read = spread(np.array([given[n] for n in head]))
    fused = spread(np.array([before[n] for n in head]))
    scores = share * read + (1 - share) * fused
    return [head[at] for at in np.argsort(-scores, kind="stable")] + list(first[depth:])


def means(
    claims: Iterable[Asked], way: Callable[[Asked], Ranked], names: Sequence[str]
) -> dict[str, float]:
    """nDCG@10 and recall@10 of the wanted documents, and the share of the claims with a rationale
    for which one of its documents is among ten passages."""
    rows, rationales = [], []
    for one in claims:
        passages = way(one)
        ranked = list(dict.fromkeys(names[number] for number in passages))[:10]
        ndcg = pools.ndcg([doc in one.wanted for doc in ranked], [1] * len(one.wanted))
        rows.append((ndcg, len(one.wanted & set(ranked)) / len(one.wanted)))
        if one.rationale:
            ten = {names[number] for number in passages[:10]}
            rationales.append(float(bool(ten & one.rationale)))
    gains, recalls = np.mean(rows, axis=0).tolist()
    return {
        "nDCG@10": round(gains, 4),
        "recall@10": round(recalls, 4),
        "rationale document in ten passages": round(float(np.mean(rationales)), 4),
    }
