"""Question-Retrieve: UHH paper, section 3.3. The sentence nearest to each question answers it."""

from __future__ import annotations

from uhhrag.evidence.steps import as_evidence, constant_question, decompose, read_questions
from uhhrag.evidence.unusable import MISSING, note_on
from uhhrag.protocols import EvidenceSource, Tools
from uhhrag.records import Claim, Finding


def question_retrieve(
    claim: Claim, corpus: EvidenceSource, tools: Tools, top: int, options: object
) -> Finding:
    if not tools.llm:
        question = constant_question(claim)
        hits = corpus.search(f"{claim.text} {question}", top)
        return Finding(tuple(as_evidence(hit, question) for hit in hits))
    questions, reply = decompose(tools.llm, tools.prompts("decompose"), claim, top)
    found = ((asked, corpus.search(f"{claim.text} {asked}", 1)) for asked in questions)
    evidence = tuple(as_evidence(hit, asked, reply) for asked, hits in found for hit in hits)
    missing = top - len(read_questions(reply)[:top]) if evidence else 0
    return Finding(evidence, notes=note_on(missing, top, MISSING))
