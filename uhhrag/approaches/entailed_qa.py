"""Entailed question answering: FZI-WIM paper, section 3.

Question sets are asked until enough is answered, from the chunks a cross-encoder ranks best; an
answer counts if a chunk entails it. Ours: only chunks around the nearest sentences are ranked, and
without an NLI model the language model checks. The paper's "after competition" system is
`conditions=no`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from uhhrag.approaches.options import Count, CountOrNone, Share, Temperature
from uhhrag.evidence.chunks import Chunk, chunks_of
from uhhrag.evidence.page_search import speaker_of
from uhhrag.evidence.steps import constant_question, demand, read_questions
from uhhrag.protocols import Embedder, EvidenceSource, Tools
from uhhrag.records import NO_ANSWER, Claim, Evidence, Finding, Generate
from uhhrag.voters.letters import STEP, by_letters

T = TypeVar("T")

_SET_TOKENS, _ANSWER_TOKENS, _STATEMENT_TOKENS = 160, 96, 80
_SPECIAL_TOKENS = 3
_TEXTS = r"(texts?|context|passages?|documents?|sources?|articles?)"
_NO_INFORMATION = re.compile(
    r"\bno (answer|information|mention|specific (information|details?|mention))\b|"
    rf"\bno evidence\b.* (in|from) the (\w+ )?{_TEXTS}\b|"
    r"\b(cannot|can[’']t|could ?n[o’']t|unable to) (be )?(find|found|answer|determine|tell|say)|"
    r"\bnot (mentioned|stated|specified|provided|clear)\b|"
    rf"\bnot given (in|by) the (\w+ )?{_TEXTS}\b|"
    rf"\b{_TEXTS} (does|do|did) ?n[o’']t (say|state|mention|specify|provide|contain|tell)\b",
    re.IGNORECASE,
)
"""The texts hold no answer; "it does not exist" is one."""


@dataclass(frozen=True, slots=True)
class EntailedQaOptions:
    """Section numbers are the paper's."""

    sets: Count = 3
    """at most, plain one included (3.1)"""
    sampled_sets: CountOrNone = 5
    chunks: Count = 3
    """for each question (3.2.1)"""
    chunk_tokens: Count = 512
    """including the query"""
    candidates: Count = 30
    """hits to make chunks around (ours)"""
    answers: CountOrNone = 10
    """sampled, besides the plain one"""
    distinct: Share = 0.6
    """answers are kept below this cosine"""
    entailment: bool = True
    conditions: bool = True
    """stop early by `answered` and `unanswered` (3.2.3)"""
    answered: Share = 0.8
    unanswered: Share = 0.3
    same: Share = 0.95
    """cosine from which pairs repeat (ours)"""
    temperature: Temperature = 0.7
    top_k: CountOrNone = 50
    seed: int = 0

    def drawn(self, tokens: int, stop: str) -> Generate:
        return Generate(tokens, (stop,), 1.0, self.temperature, self.top_k, seed=self.seed)


def entailed_qa(
    claim: Claim, corpus: EvidenceSource, tools: Tools, top: int, options: EntailedQaOptions
) -> Finding:
    sets = question_sets(claim, tools, options)
    pairs: list[Evidence] = []
    notes: list[str] = []
    for number, questions in enumerate(sets, start=1):
        results = [answer(question, claim, corpus, tools, options) for question in questions]
        answered = [pair for pair in results if pair]
        pairs += answered
        none = sum(pair.answer == NO_ANSWER for pair in answered)
        notes.append(
            f"question set {number}: {len(questions)} asked, {len(answered)} kept, "
            f"{none} of them without an answer"
        )
        if options.conditions and enough(len(questions), len(answered), none, options):
            break
    unanswered = tuple(Evidence(question, NO_ANSWER) for question in sets[0][:top])
    top_pairs = aggregate(claim, pairs, tools, options)[:top]
    return Finding(top_pairs or unanswered, notes=tuple(notes))


def question_sets(claim: Claim, tools: Tools, options: EntailedQaOptions) -> list[list[str]]:
    """The plain set first; never empty."""
    llm = demand(tools.llm)
    prompt = tools.prompts("question_set")(
        claim=claim.text, date=claim.date or "unknown", speaker=speaker_of(claim) or "unknown"
    )
    plain = llm([prompt], Generate(_SET_TOKENS, ("\n\n",)))
    drawn = llm([prompt] * options.sampled_sets, options.drawn(_SET_TOKENS, "\n\n"))
    first, *others = [read_questions(reply.text) for reply in (*plain, *drawn)]
    first = first or [constant_question(claim)]
    asked = [questions for questions in others if questions]
    return most_distinct(first, asked, tools.embed)[: options.sets]


def most_distinct(
    first: list[str], others: Sequence[list[str]], embed: Embedder
) -> list[list[str]]:
    """Each is the least like those before it."""
    vectors = [embed(questions) for questions in (first, *others)]
    alike = [[float((a @ b.T).mean()) for b in vectors] for a in vectors]
    order, left = [0], list(range(1, len(vectors)))
    while left:
        best = min(left, key=lambda i: math.fsum(alike[i][j] for j in order))
        left.remove(best)
        order.append(best)
    return [(first, *others)[i] for i in order]


