"""Decompose, retrieve twice, summarise: Chen et al., sections 3.1 to 3.5.

Ten yes/no questions about the claim; for each ten pages; of all these the stretches that BM25 finds
nearest to the questions, of the best four documents; a neutral summary of each with respect to the
claim. The verdict is a rule over the summaries (`all`, `six-point`), or that of a classifier of the
user's own, which `early` lets stand.

Other than in the paper: the search is the claim's store; a document that the model calls irrelevant
is not evidence; without any text there is none, where theirs gave the claim itself. Time and site
limits are those of every approach.
"""

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
from uhhrag.evidence.steps import demand
from uhhrag.protocols import Classifier, Corpus, Tools
from uhhrag.records import Claim, Evidence, Finding, Generate, Grade, Label
from uhhrag.rules.replies import as_grade, as_label
from uhhrag.rules.rules import LABEL_OF

_SUMMARY = Generate(112, stop=("\n",))
_SHOWN = 6000
"""Characters of a document that is summarised."""
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
    """`questions` are gathered in at most `rounds` samples at `temperature` (section 3.1).
    `documents` are searched for each question, or for the claim alone (`search`, rows 1 and B of
    Table 3). The `spans` best windows of `window` words, widened by `around` words, are those
    nearest to the questions, or to the claim (`rank`, row 3). `summary`: by instruction, with
    examples (row 6), or the texts themselves (row 7). `classifier` judges claim and summaries
    (section 3.5)."""

    questions: Count = 10
    rounds: Count = 5
    temperature: Temperature = 0.7
    documents: Count = 10
    search: By = By.QUESTIONS
    spans: Count = 10
    window: Count = 30
    around: CountOrNone = 150
    rank: By = By.QUESTIONS
    summary: Summary = Summary.ZERO_SHOT
    classifier: ClassifierFolder = NO_CLASSIFIER
    seed: int = 0


@dataclass(frozen=True, slots=True)
class _Read:
    """A document with its excerpt as text, and the question that found it."""

    document: PageHit
    question: str


def summaries(
    claim: Claim, corpus: Corpus, tools: Tools, top: int, options: SummariesOptions
) -> Finding:
    ask = Generate(320, stop=("\n\n",), temperature=options.temperature, seed=options.seed)
    asked = yes_or_no(
        demand(tools.llm), tools.prompts("yes_no"), claim, options.questions, options.rounds, ask
    )
    questions = [question.question for question in asked.questions]
    pages = _documents(claim, corpus, questions, options)
    read = _best(claim, corpus, questions, pages, options)[:top]
    evidence, dropped = _summarised(claim, tools, read, options)
    notes = (asked.note, f"{len(pages)} pages were found, {len(read)} of them read.", *dropped)
    if not evidence:
        return Finding((), notes=(*notes, "No page says anything on the claim."))
    judged = _judged(tools.classifiers.get("classifier"), claim, evidence)
    label = LABEL_OF[judged] if isinstance(judged, Grade) else judged
    return Finding(evidence, label, notes, judged if isinstance(judged, Grade) else None)


def _documents(
    claim: Claim, corpus: Corpus, questions: Sequence[str], options: SummariesOptions
) -> list[_Read]:
    """The pages that any search found, each with the question whose search it fits best, in the
    order in which they were first found. A page whose text another has is left out."""
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
    corpus: Corpus,
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
    """A piece of evidence for each document that says something on the claim, and what is to be
    noted of the others."""
    texts = [page.document.text for page in read]
    if options.summary is not Summary.NONE and read:
        step = "summarise" if options.summary is Summary.ZERO_SHOT else "summarise_few"
        template = tools.prompts(step)
        prompts = [
            template(
                claim=claim.text,
                origin=origin(claim),
                document=show([page.document], metadata=True, clip=_SHOWN),
            )
            for page in read
        ]
        replies = demand(tools.llm)(prompts, _SUMMARY)
        texts = [" ".join(reply.text.split()) for reply in replies]
    summarised = list(zip(read, texts, strict=True))
    evidence = tuple(_evidence(page, text) for page, text in summarised if _relevant(text))
    dropped = [
        f"Not relevant to the claim: {page.document.url or 'a page without a URL'}"
        for page, text in summarised
        if not _relevant(text)
    ]
    return evidence, dropped


def _relevant(text: str) -> bool:
    return bool(text) and not _IRRELEVANT.search(text)


def _evidence(page: _Read, text: str) -> Evidence:
    hit = page.document.hit
    urls = (page.document.url,) if page.document.url else ()
    return Evidence(
        page.question,
        text,
        urls,
        hit.score,
        hit.score,
        context=page.document.text,
        places=hit.passage.places[:1],
    )


def _judged(
    classify: Classifier | None, claim: Claim, evidence: Sequence[Evidence]
) -> Label | Grade | None:
    """What the classifier calls the claim; None without one."""
    if classify is None:
        return None
    (shares,) = classify([" ".join([claim.text, *(e.answer for e in evidence)])])
    name = max(shares, key=shares.__getitem__)
    return as_grade(name) or as_label(name)
