"""Time reading a store file and keeping each line once against what anybody writes first
(json.loads, a dict of lists), and against parsing its JSON with the fastest parser (orjson).

Fails where the three do not find the same lines with the same URLs, or where ours takes more than
three times as long as parsing alone.

usage: scripts/bench read [--lines N] [--rounds N] [--from AVERITEC_FOLDER]
"""

import argparse
import gc
import json
import sys
import tempfile
from pathlib import Path

import orjson

from scripts.benchmarks.sides import (
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
from uhhrag.store.passages import Lines, distinct_lines

WANTED = 3.0


def obvious(file: Path) -> dict[str, list[str]]:
    urls_of: dict[str, list[str]] = {}
    with file.open(encoding="utf-8") as rows:
        for row in rows:
            page = json.loads(row)
            for line in page["url2text"]:
                if line.strip():
                    urls = urls_of.setdefault(line, [])
                    if page["url"] not in urls:
                        urls.append(page["url"])
    return urls_of


def parsed(file: Path) -> int:
    with file.open("rb") as rows:
        return len([orjson.loads(row) for row in rows])


def ours(folder: Path) -> Lines:
    return distinct_lines(pages_of(folder, 0))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--from", dest="source", type=Path, default=reference_data())
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = made_store(Path(made), asked.lines, 1, asked.source) / "knowledge_store"
        file = folder / "0.json"
        our_peak, their_peak = peak_alone(lambda: ours(folder)), peak_alone(lambda: obvious(file))
        found, wanted = ours(folder), obvious(file)
        if dict(zip(found.texts, map(list, found.urls), strict=True)) != wanted:
            sys.exit("the lines differ")
        size = file.stat().st_size
        print(f"{asked.lines:,} lines, {len(found.texts):,} distinct, {size:,} bytes")
        del found, wanted
        gc.collect()
        sides = {
            "orjson": lambda: parsed(file),
            "uhhrag": lambda: ours(folder),
            "json.loads, dict of lists": lambda: obvious(file),
        }
        times = in_turn(sides, asked.rounds)
    show(times, "orjson")
    print(f"peak memory: uhhrag {our_peak:.0f} MiB, json.loads {their_peak:.0f} MiB")
    print(f"{asked.rounds} rounds in turn, one process, {machine()}, {commit()}")
    if (times_floor := ratio(times, "uhhrag", "orjson")) > WANTED:
        sys.exit(f"{times_floor:.1f} times the time of parsing; {WANTED:.0f} is wanted")


if __name__ == "__main__":
    main()
