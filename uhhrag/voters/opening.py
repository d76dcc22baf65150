"""What a voter is opened with, and what that gives: rows of `VOTERS` are made of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from uhhrag import defaults
from uhhrag.prompts.templates import StepTemplate
from uhhrag.protocols import OnVote, Voter, VotingModels
from uhhrag.records import Ballots, Claim, Evidence, Vote
from uhhrag.rules import learned_files
from uhhrag.rules.learned import DOCUMENTS, LearnedVerdict
from uhhrag.rules.reading_head import ReaderHead
from uhhrag.rules.rules import SIDE_OPTIONS, Decoding, Rule
from uhhrag.voters.calibration import NONE, Calibration


def takes_sides(rule: Rule) -> bool:
    """Whether a rule has one vote on each piece of evidence, for either side of the claim."""
    return rule.show is None and bool(rule.step) and rule.options is SIDE_OPTIONS


def is_not_learned(rule: Rule) -> bool:
    """Whether a rule joins the votes of any voter."""
    return not rule.learned


def takes_sides_unlearned(rule: Rule) -> bool:
    """As `takes_sides`, but for a learned verdict, which is fitted to the votes of one voter."""
    return takes_sides(rule) and not rule.learned


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a run says to its voter before the first claim."""

    rule: Rule
    decoding: Decoding
    prompts: Callable[[str], StepTemplate]
    field: str
    """of the learned verdicts: claims of the shared task, or against a user's own documents"""
    llm: str = ""
    """the fingerprint of the language model, "" where none is asked"""
    llm_name: str = ""
    verifier: str = ""
    """the fingerprint of the verifier, "" where none is loaded"""
    titled: bool = False
    """whether passages are read after their leads"""
    calibration: Path | None = None
    """a file of calibrations, `none` for none of all; None for the shipped ones"""
    learned: Path | None = None

    @property
    def calibrated(self) -> bool:
        """Whether any calibration is for these votes. A learned verdict reads them as they are, and
        the shipped ones, fitted to news claims, are not for a user's own documents."""
        return (
            self.rule.constrained(self.decoding)
            and not self.rule.learned
            and self.calibration != Path("none")
            and (self.calibration is not None or self.field != DOCUMENTS)
        )

    def learned_by(self, voter: str) -> LearnedVerdict | None:
        """The verdict that was fitted to a voter's votes, None for a rule that has none."""
        if not self.rule.learned:
            return None
        return learned_files.find(self.field, voter, self.learned or learned_files.SHIPPED)


@dataclass(frozen=True, slots=True)
class Opened:
    """A voter that is ready, with what was fitted to its votes."""

    voter: Voter
    fingerprint: str = ""
    """what tells its votes from others in a signature, "" where the language model's does"""
    calibration: Calibration = NONE
    learned: LearnedVerdict | None = None
    reader: ReaderHead | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoterSpec:
    """A row of `VOTERS`: how a voter is opened, and what settings and wiring ask of it."""

    open: Callable[[Opening], Opened]
    llm: bool = False
    """it asks the language model"""
    verifier: bool = False
    """it asks the verifier"""
    serves: Callable[[Rule], bool] = takes_sides_unlearned
    decodings: frozenset[Decoding] = frozenset({Decoding.CONSTRAINED})
    leads: bool = False
    """it reads a passage of a user's own documents after its lead, and a heading is none"""
    documents_rule: str = ""
    """the rule for a user's own documents where none is named, "" for the approach's"""
    documents_granularity: str = defaults.GRANULARITY
    """what it reads of a user's own documents where nothing else is named"""


VotePerPiece = Callable[[Claim, Sequence[Evidence]], Sequence[Vote]]
"""The simplest voter: one vote on each piece of evidence, in order."""


def voter_of(cast: VotePerPiece, fingerprint: str) -> VoterSpec:
    """The row of a function that votes on each piece; another `fingerprint` is another run."""

    def voter(
        claim: Claim, evidence: Sequence[Evidence], models: VotingModels, on_vote: OnVote | None, /
    ) -> Ballots:
        votes = tuple(cast(claim, evidence))
        if len(votes) != len(evidence):
            raise ValueError(f"the voter gave {len(votes)} votes on {len(evidence)} pieces")
        if on_vote:
            on_vote(votes)
        return Ballots(votes, per_piece=True)

    return VoterSpec(open=lambda opening: Opened(voter, fingerprint))
