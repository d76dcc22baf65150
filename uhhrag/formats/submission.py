"""Predictions of any system: the shared task's JSON (also UHH's, HerO's, EvalAI's), the CSV of 2025
or a run folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.formats import csv_2025
from uhhrag.formats.fields import claim_id, label_of, record_of, records_of
from uhhrag.records import Evidence, Label, Verdict
from uhhrag.system.text_files import write_text

RUN_PREDICTIONS = "predictions.json"


@dataclass(frozen=True, slots=True)
class Prediction:
    id: int | None
    claim: str
    """its text; "" if missing"""
    label: Label | None
    """None if `raw_label` is none of the four"""
    raw_label: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class _Item:
    """URLs that are not text are left out."""

    question: str
    answer: str
    url: Any = None
    urls: Any = None


@dataclass(frozen=True, slots=True)
class _Numbered:
    claim_id: Any = None


@dataclass(frozen=True, slots=True)
class _Record:
    pred_label: str | None
    claim: str | None = None
    evidence: tuple[_Item, ...] | None = None


def file_of(path: Path) -> Path:
    return path / RUN_PREDICTIONS if path.is_dir() else path


def read_predictions(path: Path) -> tuple[Prediction, ...]:
    """In file order, ids unchecked. Raises InputError, with claim and field, for a question or
    answer that is not text."""
    path = file_of(path)
    if path.suffix.lower() == ".csv":
        return tuple(_from_row(row, path) for row in csv_2025.read_rows(path))
    return tuple(
        _prediction(record, f"{path}, claim {position}")
        for position, record in enumerate(records_of(path, "predictions"))
    )


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> None:
    """All or nothing."""
    write_text(path, as_text(predictions))


def as_text(predictions: Iterable[Prediction]) -> str:
    rows = [as_json(prediction) for prediction in predictions]
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def as_json(prediction: Prediction, scraped: Mapping[str, str] | None = None) -> dict[str, Any]:
    """`url` is the first or ""; `scraped` has page texts by URL."""
    return {
        "claim_id": prediction.id,
        "claim": prediction.claim,
        "pred_label": prediction.raw_label,
        "evidence": [_evidence_as_json(item, scraped or {}) for item in prediction.evidence],
    }


def prediction_of(verdict: Verdict) -> Prediction:
    label = verdict.label
    return Prediction(verdict.claim.id, verdict.claim.text, label, label.value, verdict.evidence)


def _evidence_as_json(item: Evidence, scraped: Mapping[str, str]) -> dict[str, Any]:
    first = next(iter(item.urls), "")
    row: dict[str, Any] = {
        "question": item.question,
        "answer": item.answer,
        "url": first,
        "urls": list(item.urls),
    }
    if first in scraped:
        row["scraped_text"] = scraped[first]
    return row


def _prediction(record: Any, where: str) -> Prediction:
    number = claim_id(record_of(_Numbered, record, where).claim_id, f"{where}, claim_id")
    if number is not None:
        where = f"{where} (claim_id {number})"
    row = record_of(_Record, record, where)
    raw_label = row.pred_label or ""
    evidence = tuple(
        Evidence(item.question, item.answer, _urls(item.urls) or _urls(item.url))
        for item in row.evidence or ()
    )
    return Prediction(number, row.claim or "", label_of(raw_label), raw_label, evidence)


def _from_row(row: csv_2025.CsvRow, path: Path) -> Prediction:
    number = claim_id(row.id, f"{path}, line {row.line}, id")
    evidence = tuple(Evidence(question, answer) for question, answer in row.evidence)
    return Prediction(number, row.claim, label_of(row.label), row.label, evidence)


def _urls(value: Any) -> tuple[str, ...]:
    several = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(url for url in several if isinstance(url, str) and url))
