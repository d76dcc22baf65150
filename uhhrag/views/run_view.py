"""A run folder as the pages show it: every claim with its verdict or error, its time, its score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from uhhrag.errors import RunError
from uhhrag.formats.submission import Prediction, prediction_of
from uhhrag.records import Claim, Label, Verdict
from uhhrag.runs.run_folder import read_header
from uhhrag.runs.trace import Record, claim_in, verdict_in
from uhhrag.runs.trace_lines import TIMINGS, TRACE, read_lines, read_trace
from uhhrag.scores.averitec import ClaimScore
from uhhrag.scores.score_report import Report
from uhhrag.verdict.votes import confidence_of


@dataclass(frozen=True, slots=True)
class Review:
    """What a person said of a verdict: another label, the votes that are wrong (positions from
    0), a note, and when (ISO, UTC). `label` None leaves the verdict as it is. `stale` says that
    it is of an earlier verdict on the claim, so that its positions mean nothing now."""

    label: Label | None = None
    wrong: tuple[int, ...] = ()
    note: str = ""
    at: str = ""
    stale: bool = False


@dataclass(frozen=True, slots=True)
class ClaimView:
    """One claim of a run. `verdict` is None where it failed, and `error` says why. `seconds` are
    by stage, empty where no time was kept. `key` names it in addresses, where it is no claim of
    a run."""

    claim: Claim
    verdict: Verdict | None
    error: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    score: ClaimScore | None = None
    review: Review | None = None
    key: str = ""

    @property
    def anchor(self) -> str:
        """What addresses call it."""
        return self.key or f"claim-{self.claim.id}"

    @property
    def confidence(self) -> float | None:
        """The mean probability over the votes of what they decide; None where they have none."""
        if not self.verdict:
            return None
        return confidence_of(self.verdict.votes, self.verdict.leaning or self.verdict.label)

    @property
    def differs(self) -> bool:
        """Whether there is a gold label and the verdict is another."""
        return self.score is not None and not self.score.right


@dataclass(frozen=True, slots=True)
class RunView:
    """A run: its folder's name, what it was made with (`run.json`), its claims by id, and its
    scores where gold was given."""

    name: str
    header: Mapping[str, Any]
    claims: tuple[ClaimView, ...]
    report: Report | None = None

    def mix(self) -> dict[Label, int]:
        """Verdicts by label, all four, in the labels' order."""
        counts = Counter(c.verdict.label for c in self.claims if c.verdict)
        return {label: counts[label] for label in Label}

    @property
    def failed(self) -> int:
        return sum(view.verdict is None for view in self.claims)

    def stages(self) -> dict[str, float]:
        """Mean seconds a timed claim spent in each stage, the longest first."""
        timed = [view.seconds for view in self.claims if view.seconds]
        spent: Counter[str] = Counter()
        for seconds in timed:
            spent.update(seconds)
        return {stage: total / len(timed) for stage, total in spent.most_common()}

    @property
    def calibrated(self) -> bool:
        """Whether the votes' probabilities were fitted on claims with known labels."""
        return header_text(self.header, "calibration", "source", default="none") != "none"


def read_run_view(folder: Path) -> RunView:
    """A run folder, finished or not.

    Raises RunError where it is none, or its trace is damaged or not as `predict` writes it."""
    header, trace = read_header(folder), folder / TRACE
    records = {record["claim_id"]: record for record in read_trace(trace)}
    seconds = {line["claim_id"]: line["seconds"] for line in read_lines(folder / TIMINGS)}
    claims = tuple(claim_view(records[i], trace, seconds.get(i)) for i in sorted(records))
    return RunView(folder.resolve().name, header, claims)


def predictions_of(run: RunView) -> list[Prediction]:
    """What is scored: the claims that have a verdict."""
    return [prediction_of(view.verdict) for view in run.claims if view.verdict]


def scored(run: RunView, report: Report) -> RunView:
    """The same run with its scores."""
    scores = {score.id: score for score in report.scores}
    claims = tuple(replace(c, score=scores.get(c.claim.id)) for c in run.claims)
    return replace(run, claims=claims, report=report)


def claim_view(
    record: Record, where: Path, seconds: Mapping[str, float] | None = None
) -> ClaimView:
    """A record of a trace. Raises RunError where it is not one that `predict` writes."""
    try:
        if "error" in record:
            return ClaimView(claim_in(record), None, record["error"], seconds or {})
        verdict = verdict_in(record)
    except TypeError as error:
        raise RunError(
            f"{where}: claim {record['claim_id']} is not as predict writes it ({error}); "
            "decide it again with: uhhrag predict"
        ) from error
    return ClaimView(verdict.claim, verdict, "", seconds or {})


def header_text(header: Mapping[str, Any], *path: str, default: str = "") -> str:
    """The text at a path of keys in a run's header; `default` where the header has none."""
    value: Any = header
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return default if value is None else str(value)
