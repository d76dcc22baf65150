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

from uhhrag.errors import unusable_memory
from uhhrag.protocols import LLM
from uhhrag.records import Choose, Generate, Prompt, Reply
from uhhrag.system.decode import shaped


def remembered(llm: LLM, model: str, file: Path) -> LLM:
    """The same LLM with a memory in an SQLite file; `model` is its fingerprint."""
    try:
        # Each is used by one thread at a time, not always by the one that opened it.
        memory = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        memory.execute("PRAGMA journal_mode = WAL")
        memory.text_factory = bytes  # damage can turn a value into a text that is none
        memory.execute("CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, value BLOB)")
    except (sqlite3.Error, ValueError) as error:  # ValueError: a text that is not UTF-8
        raise unusable_memory(file, error) from None

    def use(command: str, *values: bytes) -> list[Any]:
        try:
            return memory.execute(command, values).fetchall()
        except (
            sqlite3.Error,
            ValueError,
        ) as error:  # no claim's fault: the disk is full, or the file damaged
            raise unusable_memory(file, error) from error

    def reply(prompts: Sequence[Prompt], ask: Generate | Choose, /) -> list[Reply]:
        key = _key(model, prompts, ask)
        for (sealed,) in use("SELECT value FROM replies WHERE key = ?", key):
            if (known := _read(sealed, key, len(prompts))) is not None:
                return known
        replies = llm(prompts, ask)
        value = orjson.dumps([asdict(r) for r in replies])
        use("INSERT OR REPLACE INTO replies VALUES (?, ?)", key, _seal(value, key))
        return replies

    return reply


def fault_in(file: Path) -> str:
    """What is wrong with a memory, "" where nothing is. A damaged reply is asked for again."""
    try:
        memory = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        memory.text_factory = bytes
        ((said,),) = memory.execute("PRAGMA integrity_check(1)").fetchall()
        rows = memory.execute("SELECT key, value FROM replies").fetchall()
    except (sqlite3.Error, ValueError) as error:
        return f"is damaged ({error}); delete it: it only saves time"
    if said != b"ok":
        return f"is damaged ({said.decode(errors='replace')}); delete it: it only saves time"
    bad = sum(not isinstance(v, bytes) or _seal(v[32:], k) != v for k, v in rows)
    return f"{bad} of {len(rows)} replies are damaged; they are asked for again" if bad else ""


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
