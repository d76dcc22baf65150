"""Lines of a store, each once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.support.small_store import unique
from uhhrag.records import Page, Passage
from uhhrag.store.passages import distinct_lines


def passages(pages: list[Page]) -> tuple[Passage, ...]:
    found = distinct_lines(pages)
    return tuple(map(Passage, found.texts, found.urls))


def test_each_line_keeps_first_seen_order_and_every_url_once():
    seen = [("b", "1"), ("a", "1"), ("b", "2"), ("b", "1"), ("B", "3"), ("a ", "4")]
    assert passages([Page(url, (text,)) for text, url in seen]) == (
        Passage("b", ("1", "2")),
        Passage("a", ("1",)),
        Passage("B", ("3",)),
        Passage("a ", ("4",)),
    )


def test_no_page_has_no_line():
    assert passages([]) == ()


pages = st.builds(Page, st.sampled_from(("", *"xyz")), st.lists(st.sampled_from("abc ")).map(tuple))


@given(st.lists(pages))
def test_no_text_and_no_url_is_lost(read):
    lines = [(line, page.url) for page in read for line in page.lines if line.strip()]
    given_passages = [Passage(line, (url,) if url else ()) for line, url in lines]
    assert passages(read) == unique(given_passages)
