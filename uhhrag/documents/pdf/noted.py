"""Notes below a table begin with what bears their mark, which raised letters are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from uhhrag.documents.blocks import named
from uhhrag.documents.pdf.lines import Line, LineSegment
from uhhrag.text.fragments import is_ended

_LONGEST, _OFF = 40, 2
"""Characters of a name; points that a row's cells are off."""


def with_noted(page: Sequence[Line]) -> Iterator[Line]:
    """The lines of a page, with names of notes whose marks stand once on it, behind a cell."""
    parts = [part for line in page for part in line.segments]
    borne: dict[str, list[str]] = {}
    firsts: dict[int, LineSegment] = {}
    for part in sorted(parts, key=lambda one: -one.left):
        firsts |= dict.fromkeys(
            range(round(part.height) - _OFF, round(part.height) + _OFF + 1), part
        )
    for part in parts:
        for mark, words in part.noted:
            if words:
                first = firsts[round(part.height)].text if words[0].isdigit() else ""
                borne.setdefault(mark, []).append(_name(first, words))
    for line in page:
        mark = next(
            (mark for one in line.segments[:1] for mark, words in one.noted if not words), ""
        )
        if len(names := borne.get(mark, [])) == 1:
            text = named(names[0], line.text)
            first = line.segments[0]._replace(text=named(names[0], line.segments[0].text))
            line = line._replace(text=text, segments=(first, *line.segments[1:]))
        yield line


def _name(first: str, words: str) -> str:
    name = first or words
    plain = name[:1].isupper() and len(name) <= _LONGEST and not is_ended(name)
    return (f"{first} ({words})" if first else words) if plain else ""
