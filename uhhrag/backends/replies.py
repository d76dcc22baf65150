"""Replies kept on disk, so that no model is asked the same twice.

A run that differs from an earlier one only in its verdict rule, or that was stopped between the
questions and the votes of a claim, takes what is the same from here. The key is everything a
reply depends on: the model file, the question asked and all prompts of the call, since they share
a batch.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from uhhrag.errors import RunError
from uhhrag.protocols import LLM
from uhhrag.records import Choose, Generate, Prompt, Reply


def remembered(llm: LLM, model: str, file: Path) -> LLM:
    """The same LLM with a memory in an SQLite file; `model` is its fingerprint."""
    try:
        memory = sqlite3.connect(file, isolation_level=None)
        memory.execute("PRAGMA journal_mode = WAL")
        memory.execute("CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, value BLOB)")
    except sqlite3.Error as error:
        raise RunError(f"{file} cannot be used ({error}); delete it, or give --no-cache") from None

    def reply(prompts: Sequence[Prompt], ask: Generate | Choose, /) -> list[Reply]:
        key = _key(model, prompts, ask)
        row = memory.execute("SELECT value FROM replies WHERE key = ?", (key,)).fetchone()
        if row and (known := _read(row[0], key, len(prompts))) is not None:
            return known
        replies = llm(prompts, ask)
        value = orjson.dumps([asdict(r) for r in replies])
        memory.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, _seal(value, key)))
        return replies

    return reply


def _key(model: str, prompts: Sequence[Prompt], ask: Generate | Choose) -> bytes:
    asked: list[Any] = [model, type(ask).__name__, asdict(ask)]
    asked += [[p.head, p.body] for p in prompts]
    return hashlib.sha256(repr(asked).encode("utf-8", "surrogatepass")).digest()


def _seal(value: bytes, key: bytes) -> bytes:
    return hashlib.sha256(key + value).digest() + value


def _read(sealed: bytes, key: bytes, count: int) -> list[Reply] | None:
    """The replies, None where the entry is damaged: then the model is asked again."""
    value = sealed[32:]
    if _seal(value, key) != sealed:
        return None
    replies = [Reply(**{**r, "logprobs": tuple(r["logprobs"])}) for r in orjson.loads(value)]
    return replies if len(replies) == count else None
