"""A claim's line in a list: small, since thousands are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from uhhrag.documents.listing import display_path
from uhhrag.records import Evidence, Label
from uhhrag.system.checksums import sha256
from uhhrag.views.counted import Counted
from uhhrag.views.review import PieceSide, Review, Reviewed, side_of, wrong_votes
from uhhrag.views.run_view import ClaimView
from uhhrag.views.searched import state_of_files
from uhhrag.views.votes import RowVote

ROW_FORMAT = 9
"""Raise it when a row's content changes: rows of other formats are made anew."""

OF_DESK = ("was", "since", "gone")
"""What a desk knows of a verdict by other checks, and by the documents of now."""
_AS_IN_VIEW = (
    *("claim", "review", "key", "target", "machine_label", "leans", "verdict_text"),
    *("confidence", "learned", "calibration", "error", "seconds", "pending", "only_speaker"),
    *OF_DESK,
)


@dataclass(frozen=True, slots=True)
class ClaimRow(Reviewed):
    """Other fields are as in `ClaimView`."""

    machine_label: Label | None = None
    leans: Label | None = None
    verdict_text: str = ""
    confidence: float | None = None
    """The label's probability if `learned`, else the votes' mean."""
    only_speaker: bool = False
    learned: bool = False
    calibration: str = ""
    votes: tuple[RowVote, ...] = ()
    error: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    seen: str = ""
    """The `fingerprint` of its verdict."""
    gold: Label | None = None
    """Only if the verdict differs from it."""
    where: str = ""
    files: str = ""
    """The `state_of_files` of the files searched."""
    cited: tuple[str, ...] = ()
    """Names of its evidence's files, as in `Searched.files` without the folder's number."""
    sided: tuple[str, ...] = ()
    """The same of pieces with a side; of all if none has one."""

    @property
    def number(self) -> int:
        """From 1; ids of a run count from 0."""
        return self.claim.id if self.key else self.claim.id + 1


RowList = Counted[ClaimRow]
"""By `App.rows`: checks, then a run's claims."""


def row_of(view: ClaimView) -> ClaimRow:
    votes = view.verdict.votes if view.verdict else ()
    evidence = view.verdict.evidence if view.verdict else ()
    sides = zip(evidence, view.sides, strict=False)
    return ClaimRow(
        **{name: getattr(view, name) for name in _AS_IN_VIEW},
        votes=tuple(RowVote(vote.label, vote.probability) for vote in votes),
        seen=fingerprint(view),
        gold=view.score.gold if view.score and view.differs else None,
        where=view.searched.where if view.searched else "",
        files=state_of_files(view.searched.files) if view.searched else "",
        cited=_files(evidence),
        sided=_files([item for item, side in sides if side is not PieceSide.NOTHING] or evidence),
    )


def _files(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    names = {display_path(one.file) for item in evidence for one in item.sources if one.file}
    return tuple(sorted(names))


def fingerprint(view: ClaimView) -> str:
    """SHA-256 of what a review is of: claim, label, evidence."""
    verdict = view.verdict
    parts = [verdict.label, *((e.question, e.answer) for e in verdict.evidence)] if verdict else []
    return sha256(repr((view.claim.text, parts)))


def carried(review: Review, before: ClaimView, now: ClaimView) -> Review | None:
    """A review of `before` for `now`, with marks and citations at their new positions. None if
    words, verdict, or a piece with a side or named by the review differ."""
    same = (before.claim.text, before.verdict_text) == (now.claim.text, now.verdict_text)
    if review.seen != fingerprint(before) or not same:
        return None
    places, found = (
        _voted_pieces(before),
        {piece: at for at, piece in enumerate(_voted_pieces(now))},
    )
    moved = {at: found[piece] for at, piece in enumerate(places) if piece in found}
    sided = [{one for one in of if one[-1] is not PieceSide.NOTHING} for of in (places, found)]
    if sided[0] != sided[1] or not {*review.marks, *review.kept} <= moved.keys():
        return None
    marks = {moved[at]: side for at, side in review.marks.items()}
    return replace(
        review,
        seen=fingerprint(now),
        marks=marks,
        kept=tuple(sorted(moved[at] for at in review.kept)),
        wrong=wrong_votes(marks, now.verdict.votes if now.verdict else ()),
    )


def _voted_pieces(view: ClaimView) -> list[tuple[object, ...]]:
    """Pieces with their votes' sides; without sides, none equals another."""
    verdict = view.verdict
    if verdict is None or not verdict.vote_per_piece:
        return [(object(),)]
    voted = zip(verdict.evidence, verdict.votes, strict=True)
    return [(one.question, one.answer, one.urls[:1], side_of(vote)) for one, vote in voted]
