"""Retrieve-Question: UHH paper, section 3.2. Sentences near the claim get a question each. Mixed
questions are ours; they raise both question scores (docs/benchmarks.md)."""

from __future__ import annotations

from uhhrag.evidence.steps import (
    as_evidence,
    ask_about,
    constant_question,
    order_by_similarity,
    read_question,
)
from uhhrag.evidence.unusable import REPLACED, note_on
from uhhrag.protocols import EvidenceSource, Tools
from uhhrag.records import Claim, Finding

RETRIEVED = 10
"""Fewest sentences retrieved (section 3.2)."""


def retrieve_question(
    claim: Claim, corpus: EvidenceSource, tools: Tools, top: int, options: object
) -> Finding:
    hits = corpus.search(claim.text, max(RETRIEVED, top))
    constant = [as_evidence(hit, constant_question(claim)) for hit in hits]
    if tools.llm is None:  # a constant question says nothing about which sentence is nearer
        return Finding(tuple(constant[:top]))
    asked = (len(hits) + 1) // 2 if tools.mixed else len(hits)
    evidence = ask_about(tools.llm, tools.prompts("ask_about"), claim, hits[:asked])
    # The constant question holds the claim and would rank all of its sentences first.
    kept = order_by_similarity(tools.embed, claim, evidence)[:top]
    unusable = sum(not read_question(item.reply) for item in kept)
    return Finding((*kept, *constant[asked:])[:top], notes=note_on(unusable, len(kept), REPLACED))
