from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from uhhrag.evidence.steps import as_evidence, locate
from uhhrag.pipeline import Method, decide, near_enough
from uhhrag.protocols import LLM, EvidenceSource, Tools
from uhhrag.records import Ask, Claim, Evidence, Finding, Hit, Prompt, Reply, Verdict, Vote
from uhhrag.runs.predict import Meter


@dataclass(frozen=True, slots=True)
class Progress:
    doing: str
    """In words."""
    evidence: tuple[Evidence, ...] = ()
    votes: tuple[Vote, ...] = ()
    apart: bool = False


Tell = Callable[[Progress], None]


def decide_with_progress(
    claim: Claim, corpus: EvidenceSource, method: Method, tell: Tell
) -> tuple[Verdict, dict[str, float]]:
    """As `pipeline.decide`, with seconds by stage; `tell` gets each step."""
    meter = Meter()
    tell(Progress("Searching"))
    hits: list[Evidence] = []
    shown = _watched(meter.method(method), tell, hits)
    watched = _shown(meter.corpus(corpus), hits, method, tell)
    return decide(claim, watched, shown), meter.seconds


def _shown(
    corpus: EvidenceSource, hits: list[Evidence], method: Method, tell: Tell
) -> EvidenceSource:
    """Tells the first search's hits at once."""

    def search(query: str, count: int, /) -> list[Hit]:
        best = list(corpus.search(query, count))
        if not hits:
            near = [hit for hit in best[: method.top] if hit.score >= method.nearest]
            items = [as_evidence(hit, "") for hit in near]
            hits.extend(locate(items, corpus.document))
            tell(Progress("Reading the sentences", tuple(hits)))
        return best

    return replace(corpus, search=search)


def _watched(method: Method, tell: Tell, hits: list[Evidence]) -> Method:
    evidence: list[Evidence] = []

    def approach(
        claim: Claim, corpus: EvidenceSource, tools: Tools, top: int, options: Any, /
    ) -> Finding:
        asker = _asking(tools.llm, tell, hits) if tools.llm else None
        finding = method.approach(claim, corpus, replace(tools, llm=asker), top, options)
        evidence[:] = near_enough(finding.evidence, method.nearest)[0]
        tell(Progress("Voting", tuple(evidence)))
        return finding

    def on_vote(votes: Sequence[Vote]) -> None:
        tell(Progress("Voting", tuple(evidence), tuple(votes), apart=bool(method.granularity)))

    return replace(method, approach=approach, on_vote=on_vote)


def _asking(llm: LLM, tell: Tell, hits: list[Evidence]) -> LLM:
    def asked(prompts: Sequence[Prompt], ask: Ask, /) -> list[Reply]:
        tell(Progress("Asking questions", tuple(hits)))
        return llm(prompts, ask)

    return asked
