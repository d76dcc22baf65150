"""What a claim can be checked against: folders of documents, one store of an index, or all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from uhhrag.pipeline import Method
from uhhrag.protocols import Corpus
from uhhrag.records import Claim, Hit, Page, Passage
from uhhrag.serve.archives import Searchable
from uhhrag.serve.own_documents import Sources
from uhhrag.views.searched import Searched

CorpusFor = Callable[[Claim], Corpus]


@dataclass(frozen=True, slots=True)
class Target:
    """One entry of the list that a person chooses from. `open` loads what a check needs, which can
    take long, so it is called only when the first claim is checked. `searched` gives what a verdict
    is made from, once that is open. For documents `files` gives the SHA-256 of each file by its
    name, `sources` what of them can be opened, and `archive` what can be searched."""

    name: str
    """with its `size`"""
    open: Callable[[], tuple[CorpusFor, Method]]
    searched: Callable[[], Searched | None] = lambda: None
    files: Callable[[], Mapping[str, str]] = dict
    sources: Callable[[], Sources | None] = lambda: None
    archive: Callable[[], Searchable | None] = lambda: None
    size: str = ""


Targets = Mapping[str, Target]
"""The targets that a person chooses from, by the key that forms send."""


def of_index(
    name: str, claims: Sequence[Claim], load: Callable[[], tuple[CorpusFor, Method]]
) -> Targets:
    """All stores of an index together, then each claim's own. Limits count from the date of the
    claim that is checked."""

    def one(store: Claim) -> Callable[[], tuple[CorpusFor, Method]]:
        def opened() -> tuple[CorpusFor, Method]:
            corpus_for, method = load()
            return lambda claim: corpus_for(_as(store, claim)), method

        return opened

    def every() -> tuple[CorpusFor, Method]:
        corpus_for, method = load()
        return lambda claim: whole([_as(store, claim) for store in claims], corpus_for), method

    targets = {"all": Target(f"{name}: all {len(claims)} stores", every)} if len(claims) > 1 else {}
    for store in claims:
        targets[f"store-{store.id}"] = Target(
            f"{name}: store of {store.id}. {store.text}", one(store)
        )
    return targets


def _as(store: Claim, claim: Claim) -> Claim:
    return replace(claim, id=store.id)


def whole(stores: Sequence[Claim], corpus_for: CorpusFor) -> Corpus:
    """Many corpora as one. Each is loaded for the time it is searched, since all of them may not
    fit into memory. A sentence of several has all their addresses and its best score, and ties
    keep the order of the stores. `removed` is filled by the first search, since only then the
    stores are read: for each limit the sum over the stores."""
    numbers: dict[tuple[int, int], int] = {}
    counted: set[int] = set()
    removed: Counter[str] = Counter()
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

    return Corpus(search, document, removed)


def _together(first: Passage, second: Passage) -> Passage:
    """A passage of two stores: all its addresses, each with the place where it was seen first."""
    places = dict(zip(second.urls, second.places, strict=False))
    places |= dict(zip(first.urls, first.places, strict=False))
    urls = tuple(dict.fromkeys((*first.urls, *second.urls)))
    there = tuple(places[url] for url in urls if url in places)
    return replace(first, urls=urls, places=there if len(there) == len(urls) else ())
