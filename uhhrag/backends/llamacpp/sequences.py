"""One prompt on its way through a language model, and the small rules that it obeys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Tokens = tuple[int, ...]

TAIL = 64
"""Tokens at the end of a prompt that are never cut: they say what is asked."""


@dataclass(slots=True)
class Running:
    """One prompt while it is being answered; `prompt` is what follows the head, `chance` what its
    tokens are drawn by."""

    head: Tokens
    prompt: Tokens
    cut: bool
    chance: np.random.Generator
    logits: NDArray[np.float32] | None = None
    generated: tuple[int, ...] = ()
    written: bytes = b""
    text: str = ""

    @property
    def length(self) -> int:
        """Tokens so far."""
        return len(self.head) + len(self.prompt) + len(self.generated)


class BatchToken(NamedTuple):
    """A token on its way into the cache: where it stands, in which sequences, and whether the
    logits after it are wanted."""

    token: int
    position: int
    sequences: tuple[int, ...]
    wanted: bool = False


def batch_tokens(tokens: Tokens, start: int, sequences: tuple[int, ...]) -> list[BatchToken]:
    """The tokens from place `start` on, as they go into the cache of the given sequences.

    >>> batch_tokens((7, 8), 1, (0,))
    [BatchToken(token=8, position=1, sequences=(0,), wanted=False)]
    """
    return [BatchToken(token, place, sequences) for place, token in enumerate(tokens)][start:]


def before_stop(text: str, stops: tuple[str, ...]) -> str:
    """A text up to the first of the stops in it; a stop of "?" is kept, the others are not.

    >>> before_stop('Who? "When?', ("\\n", "?")), before_stop("One.\\n\\nTwo.", ("\\n\\n",))
    ('Who?', 'One.')
    """
    ends = [text.index(stop) + (stop == "?") for stop in stops if stop in text]
    return text[: min(ends, default=len(text))]


def shorten(body: Tokens, limit: int) -> tuple[Tokens, bool]:
    """At most `limit` tokens: the start (claim, start of the evidence) and the last `TAIL`
    (what is asked) stay, what lies between is cut."""
    if len(body) <= limit:
        return body, False
    return body[: limit - TAIL] + body[-TAIL:], True


def shared_start(prompts: list[Tokens]) -> int:
    """How many tokens all prompts begin with, leaving each at least one of its own."""
    shortest = min(len(p) for p in prompts) - 1
    first = prompts[0]
    for i in range(shortest):
        if any(p[i] != first[i] for p in prompts):
            return i
    return shortest


def same_start(first: Tokens, second: Tokens) -> int:
    """How many tokens two sequences begin with in common.

    >>> same_start((1, 2, 3), (1, 2, 4, 5)), same_start((), (1,))
    (2, 0)
    """
    pairs = enumerate(zip(first, second, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(first), len(second)))
