from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from uhhrag.records import Claim, Label, Source, Vote
from uhhrag.rules.label_words import UNCLEAR, WORDS
from uhhrag.system.checksums import sha256

_Kept = TypeVar("_Kept")


class PieceSide(StrEnum):
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NOTHING = "says nothing"


SIDES = {Label.SUPPORTED: PieceSide.SUPPORTS, Label.REFUTED: PieceSide.CONTRADICTS}


def side_of(vote: Vote) -> PieceSide:
    return PieceSide.NOTHING if vote.says_nothing else SIDES.get(vote.label, PieceSide.NOTHING)


def wrong_votes(marks: Mapping[int, PieceSide], votes: Sequence[Vote]) -> tuple[int, ...]:
    """Positions of votes that the marks contradict."""
    voted = dict(enumerate(map(side_of, votes)))
    return tuple(at for at, side in marks.items() if voted.get(at, side) is not side)


@dataclass(frozen=True, slots=True)
class AttachedPiece:
    number: int
    key: str
    """One of the claim's `names`."""
    sentence: str
    source: Source
    side: PieceSide
    """NOTHING once it was taken off."""
    at: str
    """ISO, UTC."""
    reviewer: str = ""
    """Who attached, turned or took it off; "" only in earlier versions."""
    aside: str = ""
    """Why it does not count, or ""."""


@dataclass(frozen=True, slots=True)
class Review:
    """Positions of evidence count from 0."""

    label: Label | None = None
    """The reviewer's; None for a withdrawal, and in earlier versions."""
    wrong: tuple[int, ...] = ()
    note: str = ""
    at: str = ""
    """ISO, UTC."""
    stale: bool = False
    """It is of an earlier verdict, so positions no longer apply."""
    marks: Mapping[int, PieceSide] = field(default_factory=dict)
    """By position."""
    reviewer: str = ""
    """A name; "" only in earlier versions."""
    appearance: str = ""
    kept: tuple[int, ...] = ()
    """Positions of cited pieces."""
    seen: str = ""
    """The `fingerprint` of the verdict."""
    actor: str = ""
    acted: str = ""
    """Who made the reviewer's review the review again, or withdrew it, and when."""

    @property
    def withdrawn(self) -> bool:
        return bool(self.actor) and self.label is None


@dataclass(frozen=True, slots=True)
class Reviewed:
    claim: Claim
    review: Review | None = field(default=None, kw_only=True)
    key: str = field(default="", kw_only=True)
    """Names a desk's check in addresses; "" for a run's claim."""
    target: str = field(default="", kw_only=True)
    """The key of what it was checked against."""
    pending: bool = field(default=False, kw_only=True)
    """It is being checked, or waits: a verdict is that of before."""
    was: str = field(default="", kw_only=True)
    """The verdict of the check before, of the same words, if it is another."""
    since: str = field(default="", kw_only=True)
    """What has changed in the documents since, if it may matter; also that they are `gone`."""
    gone: bool = field(default=False, kw_only=True)
    """None of the files searched is left."""
    if TYPE_CHECKING:

        @property
        def machine_label(self) -> Label | None: ...
        @property
        def leans(self) -> Label | None: ...
        @property
        def confidence(self) -> float | None: ...
        @property
        def verdict_text(self) -> str: ...
        @property
        def only_speaker(self) -> bool: ...

    @property
    def anchor(self) -> str:
        """Its name in addresses."""
        return self.key or f"claim-{self.claim.id}"

    @property
    def names(self) -> tuple[str, ...]:
        """Keys of its reviews, the one to write first. A run's have a hash of the text, since
        another run may reuse the number; earlier versions lacked it."""
        text = sha256(self.claim.text)[:16]
        return (self.key,) if self.key else (f"{self.anchor} {text}", self.anchor)

    def of(self, kept: Mapping[str, _Kept]) -> _Kept | None:
        return next((kept[name] for name in self.names if name in kept), None)

    @property
    def outdated(self) -> bool:
        """Whether another check may differ."""
        return bool(self.since) and not self.gone

    @property
    def reviewed(self) -> bool:
        """False if of an earlier verdict."""
        return self.review is not None and not self.review.stale

    @property
    def reviewed_before(self) -> bool:
        """By a signed review of an earlier verdict, which ClaimReview omits."""
        return bool((one := self.review) and one.stale and one.label and one.reviewer)

    @property
    def set_aside(self) -> str:
        """Who reviewed an earlier verdict, and how, or ""."""
        if not (one := self.review) or not one.stale or not one.label:
            return ""
        return f"{one.reviewer or 'a person'}, of an earlier verdict: {WORDS[one.label]}"

    @property
    def person_label(self) -> Label | None:
        """By a review of this verdict."""
        return self.review.label if self.review and not self.review.stale else None

    @property
    def machine_class(self) -> str:
        """`UNCLEAR` if it only leans; "" without a verdict."""
        if self.machine_label is None:
            return ""
        return UNCLEAR if self.leans else self.machine_label

    @property
    def field_label(self) -> Label | None:
        """For files: Not Enough Evidence if it only leans."""
        return Label.NOT_ENOUGH if self.leans else self.machine_label

    @property
    def label(self) -> str:
        """A person's label, else `machine_class`."""
        return self.person_label or self.machine_class if self.machine_label else ""

    @property
    def status(self) -> str:
        """`clear`, `unclear`, or without a verdict `waiting` or `failed`."""
        if self.machine_label is None:
            return "waiting" if self.pending else "failed"
        return "unclear" if self.leans else "clear"
