"""A corpus measured: how good its search is, how fast and large it is.

    scripts/bench corpus quality DATA [--split dev] [--claims N] [--rerank 0,30]
        SciFact's claims (claims_SPLIT.jsonl) against its abstracts (corpus.jsonl), by the public
        commands: nDCG@10 and recall@10 of the cited documents, as in BEIR.
    scripts/bench corpus scale DATA --passages N [--vectors] [--build]
        Documents of SciFact's shape with its abstracts among them: build time, bytes a passage,
        peak memory, seconds a search and a check; by text alone without `--vectors`. `--build` only
        builds; what was built is not built again.

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
from scripts.benchmarks.corpus_scale import claims_of, scale, uhhrag

Json = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=["quality", "scale"])
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=Path("corpus.work"))
    parser.add_argument("--split", default="dev")
    parser.add_argument("--claims", type=int)
    parser.add_argument("--rerank", default="0,30")
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("--build", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    measured = quality(options) if options.what == "quality" else scale(options)
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
            ran = uhhrag("archive", "search", corpus, "--claims", file, *words)
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
