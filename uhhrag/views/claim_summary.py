from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from uhhrag.evidence.steps import constant_question
from uhhrag.records import Claim, Evidence, Label, Origin, Verdict, Vote
from uhhrag.records.pages import DRAFT
from uhhrag.rules.label_words import counted
from uhhrag.system.terminal import quantity
from uhhrag.text.pronouns import refers_back
from uhhrag.views.html_text import marked
from uhhrag.views.review import SIDES, PieceSide, side_of
from uhhrag.views.run_view import ClaimView
from uhhrag.views.votes import is_unasked, quoted_note, share_of, unasked_as

_LEAD = 400
"""Characters."""

NEAR_EVEN = 0.6
"""A lower probability is hardly more than an even chance."""
ONLY_SPEAKER = "Only the speaker’s own words support it"
ONLY_DRAFTS = "Only documents that call themselves a draft say so"


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
        """A person's mark outweighs all probabilities; negative for a default vote."""
        if self.vote and self.vote.origin is Origin.DEFAULTED and not self.moved:
            return -1.0
        return 2.0 if self.moved else (self.vote and self.vote.probability) or 0.0

    @property
    def lead(self) -> str:
        """What precedes a sentence that refers back, or ""."""
        sentence = self.item.found
        shown = marked(sentence, self.item.context, _LEAD, self.item.at)
        return shown.before if refers_back(sentence) else ""


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
    order = sorted(_TITLES, key=lambda side: side != own)
    shown = [(*_TITLES[side][:2], sides[side]) for side in order if sides[side]]
    strongest = tuple(
        Group(f"Strongest {title.lower()}", kind, (pieces[0],))
        for title, kind, pieces in shown
        if kind != "unknown" and pieces[0].weight >= 0
    )
    return ClaimSummary(verdict_sentence(view), strongest, _groups(shown, view.claim))


_TITLES: Mapping[str, tuple[str, str, str]] = {
    PieceSide.SUPPORTS: ("For", "supported", "for it"),
    PieceSide.CONTRADICTS: ("Against", "refuted", "against it"),
    PieceSide.NOTHING: ("Says nothing", "unknown", "without a side"),
    "quoted": ("Quoted, not voted on", "unknown", "quoted and not voted on"),
    "taken back": ("Taken back, not voted on", "unknown", "taken back and not voted on"),
}
"""Title and kind of a group, and its pieces in words; beside the sides `unasked_as`, of pieces on
which nobody has set a mark."""


def _own_side(view: ClaimView) -> PieceSide | None:
    return SIDES.get(view.leans or view.machine_label or Label.NOT_ENOUGH)


def _sides(view: ClaimView, verdict: Verdict) -> dict[str, list[Piece]]:
    """Ranked, the surest first, the others by similarity."""
    sides: dict[str, list[Piece]] = {side: [] for side in _TITLES}
    pieces = zip(verdict.evidence, verdict.votes, view.sides, strict=False)
    for number, (item, vote, side) in enumerate(pieces, start=1):
        unasked = is_unasked(item, vote) and number - 1 not in view.marks
        piece = Piece(number, item, vote, side_of(vote) is not side)
        sides[unasked_as(item) if unasked else side].append(piece)
    for name, voted in sides.items():
        voted.sort(key=lambda piece: -piece.item.retrieval_score)
        if voted and name in SIDES.values():
            first = max(range(len(voted)), key=lambda at: voted[at].weight)
            voted.insert(0, voted.pop(first))
    return sides


def _groups(groups: Iterable[tuple[str, str, Sequence[Piece]]], claim: Claim) -> tuple[Group, ...]:
    """Each question once, the constant one never."""
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
    """By the machine's votes, whatever a reviewer marked."""
    if view.verdict is None:
        return ""
    return _sentence(view, view.verdict, view.verdict_text, _own_side(view))


def scored_sentence(verdict: Verdict) -> str:
    """For the scored label, even if people are shown `UNCLEAR`."""
    name = f"{verdict.label} ({verdict.grade})" if verdict.grade else str(verdict.label)
    return _sentence(ClaimView(verdict.claim, verdict), verdict, name, SIDES.get(verdict.label))


