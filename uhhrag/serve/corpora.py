"""What a claim can be checked against: folders of documents, one store of an index, or all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from uhhrag.pipeline import Method
from uhhrag.protocols import Corpus
from uhhrag.records import Claim, Hit, Page
from uhhrag.serve.own_documents import Sources
from uhhrag.views.searched import Documents

CorpusFor = Callable[[Claim], Corpus]


@dataclass(frozen=True, slots=True)
class Target:
    """One entry of the list that a person chooses from. `open` loads what a check needs, which can
    take long, so it is called only when the first claim is checked. For a collection of documents
    `documents` gives what there is in it and `sources` what of it can be opened."""

    name: str
    open: Callable[[], tuple[CorpusFor, Method]]
    documents: Callable[[], Documents | None] = lambda: None
    sources: Callable[[], Sources | None] = lambda: None


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
    of_url: dict[str, Claim] = {}
    counted: set[int] = set()
    removed: Counter[str] = Counter()

    def every_hit(query: str, top: int) -> Iterator[Hit]:
        for store in stores:
            corpus = corpus_for(store)
            if store.id not in counted:
                counted.add(store.id)
                removed.update(corpus.removed)
            for hit in corpus.search(query, top):
                for url in hit.passage.urls:
                    of_url.setdefault(url, store)
                yield hit

    def search(query: str, top: int, /) -> list[Hit]:
        best: dict[str, Hit] = {}
        for hit in every_hit(query, top):
            before = best.setdefault(hit.passage.text, hit)
            urls = tuple(dict.fromkeys((*before.passage.urls, *hit.passage.urls)))
            passage = replace(before.passage, urls=urls)
            best[passage.text] = Hit(passage, max(before.score, hit.score))
        return sorted(best.values(), key=lambda hit: -hit.score)[:top]

    def pages(url: str, /) -> tuple[Page, ...]:
        return corpus_for(of_url[url]).pages(url) if url in of_url else ()

    return Corpus(search, pages, removed)
