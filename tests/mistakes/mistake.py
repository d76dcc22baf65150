"""A mistake, and what can be spoilt before it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from uhhrag.runs.trace import as_line

Spoil = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Mistake:
    """`do` is the part of the message that tells what to do; `spoil` changes the room first."""

    what: str
    command: str
    code: int
    do: str
    spoil: Spoil = lambda: None


def overwrite(name: str, content: str) -> Spoil:
    return lambda: Path(name).write_text(content, encoding="utf-8")


def flip(name: str, place: int = -40) -> Spoil:
    def flip() -> None:
        content = bytearray(Path(name).read_bytes())
        content[place] ^= 1
        Path(name).write_bytes(content)

    return flip


def another_shape() -> None:
    Path("run/trace.jsonl").write_bytes(as_line({"claim_id": 0, "claim": 1}))


def without(name: str) -> Spoil:
    return lambda: Path(name).unlink()


def no_words() -> None:
    Path("language").rmdir()


def link_out() -> None:
    Path("data/knowledge_store/0.json").unlink()
    Path("data/knowledge_store/0.json").symlink_to(Path("gold.json").absolute())
