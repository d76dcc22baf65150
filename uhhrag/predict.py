"""Claims → verdicts, one claim after another, continuing where an earlier run stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from uhhrag.calibration import Calibration
from uhhrag.display import printable
from uhhrag.errors import RunError, UhhragError, UsageError
from uhhrag.evidence import NO_ANSWER, locate
from uhhrag.granularity import SENTENCE, Granularity, widen
from uhhrag.protocols import LLM, Approach, Corpus, Embedder, Kit
from uhhrag.recorded import as_record
from uhhrag.records import (
    Choose,
    Claim,
    Evidence,
    Failure,
    Finding,
    Generate,
    Hit,
    Label,
    Prompt,
    Reply,
    Verdict,
    Vote,
)
from uhhrag.run import RunFolder, append, as_line
from uhhrag.spread import spread
from uhhrag.verdict import Decoding, Rule, cast, grade_of, margin, own_vote, template_of


@dataclass(frozen=True, slots=True)
class Method:
    """How a claim is decided. `voter` is the model that casts the votes; the kit's may be None
    where questions come from a template. `options` are the approach's own. A verdict less sure
    than `abstain_below` (see `verdict.margin`) is Not Enough Evidence. Votes read what
    `granularity` makes of a passage; one less similar than `nearest` is left out."""

    approach: Approach
    top: int
    rule: Rule
    decoding: Decoding
    calibration: Calibration
    kit: Kit
    voter: LLM
    options: Any
    abstain_below: float = 0.0
    granularity: Granularity = SENTENCE
    nearest: float = 0.0


def decide(claim: Claim, corpus: Corpus, method: Method) -> Verdict:
    """The verdict on one claim with the evidence and votes it rests on."""
    found = method.approach(claim, corpus, method.kit, method.top, method.options)
    near, far = near_enough(found.evidence, method.nearest)
    evidence = widen(locate(near, corpus.pages), corpus.pages, method.granularity)
    votes = _votes(claim, replace(found, evidence=evidence), method)
    label = method.rule.decide(votes)
    verdict = Verdict(
        claim, label, evidence, votes, found.notes + far, corpus.removed, grade_of(votes, label)
    )
    sure = margin(votes, label)
    if sure is None or sure >= method.abstain_below:
        return verdict
    return replace(verdict, label=Label.NOT_ENOUGH, leaning=label)


def near_enough(
    evidence: Sequence[Evidence], nearest: float
) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    """The evidence whose passages are at least so similar, with the questions that have no answer;
    none where no passage is. And a note on what is left out."""
    passages = [item for item in evidence if item.answer != NO_ANSWER]
    far = [item.retrieval_score for item in passages if item.retrieval_score < nearest]
    if nearest <= 0 or not evidence or (passages and not far):
        return tuple(evidence), ()
    if not passages:
        return (), ("no passage is near enough: no question has an answer",)
    below = f"similarity {max(far):.2f} at most, below {nearest:.2f}"
    if len(far) == len(passages):
        return (), (f"no passage is near enough: {below}",)
    near = tuple(i for i in evidence if i.answer == NO_ANSWER or i.retrieval_score >= nearest)
    return near, (f"{len(far)} of {len(passages)} passages are left out: {below}",)


def _votes(claim: Claim, found: Finding, method: Method) -> tuple[Vote, ...]:
    rule, decoding = method.rule, method.decoding
    if not found.evidence:
        return ()
    if rule.own and (own := own_vote(found)):
        return own
    if not rule.step:
        return ()
    template = method.kit.prompts(template_of(rule, decoding))
    return cast(method.voter, template, claim, found.evidence, rule, decoding, method.calibration)


def select(claims: Sequence[Claim], limit: int | None, wanted: Sequence[int]) -> list[Claim]:
    """The first `limit` of the wanted claims, all where none are wanted by id. Raises UsageError
    for a claim that is not there."""
    known = {claim.id: claim for claim in claims}
    if missing := [str(i) for i in wanted if i not in known]:
        there = f"its claims are {min(known)} to {max(known)}" if known else "it has none"
        raise UsageError(
            f"the index has no claim {', '.join(missing)}; {there}; uhhrag index makes more"
        )
    if limit is not None and limit < 1:
        raise UsageError(f"--limit {limit} leaves no claim; give 1 or more")
    chosen = [known[i] for i in sorted(set(wanted))] if wanted else list(claims)
    return chosen[:limit]


def predict(
    claims: Sequence[Claim],
    corpus_for: Callable[[Claim], Corpus],
    method: Method,
    run: RunFolder,
    others: Sequence[Method] = (),
) -> Iterator[Verdict | Failure]:
    """Decide claims that the run has not decided yet and write each to its trace. Gives a
    verdict as soon as it is on disk, or the failure of a claim: then the trace holds the
    `error`, the other claims are not touched by it, and the next run tries it again. `others`
    are the same method on other engines, and take claims in turn with it.

    A RunError (no room for a reply, say) is no claim's own and ends the run."""

    def attempt(claim: Claim, method: Method) -> Callable[[], Verdict | Failure]:
        """What writes the claim's result down and gives it."""
        meter = Meter()
        try:
            verdict = decide(claim, meter.corpus(corpus_for(claim)), meter.method(method))
            line = as_line(as_record(verdict, run.origin(claim.id)))
        except RunError:
            raise
        except Exception as error:  # noqa: BLE001 - one claim's failure must not end the others
            return partial(_write_failure, run, Failure(claim, _reason(error)))
        return partial(_write_verdict, run, verdict, line, meter)

    for write in spread(attempt, claims, (method, *others)):
        yield write()


def _write_failure(run: RunFolder, failure: Failure) -> Failure:
    claim = failure.claim
    failed = {"claim_id": claim.id, "claim": claim.text, "error": failure.error}
    append(run.trace, as_line(failed))
    return failure


def _write_verdict(run: RunFolder, verdict: Verdict, line: bytes, meter: Meter) -> Verdict:
    append(run.trace, line)
    append(run.timings, meter.as_line(verdict.claim))
    return verdict


def _reason(error: Exception) -> str:
    return printable(str(error) if isinstance(error, UhhragError) else f"{error!r}")


@dataclass(slots=True)
class Meter:
    """Seconds and tokens of one claim by stage: a language model's stage is the step of its
    prompts, the others are `search` (with the embedding of the query) and `embed`."""

    seconds: dict[str, float] = field(default_factory=dict)
    tokens: dict[str, list[int]] = field(default_factory=dict)

    def method(self, method: Method) -> Method:
        """The same method with its models measured."""
        kit = method.kit
        asker = self.llm(kit.llm) if kit.llm else None
        measured = replace(kit, embed=self.embed(kit.embed), llm=asker)
        return replace(method, kit=measured, voter=self.llm(method.voter))

    def llm(self, llm: LLM) -> LLM:
        def measured(prompts: Sequence[Prompt], ask: Generate | Choose, /) -> list[Reply]:
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

    def corpus(self, corpus: Corpus) -> Corpus:
        def search(query: str, top: int, /) -> list[Hit]:
            hits: list[Hit] = self._timed("search", corpus.search, query, top)
            return hits

        return replace(corpus, search=search)

    def _timed(self, stage: str, call: Callable[..., Any], *arguments: Any) -> Any:
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
        return as_line({"claim_id": claim.id, "seconds": self.seconds, "llm": calls})
