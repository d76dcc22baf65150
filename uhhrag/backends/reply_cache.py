"""Caches replies by model, question and all prompts of a call, which share a batch."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from uhhrag.backends import sqlite_cache
from uhhrag.backends.sqlite_cache import REPLIES, SqliteCache
from uhhrag.protocols import LLM
from uhhrag.records import Ask, Prompt, Reply
from uhhrag.system.decode import shaped


def with_reply_cache(llm: LLM, model: str, file: Path) -> LLM:
    """`model` is its fingerprint. Raises RunError for an unusable file."""
    cache = SqliteCache(file, REPLIES)

    def reply(prompts: Sequence[Prompt], ask: Ask, /) -> list[Reply]:
        key = _key(model, prompts, ask)
        value = cache.get([key]).get(key)
        known = [] if value is None else _replies(value)
        if value is not None and len(known) == len(prompts):
            return known
        replies = llm(prompts, ask)
        cache.put({key: orjson.dumps([asdict(r) for r in replies])})
        return replies

    return reply


def fault_in(file: Path) -> str:
    """Gives "" if sound."""
    return sqlite_cache.fault_in(file, REPLIES)


def _key(model: str, prompts: Sequence[Prompt], ask: Ask) -> bytes:
    asked: list[Any] = [model, type(ask).__name__, asdict(ask)]
    asked += [[p.head, p.body] for p in prompts]
    return hashlib.sha256(repr(asked).encode("utf-8", "surrogatepass")).digest()


def _replies(value: bytes) -> list[Reply]:
    return list(shaped(tuple[Reply, ...], orjson.loads(value)))
