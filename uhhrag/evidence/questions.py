"""Asks a model for questions, "" for none (Papelo, section 3.2 and appendix B)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from uhhrag.evidence.page_search import clipped, names_in, origin
from uhhrag.evidence.steps import read_question, read_questions
from uhhrag.protocols import LLM, Template, Writer
from uhhrag.records import Claim, Evidence, Generate, Label
from uhhrag.system.terminal import quantity
from uhhrag.text.repetition import plain_words

_ONE = Generate(64, stop=("?",))
_LIST = Generate(224, stop=("]",))
_NEXT = Generate(96, stop=("?", "]]"))
_ANSWER_SHOWN = 400
"""Characters."""
_YES_OR_NO = re.compile(
    r"(am|is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)"
    r"(n[’']t)?\b",
    re.IGNORECASE,
)
_SETTLED = re.compile(r"\[\[\s*(true|false)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    question: str
    reply: str = ""


def ask_first(llm: LLM, template: Template, claim: Claim) -> Question:
    reply = llm([template(claim=claim.text, origin=origin(claim))], _ONE)[0].text
    return Question(read_question(_opened(reply)), reply)


def ask_all(llm: LLM, template: Template, claim: Claim) -> list[Question]:
    reply = llm([template(claim=claim.text, origin=origin(claim))], _LIST)[0].text
    return [Question(question, reply) for question in read_list(reply)]


def ask_next(
    llm: LLM, template: Template, claim: Claim, pairs: Sequence[Evidence]
) -> tuple[Question, Label | None]:
    """A verdict from the answers, or else the next question."""
    prompt = template(claim=claim.text, origin=origin(claim), pairs=_as_text(pairs))
    reply = llm([prompt], _NEXT)[0].text
    settled = {verdict.lower() for verdict in _SETTLED.findall(reply)}
    if len(settled) == 1:
        return Question("", reply), Label.SUPPORTED if "true" in settled else Label.REFUTED
    return Question(read_question(reply), reply), None


def yes_or_no(
    llm: LLM, template: Template, claim: Claim, count: int, rounds: int, ask: Generate
) -> tuple[tuple[Question, ...], str]:
    """With a note; from at most `rounds` samples (Chen et al., section 3.1), or the claim."""
    prompt = template(claim=claim.text, origin=origin(claim), count=str(count))
    questions: dict[str, Question] = {}
    dropped = drawn = 0
    while len(questions) < count and drawn < rounds:
        reply = llm([prompt], replace(ask, seed=ask.seed + drawn))[0].text
        drawn += 1
        for question in read_questions(reply):
            if _YES_OR_NO.match(question):
                questions.setdefault(plain_words(question), Question(question, reply))
            else:
                dropped += 1
    asked = tuple(questions.values())[:count] or (
        Question(f"Is it true that {claim.text.rstrip(' .?!')}?"),
    )
    told = f"{quantity(len(questions), 'question')} from {quantity(drawn, 'sample')}"
    return asked, f"{told}; no yes/no questions: {dropped}."


def write_first(writer: Writer, claim: Claim) -> Question:
    """By a model fine-tuned on claims and questions."""
    reply = writer([f"question: {claim.text}"])[0]
    return Question(_written(reply), reply)


def write_next(writer: Writer, claim: Claim, pairs: Sequence[Evidence]) -> Question:
    """As `write_first`; never a verdict."""
    so_far = "".join(f" Question: {e.question} Answer: {e.answer}" for e in pairs)
    reply = writer([f"question: Claim: {claim.text}{so_far}"])[0]
    return Question(_written(reply), reply)


def _written(reply: str) -> str:
    return read_question(reply) or _whole(reply)


def paraphrase(
    llm: LLM, template: Template, questions: Sequence[str], count: int
) -> list[list[Question]]:
    """At most `count` other wordings each, without new names or numbers."""
    prompts = [template(question=question, count=str(count)) for question in questions]
    replies = [reply.text for reply in llm(prompts, _LIST)]
    return [
        [Question(other, reply) for other in read_list(reply) if _keeps_to(question, other)][:count]
        for question, reply in zip(questions, replies, strict=True)
    ]


def _keeps_to(question: str, wording: str) -> bool:
    return set(plain_words(names_in(wording)).split()) <= set(plain_words(question).split())


def read_list(reply: str) -> list[str]:
    """Distinct questions of a JSON list, even cut short, or of plain lines; never raises."""
    start = reply.find("[")
    for end in ("]", '"]', ""):
        try:
            items = json.loads(reply[start:].rstrip().rstrip(",") + end) if start >= 0 else None
        except (ValueError, RecursionError):
            continue
        if isinstance(items, list):
            return list(dict.fromkeys(_whole(item) for item in items if _whole(item)))
    return read_questions(_opened(reply))


def _whole(item: object) -> str:
    words = item.split() if isinstance(item, str) else []
    return " ".join(words).rstrip("?. ") + "?" if len(words) >= 3 else ""


def _opened(reply: str) -> str:
    return re.sub(r'[\[\]`]+|",\s*"', "\n", reply)


def _as_text(pairs: Sequence[Evidence]) -> str:
    return "\n".join(
        f"Question {number}: {e.question}\nAnswer: {clipped(e.answer, _ANSWER_SHOWN)}"
        for number, e in enumerate(pairs, 1)
    )
