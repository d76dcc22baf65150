"""How fast a model reads 512 random tokens (llama.cpp's "pp512"), and votes."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from uhhrag.protocols import Template
from uhhrag.records import Ask, PickOne, Prompt, Reply

RAW = 512
"""In tokens."""
ROUNDS = 5
_CLAIM = "The harbour bridge at Varnby was closed to all traffic for the whole of the year 2018."
_EVIDENCE = (
    "When was the harbour bridge at Varnby closed, and for whom? The town council closed it to "
    "lorries in March 2018 after divers had found cracks in two of its seven piers.",
    "What do the ferry company's figures show? It carried 41,000 cars in April 2018, more than "
    "twice as many as in any April before, since drivers could not be sure of the bridge.",
    "Who repaired the bridge? A firm from Lindholm won the contract against three others and "
    "began its work on the second of May, five weeks later than the council had hoped.",
    "Could buses cross? From June on the number 7 bus crossed the bridge again at walking pace, "
    "with a guard before it, on every working day between six in the morning and nine at night.",
    "What did the mayor say in September? She cut a ribbon on the bridge on the eleventh and said "
    "that Varnby was one town again, and that nobody should have to wait for a ferry any more.",
    "How is the weather at Varnby in winter? Storms from the west are frequent between November "
    "and February, and waves have reached the road beside the harbour in several winters.",
    "What does the police log say? It lists eleven accidents on the bridge in 2018, seven of them "
    "after the reopening, all without injuries, and one cow that had to be led back to the farm.",
    "How long did the closure last by the reckoning of the newspaper? The Varnby Echo counted one "
    "hundred and sixty-three days on which no private car was allowed to use the bridge.",
    "Which way did the marathon take? The runners crossed the bridge twice in October 2018, as in "
    "every year since the race was first held, and the road was closed for them until noon.",
    "What became of the old piers? Two were replaced and five strengthened, and the museum shows "
    "a piece of the oak that the builders of the eighteenth century had driven into the ground.",
)


class TimedModel(Protocol):
    tokens_computed: int
    vocabulary: int

    def __call__(self, prompts: Sequence[Prompt], ask: Ask, /) -> list[Reply]: ...

    def read(self, tokens: Sequence[int]) -> None: ...


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens a second, medians of all rounds."""

    raw: float
    votes: float
    asked: int
    """tokens of a round's prompts"""
    computed: int
    """of `asked`, those not shared"""
    count: int

    @property
    def share(self) -> float:
        return self.votes / self.raw


def measure(llm: TimedModel, template: Template, rounds: int = ROUNDS) -> Speed:
    """Readings and votes in turn, after a warm-up."""
    chance = random.Random(0)  # noqa: S311 - any tokens will do
    tokens = [chance.randrange(llm.vocabulary) for _ in range(RAW)]
    prompts = [template(claim=_CLAIM, evidence=piece) for piece in _EVIDENCE]
    replies: list[Reply] = []

    def vote() -> None:
        replies[:] = llm(prompts, PickOne(("A", "B", "C")))

    raw, votes = [], []
    for _ in range(rounds + 1):
        raw.append(_rate(llm, lambda: llm.read(tokens)))
        before = llm.tokens_computed
        votes.append(_rate(llm, vote))
        computed = llm.tokens_computed - before
    asked = sum(reply.prompt_tokens for reply in replies)
    return Speed(
        statistics.median(raw[1:]), statistics.median(votes[1:]), asked, computed, len(prompts)
    )


def _rate(llm: TimedModel, work: Callable[[], None]) -> float:
    before, begun = llm.tokens_computed, time.perf_counter()
    work()
    return (llm.tokens_computed - before) / (time.perf_counter() - begun)


def show(name: str, threads: int, speed: Speed) -> str:
    """At most 80 columns.

    >>> print(show("tiny", 2, Speed(100.0, 90.0, 500, 250, 10)))
    tiny, 2 threads
    raw     100.0 tokens a second (512 random tokens, as llama.cpp's pp512)
    votes    90.0 tokens a second, 90 % of the raw rate
            10 votes take 2.8 s: 250 of 500 tokens computed, the others shared
    """
    return "\n".join(
        (
            f"{name[:60]}, {threads} thread{'s' * (threads != 1)}",
            f"raw   {speed.raw:7.1f} tokens a second ({RAW} random tokens, as llama.cpp's pp512)",
            f"votes {speed.votes:7.1f} tokens a second, {100 * speed.share:.0f} % of the raw rate",
            f"        {speed.count} votes take {speed.computed / speed.votes:.1f} s: "
            f"{speed.computed} of {speed.asked} tokens computed, the others shared",
        )
    )
