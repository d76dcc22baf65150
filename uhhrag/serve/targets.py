from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from uhhrag.archive.search import indexed_archive
from uhhrag.archive.snapshot import ArchivePages, Snapshot
from uhhrag.documents.reader_client import ReadingProcess
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.pipeline import Method
from uhhrag.protocols import EvidenceSource, Search
from uhhrag.records import Claim, Hit, Page, Passage
from uhhrag.system.checksummed_json import digest
from uhhrag.system.spare import spare_folder
from uhhrag.system.terminal import quantity
from uhhrag.views.searched import Documents, Searched, hashes_of, searched_with

SMALL = 50_000
"""Most sentences searched by meaning, in memory."""
QuickSearch = Callable[[DocumentIndex], Search | None]
CorpusFor = Callable[[Claim], EvidenceSource]
Doing = Callable[[str], None]
"""Gets each step, in words; raises to end the work."""
OpenArchive = Callable[[Snapshot, Callable[[], DocumentIndex], Doing], tuple[CorpusFor, Method]]
"""Loads models for an archive; the second argument gives its sentences."""


@dataclass(frozen=True, slots=True)
class Sources:
    pages: Mapping[str, tuple[Page, ...]]
    folder_of: Callable[[Page], Path | None]
    """None unless the page's file is as it was read."""
    drawing: threading.Lock = field(default_factory=threading.Lock)

    def file(self, page: Page) -> Path | None:
        """None if gone or outside its folder."""
        folder = self.folder_of(page) if page.file else None
        if folder is None:
            return None
        root = folder.resolve()
        path = root / unquote(page.file)
        inside = path.resolve().is_relative_to(root) and not path.is_symlink()
        return path if inside and path.is_file() else None

    def picture(self, path: Path, number: int, sentence: str) -> bytes:
        """PNG, or b"" if it cannot be drawn."""
        with self.drawing, spare_folder() as spare:
            spool = spare / "page.png"
            with ReadingProcess() as reader:
                fault = reader.render(path, number, sentence, spool)
            return b"" if fault else spool.read_bytes()


@dataclass(frozen=True)
class Searchable:
    snapshot: Snapshot
    index: Callable[[], DocumentIndex]
    search: QuickSearch

    @cached_property
    def ranked(self) -> Search | None:
        """By words and meaning, over all sentences if not too many."""
        small = self.snapshot.manifest.counts.lines <= SMALL
        return self.search(self.index()) if small else None

    def page(self, number: int) -> Page | None:
        """None if absent. Raises IndexFault if damaged."""
        there = 0 <= number < len(self.snapshot.live) and self.snapshot.live[number]
        return self.snapshot.page(number) if there else None


@dataclass(frozen=True, slots=True)
class Target:
    name: str
    """With its `size`."""
    open: Callable[[Doing], tuple[CorpusFor, Method]]
    """Loads corpus and method; slow."""
    searched: Callable[[], Searched | None] = lambda: None
    """What verdicts are made from."""
    files: Callable[[], Mapping[str, str]] = dict
    """SHA-256 by name."""
    sources: Callable[[], Sources | None] = lambda: None
    archive: Callable[[], Searchable | None] = lambda: None
    size: str = ""
    fault: str = ""
    """Why nothing can be checked, or ""."""
    folder: Path | None = None
    """Of its files, if people take them out."""


Targets = Mapping[str, Target]
"""By the key that forms send."""


def key_of(folder: Path) -> str:
    """Unique on this machine."""
    return f"docs-{digest(str(folder.resolve()))[:12]}"


