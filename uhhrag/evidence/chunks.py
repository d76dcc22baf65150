"""Longer pieces of a page than a line: lines packed until they fill what a model reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from uhhrag.protocols import Pages
from uhhrag.records import Hit


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive lines of one page, joined by spaces. `score` is that of its best hit."""

    text: str
    url: str
    score: float = 0.0


def pack(lines: Sequence[str], room: int, tokens: Callable[[str], int]) -> Iterator[range]:
    """The lines in order as ranges that hold at most `room` tokens each; a longer line stands
    alone.

    >>> list(pack(["a b", "c", "d e f g"], 3, lambda text: len(text.split())))
    [range(0, 2), range(2, 3)]
    """
    start, used = 0, 0
    for position, line in enumerate(lines):
        length = tokens(line)
        if position > start and used + length > room:
            yield range(start, position)
            start, used = position, 0
        used += length
    if start < len(lines):
        yield range(start, len(lines))


def chunks_of(
    hits: Sequence[Hit], pages: Pages, room: int, tokens: Callable[[str], int]
) -> list[Chunk]:
    """The chunks that hold a hit, in the order of the hits, each once. A hit whose page the index
    does not keep is a chunk by itself."""
    packed: dict[str, dict[str, Chunk]] = {}
    scores: dict[Chunk, float] = {}
    for hit in hits:
        url = next(iter(hit.passage.urls), "")
        if url not in packed:
            packed[url] = _chunk_of_line(url, pages, room, tokens)
        chunk = packed[url].get(hit.passage.text, Chunk(hit.passage.text, url))
        scores[chunk] = max(hit.score, scores.get(chunk, hit.score))
    return [replace(chunk, score=score) for chunk, score in scores.items()]


def _chunk_of_line(
    url: str, pages: Pages, room: int, tokens: Callable[[str], int]
) -> dict[str, Chunk]:
    """The first chunk of each different line of the pages with this URL."""
    chunk_of: dict[str, Chunk] = {}
    for page in pages(url):
        for lines in pack(page.lines, room, tokens):
            held = page.lines[lines.start : lines.stop]
            chunk = Chunk(" ".join(held), url)
            for line in held:
                chunk_of.setdefault(line, chunk)
    return chunk_of
