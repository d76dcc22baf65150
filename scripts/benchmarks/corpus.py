"""A corpus measured: how good its search is, how fast and large it is, what inverted lists lose.

    scripts/bench corpus quality DATA [--split dev] [--claims N] [--rerank 0,50]
        SciFact's claims (claims_SPLIT.jsonl) against its abstracts (corpus.jsonl), by the public
        commands: nDCG@10 and recall@10 of the cited documents, as in BEIR.
    scripts/bench corpus choices DATA [--split train] [--claims N]
        Ways of joining the rankings over the corpus that `quality --vectors` has made in --work.
    scripts/bench corpus scale DATA --passages N [--scan]
        Documents of SciFact's shape with its abstracts among them, text alone: build time, bytes a
        passage, peak memory, seconds a search and a check. `--vectors` embeds them as well (hours
        for 1 M). `--scan` checks against a plain store of the same documents, too.
    scripts/bench corpus lists CORPUS --passages N
        The vectors of CORPUS, and beyond these others made by mixing pairs of them: recall of the
        exact ten best of --queries, bytes and milliseconds of inverted lists, beside the exact
        search.

Results are JSON on standard output. What is made is kept in --work (corpus.work).
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from scripts.benchmarks.choices import choices
from scripts.benchmarks.inverted_lists import lists
from scripts.make_store import Words

Json = dict[str, Any]
FILE = 5000
"""Generated documents of a file."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=["quality", "choices", "scale", "lists"])
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=Path("corpus.work"))
    parser.add_argument("--split", help="dev, but for choices: train")
    parser.add_argument("--claims", type=int)
    parser.add_argument("--rerank", default="0,50")
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("--scan", action="store_true")
    parser.add_argument("--queries", type=Path, help="claims_*.jsonl whose claims are searched")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.split = options.split or ("train" if options.what == "choices" else "dev")
    ways = {"quality": quality, "choices": choices, "scale": scale, "lists": lists}
    measured = ways[options.what](options)
    print(json.dumps(measured, indent=1))


def uhhrag(*words: object) -> tuple[str, float, int]:
    """The output of a command, its seconds, and its peak memory in bytes."""
    begun = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "scripts.benchmarks.peak", *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
    )
    out, _ = child.communicate()
    if child.returncode:
        raise SystemExit(f"corpus: uhhrag {' '.join(map(str, words))} ended with an error")
    *lines, peak = out.splitlines()
    return "\n".join(lines), time.perf_counter() - begun, int(peak)


def claims_of(options: argparse.Namespace) -> tuple[list[Json], Path]:
    """SciFact's claims, and a file of them for a command."""
    lines = (options.data / f"claims_{options.split}.jsonl").read_text().splitlines()
    claims = [json.loads(line) for line in lines][: options.claims]
    file = options.work / f"queries-{options.split}-{len(claims)}.jsonl"
    file.write_text("".join(json.dumps({"claim": claim["claim"]}) + "\n" for claim in claims))
    return claims, file


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
            out, _, _ = uhhrag("corpus", "search", corpus, "--claims", file, *words)
            answers = [json.loads(line) for line in out.splitlines()]
            name = engine if options.vectors else "text"
            measured[f"{name}, {rerank} reranked"] = scored(claims, answers)
    return measured


def scored(claims: Sequence[Json], answers: Sequence[Json]) -> Json:
    """The means over all claims. A document is ranked by its best passage."""
    gains, recalls, rationales = [], [], []
    for claim, answer in zip(claims, answers, strict=True):
        ranked = list(dict.fromkeys(p["url"].partition("#")[2] for p in answer["passages"]))[:10]
        wanted = {str(document) for document in claim["cited_doc_ids"]}
        gain = sum(1 / math.log2(at + 2) for at, doc in enumerate(ranked) if doc in wanted)
        gains.append(gain / sum(1 / math.log2(at + 2) for at in range(min(10, len(wanted)))))
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


# How fast and how large


def generated(abstracts: Sequence[Json], wanted: int, seed: int) -> Iterator[Json]:
    """Documents whose sentences are recombined from the abstracts', so many passages of them."""
    words = Words([line for a in abstracts for line in a["abstract"]], seed)
    draw = random.Random(seed)  # noqa: S311 - drawn to be drawn again
    number, passages = 0, 0.0
    while passages < wanted:
        model = draw.choice(abstracts)
        lines = [words.line() for _ in model["abstract"]]
        year, month = draw.randint(1990, 2025), draw.randint(1, 12)
        yield {
            "_id": f"made-{number}",
            "title": " ".join(words.line().split()[:12]),
            "abstract": lines,
            "date": f"{year}-{month:02d}-{draw.randint(1, 28):02d}",
            "url": f"https://site{draw.randint(0, 999)}.example/{number}",
        }
        number += 1
        passages += max(1, math.ceil(sum(map(len, lines)) / 1200))


