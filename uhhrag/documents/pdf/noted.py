"""Notes below a table begin with what bears their mark, which raised letters are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from uhhrag.documents.blocks import named
from uhhrag.documents.pdf.lines import Line
from uhhrag.text.fragments import is_ended

_LONGEST, _OFF = 40, 2
"""Characters of a name; points that a row's cells are off."""


def with_noted(page: Sequence[Line]) -> Iterator[Line]:
    """The lines of a page, with names of notes whose marks stand once on it, behind a cell."""
    parts = [part for line in page for part in line.segments]
    firsts: dict[int, str] = {}
    for part in sorted(parts, key=lambda one: -one.left):
        level = round(part.height)
        firsts |= dict.fromkeys(range(level - _OFF, level + _OFF + 1), part.text)
    borne: dict[str, list[str]] = {}
    for part in parts:
        for mark, words in part.noted:
            if words:
                borne.setdefault(mark, []).append(_name(firsts[round(part.height)], words))
    for line in page:
        begun = (mark for one in line.segments[:1] for mark, words in one.noted if not words)
        if len(names := borne.get(next(begun, ""), [])) == 1:
            begin = line.segments[0]._replace(text=named(names[0], line.segments[0].text))
            segments = (begin, *line.segments[1:])
            line = line._replace(text=named(names[0], line.text), segments=segments)
        yield line


def _name(first: str, words: str) -> str:
    """Of the first cell of its row, if a figure bears the mark."""
    name = first if words[-1].isdecimal() else words
    plain = name[:1].isupper() and len(name) <= _LONGEST and not is_ended(name)
    return (name if name.endswith(words) else f"{name} ({words})") if plain else ""
