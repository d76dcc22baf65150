"""How well a claim that was checked before is found again, on tweets and Snopes' claims.

    scripts/bench matching FOLDER

FOLDER holds data/v3.zip and test-input/test-input.zip of sshaar/clef2020-factchecking-task2,
unpacked: v3.0/ and test/. MAP@5 and recall@5 are over the tweets of the test; the limit from which
a claim is shown is looked at on the training tweets, once with their claims and once without them.
"""

from __future__ import annotations

import csv
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from uhhrag import defaults
from uhhrag.protocols import Embedder, Relevance
from uhhrag.text.claim_words import plain_claim
from uhhrag.wiring import embedders, rerankers
from uhhrag.wiring.checked_claims import ranking_of
from uhhrag.wiring.loaded import Given
from uhhrag.wiring.machine import Machine

Rank = Callable[[str], list[tuple[int, float]]]
LIMITS = (-4.0, -2.0, 0.0, 1.0, 2.0, 4.0)


def table(file: Path) -> list[list[str]]:
    """The rows of a file of tab-separated values, without its header."""
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream, delimiter="\t"))[1:]


def tweets(folder: Path) -> dict[str, tuple[str, set[int]]]:
    """Each tweet with a claim by its number: its text, and the numbers of its claims."""
    found = {row[0]: (row[1], set[int]()) for row in table(folder / "tweets.queries.tsv")}
    for line in (folder / "tweet-vclaim-pairs.qrels").read_text("utf-8").splitlines():
        tweet, _, claim, _ = line.split("\t")
        found[tweet][1].add(int(claim))
    return {tweet: one for tweet, one in found.items() if one[1]}


def by_vectors(texts: Sequence[str], embed: Embedder) -> Rank:
    vectors = embed(texts)

    def rank(query: str) -> list[tuple[int, float]]:
        cosines = vectors @ embed([query])[0]
        return [(int(n), float(cosines[n])) for n in np.argsort(-cosines, kind="stable")[:5]]

    return rank


def scores(rank: Rank, asked: Mapping[str, tuple[str, set[int]]]) -> tuple[float, float, float]:
    """MAP@5, recall@5 and the share of tweets whose first claim is right."""
    precisions, recalls, firsts = [], [], []
    for text, right in asked.values():
        best = [number for number, _ in rank(plain_claim(text))[:5]]
        hits = [number in right for number in best]
        at = [sum(hits[: n + 1]) / (n + 1) for n, hit in enumerate(hits) if hit]
        precisions.append(sum(at) / len(right))
        recalls.append(sum(hits) / len(right))
        firsts.append(hits[:1] == [True])
    return tuple(float(np.mean(one)) for one in (precisions, recalls, firsts))  # type: ignore[return-value]


def shown(rank: Rank, asked: Mapping[str, tuple[str, set[int]]]) -> list[str]:
    """For each limit how often the right claim is shown, and a wrong one where there is none."""
    first = [(rank(plain_claim(text)), right) for text, right in asked.values()]
    lines = []
    for limit in LIMITS:
        kept = [([n for n, s in found[:3] if s >= limit], right) for found, right in first]
        hit = np.mean([bool(right & set(numbers)) for numbers, right in kept])
        absent = [any(s >= limit for n, s in f[:3] if n not in right) for f, right in first]
        lines.append(f"{limit:>6.1f}  right shown {hit:.3f}  others shown {np.mean(absent):.3f}")
    return lines


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    texts: Sequence[str] = [row[1] for row in table(folder / "v3.0" / "verified_claims.docs.tsv")]
    test, train = tweets(folder / "test"), tweets(folder / "v3.0" / "train")
    static = embedders.beside(Machine(), Given())
    minilm, _ = embedders.load_embedder(defaults.EMBEDDER)
    reader = rerankers.load_reranker(defaults.RERANKER, Machine()).model.relevance
    ways: Mapping[str, tuple[Embedder | None, Relevance | None]] = {
        "BM25": (None, None),
        "BM25, static vectors": (static, None),
        "BM25, MiniLM": (minilm, None),
        "BM25, cross-encoder": (None, reader),
        "BM25, static vectors, cross-encoder": (static, reader),
        "BM25, MiniLM, cross-encoder": (minilm, reader),
    }
    print(f"{len(texts):,} claims, {len(test)} tweets\n{'':<38}MAP@5  recall@5  first right")
    ranks = {
        name: ranking_of(texts, embed, lambda one=relevance: one)  # type: ignore[misc]
        for name, (embed, relevance) in ways.items()
    }
    embedders_alone = {"static vectors": static, "MiniLM": minilm}
    alone = {name: by_vectors(texts, one) for name, one in embedders_alone.items() if one}
    for name, rank in {**alone, **ranks}.items():
        found = scores(rank, test)
        print(f"{name:<38}{found[0]:.3f}  {found[1]:.3f}     {found[2]:.3f}", flush=True)
    some = dict(list(train.items())[:200])
    print(
        "\nlimits, on 200 training tweets",
        *shown(ranking_of(texts, static, lambda: reader), some),
        sep="\n",
    )


if __name__ == "__main__":
    main()
