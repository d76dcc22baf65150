"""Fuses vectors of sentences, cheaper ones below headings and in context, and BM25."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from uhhrag.evidence.fusion import best_of
from uhhrag.evidence.rows import tables_in
from uhhrag.indexing.bm25 import okapi_of
from uhhrag.indexing.term_counts import Postings, postings
from uhhrag.protocols import Embedder, NumberedDocuments, Search
from uhhrag.records import Hit, Page, Passage
from uhhrag.text.numerals import search_words
from uhhrag.text.pronouns import lead, line_above

MOST_ROWS = 3
"""Of a table, before all other sentences: a claim's own rows are read beside them anyway."""
_CONSTANT, _WORDS = 10, 2
"""Of the fusion, and how often BM25 counts: of 694 claims about 108 own documents all deciding
sentences are among ten of .896, with 60 and 1 of .863."""
RANKINGS = (
    f"BM25 ({_WORDS} times) and vectors of sentences, below headings and in context, fused with "
    f"{_CONSTANT}; first at most {MOST_ROWS} rows of a table"
)
"""For signatures."""
DEPTH = 100
"""Sentences counted per ranking."""


Table = tuple[int, int]
"""Numbers of its document and first line."""


@dataclass(frozen=True, slots=True)
class Views:
    """A row per sentence."""

    vectors: NDArray[np.float32]
    headed: NDArray[np.float32]
    after: NDArray[np.float32]
    words: Postings
    tables: tuple[Table | None, ...] = ()
    """None for what is no row."""


def views_of(
    passages: Sequence[Passage],
    texts: Sequence[str],
    document: NumberedDocuments,
    embed: Embedder,
    cheap: Embedder,
) -> Views:
    """`embed` is for `texts`, `cheap` for headings and context."""
    around = [(*_around(passage, document), passage.text) for passage in passages]
    headed = [f"{headings} {text}" for headings, _, text in around]
    after = [f"{before} {text}" for _, before, text in around]
    if not passages:
        return Views(*(np.empty((0, 0), np.float32),) * 3, postings(()))
    words = postings(map(search_words, headed))
    return Views(embed(texts), cheap(headed), cheap(after), words, _tables(passages, document))


def fused_search(
    passages: Sequence[Passage],
    views: Views,
    embed: Embedder,
    cheap: Embedder,
    most_rows: int | None = None,
) -> Search:
    """In fused order, `most_rows` of a table before all others; scores are cosines to the query."""

    @cache
    def search(query: str, top: int, /) -> list[Hit]:
        if not passages:
            return []
        own, other = embed([query])[0], cheap([query])[0]
        cosines = views.vectors @ own
        scores = [cosines, views.headed @ other, views.after @ other]
        scores.append(okapi_of(search_words(query), views.words))
        rankings = [np.argsort(-s, kind="stable")[: max(DEPTH, top)].tolist() for s in scores]
        rankings += rankings[-1:] * (_WORDS - 1)
        best = best_of(rankings, top if most_rows is None else len(passages), _CONSTANT)
        best = best if most_rows is None else _varied(best, views.tables, most_rows)
        return [Hit(passages[n], float(cosines[n])) for n in best[:top]]

    return search


def _varied(best: Sequence[int], tables: Sequence[Table | None], most: int) -> list[int]:
    """
    >>> _varied([3, 1, 0, 2], [(0, 7), (0, 7), None, (0, 7)], 2)
    [3, 1, 2, 0]
    """
    taken = Counter[Table | None]()
    first: list[int] = []
    rest: list[int] = []
    for number in best:
        table = tables[number]
        taken[table] += 1
        (first if table is None or taken[table] <= most else rest).append(number)
    return [*first, *rest]


def _tables(passages: Sequence[Passage], document: NumberedDocuments) -> tuple[Table | None, ...]:
    @cache
    def starts(number: int) -> list[int]:
        page = document(number)
        return tables_in(page.lines) if page else []

    def table_of(passage: Passage) -> Table | None:
        for place in passage.places[:1]:
            if (start := starts(place.document)[place.line]) >= 0:
                return place.document, start
        return None

    return tuple(map(table_of, passages))


def _around(passage: Passage, document: NumberedDocuments) -> tuple[str, str]:
    """Headings above, and the sentence before."""
    page: Page | None = document(passage.places[0].document) if passage.places else None
    if page is None:
        return "", ""
    line = passage.places[0].line
    return lead((page.title, page.section(line)), ""), line_above(page.lines, line)
