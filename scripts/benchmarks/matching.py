"""How well a claim that was checked before is found again, on tweets and Snopes' claims.

    scripts/bench matching FOLDER

FOLDER holds data/v3.zip and test-input/test-input.zip of sshaar/clef2020-factchecking-task2,
unpacked: v3.0/ and test/. MAP@5 and recall@5 are over the tweets of the test. What is shown is
measured once with the tweets' claims and once without them, after weight and limits were fitted on
the training tweets. Claims in nearly the same words as the right one are right there, for Snopes
has many twice.
"""

from __future__ import annotations

import csv
import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from uhhrag import defaults
from uhhrag.protocols import Embedder, Relevance
from uhhrag.text.claim_words import plain_claim
from uhhrag.training.regression import fit
from uhhrag.wiring import embedders, rerankers
from uhhrag.wiring.checked_claims import (
    MAX_SHOWN,
    MIN_STANDING,
    MIN_STANDING_READ,
    MIN_STATIC_COSINE,
    Ranked,
    ranking_of,
    standing,
)
from uhhrag.wiring.machine import Machine

Rank = Callable[[str], Ranked]
STATIC, ALONE = "static vectors", "BM25, static vectors, MiniLM"
READ = f"{ALONE}, cross-encoder"
Tweets = Mapping[str, tuple[str, Set[int]]]
PRECISION, ALIKE = 0.8, 0.8
"""Of what is shown, and the share of words from which two claims are the same."""


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


def scores(rank: Rank, asked: Tweets) -> tuple[float, float, float]:
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


@dataclass(frozen=True, slots=True)
class Found:
    query: str
    ranked: Ranked
    right: Set[int]
    most: int
    """Claims shown."""

    def standings(self, *, away: bool) -> Ranked:
        """Of the claims that could be shown, or of those without the right ones."""
        left = [one for one in self.ranked if not (away and one[0] in self.right)]
        return standing(left)[: self.most]


def found_by(rank: Rank, asked: Tweets, texts: Sequence[str], most: int) -> list[Found]:
    words = [frozenset(re.findall(r"\w+", text.casefold())) for text in texts]

    def one_of(text: str, right: Set[int]) -> Found:
        ranked = rank(query := plain_claim(text))
        alike = {n for n, _ in ranked for r in right if overlap(words[n], words[r]) >= ALIKE}
        return Found(query, ranked, right | alike, most)

    return [one_of(text, right) for text, right in asked.values()]


def overlap(some: Set[str], others: Set[str]) -> float:
    return len(some & others) / max(1, len(some | others))


def worth(found: Sequence[Found], texts: Sequence[str], embed: Embedder, reads: Relevance) -> float:
    """What a logit is worth in cosine: a logistic regression with every second tweet's claim
    taken away."""
    values, targets = [], []
    for at, one in enumerate(found):
        shown = [n for n, _ in one.standings(away=at % 2 == 1)]
        rows = embed([one.query, *(texts[n] for n in shown)])
        values.append(np.c_[rows[1:] @ rows[0], reads(one.query, [texts[n] for n in shown])])
        targets += [int(n in one.right) for n in shown]
    fitted = fit(np.vstack(values).astype(float), np.array(targets), 2, pull=0)
    cosine, logit = (fitted.weights[1] - fitted.weights[0]) / fitted.deviation
    return float(logit / cosine)


def shown(found: Sequence[Found], least: float) -> tuple[float, float, float, float]:
    """Shares of tweets with their claim shown, with another one, with one though theirs is taken
    away; and the precision of what is shown if that is every second tweet."""
    numbers = [
        [[n for n, s in one.standings(away=away) if s >= least] for one in found]
        for away in (False, True)
    ]
    rights = [[n in one.right for n in some] for some, one in zip(numbers[0], found, strict=True)]
    all_shown = sum(map(len, numbers[0] + numbers[1]))
    precision = sum(map(sum, rights)) / max(1, all_shown)
    return (
        share(any(one) for one in rights),
        share(not all(one) for one in rights),
        share(bool(one) for one in numbers[1]),
        precision,
    )


def share(said: Iterable[bool]) -> float:
    return float(np.mean(list(said)))


def fitted_limit(found: Sequence[Found]) -> float:
    limits = (float(limit) for limit in np.arange(0, 1, 0.005))
    return next(limit for limit in limits if shown(found, limit)[3] >= PRECISION)


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    rows = table(folder / "v3.0" / "verified_claims.docs.tsv")
    texts = [row[1] for row in rows]
    headlines = {str(n): (rows[n][2], {n}) for n in range(0, len(rows), 35)}
    test, train = tweets(folder / "test"), tweets(folder / "v3.0" / "train")
    static = embedders.beside(Machine())
    minilm, _ = embedders.load_embedder(defaults.EMBEDDER)
    reader = rerankers.load_reranker(defaults.RERANKER, Machine()).model.relevance
    ways: Mapping[str, tuple[Embedder | None, Embedder | None, Relevance | None]] = {
        "BM25": (None, None, None),
        "BM25, cross-encoder": (None, None, reader),
        "BM25, static vectors, cross-encoder": (static, None, reader),
        ALONE: (static, minilm, None),
        READ: (static, minilm, reader),
    }
    print(f"{len(texts):,} claims, {len(test)} tweets\n{'':<46}MAP@5  recall@5  first right")
    vectors = static(texts) if static else None
    ranks: dict[str, Rank] = {
        name: ranking_of(texts, *way, vectors if way[0] else None) for name, way in ways.items()
    }
    embedders_alone = {STATIC: static, "MiniLM": minilm}
    alone = {name: by_vectors(texts, one) for name, one in embedders_alone.items() if one}
    for name, rank in {**alone, **ranks}.items():
        found = scores(rank, test)
        print(f"{name:<46}{found[0]:.3f}  {found[1]:.3f}     {found[2]:.3f}", flush=True)
    dev = tweets(folder / "v3.0" / "dev")
    sets = {"training": train, "dev": dev, "test": test, "headlines": headlines}
    limits = (
        (STATIC, MIN_STATIC_COSINE, 1),
        (ALONE, MIN_STANDING, MAX_SHOWN),
        (READ, MIN_STANDING_READ, MAX_SHOWN),
    )
    for name, least, most in limits:
        rank = {**alone, **ranks}[name]
        answers = {part: found_by(rank, asked, texts, most) for part, asked in sets.items()}
        print(f"\n{name}: limit {least}, fitted {fitted_limit(answers['training']):.3f}")
        if name == READ:
            print(f"a logit is worth {worth(answers['training'], texts, minilm, reader):.4f}")
        for part, one in answers.items():
            right, other, away, precision = shown(one, least)
            print(
                f"{part:<10}right shown {right:.3f}, another {other:.3f}, "
                f"one though it is away {away:.3f}; precision {precision:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
