"""A prompt being answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
