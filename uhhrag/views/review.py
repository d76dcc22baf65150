"""What a person says of a verdict, and what then counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from uhhrag.records import Label, Source, Vote
from uhhrag.rules.label_words import UNCLEAR


class PieceSide(StrEnum):
    """What a piece of evidence does to the claim."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NOTHING = "says nothing"


def side_of(vote: Vote) -> PieceSide:
    """The side on which a vote puts its piece."""
    if vote.says_nothing or vote.label not in (Label.SUPPORTED, Label.REFUTED):
        return PieceSide.NOTHING
    return PieceSide.SUPPORTS if vote.label is Label.SUPPORTED else PieceSide.CONTRADICTS


@dataclass(frozen=True, slots=True)
class AttachedPiece:
    """A sentence of the documents that a person attached to a claim by hand."""

    number: int
    """on the desk"""
    sentence: str
    source: Source
    side: PieceSide
    at: str
    """when, ISO, UTC"""


@dataclass(frozen=True, slots=True)
class Review:
    """A person's review of a verdict. `label` is the reviewer's own and `reviewer` the person's
    name; None and "" only in reviews of earlier versions, which did not ask for them. `wrong`
    holds the positions of wrong votes, counted from 0, and `marks` what is right in their place;
    `kept` are the positions of the pieces that the person cites; `at` is the time (ISO, UTC).
    `appearance` is the web address where the claim was published, "" where it is not known. A
    review is `stale` when it was written on an earlier verdict, so that its positions no longer
    apply."""

    label: Label | None = None
    wrong: tuple[int, ...] = ()
    note: str = ""
    at: str = ""
    stale: bool = False
    marks: Mapping[int, PieceSide] = field(default_factory=dict)
    reviewer: str = ""
    appearance: str = ""
    kept: tuple[int, ...] = ()


class Reviewed:
    """What a review makes of a claim, be it whole (`ClaimView`) or a row of a list (`ClaimRow`)."""

    __slots__ = ()
    if TYPE_CHECKING:

        @property
        def review(self) -> Review | None: ...
        @property
        def machine_label(self) -> Label | None: ...
        @property
        def leans(self) -> Label | None: ...
        @property
        def confidence(self) -> float | None: ...
        @property
        def verdict_text(self) -> str: ...

    @property
    def reviewed(self) -> bool:
        """Whether a person reviewed this verdict, and not an earlier one."""
        return self.review is not None and not self.review.stale

    @property
    def person_label(self) -> Label | None:
        """The verdict of the person who reviewed this one and chose another; None where nobody
        did, or the claim was checked again since."""
        return self.review.label if self.review and not self.review.stale else None

    @property
    def machine_class(self) -> str:
        """What the machine's verdict is called: its label, or `UNCLEAR` for one that only leans to
        a label; "" where there is none."""
        if self.machine_label is None:
            return ""
        return UNCLEAR if self.leans else self.machine_label

    @property
    def field_label(self) -> Label | None:
        """The machine's verdict as files and programs get it, one of the four labels: a verdict
        that only leans to a label is Not Enough Evidence; None where there is none."""
        return Label.NOT_ENOUGH if self.leans else self.machine_label

    @property
    def label(self) -> str:
        """What the verdict that counts is called: a person's label, else `machine_class`."""
        return self.person_label or self.machine_class if self.machine_label else ""

    @property
    def status(self) -> str:
        """How a check ended: `clear`, `unclear`, or `failed` where there is no verdict."""
        if self.machine_label is None:
            return "failed"
        return "unclear" if self.leans else "clear"
