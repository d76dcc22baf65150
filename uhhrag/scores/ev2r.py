"""Ev2R of the AVeriTeC task of 2025: a judge rules which facts (or questions) the other side has.
Recall, the task's measure, is over gold's, precision over the prediction's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uhhrag.formats.gold import Gold
from uhhrag.formats.submission import Prediction
from uhhrag.records import NO_ANSWER, Claim, Label
from uhhrag.text.characters import one_line

THRESHOLD = 0.5
"""A claim with the right label is solved above this Q+A recall, as in the task's last code."""

SCORE = f"score@{THRESHOLD}"
SHARES = ("Q recall", "Q precision", "Q+A recall", "Q+A precision")
MEASURES = (*SHARES, SCORE, "accuracy")

_WORD = re.compile(r"\w")
_NO_ANSWER = NO_ANSWER.rstrip(".").casefold()

QuestionAnswer = tuple[str, str]
"""Question, or "", and answer, each on one line."""


@dataclass(frozen=True, slots=True)
class Side:
    """In order, without repetitions."""

    questions: tuple[str, ...]
    pairs: tuple[QuestionAnswer, ...]
    """Those whose answer says something."""


@dataclass(frozen=True, slots=True)
class Case:
    claim: Claim
    gold: Side
    predicted: Side

    @property
    def ways(self) -> tuple[tuple[Side, Side], ...]:
        """(facts of, evidence of): for recall, for precision."""
        return (self.gold, self.predicted), (self.predicted, self.gold)


@dataclass(frozen=True, slots=True)
class Ruling:
    fact: str
    supported: bool
    support: float | None = None
    """0 to 1; None from a yes-or-no judge."""
    piece: str = ""
    """The other side's nearest piece, or ""."""


@dataclass(frozen=True, slots=True)
class Rulings:
    facts: tuple[Ruling, ...] = ()
    reply: str | None = None
    """A language model's."""
    unreadable: bool = False

    @property
    def share(self) -> float:
        """Mean support, 0 to 1; 0 without facts."""
        support = (float(r.supported) if r.support is None else r.support for r in self.facts)
        return sum(support) / max(len(self.facts), 1)


def unsupported(facts: Sequence[str]) -> Rulings:
    return Rulings(tuple(Ruling(fact, supported=False) for fact in facts))


class Judged(NamedTuple):
    """Rulings on questions and facts, gold's (`*_recall`) and the prediction's (`*_precision`), in
    the order of SHARES."""

    q_recall: Rulings
    q_precision: Rulings
    qa_recall: Rulings
    qa_precision: Rulings


Judge = Callable[[Sequence[Case]], list[Judged]]
"""In the cases' order."""


@dataclass(frozen=True, slots=True)
class ClaimEv2r:
    id: int
    claim: str
    gold: Label
    predicted: Label | None
    """None if missing or unknown."""
    judged: Judged
    shares: tuple[float | None, ...]
    """As SHARES; None if gold has no facts."""
    missing: bool = False
    pieces: int = 0

    @property
    def right(self) -> bool:
        return self.predicted is self.gold

    @property
    def recall(self) -> float | None:
        return self.shares[2]

    @property
    def solved(self) -> bool | None:
        return None if self.recall is None else self.right and self.recall > THRESHOLD

    @property
    def unreadable(self) -> int:
        return sum(rulings.unreadable for rulings in self.judged)

    def values(self) -> tuple[float | None, ...]:
        """As MEASURES."""
        solved = None if self.solved is None else float(self.solved)
        return (*self.shares, solved, float(self.right))


def case_of(gold: Gold, prediction: Prediction | None) -> Case:
    expected = [(q.question, answer.explained) for q in gold.questions for answer in q.answers]
    unanswered = [(question.question, "") for question in gold.questions]
    evidence = prediction.evidence if prediction else ()
    said = [(item.question, item.answer) for item in evidence]
    return Case(gold.claim, side_of([*expected, *unanswered]), side_of(said))


def side_of(pairs: Sequence[QuestionAnswer]) -> Side:
    lines = [(one_line(question), one_line(answer)) for question, answer in pairs]
    return Side(
        tuple(dict.fromkeys(question for question, _ in lines if _WORD.search(question))),
        tuple(dict.fromkeys(pair for pair in lines if says_something(pair[1]))),
    )


def says_something(answer: str) -> bool:
    """
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
    """As SHARES; None if gold has no facts, 0 for an unreadable reply."""
    shares: list[float | None] = []
    for recall, precision in (judged[:2], judged[2:]):
        has_facts = recall.facts or recall.unreadable
        shares += [recall.share, precision.share] if has_facts else [None, None]
    return tuple(shares)


def table_of(scores: Sequence[ClaimEv2r]) -> NDArray[np.float64]:
    """Shape (claims, measures), with NaN."""
    return np.array([claim.values() for claim in scores], dtype=np.float64)


def measure(table: NDArray[np.float64]) -> dict[str, float | None]:
    """Means; None if no claim has the measure."""
    drawn = resample(table, np.ones((1, len(table)), dtype=np.int64))
    return {
        name: None if np.isnan(values[0]) else float(values[0]) for name, values in drawn.items()
    }


def resample(
    table: NDArray[np.float64], times: NDArray[np.int64]
) -> dict[str, NDArray[np.float64]]:
    """NaN where no drawn claim has it; `times` has shape (resamples, claims)."""
    has = ~np.isnan(table)
    sums, counts = times @ np.where(has, table, 0.0), times @ has.astype(np.float64)
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return dict(zip(MEASURES, means.T, strict=True))
