"""A corpus's own engines beside a table of LanceDB, in one run: `scripts/bench corpus backends`."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uhhrag.corpus import lance
from uhhrag.corpus.engines import Engines, engines_of
from uhhrag.corpus.filters import NO_FILTER, CorpusLimits, DocumentFilter
from uhhrag.corpus.search import DEPTH
from uhhrag.corpus.snapshot import open_corpus
from uhhrag.records import Claim
from uhhrag.store.filters import read_limits
from uhhrag.wiring import embedders

Json = dict[str, Any]
Asked = Callable[[DocumentFilter], NDArray[np.int64]]
"""A query that is asked already but for its limits → the numbers of passages, best first."""


def backends(options: argparse.Namespace) -> Json:
    """Seconds to publish, bytes, milliseconds of a search by each way of each backend, and how many
    of the ten best are the same."""
    corpus, place = options.data, options.work / f"{options.data.name}.lance"
    begun, spent = time.perf_counter(), time.process_time()
    passages = sum(1 for _ in lance.publish(corpus, place))
    measured: Json = {
        "passages": passages,
        "seconds to publish": round(time.perf_counter() - begun, 1),
        "of the processor": round(time.process_time() - spent, 1),
        "bytes a passage in the table": round(size_of(place) / passages),
    }
    snapshot = open_corpus(corpus)
    state = snapshot.manifest
    measured["bytes a passage of text and vectors here"] = round(
        sum(
            entry.size
            for name, entry in state.named().items()
            if name.startswith(("text", "vectors"))
        )
        / passages
    )
    unpublished = replace(snapshot, manifest=replace(state, published=None))
    both = (engines_of(unpublished), engines_of(snapshot))
    limits = CorpusLimits(snapshot, read_limits("2005-01-01", None, undated=False))
    filters = {"all": NO_FILTER, "filtered": limits.for_claim(Claim(0, "?"))}
    texts = [json.loads(line)["claim"] for line in options.queries.read_text().splitlines()]
    vectors = None
    if state.vectors and state.vectors.parts:
        vectors = embedders.load_embedder(state.vectors.embedder.name)[0](texts)
    for name, leaving_out in filters.items():
        measured[f"text, {name}"] = beside([by_text(e, texts) for e in both], leaving_out)
        if vectors is not None:
            near = [by_vectors(e, vectors) for e in both]
            measured[f"vectors, {name}"] = beside(near, leaving_out)
    lance.withdraw(corpus)
    return measured


def by_text(engines: Engines, texts: Sequence[str]) -> list[Asked]:
    matching = engines.matching
    if matching is None:
        raise SystemExit("corpus: it is empty")
    return [lambda out, text=text: matching(text, DEPTH, out) for text in texts]  # type: ignore[misc]


def by_vectors(engines: Engines, vectors: NDArray[np.float32]) -> list[Asked]:
    nearest = engines.nearest
    if nearest is None:
        raise SystemExit("corpus: it has no vectors")
    return [lambda out, vector=vector: nearest(vector, DEPTH, out) for vector in vectors]  # type: ignore[misc]


def beside(both: Sequence[Sequence[Asked]], leaving_out: DocumentFilter) -> Json:
    """The queries asked of each backend in turn."""
    spent: tuple[list[float], list[float]] = ([], [])
    same = []
    for pair in zip(*both, strict=True):
        found = []
        for query, seconds in zip(pair, spent, strict=True):
            begun = time.perf_counter()
            found.append(set(query(leaving_out)[:10].tolist()))
            seconds.append(time.perf_counter() - begun)
        same.append(len(found[0] & found[1]) / len(found[0]) if found[0] else 1.0)
    names = ("here", "LanceDB")
    return {
        "the same of ten": round(float(np.mean(same)), 4),
        **{
            f"{name}, p50 and p95 in ms": [
                round(1000 * float(np.percentile(seconds, p)), 1) for p in (50, 95)
            ]
            for name, seconds in zip(names, spent, strict=True)
        },
    }


def size_of(folder: Path) -> int:
    """The bytes of all files below a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
