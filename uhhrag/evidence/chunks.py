from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from uhhrag.protocols import NumberedDocuments
from uhhrag.records import Hit, Place


@dataclass(frozen=True, slots=True)
class Chunk:
    text: str
    url: str
    score: float = 0.0
    """Of its best hit."""
    place: Place | None = None
    """Of its first hit; None if the page is not kept."""


def pack(lines: Sequence[str], room: int, tokens: Callable[[str], int]) -> Iterator[range]:
    """Ranges of at most `room` tokens; a longer line stands alone."""
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
    hits: Sequence[Hit], document: NumberedDocuments, room: int, tokens: Callable[[str], int]
) -> list[Chunk]:
    """Chunks that hold a hit, in the hits' order; a hit without a kept page is one."""
    packed: dict[int, list[range]] = {}
    chunks: dict[tuple[str, int, int], Chunk] = {}
    for hit in hits:
        chunk = Chunk(hit.passage.text, next(iter(hit.passage.urls), ""), hit.score)
        key = (chunk.text, -1, -1)
        place = next(iter(hit.passage.places), None)
        page = document(place.document) if place else None
        if place and page and page.holds(hit.passage.text, place.line):
            if place.document not in packed:
                packed[place.document] = list(pack(page.lines, room, tokens))
            held = next(part for part in packed[place.document] if place.line in part)
            chunk = replace(chunk, text=" ".join(page.part(held)), place=place)
            key = ("", place.document, held.start)
        known = chunks.setdefault(key, chunk)
        chunks[key] = replace(known, score=max(known.score, hit.score))
    return list(chunks.values())