def of_archive(
    snapshot: Snapshot,
    name: str,
    load: OpenArchive,
    header: Callable[[], Mapping[str, Any]],
    about: Callable[[], Documents],
    search: QuickSearch,
    folder: Path | None = None,
) -> Target:
    """`header` and `about` are called once it is loaded; `folder` has the files, if moved."""
    size = quantity(snapshot.manifest.counts.lines, "sentence")
    index = cache(partial(indexed_archive, snapshot))
    files = cache(lambda: hashes_of(snapshot.files))
    pages = cache(partial(ArchivePages, snapshot))

    @cache
    def searched() -> Searched:
        made = searched_with(header())
        return replace(made, documents=about(), files=files(), where=name)

    def folder_of(page: Page) -> Path | None:
        if folder is None:
            return pages().folder_of(page)
        return folder if pages().is_as_read(page, folder) else None

    return Target(
        f"{name}: {size}",
        partial(load, snapshot, index),
        searched,
        files,
        cache(lambda: Sources(pages(), folder_of)),
        cache(partial(Searchable, snapshot, index, search)),
        size,
        folder=folder,
    )


def of_index(
    name: str,
    prefix: str,
    claims: Sequence[Claim],
    load: Callable[[], tuple[CorpusFor, Method]],
    searched: Callable[[], Searched | None] = lambda: None,
) -> Targets:
    """All stores together, then each, by keys from `prefix`; dates are the checked claim's."""

    def target(which: str, stores: Sequence[Claim]) -> Target:
        def opened(_: Doing) -> tuple[CorpusFor, Method]:
            corpus_for, method = load()

            def corpus(claim: Claim) -> EvidenceSource:
                asked = [replace(claim, id=store.id) for store in stores]
                return whole(asked, corpus_for) if len(asked) > 1 else corpus_for(asked[0])

            return corpus, method

        return Target(f"{name}: {which}", opened, searched)

    every = {f"{prefix}-all": target(f"all {len(claims)} stores", claims)}
    return (every if len(claims) > 1 else {}) | {
        f"{prefix}-{one.id}": target(f"store of {one.id}. {one.text}", [one]) for one in claims
    }


def whole(stores: Sequence[Claim], corpus_for: CorpusFor) -> EvidenceSource:
    """Many corpora as one, loaded only while searched. A shared sentence has all addresses and its
    best score; ties keep the order of stores. The first search sums `removed`."""
    numbers: dict[tuple[int, int], int] = {}
    counted: set[int] = set()
    removed: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    of_id = {store.id: store for store in stores}

    def numbered(store: Claim, hit: Hit) -> Hit:
        places = tuple(
            replace(p, document=numbers.setdefault((store.id, p.document), len(numbers)))
            for p in hit.passage.places
        )
        return replace(hit, passage=replace(hit.passage, places=places))

    def every_hit(query: str, top: int) -> Iterator[Hit]:
        for store in stores:
            corpus = corpus_for(store)
            if store.id not in counted:
                counted.add(store.id)
                removed.update(corpus.removed)
                kept.update(corpus.kept)
            yield from (numbered(store, hit) for hit in corpus.search(query, top))

    def search(query: str, top: int, /) -> list[Hit]:
        best: dict[str, Hit] = {}
        for hit in every_hit(query, top):
            before = best.setdefault(hit.passage.text, hit)
            if before is not hit:
                hit = Hit(_together(before.passage, hit.passage), max(before.score, hit.score))
            best[hit.passage.text] = hit
        return sorted(best.values(), key=lambda hit: -hit.score)[:top]

    def document(number: int, /) -> Page | None:
        if not 0 <= number < len(numbers):
            return None
        store, own = list(numbers)[number]
        return corpus_for(of_id[store]).document(own)

    return EvidenceSource(search, document, removed, kept)


def _together(first: Passage, second: Passage) -> Passage:
    """Each address keeps its first place."""
    places = dict(zip(second.urls, second.places, strict=False))
    places |= dict(zip(first.urls, first.places, strict=False))
    urls = tuple(dict.fromkeys((*first.urls, *second.urls)))
    there = tuple(places[url] for url in urls if url in places)
    return replace(first, urls=urls, places=there if len(there) == len(urls) else ())
