from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar

from uhhrag.errors import RunError, UsageError, reason_of
from uhhrag.pipeline import Decider, Method, decide
from uhhrag.protocols import LLM, Embedder, Entailment, EvidenceSource, VotingModels
from uhhrag.records import Ask, Claim, Failure, Hit, Prompt, Reply, Verdict
from uhhrag.runs.run_folder import RunFolder
from uhhrag.runs.shards import Shard
from uhhrag.runs.trace import Record, append, as_line, as_record, claim_record, verdict_in
from uhhrag.system.terminal import printable

T = TypeVar("T")
W = TypeVar("W")
R = TypeVar("R")


def spread(work: Callable[[T, W], R], items: Iterable[T], workers: Sequence[W]) -> Iterator[R]:
    """Results as they are done; one worker runs in this thread, in order. Items begin as results
    are taken. An exception ends all."""
    if len(workers) == 1:
        for item in items:
            yield work(item, workers[0])
        return
    left = iter(items)
    with ThreadPoolExecutor(len(workers)) as pool:
        first = zip(workers, islice(left, len(workers)), strict=False)
        running = {pool.submit(work, item, worker): worker for worker, item in first}
        while running:
            done = next(iter(wait(running, return_when=FIRST_COMPLETED).done))
            worker = running.pop(done)
            yield done.result()
            for item in islice(left, 1):
                running[pool.submit(work, item, worker)] = worker


def _nobody(stage: str) -> None:
    """Nobody listens."""


def select(
    claims: Sequence[Claim],
    limit: int | None,
    ids: Sequence[int],
    shard: Shard,
    place: str = "the index",
    remedy: str = "uhhrag index makes more",
) -> list[Claim]:
    """The shard of the first `limit` ids claims (all if none is named). Raises UsageError."""
    known = {claim.id: claim for claim in claims}
    if missing := [str(i) for i in ids if i not in known]:
        there = f"its claims are {min(known)} to {max(known)}" if known else "it has none"
        raise UsageError(f"{place} has no claim {', '.join(missing)}; {there}; {remedy}")
    chosen = sorted(set(ids)) if ids else [*known]
    return [known[i] for i in shard.share(chosen[:limit])]


def absent(claims: Sequence[Claim], total: int, limit: int | None, shard: Shard) -> tuple[int, ...]:
    """Ids missing from the first `limit` of `total`, or from their shard."""
    known = {claim.id for claim in claims}
    wanted = range(total)[:limit]
    return tuple(i for i in shard.share(wanted) if i not in known)


@dataclass(frozen=True, slots=True)
class Decided:
    verdict: Verdict
    line: bytes
    timing: bytes


Attempt = Decided | Failure
Deciding = Generator[Verdict | Failure, None, None]


def predict(
    claims: Sequence[Claim],
    deciders: Sequence[Decider],
    run: RunFolder,
    tell: Callable[[str], None] = _nobody,
) -> Deciding:
    """Results are first in the trace; the next run tries failures again. Raises RunError."""

    def work(claim: Claim, decider: Decider) -> Attempt:
        return attempt(claim, decider, run.origin(claim.id), tell)

    return append_attempts(run, spread(work, claims, deciders))


def attempt(
    claim: Claim, decider: Decider, origin: Record, tell: Callable[[str], None] = _nobody
) -> Attempt:
    """Writes nothing. Raises RunError; any other error is the claim's failure."""
    meter = Meter(tell)
    try:
        corpus = meter.corpus(decider.corpus_for(claim))
        verdict = decide(claim, corpus, meter.method(decider.method))
        record = as_record(verdict, origin)
        verdict_in(record)  # a program's own parts may give what no trace holds
        return Decided(verdict, as_line(record), meter.as_line(claim))
    except RunError:
        raise
    except Exception as error:  # noqa: BLE001 - one claim's failure must not end the others
        return Failure(claim, printable(reason_of(error)))


def append_attempts(run: RunFolder, attempts: Iterable[Attempt]) -> Deciding:
    for made in attempts:
        if isinstance(made, Failure):
            failed = {**claim_record(made.claim), "error": made.error}
            append(run.trace, as_line({k: v for k, v in failed.items() if v is not None}))
            yield made
        else:
            append(run.trace, made.line)
            append(run.timings, made.timing)
            yield made.verdict


@dataclass(slots=True)
class Meter:
    """Seconds and tokens by stage: a prompt's step, `search`, `embed` or `verifier`."""

    tell: Callable[[str], None] = _nobody
    seconds: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, list[int]] = field(default_factory=dict)

    def method(self, method: Method) -> Method:
        tools = method.tools
        asker = self.llm(tools.llm) if tools.llm else None
        measured = replace(tools, embed=self.embed(tools.embed), llm=asker)
        models = VotingModels(
            self.llm(method.models.llm) if method.models.llm else None,
            self.entailment(method.models.verifier) if method.models.verifier else None,
        )
        return replace(method, tools=measured, models=models)

    def llm(self, llm: LLM) -> LLM:
        def measured(prompts: Sequence[Prompt], ask: Ask, /) -> list[Reply]:
            step = prompts[0].step if prompts else "none"
            replies: list[Reply] = self._timed(step, llm, prompts, ask)
            counts = self.tokens.setdefault(step, [0, 0, 0])
            counts[0] += len(replies)
            counts[1] += sum(r.prompt_tokens for r in replies)
            counts[2] += sum(r.reply_tokens for r in replies)
            return replies

        return measured

    def embed(self, embed: Embedder) -> Embedder:
        return lambda texts, /: self._timed("embed", embed, texts)

    def entailment(self, entailment: Entailment) -> Entailment:
        return lambda pairs, /: self._timed("verifier", entailment, pairs)

    def corpus(self, corpus: EvidenceSource) -> EvidenceSource:
        def search(query: str, top: int, /) -> list[Hit]:
            hits: list[Hit] = self._timed("search", corpus.search, query, top)
            return hits

        return replace(corpus, search=search)

    def _timed(self, stage: str, call: Callable[..., Any], *arguments: Any) -> Any:
        self.tell(stage)
        begun = time.perf_counter()
        try:
            return call(*arguments)
        finally:
            spent = time.perf_counter() - begun
            self.seconds[stage] = self.seconds.get(stage, 0.0) + spent

    def as_line(self, claim: Claim) -> bytes:
        calls = {
            step: {"calls": n, "prompt_tokens": p, "reply_tokens": r}
            for step, (n, p, r) in self.tokens.items()
        }
        at = datetime.now(UTC).isoformat(timespec="seconds")
        line = {"claim_id": claim.id, "at": at, "seconds": self.seconds, "llm": calls}
        return as_line(line)
