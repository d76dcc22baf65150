"""AVeriTeC files: claims and gold in, predictions of any system in, predictions out.

A claim's id is its position in the claims file. Predictions come as the shared task's JSON
(UHH's with `url` as a list, HerO's, EvalAI's), as the 2025 CSV (see `fever8`) or as a run folder.
Left out: `string_evidence`, evidence without a question, which no system here writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.errors import InputError
from uhhrag.formats import csv_2025
from uhhrag.records import Claim, Evidence, Label, Verdict
from uhhrag.system.text_files import read_json, write_text
from uhhrag.text.characters import repaired

RUN_PREDICTIONS = "predictions.json"
"""What a run folder calls its predictions."""


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """`explanation` is set for Boolean answers only. `urls` are the page and its archived copy."""

    text: str
    explanation: str | None = None
    urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    question: str
    answers: tuple[GoldAnswer, ...]


@dataclass(frozen=True, slots=True)
class Gold:
    """A claim as its annotators left it; at least one question."""

    claim: Claim
    label: Label
    questions: tuple[GoldQuestion, ...]


@dataclass(frozen=True, slots=True)
class Prediction:
    """One claim of a prediction file.

    `id` is None where the file has none; `claim` is "" where the file has none; `label` is None
    where `raw_label`, the label as written, is none of the four."""

    id: int | None
    claim: str
    label: Label | None
    raw_label: str
    evidence: tuple[Evidence, ...]


def read_claims(path: Path) -> tuple[Claim, ...]:
    """The claims of a claims file, labelled or not, in order; `id` is the position, and so must be
    a `claim_id` where there is one."""
    return tuple(
        _claim(record, position, f"{path}, claim {position}")
        for position, record in enumerate(_records(path, "claims"))
    )


def read_gold(path: Path) -> tuple[Gold, ...]:
    """The claims of a labelled claims file with their questions and answers, in order.

    Raises InputError where a claim cannot be scored against: no label or none of the four, no
    questions, a question or an answer that is no text."""
    return tuple(
        _gold(record, position, f"{path}, claim {position}")
        for position, record in enumerate(_records(path, "claims"))
    )


def file_of(path: Path) -> Path:
    """The file that holds the predictions: a run folder's own, or the one that was named."""
    return path / RUN_PREDICTIONS if path.is_dir() else path


def read_predictions(path: Path) -> tuple[Prediction, ...]:
    """The predictions of a JSON or CSV file or of a run folder, in file order, ids unchecked.

    Missing and null evidence is none; a `url` that is neither text nor a list of texts is none.
    Raises InputError, naming claim and field, for a question or an answer that is no text."""
    path = file_of(path)
    if path.suffix.lower() == ".csv":
        return tuple(_from_row(row, path) for row in csv_2025.read_rows(path))
    return tuple(
        _prediction(record, f"{path}, claim {position}")
        for position, record in enumerate(_records(path, "predictions"))
    )


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> None:
    """Write the shared task's JSON, in the order given, in one step."""
    write_text(path, as_text(predictions))


def as_text(predictions: Iterable[Prediction]) -> str:
    """The shared task's JSON, in the order given."""
    rows = [as_json(prediction) for prediction in predictions]
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def as_json(prediction: Prediction, scraped: Mapping[str, str] | None = None) -> dict[str, Any]:
    """One object of the shared task's JSON. `url` is the first URL ("" where there is none),
    `urls` are all. `scraped` gives the text of a page by its URL, where it is to be included."""
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


def _records(path: Path, what: str) -> list[Any]:
    found = read_json(path)
    if not isinstance(found, list):
        raise InputError(f"{path}: holds {_kind(found)}; a {what} file is a JSON list")
    if not found:
        raise InputError(f"{path}: holds no {what}; give the file that has them")
    return found


def _claim(record: Any, position: int, where: str) -> Claim:
    row = _object(record, where)
    text = _text(row.get("claim"), f"{where}, claim")
    if not text.strip():
        raise InputError(f"{where}, claim: is empty; give it its text")
    _require_its_number(row, position, where)
    date, speaker = (_text_or_none(row.get(k), f"{where}, {k}") for k in ("claim_date", "speaker"))
    return Claim(position, repaired(text), date and repaired(date), speaker and repaired(speaker))


def _require_its_number(row: Mapping[str, Any], position: int, where: str) -> None:
    """A part of a claims file whose claims kept their numbers, or one in another order, would be
    matched with the stores and predictions of other claims."""
    number = claim_id(row.get("claim_id"), f"{where}, claim_id")
    if number not in (None, position):
        raise InputError(
            f"{where}, claim_id: is {number}, but a claim's number is its position, which also "
            "names its store file; give the whole claims file in its order and choose by --claim "
            "or --limit, or leave claim_id out"
        )


