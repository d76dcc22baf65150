"""Ev2R's judge as a language model: four prompts per claim, facts as lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from uhhrag.protocols import LLM, Template
from uhhrag.records import Generate, Prompt, Reply
from uhhrag.scores.ev2r import (
    Case,
    Judge,
    Judged,
    QuestionAnswer,
    Ruling,
    Rulings,
    Side,
    unsupported,
)
from uhhrag.text.characters import one_line

FACTS, QUESTIONS = "ev2r_facts", "ev2r_questions"
MAX_TOKENS = 2000
"""Replies this long are cut and unreadable."""

_MARK = re.compile(r"\[\[\s*(yes|no)\s*\]\]", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:(\d+)\s*[.):]|[-*•])\s*")


@dataclass(frozen=True, slots=True)
class _Asked:
    """`questions` to mark, or None if the reply states facts."""

    prompt: Prompt
    questions: tuple[str, ...] | None = None


def llm_judge(llm: LLM, prompts: Callable[[str], Template]) -> Judge:
    """Asks nothing if a side is empty."""

    def judge(cases: Sequence[Case], /) -> list[Judged]:
        kinds = (_about_questions, _about_facts)
        plans = [
            [about(case, *way, prompts) for about in kinds for way in case.ways] for case in cases
        ]
        asked = [one for plan in plans for one in plan if isinstance(one, _Asked)]
        replies = llm([one.prompt for one in asked], Generate(MAX_TOKENS)) if asked else []
        rulings = iter([read(a.questions, reply) for a, reply in zip(asked, replies, strict=True)])
        return [
            Judged(*(next(rulings) if isinstance(one, _Asked) else one for one in plan))
            for plan in plans
        ]

    return judge


def _about_questions(
    case: Case, side: Side, other: Side, prompts: Callable[[str], Template]
) -> _Asked | Rulings:
    if not side.questions or not other.questions:
        return unsupported(side.questions)
    claim, questions = one_line(case.claim.text), _numbered(side.questions)
    others = _numbered(other.questions)
    prompt = prompts(QUESTIONS)(claim=claim, questions=questions, others=others)
    return _Asked(prompt, side.questions)


def _about_facts(
    case: Case, side: Side, other: Side, prompts: Callable[[str], Template]
) -> _Asked | Rulings:
    if not side.pairs or not other.pairs:
        return unsupported([answer for _, answer in side.pairs])
    claim, evidence = one_line(case.claim.text), _shown(side.pairs)
    return _Asked(prompts(FACTS)(claim=claim, evidence=evidence, other=_shown(other.pairs)))


def read(questions: Sequence[str] | None, reply: Reply) -> Rulings:
    """On facts that the reply states if `questions` are None. Never raises."""
    cut_short = reply.reply_tokens >= MAX_TOKENS
    facts = read_facts(reply.text) if questions is None else read_marks(reply.text, questions)
    if facts is None or cut_short:
        return Rulings(reply=reply.text, unreadable=True)
    return Rulings(facts, reply.text)


def read_facts(reply: str) -> tuple[Ruling, ...] | None:
    """None without facts, or if a line lacks text or exactly one mark."""
    facts = []
    for line in _listed(reply):
        text, mark = _MARK.sub("", _ITEM.sub("", line, count=1)).strip(), _mark(line)
        if mark is None or not text:
            return None
        facts.append(Ruling(text, mark))
    return tuple(facts) or None


def read_marks(reply: str, questions: Sequence[str]) -> tuple[Ruling, ...] | None:
    """None if a mark is missing, repeated or unknown."""
    marks: dict[int, bool] = {}
    for line in _listed(reply):
        item, mark = _ITEM.match(line), _mark(line)
        number = int(item[1]) if item and item[1] and len(item[1]) < 5 else 0
        if mark is None or number in marks:
            return None
        marks[number] = mark
    if sorted(marks) != list(range(1, len(questions) + 1)):
        return None
    return tuple(Ruling(text, marks[i]) for i, text in enumerate(questions, start=1))


def _listed(reply: str) -> list[str]:
    return [line for line in reply.splitlines() if _ITEM.match(line) or _MARK.search(line)]


def _mark(line: str) -> bool | None:
    marks = _MARK.findall(line)
    return marks[0].lower() == "yes" if len(marks) == 1 else None


def _numbered(texts: Sequence[str]) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))


def _shown(pairs: Sequence[QuestionAnswer]) -> str:
    return "\n".join(
        f"Question: {question}\nAnswer: {answer}" if question else f"Answer: {answer}"
        for question, answer in pairs
    )
