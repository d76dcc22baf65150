"""Passages of a store, each once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from uhhrag.records import Passage
from uhhrag.store.passages import unique


def test_unique_keeps_first_seen_order_and_every_url_once():
    seen = [("b", "1"), ("a", "1"), ("b", "2"), ("b", "1"), ("B", "3"), ("a ", "4")]
    assert unique(Passage(text, (url,)) for text, url in seen) == (
        Passage("b", ("1", "2")),
        Passage("a", ("1",)),
        Passage("B", ("3",)),
        Passage("a ", ("4",)),
    )


def test_unique_of_nothing_is_nothing():
    assert unique([]) == ()


passages = st.builds(
    Passage, st.sampled_from("abcd"), st.lists(st.sampled_from("xyz"), max_size=3).map(tuple)
)


@given(st.lists(passages))
def test_unique_loses_no_text_and_no_url_and_twice_changes_nothing(given_passages):
    once = unique(given_passages)
    assert unique(once) == once
    assert [p.text for p in once] == list(dict.fromkeys(p.text for p in given_passages))
    for passage in once:
        urls = [url for p in given_passages if p.text == passage.text for url in p.urls]
        assert passage.urls == tuple(dict.fromkeys(urls))
