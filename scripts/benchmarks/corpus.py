"""A corpus measured: how good its search is, how fast and large it is, what inverted lists lose.

    scripts/bench corpus quality DATA [--split dev] [--claims N] [--rerank 0,30]
        SciFact's claims (claims_SPLIT.jsonl) against its abstracts (corpus.jsonl), by the public
        commands: nDCG@10 and recall@10 of the cited documents, as in BEIR.
    scripts/bench corpus choices DATA [--split train] [--claims N]
        Ways of joining the rankings over the corpus that `quality --vectors` has made in --work.
    scripts/bench corpus scale DATA --passages N [--mixed CORPUS] [--scan] [--build]
        Documents of SciFact's shape with its abstracts among them: build time, bytes a passage,
        peak memory, seconds a search and a check. Without `--mixed` by text alone; with it by
        vectors, too, mixed from pairs of those of CORPUS, since real ones take hours for 1 M.
        `--scan` checks against a plain store of the same documents, too. `--build` only builds;
        what was built is not built again. `--unread` writes generated documents without reading
        files, which takes a quarter of the time.
    scripts/bench corpus lists CORPUS --passages N
        The vectors of CORPUS, and beyond these others made by mixing pairs of them: recall of the
        exact ten best of --queries, bytes and milliseconds of inverted lists, beside the exact
        search.
    scripts/bench corpus backends CORPUS --queries FILE
        The engines of CORPUS beside a table of LanceDB that it is published in meanwhile.

Results are JSON on standard output. What is made is kept in --work (corpus.work).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scripts.benchmarks import pools
from scripts.benchmarks.backends import backends
from scripts.benchmarks.choices import choices
from scripts.benchmarks.corpus_scale import claims_of, scale, uhhrag
from scripts.benchmarks.inverted_lists import lists

Json = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=["quality", "choices", "scale", "lists", "backends"])
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=Path("corpus.work"))
    parser.add_argument("--split", help="dev, but for choices: train")
    parser.add_argument("--claims", type=int)
    parser.add_argument("--rerank", default="0,30")
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("--mixed", type=Path, help="a corpus with vectors")
    parser.add_argument("--scan", action="store_true")
    parser.add_argument("--unread", action="store_true")
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--queries", type=Path, help="claims_*.jsonl whose claims are searched")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.split = options.split or ("train" if options.what == "choices" else "dev")
    ways = {
        "quality": quality,
        "choices": choices,
        "scale": scale,
        "lists": lists,
        "backends": backends,
    }
    measured = ways[options.what](options)
    print(json.dumps(measured, indent=1))


# How good


def quality(options: argparse.Namespace) -> Json:
    """nDCG@10 and recall@10 of each engine, with and without the cross-encoder."""
    corpus = options.work / "scifact"
    folder = options.work / "scifact-documents"
    folder.mkdir(exist_ok=True)
    if not (folder / "corpus.jsonl").exists():
        (folder / "corpus.jsonl").write_bytes((options.data / "corpus.jsonl").read_bytes())
    uhhrag("ingest", folder, "--out", corpus, *([] if options.vectors else ["--no-vectors"]))
    claims, file = claims_of(options)
    engines = ("text", "vectors", "fused") if options.vectors else ("fused",)
    measured: Json = {"claims": len(claims), "split": options.split}
    for rerank in map(int, options.rerank.split(",")):
        for engine in engines if not rerank else ("fused",):
            words = ("--by", engine, "--rerank", rerank, "--top", 100, "--json")
            ran = uhhrag("corpus", "search", corpus, "--claims", file, *words)
            answers = [json.loads(line) for line in ran.output.splitlines()]
            name = engine if options.vectors else "text"
            measured[f"{name}, {rerank} reranked"] = scored(claims, answers)
    return measured


def scored(claims: Sequence[Json], answers: Sequence[Json]) -> Json:
    """The means over all claims. A document is ranked by its best passage."""
    gains, recalls, rationales = [], [], []
    for claim, answer in zip(claims, answers, strict=True):
        ranked = list(dict.fromkeys(p["url"].partition("#")[2] for p in answer["passages"]))[:10]
        wanted = {str(document) for document in claim["cited_doc_ids"]}
        gains.append(pools.ndcg([doc in wanted for doc in ranked], [1] * len(wanted)))
        recalls.append(len(wanted & set(ranked)) / len(wanted))
        if claim["evidence"]:
            passages = {p["url"].partition("#")[2] for p in answer["passages"][:10]}
            rationales.append(float(bool(passages & claim["evidence"].keys())))
    seconds = sorted(answer["seconds"] for answer in answers)
    return {
        "nDCG@10": round(float(np.mean(gains)), 4),
        "recall@10": round(float(np.mean(recalls)), 4),
        "rationale document in ten passages": round(float(np.mean(rationales)), 4),
        "median seconds": seconds[len(seconds) // 2],
    }


if __name__ == "__main__":
    main()
