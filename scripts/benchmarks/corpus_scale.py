"""How fast and large a corpus of so many passages is: `scripts/bench corpus scale`."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from scripts.benchmarks.shaped_documents import generated

Json = dict[str, Any]
FILE = 5000
"""Generated documents of a file."""
COLD = 4
"""Processes that each search for one claim, with nothing of the corpus in the memory of the
system."""
RERANKED = 15
"""Claims whose passages the cross-encoder reads."""
CHECKED = (1, 11, 41)
"""Claims of the commands that check against the corpus."""
WAYS = {
    "search, text": ("--by", "text", "--rerank", 0),
    "search, fused": ("--rerank", 0),
    "filtered search": ("--rerank", 0, "--before", "2005-01-01", "--no-undated"),
    "reranked search": (),
}


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command wrote, its seconds and those of the processor, its peak memory in bytes, and
    that of its own memory, which leaves out files that are mapped."""

    output: str
    seconds: float
    processor: float
    peak: int
    own_peak: int


def uhhrag(*words: object) -> Ran:
    """Run a command; where it fails, so does the benchmark."""
    begun = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "scripts.benchmarks.peak", *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
    )
    out, _ = child.communicate()
    if child.returncode:
        raise SystemExit(f"corpus: uhhrag {' '.join(map(str, words))} ended with an error")
    *lines, last = out.splitlines()
    peak, own_peak, processor = last.split()
    spent = time.perf_counter() - begun
    return Ran("\n".join(lines), spent, float(processor), int(peak), int(own_peak))


def claims_of(options: argparse.Namespace) -> tuple[list[Json], Path]:
    """SciFact's claims, and a file of them for a command."""
    lines = (options.data / f"claims_{options.split}.jsonl").read_text().splitlines()
    claims = [json.loads(line) for line in lines][: options.claims]
    return claims, queries(options, claims, f"{options.split}-{len(claims)}")


def queries(options: argparse.Namespace, claims: Sequence[Json], name: str) -> Path:
    """A file of claims for a command."""
    file: Path = options.work / f"queries-{name}.jsonl"
    file.write_text("".join(json.dumps({"claim": claim["claim"]}) + "\n" for claim in claims))
    return file


def scale(options: argparse.Namespace) -> Json:
    """Building and searching a corpus of so many passages."""
    corpus = options.work / f"corpus-{options.passages}"
    measured = built(options, corpus)
    if options.build:
        return measured
    claims, file = claims_of(options)
    some = queries(options, claims[:RERANKED], f"{options.split}-{RERANKED}")
    for name, words in WAYS.items():
        if options.vectors or "fused" not in name:
            which = some if name == "reranked search" else file
            note(measured, name, searched(corpus, which, words))
    note(measured, "cold search", cold(options, corpus, claims))
    note(measured, "check", checks(options, corpus, CHECKED))
    return measured


def note(measured: Json, name: str, value: Json) -> None:
    """Keep a figure, and show it at once: a later one may take long."""
    measured[name] = value
    print(f"{name}: {value}", file=sys.stderr)


# Building


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


def built(options: argparse.Namespace, corpus: Path) -> Json:
    """What it took to build the corpus; kept beside it, and not built again."""
    kept = corpus.with_suffix(".json")
    if kept.exists():
        known: Json = json.loads(kept.read_text())
        return known
    measured = ingested(options, corpus)
    about = json.loads(uhhrag("archive", "info", corpus, "--json").output)
    measured |= {
        "passages": about["passages"],
        "bytes a passage": {
            name: round(about[f"bytes_of_{name}"] / about["passages"])
            for name in ("segments", "text", "vectors")
        },
    }
    kept.write_text(json.dumps(measured))
    return measured


def ingested(options: argparse.Namespace, corpus: Path) -> Json:
    """Building by the public command, then again with nothing new."""
    documents = write_documents(options)
    how = () if options.vectors else ("--no-vectors",)
    ran = uhhrag("ingest", documents, "--out", corpus, *how)
    again = uhhrag("ingest", documents, "--out", corpus, *how)
    return {
        "build": taken(ran),
        "an update with nothing new": taken(again),
    }


def taken(ran: Ran) -> Json:
    return {
        "seconds": round(ran.seconds, 1),
        "of the processor": round(ran.processor, 1),
        "peak memory, MB": ran.peak // 10**6,
    }


# Searching


def searched(corpus: Path, claims: Path, words: Sequence[object]) -> Json:
    """Searches one after another in one process: the first, and the others as quantiles."""
    ran = uhhrag("archive", "search", corpus, "--claims", claims, "--json", *words)
    spent = [json.loads(line)["seconds"] for line in ran.output.splitlines()]
    return {
        "first, ms": round(1000 * spent[0], 1),
        **quantiles(spent[1:]),
        "peak memory, MB": ran.peak // 10**6,
    }


def quantiles(spent: Sequence[float]) -> Json:
    """The median and the 95th percentile of seconds, in milliseconds."""
    return {f"p{p}, ms": round(float(np.percentile(spent, p)) * 1000, 1) for p in (50, 95)}


def cold(options: argparse.Namespace, corpus: Path, claims: Sequence[Json]) -> Json:
    """One search a process, with the corpus read from the disk."""
    searches, commands = [], []
    for number in range(COLD):
        evict(corpus)
        file = queries(options, claims[number : number + 1], "one")
        ran = uhhrag("archive", "search", corpus, "--claims", file, "--json", "--rerank", 0)
        searches.append(json.loads(ran.output)["seconds"])
        commands.append(ran.seconds)
    return {**quantiles(searches), "whole command, s": round(float(np.median(commands)), 2)}


def evict(folder: Path) -> None:
    """Ask the system to forget what it has read of these files."""
    for file in folder.rglob("*"):
        if file.is_file():
            handle = os.open(file, os.O_RDONLY)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)


def checks(options: argparse.Namespace, docs: Path, numbers: Sequence[int]) -> Json:
    """Checks of so many claims, of one first, with votes by the verifier: the seconds of one, and
    of each of those that the second command has more, which a program that runs already would
    take."""
    claims, _ = claims_of(options)
    measured: Json = {}
    runs: list[Ran] = []
    for number in numbers:
        file = queries(options, claims[-number:], str(number))
        how = ("--voter", "verifier", "--questions", "template", "--json")
        with TemporaryDirectory(prefix="uhhrag-") as work:
            words = ("check", "--docs", docs, "--claims", file, "--work", work)
            runs.append(uhhrag(*words, *how))
        measured[f"peak memory of {number}, MB"] = runs[-1].peak // 10**6
        measured[f"its own of {number}, MB"] = runs[-1].own_peak // 10**6
    more = (runs[1].seconds - runs[0].seconds) / (numbers[1] - numbers[0])
    return {"one, s": round(runs[0].seconds, 2), "one more, s": round(more, 2), **measured}