def write_documents(options: argparse.Namespace) -> Path:
    """The folder of documents, SciFact's abstracts among them; made once."""
    folder: Path = options.work / f"documents-{options.passages}"
    if folder.exists():
        return folder
    draft = folder.with_suffix(".part")
    draft.mkdir(exist_ok=True)
    real = [json.loads(line) for line in (options.data / "corpus.jsonl").open()]
    rows: list[Json] = []
    left = max(0, options.passages - 8560)
    share = FILE / max(FILE, left // 2)
    hidden = iter(real if left else real[: options.passages * 5183 // 8560])
    number = 0

    def write() -> None:
        nonlocal number
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (draft / f"{number:05d}.jsonl").write_text(text)
        number += 1
        rows.clear()

    for row in generated(real, left, seed=1):
        rows.append(row)
        if len(rows) >= FILE:
            rows.extend(row for row, _ in zip(hidden, range(int(5183 * share) + 1), strict=False))
            write()
    rows.extend(hidden)
    write()
    draft.rename(folder)
    return folder


def scale(options: argparse.Namespace) -> Json:
    """Building and searching a corpus of so many passages."""
    documents = write_documents(options)
    corpus = options.work / f"corpus-{options.passages}"
    how = [] if options.vectors else ["--no-vectors"]
    _, seconds, peak = uhhrag("ingest", documents, "--out", corpus, *how)
    about = json.loads(uhhrag("corpus", "info", corpus, "--json")[0])
    _, nothing_new, _ = uhhrag("ingest", documents, "--out", corpus, *how)
    _, file = claims_of(options)
    measured: Json = {
        "passages": about["passages"],
        "build seconds": round(seconds, 1),
        "passages a second": round(about["passages"] / seconds),
        "seconds of an update with nothing new": round(nothing_new, 1),
        "peak memory of building, MB": peak // 10**6,
        "bytes a passage": {
            name: round(about[f"bytes_of_{name}"] / about["passages"])
            for name in ("segments", "text", "vectors")
        },
    }
    for name, more in (
        ("search", ()),
        ("filtered search", ("--before", "2005-01-01", "--no-undated")),
    ):
        words = ("--claims", file, "--json", "--rerank", 0, *more)
        out, _, peak = uhhrag("corpus", "search", corpus, *words)
        spent = [json.loads(line)["seconds"] for line in out.splitlines()]
        warm = np.array(spent[1:])
        measured[name] = {
            "first, ms": round(1000 * spent[0], 1),
            "p50, ms": round(float(np.percentile(warm, 50)) * 1000, 1),
            "p95, ms": round(float(np.percentile(warm, 95)) * 1000, 1),
            "peak memory, MB": peak // 10**6,
        }
    measured["check"] = checks(options, corpus)
    if options.scan:
        store = options.work / f"store-{options.passages}.jsonl"
        uhhrag("ingest", documents, "--out", store)
        measured["check, plain store"] = checks(options, store)
    return measured


def checks(options: argparse.Namespace, docs: Path) -> Json:
    """Checks of one claim and of eleven, with votes by the verifier: the eleven less the one are
    ten more claims of a program that runs already."""
    claims, _ = claims_of(options)
    spent: list[float] = []
    peaks: list[int] = []
    for number in (1, 11):
        file = options.work / f"queries-{number}.txt"
        file.write_text("".join(f"{claim['claim']}\n" for claim in claims[-number:]))
        how = ("--voter", "verifier", "--questions", "template", "--json")
        with TemporaryDirectory(prefix="uhhrag-") as work:
            words = ("check", "--docs", docs, "--claims", file, "--work", work)
            _, seconds, peak = uhhrag(*words, *how)
        spent.append(seconds)
        peaks.append(peak)
    return {
        "one, s": round(spent[0], 2),
        "one more, s": round((spent[1] - spent[0]) / 10, 2),
        "peak memory of one, MB": peaks[0] // 10**6,
        "peak memory of eleven, MB": peaks[1] // 10**6,
    }


if __name__ == "__main__":
    main()
