"""The shared task's claims files; ids are positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from uhhrag.errors import InputError
from uhhrag.formats.fields import claim_id, label_of, record_of, records_of
from uhhrag.records import Claim, Label
from uhhrag.text.characters import repaired

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    answer: str
    answer_type: Any = None
    boolean_explanation: Any = None
    """only of Boolean answers"""
    source_url: Any = None
    cached_source_url: Any = None

    def __post_init__(self) -> None:
        if self.answer_type == "Boolean" and not isinstance(self.boolean_explanation, str):
            raise ValueError("a Boolean answer needs a boolean_explanation, a text")

    @property
    def explained(self) -> str:
        boolean = self.answer_type == "Boolean"
        return f"{self.answer}. {self.boolean_explanation}" if boolean else self.answer

    @property
    def urls(self) -> tuple[str, ...]:
        """The page and its archived copy, if texts."""
        urls = (self.source_url, self.cached_source_url)
        return tuple(dict.fromkeys(url for url in urls if isinstance(url, str) and url))


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    question: str
    answers: tuple[GoldAnswer, ...]


@dataclass(frozen=True, slots=True)
class Gold:
    claim: Claim
    label: Label
    questions: tuple[GoldQuestion, ...]
    """at least one"""


@dataclass(frozen=True, slots=True)
class _Claim:
    claim: str
    claim_id: Any = None
    claim_date: str | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class _Question:
    """As the official scorer, takes a lone answer for a list of one."""

    question: str
    answers: tuple[GoldAnswer, ...] | GoldAnswer


@dataclass(frozen=True, slots=True)
class _Labelled:
    label: str
    questions: tuple[_Question, ...]


def read_claims(path: Path) -> tuple[Claim, ...]:
    """Raises InputError for a `claim_id` that is not the position."""
    return _read(path, _claim)


def read_gold(path: Path) -> tuple[Gold, ...]:
    """Raises InputError for a claim that cannot be scored against."""
    return _read(path, _gold)


def _read(path: Path, one: Callable[[Any, int, str], T]) -> tuple[T, ...]:
    records = enumerate(records_of(path, "claims"))
    return tuple(one(record, position, f"{path}, claim {position}") for position, record in records)


def _claim(record: Any, position: int, location: str) -> Claim:
    row = record_of(_Claim, record, location)
    if not row.claim.strip():
        raise InputError(f"{location}, claim: is empty; give it its text")
    _require_its_number(row.claim_id, position, location)
    date, speaker = (text and repaired(text) for text in (row.claim_date, row.speaker))
    return Claim(position, repaired(row.claim), date, speaker)


def _require_its_number(written: Any, position: int, location: str) -> None:
    """Claims in another order would get others' stores and predictions."""
    number = claim_id(written, f"{location}, claim_id")
    if number not in (None, position):
        raise InputError(
            f"{location}, claim_id: is {number}, but a claim's number is its position, which also "
            "names its store file; give the whole claims file in its order and choose by --claim "
            "or --limit, or leave claim_id out"
        )


def _gold(record: Any, position: int, location: str) -> Gold:
    claim = _claim(record, position, location)
    if "label" not in record:
        raise InputError(
            f"{location}, label: is missing; give a dev or train file, a test file has no gold"
        )
    row = record_of(_Labelled, record, location)
    label = label_of(row.label)
    if label is None:
        raise InputError(f"{location}, label: {row.label!r} is not one of: {', '.join(Label)}")
    if not row.questions:
        raise InputError(
            f"{location}, questions: is empty; give gold with questions for each claim"
        )
    return Gold(claim, label, tuple(_question(question) for question in row.questions))


def _question(row: _Question) -> GoldQuestion:
    answers = (row.answers,) if isinstance(row.answers, GoldAnswer) else row.answers
    return GoldQuestion(row.question, answers)
