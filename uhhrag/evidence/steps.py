"""Steps that approaches share; UHH paper, sections 3.2 and 3.3 (`decompose`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from uhhrag.errors import UsageError
from uhhrag.evidence.replies import read_after
from uhhrag.protocols import LLM, Embedder, NumberedDocuments, Template
from uhhrag.records import Claim, Evidence, Generate, Hit, source_of
from uhhrag.text.dates import dated

T = TypeVar("T")
_QUESTION_TOKENS = 48
"""Longer than 99 of 100 of UHH's published questions."""
_LIST_TOKENS, _LONGEST_LIST = 160, 2048
_AROUND = 2
"""Lines on either side."""
_OPENINGS = re.compile(
    r"(who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|can|"
    r"could|will|would|should|may|might)\b",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.):]|q\d*:|questions?:)\s*", re.IGNORECASE)


def demand(model: T | None, what: str = "a language model") -> T:
    if model is None:
        raise UsageError(f"{what} is asked, and none is loaded; name one")
    return model


def constant_question(claim: Claim) -> str:
    """
    >>> constant_question(Claim(0, "The moon is made of cheese."))
    'What do reliable sources say about the claim that The moon is made of cheese?'
    """
    return f"What do reliable sources say about the claim that {claim.text.rstrip(' .?!')}?"


def as_evidence(hit: Hit, question: str, reply: str = "") -> Evidence:
    passage = hit.passage
    return Evidence(
        question, passage.text, passage.urls, hit.score, hit.score, reply, places=passage.places
    )


def ask_about(
    llm: LLM, template: Template, claim: Claim, hits: Sequence[Hit]
) -> tuple[Evidence, ...]:
    prompts = [template(claim=claim.text, sentence=hit.passage.text) for hit in hits]
    replies = llm(prompts, Generate(_QUESTION_TOKENS, stop=("?", "\n")))
    return tuple(
        as_evidence(hit, read_question(reply.text) or constant_question(claim), reply.text)
        for hit, reply in zip(hits, replies, strict=True)
    )


def decompose(llm: LLM, template: Template, claim: Claim, count: int) -> tuple[list[str], str]:
    """At most `count` distinct questions, and the reply."""
    prompt = template(claim=claim.text, count=str(count))
    limit = min(max(_LIST_TOKENS, 32 * count), _LONGEST_LIST)
    reply = llm([prompt], Generate(limit, stop=("\n\n",)))[0].text
    return read_questions(reply)[:count] or [constant_question(claim)], reply


def order_by_similarity(
    embed: Embedder, claim: Claim, evidence: Sequence[Evidence]
) -> tuple[Evidence, ...]:
    """By cosine of claim and "question answer", best first."""
    if not evidence:
        return ()
    vectors = embed([claim.text, *(f"{e.question} {e.answer}" for e in evidence)])
    scored = [
        replace(e, score=float(v @ vectors[0])) for e, v in zip(evidence, vectors[1:], strict=True)
    ]
    return tuple(sorted(scored, key=lambda e: -e.score))


def locate(evidence: Sequence[Evidence], document: NumberedDocuments) -> tuple[Evidence, ...]:
    """Adds sources, what it is read after, and context unless recorded."""
    return tuple(_located(item, document) for item in evidence)


def _located(evidence: Evidence, document: NumberedDocuments) -> Evidence:
    sources, context, at, before = [], evidence.context, evidence.at, evidence.before
    for place in evidence.places:
        page = document(place.document)
        if page is None:
            continue
        is_line = page.holds(evidence.answer, place.line)
        sources.append(dated(source_of(page, place.line if is_line else None)))
        if is_line and not context:
            context, at = _around(page.lines, place.line)
            before = read_after(page, place.line)
    return replace(evidence, context=context, at=at, sources=tuple(sources), before=before)


def _around(lines: Sequence[str], line: int) -> tuple[str, int]:
    """With the line's position, 0 if its words stand nowhere before."""
    first = max(0, line - _AROUND)
    context = "\n".join(lines[first : line + _AROUND + 1])
    at = sum(len(above) + 1 for above in lines[first:line])
    return context, 0 if context.find(lines[line]) == at else at


def read_question(reply: str) -> str:
    """The first, or "". Never raises.

    >>> read_question('Question: "Who owns it?" And why?')
    'Who owns it?'
    >>> read_question("")
    ''
    """
    return next(iter(read_questions(reply)), "")


def read_questions(reply: str) -> list[str]:
    """Distinct, of three words or more, without numbering. Never raises."""
    questions = []
    for part in re.findall(r"[^?\n\r]+\??", reply):
        bare = _NUMBERING.sub("", part).strip(" \t\"'“”*")
        words = bare.rstrip("?").split()
        asks = bare.endswith("?") or _OPENINGS.match(bare)
        if len(words) >= 3 and asks:
            questions.append(" ".join(words) + "?")
    return list(dict.fromkeys(questions))
