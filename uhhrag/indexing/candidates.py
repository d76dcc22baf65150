"""Finds passages one claim ahead, in a thread, since C and numpy let the embedder run."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from uhhrag.indexing.bm25 import NAMES, best, scores_of
from uhhrag.indexing.choices import Tokenizer
from uhhrag.indexing.index_folder import Counts, IndexSettings
from uhhrag.records import Claim, Hit, Page, Passage
from uhhrag.store import knowledge_store
from uhhrag.store.knowledge_store import Skipped
from uhhrag.store.passages import distinct_lines, filled_lines, lines_of

A = TypeVar("A")
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Candidates:
    claim: Claim
    hits: tuple[Hit, ...]
    """Best first."""
    pages: tuple[Page, ...]
    counts: Counts
    first_skipped: str
    seconds: Mapping[str, float]
    """By stage."""


class Watch:
    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.laps[stage], self._last = now - self._last, now


PagesFor = Callable[[Claim], Iterable[Page | Skipped]]
"""A claim's pages, in order."""


def in_store(folder: Path) -> PagesFor:
    """Each claim's file. Raises InputError if unreadable."""
    return lambda claim: knowledge_store.pages(folder, claim.id)


def find(claim: Claim, pages_for: PagesFor, recipe: IndexSettings) -> Candidates:
    watch = Watch()
    pages, skipped = _split(pages_for(claim))
    watch.lap("read")
    distinct = distinct_lines(pages)
    watch.lap("unique")
    lines = distinct if recipe.unique else lines_of(pages)
    scores = scores_of(claim.text, lines.texts, _tokenizer(recipe))
    hits = tuple(
        Hit(Passage(lines.texts[i], lines.urls[i]), float(scores[i]))
        for i in best(scores, recipe.pool)
    )
    watch.lap("prefilter")
    counts = Counts(
        pages=len(pages),
        lines=sum(len(filled_lines(page)) for page in pages),
        unique=len(distinct.texts),
        kept=len(hits),
        mended=sum(page.mended for page in pages),
        skipped=len(skipped),
    )
    first = f"{skipped[0].place}: {skipped[0].why}" if skipped else ""
    return Candidates(claim, hits, tuple(pages), counts, first, watch.laps)


def _split(records: Iterable[Page | Skipped]) -> tuple[list[Page], list[Skipped]]:
    pages: list[Page] = []
    skipped: list[Skipped] = []
    for record in records:
        if isinstance(record, Page):
            pages.append(record)
        else:
            skipped.append(record)
    return pages, skipped


def _tokenizer(recipe: IndexSettings) -> Tokenizer:
    return next(tokenizer for tokenizer, name in NAMES.items() if name == recipe.prefilter)


def ahead(work: Callable[[A], B], items: Sequence[A]) -> Generator[Callable[[], B], None, None]:
    """A call per item gives its result or raises its error, in order. A thread works one item
    ahead; closing starts no more."""
    pool = ThreadPoolExecutor(1, thread_name_prefix="ahead")
    try:
        waiting = deque(pool.submit(work, item) for item in items[:1])
        for following in range(1, len(items) + 1):
            waiting.extend(pool.submit(work, item) for item in items[following : following + 1])
            yield waiting.popleft().result
    except GeneratorExit:
        # Not waited for: the garbage collector may close this in any thread, and up to Python 3.12
        # one that is just starting would hang.
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown(wait=False)
