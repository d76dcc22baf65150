"""Asks a model for answers from documents (Papelo, section 3.3 and appendix B)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from uhhrag.evidence.page_search import PageHit, show
from uhhrag.protocols import LLM, Template
from uhhrag.records import NO_ANSWER, Evidence, Generate, Prompt, Reply

_CHOICE = Generate(96, stop=(":", "\n"))
_ANSWER = Generate(96, stop=("\n",))
_NAMED = re.compile(r"\bdocuments?\W{0,3}(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shown:
    metadata: bool = True
    clip: int = 300
    """Characters per line; some stores have lines of 450,000."""


@dataclass(frozen=True, slots=True)
class Answered:
    evidence: Evidence
    note: str = ""


@dataclass(frozen=True, slots=True)
class SearchResult:
    question: str
    documents: tuple[PageHit, ...]
    """Best first."""


def choose(
    llm: LLM, template: Template, searches: Sequence[SearchResult], shown: Shown
) -> list[tuple[PageHit | None, str]]:
    """The document that a reply names first, and the reply; or None and the answer."""
    prompts = [_prompt(template, search, shown) for search in searches]
    # The name comes first; the rest of a reply is generated only where the name is missing.
    starts = llm(prompts, _CHOICE)
    chosen = [_named(r.text, s.documents) for r, s in zip(starts, searches, strict=True)]
    cut_short = [
        not document and r.text != NO_ANSWER for document, r in zip(chosen, starts, strict=True)
    ]
    again = list(compress(prompts, cut_short))
    whole = iter(llm(again, _ANSWER) if again else ())
    return [
        (document, _answer(next(whole) if cut else start))
        for document, cut, start in zip(chosen, cut_short, starts, strict=True)
    ]


def answer(
    llm: LLM, template: Template, searches: Sequence[SearchResult], shown: Shown
) -> list[str]:
    prompts = [_prompt(template, search, shown) for search in searches]
    return [_answer(reply) for reply in llm(prompts, _ANSWER)] if prompts else []


def _prompt(template: Template, search: SearchResult, shown: Shown) -> Prompt:
    documents = show(search.documents, metadata=shown.metadata, clip=shown.clip)
    return template(documents=documents, question=search.question)


def _named(reply: str, documents: Sequence[PageHit]) -> PageHit | None:
    match = _NAMED.search(reply)
    number = int(match[1]) if match and len(match[1]) < 9 else 0
    return documents[number - 1] if 1 <= number <= len(documents) else None


def _answer(reply: Reply) -> str:
    return " ".join(reply.text.split()) or NO_ANSWER
