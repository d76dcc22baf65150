"""A claim's index as bytes. Passages are found one claim ahead, in a thread, and embedded best
first, by reciprocal ranks of BM25 and static vectors, until nothing more is near."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from uhhrag.evidence.fusion import best_of
from uhhrag.indexing import index_folder
from uhhrag.indexing.bm25 import NAMES, best, scores_of
from uhhrag.indexing.index_folder import ClaimManifest, Counts, IndexSettings
from uhhrag.protocols import Embedder
from uhhrag.records import Claim, Hit, Page, Passage
from uhhrag.store import knowledge_store
from uhhrag.store.knowledge_store import Skipped
from uhhrag.store.passages import distinct_lines, filled_lines, lines_of
from uhhrag.system.checksums import sha256

STATIC = "static vectors"
NEAREST = 10
"""Passages that a patience watches."""
STEP = 256
"""Passages at a time."""
READ = 1000
"""Characters of a passage in its static vector."""
A = TypeVar("A")
B = TypeVar("B")


def rank_order(claim: str, texts: Sequence[str], static: Embedder | None) -> NDArray[np.int64]:
    """Likeliest first, ties by index. `texts` come in BM25's order, which stands without
    `static`."""
    ranks = np.arange(len(texts))
    if static is None or not texts:
        return ranks
    cosines = static_cosines(claim[:READ], [text[:READ] for text in texts], static)
    by_vectors = np.argsort(-cosines, kind="stable")
    return np.array(best_of([ranks.tolist(), by_vectors.tolist()], len(texts)))


def static_cosines(query: str, texts: Sequence[str], static: Embedder) -> NDArray[np.float32]:
    """To six digits, shape (texts,)."""
    rows = static([query, *texts])
    # No product of matrices, whose last digits may depend on the number of threads.
    cosines: NDArray[np.float32] = (rows[1:] * rows[0]).sum(axis=1).round(6)
    return cosines


def embed_until(
    steps: Iterable[NDArray[np.float32]], claim: NDArray[np.float32], patience: int
) -> NDArray[np.float32]:
    """Shape (passages, dimension), until `patience` in a row are outside the claim's NEAREST."""
    taken: list[NDArray[np.float32]] = []
    nearest, fruitless = np.full(NEAREST, -np.inf, np.float32), 0
    for vectors in steps:
        taken.append(vectors)
        now = np.sort(np.concatenate([nearest, vectors @ claim]))[-NEAREST:]
        fruitless = 0 if now[0] > nearest[0] else fruitless + len(vectors)
        nearest = now
        if fruitless >= patience:
            break
    return np.concatenate(taken)


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


def digest_of(pages: Iterable[Page | Skipped]) -> str:
    """Of what evidence is made of; a store file's layout does not count."""
    read = (page for page in pages if isinstance(page, Page))
    said = [(page.url, page.lines, page.title, page.author, page.date) for page in read]
    return sha256(repr(said))


def find(claim: Claim, pages_for: PagesFor, recipe: IndexSettings) -> Candidates:
    watch = Watch()
    records = list(pages_for(claim))
    pages = [record for record in records if isinstance(record, Page)]
    skipped = [record for record in records if isinstance(record, Skipped)]
    watch.lap("read")
    distinct = distinct_lines(pages)
    watch.lap("unique")
    lines = distinct if recipe.unique else lines_of(pages)
    tokenizer = next(one for one, name in NAMES.items() if name == recipe.prefilter)
    scores = scores_of(claim.text, lines.texts, tokenizer)
    kept = best(scores, recipe.pool)
    hits = tuple(Hit(Passage(lines.texts[i], lines.urls[i]), float(scores[i])) for i in kept)
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


def ahead(work: Callable[[A], B], items: Sequence[A]) -> Generator[Callable[[], B], None, None]:
    """A call per item, in order, gives its result or error; a thread works one ahead."""
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


@dataclass(frozen=True, slots=True)
class BuiltClaim:
    manifest: ClaimManifest
    files: Mapping[str, bytes]
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ClaimOutcome:
    """A manifest, or an `error`."""

    claim: Claim
    manifest: ClaimManifest | None
    error: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage; empty if indexed before."""


def build_claim(
    candidates: Candidates, recipe: IndexSettings, embed: Embedder, static: Embedder | None
) -> BuiltClaim:
    watch = Watch()
    places, rows = _embedded(candidates, recipe, embed, static)
    hits = tuple(candidates.hits[place] for place in places)
    watch.lap("embed")
    files = index_folder.contents(hits, rows, candidates.pages)
    counts = replace(candidates.counts, kept=len(hits))
    hashes = {name: sha256(content) for name, content in files.items()}
    skipped, digest = candidates.first_skipped, digest_of(candidates.pages)
    manifest = ClaimManifest(candidates.claim, recipe, counts, skipped, hashes, digest)
    watch.lap("write")
    return BuiltClaim(manifest, files, {**candidates.seconds, **watch.laps})


def _embedded(
    candidates: Candidates, recipe: IndexSettings, embed: Embedder, static: Embedder | None
) -> tuple[Sequence[int], NDArray[np.float32]]:
    """Indices and vectors of embedded passages, in pool order."""
    texts = [hit.passage.text for hit in candidates.hits]
    if not texts:
        return (), np.empty((0, recipe.embedder.dimension), np.float32)
    if not recipe.patience:
        return range(len(texts)), embed(texts)
    ordered = rank_order(candidates.claim.text, texts, static if recipe.order else None)
    claim = embed([candidates.claim.text])[0]
    parts = (ordered[start : start + STEP] for start in range(0, len(ordered), STEP))
    steps = (embed([texts[place] for place in part]) for part in parts)
    rows = embed_until(steps, claim, recipe.patience)
    places = ordered[: len(rows)]
    by_place = np.argsort(places)
    return places[by_place].tolist(), rows[by_place]
