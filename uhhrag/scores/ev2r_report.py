from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from uhhrag.formats.submission import Pairing
from uhhrag.scores.bootstrap import Bootstrap, Interval
from uhhrag.scores.choices import Measure
from uhhrag.scores.ev2r import MEASURES, SHARES, THRESHOLD, ClaimEv2r, measure, resample, table_of
from uhhrag.scores.score_report import Note, described, heading, how_scored, pairing_notes
from uhhrag.system.text_files import encodable
from uhhrag.version import __version__


@dataclass(frozen=True, slots=True)
class JudgeId:
    kind: str
    model: str
    """Name and file hash."""
    prompts: str = ""
    """Hash of both prompts, or ""."""

    def __str__(self) -> str:
        prompts = f", prompts {self.prompts[:8]}" if self.prompts else ""
        return f"{self.kind} {self.model}{prompts}"


@dataclass(frozen=True, slots=True)
class Ev2rReport:
    run: str
    gold: str
    scores: tuple[ClaimEv2r, ...]
    pairing: Pairing
    judge: JudgeId
    bootstrap: Bootstrap

    def means(self) -> dict[str, float | None]:
        return measure(table_of(self.scores))

    def intervals(self) -> dict[str, Interval | None]:
        drawn = resample(table_of(self.scores), self.bootstrap.draw(len(self.scores)))
        return {name: self.bootstrap.interval_of_some(drawn[name]) for name in MEASURES}


def signature(judge: JudgeId) -> str:
    return (
        f"Ev2R recall (AVeriTeC 2025): solved above {THRESHOLD} | all evidence | judge {judge} | "
        f"uhhrag {__version__} | not comparable with another judge's (the task's is Llama 3.3 70B)"
    )


def warnings_of(report: Ev2rReport) -> list[str]:
    scores = report.scores
    unreadable = [claim.id for claim in scores if claim.unreadable]
    replies = sum(claim.unreadable for claim in scores)
    unanswered = [claim.id for claim in scores if claim.recall is None]
    empty = [claim.id for claim in scores if not claim.pieces and not claim.missing]
    notes: tuple[Note, ...] = (
        *pairing_notes(report.pairing),
        (unanswered, "gold has no answers, left out of Q+A and of the score", unanswered),
        (empty, "no evidence, recall and precision are 0", empty),
        (unreadable, f"unreadable replies of the judge count 0, {replies} in all", unreadable),
    )
    return described(notes)


def as_json(report: Ev2rReport) -> dict[str, Any]:
    """Means are null if no claim has them."""
    intervals = report.intervals().items()
    scores = report.scores
    return {
        "run": report.run,
        "gold": report.gold,
        "measure": Measure.EV2R.value,
        "judge": asdict(report.judge),
        "threshold": THRESHOLD,
        "claims": len(scores),
        "unasked": report.pairing.unasked,
        **report.means(),
        "intervals": {name: list(ends) if ends else None for name, ends in intervals},
        "intervals_are": report.bootstrap.described(len(scores)),
        "unreadable": sum(claim.unreadable for claim in scores),
        "beware": warnings_of(report),
        "signature": signature(report.judge),
        "per_claim": [row | _facts(claim) for row, claim in zip(rows(scores), scores, strict=True)],
    }


def as_text(scores: Mapping[str, Any]) -> str:
    """From `as_json`."""
    lines = [*heading(scores), f"{'measure':<40}{'mean':>8}   95 % interval"]
    lines += [_line(name, scores[name], scores["intervals"][name]) for name in MEASURES]
    lines += ["", *(_facts_line(name, scores["per_claim"]) for name in SHARES)]
    lines += ["--json shows every fact and the ruling on it", ""]
    return "\n".join([*lines, *how_scored(scores)])


def rows(scores: Sequence[ClaimEv2r]) -> list[dict[str, Any]]:
    return [
        {
            "id": claim.id,
            "claim": encodable(claim.claim),
            "gold": claim.gold.value,
            "said": claim.predicted.value if claim.predicted else None,
            "right": claim.right,
            "solved": claim.solved,
            **dict(zip(SHARES, claim.shares, strict=True)),
            "missing": claim.missing,
            "pieces": claim.pieces,
            "unreadable": claim.unreadable,
        }
        for claim in scores
    ]


def _facts(claim: ClaimEv2r) -> dict[str, Any]:
    named = dict(zip(SHARES, claim.judged, strict=True))
    facts = {name: [asdict(fact) for fact in side.facts] for name, side in named.items()}
    replies = {name: side.reply for name, side in named.items() if side.reply is not None}
    return {"facts": facts} | ({"replies": replies} if replies else {})


def _line(name: str, mean: float, ends: Sequence[float] | None) -> str:
    if ends is None:
        return f"{name:<40}{'-':>8}   no claim has it"
    return f"{name:<40}{mean:>8.4f}   {ends[0]:.4f} to {ends[1]:.4f}"


def _facts_line(name: str, claims: Sequence[Mapping[str, Any]]) -> str:
    supported = [fact["supported"] for claim in claims for fact in claim["facts"][name]]
    whose = "gold" if name.endswith("recall") else "predicted"
    what = f"{whose} {'questions' if name.startswith('Q ') else 'facts'}"
    return f"{sum(supported)} of {len(supported)} {what} are in the other side's evidence"
