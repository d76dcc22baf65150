"""Pages in chunks of whole lines, as FZI-WIM's approach reads them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from uhhrag.evidence.chunks import Chunk, chunks_of, pack
from uhhrag.records import Hit, Page, Passage, Place

PAGES = (
    Page("https://a.example", ("The bridge at Varnby opened in May 2019.", "It is blue.")),
    Page("https://b.example", ("Buses use the bridge.", "No ship passes.", "Snow fell.")),
)


SENTENCES = [
    Passage(line, (page.url,), (Place(document, number),))
    for document, page in enumerate(PAGES)
    for number, line in enumerate(page.lines)
]


def words(text: str) -> int:
    return len(text.split())


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 12))
def test_packed_chunks_hold_every_line_in_order_and_fit(lengths, room):
    lines = [" ".join("w" * n) for n in lengths]
    ranges = list(pack(lines, room, words))
    assert [i for each in ranges for i in each] == list(range(len(lines)))
    for each in ranges:
        assert len(each) == 1 or sum(lengths[i] for i in each) <= room


def test_chunks_are_those_that_hold_a_hit_each_once():
    hits = [Hit(sentence, 0.5) for sentence in SENTENCES]
    found = chunks_of([hits[4], hits[0], hits[1]], PAGES.__getitem__, 4, words)
    assert found == [
        Chunk("Snow fell.", "https://b.example", 0.5, Place(1, 2)),
        Chunk("The bridge at Varnby opened in May 2019.", "https://a.example", 0.5, Place(0, 0)),
        Chunk("It is blue.", "https://a.example", 0.5, Place(0, 1)),
    ]


def test_a_chunk_has_the_score_of_its_best_hit():
    hits = [Hit(SENTENCES[0], 0.2), Hit(SENTENCES[1], 0.7)]
    assert [chunk.score for chunk in chunks_of(hits, PAGES.__getitem__, 99, words)] == [0.7]


def test_a_hit_whose_page_is_not_kept_is_a_chunk_by_itself():
    assert chunks_of([Hit(Passage("Alone."), 1.0)], PAGES.__getitem__, 9, words) == [
        Chunk("Alone.", "", 1.0)
    ]
