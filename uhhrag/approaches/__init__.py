"""Claim → evidence: one file an approach, named as its paper names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from uhhrag.approaches import entailed_qa, summaries
from uhhrag.approaches.pursuit import PursuitOptions, pursuit
from uhhrag.approaches.question_retrieve import question_retrieve
from uhhrag.approaches.retrieve_question import retrieve_question
from uhhrag.protocols import Approach


@dataclass(frozen=True, slots=True)
class Plain:
    """The options of an approach that has none."""


@dataclass(frozen=True, slots=True)
class ApproachSpec:
    """An approach, the number of evidence items its paper's main result keeps, the frozen
    dataclass of its options, whose defaults are the paper's, and its paper's verdict rule.
    `reranker` says that it needs one, `checks` that it checks entailment (by an NLI model where
    its tools have one), `asks` that it cannot do without a language model, `by_claim` that it
    searches by the claim and by nothing else, `mixes` that it can take the language model's
    questions for some passages and the constant one for others."""

    run: Approach
    top: int
    options: type = Plain
    rule: str = "majority"  # UHH, Table 1: strategy 2-2 is the best row
    reranker: bool = False
    checks: bool = False
    asks: bool = False
    by_claim: bool = False
    mixes: bool = False


APPROACHES: Mapping[str, ApproachSpec] = {
    # UHH, section 3.2 and Table 1
    "retrieve-question": ApproachSpec(retrieve_question, top=10, by_claim=True, mixes=True),
    "question-retrieve": ApproachSpec(question_retrieve, top=3),  # UHH, section 3.3 and Table 1
    "pursuit": ApproachSpec(pursuit, 5, PursuitOptions, "pairs", asks=True),  # Papelo, section 4.1
    # FZI-WIM, section 3; the shared task counts ten pieces of evidence
    "entailed-qa": ApproachSpec(
        entailed_qa.entailed_qa,
        top=10,
        options=entailed_qa.EntailedQaOptions,
        rule="justified",
        reranker=True,
        checks=True,
        asks=True,
    ),
    "summaries": ApproachSpec(  # Chen et al., section 4: four documents
        summaries.summaries, 4, summaries.SummariesOptions, "all", asks=True
    ),
}
