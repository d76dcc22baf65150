"""A run folder as the pages show it: every claim with its verdict or error, its time, its score.

The trace is read back into the records it was written from. What a trace of an earlier version
does not say is taken as not known: no context, no sources, no notes, nothing removed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import orjson

from uhhrag.errors import RunError
from uhhrag.evaluate import ClaimScore
from uhhrag.records import Claim, Evidence, Label, Origin, Source, Verdict, Vote
from uhhrag.report import Report
from uhhrag.run import Record, read_header, read_trace
from uhhrag.submission import Prediction, prediction_of
from uhhrag.verdict import margin


@dataclass(frozen=True, slots=True)
class Review:
    """What a person said of a verdict: another label, the votes that are wrong (positions from
    0), a note, and when (ISO, UTC). `label` None leaves the verdict as it is."""

    label: Label | None = None
    wrong: tuple[int, ...] = ()
    note: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """One claim of a run. `verdict` is None where it failed, and `error` says why. `seconds` are
    by stage, empty where no time was kept."""

    claim: Claim
    verdict: Verdict | None
    error: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    score: ClaimScore | None = None
    review: Review | None = None

    @property
    def confidence(self) -> float | None:
        """The mean probability of the verdict over the votes; None where votes have none."""
        return margin(self.verdict.votes, self.verdict.label) if self.verdict else None

    @property
    def differs(self) -> bool:
        """Whether there is a gold label and the verdict is another."""
        return self.score is not None and not self.score.right


@dataclass(frozen=True, slots=True)
class Account:
    """A run: its folder's name, what it was made with (`run.json`), its claims by id, and its
    scores where gold was given."""

    name: str
    header: Mapping[str, Any]
    claims: tuple[Checked, ...]
    report: Report | None = None

    def mix(self) -> dict[Label, int]:
        """Verdicts by label, all four, in the labels' order."""
        counts = Counter(c.verdict.label for c in self.claims if c.verdict)
        return {label: counts[label] for label in Label}

    @property
    def failed(self) -> int:
        return sum(checked.verdict is None for checked in self.claims)

    def stages(self) -> dict[str, float]:
        """Mean seconds a timed claim spent in each stage, the longest first."""
        timed = [checked.seconds for checked in self.claims if checked.seconds]
        spent: Counter[str] = Counter()
        for seconds in timed:
            spent.update(seconds)
        return {stage: total / len(timed) for stage, total in spent.most_common()}

    @property
    def calibrated(self) -> bool:
        """Whether the votes' probabilities were fitted on claims with known labels."""
        return said(self.header, "calibration", "source", default="none") != "none"


def read_account(folder: Path) -> Account:
    """A run folder, finished or not.

    Raises RunError where it is none, or its trace is damaged or not as `predict` writes it."""
    header, trace = read_header(folder), folder / "trace.jsonl"
    records = {_id(record, trace): record for record in read_trace(trace)}
    seconds = _timings(folder / "timings.jsonl")
    claims = tuple(checked_in(records[i], trace, seconds.get(i)) for i in sorted(records))
    return Account(folder.resolve().name, header, claims)


def predictions_of(account: Account) -> list[Prediction]:
    """What is scored: the claims that have a verdict."""
    return [prediction_of(checked.verdict) for checked in account.claims if checked.verdict]


def scored(account: Account, report: Report) -> Account:
    """The same run with its scores."""
    scores = {score.id: score for score in report.scores}
    claims = tuple(replace(c, score=scores.get(c.claim.id)) for c in account.claims)
    return replace(account, claims=claims, report=report)


def checked_in(record: Record, where: Path, seconds: Mapping[str, float] | None = None) -> Checked:
    """A record of a trace. Raises RunError where it is not one that `predict` writes."""
    try:
        claim = Claim(
            record["claim_id"],
            _text(record["claim"]),
            record.get("claim_date"),
            record.get("speaker"),
        )
        error = _text(record["error"]) if "error" in record else ""
        verdict = None if "error" in record else _verdict(claim, record)
        return Checked(claim, verdict, error, seconds or {})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunError(
            f"{where}: claim {record.get('claim_id')} is not as predict writes it ({error!r}); "
            "decide it again with: uhhrag predict"
        ) from error


def said(header: Mapping[str, Any], *path: str, default: str = "") -> str:
    """A text deep in a run's header, `default` where it is not there."""
    found: Any = header
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return default if found is None else str(found)


def _id(record: Record, trace: Path) -> int:
    number = record.get("claim_id")
    if not isinstance(number, int):
        raise RunError(f"{trace}: a record has no claim_id; it is no trace of uhhrag predict")
    return number


def _verdict(claim: Claim, record: Record) -> Verdict:
    removed = record.get("removed", {})
    return Verdict(
        claim,
        Label(record["label"]),
        tuple(map(_evidence, record["evidence"])),
        tuple(map(_vote, record["votes"])),
        **_known(Verdict, notes=tuple(map(_text, record.get("notes", ())))),
        **_known(Verdict, removed={_text(k): int(v) for k, v in removed.items()}),
    )


def _evidence(item: Record) -> Evidence:
    return Evidence(
        _text(item["question"]),
        _text(item["answer"]),
        tuple(map(_text, item["urls"])),
        _number(item["score"]),
        _number(item["retrieval_score"]),
        _text(item["reply"]),
        _text(item.get("context", "")),
        tuple(Source(**_known(Source, **source)) for source in item.get("sources", ())),
        _text(item.get("sentence", "")),
    )


def _vote(item: Record) -> Vote:
    probability = item["probability"]
    return Vote(
        Label(item["label"]),
        Origin(item["origin"]),
        _text(item["reply"]),
        None if probability is None else _number(probability),
        {_text(letter): _number(p) for letter, p in item["options"].items()},
        bool(item["cut"]),
    )


def _known(record: type, **given: Any) -> dict[str, Any]:
    """Of what is given, the fields that the record has: a trace of another version may say more."""
    names = {field.name for field in fields(record)}
    return {name: value for name, value in given.items() if name in names}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.60} is no text")
    return value


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is not finite")
    return number


def _timings(file: Path) -> dict[int, dict[str, float]]:
    """Seconds by stage of each claim, the last time it was decided. A line that cannot be read,
    as a kill leaves one, tells no time."""
    found: dict[int, dict[str, float]] = {}
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            record = orjson.loads(line)
            found[record["claim_id"]] = {
                str(stage): _number(spent) for stage, spent in record["seconds"].items()
            }
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
    return found
