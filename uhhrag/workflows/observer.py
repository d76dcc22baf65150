from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

Progress = Callable[[int, int, str], None]
"""`progress(done, total, what)`."""


class Track(Protocol):
    """Passes items on, reporting after every `by`."""

    def __call__(self, items: Iterable[T], total: int, noun: str, by: int = 1) -> Iterator[T]: ...


def _nothing(*_: Any) -> None:
    pass


def by_callback(progress: Progress) -> Track:
    def track(items: Iterable[T], total: int, noun: str, by: int = 1) -> Iterator[T]:
        for done, item in enumerate(items, start=1):
            yield item
            if done == total or done % by == 0:
                progress(done, total, noun)

    return track


_UNTOLD = by_callback(_nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    track: Track = _UNTOLD
    warn: Callable[[str], None] = _nothing
    begun: Callable[[str, int, int], None] = _nothing
    """Gets a run's signature and how many claims are left, of how many."""
    result: Callable[[Any], None] = _nothing
    """Gets results once on disk."""
    stage: Callable[[str], None] = _nothing

    def warn_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.warn(line)

    def keeping(self, told: list[str]) -> Observer:
        """Also adds warnings to `told`."""

        def warn(line: str) -> None:
            told.append(line)
            self.warn(line)

        return replace(self, warn=warn)


SILENT = Observer()
