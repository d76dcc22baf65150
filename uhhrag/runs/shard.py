"""Claims shared among machines."""

from __future__ import annotations

import re
from collections.abc import Iterable
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


def read_shard(text: str) -> Shard:
    """
    >>> read_shard("2/3")
    Shard(number=2, of=3)
    """
    if match := re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text, re.ASCII):
        number, of = int(match[1]), int(match[2])
        if number <= of:
            return Shard(number, of)
    raise UsageError(f"--shard {text!r} is not a share; give 1/3, 2/3 and 3/3 on three machines")
