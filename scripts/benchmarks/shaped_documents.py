"""Documents of SciFact's shape: their sentences are recombined from those of its abstracts."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from scripts.make_store import Words

Json = dict[str, Any]


def generated(abstracts: Sequence[Json], wanted: int, seed: int) -> Iterator[Json]:
    """Documents of about so many passages together."""
    words = Words([line for a in abstracts for line in a["abstract"]], seed)
    draw = random.Random(seed)  # noqa: S311 - drawn to be drawn again
    number, passages = 0, 0.0
    while passages < wanted:
        model = draw.choice(abstracts)
        lines = [words.line() for _ in model["abstract"]]
        year, month = draw.randint(1990, 2025), draw.randint(1, 12)
        yield {
            "_id": f"made-{number}",
            "title": " ".join(words.line().split()[:12]),
            "abstract": lines,
            "date": f"{year}-{month:02d}-{draw.randint(1, 28):02d}",
            "url": f"https://site{draw.randint(0, 999)}.example/{number}",
        }
        number += 1
        passages += max(1, math.ceil(sum(map(len, lines)) / 1200))
