"""Replies by model, question and all prompts of a call, which share a batch."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from uhhrag.backends.sqlite_cache import REPLIES, SqliteCache
from uhhrag.protocols import LLM
from uhhrag.records import Ask, Generate, Prompt, Reply
from uhhrag.system.decode import shaped


def with_reply_cache(llm: LLM, model: str, file: Path) -> LLM:
    """`model` is its fingerprint. Raises RunError for an unusable file."""
    cache = SqliteCache(file, REPLIES)

    def reply(prompts: Sequence[Prompt], ask: Ask, /) -> list[Reply]:
        key = _key(model, prompts, ask)
        if (value := cache.get([key]).get(key)) is not None:
            return shaped(list[Reply], orjson.loads(value))
        replies = llm(prompts, ask)
        cache.put({key: orjson.dumps([asdict(r) for r in replies])})
        return replies

    return reply


def fault_in(file: Path) -> str:
    """Gives "" if sound."""
    try:
        memory = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        memory.text_factory = bytes
        ((answer,),) = memory.execute("PRAGMA integrity_check(1)").fetchall()
        rows = memory.execute("SELECT key, value FROM replies").fetchall()
    except (sqlite3.Error, ValueError) as error:
        return f"is damaged ({error}); delete it: it only saves time"
    if answer != b"ok":
        return f"is damaged ({answer.decode(errors='replace')}); delete it: it only saves time"
    bad = sum(REPLIES.value_in(key, stored) is None for key, stored in rows)
    return f"damaged replies: {bad} of {len(rows)}; asked for again" if bad else ""


def _key(model: str, prompts: Sequence[Prompt], ask: Ask) -> bytes:
    fields = asdict(ask)
    if isinstance(ask, Generate):  # an option of once, so that kept replies are found
        fields |= {"top_p": 1.0, "seed": fields.pop("seed")}
    asked: list[Any] = [model, type(ask).__name__, fields]
    asked += [[p.head, p.body] for p in prompts]
    return hashlib.sha256(repr(asked).encode("utf-8", "surrogatepass")).digest()
