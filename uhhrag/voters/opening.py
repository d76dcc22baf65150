from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as cut

from uhhrag import defaults
from uhhrag.errors import InputError
from uhhrag.prompts.templates import StepTemplate
from uhhrag.protocols import OnVote, Voter, VotingModels
from uhhrag.records import Ballots, Claim, Evidence, Vote
from uhhrag.rules import learned_files
from uhhrag.rules.learned import DOCUMENTS, LearnedVerdict
from uhhrag.rules.reading_head import ReaderHead
from uhhrag.rules.rules import SIDE_OPTIONS, Decoding, Rule
from uhhrag.system.own_code import name_of
from uhhrag.system.terminal import quantity
from uhhrag.voters.calibration import NONE, Calibration


def takes_sides(rule: Rule) -> bool:
    """Whether each piece has one vote, for either side."""
    return rule.show is None and bool(rule.step) and rule.options is SIDE_OPTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    rule: Rule
    decoding: Decoding
    prompts: Callable[[str], StepTemplate]
    field: str
    """NEWS or DOCUMENTS"""
    llm: str = ""
    """its fingerprint"""
    llm_name: str = ""
    verifier: str = ""
    """its fingerprint"""
    verifier_fitted: bool = False
    """by its own training"""
    titled: bool = False
    """read passages after leads"""
    calibration: Path | None = None
    """`none`, or None for the shipped ones"""
    learned: Path | None = None

    @property
    def calibrated(self) -> bool:
        """Learned verdicts never are; the shipped files are for news."""
        return (
            self.rule.constrained(self.decoding)
            and not self.rule.learned
            and self.calibration != Path("none")
            and (self.calibration is not None or self.field != DOCUMENTS)
        )

    def learned_by(self, voter: str) -> LearnedVerdict | None:
        """None unless the rule is learned."""
        if not self.rule.learned:
            return None
        return learned_files.find(self.field, voter, self.learned or learned_files.SHIPPED)


@dataclass(frozen=True, slots=True)
class Opened:
    voter: Voter
    fingerprint: str = ""
    """of votes in a signature; "" for the language model's"""
    calibration: Calibration = NONE
    learned: LearnedVerdict | None = None
    reader: ReaderHead | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a run needs of the voter that `auto` chooses."""

    rule: Rule
    reads: bool
    """a shipped reader is fitted to its language model and claims"""
    verifier: bool
    """one is named"""
    plain: bool
    """takes sides by a model of `MEASURED` as it is shipped"""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoterSpec:
    open: Callable[[Opening], Opened]
    llm: bool = False
    verifier: bool = False
    serves: Callable[[Rule], bool] = lambda rule: takes_sides(rule) and not rule.learned
    """by default no learned verdict: it is fitted to one voter"""
    decodings: frozenset[Decoding] = frozenset({Decoding.CONSTRAINED})
    leads: bool = False
    """reads a user's passages after leads"""
    documents_rule: str = ""
    """for a user's documents; "" leaves the approach's"""
    documents_granularity: str = defaults.GRANULARITY
    auto: Callable[[Wanted], bool] = lambda wanted: False
    """whether `auto` takes it, unless it takes a row below"""


VotePerPiece = Callable[[Claim, Sequence[Evidence]], Sequence[Vote]]
"""In the order of evidence."""


def voter_of(cast: VotePerPiece, fingerprint: str = "1") -> VoterSpec:
    """A row of `VOTERS` for a function; signatures hash the program's own code."""

    def voter(
        claim: Claim, evidence: Sequence[Evidence], models: VotingModels, on_vote: OnVote | None, /
    ) -> Ballots:
        votes = tuple(cast(claim, evidence))
        if fault := _fault(votes, len(evidence)):
            raise InputError(f"the voter {name_of(cast)} gave {fault}")
        if on_vote:
            on_vote(votes)
        return Ballots(votes, per_piece=True)

    return VoterSpec(open=lambda opening: Opened(voter, fingerprint))


def _fault(votes: Sequence[object], pieces: int) -> str:
    wanted = "it is to give uhhrag.records.Vote on each piece"
    if len(votes) != pieces:
        return f"{quantity(len(votes), 'vote')} on {quantity(pieces, 'piece')}; {wanted}"
    for vote in votes:
        if not isinstance(vote, Vote):
            return f"{cut(vote)}; {wanted}"
        if vote.probability is not None and not 0 <= vote.probability <= 1:
            return f"probability {vote.probability}; it must be 0 to 1"
    return ""
