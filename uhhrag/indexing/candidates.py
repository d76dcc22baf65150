"""What of a claim's store is worth embedding: read → unique → prefilter, one claim
ahead of the embedder, which takes far longer.

A thread suffices: reading is C, the fast words are numpy, and both let the embedder run.
"""

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
    """A claim's best passages, best first, the pages of its store, and what was counted there.
    `seconds` by stage."""

    claim: Claim
    hits: tuple[Hit, ...]
    pages: tuple[Page, ...]
    counts: Counts
    first_skipped: str
    seconds: Mapping[str, float]


class Watch:
    """The seconds between one lap and the next."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.laps[stage], self._last = now - self._last, now


PagesFor = Callable[[Claim], Iterable[Page | Skipped]]
"""The pages that a claim is checked against, in their order."""


def in_store(folder: Path) -> PagesFor:
    """The pages of each claim's file in a store. They raise InputError where it cannot be read."""
    return lambda claim: knowledge_store.pages(folder, claim.id)


def find(claim: Claim, pages_for: PagesFor, recipe: IndexSettings) -> Candidates:
    """The passages of a claim's pages that the recipe keeps. Raises what `pages_for` raises."""
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
    """A call for each item, in order, that gives `work` of it or raises what that raised. While
    the caller is busy with one item the next is worked on in a thread, and no other.

    Closing it begins no more; what has begun goes on to its end, and nobody takes it."""
    pool = ThreadPoolExecutor(1, thread_name_prefix="ahead")
    try:
        waiting = deque(pool.submit(work, item) for item in items[:1])
        for following in range(1, len(items) + 1):
            waiting.extend(pool.submit(work, item) for item in items[following : following + 1])
            yield waiting.popleft().result
    except GeneratorExit:
        # Not waited for: the garbage collector may close this, in any thread, and up to Python 3.12
        # a thread that it finds at its very start hangs where it has to wait for another.
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown(wait=False)
