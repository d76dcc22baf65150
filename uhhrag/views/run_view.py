from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.records import Evidence, Failure, Label, Verdict
from uhhrag.rules.label_words import WORDS
from uhhrag.runs.run_folder import DRAFT, SEARCHED, read_header, read_part
from uhhrag.runs.trace import TIMINGS, TRACE, Record, read_lines, read_trace, result_in
from uhhrag.text.names import same_name
from uhhrag.text.quotations import quoted_person
from uhhrag.views.counted import Counted
from uhhrag.views.review import AttachedPiece, PieceSide, Reviewed, side_of
from uhhrag.views.searched import Documents, Searched
from uhhrag.views.votes import is_unasked, leaning_label

V = TypeVar("V", bound=Reviewed)
_OF_CHECK = re.compile(r"([^/]+)(?:\.uhhrag|-[0-9a-f]{8})/runs/[0-9a-f]{12}$")
"""Where `check` keeps a run under a hash of what it is made of."""

if TYPE_CHECKING:  # scores load NLTK and SciPy, which a verdict needs not wait for
    from uhhrag.scores.averitec import ClaimScore
    from uhhrag.scores.ev2r import ClaimEv2r
    from uhhrag.scores.ev2r_report import Ev2rReport
    from uhhrag.scores.score_report import Report


@dataclass(frozen=True, slots=True)
class ClaimView(Reviewed):
    verdict: Verdict | None
    """None if the check failed."""
    error: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage."""
    score: ClaimScore | None = None
    judged: ClaimEv2r | None = None
    """The judge's rulings on its evidence."""
    searched: Searched | None = None
    attached: tuple[AttachedPiece, ...] = ()

    @property
    def result(self) -> Verdict | Failure:
        return self.verdict or Failure(self.claim, self.error)

    @property
    def machine_label(self) -> Label | None:
        return self.verdict.label if self.verdict else None

    @property
    def sides(self) -> tuple[PieceSide, ...]:
        """By piece, a person's mark, else the vote's side; empty for votes over all evidence."""
        verdict = self.verdict
        if verdict is None or not verdict.vote_per_piece:
            return ()
        return tuple(self.marks.get(n, side_of(vote)) for n, vote in enumerate(verdict.votes))

    @property
    def sides_in_all(self) -> tuple[PieceSide, ...]:
        """With those of attached pieces."""
        return (*self.sides, *(piece.side for piece in self.attached if not piece.aside))

    def piece_of(self, sentence: str, url: str) -> int | None:
        """Number of an equal piece, if pieces have votes."""
        pieces = enumerate(self.verdict.evidence if self.verdict and self.sides else (), 1)
        return next((n for n, one in pieces if one.found == sentence and url in one.urls), None)

    @property
    def unasked(self) -> int:
        """Quoted pieces, which no model voted on, without a person's mark."""
        verdict = self.verdict
        if verdict is None or not verdict.vote_per_piece:
            return 0
        pieces = enumerate(zip(verdict.evidence, verdict.votes, strict=False))
        return sum(is_unasked(*piece) and at not in self.marks for at, piece in pieces)

    @property
    def marks(self) -> Mapping[int, PieceSide]:
        """By position; empty if of an earlier verdict."""
        return self.review.marks if self.review and not self.review.stale else {}

    @property
    def calibration(self) -> str:
        """ "" if not recorded, and for a run."""
        return self.searched.calibration if self.searched else ""

    @property
    def learned(self) -> bool:
        return bool(self.verdict and self.verdict.probabilities)

    @property
    def confidence(self) -> float | None:
        return self.verdict.confidence if self.verdict and self.verdict.evidence else None

    @property
    def leans(self) -> Label | None:
        return leaning_label(self.verdict) if self.verdict else None

    @property
    def only_speaker(self) -> bool:
        """All that supports it are words of the claim's speaker."""
        speaker, sources = self.claim.speaker or "", self._supporting
        return bool(sources) and all(same_name(speaker, who) for _, who in sources)

    @property
    def only_quoted(self) -> str:
        """The one other person whose quoted words are all that supports it, or ""."""
        names = [quoted_person(item.found, item.context, item.at) for item, _ in self._supporting]
        one = bool(names) and all(same_name(names[0], name) for name in names)
        return names[0] if one and not self.only_speaker else ""

    @property
    def _supporting(self) -> list[tuple[Evidence, str]]:
        """Sources, each with whose words they are; empty if one is not kept."""
        verdict = self.verdict
        if verdict is None or (self.leans or verdict.label) is not Label.SUPPORTED:
            return []
        pieces = verdict.evidence
        if verdict.vote_per_piece:
            sides = map(side_of, verdict.votes)
            pairs = zip(pieces, sides, strict=False)
            pieces = tuple(item for item, side in pairs if side is PieceSide.SUPPORTS)
        sourced = all(len(item.sources) == max(1, len(item.urls)) for item in pieces)
        return [(item, one.whose) for item in pieces if sourced for one in item.sources]

    @property
    def verdict_text(self) -> str:
        """With its leaning; "" without a verdict."""
        if not self.verdict:
            return ""
        leans = f", leans {WORDS[self.leans]}" if self.leans else ""
        return f"{self.machine_class}{leans}"

    @property
    def differs(self) -> bool:
        return self.score is not None and not self.score.right


