"""Multi-hop evidence pursuit: Papelo, sections 3.1 to 3.4; Table 2's rows are options or rules.
Unlike in the paper, the claim's store is searched, and a repeated pair is no second witness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, cycle, islice, zip_longest

from uhhrag.approaches.options import NO_WRITER, Count, CountOrNone, WriterFolder
from uhhrag.errors import UsageError
from uhhrag.evidence.answers import Answered, SearchResult, Shown, answer, choose
from uhhrag.evidence.page_search import PageHit, find_documents, names_in, widened
from uhhrag.evidence.questions import (
    Question,
    ask_all,
    ask_first,
    ask_next,
    paraphrase,
    same,
    write_first,
    write_next,
)
from uhhrag.evidence.steps import as_evidence, constant_question, demand
from uhhrag.protocols import EvidenceSource, Tools
from uhhrag.records import NO_ANSWER, Claim, Evidence, Finding, Label
from uhhrag.system.terminal import quantity

PARAPHRASES = 4  # section 3.4 and appendix B
WINDOW, COVERED = 5, 0.7  # section 3.3


class Ask(StrEnum):
    NEXT = "next"
    AT_ONCE = "at-once"


class Read(StrEnum):
    WINDOW = "window"
    SNIPPET = "snippet"
    ALL = "all"


class Fill(StrEnum):
    PARAPHRASE = "paraphrase"
    REPEAT = "repeat"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PursuitOptions:
    first: WriterFolder = NO_WRITER
    """asks the first question instead of the language model"""
    next: WriterFolder = NO_WRITER
    ask: Ask = Ask.NEXT
    read: Read = Read.WINDOW
    """best document's window, its hit, or all hits"""
    metadata: bool = True
    fill: Fill = Fill.PARAPHRASE
    """how too few pairs become `top`"""
    hits: Count = 10  # section 3.3
    inflate: CountOrNone = 0
    """repeats pairs up to so many, which moves only the score (section 4.4)"""

    def __post_init__(self) -> None:
        if self.ask is Ask.AT_ONCE and (self.first or self.next):
            raise UsageError(
                "--set ask=at-once has the language model ask all questions; leave out "
                "first and next, which it would not use"
            )


LookUp = Callable[[Sequence[Question]], list[Answered]]


def pursuit(
    claim: Claim, corpus: EvidenceSource, tools: Tools, top: int, options: PursuitOptions
) -> Finding:
    def look_up(asked: Sequence[Question]) -> list[Answered]:
        return _look_up(claim, corpus, tools, options, asked)

    if options.ask is Ask.AT_ONCE:
        asked = ask_all(demand(tools.llm), tools.prompts("ask_first"), claim)[:top]
        answered = look_up(asked or [Question(constant_question(claim))])
        label, why = None, "All questions were asked at once."
    else:
        answered, label, why = _pursue(claim, tools, top, look_up)
    answered += _filled(tools, top, options.fill, answered, look_up)
    evidence = [answer.evidence for answer in answered]
    repeated = islice(cycle(evidence), max(options.inflate, len(evidence)))
    notes = (why, *(answer.note for answer in answered if answer.note))
    return Finding(tuple(repeated), label, notes)


def _pursue(
    claim: Claim, tools: Tools, top: int, look_up: LookUp
) -> tuple[list[Answered], Label | None, str]:
    """Algorithm 1's first loop, and why it ended."""
    answered = look_up([_first(claim, tools)])
    while len(answered) < top:
        pairs = [answer.evidence for answer in answered]
        asked, label = _next(claim, tools, pairs)
        if label and all(pair.answer == NO_ANSWER for pair in pairs):
            return answered, None, f"{label} without any answer, which is no verdict."
        if label:
            return answered, label, f"Settled after {quantity(len(answered), 'answer')}: {label}."
        if not asked.question:
            return answered, None, "The model asked nothing further."
        if same(asked.question) in {same(pair.question) for pair in pairs}:
            return answered, None, f"The model asked again: {asked.question}"
        answered += look_up([asked])
    return answered, None, f"Ended at {quantity(top, 'answer')} without a verdict."


def _first(claim: Claim, tools: Tools) -> Question:
    if writer := tools.writers.get("first"):
        asked = write_first(writer, claim)
    else:
        asked = ask_first(demand(tools.llm), tools.prompts("ask_first"), claim)
    return asked if asked.question else replace(asked, question=constant_question(claim))


def _next(claim: Claim, tools: Tools, pairs: Sequence[Evidence]) -> tuple[Question, Label | None]:
    if writer := tools.writers.get("next"):
        return write_next(writer, claim, pairs), None
    return ask_next(demand(tools.llm), tools.prompts("ask_next"), claim, pairs)


def _filled(
    tools: Tools, top: int, fill: Fill, answered: Sequence[Answered], look_up: LookUp
) -> list[Answered]:
    """Algorithm 1's second loop."""
    lacking = top - len(answered)
    if lacking <= 0 or fill is Fill.NONE:
        return []
    if fill is Fill.REPEAT:
        return [replace(answer, note="") for answer in islice(cycle(answered), lacking)]
    questions = [answer.evidence.question for answer in answered]
    # Used one of each in turn, so those of the first `lacking` questions are enough.
    wordings = paraphrase(
        demand(tools.llm), tools.prompts("paraphrase"), questions[:lacking], PARAPHRASES
    )
    in_turn = (asked for asked in chain.from_iterable(zip_longest(*wordings)) if asked)
    known = {same(question) for question in questions}
    new = {same(a.question): a for a in in_turn if same(a.question) not in known}
    return look_up(list(new.values())[:lacking]) if new else []


def _look_up(
    claim: Claim,
    corpus: EvidenceSource,
    tools: Tools,
    options: PursuitOptions,
    asked: Sequence[Question],
) -> list[Answered]:
    """Algorithm 2."""
    searched = [_search(claim, corpus, question.question, options.hits) for question in asked]
    searches = [search for search, _ in searched if search.documents]
    read = iter(_read(corpus, tools, options, searches))
    answered = []
    for question, (search, note) in zip(asked, searched, strict=True):
        got = next(read) if search.documents else Answered(Evidence(question.question, NO_ANSWER))
        evidence = replace(got.evidence, reply=question.reply)
        answered.append(Answered(evidence, " ".join(filter(None, (note, got.note)))))
    return answered


def _search(
    claim: Claim, corpus: EvidenceSource, question: str, hits: int
) -> tuple[SearchResult, str]:
    if documents := find_documents(corpus, f"{claim.text} {question}", hits):
        return SearchResult(question, documents), ""
    names = names_in(f"{claim.text}. {question}")
    documents = find_documents(corpus, names, hits) if names else ()
    how = f"searched again for {names!r}" if names else "there were no names to search for"
    end = "" if documents else ", without a hit"
    return SearchResult(question, documents), f"No hit for {question!r}; {how}{end}."


def _read(
    corpus: EvidenceSource, tools: Tools, options: PursuitOptions, searches: Sequence[SearchResult]
) -> list[Answered]:
    llm, template = demand(tools.llm), tools.prompts("answer_document")
    shown = Shown(options.metadata)
    if options.read is Read.ALL:
        replies = answer(llm, template, searches, shown)
        return [_from_all(s, reply) for s, reply in zip(searches, replies, strict=True)]
    chosen = choose(llm, tools.prompts("best_document"), searches, shown)
    extracts = [
        (s.question, *_extract(document, corpus, options))
        for s, (document, _) in zip(searches, chosen, strict=True)
        if document
    ]
    single = [SearchResult(question, (document,)) for question, document, _ in extracts]
    replies = answer(llm, template, single, replace(shown, clip=2 * shown.clip))
    read = zip(replies, extracts, strict=True)
    return [
        _from_one(*next(read))
        if document
        else _from_all(s, reply, f"No document was named for {s.question!r}.")
        for s, (document, reply) in zip(searches, chosen, strict=True)
    ]


def _extract(
    document: PageHit, corpus: EvidenceSource, options: PursuitOptions
) -> tuple[PageHit, str]:
    if options.read is Read.SNIPPET:
        return document, ""
    if wide := widened(document, corpus.document, WINDOW, COVERED):
        return wide, ""
    return document, f"No window of {document.url or 'a page without a URL'} holds its hit."


def _from_one(reply: str, extract: tuple[str, PageHit, str]) -> Answered:
    question, document, note = extract
    found = as_evidence(document.hit, question)
    return Answered(replace(found, answer=reply, context=document.text), note)


def _from_all(search: SearchResult, reply: str, note: str = "") -> Answered:
    score = search.documents[0].hit.score
    named = [] if reply == NO_ANSWER else [d for d in search.documents if d.url]
    evidence = Evidence(
        search.question,
        reply,
        tuple(document.url for document in named),
        score,
        score,
        context="\n".join(document.text for document in search.documents),
        places=tuple(place for document in named for place in document.hit.passage.places[:1]),
    )
    return Answered(evidence, note)
