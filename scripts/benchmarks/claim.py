"""Time a whole claim of a real store's size: from its file to its verdict, with all defaults.

A store of 300,000 lines is made (`scripts.make_store`), indexed by `uhhrag index` and decided by
`uhhrag predict`, each a process of its own, as a user runs them. Printed are the seconds of each
part by the clock: what the commands themselves say of their stages, and as `starting` what is left
of a process's time: imports, models loaded, files read and written. Options after `--` go to
`index`.

usage: scripts/bench claim [--lines N] [--rounds N] [--store FOLDER] [--force] [-- INDEX-OPTIONS]
"""

import json
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.benchmarks.sides import ROOT, begin, split_words, uhhrag, with_goal

GOAL = 20.0
_STAGES = re.compile(r"(\w+) ([\d.]+)(?=[,)])")


def timed(*words: object) -> tuple[str, float]:
    """The output of a command of ours, and its seconds by the clock."""
    begun = time.perf_counter()
    return uhhrag(*words), time.perf_counter() - begun


def one(store: Path, work: Path, options: list[str]) -> dict[str, float]:
    """Seconds of each part of one claim, from file to verdict."""
    line, whole = timed("index", store, "--out", work / "index", *options)
    passages = re.search(r"([\d,]+) passages", line)
    stages = {name: float(seconds) for name, seconds in _STAGES.findall(line.split("passages")[1])}
    parts = {"index, starting": whole - sum(stages.values())}
    parts |= {f"index, {name}": seconds for name, seconds in stages.items()}
    _, decided = timed("predict", "--index", work / "index", "--out", work / "run")
    lines = (work / "run" / "timings.jsonl").read_text().splitlines()
    seconds = json.loads(lines[-1])["seconds"]
    parts["predict, starting"] = decided - sum(seconds.values())
    parts |= {f"predict, {name}": spent for name, spent in seconds.items()}
    number = passages[1] if passages else "?"
    print(f"{number} passages embedded, {whole + decided:.1f} s", flush=True)
    return {**parts, "whole": whole + decided}


def main() -> None:
    given, of_index = split_words()
    parser = with_goal(__doc__)
    parser.add_argument("--lines", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--store", type=Path, help="a folder of make_store, made before")
    asked = parser.parse_args(given)
    begin()
    with TemporaryDirectory(prefix="uhhrag-") as made:
        store = asked.store
        if store is None:
            store = Path(made) / "store"
            make = [sys.executable, "-m", "scripts.make_store", str(store)]
            subprocess.run([*make, "--lines", str(asked.lines)], check=True, cwd=ROOT)
        works = (Path(made) / str(n) for n in range(asked.rounds))
        rounds = [one(store.absolute(), work, of_index) for work in works]
    for part in rounds[0]:
        seconds = [measured.get(part, 0.0) for measured in rounds]
        print(f"{part:<20} {statistics.median(seconds):6.2f} s")
    whole = statistics.median(measured["whole"] for measured in rounds)
    print(f"the goal is {GOAL:g} s")
    if whole > GOAL and not asked.force:
        sys.exit(f"not within {GOAL:g} s")


if __name__ == "__main__":
    main()
