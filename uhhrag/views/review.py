"""What a person says of a verdict, and what then counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from uhhrag.records import Label, Vote


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
class Review:
    """A person's review of a verdict. `label` is the reviewer's own, None where the verdict is to
    stand. `wrong` holds the positions of wrong votes, counted from 0, and `marks` what is right in
    their place; `at` is the time (ISO, UTC) and `reviewer` the person's name, "" where none was
    given. `appearance` is the web address where the claim was published, "" where it is not
    known. A review is `stale` when it was written on an earlier verdict, so that its positions no
    longer apply."""

    label: Label | None = None
    wrong: tuple[int, ...] = ()
    note: str = ""
    at: str = ""
    stale: bool = False
    marks: Mapping[int, PieceSide] = field(default_factory=dict)
    reviewer: str = ""
    appearance: str = ""


class Reviewed:
    """What a review makes of a claim, be it whole (`ClaimView`) or a row of a list (`ClaimRow`)."""

    __slots__ = ()
    if TYPE_CHECKING:

        @property
        def review(self) -> Review | None: ...
        @property
        def machine_label(self) -> Label | None: ...

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
    def label(self) -> Label | None:
        """The verdict that counts: a person's, else the machine's, None where there is none."""
        return (self.person_label or self.machine_label) if self.machine_label else None
