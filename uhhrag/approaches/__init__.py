"""Approaches from a claim to evidence, named as in their papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from uhhrag.approaches import entailed_qa, summaries
from uhhrag.approaches.pursuit import PursuitOptions, pursuit
from uhhrag.approaches.question_retrieve import question_retrieve
from uhhrag.approaches.retrieve_question import retrieve_question
from uhhrag.protocols import Approach


@dataclass(frozen=True, slots=True)
class Plain:
    """Without options."""


@dataclass(frozen=True, slots=True)
class ApproachSpec:
    run: Approach
    top: int
    """evidence kept in the paper's main result"""
    options: type = Plain
    """frozen dataclass; defaults are the paper's"""
    rule: str = "majority"  # UHH, Table 1: strategy 2-2 is the best row
    reranker: bool = False
    checks: bool = False
    asks: bool = False
    """needs a language model"""
    by_claim: bool = False
    """searches by the claim only"""
    mixes: bool = False
    """may ask the constant question"""
    decides: Callable[[Any], bool] = lambda options: False
    """may reach a verdict of its own, so set"""
    prompts: tuple[str, ...] | None = None
    """the templates that it fills, and no other, which signatures cover; None: any"""


APPROACHES: Mapping[str, ApproachSpec] = {
    # UHH, section 3.2 and Table 1
    "retrieve-question": ApproachSpec(
        retrieve_question, top=10, by_claim=True, mixes=True, prompts=("ask_about",)
    ),
    # UHH, section 3.3 and Table 1
    "question-retrieve": ApproachSpec(question_retrieve, top=3, prompts=("decompose",)),
    "pursuit": ApproachSpec(  # Papelo, section 4.1
        *(pursuit, 5, PursuitOptions, "pairs"),
        asks=True,
        decides=lambda options: options.ask == "next" and not options.next,
        prompts=("answer_document", "ask_first", "ask_next", "best_document", "paraphrase"),
    ),
    # FZI-WIM, section 3; the shared task counts ten pieces of evidence
    "entailed-qa": ApproachSpec(
        entailed_qa.entailed_qa,
        top=10,
        options=entailed_qa.EntailedQaOptions,
        rule="justified",
        reranker=True,
        checks=True,
        asks=True,
        prompts=("answer", "entails_constrained", "question_set", "statement"),
    ),
    "summaries": ApproachSpec(  # Chen et al., section 4: four documents
        *(summaries.summaries, 4, summaries.SummariesOptions, "all"),
        asks=True,
        decides=lambda options: bool(options.classifier),
        prompts=("summarise", "summarise_few", "yes_no"),
    ),
}
