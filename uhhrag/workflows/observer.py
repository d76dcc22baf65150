"""Who is told what while a workflow runs: progress, warnings, and results as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

Progress = Callable[[int, int, str], None]
"""`progress(done, total, what)`: so many of so many things of a kind are done."""


class Track(Protocol):
    """Passes items on and tells somebody how far it is. Items that come `by` so many at a time
    are counted when all of these have come."""

    def __call__(self, items: Iterable[T], total: int, what: str, by: int = 1) -> Iterator[T]: ...


def _untracked(items: Iterable[T], total: int, what: str, by: int = 1) -> Iterator[T]:
    yield from items


def _nothing(*_: Any) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A run that is about to decide claims: what its numbers depend on, how many of how many
    claims are left to decide, and what a user should know of the votes."""

    signature: str
    left: int
    total: int
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """`track` shows progress. `warn` gets one line that a user should read, `begun` what is known
    of a run before its first claim is decided, and `result` each result (a verdict, a failure, the
    outcome of a claim that is indexed) as soon as it is on disk; `stage` the name of each stage of
    a claim when it begins."""

    track: Track = _untracked
    warn: Callable[[str], None] = _nothing
    begun: Callable[[Begun], None] = _nothing
    result: Callable[[Any], None] = _nothing
    stage: Callable[[str], None] = _nothing


SILENT = Observer()
"""Nobody is told anything."""


def by_callback(progress: Progress) -> Track:
    """Progress as calls of a function.

    >>> calls = []
    >>> track = by_callback(lambda done, total, what: calls.append(f"{done}/{total} {what}"))
    >>> list(track("ab", 2, "claims")), calls
    (['a', 'b'], ['1/2 claims', '2/2 claims'])
    """

    def track(items: Iterable[T], total: int, what: str, by: int = 1) -> Iterator[T]:
        for done, item in enumerate(items, start=1):
            yield item
            if done == total or done % by == 0:
                progress(done, total, what)

    return track
