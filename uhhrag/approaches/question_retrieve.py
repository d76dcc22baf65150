"""Question-Retrieve: UHH paper, section 3.3.

Up to `top` questions about the claim (three in the paper); for each the sentence nearest to
"claim question". As in the paper, one sentence may answer several questions. Without a model
there is one question, the constant one, and its `top` nearest sentences answer it.
"""

from __future__ import annotations

from uhhrag.evidence.steps import as_evidence, constant_question, decompose
from uhhrag.protocols import Corpus, Tools
from uhhrag.records import Claim, Finding


def question_retrieve(
    claim: Claim, corpus: Corpus, tools: Tools, top: int, options: object
) -> Finding:
    if not tools.llm:
        question = constant_question(claim)
        hits = corpus.search(f"{claim.text} {question}", top)
        return Finding(tuple(as_evidence(hit, question) for hit in hits))
    questions, reply = decompose(tools.llm, tools.prompts("decompose"), claim, top)
    return Finding(
        tuple(
            as_evidence(hit, question, reply)
            for question in questions
            for hit in corpus.search(f"{claim.text} {question}", 1)
        )
    )
