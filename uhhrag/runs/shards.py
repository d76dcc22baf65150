"""Shares of claims, as "2/3"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from uhhrag.errors import UsageError


@dataclass(frozen=True, slots=True)
class Shard:
    """The claims whose id modulo `of` is `number` - 1."""

    number: int = 1
    of: int = 1

    def share(self, claim_ids: Iterable[int]) -> tuple[int, ...]:
        """
        >>> Shard(2, 3).share(range(8))
        (1, 4, 7)
        """
        return tuple(i for i in claim_ids if i % self.of == self.number - 1)


def read_shard(text: str | None) -> Shard:
    """
    >>> read_shard("2/3"), read_shard(None)
    (Shard(number=2, of=3), Shard(number=1, of=1))
    """
    if text is None:
        return Shard()
    if match := re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text, re.ASCII):
        number, of = int(match[1]), int(match[2])
        if number <= of:
            return Shard(number, of)
    raise UsageError(f"--shard {text!r} is not a share; give 1/3, 2/3 and 3/3 on three machines")


def joined(a: Iterable[str], b: Iterable[str]) -> list[str]:
    """Both; empty if one has all claims, or both together.

    >>> joined(["1/3"], ["2/3"]), joined(["1/2"], ["2/2"]), joined(["1/2"], [])
    (['1/3', '2/3'], [], [])
    """
    both = sorted({*a, *b}) if a and b else []
    return both if any(missing(both)) else []


def missing(shards: Iterable[str]) -> Iterator[str]:
    """
    >>> [*missing(["1/3", "3/3"])]
    ['2/3']
    """
    there = set(map(read_shard, shards))
    for of in sorted({shard.of for shard in there}):
        for number in range(1, of + 1):
            if Shard(number, of) not in there:
                yield f"{number}/{of}"
