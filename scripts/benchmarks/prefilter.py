"""Time the prefilter against what anybody writes first: nltk.word_tokenize of every line,
rank_bm25.BM25Okapi, argsort. Both modes: fast words, and NLTK's to the letter.

The last must give the very order of the first; the fast one is told by how many of the best 10,000
are the same. With --top10 the passages of both are embedded, and the best ten by cosine compared
(needs the default embedder; minutes). With --reference only the fast mode is held to the exact
one, on the best tenth of the reference stores. Fails below the ratios and shares that are wanted,
the ratio of the fast mode only from 100,000 lines on.

usage: scripts/bench prefilter [--lines N] [--claims N] [--rounds N] [--top10]
                               [--reference] [--from AVERITEC_FOLDER]
"""

import argparse
import sys
import tempfile
from pathlib import Path

import nltk
import numpy as np
import orjson
from rank_bm25 import BM25Okapi

from scripts.benchmarks.sides import (
    claim_of,
    commit,
    in_turn,
    machine,
    made_store,
    pages_of,
    peak_alone,
    ratio,
    show,
)
from scripts.reference import reference_data
from uhhrag import models
from uhhrag.defaults import POOL
from uhhrag.indexing import bm25
from uhhrag.indexing.choices import Tokenizer
from uhhrag.store.passages import distinct_lines
from uhhrag.text.nltk_tokenizer import use_nltk_data

FAST, EXACT, LARGE = 20.0, 2.0, 100_000
SAME, SAME_TOP = 0.995, 0.99
FAST_MODE, EXACT_MODE = "--tokenizer fast", "--tokenizer nltk"
OBVIOUS = "word_tokenize, BM25Okapi"


def obvious(claim: str, texts: list[str]) -> list[int]:
    okapi = BM25Okapi([nltk.word_tokenize(text) for text in texts])
    scores = okapi.get_scores(nltk.word_tokenize(claim))
    order: list[int] = np.argsort(-scores, kind="stable")[:POOL].tolist()
    return order


def ours(claim: str, texts: list[str], tokenizer: Tokenizer) -> list[int]:
    return bm25.best(bm25.scores_of(claim, texts, tokenizer), POOL)


def shared(found: list[int], wanted: list[int]) -> float:
    return len(set(found) & set(wanted)) / len(wanted)


def best_ten(claim: str, texts: list[str], *orders: list[int]) -> list[list[int]]:
    from uhhrag.wiring import embedders

    embed, _ = embedders.load_embedder("minilm", "cpu")
    rows = sorted({row for order in orders for row in order})
    cosines = dict(zip(rows, embed([texts[row] for row in rows]) @ embed([claim])[0], strict=True))
    return [sorted(order, key=lambda row: -cosines[row])[:10] for order in orders]


def compare(claim: str, texts: list[str], rounds: int, top10: bool) -> dict[str, float]:
    given: dict[str, list[int]] = {}
    sides = {
        FAST_MODE: lambda: given.update(fast=ours(claim, texts, Tokenizer.FAST)),
        EXACT_MODE: lambda: given.update(exact=ours(claim, texts, Tokenizer.NLTK)),
        OBVIOUS: lambda: given.update(wanted=obvious(claim, texts)),
    }
    peaks = [peak_alone(side) for side in sides.values()]
    times = in_turn(sides, rounds)
    quick, exact, wanted = (given[name] for name in ("fast", "exact", "wanted"))
    if exact != wanted:
        sys.exit("--tokenizer nltk does not give the order of rank_bm25")
    show(times, FAST_MODE)
    found = {
        "fast": ratio(times, OBVIOUS, FAST_MODE),
        "nltk": ratio(times, OBVIOUS, EXACT_MODE),
        "same": shared(quick, wanted),
    }
    print(f"faster: fast {found['fast']:.1f} times, nltk {found['nltk']:.1f} times")
    print(f"best {POOL:,}: {found['same']:.2%} the same; by nltk all, in the same order")
    print("peak memory: fast {:.0f}, nltk {:.0f}, theirs {:.0f} MiB".format(*peaks))
    if top10:
        ten, wanted_ten = best_ten(claim, texts, quick, wanted)
        found["top"] = shared(ten, wanted_ten)
        print(f"best 10 by cosine: {found['top']:.0%} the same")
    return found


def on_reference(averitec: Path) -> None:
    """The best tenth of each reference store, since the best 10,000 are all of it."""
    claims = orjson.loads((averitec / "dev60.json").read_bytes())
    same = []
    for position, claim in enumerate(claims):
        texts = distinct_lines(pages_of(averitec / "knowledge_store", position)).texts
        orders = [ours(claim["claim"], texts, tokenizer) for tokenizer in Tokenizer]
        quick, exact = (order[: len(texts) // 10] for order in orders)
        same.append(shared(quick, exact))
    print(f"reference stores, best tenth: {np.mean(same):.2%} the same, at least {min(same):.2%}")
    if np.mean(same) < SAME:
        sys.exit(f"less than {SAME:.1%} are the same")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=30_000)
    parser.add_argument("--claims", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--top10", action="store_true")
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--from", dest="source", type=Path, default=reference_data())
    asked = parser.parse_args()
    use_nltk_data(models.path("nltk-data"))
    if asked.reference:
        on_reference(asked.source)
        return
    found = []
    with tempfile.TemporaryDirectory() as made:
        folder = made_store(Path(made), asked.lines, asked.claims, asked.source)
        for position in range(asked.claims):
            texts = distinct_lines(pages_of(folder / "knowledge_store", position)).texts
            print(f"claim {position}: {asked.lines:,} lines, {len(texts):,} distinct")
            found.append(compare(claim_of(folder, position), texts, asked.rounds, asked.top10))
    print(f"{asked.rounds} rounds in turn, one process, {machine()}, {commit()}")
    means = {name: float(np.mean([one[name] for one in found])) for name in found[0]}
    wanted = {"nltk": EXACT, "same": SAME, "top": SAME_TOP}
    if asked.lines >= LARGE:
        wanted["fast"] = FAST
    short = [f"{name} {means[name]:.3f}" for name in means if means[name] < wanted.get(name, 0)]
    if short:
        sys.exit(f"less than wanted: {', '.join(short)}")


if __name__ == "__main__":
    main()
