"""What inverted lists lose and save, beside the exact search: `scripts/bench corpus lists`."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from uhhrag.corpus import embedding, vector_index
from uhhrag.corpus.manifest import Approximate
from uhhrag.corpus.snapshot import open_corpus
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.system.decode import shaped
from uhhrag.wiring import embedders

Json = dict[str, Any]
PROBES = (16, 32, 64, 128)
HELD_OUT = 200
"""Vectors of a corpus that are searched for where no queries are given."""


def mixed(rows: NDArray[np.float32], wanted: int, seed: int) -> NDArray[np.float16]:
    """Unit vectors between pairs of real ones, with some noise."""
    draw = np.random.default_rng(seed)
    made = np.empty((wanted, rows.shape[1]), np.float16)
    for start in range(0, wanted, 65_536):
        number = min(65_536, wanted - start)
        first, second = (rows[draw.integers(len(rows), size=number)] for _ in range(2))
        share = 0.6 + 0.4 * draw.random((number, 1), np.float32)
        part = share * first + (1 - share) * second
        part += 0.01 * draw.standard_normal(part.shape, np.float32)
        made[start : start + number] = part / np.linalg.norm(part, axis=1, keepdims=True)
    return made


def real_vectors(corpus: Path) -> tuple[NDArray[np.float32], EmbedderId]:
    """The vectors of a corpus, and what made them."""
    snapshot = open_corpus(corpus)
    if snapshot.manifest.vectors is None:
        raise SystemExit(f"corpus: {corpus} has no vectors; run: uhhrag corpus embed {corpus}")
    reader = vector_index.CorpusVectors(snapshot, snapshot.manifest.vectors)
    rows = np.concatenate(reader.parts).astype(np.float32)
    return rows, snapshot.manifest.vectors.embedder


def mixed_rows(corpus: Path, wanted: int) -> tuple[NDArray[np.float16], EmbedderId]:
    """So many vectors: those of a corpus but for the last, and others mixed from these."""
    real, embedder = real_vectors(corpus)
    kept = real[:-HELD_OUT][:wanted]
    rest = mixed(kept, wanted - len(kept), seed=2)
    return np.concatenate((kept.astype(np.float16), rest)), embedder


def lists(options: argparse.Namespace) -> Json:
    """Recall, bytes and time of inverted lists, beside the exact search. Without --queries the last
    vectors of the corpus are searched for, which are not in the lists."""
    rows, embedder = mixed_rows(options.data, options.passages)
    queries = real_vectors(options.data)[0][-HELD_OUT:]
    if options.queries:
        embed, _ = embedders.load_embedder(embedder.name)
        claims = map(json.loads, options.queries.read_text().splitlines())
        queries = embed([claim["claim"] for claim in claims])
    made, built = lists_of(options, rows)
    index: Any = vector_index.open_lists(options.work, made)
    kind = faiss.ScalarQuantizer.QT_fp16
    exact: Any = faiss.IndexScalarQuantizer(rows.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
    for start in range(0, len(rows), 65_536):
        exact.add(rows[start : start + 65_536].astype(np.float32))
    best, spent = timed(lambda query: exact.search(query, 10)[1][0], queries)
    measured: Json = {
        "vectors": len(rows),
        "queries": len(queries),
        "lists": made.lists,
        "seconds of the processor to build": built,
        "exact": {"bytes a vector": 2 * rows.shape[1], "ms": spent},
    }
    for probed in PROBES:
        index.nprobe = probed

        def search(query: NDArray[np.float32]) -> NDArray[np.int64]:
            near = index.search(query, 400)[1][0]
            near = near[near >= 0]
            scores = rows[near].astype(np.float32) @ query[0]
            chosen: NDArray[np.int64] = near[np.argsort(-scores, kind="stable")[:10]]
            return chosen

        found, spent = timed(search, queries)
        same = [len({*a.tolist()} & {*b.tolist()}) / 10 for a, b in zip(best, found, strict=True)]
        measured[f"{probed} lists searched"] = {
            "recall of the exact ten": round(float(np.mean(same)), 4),
            "bytes a vector": round(made.file.size / len(rows)),
            "ms": spent,
        }
    return measured


def lists_of(options: argparse.Namespace, rows: NDArray[np.float16]) -> tuple[Approximate, float]:
    """The inverted lists of these rows, and the seconds of the processor that they took; made once
    and kept."""
    kept: Path = options.work / f"lists-{len(rows)}.json"
    if not kept.exists():
        begun = time.process_time()
        made = embedding.make_lists(
            options.work, lambda numbers: rows[numbers], np.arange(len(rows))
        )
        spent = round(time.process_time() - begun, 1)
        kept.write_text(json.dumps({"made": asdict(made), "seconds": spent}))
    known = json.loads(kept.read_text())
    return shaped(Approximate, known["made"]), known["seconds"]


def timed(search: Any, queries: NDArray[np.float32]) -> tuple[list[NDArray[np.int64]], float]:
    """What a search gives for each query, and the median of its milliseconds."""
    results, spent = [], []
    for query in queries:
        begun = time.perf_counter()
        results.append(search(query.reshape(1, -1)))
        spent.append(time.perf_counter() - begun)
    return results, round(1000 * float(np.median(spent)), 2)
