"""A language model reads a claim with its best pieces of evidence in one prompt; a linear head over
its hidden state, at the place where the answer would begin, gives the probabilities of the labels.

A small model's letters show little of what it computed: the same pass read by a trained head tells
Supported from Refuted far better (docs/verdicts.md). Nothing is generated: the prompt closes with a
question only because the state before its answer says more than the one before a label. The head is
fitted on training claims, for one model file and one prompt, by `uhhrag train verdict --llm`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from uhhrag.protocols import Template
from uhhrag.records import NO_ANSWER, Claim, Evidence, Label, Prompt
from uhhrag.text.repetition import without_repeats

STEP = "reader"
PIECES, WORDS = 10, 36
"""How many pieces of evidence the prompt of a new reader has, and how many words of each at most:
about 570 tokens, as many as eight votes by letters."""


@dataclass(frozen=True, slots=True)
class ReaderHead:
    """A fitted head. `model` is the fingerprint of the language model and `template` the hash of
    the prompt that it was fitted to. `weights` has a row for each of `labels`: float32 numbers, one
    for each number of the hidden state, little-endian in base64. `pieces` is how many pieces of
    evidence the prompt had; the first readers did not state it and had five."""

    model: str
    template: str
    labels: tuple[Label, ...]
    weights: tuple[str, ...]
    bias: tuple[float, ...]
    pieces: int = 5

    def log_probabilities(self, state: Sequence[float]) -> list[float]:
        """The natural logarithm of the probability of each label, in the order of `labels`, for a
        hidden state. Raises ValueError for a state of another width."""
        scores = [
            bias + math.fsum(weight * value for weight, value in zip(row, state, strict=True))
            for row, bias in zip(map(decoded, self.weights), self.bias, strict=True)
        ]
        highest = max(scores)
        total = highest + math.log(math.fsum(math.exp(score - highest) for score in scores))
        return [score - total for score in scores]


def prompt_of(
    template: Template, claim: Claim, evidence: Sequence[Evidence], pieces: int = PIECES
) -> Prompt:
    """The reader's prompt: the first `pieces` of evidence that have an answer and do not repeat
    another, numbered, then the claim."""
    answers = [item.answer for item in evidence if item.answer != NO_ANSWER]
    shown = [answers[place] for place in without_repeats(answers)[:pieces]]
    lines = (f"{n}. {' '.join(text.split()[:WORDS])}" for n, text in enumerate(shown, 1))
    return template(claim=claim.text, evidence="\n".join(lines))


def fingerprint(reader: ReaderHead) -> str:
    """What tells a reader from another: a hash of its numbers."""
    return hashlib.sha256(repr(reader).encode()).hexdigest()[:8]


def check_reader(reader: ReaderHead) -> None:
    """Raises ValueError for a reader that cannot be used."""
    widths = {len(decoded(row)) for row in reader.weights}
    if reader.labels != tuple(Label) or not len(reader.weights) == len(reader.bias) == len(Label):
        raise ValueError("the reader does not have one row for each label")
    if reader.pieces < 1:
        raise ValueError(f"the reader has {reader.pieces} pieces of evidence")
    if len(widths) > 1 or not all(map(math.isfinite, reader.bias)):
        raise ValueError("the reader's rows differ in length, or its numbers are not all finite")


def encoded(numbers: Sequence[float]) -> str:
    """A row of weights as a reader holds it.

    >>> encoded([1.0, -0.5])
    'AACAPwAAAL8='
    """
    return base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode("ascii")


def decoded(row: str) -> tuple[float, ...]:
    """The numbers of a row of weights. Raises ValueError where it is not one.

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
