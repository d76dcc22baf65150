"""Retrieve-Question: UHH paper, section 3.2.

The ten sentences nearest to the claim; a question for each; both together ranked again by their
nearness to the claim; the best of them kept. The paper's few-shot examples were drawn anew for
each sentence, without a seed; here a run keeps its examples.

Ours is the mixture of questions: the model is asked about the nearer half of the sentences alone,
the others get the constant question. Annotators ask what the claim says as well as what lies behind
it, so both scores of questions rise, in half of the time (docs/benchmarks.md).
"""

from __future__ import annotations

from uhhrag.evidence.steps import as_evidence, ask_about, constant_question, rerank
from uhhrag.protocols import Corpus, Tools
from uhhrag.records import Claim, Finding

RETRIEVED = 10
"""Sentences that get a question (section 3.2), more only when more are to be kept."""


def retrieve_question(
    claim: Claim, corpus: Corpus, tools: Tools, top: int, options: object
) -> Finding:
    hits = corpus.search(claim.text, max(RETRIEVED, top))
    constant = [as_evidence(hit, constant_question(claim)) for hit in hits]
    if tools.llm is None:  # a constant question says nothing about which sentence is nearer
        return Finding(tuple(constant[:top]))
    asked = nearer_half(len(hits)) if tools.mixed else len(hits)
    evidence = ask_about(tools.llm, tools.prompts("ask_about"), claim, hits[:asked])
    # The constant question holds the claim and would rank all of its sentences first.
    return Finding((*rerank(tools.embed, claim, evidence), *constant[asked:])[:top])


def nearer_half(count: int) -> int:
    """About how many of `count` sentences, the nearest, a mixture asks the model.

    >>> nearer_half(10), nearer_half(1)
    (5, 1)
    """
    return (count + 1) // 2
