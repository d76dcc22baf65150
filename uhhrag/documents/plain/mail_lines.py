"""Lines with quote depth, by `>` marks (RFC 3676)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from uhhrag.documents.blocks import Block

_MARKED = re.compile(r"^(?:[ \t]?(?:\|?>|[A-Z]\w{0,11}>(?=[ >])))+ ?")
"""Quote marks, also after the author's name or initials."""
_FIGURE = re.compile(r">\d")
_CUT, _REST = re.compile(r"<[^\s<>]+@[^\s<>]+$"), re.compile(r"(?:> ?)*> ?([^>]{0,40}[:：])\s*$")
"""An address that a program cut before its `>`, and the line after: "> wrote:"."""


@dataclass(frozen=True, slots=True)
class MailLine:
    text: str
    depth: int = 0
    """Quotes around it."""
    block: Block | None = None
    """Of HTML, in place of a line."""


def text_lines_of(lines: Iterable[str]) -> list[MailLine]:
    """Without quote marks `>`, unless all stand before figures."""
    given = list[str]()
    for line in lines:
        rest = _REST.match(line) if given and _CUT.search(given[-1]) else None
        given[-1:] = [f"{given[-1]}> {rest[1]}"] if rest else [*given[-1:], line]
    marks = [_MARKED.match(line) for line in given]
    if all(_FIGURE.match(line) for line, mark in zip(given, marks, strict=True) if mark):
        return [MailLine(line) for line in given]
    return [
        MailLine(line[mark.end() :], mark[0].count(">")) if mark else MailLine(line)
        for line, mark in zip(given, marks, strict=True)
    ]


def flowed(lines: Sequence[MailLine], *, joined: bool) -> list[MailLine]:
    """Joins soft breaks (RFC 3676); `joined` drops the space too."""
    found: list[MailLine] = []
    for line in lines:
        text = line.text.removeprefix(" ")
        above = found[-1] if found else MailLine("")
        if above.text.endswith(" ") and above.text != "-- " and above.depth == line.depth:
            found[-1] = replace(above, text=(above.text[:-1] if joined else above.text) + text)
        else:
            found.append(replace(line, text=text))
    return found
