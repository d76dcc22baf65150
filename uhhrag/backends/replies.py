"""Replies kept on disk, so that no model is asked the same twice.

A run that differs from an earlier one only in its verdict rule, or that was stopped between the
questions and the votes of a claim, takes what is the same from here. The key is everything a
reply depends on: the model file, the question asked and all prompts of the call, since they share
a batch.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from uhhrag.errors import RunError
from uhhrag.protocols import LLM
from uhhrag.records import Choose, Generate, Prompt, Reply
from uhhrag.shape import shaped


def remembered(llm: LLM, model: str, file: Path) -> LLM:
    """The same LLM with a memory in an SQLite file; `model` is its fingerprint."""
    with _usable(file):
        memory = sqlite3.connect(file, isolation_level=None)
        memory.execute("PRAGMA journal_mode = WAL")
        memory.execute("CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, value BLOB)")

    def reply(prompts: Sequence[Prompt], ask: Generate | Choose, /) -> list[Reply]:
        key = _key(model, prompts, ask)
        with _usable(file):
            row = memory.execute("SELECT value FROM replies WHERE key = ?", (key,)).fetchone()
        if row and (known := _read(row[0], key, len(prompts))) is not None:
            return known
        replies = llm(prompts, ask)
        value = orjson.dumps([asdict(r) for r in replies])
        with _usable(file):
            memory.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, _seal(value, key)))
        return replies

    return reply


@contextmanager
def _usable(file: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, ValueError) as error:  # ValueError: a text that is not UTF-8
        raise RunError(f"{file} cannot be used ({error}); delete it, or give --no-cache") from None


def _key(model: str, prompts: Sequence[Prompt], ask: Generate | Choose) -> bytes:
    asked: list[Any] = [model, type(ask).__name__, asdict(ask)]
    asked += [[p.head, p.body] for p in prompts]
    return hashlib.sha256(repr(asked).encode("utf-8", "surrogatepass")).digest()


def _seal(value: bytes, key: bytes) -> bytes:
    return hashlib.sha256(key + value).digest() + value


def _read(sealed: bytes, key: bytes, count: int) -> list[Reply] | None:
    """The replies, None where the entry is damaged: then the model is asked again."""
    value = sealed[32:] if isinstance(sealed, bytes) else b""
    if _seal(value, key) != sealed:
        return None
    replies: tuple[Reply, ...] = shaped(tuple[Reply, ...], orjson.loads(value))
    return list(replies) if len(replies) == count else None
