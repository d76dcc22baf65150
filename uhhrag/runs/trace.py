"""A verdict as a line of the trace holds it, and such a record as a prediction of a submission."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from uhhrag.formats.submission import Prediction
from uhhrag.records import Evidence, Grade, Label, Verdict, Vote
from uhhrag.verdict.votes import confidence_of

Record = dict[str, Any]


def as_record(verdict: Verdict, origin: Record) -> Record:
    """A verdict as it stands in the trace, with where it comes from (see `RunFolder.origin`)."""
    claim = verdict.claim
    return {
        "claim_id": claim.id,
        "claim": claim.text,
        "claim_date": claim.date,
        "speaker": claim.speaker,
        "label": str(verdict.label),
        "leaning": verdict.leaning and str(verdict.leaning),
        "confidence": confidence_of(verdict.votes, verdict.leaning or verdict.label),
        "evidence": [_evidence(e) for e in verdict.evidence],
        "votes": [_vote(v) for v in verdict.votes],
        "notes": list(verdict.notes),
        "removed": dict(verdict.removed),
        **_graded(verdict.grade),
        **origin,
    }


def prediction_in(record: Record) -> Prediction:
    """A decided record of the trace as a prediction of the submission."""
    evidence = tuple(
        Evidence(e["question"], e["answer"], tuple(e["urls"])) for e in record["evidence"]
    )
    label = Label(record["label"])
    return Prediction(record["claim_id"], record["claim"], label, label.value, evidence)


def _evidence(evidence: Evidence) -> Record:
    return {
        "question": evidence.question,
        "answer": evidence.answer,
        "urls": list(evidence.urls),
        "score": evidence.score,
        "retrieval_score": evidence.retrieval_score,
        "reply": evidence.reply,
        "context": evidence.context,
        "sources": [asdict(source) for source in evidence.sources],
        **({"sentence": evidence.sentence} if evidence.sentence else {}),
    }


def _vote(vote: Vote) -> Record:
    return {
        "label": str(vote.label),
        "origin": str(vote.origin),
        "probability": vote.probability,
        "options": dict(vote.options),
        "reply": vote.reply,
        "cut": vote.cut,
        **_graded(vote.grade),
    }


def _graded(grade: Grade | None) -> Record:
    return {"grade": str(grade)} if grade else {}
