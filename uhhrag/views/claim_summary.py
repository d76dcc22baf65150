from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from uhhrag.evidence.steps import constant_question
from uhhrag.records import Claim, Evidence, Label, Verdict, Vote
from uhhrag.system.terminal import quantity
from uhhrag.text.pronouns import refers_back
from uhhrag.views.html_text import marked
from uhhrag.views.review import SIDES, PieceSide, side_of
from uhhrag.views.run_view import ClaimView

_LEAD = 400
"""Characters."""

NEAR_EVEN = 0.6
"""A lower probability is hardly more than a coin toss."""


@dataclass(frozen=True, slots=True)
class Piece:
    number: int
    """Its rank, from 1."""
    item: Evidence
    vote: Vote | None
    """None if votes are over all evidence."""
    moved: bool
    """A person put it against its vote."""
    asked: str = ""
    """Its question, or "" if shown before."""

    @property
    def weight(self) -> float:
        """A person's mark outweighs all probabilities."""
        return 2.0 if self.moved else (self.vote and self.vote.probability) or 0.0

    @property
    def lead(self) -> str:
        """What precedes a sentence that refers back, or ""."""
        sentence = self.item.found
        return marked(sentence, self.item.context, _LEAD).before if refers_back(sentence) else ""


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    kind: str
    """Names their colour."""
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ClaimSummary:
    sentence: str
    strongest: tuple[Group, ...]
    groups: tuple[Group, ...]


def summary_of(view: ClaimView) -> ClaimSummary | None:
    verdict = view.verdict
    if verdict is None:
        return None
    if not verdict.vote_per_piece or not verdict.votes:
        every = [Piece(n, item, None, False) for n, item in enumerate(verdict.evidence, start=1)]
        together = [("Evidence", "unknown", every)] if every else []
        return ClaimSummary(verdict_sentence(view), (), _groups(together, view.claim))
    sides, own = _sides(view, verdict), _own_side(view)
    order = sorted(PieceSide, key=lambda side: side is not own)
    shown = [(*_TITLES[side], sides[side]) for side in order if sides[side]]
    strongest = tuple(
        Group(f"Strongest {title.lower()}", kind, (pieces[0],))
        for title, kind, pieces in shown
        if kind != "unknown"
    )
    return ClaimSummary(verdict_sentence(view), strongest, _groups(shown, view.claim))


_TITLES = {
    PieceSide.SUPPORTS: ("For", "supported"),
    PieceSide.CONTRADICTS: ("Against", "refuted"),
    PieceSide.NOTHING: ("Says nothing", "unknown"),
}


def _own_side(view: ClaimView) -> PieceSide | None:
    return SIDES.get(view.leans or view.machine_label or Label.NOT_ENOUGH)


def _sides(view: ClaimView, verdict: Verdict) -> dict[PieceSide, list[Piece]]:
    """With ranks; the surest first, the others by similarity."""
    sides: dict[PieceSide, list[Piece]] = {side: [] for side in PieceSide}
    pieces = zip(verdict.evidence, verdict.votes, view.sides, strict=False)
    for number, (item, vote, side) in enumerate(pieces, start=1):
        sides[side].append(Piece(number, item, vote, side_of(vote) is not side))
    for side, voted in sides.items():
        voted.sort(key=lambda piece: -piece.item.retrieval_score)
        if voted and side is not PieceSide.NOTHING:
            first = max(range(len(voted)), key=lambda at: voted[at].weight)
            voted.insert(0, voted.pop(first))
    return sides


def _groups(groups: Iterable[tuple[str, str, Sequence[Piece]]], claim: Claim) -> tuple[Group, ...]:
    """Each question appears once, the constant one never."""
    asked = {constant_question(claim)}
    made = []
    for title, kind, voted in groups:
        pieces = []
        for piece in voted:
            question = piece.item.question
            pieces.append(replace(piece, asked="" if question in asked else question))
            asked.add(question)
        made.append(Group(title, kind, tuple(pieces)))
    return tuple(made)


def verdict_sentence(view: ClaimView) -> str:
    """Of the machine's votes, whatever a reviewer marked."""
    verdict = view.verdict
    if verdict is None:
        return ""
    if not verdict.evidence:
        return f"{view.verdict_text}: nothing that was searched is near enough to the claim."
    return f"{_headline(view, verdict)}{_doubt(view)}"


def _headline(view: ClaimView, verdict: Verdict) -> str:
    if not verdict.vote_per_piece or not verdict.votes:
        together = f"judged from {quantity(len(verdict.evidence), 'piece')} of evidence together"
        return f"{view.verdict_text}, {together}."
    sides, own = _sides(replace(view, review=None), verdict), _own_side(view)
    of = quantity(len(verdict.votes), "piece")
    even = sum(near_even(vote) for vote in verdict.votes)
    are = "is" if even == 1 else "are"
    doubtful = f"; {even} of {quantity(len(verdict.votes), 'vote')} {are} near even" if even else ""
    counted = {side: _COUNTED[side].format(len(sides[side])) for side in PieceSide if sides[side]}
    others = _list([text for side, text in counted.items() if side is not own])
    if own is None:
        silent = len(sides[PieceSide.NOTHING]) == len(verdict.votes)
        told = "no piece takes a side" if silent else f"of {of} {others}"
        return f"{view.verdict_text}: {told}{doubtful}."
    count = len(sides[own])
    first = f"{'above all ' if count > 1 else ''}piece {sides[own][0].number}" if count else ""
    by = f" by {count} of {of} ({first})" if count else f", though none of {of} says so alone"
    return f"{view.verdict_text}{by}{f'; {others}' if others else ''}{doubtful}."


_COUNTED = {
    PieceSide.SUPPORTS: "{} for it",
    PieceSide.CONTRADICTS: "{} against it",
    PieceSide.NOTHING: "{} without a side",
}


def _list(parts: Sequence[str]) -> str:
    """
    >>> _list(["1 for it", "2 against it", "3 without a side"])
    '1 for it, 2 against it and 3 without a side'
    """
    *first, last = parts or [""]
    return f"{', '.join(first)} and {last}" if first else last


def near_even(vote: Vote) -> bool:
    """Whether a two-sided vote is below `NEAR_EVEN`."""
    two_sided = set(vote.meanings.values()) <= {Label.SUPPORTED, Label.REFUTED, None}
    return two_sided and vote.probability is not None and vote.probability < NEAR_EVEN


def _doubt(view: ClaimView) -> str:
    confidence, verdict = view.confidence, view.verdict
    if confidence is None or verdict is None:
        return ""
    of_two = verdict.vote_per_piece and not verdict.probabilities
    hardly = ", hardly more than a coin toss" if of_two and confidence < NEAR_EVEN else ""
    return f" Confidence {confidence:.2f}{hardly}."
