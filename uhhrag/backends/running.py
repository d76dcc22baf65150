"""One prompt on its way through a language model, and the small rules that it obeys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Tokens = tuple[int, ...]

TAIL = 64
"""Tokens at the end of a prompt that are never cut: they say what is asked."""


@dataclass(slots=True)
class Running:
    """One prompt while it is being answered; `prompt` is what follows the head."""

    head: Tokens
    prompt: Tokens
    cut: bool
    logits: NDArray[np.float32] | None = None
    generated: tuple[int, ...] = ()
    text: str = ""


def best(sequence: Running, penalty: float) -> int:
    """The most probable token; `penalty` weakens those that stand in the prompt or the reply
    (CTRL's rule: a positive logit is divided by it, a negative one multiplied)."""
    row = sequence.logits
    assert row is not None  # noqa: S101 - set by _prefill
    if penalty != 1.0:
        seen = np.unique(np.array(sequence.head + sequence.prompt + sequence.generated))
        row = row.copy()
        row[seen] = np.where(row[seen] > 0, row[seen] / penalty, row[seen] * penalty)
    return int(row.argmax())


def before_stop(text: str, stops: tuple[str, ...]) -> str:
    """
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
