"""The claims files of the shared task: claims, and with labels the gold to score against.

A claim's id is its position in the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.errors import InputError
from uhhrag.formats.fields import (
    claim_id,
    items_of,
    label_of,
    mapping_of,
    records_of,
    text_of,
    text_or_none,
)
from uhhrag.records import Claim, Label
from uhhrag.text.characters import repaired


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


def read_claims(path: Path) -> tuple[Claim, ...]:
    """The claims of a claims file, labelled or not, in order. `id` is the position; a `claim_id`
    in the file must be the same number."""
    return tuple(
        _claim(record, position, f"{path}, claim {position}")
        for position, record in enumerate(records_of(path, "claims"))
    )


def read_gold(path: Path) -> tuple[Gold, ...]:
    """The claims of a labelled claims file with their questions and answers, in order.

    Raises InputError where a claim cannot be scored against: no label, another label than the four,
    no questions, a question or an answer that is not a text."""
    return tuple(
        _gold(record, position, f"{path}, claim {position}")
        for position, record in enumerate(records_of(path, "claims"))
    )


def _claim(record: Any, position: int, where: str) -> Claim:
    row = mapping_of(record, where)
    text = text_of(row.get("claim"), f"{where}, claim")
    if not text.strip():
        raise InputError(f"{where}, claim: is empty; give it its text")
    _require_its_number(row, position, where)
    date, speaker = (text_or_none(row.get(k), f"{where}, {k}") for k in ("claim_date", "speaker"))
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
    label = label_of(text_of(record["label"], f"{where}, label"))
    if label is None:
        raise InputError(f"{where}, label: {record['label']!r} is not one of: {', '.join(Label)}")
    questions = items_of(record.get("questions"), f"{where}, questions")
    if not questions:
        raise InputError(f"{where}, questions: is empty; give gold with questions for each claim")
    return Gold(
        claim,
        label,
        tuple(_question(q, f"{where}, questions[{i}]") for i, q in enumerate(questions)),
    )


def _question(record: Any, where: str) -> GoldQuestion:
    row = mapping_of(record, where)
    answers = row.get("answers")
    if isinstance(answers, dict):  # the official scorer takes a lone answer for a list of one
        answers = [answers]
    listed = items_of(answers, f"{where}.answers")
    return GoldQuestion(
        text_of(row.get("question"), f"{where}.question"),
        tuple(_answer(a, f"{where}.answers[{i}]") for i, a in enumerate(listed)),
    )


def _answer(record: Any, where: str) -> GoldAnswer:
    row = mapping_of(record, where)
    explanation = None
    if row.get("answer_type") == "Boolean":
        explanation = text_of(row.get("boolean_explanation"), f"{where}.boolean_explanation")
    urls = (row.get("source_url"), row.get("cached_source_url"))
    return GoldAnswer(
        text_of(row.get("answer"), f"{where}.answer"),
        explanation,
        tuple(dict.fromkeys(u for u in urls if isinstance(u, str) and u)),
    )
