"""How much of a page a vote reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from uhhrag.errors import UsageError
from uhhrag.evidence.windows import in_windows
from uhhrag.protocols import NumberedDocuments
from uhhrag.records import Evidence

MAX_CHARS = 4000
"""Characters: some 1,000 tokens."""
NAMES = "sentence, passages, window:N, document"


@dataclass(frozen=True, slots=True)
class Granularity:
    around: int | None = 0
    """Sentences on either side; None for the whole document."""
    together: bool = False
    """Sentences found close together are read at once (`windows`)."""

    def __bool__(self) -> bool:
        return self.together or self.around != 0

    def __str__(self) -> str:
        if self.together:
            return "passages"
        if self.around is None:
            return "document"
        return f"window:{self.around}" if self.around else "sentence"


SENTENCE = Granularity()


class Answers(StrEnum):
    SENTENCE = "sentence"
    WINDOW = "window"


def read_granularity(text: str) -> Granularity:
    """Raises UsageError for an unknown name."""
    if text == "passages":
        return Granularity(together=True)
    name, _, number = text.partition(":")
    if text in ("sentence", "document"):
        return Granularity(0 if text == "sentence" else None)
    if name != "window" or not (number.isascii() and number.isdigit()) or not 0 < int(number) < 100:
        raise UsageError(f"--granularity {text} is unknown; it is one of: {NAMES} (N from 1 to 99)")
    return Granularity(int(number))


def widen(
    evidence: Sequence[Evidence], document: NumberedDocuments, granularity: Granularity, claim: str
) -> tuple[Evidence, ...]:
    """Surroundings become the answer; of equal texts the best-ranked stays."""
    if not granularity:
        return tuple(evidence)
    if granularity.together:
        return in_windows(evidence, document, claim)
    wide: dict[str, Evidence] = {}
    for item in (_widened(item, document, granularity.around) for item in evidence):
        wide.setdefault(item.answer, item)
    return tuple(wide.values())


def _widened(evidence: Evidence, document: NumberedDocuments, around: int | None) -> Evidence:
    for place in evidence.places:
        page = document(place.document)
        if page and page.holds(evidence.answer, place.line):
            text = _text_around(page.lines, place.line, around)
            return replace(evidence, answer=text, sentence=evidence.answer, before="")
    return evidence


def line_in(context: str, answer: str, at: int) -> int:
    """The first line that is `answer`, unless another begins `at`; or -1."""
    lines = context.split("\n")
    return context.count("\n", 0, at) or lines.index(answer) if answer in lines else -1


def window(answer: str, context: str, around: int = 1, at: int = 0) -> str:
    """
    >>> window("It sank.", "It was 1911.\\nA storm came.\\nIt sank.\\nAll lived.\\nIt was raised.")
    'A storm came. It sank. All lived.'
    >>> window("No.", "It sank.")
    'No.'
    """
    line = line_in(context, answer, at)
    return answer if line < 0 else _text_around(context.split("\n"), line, around)


def _text_around(lines: Sequence[str], line: int, around: int | None) -> str:
    held = reach(lines, line, around)
    return " ".join(lines[held.start : held.stop])


def reach(lines: Sequence[str], line: int, around: int | None, longest: int = MAX_CHARS) -> range:
    """The line and its neighbours, nearest first, within `longest` characters.

    >>> reach(["aa", "bb", "cc", "dd"], 1, None, longest=7)
    range(0, 3)
    """
    first, last = line, line + 1
    room = longest - len(lines[line])
    before = after = True
    for _ in range(len(lines) if around is None else around):
        before = before and first > 0 and len(lines[first - 1]) <= room
        if before:
            first -= 1
            room -= len(lines[first])
        after = after and last < len(lines) and len(lines[last]) <= room
        if after:
            room -= len(lines[last])
            last += 1
        if not (before or after):
            break
    return range(first, last)