def _gold(record: Any, position: int, where: str) -> Gold:
    claim = _claim(record, position, where)
    if "label" not in record:
        raise InputError(
            f"{where}, label: is missing; give a dev or train file, a test file has no gold"
        )
    label = _label(_text(record["label"], f"{where}, label"))
    if label is None:
        raise InputError(f"{where}, label: {record['label']!r} is none of: {', '.join(Label)}")
    questions = _items(record.get("questions"), f"{where}, questions")
    if not questions:
        raise InputError(
            f"{where}, questions: there are none; give gold that has some for each claim"
        )
    return Gold(
        claim,
        label,
        tuple(_question(q, f"{where}, questions[{i}]") for i, q in enumerate(questions)),
    )


def _question(record: Any, where: str) -> GoldQuestion:
    row = _object(record, where)
    answers = row.get("answers")
    if isinstance(answers, dict):  # the official scorer takes a lone answer for a list of one
        answers = [answers]
    found = _items(answers, f"{where}.answers")
    return GoldQuestion(
        _text(row.get("question"), f"{where}.question"),
        tuple(_answer(a, f"{where}.answers[{i}]") for i, a in enumerate(found)),
    )


def _answer(record: Any, where: str) -> GoldAnswer:
    row = _object(record, where)
    explanation = None
    if row.get("answer_type") == "Boolean":
        explanation = _text(row.get("boolean_explanation"), f"{where}.boolean_explanation")
    urls = (row.get("source_url"), row.get("cached_source_url"))
    return GoldAnswer(
        _text(row.get("answer"), f"{where}.answer"),
        explanation,
        tuple(dict.fromkeys(u for u in urls if isinstance(u, str) and u)),
    )


def _prediction(record: Any, where: str) -> Prediction:
    row = _object(record, where)
    number = claim_id(row.get("claim_id"), f"{where}, claim_id")
    if number is not None:
        where = f"{where} (claim_id {number})"
    if "pred_label" not in row:
        raise InputError(f"{where}, pred_label: is missing; give one of: {', '.join(Label)}")
    raw_label = _text_or_none(row["pred_label"], f"{where}, pred_label") or ""
    items = row.get("evidence")
    found = [] if items is None else _items(items, f"{where}, evidence")
    return Prediction(
        number,
        _text_or_none(row.get("claim"), f"{where}, claim") or "",
        _label(raw_label),
        raw_label,
        tuple(_evidence(item, f"{where}, evidence[{i}]") for i, item in enumerate(found)),
    )


def _evidence(record: Any, where: str) -> Evidence:
    row = _object(record, where)
    return Evidence(
        _text(row.get("question"), f"{where}.question"),
        _text(row.get("answer"), f"{where}.answer"),
        _urls(row.get("urls")) or _urls(row.get("url")),
    )


def _from_row(row: csv_2025.CsvRow, path: Path) -> Prediction:
    number = claim_id(row.id, f"{path}, line {row.line}, id")
    evidence = tuple(Evidence(question, answer) for question, answer in row.evidence)
    return Prediction(number, row.claim, _label(row.label), row.label, evidence)


def claim_id(found: Any, where: str) -> int | None:
    """A claim's number, written as a number or as its digits; None where there is none.

    >>> claim_id("12", "run.json, claim 0"), claim_id(None, ""), claim_id(" ", "")
    (12, None, None)
    """
    if found is None or (isinstance(found, str) and not found.strip()):
        return None
    if isinstance(found, int) and not isinstance(found, bool):
        return found
    if isinstance(found, float) and found.is_integer():
        return int(found)
    digits = found.strip() if isinstance(found, str) else ""
    if digits.isascii() and digits.removeprefix("-").isdigit() and len(digits) < 19:
        return int(digits)
    raise InputError(
        f"{where}: {_shown(found)} is no claim number; "
        "it must be the claim's position in the claims file"
    )


def _label(raw_label: str) -> Label | None:
    return Label(raw_label) if raw_label in set(Label) else None


def _urls(found: Any) -> tuple[str, ...]:
    several = found if isinstance(found, list) else [found]
    return tuple(dict.fromkeys(url for url in several if isinstance(url, str) and url))


def _object(found: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise InputError(f"{where}: is {_kind(found)}; it must be an object")
    return found


def _items(found: Any, where: str) -> Sequence[Any]:
    if not isinstance(found, list):
        raise InputError(f"{where}: is {_kind(found)}; it must be a list")
    return found


def _text(found: Any, where: str) -> str:
    if not isinstance(found, str):
        raise InputError(f"{where}: is {_kind(found)}; it must be a text")
    return found


def _text_or_none(found: Any, where: str) -> str | None:
    return None if found is None else _text(found, where)


def _kind(found: Any) -> str:
    if found is None:
        return "null or missing"
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
    return names.get(type(found), "a list" if isinstance(found, list) else "an object")


def _shown(found: Any) -> str:
    return repr(found)[:40] if isinstance(found, (str, int, float)) else _kind(found)
