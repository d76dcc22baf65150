"""Claims, what was found on them, votes and verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from uhhrag.records.pages import Passage, Place, Source

NO_ANSWER = "No answer could be found."
"""AVeriTeC's text for a question without an answer."""


class Label(StrEnum):
    """The AVeriTeC labels as in its files."""

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
    """the most probable of given options"""
    DEFAULTED = "defaulted"
    """the rule's default for an unreadable reply"""
    OWN = "own"
    """the approach's own verdict"""


@dataclass(frozen=True, slots=True)
class Claim:
    id: int
    """position in its file, from 0"""
    text: str
    date: str | None = None
    """as in the file, such as 31-10-2020"""
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A claim without verdict, and why, on one line."""

    claim: Claim
    error: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage with its score; higher is better."""

    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A question and the passage that answers it."""

    question: str
    answer: str
    """what votes read"""
    urls: tuple[str, ...] = ()
    score: float = 0.0
    """the approach's: a cosine, or for `entailed-qa` the probability of entailment"""
    retrieval_score: float = 0.0
    """cosine in the search"""
    reply: str = ""
    """from which the question was read"""
    context: str = ""
    """text around the passage on its first page, if kept"""
    sources: tuple[Source, ...] = ()
    """one for each URL, if pages are kept"""
    sentence: str = ""
    """the passage, if `answer` is a longer text around it"""
    places: tuple[Place, ...] = ()
    before: str = ""
    """the sentence that the passage refers back to"""
    read: str = ""
    """what the verifier reads, if not `answer`: headings, and marks around found sentences"""
    beside: tuple[Evidence, ...] = ()
    """other found sentences, until one is chosen"""


@dataclass(frozen=True, slots=True)
class Finding:
    """What an approach found on a claim."""

    evidence: tuple[Evidence, ...]
    label: Label | None = None
    notes: tuple[str, ...] = ()
    """for readers of the trace"""
    grade: Grade | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """One reading of evidence against the claim."""

    label: Label
    origin: Origin
    reply: str
    probability: float | None = None
    """calibrated, of `label` among the options; None for a vote read from text"""
    options: Mapping[str, float] = field(default_factory=dict)
    """the model's log-probabilities, uncalibrated"""
    cut: bool = False
    grade: Grade | None = None
    """from which the label was mapped"""
    meanings: Mapping[str, str | None] = field(default_factory=dict)
    """label or grade of each option; None if the evidence says nothing"""

    @property
    def says_nothing(self) -> bool:
        """Whether the likeliest option is that the evidence says nothing."""
        return bool(self.options) and self.meanings.get(self.reply, self.label) is None


@dataclass(frozen=True, slots=True)
class Ballots:
    """The votes on a claim."""

    votes: tuple[Vote, ...] = ()
    per_piece: bool = False
    """votes[i] is on evidence[i] alone"""
    reading: Mapping[Label, float] = field(default_factory=dict)
    """the labels' log-probabilities by a reader of all evidence, or empty"""
    evidence: tuple[Evidence, ...] = ()
    """with the deciding sentences, if the voter chose them"""


@dataclass(frozen=True, slots=True)
class Decision:
    label: Label
    leaning: Label | None = None
    """the likely label that a limit overrode"""
    probabilities: Mapping[Label, float] = field(default_factory=dict)
    """of a learned verdict"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim's label with everything that led to it."""

    claim: Claim
    label: Label
    evidence: tuple[Evidence, ...]
    votes: tuple[Vote, ...]
    notes: tuple[str, ...] = ()
    """of the approach"""
    removed: Mapping[str, int] = field(default_factory=dict)
    """passages removed by each limit"""
    grade: Grade | None = None
    leaning: Label | None = None
    """the votes' label, if they were not sure enough"""
    vote_per_piece: bool = True
    """votes[i] is on evidence[i]; else each vote is on all evidence"""
    probabilities: Mapping[Label, float] = field(default_factory=dict)
    """of the labels by a learned verdict"""
    reading: Mapping[Label, float] = field(default_factory=dict)
    """of the labels by `rules.reading_head`"""

    @property
    def confidence(self) -> float | None:
        """The probability of a learned verdict, or of the leaning by the votes' mean, to which
        other votes give what they leave; None without probabilities."""
        label = self.leaning or self.label
        if self.probabilities:
            return self.probabilities[label]
        shares = [
            vote.probability if vote.label is label else 1 - vote.probability
            for vote in self.votes
            if vote.probability is not None
        ]
        return math.fsum(shares) / len(shares) if shares else None
