r"""Predictions of any system: the shared task's JSON (also UHH's, HerO's, EvalAI's), the CSV of the
2025 task (FEVER-8, without URLs) or a run folder.

The CSV's `evi` separates question and answer by "\t\t\n", items by "\t\t\n\n"."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.errors import InputError
from uhhrag.formats.fields import claim_id, label_of, record_of, records_of
from uhhrag.records import Claim, Evidence, Label, Verdict
from uhhrag.system.text_files import read_text, write_text
from uhhrag.text.delimited import allow_long_cells

RUN_PREDICTIONS = "predictions.json"
COLUMNS = ("id", "claim", "evi", "label", "split")
_WITHIN, _BETWEEN = "\t\t\n", "\t\t\n\n"


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
class _Record:
    pred_label: str | None
    claim: str | None = None
    evidence: tuple[_Item, ...] | None = None


def file_of(path: Path) -> Path:
    return path / RUN_PREDICTIONS if path.is_dir() else path


def read_predictions(path: Path) -> tuple[Prediction, ...]:
    """In file order, ids unchecked. Raises InputError, with claim and field."""
    remedy = "its run did not end: run the same command again" if path.is_dir() else ""
    path = file_of(path)
    if path.suffix.lower() == ".csv":
        return _of_csv(path)
    records = enumerate(records_of(path, "predictions", remedy))
    return tuple(_prediction(record, f"{path}, claim {number}") for number, record in records)


def as_text(predictions: Iterable[Prediction]) -> str:
    rows = [as_json(prediction) for prediction in predictions]
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def as_json(prediction: Prediction) -> dict[str, Any]:
    """`url` is the first or ""."""
    return {
        "claim_id": prediction.id,
        "claim": prediction.claim,
        "pred_label": prediction.raw_label,
        "evidence": [
            {
                "question": item.question,
                "answer": item.answer,
                "url": next(iter(item.urls), ""),
                "urls": list(item.urls),
            }
            for item in prediction.evidence
        ],
    }


def prediction_of(verdict: Verdict) -> Prediction:
    label = verdict.label
    return Prediction(verdict.claim.id, verdict.claim.text, label, label.value, verdict.evidence)


def _prediction(record: Any, location: str) -> Prediction:
    fields = record_of(dict[str, Any], record, location)
    number = claim_id(fields.get("claim_id"), f"{location}, claim_id")
    if number is not None:
        location = f"{location} (claim_id {number})"
    row = record_of(_Record, record, location)
    raw_label = row.pred_label or ""
    items = row.evidence or ()
    evidence = tuple(Evidence(i.question, i.answer, _urls(i.urls) or _urls(i.url)) for i in items)
    return Prediction(number, row.claim or "", label_of(raw_label), raw_label, evidence)


def _urls(value: Any) -> tuple[str, ...]:
    several = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(url for url in several if isinstance(url, str) and url))


def _of_csv(path: Path) -> tuple[Prediction, ...]:
    """Only `split` may be missing."""
    table = csv.DictReader(io.StringIO(read_text(path), newline=""), restval="")
    allow_long_cells()
    try:
        predictions = tuple(_rows(table, path))
    except csv.Error as error:
        raise InputError(f"{path}, line {table.line_num}: is not CSV: {error}") from error
    if not predictions:
        raise InputError(f"{path}: holds no predictions")
    return predictions


def _rows(table: csv.DictReader[str], path: Path) -> Iterator[Prediction]:
    if missing := [name for name in COLUMNS[:4] if name not in (table.fieldnames or ())]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; needs id,claim,evi,label")
    for row in table:
        location, label = f"{path}, line {table.line_num}", row["label"]
        evidence = tuple(Evidence(*pair) for pair in split(row["evi"], location))
        number = claim_id(row["id"], f"{location}, id")
        yield Prediction(number, row["claim"], label_of(label), label, evidence)


def write_csv(path: Path, predictions: Iterable[Prediction], part: str) -> None:
    """`part` is the value of column split."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for one in predictions:
        evidence = join([(item.question, item.answer) for item in one.evidence])
        table.writerow((one.id, one.claim, evidence, one.raw_label, part))
    write_text(path, text.getvalue())


def join(evidence: Sequence[tuple[str, str]]) -> str:
    r"""Tabs become spaces; line breaks before answers go: they would read as marks.

    >>> join([("Who?", "She."), ("When?", "In\t2020.")])
    'Who?\t\t\nShe.\t\t\n\nWhen?\t\t\nIn 2020.'
    """
    return _BETWEEN.join(
        question.replace("\t", " ") + _WITHIN + answer.replace("\t", " ").lstrip("\n")
        for question, answer in evidence
    )


def split(evi: str, location: str) -> tuple[tuple[str, str], ...]:
    r"""(question, answer). Raises InputError without a mark."""
    if _WITHIN not in evi:  # a table that went through a program that writes line ends its own way
        evi = evi.replace("\r\n", "\n")
    items = evi.split(_BETWEEN)
    if _WITHIN not in items[-1] and not items[-1].strip():
        items.pop()
    pairs = tuple(item.split(_WITHIN, 1) for item in items)
    for number, pair in enumerate(pairs):
        if len(pair) != 2:
            raise InputError(
                f"{location}, evi[{number}]: has no mark between question and answer; "
                "write two tabs and a line break there"
            )
    return tuple((question, answer) for question, answer in pairs)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Ids are sorted."""

    predictions: tuple[Prediction | None, ...]
    """in the claims' order"""
    by_position: bool
    """no prediction has an id"""
    missing: tuple[int, ...]
    doubled: tuple[int, ...]
    """claims with several: the first counts"""
    unknown: tuple[int, ...]
    """ids not in the claims file"""
    other_text: tuple[int, ...]
    unread_labels: Mapping[int, str]
    """outside the four, by claim id"""
    unasked: tuple[int, ...] = ()
    """claims for which the run was not asked, left out as all that another run was not asked for"""
    gold: int = 0
    """claims of the gold file"""


def pair(claims: Sequence[Claim], predictions: Sequence[Prediction], source: str) -> Pairing:
    """By id, or by position if none has one, as the official scorer. Raises InputError if only some
    have."""
    without = [place for place, prediction in enumerate(predictions) if prediction.id is None]
    if without and len(without) < len(predictions):
        raise InputError(
            f"{source}, claim {without[0]}, claim_id: is missing, though other claims have one; "
            "give all of them one, or none"
        )
    ids = [place if one.id is None else one.id for place, one in enumerate(predictions)]
    first: dict[int, Prediction] = {}
    for number, prediction in zip(ids, predictions, strict=True):
        first.setdefault(number, prediction)
    paired = tuple(first.get(claim.id) for claim in claims)
    found = [(claim, one) for claim, one in zip(claims, paired, strict=True) if one]
    known = {claim.id for claim in claims}
    return Pairing(
        predictions=paired,
        by_position=bool(without),
        missing=tuple(sorted(known - first.keys())),
        doubled=tuple(sorted(n for n, times in Counter(ids).items() if times > 1)),
        unknown=tuple(sorted(first.keys() - known)),
        other_text=tuple(
            claim.id
            for claim, one in found
            if one.claim and _folded(one.claim) != _folded(claim.text)
        ),
        unread_labels={claim.id: one.raw_label for claim, one in found if one.label is None},
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
