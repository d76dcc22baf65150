from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from uhhrag.pipeline import Method
from uhhrag.protocols import EvidenceSource
from uhhrag.records import Claim, Hit, Page, Passage
from uhhrag.serve.own_documents import Searchable, Sources
from uhhrag.system.checksummed_json import digest
from uhhrag.views.searched import Searched

CorpusFor = Callable[[Claim], EvidenceSource]
Doing = Callable[[str], None]
"""Gets each step, in words; raises to end the work."""


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


Targets = Mapping[str, Target]
"""By the key that forms send."""


def key_of(folder: Path) -> str:
    """Unique on this machine."""
    return f"docs-{digest(str(folder.resolve()))[:12]}"


def of_index(
    name: str, prefix: str, claims: Sequence[Claim], load: Callable[[], tuple[CorpusFor, Method]]
) -> Targets:
    """All stores together, then each, by keys from `prefix`; dates are the checked claim's."""

    def one(store: Claim) -> Callable[[Doing], tuple[CorpusFor, Method]]:
        def opened(_: Doing) -> tuple[CorpusFor, Method]:
            corpus_for, method = load()
            return lambda claim: corpus_for(_as(store, claim)), method

        return opened

    def every(_: Doing) -> tuple[CorpusFor, Method]:
        corpus_for, method = load()
        return lambda claim: whole([_as(store, claim) for store in claims], corpus_for), method

    together = Target(f"{name}: all {len(claims)} stores", every)
    targets = {f"{prefix}-all": together} if len(claims) > 1 else {}
    for store in claims:
        targets[f"{prefix}-{store.id}"] = Target(
            f"{name}: store of {store.id}. {store.text}", one(store)
        )
    return targets


def _as(store: Claim, claim: Claim) -> Claim:
    return replace(claim, id=store.id)


def whole(stores: Sequence[Claim], corpus_for: CorpusFor) -> EvidenceSource:
    """Many corpora as one, loaded only while searched. A shared sentence has all addresses and its
    best score; ties keep the stores' order. The first search fills `removed` with sums."""
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
    """Each address has its first place."""
    places = dict(zip(second.urls, second.places, strict=False))
    places |= dict(zip(first.urls, first.places, strict=False))
    urls = tuple(dict.fromkeys((*first.urls, *second.urls)))
    there = tuple(places[url] for url in urls if url in places)
    return replace(first, urls=urls, places=there if len(there) == len(urls) else ())
