"""How fast a language model writes while other programs compute.

Questions are written alone, then beside busy programs, in turn. Fails where a core that is left
gives less than .7 of what it gives alone.

usage: scripts/bench busy [--llm NAME_OR_GGUF] [--programs N] [--claims N] [--rounds N] [--force]
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from scripts.benchmarks.llm_sides import Case, arguments, cases
from scripts.benchmarks.sides import begin
from uhhrag import models
from uhhrag.backends.llamacpp import model as llamacpp
from uhhrag.evidence.steps import ask_about
from uhhrag.prompts.templates import load_prompts
from uhhrag.records import Hit, Passage

GOAL = 0.7
NOTICED = 3.0
"""Seconds in which the threads follow the load."""


def tokens_a_second(llm: llamacpp.LlamaCpp, items: list[Case]) -> float:
    template = load_prompts()("ask_about")
    before, begun = llm.tokens_computed, time.perf_counter()
    for claim, evidence in items:
        ask_about(llm, template, claim, [Hit(Passage(one.answer), 0.0) for one in evidence])
    return (llm.tokens_computed - before) / (time.perf_counter() - begun)


@contextmanager
def busy(count: int) -> Iterator[None]:
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        time.sleep(NOTICED)
        yield
    finally:
        for one in programs:
            one.kill()
            one.wait()


def main() -> None:
    given = arguments(__doc__, programs=1)
    begin()
    cores = len(os.sched_getaffinity(0))
    llm = llamacpp.load(models.path(given.llm), threads=cores, follow_load=True)
    items, alone, beside = cases(given), [], []
    tokens_a_second(llm, items)
    for _ in range(given.rounds):
        time.sleep(NOTICED)
        alone.append(tokens_a_second(llm, items))
        with busy(given.programs):
            beside.append(tokens_a_second(llm, items))
    first, then = statistics.median(alone), statistics.median(beside)
    left = max(1, cores - given.programs) / cores
    share = then / (left * first)
    print(f"{first:.1f} tokens a second alone, {then:.1f} beside {given.programs}: ", end="")
    print(f"{share:.2f} of what {left:.2f} of the cores give alone")
    if share < GOAL and not given.force:
        sys.exit(f"less than {GOAL:g}")


if __name__ == "__main__":
    main()
