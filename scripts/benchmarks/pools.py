"""What embed, libraries and vectors share: the sentences of real claims' stores, and queries with
known best sentences."""

import json
import math
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.benchmarks.sides import pages_of, with_goal
from scripts.reference import reference_data
from uhhrag.protocols import Embedder
from uhhrag.store.passages import distinct_lines

Rows = NDArray[np.float32]


@dataclass(frozen=True)
class Pools:
    """Distinct `texts`; of each claim the rows of its own and its queries: the claim and the
    questions annotators asked about it."""

    texts: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    queries: tuple[tuple[str, ...], ...]

    @property
    def all_queries(self) -> tuple[str, ...]:
        return tuple(query for of_claim in self.queries for query in of_claim)


def parser(about: str | None) -> ArgumentParser:
    found = with_goal(about)
    found.add_argument("--averitec", type=Path, default=reference_data(), help="reference data")
    found.add_argument("--claims", type=int, default=60, help="how many claims")
    found.add_argument("--embedder", default="minilm", help="a model's name or folder")
    return found


def read_pools(averitec: Path, claims: int, file: str = "dev60.json") -> Pools:
    entries = json.loads((averitec / file).read_text(encoding="utf-8"))[:claims]
    row_of: dict[str, int] = {}
    rows = []
    for claim_id in range(len(entries)):
        texts = distinct_lines(pages_of(averitec / "knowledge_store", claim_id)).texts
        rows.append(tuple(row_of.setdefault(text, len(row_of)) for text in texts))
    queries = [(e["claim"], *(q["question"] for q in e["questions"])) for e in entries]
    return Pools(tuple(row_of), tuple(rows), tuple(map(tuple, queries)))


def best(scores: Rows, top: int) -> NDArray[np.int64]:
    return np.argsort(-scores, kind="stable")[:top]


def ndcg(gains: Sequence[int], every: Sequence[int]) -> float:
    """nDCG@10 of a ranking's gains (Järvelin and Kekäläinen 2002); `every` has those of all
    relevant texts.

    >>> ndcg([0, 1], [1])
    0.6309297535714575
    """

    def dcg(values: Sequence[int]) -> float:
        return sum(value / math.log2(place + 2) for place, value in enumerate(values[:10]))

    ideal = dcg(sorted(every, reverse=True))
    return dcg(gains) / ideal if ideal else 0.0


def contenders(pools: Pools, exact: Rows, queries: Rows, top: int) -> list[NDArray[np.int64]]:
    """For each query the rows of its claim's `top` best texts, best first."""
    found, number = [], 0
    for rows, of_claim in zip(pools.rows, pools.queries, strict=True):
        own = np.array(rows)
        for _ in of_claim:
            found.append(own[best(exact[own] @ queries[number], top)])
            number += 1
    return found


def agreement(
    near: Sequence[NDArray[np.int64]], texts: Sequence[str], queries: Sequence[str], embed: Embedder
) -> tuple[float, int]:
    """The share of each query's ten best texts that another embedder has among its own ten best of
    `near` (which holds many more than ten, best first), and how many texts it embedded for it."""
    needed = sorted({int(row) for rows in near for row in rows})
    vectors = dict(zip(needed, embed([texts[row] for row in needed]), strict=True))
    shares = []
    for rows, query in zip(near, embed(list(queries)), strict=True):
        chosen = best(np.stack([vectors[int(row)] for row in rows]) @ query, 10)
        shares.append(np.mean(chosen < 10))
    return float(np.mean(shares)), len(needed)