def _sentence(view: ClaimView, verdict: Verdict, name: str, own: PieceSide | None) -> str:
    if not verdict.evidence:
        return f"{name}: nothing that was searched is near enough to the claim."
    if not verdict.votes:
        return f"{name}: the approach reaches no verdict of its own, and no vote was cast."
    unread = _unread(verdict.votes)
    if unread == len(verdict.votes):
        replies = f"none of {unread} replies" if unread > 1 else "the only reply"
        can = "could" if unread > 1 else "could not"
        return f"{name} by default: {replies} {can} be read."
    quoted = (
        view.only_quoted and f" Only words of {view.only_quoted}, in quotation marks, support it."
    )
    speaker = f" {ONLY_SPEAKER}." if view.only_speaker else quoted
    if not verdict.vote_per_piece:
        together = f"judged from {quantity(len(verdict.evidence), 'piece')} of evidence together"
        return f"{name}, {together}{_defaulted(verdict.votes)}.{speaker}{_doubt(verdict)}"
    sides = _sides(replace(view, review=None), verdict)
    drafts = own and sides[own] and all(piece.item.noted(DRAFT) for piece in sides[own])
    only = f" {ONLY_DRAFTS}." if drafts else ""
    return f"{name}{_headline(verdict, sides, own)}{speaker}{only}{_doubt(verdict)}"


def _headline(verdict: Verdict, sides: Mapping[str, Sequence[Piece]], own: PieceSide | None) -> str:
    votes = verdict.votes
    of = quantity(len(votes), "piece")
    even = sum(near_even(vote) for vote in votes)
    are = "is" if even == 1 else "are"
    doubtful = f"; {even} of {quantity(len(votes), 'vote')} {are} near even" if even else ""
    doubtful = f"{_two_way(votes)}{_defaulted(votes)}{doubtful}"
    counted_sides = ((side, len(sides[side]), words) for side, (*_, words) in _TITLES.items())
    others = _list([f"{n} {words}" for side, n, words in counted_sides if side != own and n])
    if own is None:
        silent = not any(sides[side] for side in SIDES.values())
        told = _silent(verdict) if silent else f"of {of} {others}"
        return f": {told}{doubtful}."
    count = len(sides[own])
    by = f" by {count} of {of}{_above_all(sides[own])}" if count else _alone(verdict, own, sides)
    return f"{by}{f'; {others}' if others else ''}{doubtful}."


def _above_all(pieces: Sequence[Piece]) -> str:
    """The only or the surest one, if any."""
    first, *others = pieces
    if others and first.weight <= 0:
        return ""
    return f" ({'above all ' if others else ''}piece {first.number})"


def _unread(votes: Sequence[Vote]) -> int:
    return sum(vote.origin is Origin.DEFAULTED for vote in votes)


def _defaulted(votes: Sequence[Vote]) -> str:
    """The rule's votes in place of unreadable replies."""
    unread = _unread(votes)
    of = f"{unread} of {quantity(len(votes), 'vote')}"
    return f"; {of} by default, for want of a readable reply" if unread else ""


def _two_way(votes: Sequence[Vote]) -> str:
    """What the rule takes, if it gives silent votes a side, as UHH's paper does."""
    if not any(vote.says_nothing and vote.label in SIDES for vote in votes):
        return ""
    return f"; the rule takes each at its likelier side: {counted(v.label for v in votes)}"


def deciding_piece(view: ClaimView) -> Piece | None:
    """The surest on the side of the machine's verdict."""
    verdict, own = view.verdict, _own_side(view)
    if verdict is None or own is None:
        return None
    pieces = _sides(replace(view, review=None), verdict)[own]
    return pieces[0] if pieces and pieces[0].weight >= 0 else None


def _silent(verdict: Verdict) -> str:
    quoted = quoted_note(verdict.evidence, verdict.votes, "piece")
    asked = not all(map(is_unasked, verdict.evidence, verdict.votes))
    return "; ".join(filter(None, ["no piece takes a side" if asked else "", quoted]))


def _alone(verdict: Verdict, own: PieceSide, sides: Mapping[str, Sequence[Piece]]) -> str:
    """For a label given only by all pieces together; names the undecided one nearest to it."""
    label = next(label for label, side in SIDES.items() if side is own)
    silent = [piece.number for piece in sides[PieceSide.NOTHING]]
    shares = {number: share_of(verdict.votes[number - 1], label) for number in silent}
    most = max(shares, key=shares.__getitem__, default=0)
    nearest = f": piece {most} comes nearest" if shares.get(most) else ""
    return f", though none of {quantity(len(verdict.votes), 'piece')} says so alone{nearest}"


def _list(parts: Sequence[str]) -> str:
    *first, last = parts or [""]
    return f"{', '.join(first)} and {last}" if first else last


def near_even(vote: Vote) -> bool:
    two_sided = set(vote.meanings.values()) <= {Label.SUPPORTED, Label.REFUTED, None}
    return two_sided and vote.probability is not None and vote.probability < NEAR_EVEN


def _doubt(verdict: Verdict) -> str:
    if verdict.confidence is None:
        return ""
    return f" Confidence {verdict.confidence:.2f}{_even(verdict.confidence)}."


def _even(confidence: float) -> str:
    """True of any number of labels."""
    if confidence >= NEAR_EVEN:
        return ""
    if round(confidence, 2) >= 0.5:  # as it is printed
        return ", hardly more likely right than wrong"
    return ", more likely wrong than right"