@dataclass(frozen=True, slots=True)
class RunView(Counted[ClaimView]):
    report: Report | None = None
    judged: Ev2rReport | None = None
    documents: Documents | None = None
    article: Draft | None = None
    drafts: Mapping[str, str] = field(default_factory=dict)
    """Titles by the anchor of a claim."""

    @property
    def undecided(self) -> int:
        """Claims that a stopped or partial run has not decided."""
        return len(self.header.get("passages", {}).keys() - {str(v.claim.id) for v in self.claims})


def order_words(run: RunView) -> str:
    asked = [bool(view.key) for view in run.claims]
    if any(asked) and not (run.article and all(asked)):
        return "earliest first"
    return "as in the draft" if run.article else "as in the file"


def read_run_view(folder: Path) -> RunView:
    """Raises RunError if missing or damaged."""
    header = read_header(folder)
    records = {record["claim_id"]: record for record in read_trace(folder / TRACE)}
    seconds = {line["claim_id"]: line["seconds"] for line in read_lines(folder / TIMINGS)}
    claims = tuple(claim_view(records[i], seconds.get(i)) for i in sorted(records))
    return RunView(
        _name_of(folder.resolve()),
        header,
        claims,
        documents=read_part(folder / SEARCHED, Documents),
        article=read_part(folder / DRAFT, Draft),
    )


def _name_of(folder: Path) -> str:
    """
    >>> _name_of(Path("runs/pursuit")), _name_of(Path("reports.uhhrag/runs/97bd83e78a57"))
    ('pursuit', 'reports')
    >>> _name_of(Path("work/my reports-97bd83e7/runs/97bd83e78a57"))
    'my reports'
    """
    found = _OF_CHECK.search(folder.as_posix())
    return found[1] if found else folder.name


def scored(run: RunView, report: Report, judged: Ev2rReport | None) -> RunView:
    scores = {score.id: score for score in report.scores}
    rulings = {score.id: score for score in judged.scores} if judged else {}
    others = report.pairing.other_text  # gold says nothing of these
    claims = tuple(
        view
        if view.claim.id in others
        else replace(view, score=scores.get(view.claim.id), judged=rulings.get(view.claim.id))
        for view in run.claims
    )
    return replace(run, claims=claims, report=report, judged=judged)


def claim_view(record: Record, seconds: Mapping[str, float] | None = None) -> ClaimView:
    """Raises TypeError for a record that `predict` does not write."""
    result = result_in(record)
    if isinstance(result, Failure):
        return ClaimView(result.claim, None, result.error, seconds or {})
    return ClaimView(result.claim, result, "", seconds or {})


def annotated(draft: Draft, views: Iterable[V]) -> Iterator[list[tuple[DraftSentence, V | None]]]:
    """By paragraph; None with sentences not checked, or not yet."""
    by_id = {view.claim.id: view for view in views}
    for paragraph in draft.paragraphs():
        yield [(one, None if one.check is None else by_id.get(one.check)) for one in paragraph]


def unchecked(draft: Draft) -> list[tuple[str, str]]:
    """With the reasons."""
    return [(one.text, one.why or "not chosen") for one in draft.sentences if one.check is None]


def decided(draft: Draft, views: Iterable[Reviewed]) -> int:
    every = (view for paragraph in annotated(draft, views) for _, view in paragraph if view)
    return sum(view.machine_label is not None for view in every)


def draft_cautions(draft: Draft) -> list[str]:
    cautions = [f"Not all of it was read: {draft.partly}."] if draft.partly else []
    if draft.language:
        cautions.append(
            f"This draft looks {draft.language}. uhhrag was made and measured for English; do not "
            "rely on its verdicts."
        )
    return cautions
