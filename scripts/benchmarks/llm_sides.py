"""What votes and questions share: real claims with evidence, llama-cpp-python used the
obvious way, and rounds in which both sides take turns."""

import json
import os
import statistics
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from llama_cpp import Llama, llama_set_n_threads

from scripts.benchmarks.memory import forget_peak, memory
from scripts.benchmarks.sides import with_goal
from scripts.reference import reference_data
from uhhrag import models
from uhhrag.backends.llamacpp import model as llamacpp
from uhhrag.records import Claim, Evidence, Prompt

PREDICTIONS = "predictions/uhh_retrieve_question_majority_top10.json"
Case = tuple[Claim, tuple[Evidence, ...]]


def arguments(about: str | None, **counts: int) -> Namespace:
    """`counts` are further options with their defaults."""
    parser = with_goal(about)
    parser.add_argument("--averitec", type=Path, default=reference_data(), help="reference data")
    parser.add_argument("--llm", default="smollm2-135m", help="a model's name or a .gguf file")
    parser.add_argument("--claims", type=int, default=3)
    parser.add_argument("--evidence", type=int, default=10, help="pieces a claim")
    for name, default in {"rounds": 3, **counts}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def cases(given: Namespace) -> list[Case]:
    """Claims of AVeriTeC's dev set with the sentences that UHH's system retrieved for them."""
    found = json.loads((given.averitec / PREDICTIONS).read_text(encoding="utf-8"))
    return [
        (
            Claim(entry["claim_id"], entry["claim"]),
            tuple(
                Evidence(e["question"], e["answer"]) for e in entry["evidence"][: given.evidence]
            ),
        )
        for entry in found[: given.claims]
    ]


class Sides:
    """One model loaded twice: by our class, and by llama-cpp-python's with its defaults and a
    context of 4,096 tokens. By default it generates with half the cores; `all_cores` gives it
    all of them."""

    def __init__(self, given: Namespace) -> None:
        gguf = models.path(given.llm)
        threads, before = given.threads, megabytes()
        self.ours = llamacpp.load(gguf, threads=threads)
        after = megabytes()
        self._threads = threads
        self._theirs = Llama(str(gguf), n_ctx=4096, verbose=False)
        loaded = megabytes()
        print(f"{gguf.name}, {threads} threads, {llamacpp.VERSION}")
        print(f"loaded    ours {after - before:,.0f} MB, obvious {loaded - after:,.0f} MB")

    def all_cores(self, *, given: bool) -> None:
        generating = self._threads if given else self._theirs.n_threads
        llama_set_n_threads(self._theirs.ctx, generating, self._threads)

    def complete(self, prompt: Prompt, max_tokens: int) -> str:
        """The obvious way: a chat completion, greedy."""
        reply: Any = self._theirs.create_chat_completion(
            [{"role": "user", "content": prompt.text}], temperature=0.0, max_tokens=max_tokens
        )
        return str(reply["choices"][0]["message"]["content"])


def megabytes(field: str = "VmRSS") -> float:
    """Megabytes of this process, see `memory`."""
    return memory(field) / 1e6


def take_turns(rounds: int, sides: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Run all sides in turn, print median, all rounds and memory; gives the medians."""
    taken_by: dict[str, list[float]] = {name: [] for name in sides}
    peaks = dict.fromkeys(sides, 0.0)
    for _ in range(rounds):
        for name, run in sides.items():
            forget_peak()
            before = megabytes()
            taken_by[name].append(seconds(run))
            peaks[name] = max(peaks[name], megabytes("VmHWM") - before)
    medians = {name: statistics.median(taken) for name, taken in taken_by.items()}
    for name, taken in taken_by.items():
        rounds_shown = " ".join(f"{one:.2f}" for one in taken)
        peak = f"peak +{peaks[name]:.0f} MB"
        print(f"{name:<9} median {medians[name]:7.2f} s of {rounds_shown}  {peak}")
    return medians


def compared(
    given: Namespace,
    items: Sequence[Case],
    what: str,
    computed: int,
    ours: Callable[[Sequence[Case]], Any],
    others: dict[str, Callable[[], Any]],
) -> float:
    """Let all sides take turns and print what each takes; how many times as fast ours is as the
    obvious way."""
    medians = take_turns(given.rounds, {**others, "ours": lambda: ours(items)})
    taken, parts = medians["ours"], sum(len(evidence) for _, evidence in items)
    print(f"ours      {parts} {what}s, {computed} tokens computed ", end="")
    print(f"({computed / taken:.0f} a second), {taken / parts:.3f} s a {what}")
    halved = [(claim, evidence[: len(evidence) // 2]) for claim, evidence in items]
    print(f"growth    half of them take {seconds(lambda: ours(halved)) / taken:.2f} of the time")
    ratios = [f"{medians[name] / taken:.1f} ({name})" for name in others]
    print(f"ratio     {', '.join(ratios)}")
    return medians["obvious"] / taken


def seconds(run: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun
