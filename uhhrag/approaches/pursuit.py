"""Multi-hop evidence pursuit: Papelo, sections 3.1 to 3.4; Table 2's rows are options or rules.
Unlike the paper: searches the claim's store, and a repeated pair is no second witness."""

from __future__ import annotations

from collections.abc import Sequence
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
    write_first,
    write_next,
)
from uhhrag.evidence.steps import as_evidence, constant_question, demand
from uhhrag.protocols import LLM, EvidenceSource, Tools
from uhhrag.records import NO_ANSWER, Claim, Evidence, Finding, Label
from uhhrag.system.terminal import quantity
from uhhrag.text.repetition import plain_words

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


def pursuit(
    claim: Claim, corpus: EvidenceSource, tools: Tools, top: int, options: PursuitOptions
) -> Finding:
    return _Pursuit(claim, corpus, tools, top, options).finding()


@dataclass(frozen=True, slots=True)
class _Pursuit:
    claim: Claim
    corpus: EvidenceSource
    tools: Tools
    top: int
    options: PursuitOptions

    @property
    def llm(self) -> LLM:
        return demand(self.tools.llm)

    def finding(self) -> Finding:
        if self.options.ask is Ask.AT_ONCE:
            asked = ask_all(self.llm, self.tools.prompts("ask_first"), self.claim)[: self.top]
            answered = self.look_up(asked or [Question(constant_question(self.claim))])
            label, why = None, "All questions were asked at once."
        else:
            answered, label, why = self.pursue()
        answered += self.filled(answered)
        evidence = [answer.evidence for answer in answered]
        repeated = islice(cycle(evidence), max(self.options.inflate, len(evidence)))
        notes = (why, *(answer.note for answer in answered if answer.note))
        return Finding(tuple(repeated), label, notes)

    def pursue(self) -> tuple[list[Answered], Label | None, str]:
        """Algorithm 1's first loop, and why it ended."""
        answered = self.look_up([self.first()])
        while len(answered) < self.top:
            pairs = [answer.evidence for answer in answered]
            asked, label = self.next(pairs)
            if label and all(pair.answer == NO_ANSWER for pair in pairs):
                return answered, None, f"{label} without any answer, which is no verdict."
            if label:
                after = quantity(len(answered), "answer")
                return answered, label, f"Settled after {after}: {label}."
            if not asked.question:
                return answered, None, "The model asked nothing further."
            if plain_words(asked.question) in {plain_words(pair.question) for pair in pairs}:
                return answered, None, f"The model asked again: {asked.question}"
            answered += self.look_up([asked])
        return answered, None, f"Ended at {quantity(self.top, 'answer')} without a verdict."

    def first(self) -> Question:
        if writer := self.tools.writers.get("first"):
            asked = write_first(writer, self.claim)
        else:
            asked = ask_first(self.llm, self.tools.prompts("ask_first"), self.claim)
        return asked if asked.question else replace(asked, question=constant_question(self.claim))

    def next(self, pairs: Sequence[Evidence]) -> tuple[Question, Label | None]:
        if writer := self.tools.writers.get("next"):
            return write_next(writer, self.claim, pairs), None
        return ask_next(self.llm, self.tools.prompts("ask_next"), self.claim, pairs)

    def filled(self, answered: Sequence[Answered]) -> list[Answered]:
        """Algorithm 1's second loop."""
        lacking, fill = self.top - len(answered), self.options.fill
        if lacking <= 0 or fill is Fill.NONE:
            return []
        if fill is Fill.REPEAT:
            return [replace(answer, note="") for answer in islice(cycle(answered), lacking)]
        questions = [answer.evidence.question for answer in answered]
        # Used one of each in turn, so those of the first `lacking` questions are enough.
        template = self.tools.prompts("paraphrase")
        wordings = paraphrase(self.llm, template, questions[:lacking], PARAPHRASES)
        in_turn = (asked for asked in chain.from_iterable(zip_longest(*wordings)) if asked)
        known = {plain_words(question) for question in questions}
        new = {plain_words(a.question): a for a in in_turn if plain_words(a.question) not in known}
        return self.look_up(list(new.values())[:lacking]) if new else []

    def look_up(self, asked: Sequence[Question]) -> list[Answered]:
        """Algorithm 2."""
        searched = [self.search(question.question) for question in asked]
        read = iter(self.read([search for search, _ in searched if search.documents]))
        answered = []
        for question, (search, note) in zip(asked, searched, strict=True):
            nothing = Answered(Evidence(question.question, NO_ANSWER))
            got = next(read) if search.documents else nothing
            evidence = replace(got.evidence, reply=question.reply)
            answered.append(Answered(evidence, " ".join(filter(None, (note, got.note)))))
        return answered

    def search(self, question: str) -> tuple[SearchResult, str]:
        query, hits = f"{self.claim.text} {question}", self.options.hits
        if documents := find_documents(self.corpus, query, hits):
            return SearchResult(question, documents), ""
        names = names_in(f"{self.claim.text}. {question}")
        documents = find_documents(self.corpus, names, hits) if names else ()
        how = f"searched again for {names!r}" if names else "there were no names to search for"
        end = "" if documents else ", without a hit"
        return SearchResult(question, documents), f"No hit for {question!r}; {how}{end}."

    def read(self, searches: Sequence[SearchResult]) -> list[Answered]:
        template, shown = self.tools.prompts("answer_document"), Shown(self.options.metadata)
        if self.options.read is Read.ALL:
            return list(map(_from_all, searches, answer(self.llm, template, searches, shown)))
        chosen = choose(self.llm, self.tools.prompts("best_document"), searches, shown)
        named = zip(searches, (document for document, _ in chosen), strict=True)
        extracts = [(s.question, *self.extract(document)) for s, document in named if document]
        single = [SearchResult(question, (document,)) for question, document, _ in extracts]
        replies = answer(self.llm, template, single, replace(shown, clip=2 * shown.clip))
        read = zip(replies, extracts, strict=True)
        return [
            _from_one(*next(read))
            if document
            else _from_all(s, reply, f"No document was named for {s.question!r}.")
            for s, (document, reply) in zip(searches, chosen, strict=True)
        ]

    def extract(self, document: PageHit) -> tuple[PageHit, str]:
        if self.options.read is Read.SNIPPET:
            return document, ""
        if wide := widened(document, self.corpus.document, WINDOW, COVERED):
            return wide, ""
        return document, f"No window of {document.url or 'a page without a URL'} holds its hit."


def _from_one(reply: str, extract: tuple[str, PageHit, str]) -> Answered:
    question, document, note = extract
    found = as_evidence(document.hit, question)
    return Answered(replace(found, answer=reply, context=document.text), note)


def _from_all(search: SearchResult, reply: str, note: str = "") -> Answered:
    score = search.documents[0].hit.score
    named = [] if reply == NO_ANSWER else [d for d in search.documents if d.url]
    urls = tuple(document.url for document in named)
    places = tuple(place for document in named for place in document.hit.passage.places[:1])
    context = "\n".join(document.text for document in search.documents)
    found = Evidence(search.question, reply, urls, score, score, context=context, places=places)
    return Answered(found, note)
