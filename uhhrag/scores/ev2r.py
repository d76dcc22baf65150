"""Ev2R as the AVeriTeC task of 2025 uses it: how much of the annotators' evidence a system found.

A judge divides both sides into facts (with the questions alone: into questions) and rules for each
whether the other side's evidence contains it. Recall is the share of gold's facts that the
prediction contains, precision the share of the prediction's facts that gold contains. The task
reports recall; a claim is solved where its label is right and its Q+A recall is above THRESHOLD.
All evidence counts, not the first ten pieces alone. Left out: the paper's scorers that see no gold
evidence, and its combination with a predicted verdict.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from uhhrag.formats.gold import Gold
from uhhrag.formats.submission import Prediction
from uhhrag.records import NO_ANSWER, Claim, Label
from uhhrag.text.characters import one_line

THRESHOLD = 0.5
"""A claim is solved where its Q+A recall is strictly above it: the task's last published code."""

SCORE = f"score@{THRESHOLD}"
SHARES = ("Q recall", "Q precision", "Q+A recall", "Q+A precision")
MEASURES = (*SHARES, SCORE, "accuracy")
"""The names of all measures, in the order they are shown."""

_WORD = re.compile(r"\w")
_NO_ANSWER = NO_ANSWER.rstrip(".").casefold()

