"""Run the benchmarks one after the other and print what each says, with the time it took.

`--quick` runs small ones that say how it is on this machine, within minutes on two cores with
nothing else running. Those that need the reference data are left out, by name, where there are
none. Without it every benchmark of speed runs with its defaults, which takes hours. A goal that
is missed does not end the others.

usage: scripts/bench all [--quick]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from scripts.benchmarks.sides import ROOT, begin
from scripts.reference import reference_data

QUICK = (
    ("kernels",),
    ("start", "--rounds", "3", "--force"),
    ("read", "--lines", "30000", "--rounds", "3"),
    ("prefilter", "--lines", "10000", "--rounds", "1"),
)
WHOLE = (
    ("kernels",),
    ("start", "--force"),
    ("read",),
    ("prefilter",),
    ("embed", "--force"),
    ("index",),
    ("votes", "--force"),
    ("questions", "--force"),
    ("claim", "--force"),
)
REFERENCE = {"read", "prefilter", "embed", "index", "votes", "questions", "claim"}
"""Benchmarks on claims and stores that are not in the repository."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--quick", action="store_true", help="small ones, within minutes")
    given = options.parse_args()
    begin()
    there = reference_data().is_dir()
    begun, failed = time.perf_counter(), []
    for name, *rest in QUICK if given.quick else WHOLE:
        line = " ".join((name, *rest))
        if name in REFERENCE and not there:
            print(f"\n== {line}: left out, the reference data are not here", flush=True)
            continue
        print(f"\n== {line}", flush=True)
        start = time.perf_counter()
        ran = subprocess.run(
            [sys.executable, "-m", f"scripts.benchmarks.{name}", *rest], cwd=ROOT, check=False
        )
        print(f"-- {time.perf_counter() - start:.0f} s", flush=True)
        failed += [name] if ran.returncode else []
    print(f"\nall of them: {time.perf_counter() - begun:.0f} s")
    if failed:
        sys.exit(f"ended with an error: {', '.join(failed)}")


if __name__ == "__main__":
    main()
