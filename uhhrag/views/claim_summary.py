"""What a claim's page begins with: the verdict in a sentence, the strongest piece on either side,
and the pieces in groups: for the claim, against it, and those that say nothing of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from uhhrag.evidence.steps import constant_question
from uhhrag.records import Claim, Evidence, Label, Verdict, Vote
from uhhrag.system.terminal import some
from uhhrag.views.review import PieceSide, side_of
from uhhrag.views.run_view import ClaimView

NEAR_EVEN = 0.6
"""A vote or a verdict with less probability is hardly more than a coin toss."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of evidence with its vote, None where votes are over all evidence. `number` is its
    rank, from 1; `asked` is its question, "" where a piece before it on the page has the same."""

    number: int
    item: Evidence
    vote: Vote | None
    asked: str


@dataclass(frozen=True, slots=True)
class Group:
    """Pieces that stand on one side, the surest vote first. `kind` names their colour."""

    title: str
    kind: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ClaimSummary:
    """The head of a claim's page. `strongest` are the surest piece for the claim and the surest
    against it, where there are any."""

    sentence: str
    strongest: tuple[Group, ...]
    groups: tuple[Group, ...]


def summary_of(view: ClaimView) -> ClaimSummary | None:
    """The head of a claim's page; None for a claim without a verdict."""
    verdict = view.verdict
    if verdict is None:
        return None
    if not verdict.vote_per_piece or not verdict.votes:
        every: list[_Voted] = [(n, item, None) for n, item in enumerate(verdict.evidence, start=1)]
        together = [("Evidence", "unknown", every)] if every else []
        return ClaimSummary(verdict_sentence(view), (), _groups(together, view.claim))
    for_it, against, silent = _sides(view, verdict)
    sides = [("For", "supported", for_it), ("Against", "refuted", against)]
    strongest = tuple(
        Group(f"Strongest {title.lower()}", kind, (Piece(*pieces[0], asked=""),))
        for title, kind, pieces in sides
        if pieces
    )
    groups = [side for side in (*sides, ("Says nothing", "unknown", silent)) if side[2]]
    return ClaimSummary(verdict_sentence(view), strongest, _groups(groups, view.claim))


_Voted = tuple[int, Evidence, Any]


def _sides(view: ClaimView, verdict: Verdict) -> tuple[list[_Voted], list[_Voted], list[_Voted]]:
    """The pieces for the claim, against it, and those that say nothing, each with its rank: first
    those that a person put there, then the surest, ties in order of rank."""
    sides: dict[PieceSide, list[_Voted]] = {stance: [] for stance in PieceSide}
    pieces = zip(verdict.evidence, verdict.votes, view.sides, strict=False)
    for number, (item, vote, side) in enumerate(pieces, start=1):
        sides[side].append((number, item, vote))
    for side in PieceSide:
        sides[side].sort(key=lambda voted, side=side: -_weight(voted[2], side))  # type: ignore[misc]
    return sides[PieceSide.SUPPORTS], sides[PieceSide.CONTRADICTS], sides[PieceSide.NOTHING]


def _weight(vote: Vote, side: PieceSide) -> float:
    """How much a piece says for its side; 2 where a person, and not its vote, put it there."""
    return 2.0 if side_of(vote) is not side else vote.probability or 0.0


def _groups(groups: Iterable[tuple[str, str, Sequence[_Voted]]], claim: Claim) -> tuple[Group, ...]:
    """The groups, in which each question stands once; the one that is asked of every claim says
    nothing to a reader."""
    asked = {constant_question(claim)}
    made = []
    for title, kind, voted in groups:
        pieces = []
        for number, item, vote in voted:
            question = "" if item.question in asked else item.question
            asked.add(item.question)
            pieces.append(Piece(number, item, vote, question))
        made.append(Group(title, kind, tuple(pieces)))
    return tuple(made)


def verdict_sentence(view: ClaimView) -> str:
    """The machine's verdict in words, with its doubt and what the evidence leaves open."""
    verdict = view.verdict
    if verdict is None:
        return ""
    if not verdict.evidence:
        return f"{view.verdict_text}: nothing that was searched is near enough to the claim."
    return f"{view.verdict_text}{_counts(view, verdict)}{_doubt(view)}"


def _counts(view: ClaimView, verdict: Verdict) -> str:
    if not verdict.vote_per_piece or not verdict.votes:
        return f", judged from {some(len(verdict.evidence), 'piece')} of evidence together."
    for_it, against, silent = map(len, _sides(view, verdict))
    even = sum(near_even(vote) for vote in verdict.votes)
    doubtful = f"; {even} of {len(verdict.votes)} votes are near even" if even else ""
    nothing = f", {silent} {'says' if silent == 1 else 'say'} nothing" if silent else ""
    marked = " by the reviewer's marks" if view.review and view.review.marks else ""
    return f"{marked}: {some(for_it, 'piece')} for it, {against} against{nothing}{doubtful}."


def near_even(vote: Vote) -> bool:
    """Whether a vote for one of two sides is hardly more than a coin toss."""
    two_sided = set(vote.meanings.values()) <= {Label.SUPPORTED, Label.REFUTED, None}
    return two_sided and vote.probability is not None and vote.probability < NEAR_EVEN


def _doubt(view: ClaimView) -> str:
    confidence, verdict = view.confidence, view.verdict
    if confidence is None or verdict is None:
        return ""
    of_two = verdict.vote_per_piece and not verdict.probabilities
    hardly = ", hardly more than a coin toss" if of_two and confidence < NEAR_EVEN else ""
    return f" Confidence {confidence:.2f}{hardly}."
