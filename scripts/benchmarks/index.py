"""How the cost of a claim grows with its store, and what working one claim ahead brings.

Growth: the seconds of reading, uniting and prefiltering, and of writing and searching the index,
for stores of 10,000 lines and more, with the exponent of a straight line through the logarithms (1
is linear). The embedder is a stand-in here: from 10,000 distinct lines on it gets 10,000 texts
of any store.

Overlap: the same index of some claims with and without working ahead, in turn; the two must not
differ in one byte. The stand-in takes as long as is asked for and leaves the processor alone, as a
GPU does; with --embedder the real one runs. Memory is told after each claim.

Fails where files differ, the exponent is above 1.1, or memory grows by more than 2 GiB.

usage: scripts/bench index [--sizes N,N,…] [--claims N] [--lines N] [--rounds N] [--seconds S]
                           [--embedder NAME] [--from AVERITEC_FOLDER]
"""

import argparse
import hashlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from scripts.benchmarks.sides import (
    commit,
    growth,
    in_turn,
    machine,
    made_store,
    peak_of,
    ratio,
    show,
)
from scripts.reference import reference_data
from uhhrag import models
from uhhrag.formats.gold import read_claims
from uhhrag.indexing import build, claim_index, index_folder
from uhhrag.indexing.build import Plan, index_claims, require_all
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.text.nltk_tokenizer import use_nltk_data

STEEPEST, MOST_MEMORY = 1.1, 2048
STAND_IN = EmbedderId("stand-in", 384, "0" * 64)


def stand_in(seconds: float) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    """Vectors drawn from the number of texts alone, after so many seconds."""

    def embed(texts: Sequence[str], /) -> NDArray[np.float32]:
        time.sleep(seconds)
        rows = np.random.default_rng(len(texts)).normal(size=(len(texts), 384)).astype(np.float32)
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    return embed


def plan_of(folder: Path, out: Path, recipe: IndexSettings) -> Plan:
    return Plan(read_claims(folder / "claims.json"), folder / "knowledge_store", out, recipe)


def grown(sizes: Sequence[int], rounds: int, averitec: Path) -> float:
    """Prints a row a size; gives the exponent of indexing."""
    print(f"{'lines':>9} {'read':>7} {'unique':>7} {'prefilter':>9} {'write':>6} {'search':>7}")
    indexed, searched = [], []
    for lines in sizes:
        with tempfile.TemporaryDirectory() as made:
            folder = made_store(Path(made) / "data", lines, 1, averitec)
            stages, search = zip(
                *(one_index(folder, Path(made) / str(turn)) for turn in range(rounds)), strict=True
            )
        row = {name: statistics.median(s[name] for s in stages) for name in stages[0]}
        indexed.append(sum(row[name] for name in ("read", "unique", "prefilter")))
        searched.append(statistics.median(search))
        print(
            f"{lines:>9,} {row['read']:7.2f} {row['unique']:7.2f} {row['prefilter']:9.2f} "
            f"{row['write']:6.2f} {searched[-1]:7.3f}",
            flush=True,
        )
    exponent = growth(sizes, indexed)
    print(f"exponent of indexing {exponent:.2f}, of a search {growth(sizes, searched):.2f}")
    return exponent


def one_index(folder: Path, out: Path) -> tuple[dict[str, float], float]:
    """Seconds by stage, and of opening and searching the index that was made."""
    plan = plan_of(folder, out, IndexSettings(STAND_IN))
    (outcome,) = index_claims(plan, stand_in(0))
    require_all([outcome])
    begun = time.perf_counter()
    loaded = index_folder.load_claim(index_folder.open_index(out), 0)
    claim_index.search_in(loaded, stand_in(0))("a query", 10)
    return dict(outcome.seconds), time.perf_counter() - begun


@contextmanager
def without_ahead() -> Iterator[None]:
    def one_by_one(work: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Callable[[], Any]]:
        for item in items:
            yield partial(work, item)

    with mock.patch.object(build, "ahead", one_by_one):
        yield


def overlapped(asked: argparse.Namespace) -> float:
    """Prints times and memory; gives the most memory that was added, in MiB."""
    embed, identity = stand_in(asked.seconds), STAND_IN
    if asked.embedder:
        from uhhrag.wiring import embedders

        embed, identity = embedders.load_embedder(asked.embedder, "cpu")
    with tempfile.TemporaryDirectory() as made:
        folder = made_store(Path(made) / "data", asked.lines, asked.claims, asked.source)

        def build(name: str) -> list[float]:
            plan = plan_of(folder, Path(made) / name, IndexSettings(identity))
            plan = Plan(plan.claims, plan.store, plan.out, plan.recipe, overwrite=True)
            peaks = []
            outcomes = index_claims(plan, embed)
            for _ in plan.claims:
                outcome, peak = peak_of(lambda: next(outcomes))
                require_all([outcome])
                peaks.append(peak)
            return peaks

        def build_in_turn() -> list[float]:
            with without_ahead():
                return build("in-turn")

        peaks, most = peak_of(lambda: build("ahead"))
        sides = {"one claim ahead": lambda: build("ahead"), "one after another": build_in_turn}
        times = in_turn(sides, asked.rounds, time.perf_counter)
        if digest(Path(made) / "ahead") != digest(Path(made) / "in-turn"):
            sys.exit("an index made ahead differs from one made claim after claim")
    show(times, "one claim ahead")
    faster = ratio(times, "one after another", "one claim ahead")
    print(f"working ahead is {faster:.2f} times as fast")
    by_claim = " ".join(f"{peak:.0f}" for peak in peaks)
    print(f"memory grew by {most:.0f} MiB at most; claim by claim: {by_claim}")
    return most


def digest(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="10000,30000,100000,300000")
    parser.add_argument("--claims", type=int, default=4)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--embedder")
    parser.add_argument("--from", dest="source", type=Path, default=reference_data())
    asked = parser.parse_args()
    use_nltk_data(models.path("nltk-data"))
    sizes = [int(size) for size in asked.sizes.split(",") if size]
    exponent = grown(sizes, asked.rounds, asked.source) if len(sizes) > 1 else 0.0
    most = overlapped(asked) if asked.claims else 0.0
    print(f"{asked.rounds} rounds, {machine()}, {commit()}")
    if exponent > STEEPEST or most > MOST_MEMORY:
        sys.exit(f"exponent {exponent:.2f} (at most {STEEPEST}), {most:.0f} MiB ({MOST_MEMORY})")


if __name__ == "__main__":
    main()
