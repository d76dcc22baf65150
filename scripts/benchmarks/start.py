"""Time `uhhrag check` from key press to verdict, on a folder of documents that was read before.

A folder of two sentences is made. A first claim has it read and its models loaded, hashed and
compared with the library. Then each round checks a claim of its own in a new process, as a user
does, with a question from the template: what is measured is starting. Wall seconds and CPU seconds
of the process count; on a machine that others use only the latter mean anything.

usage: scripts/bench start [--rounds N] [--voter verifier|llm] [--force]
"""

import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.benchmarks.sides import begin, with_goal

GOAL = 3.0
_DOCUMENT = "The bridge at Varnby was closed in March 2018 and opened again in May 2018.\n"


def check(folder: Path, claim: str, voter: str) -> tuple[float, float]:
    """Wall and CPU seconds of one command."""
    command = [sys.executable, "-m", "uhhrag", "check", "--docs", str(folder / "docs"), claim]
    before, begun = _cpu(), time.perf_counter()
    subprocess.run(
        [*command, "--voter", voter, "--questions", "template"], check=True, capture_output=True
    )
    return time.perf_counter() - begun, _cpu() - before


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    options = with_goal(__doc__)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--voter", choices=["verifier", "llm"], default="verifier")
    given = options.parse_args()
    begin()
    with TemporaryDirectory(prefix="uhhrag-") as made:
        folder = Path(made)
        (folder / "docs").mkdir()
        (folder / "docs" / "bridge.txt").write_text(_DOCUMENT)
        first = check(folder, "The bridge was closed in 2018.", given.voter)
        print(f"first   {first[0]:5.1f} s, {first[1]:5.1f} CPU s (documents read)")
        rounds = [
            check(folder, f"The bridge was closed for {n} months.", given.voter)
            for n in range(2, 2 + given.rounds)
        ]
    for wall, cpu in rounds:
        print(f"later   {wall:5.1f} s, {cpu:5.1f} CPU s")
    middle = statistics.median(wall for wall, _ in rounds)
    print(f"median  {middle:5.1f} s; the goal is {GOAL:g} s")
    if middle > GOAL and not given.force:
        sys.exit(f"not within {GOAL:g} s")


if __name__ == "__main__":
    main()
