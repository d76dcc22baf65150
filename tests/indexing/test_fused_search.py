"""A search by four rankings at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from uhhrag.backends.fakes import hashing_embedder
from uhhrag.indexing.fused_search import fused_search, views_of
from uhhrag.protocols import Search
from uhhrag.records import Page, Passage, Place

_LINES = (
    "The ferry carried 5,379,475 people.",
    "It was sold to a firm in Lunde.",
    "Cars pay more.",
    "Nobody was hurt.",
    "The weather was fine.",
)
_PAGE = Page("", _LINES, title="Harbour", sections=((-1, "Traffic"),))


def nothing_alike(texts: Sequence[str]) -> NDArray[np.float32]:
    """Vectors that rank nothing."""
    return np.ones((len(texts), 4), np.float32) / 2


def search(pages: Sequence[Page], vectors: bool = True, most_rows: int | None = None) -> Search:
    embed = hashing_embedder() if vectors else nothing_alike
    found = [
        Passage(text, ("",), (Place(number, line),))
        for number, page in enumerate(pages)
        for line, text in enumerate(page.lines)
    ]
    views = views_of(found, [p.text for p in found], pages.__getitem__, embed, embed)
    return fused_search(found, views, embed, embed, most_rows)


def texts_of(found: Search, query: str, top: int) -> list[str]:
    return [hit.passage.text for hit in found(query, top)]


def test_a_number_is_found_in_another_notation() -> None:
    assert texts_of(search([_PAGE], vectors=False), "5379475 passengers", 1) == [_LINES[0]]


def test_a_sentence_is_found_by_what_stands_before_it_and_above_it() -> None:
    other = Page("", ("It was sold to a firm in Lunde.", "Rain fell."), title="Mill")
    claim = "Harbour traffic: the ferry was sold to a firm."
    (hit,) = search([other, _PAGE])(claim, 1)
    assert (hit.passage.text, hit.passage.places) == (_LINES[1], (Place(1, 1),))
    (hit,) = search([_PAGE, other])("The mill was sold to a firm.", 1)
    assert hit.passage.places == (Place(1, 0),)


def test_hits_come_once_with_the_cosine_of_their_sentence() -> None:
    hits = search([_PAGE])("Nobody was hurt.", 10)
    assert len(hits) == len({hit.passage.places for hit in hits}) == len(_LINES)
    assert hits[0].passage.text == "Nobody was hurt."
    assert round(hits[0].score, 4) == 1


def test_nothing_is_found_in_nothing() -> None:
    assert search([])("Anything?", 5) == []


def test_rows_of_a_long_table_do_not_push_others_out() -> None:
    rows = tuple(f"Month: {month}; Ferry passengers: {month}00" for month in range(1, 9))
    table = Page("", ("Ferry passengers by month", *rows))
    prose = Page("", ("The ferry lost a fifth of its passengers.", "Rain fell."))
    claim = "Passengers of the ferry by month"
    plain, varied = (
        [hit.passage.text for hit in search([table, prose], most_rows=most)(claim, 6)]
        for most in (None, 3)
    )
    assert sum(text in rows for text in plain) > 3 == sum(text in rows for text in varied)
    assert {*table.lines[:1], *prose.lines} < {*varied}
    assert len(search([table, prose], most_rows=3)(claim, 99)) == 11


def test_a_row_with_the_claims_rare_words_is_found_although_all_vectors_rank_others_first() -> None:
    lines = (*(f"Ferry {number} sails on time." for number in range(11)), "id: 4; title: HUSH")
    place = {text: number for number, text in enumerate(lines)}

    def as_they_stand(texts: Sequence[str]) -> NDArray[np.float32]:
        """The later a line stands, the farther from any claim it is."""
        angles = [next((n for t, n in place.items() if t in text), 0) / 10 for text in texts]
        return np.array([(np.cos(a), np.sin(a)) for a in angles], np.float32)

    found = [Passage(text, ("",), (Place(0, n),)) for n, text in enumerate(lines)]
    views = views_of(found, lines, {0: Page("", lines)}.get, as_they_stand, as_they_stand)
    assert lines[-1] in texts_of(
        fused_search(found, views, as_they_stand, as_they_stand), "HUSH", 6
    )
