"""Evidence (`premise`) and claim (`hypothesis`) as JSON lines, plain or gzipped."""

from __future__ import annotations

import gzip
import random
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import orjson

from uhhrag.errors import InputError, UsageError
from uhhrag.system.decode import shaped
from uhhrag.system.terminal import quantity
from uhhrag.system.text_files import read_bytes


class Stance(StrEnum):
    """In the order of a verifier's outputs."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NEUTRAL = "neutral"


STANCES: tuple[Stance, ...] = tuple(Stance)


@dataclass(frozen=True, slots=True)
class Pair:
    premise: str
    hypothesis: str
    label: Stance
    source: str = ""
    group: str = ""
    """pairs of one group stay together"""


def read_pairs(files: Sequence[Path]) -> list[Pair]:
    """Raises InputError, with file and line."""
    pairs = [pair for file in files for pair in _read(file)]
    if not pairs:
        raise InputError(f"{', '.join(map(str, files))}: no pair to read; give a file with some")
    return pairs


def undisputed(pairs: Sequence[Pair]) -> list[Pair]:
    """Without evidence and claim that also stand with another label."""
    labels = defaultdict[tuple[str, str], set[Stance]](set)
    for pair in pairs:
        labels[pair.premise, pair.hypothesis].add(pair.label)
    return [pair for pair in pairs if len(labels[pair.premise, pair.hypothesis]) == 1]


def _read(file: Path) -> Iterator[Pair]:
    content = read_bytes(file)
    try:
        content = gzip.decompress(content) if file.suffix == ".gz" else content
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{file}: cannot be read: {error}; give a whole file of pairs") from error
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            yield _pair(line, f"{file}:{number}")


def _pair(line: bytes, location: str) -> Pair:
    try:
        record = orjson.loads(line)
        if isinstance(record, dict):
            record |= {name: str(record.get(name) or "") for name in ("source", "group")}
        return shaped(Pair, record, location)
    except orjson.JSONDecodeError as error:
        raise InputError(f"{location}: invalid JSON: {error}") from error
    except TypeError as error:
        wanted = f"a pair has premise, hypothesis and label ({', '.join(STANCES)})"
        raise InputError(f"{error}; {wanted}") from error


def split(pairs: Sequence[Pair], held_out: float, seed: int) -> tuple[list[Pair], list[Pair]]:
    """To train on, and that share of groups held out. Raises UsageError if one lacks a label."""
    groups = sorted({pair.group or str(number) for number, pair in enumerate(pairs)})
    chance = random.Random(seed)  # noqa: S311 - a draw that can be repeated, nothing secret
    held = set(chance.sample(groups, min(len(groups), max(1, round(held_out * len(groups))))))
    parts: tuple[list[Pair], list[Pair]] = ([], [])
    for number, pair in enumerate(pairs):
        parts[(pair.group or str(number)) in held].append(pair)
    for part, use in zip(parts, ("to train on", "held out"), strict=True):
        if lacking := [label for label in STANCES if label not in {pair.label for pair in part}]:
            raise UsageError(
                f"{quantity(len(groups), 'group')} of pairs: none {use} is {' or '.join(lacking)}; "
                "give more pairs of every label, or another --held-out"
            )
    return parts
