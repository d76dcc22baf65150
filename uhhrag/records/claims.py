from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from uhhrag.records.pages import TAKEN_BACK, Passage, Place, Source

NO_ANSWER = "No answer could be found."
"""AVeriTeC's text for a question without answer."""


class Label(StrEnum):
    """AVeriTeC's labels, as in its files."""

    SUPPORTED = "Supported"
    REFUTED = "Refuted"
    NOT_ENOUGH = "Not Enough Evidence"
    CONFLICTING = "Conflicting Evidence/Cherrypicking"


class Grade(StrEnum):
    """PolitiFact's scale, truest first."""

    TRUE = "true"
    MOSTLY_TRUE = "mostly true"
    HALF_TRUE = "half true"
    BARELY_TRUE = "barely true"
    FALSE = "false"
    PANTS_ON_FIRE = "pants-on-fire"


class Origin(StrEnum):
    """How a vote got its label."""

    READ = "read"
    """from generated text"""
    CONSTRAINED = "constrained"
    """the likeliest of given options"""
    DEFAULTED = "defaulted"
    """for an unreadable reply"""
    OWN = "own"
    """the approach's own verdict"""


@dataclass(frozen=True, slots=True)
class Claim:
    id: int
    """position in its file, from 0"""
    text: str
    date: str | None = None
    """as in the file: 31-10-2020"""
    speaker: str | None = None
    given_id: str = field(default="", compare=False, repr=False)
    """its list's own: of a column, else its row"""


@dataclass(frozen=True, slots=True)
class Failure:
    """A claim without verdict."""

    claim: Claim
    error: str
    """one line"""


@dataclass(frozen=True, slots=True)
class Hit:
    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class RowFigure:
    """A figure in a table's row."""

    text: str
    """the row with no other figure"""
    forms: tuple[str, ...] = ()
    """the same in words that compare the figure"""
    named: bool = True
    """whether the claim names its column"""
    decides: bool = False
    """whether the claim compares figures or states a share, so that `forms` alone tell"""


@dataclass(frozen=True, slots=True)
class RowsFact:
    """What is so of many rows of a table."""

    text: str
    met: bool | None = None
    """whether the claim says so too; None if the verifier is to tell"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A question and the passage that answers it."""

    question: str
    answer: str
    """what votes read"""
    urls: tuple[str, ...] = ()
    score: float = 0.0
    """a cosine; for `entailed-qa` the probability of entailment"""
    retrieval_score: float = 0.0
    """cosine in the search"""
    reply: str = ""
    """the question was read from it"""
    context: str = ""
    """around the passage on its first page, if kept"""
    sources: tuple[Source, ...] = ()
    """one per URL, if pages are kept"""
    sentence: str = ""
    """the passage, if `answer` is longer"""
    places: tuple[Place, ...] = ()
    before: str = ""
    """the sentence that it refers back to, or the rows that it is a note to, with a colon"""
    read: str = ""
    """what the verifier reads, if not `answer`: headings, and marks around found sentences"""
    beside: tuple[Evidence, ...] = ()
    """other found sentences, until one is chosen"""
    cells: tuple[RowFigure, ...] = ()
    """of a row of a table, until it is voted on"""
    facts: tuple[RowsFact, ...] = ()
    """of many rows of a table, one of which stands for them, until it is voted on"""
    replies: tuple[str, ...] = ()
    """to the quoted mail that it is of, each read with what they may deny, until it is voted on"""
    at: int = 0
    """where the passage begins in `context`, in characters; 0 where its words first stand"""
    compared: tuple[str, ...] = ()
    """how figures compare, if that decided"""

    @property
    def found(self) -> str:
        return self.sentence or self.answer

    @property
    def settled(self) -> Evidence:
        """Without what only votes read."""
        return replace(self, beside=(), cells=(), facts=(), replies=())

    @property
    def is_quoted(self) -> bool:
        """Whether every document quotes it, or takes itself back."""
        own = (one.quoted is None and TAKEN_BACK not in one.note for one in self.sources)
        return bool(self.sources) and not any(own)

    def noted(self, kind: str) -> bool:
        """Whether the notes of all its documents have these words (`pages.DRAFT`)."""
        return bool(self.sources) and all(kind in one.note for one in self.sources)


@dataclass(frozen=True, slots=True)
class Finding:
    evidence: tuple[Evidence, ...]
    label: Label | None = None
    notes: tuple[str, ...] = ()
    """for the trace"""
    grade: Grade | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """One reading of evidence against the claim."""

    label: Label
    origin: Origin
    reply: str
    probability: float | None = None
    """calibrated, of `label`; None if read from text"""
    options: Mapping[str, float] = field(default_factory=dict)
    """log-probabilities, uncalibrated"""
    cut: bool = False
    grade: Grade | None = None
    """`label` was mapped from it"""
    meanings: Mapping[str, str | None] = field(default_factory=dict)
    """label or grade by option; None: the evidence says nothing"""

    @property
    def says_nothing(self) -> bool:
        """Whether the likeliest option means that."""
        return bool(self.options) and self.meanings.get(self.reply, self.label) is None


@dataclass(frozen=True, slots=True)
class Ballots:
    votes: tuple[Vote, ...] = ()
    per_piece: bool = False
    """votes[i] is on evidence[i] alone"""
    reading: Mapping[Label, float] = field(default_factory=dict)
    """labels' log-probabilities by a reader of all evidence, or empty"""
    evidence: tuple[Evidence, ...] = ()
    """with deciding sentences, if chosen"""


@dataclass(frozen=True, slots=True)
class Decision:
    label: Label
    leaning: Label | None = None
    """the likely label that a limit overrode"""
    probabilities: Mapping[Label, float] = field(default_factory=dict)
    """of a learned verdict"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A label and all that led to it."""

    claim: Claim
    label: Label
    evidence: tuple[Evidence, ...]
    votes: tuple[Vote, ...]
    notes: tuple[str, ...] = ()
    removed: Mapping[str, int] = field(default_factory=dict)
    """passages, by limit"""
    grade: Grade | None = None
    leaning: Label | None = None
    """the votes' label, if they were not sure enough"""
    vote_per_piece: bool = True
    """votes[i] is on evidence[i]; else each on all"""
    probabilities: Mapping[Label, float] = field(default_factory=dict)
    """by a learned verdict"""
    reading: Mapping[Label, float] = field(default_factory=dict)
    """by `rules.reading_head`"""

    @property
    def confidence(self) -> float | None:
        """A learned verdict's probability, or the mean of the votes' for leaning or label; votes
        for others give it what they leave. None without probabilities."""
        label = self.leaning or self.label
        if self.probabilities:
            return self.probabilities[label]
        sure = ((v.label, v.probability) for v in self.votes if v.probability is not None)
        shares = [share if voted is label else 1 - share for voted, share in sure]
        return math.fsum(shares) / len(shares) if shares else None
