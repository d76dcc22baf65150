"""Few-shot examples from an AVeriTeC training file, in UHH's numbers, once per run."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from uhhrag.errors import InputError
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import read_json
from uhhrag.text.characters import one_line

_CLAIMS = 3
"""for Retrieve-Question"""
_QUESTION_COUNTS = (1, 2, 3, 4)
"""for Question-Retrieve, a claim each"""
_WORDS = 60
"""of an answer, to save time"""

Pair = tuple[str, str]


def draw(train: Path, seed: int) -> dict[str, str]:
    """`$examples` by step; reproducible. Raises InputError."""
    claims = _read(train)
    chance = random.Random(seed)  # noqa: S311 - a draw that can be repeated, nothing secret
    by_count = [[c for c in claims if len(c[1]) == n] for n in _QUESTION_COUNTS]
    if len(claims) < _CLAIMS or not all(by_count):
        raise InputError(
            f"{train} has too few claims with questions and answers to draw examples from: it "
            f"needs {_CLAIMS} and one each with {_QUESTION_COUNTS[0]} to {_QUESTION_COUNTS[-1]}"
        )
    questioned = chance.sample(claims, _CLAIMS)
    decomposed = [chance.choice(group) for group in by_count]
    return {
        "ask_about": "\n\n".join(_ask_about(*c) for c in questioned),
        "decompose": "\n\n".join(
            f"claim: {claim}\nquestions:\n" + "\n".join(question for question, _ in pairs)
            for claim, pairs in decomposed
        ),
    }


def _ask_about(claim: str, pairs: Sequence[Pair]) -> str:
    turns = "\n".join(f"answer: {answer}\nquestion: {question}" for question, answer in pairs)
    return f"claim: {claim}\n{turns}"


@dataclass(frozen=True, slots=True)
class _Answer:
    answer: str


@dataclass(frozen=True, slots=True)
class _Question:
    question: str
    answers: tuple[_Answer, ...]


@dataclass(frozen=True, slots=True)
class _TrainingClaim:
    claim: str
    questions: tuple[_Question, ...]


def _read(train: Path) -> list[tuple[str, list[Pair]]]:
    try:
        rows = shaped(tuple[_TrainingClaim, ...], read_json(train), "the file")
    except TypeError as error:
        raise InputError(
            f"{train} is not an AVeriTeC training file: a claim lacks text or questions ({error}); "
            "give one that has both"
        ) from error
    claims = [(one_line(row.claim), _pairs(row.questions)) for row in rows]
    return [(claim, pairs) for claim, pairs in claims if pairs]


def _pairs(questions: Sequence[_Question]) -> list[Pair]:
    return [
        (one_line(q.question), " ".join(one_line(q.answers[0].answer).split()[:_WORDS]))
        for q in questions
        if q.answers
    ]