def answer(
    question: str, claim: Claim, corpus: EvidenceSource, tools: Tools, options: EntailedQaOptions
) -> Evidence | None:
    """None drops the question; `NO_ANSWER` keeps it."""
    chunks = relevant_chunks(question, claim, corpus, tools, options)
    if not chunks:
        return Evidence(question, NO_ANSWER)
    llm = demand(tools.llm)
    # The best text stands last, next to the question (figure 5).
    context = "\n\n".join(chunk.text for chunk in reversed(chunks))
    prompt = tools.prompts("answer")(question=question, context=context)
    plain = llm([prompt], Generate(_ANSWER_TOKENS, ("\n",)))
    drawn = llm([prompt] * options.answers, options.drawn(_ANSWER_TOKENS, "\n"))
    replies = [reply.text.strip() for reply in (*plain, *drawn)]
    answers = distinct([text for text in replies if text], tools.embed, options.distinct)
    says_nothing = [text for text in answers if _NO_INFORMATION.search(text)]
    says = [text for text in answers if text not in says_nothing]
    if not options.entailment:
        says, best = says[:1], dict.fromkeys(says[:1], (1.0, chunks[0]))
    else:
        best = entailed(question, says, chunks, tools)
    if best:
        chosen = max(best, key=lambda text: best[text][0])
        share, chunk = best[chosen]
        urls, places = (chunk.url,) if chunk.url else (), (chunk.place,) if chunk.place else ()
        found = Evidence(question, chosen, urls, share, chunk.score, places=places)
        return replace(found, reply=replies[0], context=chunk.text)
    return Evidence(question, NO_ANSWER, reply=replies[0]) if says_nothing else None


def relevant_chunks(
    question: str, claim: Claim, corpus: EvidenceSource, tools: Tools, options: EntailedQaOptions
) -> list[Chunk]:
    """Most relevant to "speaker stated claim question", best first."""
    speaker = speaker_of(claim)
    query = f"{speaker} stated {claim.text} {question}" if speaker else f"{claim.text} {question}"
    reranker = demand(tools.reranker, "a cross-encoder")
    room = min(options.chunk_tokens, reranker.limit) - reranker.tokens(query) - _SPECIAL_TOKENS
    hits = corpus.search(query, options.candidates)
    chunks = chunks_of(hits, corpus.document, max(1, room), reranker.tokens)
    texts = [chunk.text for chunk in chunks]
    return best_first(chunks, reranker.relevance(query, texts))[: options.chunks]


def distinct(answers: Sequence[str], embed: Embedder, limit: float) -> list[str]:
    if not answers:
        return []
    vectors = embed(answers)
    chosen: list[int] = []
    for i, vector in enumerate(vectors):
        if all(float(vector @ vectors[j]) < limit for j in chosen):
            chosen.append(i)
    return [answers[i] for i in chosen]


def entailed(
    question: str, answers: Sequence[str], chunks: Sequence[Chunk], tools: Tools
) -> dict[str, tuple[float, Chunk]]:
    if not answers:
        return {}
    llm, template = demand(tools.llm), tools.prompts("statement")
    prompts = [template(question=question, answer=text) for text in answers]
    replies = llm(prompts, Generate(_STATEMENT_TOKENS, ("\n",)))
    both = zip(replies, answers, strict=True)
    statements = [reply.text.strip() or f"{question} {text}" for reply, text in both]
    # One chunk after the other, so that its statements share the reading of it.
    pairs = [(chunk, row) for chunk in chunks for row in range(len(answers))]
    check = tools.entailment or by_letters(llm, tools.prompts(STEP))
    shares = check([(chunk.text, statements[row]) for chunk, row in pairs])
    best: dict[str, tuple[float, Chunk]] = {}
    for (chunk, row), (yes, no, neither) in zip(pairs, shares, strict=True):
        if yes > max(no, neither, best.get(answers[row], (0.0, chunk))[0]):
            best[answers[row]] = (yes, chunk)
    return best


def enough(questions: int, answered: int, none: int, options: EntailedQaOptions) -> bool:
    return answered / questions > options.answered and none / max(answered, 1) < options.unanswered


def aggregate(
    claim: Claim, pairs: Sequence[Evidence], tools: Tools, options: EntailedQaOptions
) -> tuple[Evidence, ...]:
    """Most relevant first, without repeats."""
    texts = [f"{pair.question} {pair.answer}" for pair in pairs]
    if not texts:
        return ()
    relevance = demand(tools.reranker, "a cross-encoder").relevance(claim.text, texts)
    ordered = best_first(list(zip(texts, pairs, strict=True)), relevance)
    distinct_texts = distinct([text for text, _ in ordered], tools.embed, options.same)
    pair_of = dict(reversed(ordered))
    return tuple(pair_of[text] for text in distinct_texts)


def best_first(things: Sequence[T], scores: Iterable[float]) -> list[T]:
    return [thing for _, thing in sorted(zip(scores, things, strict=True), key=lambda p: -p[0])]
