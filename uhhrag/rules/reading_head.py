"""A linear head over a model's hidden state after claim and evidence (docs/verdicts.md)."""

from __future__ import annotations

import base64
import binascii
import math
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from uhhrag.protocols import Template
from uhhrag.records import NO_ANSWER, Claim, Evidence, Label, Prompt
from uhhrag.text.repetition import without_repeats

STEP = "reader"
PIECES, WORDS = 10, 36
"""pieces of evidence and words of each in a new reader's prompt (570 tokens)"""


@dataclass(frozen=True, slots=True)
class ReaderHead:
    model: str
    """its fingerprint"""
    template: str
    """its hash"""
    labels: tuple[Label, ...]
    weights: tuple[str, ...]
    """one row a label: little-endian float32 in base64"""
    bias: tuple[float, ...]
    pieces: int = 5
    """of evidence; 5 in older files"""

    def log_probabilities(self, state: Sequence[float]) -> list[float]:
        """In the order of `labels`. Raises ValueError for another width."""
        return log_softmax(linear(map(decoded, self.weights), self.bias, state))


def linear(
    weights: Iterable[Sequence[float]], bias: Sequence[float], values: Sequence[float]
) -> list[float]:
    """One score per row. Raises ValueError for another width."""
    rows = zip(weights, bias, strict=True)
    return [own + math.fsum(w * v for w, v in zip(row, values, strict=True)) for row, own in rows]


def softmax(scores: Sequence[float]) -> list[float]:
    weights = [math.exp(score - max(scores)) for score in scores]
    return [weight / math.fsum(weights) for weight in weights]


def log_softmax(scores: Sequence[float]) -> list[float]:
    highest = max(scores)
    total = highest + math.log(math.fsum(math.exp(score - highest) for score in scores))
    return [score - total for score in scores]


def prompt_of(
    template: Template, claim: Claim, evidence: Sequence[Evidence], pieces: int = PIECES
) -> Prompt:
    answers = [item.answer for item in evidence if item.answer != NO_ANSWER]
    shown = [answers[place] for place in without_repeats(answers)[:pieces]]
    lines = (f"{n}. {' '.join(text.split()[:WORDS])}" for n, text in enumerate(shown, 1))
    return template(claim=claim.text, evidence="\n".join(lines))


def check_reader(reader: ReaderHead) -> None:
    widths = {len(decoded(row)) for row in reader.weights}
    if reader.labels != tuple(Label) or not len(reader.weights) == len(reader.bias) == len(Label):
        raise ValueError("the reader does not have one row for each label")
    if reader.pieces < 1:
        raise ValueError(f"the reader has {reader.pieces} pieces of evidence")
    if len(widths) > 1 or not all(map(math.isfinite, reader.bias)):
        raise ValueError("the reader's rows differ in length, or its numbers are not all finite")


def encoded(numbers: Sequence[float]) -> str:
    """The inverse of `decoded`.

    >>> encoded([1.0, -0.5])
    'AACAPwAAAL8='
    """
    return base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode("ascii")


def decoded(row: str) -> tuple[float, ...]:
    """Raises ValueError.

    >>> decoded("AACAPwAAAL8=")
    (1.0, -0.5)
    """
    try:
        raw = base64.b64decode(row, validate=True)
        numbers: tuple[float, ...] = struct.unpack(f"<{len(raw) // 4}f", raw)
    except (binascii.Error, struct.error) as error:
        raise ValueError(f"a row of the reader's weights cannot be read ({error})") from error
    if not all(map(math.isfinite, numbers)):
        raise ValueError("the reader's weights are not all finite")
    return numbers