QuestionAnswer = tuple[str, str]
"""A question, "" where there is none, and its answer, each on one line."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side's evidence without repetitions, in order: its questions, and a pair for each answer
    that says something (see `says_something`). A Boolean answer of gold includes its
    explanation."""

    questions: tuple[str, ...]
    pairs: tuple[QuestionAnswer, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """What a judge compares on one claim."""

    claim: Claim
    gold: Side
    predicted: Side


@dataclass(frozen=True, slots=True)
class Ruling:
    """One fact, and whether the other side's evidence contains it."""

    fact: str
    supported: bool
    support: float | None = None
    """How far, from 0 to 1, or None if the judge says only yes or no."""
    piece: str = ""
    """The nearest piece of the other side's evidence, if the judge names one."""


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings on the facts of one side."""

    facts: tuple[Ruling, ...] = ()
    """In order."""
    reply: str | None = None
    """What a language model wrote, or None."""
    unreadable: bool = False
    """The reply could not be read, so there are no rulings."""

    @property
    def supported(self) -> int:
        """How many facts are supported."""
        return sum(ruling.supported for ruling in self.facts)

    @property
    def share(self) -> float:
        """The share of the facts that is supported, from 0 to 1: their mean support, where a fact
        without one counts 1 or 0. It is 0 where there are no facts."""
        return sum(_support(ruling) for ruling in self.facts) / max(len(self.facts), 1)


def unsupported(facts: Sequence[str]) -> Rulings:
    """The rulings where the other side has no evidence: nothing is asked, nothing is supported."""
    return Rulings(tuple(Ruling(fact, supported=False) for fact in facts))


@dataclass(frozen=True, slots=True)
class Judged:
    """A judge's rulings on one claim: on gold's questions and facts (`*_recall`), and on the
    prediction's (`*_precision`)."""

    q_recall: Rulings
    q_precision: Rulings
    qa_recall: Rulings
    qa_precision: Rulings

    def rulings(self) -> tuple[Rulings, ...]:
        """In the order of SHARES."""
        return (self.q_recall, self.q_precision, self.qa_recall, self.qa_precision)


class Judge(Protocol):
    def __call__(self, cases: Sequence[Case], /) -> list[Judged]:
        """The rulings on each case, in order."""
        ...


@dataclass(frozen=True, slots=True)
class ClaimEv2r:
    """What one claim scored."""

    id: int
    claim: str
    gold: Label
    predicted: Label | None
    """None without a prediction, or if its label is not one of the four."""
    judged: Judged
    shares: tuple[float | None, ...]
    """In the order of SHARES; None if gold has nothing to compare with (see `shares_of`)."""
    missing: bool = False
    """There is no prediction."""
    pieces: int = 0
    """The prediction's pieces of evidence."""

    @property
    def right(self) -> bool:
        return self.predicted is self.gold

    @property
    def recall(self) -> float | None:
        """The Q+A recall."""
        return self.shares[2]

    @property
    def solved(self) -> bool | None:
        """Right label and Q+A recall above THRESHOLD, or None without a recall."""
        return None if self.recall is None else self.right and self.recall > THRESHOLD

    @property
    def unreadable(self) -> int:
        """How many replies of the judge could not be read."""
        return sum(rulings.unreadable for rulings in self.judged.rulings())

    def values(self) -> tuple[float | None, ...]:
        """The claim's share of each of MEASURES, in that order."""
        return (
            *self.shares,
            None if self.solved is None else float(self.solved),
            float(self.right),
        )


def case_of(gold: Gold, prediction: Prediction | None) -> Case:
    """The two sides of a claim; a missing prediction is an empty one."""
    expected = [
        (
            question.question,
            answer.text if answer.explanation is None else f"{answer.text}. {answer.explanation}",
        )
        for question in gold.questions
        for answer in question.answers
    ]
    unanswered = [(question.question, "") for question in gold.questions]
    evidence = prediction.evidence if prediction else ()
    return Case(
        gold.claim,
        side_of([*expected, *unanswered]),
        side_of([(item.question, item.answer) for item in evidence]),
    )


def side_of(pairs: Sequence[QuestionAnswer]) -> Side:
    """The evidence of one side from its questions and answers as they stand in a file."""
    lines = [(one_line(question), one_line(answer)) for question, answer in pairs]
    return Side(
        tuple(dict.fromkeys(question for question, _ in lines if _WORD.search(question))),
        tuple(dict.fromkeys(pair for pair in lines if says_something(pair[1]))),
    )


def says_something(answer: str) -> bool:
    """Whether an answer has a word and is not the note that none was found.

    >>> says_something("No."), says_something("No answer could be found"), says_something(" - ")
    (True, False, False)
    """
    return bool(_WORD.search(answer)) and not answer.strip().casefold().startswith(_NO_ANSWER)


def score_claim(gold: Gold, prediction: Prediction | None, judged: Judged) -> ClaimEv2r:
    return ClaimEv2r(
        id=gold.claim.id,
        claim=gold.claim.text,
        gold=gold.label,
        predicted=prediction.label if prediction else None,
        judged=judged,
        shares=shares_of(judged),
        missing=prediction is None,
        pieces=len(prediction.evidence) if prediction else 0,
    )


def shares_of(judged: Judged) -> tuple[float | None, ...]:
    """Recall and precision of the questions, then of questions and answers.

    An unreadable reply counts 0, as in the task. Where gold has no facts, nothing was asked and
    both shares are None; where only the prediction has none, both are 0."""
    return (
        *_recall_and_precision(judged.q_recall, judged.q_precision),
        *_recall_and_precision(judged.qa_recall, judged.qa_precision),
    )


def _recall_and_precision(recall: Rulings, precision: Rulings) -> tuple[float | None, float | None]:
    if not recall.facts and not recall.unreadable:
        return None, None
    return recall.share, precision.share


def _support(ruling: Ruling) -> float:
    return float(ruling.supported) if ruling.support is None else ruling.support


def table_of(scores: Sequence[ClaimEv2r]) -> NDArray[np.float64]:
    """The values of each claim, shape (claims, measures), NaN where a claim has none."""
    return np.array([claim.values() for claim in scores], dtype=np.float64)


def measure(table: NDArray[np.float64]) -> dict[str, float | None]:
    """The mean of each of MEASURES over the claims that have it, None where no claim has."""
    drawn = resample(table, np.ones((1, len(table)), dtype=np.int64))
    return {
        name: None if np.isnan(values[0]) else float(values[0]) for name, values in drawn.items()
    }


def resample(
    table: NDArray[np.float64], times: NDArray[np.int64]
) -> dict[str, NDArray[np.float64]]:
    """Every measure in every resample, each of shape (resamples,); `times`, of shape (resamples,
    claims), says how often a claim was drawn. NaN where no claim drawn has the measure."""
    has = ~np.isnan(table)
    sums, counts = times @ np.where(has, table, 0.0), times @ has.astype(np.float64)
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return dict(zip(MEASURES, means.T, strict=True))
