from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from uhhrag.protocols import LLM, Embedder
from uhhrag.records import Ask, Generate, Prompt, Reply, Represent


def hashing_embedder(dimension: int = 64) -> Embedder:
    """Texts that share words are near."""

    def embed(texts: Sequence[str], /) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                raw = word.encode("utf-8", "surrogatepass")
                hashed = hashlib.blake2b(raw, digest_size=4).digest()
                row[int.from_bytes(hashed) % dimension] += 1.0
            row /= np.linalg.norm(row) or 1.0
        return rows

    return embed


def scripted_llm(script: Mapping[str, Sequence[str] | Callable[[Prompt], str]]) -> LLM:
    """Replies by step: lines (cyclic), or a function of the prompt; `PickOne` gives the named
    option 0.9."""
    replies: dict[str, int] = {}

    def reply(prompts: Sequence[Prompt], ask: Ask, /) -> list[Reply]:
        return [_reply(line(prompt), prompt, ask) for prompt in prompts]

    def line(prompt: Prompt) -> str:
        lines = script[prompt.step]
        if callable(lines):
            return lines(prompt)
        replies[prompt.step] = replies.get(prompt.step, -1) + 1
        return lines[replies[prompt.step] % len(lines)]

    return reply


def _reply(text: str, prompt: Prompt, ask: Ask) -> Reply:
    words = len(prompt.text.split())
    if isinstance(ask, Represent):
        state: list[float] = hashing_embedder()([text])[0].tolist()
        return Reply("", prompt_tokens=words, state=tuple(state))
    if isinstance(ask, Generate):
        return Reply(text, prompt_tokens=words, reply_tokens=len(text.split()))
    others = 0.1 / max(len(ask.options) - 1, 1)
    logprobs = tuple(math.log(0.9 if o == text else others) for o in ask.options)
    return Reply(text, logprobs, prompt_tokens=words)
