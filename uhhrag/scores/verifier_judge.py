"""Ev2R's judge by a verifier and shared words: their weighted sum, fitted to human ratings
(docs/ev2r.md), times `specifics.factor`. Questions are compared by words alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from uhhrag.protocols import Entailment
from uhhrag.scores.ev2r import Case, Judge, Judged, QuestionAnswer, Ruling, Rulings, unsupported
from uhhrag.scores.specifics import factor
from uhhrag.text.repetition import FUNCTION_WORDS

PIECES = 2
"""Single pieces read per statement."""
_PIECE_WORDS, _EXCERPT_WORDS = 80, 100
"""Words; the verifier's input is short."""
SHORT = 5
"""First sentences of fewer words are read with the question."""
SENTENCES = 4
"""Statements per answer."""
WORDS = 60
"""Longer statements are cut, to leave room for evidence."""

Sentences = Callable[[str], Sequence[str]]

_WORD = re.compile(r"\w+")
_YES_NO = re.compile(r"(yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Weights:
    entailment: float
    words: float
    fitted_on: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    statement: str
    entailment: float
    """The largest probability that a piece or the excerpt of all entails it."""
    words: float
    """Share of content words in the best piece."""
    piece: str
    """The best piece, or "" if none shares a word."""
    factor: float = 1.0


@cache
def shipped_weights() -> Weights:
    content = Path(__file__).with_name("ev2r_weights.json").read_text(encoding="utf-8")
    return Weights(**json.loads(content))


def verifier_judge(entailment: Entailment, sentences: Sentences, weights: Weights) -> Judge:

    def judge(cases: Sequence[Case], /) -> list[Judged]:
        sides = [(side.pairs, other.pairs) for case in cases for side, other in case.ways]
        facts = iter(measure_all(sides, entailment, sentences))
        return [
            Judged(
                *(_questions(side.questions, other.questions) for side, other in case.ways),
                *(_rulings(next(facts), weights) for _ in case.ways),
            )
            for case in cases
        ]

    return judge


def measure_all(
    sides: Sequence[tuple[Sequence[QuestionAnswer], Sequence[QuestionAnswer]]],
    entailment: Entailment,
    sentences: Sentences,
) -> list[list[Measured]]:
    """Each pair's first side against the second."""
    compared = [
        [_compared(statement, other) for pair in side for statement in statements(pair, sentences)]
        for side, other in sides
    ]
    every = ((one.statement, read) for side in compared for one, read in side)
    pairs = dict.fromkeys((premise, statement) for statement, read in every for premise in read)
    entailed = dict(zip(pairs, (shares[0] for shares in entailment(list(pairs))), strict=True))
    return [[_measured(*one, entailed) for one in side] for side in compared]


def statements(pair: QuestionAnswer, sentences: Sentences) -> tuple[str, ...]:
    """In order, each on one line.

    >>> split = lambda text: text.split(" | ")
    >>> statements(("Who left?", "Ava left early that year. | She came back in May."), split)
    ('Ava left early that year.', 'She came back in May.')
    """
    question, answer = pair
    first, *others = [text for text in sentences(answer) if _WORD.search(text)] or [answer]
    if question and (len(first.split()) < SHORT or _YES_NO.match(first)):
        first = f"{question} {first}"
    several = (first, *others[: SENTENCES - 1])
    return tuple(dict.fromkeys(_clipped([text], WORDS) for text in several))


def support(measured: Measured, weights: Weights) -> float:
    total = weights.entailment * measured.entailment + weights.words * measured.words
    return min(max(total, 0.0), 1.0) * measured.factor


def shared(text: str, other: str) -> float:
    """Share of `text`'s content words in `other`.

    >>> shared("The ferry was sold in 2019.", "The ferry runs.")
    0.3333333333333333
    """
    words = _content(text)
    return len(words & _content(other)) / len(words) if words else 0.0


def _compared(statement: str, other: Sequence[QuestionAnswer]) -> tuple[Measured, tuple[str, ...]]:
    """By words alone, and premises to read."""
    pieces = [_clipped((question, answer), _PIECE_WORDS) for question, answer in other]
    shares = [shared(statement, piece) for piece in pieces]
    order = sorted(range(len(pieces)), key=lambda place: -shares[place])
    if not order:
        return Measured(statement, 0.0, 0.0, ""), ()
    answers = dict.fromkeys(other[place][1] for place in order)
    read = [*(pieces[place] for place in order[:PIECES]), _clipped(answers, _EXCERPT_WORDS)]
    share = shares[order[0]]
    best = Measured(statement, 0.0, share, pieces[order[0]] if share else "")
    return best, tuple(dict.fromkeys(read))


def _measured(
    one: Measured, premises: Sequence[str], entailed: dict[tuple[str, str], float]
) -> Measured:
    largest = max((entailed[premise, one.statement] for premise in premises), default=0.0)
    left = factor(one.statement, one.piece, _content(one.statement)) if one.piece else 1.0
    return replace(one, entailment=largest, factor=left)


def _rulings(facts: Sequence[Measured], weights: Weights) -> Rulings:
    supported = ((fact.statement, support(fact, weights), fact.piece) for fact in facts)
    return Rulings(tuple(_ruling(*each) for each in supported))


def _questions(questions: Sequence[str], others: Sequence[str]) -> Rulings:
    if not others:
        return unsupported(questions)
    best = [max(others, key=lambda other: shared(question, other)) for question in questions]
    pairs = zip(questions, best, strict=True)
    return Rulings(tuple(_ruling(one, shared(one, other), other) for one, other in pairs))


def _ruling(fact: str, support: float, piece: str) -> Ruling:
    return Ruling(fact, support > 0.5, support, piece if support else "")


def _content(text: str) -> frozenset[str]:
    """All words if none has content."""
    words = frozenset(_WORD.findall(text.lower()))
    return words - FUNCTION_WORDS or words


def _clipped(texts: Iterable[str], words: int) -> str:
    return " ".join(" ".join(texts).split()[:words])
