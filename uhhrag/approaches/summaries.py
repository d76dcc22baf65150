"""Decompose, retrieve twice, summarise: Chen et al., sections 3.1 to 3.5. Unlike the paper:
searches the claim's store, and irrelevant documents are no evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from uhhrag.approaches.options import (
    NO_CLASSIFIER,
    ClassifierFolder,
    Count,
    CountOrNone,
    Temperature,
)
from uhhrag.evidence.page_search import PageHit, find_documents, lines_of, origin, show
from uhhrag.evidence.questions import yes_or_no
from uhhrag.evidence.steps import as_evidence, demand
from uhhrag.protocols import Classifier, EvidenceSource, Tools
from uhhrag.records import Claim, Evidence, Finding, Generate, Grade, Label
from uhhrag.rules.replies import as_grade, as_label
from uhhrag.rules.rules import LABEL_OF

_SUMMARY = Generate(112, stop=("\n",))
_SHOWN = 6000
"""Characters per document."""
_IRRELEVANT = re.compile(r"\bnot relevant\b", re.IGNORECASE)


class By(StrEnum):
    QUESTIONS = "questions"
    CLAIM = "claim"


class Summary(StrEnum):
    ZERO_SHOT = "zero-shot"
    FEW_SHOT = "few-shot"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SummariesOptions:
    """Sections, tables and rows are the paper's."""

    questions: Count = 10
    rounds: Count = 5
    """most samples for the questions (3.1)"""
    temperature: Temperature = 0.7
    documents: Count = 10
    """per question"""
    search: By = By.QUESTIONS
    """CLAIM: rows 1 and B of Table 3"""
    spans: Count = 10
    """best windows of `window` words"""
    window: Count = 30
    around: CountOrNone = 150
    """words added on each side of a window"""
    rank: By = By.QUESTIONS
    """CLAIM: row 3"""
    summary: Summary = Summary.ZERO_SHOT
    """FEW_SHOT: row 6; NONE: the texts, row 7"""
    classifier: ClassifierFolder = NO_CLASSIFIER
    """judges claim and summaries (3.5), with the rule `early`"""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _Read:
    document: PageHit
    question: str


def summaries(
    claim: Claim, corpus: EvidenceSource, tools: Tools, top: int, options: SummariesOptions
) -> Finding:
    ask = Generate(320, stop=("\n\n",), temperature=options.temperature, seed=options.seed)
    asked, note = yes_or_no(
        demand(tools.llm), tools.prompts("yes_no"), claim, options.questions, options.rounds, ask
    )
    questions = [question.question for question in asked]
    pages = _documents(claim, corpus, questions, options)
    read = _best(claim, corpus, questions, pages, options)[:top]
    evidence, dropped = _summarised(claim, tools, read, options)
    notes = (note, f"Pages found: {len(pages)}, of them read: {len(read)}.", *dropped)
    if not evidence:
        return Finding((), notes=(*notes, "No page says anything on the claim."))
    judged = _judged(tools.classifiers.get("classifier"), claim, evidence)
    label = LABEL_OF[judged] if isinstance(judged, Grade) else judged
    return Finding(evidence, label, notes, judged if isinstance(judged, Grade) else None)


def _documents(
    claim: Claim, corpus: EvidenceSource, questions: Sequence[str], options: SummariesOptions
) -> list[_Read]:
    """One page per text, with its best question."""
    best: dict[str, _Read] = {}
    for question in questions if options.search is By.QUESTIONS else questions[:1]:
        query = question if options.search is By.QUESTIONS else claim.text
        for document in find_documents(corpus, query, options.documents):
            lines = lines_of(document, corpus.document) or (document.text,)
            text = " ".join(lines)
            known = best.get(text)
            if known is None or document.hit.score > known.document.hit.score:
                best[text] = _Read(replace(document, text=text), question)
    return list(best.values())


def _best(
    claim: Claim,
    corpus: EvidenceSource,
    questions: Sequence[str],
    pages: Sequence[_Read],
    options: SummariesOptions,
) -> list[_Read]:
    from uhhrag.evidence.excerpts import Sizes, excerpts  # numpy, which `--help` does not wait for

    query = " ".join(questions) if options.rank is By.QUESTIONS else claim.text
    sizes = Sizes(options.window, options.spans, options.around)
    texts = [page.document.text for page in pages]
    return [
        replace(pages[e.position], document=replace(pages[e.position].document, text=e.text))
        for e in excerpts(texts, query, sizes)
    ]


def _summarised(
    claim: Claim, tools: Tools, read: Sequence[_Read], options: SummariesOptions
) -> tuple[tuple[Evidence, ...], list[str]]:
    texts = [page.document.text for page in read]
    if options.summary is not Summary.NONE and read:
        step = "summarise" if options.summary is Summary.ZERO_SHOT else "summarise_few"
        template = tools.prompts(step)
        shown = (show([page.document], metadata=True, clip=_SHOWN) for page in read)
        prompts = [template(claim=claim.text, origin=origin(claim), document=d) for d in shown]
        replies = demand(tools.llm)(prompts, _SUMMARY)
        texts = [" ".join(reply.text.split()) for reply in replies]
    summarised = list(zip(read, texts, strict=True))
    evidence = tuple(_evidence(page, text) for page, text in summarised if _relevant(text))
    urls = (page.document.url for page, text in summarised if not _relevant(text))
    dropped = [f"Not relevant to the claim: {url or 'a page without a URL'}" for url in urls]
    return evidence, dropped


def _relevant(text: str) -> bool:
    return bool(text) and not _IRRELEVANT.search(text)


def _evidence(page: _Read, text: str) -> Evidence:
    url, hit = page.document.url, page.document.hit
    found = replace(as_evidence(hit, page.question), places=hit.passage.places[:1])
    return replace(found, answer=text, urls=(url,) if url else (), context=page.document.text)


def _judged(
    classify: Classifier | None, claim: Claim, evidence: Sequence[Evidence]
) -> Label | Grade | None:
    if classify is None:
        return None
    (shares,) = classify([" ".join([claim.text, *(e.answer for e in evidence)])])
    name = max(shares, key=shares.__getitem__)
    return as_grade(name) or as_label(name)
