"""A claim as one line of a list: what lists, filters and counts need of it, and no more, so that
it can be kept beside its evidence and thousands are read at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from uhhrag.records import Claim, Label
from uhhrag.system.decode import shaped
from uhhrag.views.counted import Counted
from uhhrag.views.review import Review, Reviewed
from uhhrag.views.run_view import ClaimView, RunView
from uhhrag.views.searched import state_of_files

ROW_FORMAT = 2
"""Rows that were kept in another format are made anew; raise it when what a row says changes."""


@dataclass(frozen=True, slots=True)
class RowVote:
    """A vote as a strip of votes draws it."""

    label: Label
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class ClaimRow(Reviewed):
    """A line of a list. `machine_label` is None for a claim without a verdict, and `error` then
    says why. With `learned`, `confidence` is the probability of the label, else the mean over the
    votes. `seen` is the fingerprint of the verdict (see `fingerprint`); `gold` the gold label,
    where the verdict is another one. `where` is what was searched and `files` the state of its
    files (`state_of_files`); it is `outdated` where they have changed since, and `gone` where none
    of them is here any more. For the others see `ClaimView`."""

    claim: Claim
    machine_label: Label | None = None
    leans: Label | None = None
    verdict_text: str = ""
    confidence: float | None = None
    learned: bool = False
    votes: tuple[RowVote, ...] = ()
    error: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    seen: str = ""
    key: str = ""
    gold: Label | None = None
    review: Review | None = None
    target: str = ""
    where: str = ""
    files: str = ""
    outdated: bool = False
    gone: bool = False

    @property
    def anchor(self) -> str:
        """The claim's name in addresses: its key, or `claim-` and its id."""
        return self.key or f"claim-{self.claim.id}"

    @property
    def number(self) -> int:
        """The claim's number for readers, from 1; ids of a run are counted from 0."""
        return self.claim.id if self.key else self.claim.id + 1


@dataclass(frozen=True, slots=True)
class RowList(Counted):
    """The rows of a run or a desk: its name and header as of a run, and its claims in the order in
    which they are listed."""

    name: str
    header: Mapping[str, object]
    claims: tuple[ClaimRow, ...]


def row_of(view: ClaimView) -> ClaimRow:
    """The row of a claim."""
    verdict = view.verdict
    return ClaimRow(
        claim=view.claim,
        machine_label=view.machine_label,
        leans=view.leans,
        verdict_text=view.verdict_text,
        confidence=view.confidence,
        learned=view.learned,
        votes=tuple(RowVote(v.label, v.probability) for v in verdict.votes) if verdict else (),
        error=view.error,
        seconds=view.seconds,
        seen=fingerprint(view),
        key=view.key,
        gold=view.score.gold if view.score and view.differs else None,
        review=view.review,
        target=view.target,
        where=view.searched.where if view.searched else "",
        files=state_of_files(view.searched.files) if view.searched else "",
    )


def rows_of(run: RunView) -> RowList:
    """The rows of a run."""
    return RowList(run.name, run.header, tuple(map(row_of, run.claims)))


def fingerprint(view: ClaimView) -> str:
    """What a review is of: the claim, its verdict and the evidence that votes were cast on, as 64
    hex digits."""
    verdict = view.verdict
    parts = [verdict.label, *((e.question, e.answer) for e in verdict.evidence)] if verdict else []
    return hashlib.sha256(repr((view.claim.text, parts)).encode()).hexdigest()


def encode_row(row: ClaimRow) -> str:
    """A row without its review, as JSON."""
    return json.dumps(asdict(replace(row, review=None)))


def decode_row(text: str) -> ClaimRow:
    """A row from JSON. Raises ValueError or TypeError where it is none."""
    return shaped(ClaimRow, json.loads(text))
