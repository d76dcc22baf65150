from __future__ import annotations

import itertools
import sys
import textwrap
import time
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

T = TypeVar("T")
_END = object()
WIDTH = 80
_RECENT = 6
"""Printed lines behind rate and time left."""

# Cc: control characters. Cf: direction overrides and other invisible marks. Co: private use.
# Cs: lone surrogates.
_UNPRINTABLE = {"Cc", "Cf", "Co", "Cs"}
_JOINERS = "\u200c\u200d"
"""Parts of words in Persian and Indian scripts."""


def printable(text: str) -> str:
    r"""One line; control, format, private-use and surrogate characters become U+FFFD.

    >>> printable("a\n b\x1b[31mred")
    'a b\ufffd[31mred'
    """
    folded = " ".join(text.split())
    bad = (c for c in {*folded} - {*_JOINERS} if unicodedata.category(c) in _UNPRINTABLE)
    return folded.translate(dict.fromkeys(map(ord, bad), "\N{REPLACEMENT CHARACTER}"))


def wrapped(text: str, lead: str, lines: int | None = None) -> str:
    """`printable`, after `lead`, in 80 columns and at most `lines`.

    >>> wrapped("It rained all day.", "> ")
    '> It rained all day.'
    """
    return textwrap.fill(
        printable(text),
        WIDTH,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        max_lines=lines,
        placeholder=" …",
    )


def columns(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    """Lines of 80 columns, the first column cut to fit; `sides` aligns each by "<" or ">". Cells
    must be printable.

    >>> columns([("stage", "R@10"), ("search", ".5")], "<>")
    ['stage   R@10', 'search    .5']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    others = sum(widths[1:]) + 2 * (len(widths) - 1)
    widths[0] = min(widths[0], max(WIDTH - others, 2))
    lines = []
    for first, *rest in rows:
        cut = first if len(first) <= widths[0] else first[: widths[0] - 1] + "…"
        cells = zip((cut, *rest), sides, widths, strict=True)
        lines.append("  ".join(f"{cell:{side}{width}}" for cell, side, width in cells))
    return [line.rstrip() for line in lines]


def quantity(number: int, noun: str) -> str:
    """
    >>> quantity(1, "file"), quantity(1200, "file")
    ('1 file', '1,200 files')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def first_of(items: Sequence[object], most: int = 8, between: str = ", ") -> str:
    """
    >>> first_of([3, 5], 2), first_of([1, 2, 3], 2)
    ('3, 5', '1, 2, …')
    """
    return between.join(map(str, items[:most])) + f"{between}…" * (len(items) > most)


def meant(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), 1)
    return f"is {near[0]} meant? " if near else ""


def progress(items: Iterable[T], total: int, noun: str, by: int = 1) -> Iterator[T]:
    """A bar on a terminal, else a line on standard error every ten seconds."""
    if sys.stderr.isatty():
        yield from _bar(items, total, noun)
    else:
        yield from _lines(items, total, noun, by)


_stage = [""]


def show_stage(words: str) -> None:
    _stage[0] = words


def _bar(items: Iterable[T], total: int, noun: str) -> Iterator[T]:
    from rich import progress as parts
    from rich.console import Console
    from rich.text import Text

    class _Stage(parts.ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(_stage[0])

    show_stage("")
    columns = (
        parts.TextColumn("{task.description}"),
        parts.BarColumn(bar_width=12),
        parts.MofNCompleteColumn(),
        parts.TextColumn("{task.fields[rate]}"),
        parts.TimeElapsedColumn(),
        parts.TextColumn("left"),
        parts.TimeRemainingColumn(),
        _Stage(),
    )
    bar = parts.Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(noun, total=total, rate="")
    begun = time.monotonic()
    iterator = iter(items)
    for done in itertools.count(1):
        with bar:
            item = next(iterator, _END)
        if item is _END:
            return
        bar.update(task, completed=done, rate=_rate(done, time.monotonic() - begun))
        # Handed on while the bar is off the screen: the caller may print.
        yield item  # type: ignore[misc]


def _lines(items: Iterable[T], total: int, noun: str, by: int) -> Iterator[T]:
    count = counter(noun)
    for done, item in enumerate(items, start=1):
        yield item
        if done == total or done % by == 0:
            count(done, total)


def counter(noun: str) -> Callable[[int, int], None]:
    """The callback `(done, total)` prints a line every ten seconds, by the recent rate."""
    stamps = deque([(time.monotonic(), 0)], maxlen=_RECENT)

    def count(done: int, total: int) -> None:
        now = time.monotonic()
        if stamps[-1][1] == 0 and 1 < done < total:
            stamps[-1] = now, done
        elif done == total or now - stamps[-1][0] >= 10:
            since, before = stamps[0]
            recent, seconds = max(done - before, 1), now - since
            left = seconds / recent * (total - done)
            rate = _rate(recent, seconds)
            print(f"{noun}: {done}/{total}, {rate}, {left:.0f} s left", file=sys.stderr)  # noqa: T201
            stamps.append((now, done))

    return count


def _rate(done: int, seconds: float) -> str:
    """
    >>> _rate(10, 5), _rate(1, 20)
    ('2.0/s', '20.0 s each')
    """
    per_second = done / seconds if seconds > 0 else 0.0
    return f"{per_second:.1f}/s" if per_second >= 1 else f"{seconds / max(done, 1):.1f} s each"
