"""A prompt being answered. Gumbel's trick draws tokens alike in all batches."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from uhhrag.records import Generate

Logits = NDArray[np.float32]
Tokens = tuple[int, ...]

TAIL = 64
"""Tokens never cut: they ask."""


@dataclass(slots=True)
class Running:
    head: Tokens
    prompt: Tokens
    """Tokens after the head."""
    cut: bool
    chance: np.random.Generator
    logits: NDArray[np.float32] | None = None
    generated: tuple[int, ...] = ()
    written: bytes = b""
    text: str = ""

    @property
    def length(self) -> int:
        return len(self.head) + len(self.prompt) + len(self.generated)


class BatchToken(NamedTuple):
    token: int
    position: int
    sequences: tuple[int, ...]
    wanted: bool = False
    """Whether the logits after it are."""


def batch_tokens(tokens: Tokens, start: int, sequences: tuple[int, ...]) -> list[BatchToken]:
    """
    >>> batch_tokens((7, 8), 1, (0,))
    [BatchToken(token=8, position=1, sequences=(0,), wanted=False)]
    """
    return [BatchToken(token, place, sequences) for place, token in enumerate(tokens)][start:]


def before_stop(text: str, stops: tuple[str, ...]) -> str:
    """A "?" is kept.

    >>> before_stop('Who? "When?', ("\\n", "?")), before_stop("One.\\n\\nTwo.", ("\\n\\n",))
    ('Who?', 'One.')
    """
    ends = [text.index(stop) + (stop == "?") for stop in stops if stop in text]
    return text[: min(ends, default=len(text))]


def shorten(body: Tokens, limit: int) -> tuple[Tokens, bool]:
    """Cut before the last `TAIL`; whether any were."""
    if len(body) <= limit:
        return body, False
    return body[: limit - TAIL] + body[-TAIL:], True


def shared_start(prompts: list[Tokens]) -> int:
    """Leaves each prompt a token of its own."""
    shared = min(same_start(prompts[0], prompt) for prompt in prompts)
    return min(shared, *(len(prompt) - 1 for prompt in prompts))


def same_start(first: Tokens, second: Tokens) -> int:
    """
    >>> same_start((1, 2, 3), (1, 2, 4, 5)), same_start((), (1,))
    (2, 0)
    """
    pairs = enumerate(zip(first, second, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(first), len(second)))


def seeds(seed: int, texts: Iterable[str]) -> Iterator[int]:
    """Below 2**63; equal texts get different ones."""
    before: Counter[str] = Counter()
    for text in texts:
        key = repr((seed, before[text], text)).encode("utf-8", "surrogatepass")
        before[text] += 1
        yield int.from_bytes(hashlib.sha256(key).digest()[:8]) >> 1


def next_token(sequence: Running, ask: Generate) -> int:
    """Drawn, or the likeliest at temperature 0."""
    row = sequence.logits
    assert row is not None  # noqa: S101 - set by the prefill
    if (penalty := ask.repetition_penalty) != 1.0:  # CTRL's
        seen = np.unique(sequence.head + sequence.prompt + sequence.generated)
        row = row.copy()
        row[seen] = np.where(row[seen] > 0, row[seen] / penalty, row[seen] * penalty)
    if ask.temperature <= 0:
        return int(row.argmax())
    row = within_top_k(row / np.float32(ask.temperature), ask.top_k)
    # -log of an exponential variate has Gumbel's distribution; a variate can be 0.
    variates = np.maximum(sequence.chance.standard_exponential(row.size), np.finfo(float).tiny)
    return int((row - np.log(variates)).argmax())


def within_top_k(row: Logits, k: int) -> Logits:
    """Minus infinity elsewhere; ties stay."""
    if not 0 < k < row.size:
        return row
    return np.where(row >= np.partition(row, -k)[-k], row, np.float32(-np.inf))
