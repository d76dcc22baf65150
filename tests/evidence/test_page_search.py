"""Pages as documents: search, metadata, windows of lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.small_store import corpus_of
from uhhrag.evidence.page_search import (
    PageHit,
    clipped,
    find_documents,
    names_in,
    origin,
    show,
    widened,
    window,
)
from uhhrag.records import Claim, Hit, Page, Passage

LINES = st.lists(st.text("ab c", max_size=8), max_size=12)


def page(name: str, *lines: str, **more: str) -> Page:
    return Page(f"https://{name}.example/x", lines, **more)


BRIDGE = page(
    "bridge", "It is old.", "The bridge opened in May.", "It rained.", title="A", date="2018-05-02"
)
MIRROR = page("mirror", "The bridge opened in May.", "Nothing else.")
RIVER = page("2019/06/07", "The river is wide in May.")


def test_a_search_gives_one_document_a_page_best_first():
    found = find_documents(corpus_of(BRIDGE, RIVER), "bridge opened in May", 10)
    assert [d.url for d in found] == [BRIDGE.url, RIVER.url]
    assert found[0].text == "The bridge opened in May."
    assert (found[0].title, found[0].date, found[0].site) == ("A", "2018-05-02", "bridge.example")


def test_a_date_can_stand_in_the_address_alone():
    dated = Page("https://a.example/2019/06/07/river", ("The river is wide.",))
    (found,) = find_documents(corpus_of(dated), "river", 10)
    assert (found.date, found.title) == ("2019-06-07", "")


def test_a_sentence_on_two_pages_is_one_document_of_the_first():
    found = find_documents(corpus_of(BRIDGE, MIRROR), "The bridge opened in May.", 1)
    assert [d.url for d in found] == [BRIDGE.url]


def test_what_shares_nothing_with_the_query_is_no_hit():
    assert find_documents(corpus_of(BRIDGE), "zebra", 10) == ()
    assert find_documents(corpus_of(), "zebra", 10) == ()


def test_an_index_without_pages_still_gives_documents():
    (found,) = find_documents(corpus_of(RIVER, kept=False), "river", 10)
    assert (found.url, found.title, found.date) == (RIVER.url, "", "")
    assert widened(found, corpus_of(RIVER, kept=False).document, 5, 0.7) is None


def test_a_passage_without_a_url_is_a_document_of_its_own():
    nowhere = Page("", ("The river is wide.", "The river is long."))
    found = find_documents(corpus_of(nowhere), "The river is", 10)
    assert [(d.url, d.site) for d in found] == [("", "")] * 2


@pytest.mark.parametrize(
    ("hit", "expected"),
    [
        (4, [2, 3, 4, 5, 6]),  # the middle one of five windows
        (0, [0, 1, 2, 3, 4]),
        (1, [1, 2, 3, 4, 5]),  # of two windows the later
        (9, [5, 6, 7, 8, 9]),
    ],
)
def test_the_window_is_the_middle_one_that_covers_the_hit(hit, expected):
    lines = [f"line number {i}{i}" for i in range(10)]
    lines[hit] = "the bridge opened to traffic"
    assert window(lines, lines[hit], 5, 0.7) == tuple(lines[i] for i in expected)


def test_a_window_must_cover_more_than_the_share():
    lines = ("one two three four five six seven", "x", "y", "z", "u", "v")
    ten = "one two three four five six seven eight nine ten"
    assert window(lines, ten, 5, 0.7) == ()
    assert window(lines, ten, 5, 0.69) == lines[:5]


def test_a_short_page_is_one_window_and_an_empty_one_none():
    assert window(("a b", "c"), "a b", 5, 0.7) == ("a b", "c")
    assert window((), "a b", 5, 0.7) == ()
    assert window(("a", "b"), "?!", 5, 0.7) == ()


@given(LINES, st.integers(1, 6))
def test_a_line_with_words_is_in_its_window(lines, width):
    for line in lines:
        held = window(lines, line, width, 0.7)
        if line.strip():
            assert len(held) == min(width, len(lines))
            words = set(line.split())
            assert words <= {word for other in held for word in other.split()} or len(words) > 3


def test_a_line_that_begins_with_more_white_space_than_is_shown_is_clipped():
    assert clipped(" " * 12 + "It rained.", 9) == " …"


def test_of_several_pages_with_one_url_the_one_with_the_hit_is_read():
    other = Page(BRIDGE.url, ("Something else.",))
    (found,) = find_documents(corpus_of(other, BRIDGE), "bridge opened", 1)
    wide = widened(found, corpus_of(other, BRIDGE).document, 2, 0.7)
    assert wide.text == "The bridge opened in May.\nIt rained."


def test_of_several_pages_with_one_url_the_one_with_the_hit_gives_title_and_date():
    other = Page(BRIDGE.url, ("Something else.",), title="B", date="2020-01-01")
    found = find_documents(corpus_of(other, BRIDGE), "bridge opened in May", 1)[0]
    assert (found.title, found.date) == ("A", "2018-05-02")


def test_documents_are_numbered_and_tell_what_is_known():
    hit = Hit(Passage("x"), 1.0)
    shown = [
        PageHit(hit, "It rained.", "https://a.example/x", "Rain", "2018-05-02"),
        PageHit(hit, "It did not."),
    ]
    told = "Document 1 (Rain, from a.example, published 2018-05-02):\nIt rained.\n\n"
    assert show(shown, metadata=True, clip=99) == told + "Document 2:\nIt did not."
    assert "(Rain" not in show(shown, metadata=False, clip=99)


@given(st.text(), st.integers(1, 30))
def test_a_clipped_text_is_no_longer_than_its_limit_a_line(text, limit):
    for line in clipped(text, limit).split("\n"):
        assert len(line) <= limit + 2


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Did Ada Brook lie?", "Ada Brook"),
        ("it rained.", ""),
        ("He said “Never” in the UK on 5 May, in 2019.", "Never UK 5 May 2019"),
        ("", ""),
        ("Who?  Ada? Ada Ada", "Ada"),
    ],
)
def test_names_are_capitalised_words_that_do_not_begin_a_sentence(text, names):
    assert names_in(text) == names


@given(st.text())
def test_looking_for_names_never_raises(text):
    names_in(text)


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        (Claim(0, "x", "31-10-2020", "Ada Brook"), " (by Ada Brook on 31-10-2020)"),
        (Claim(0, "x", None, "Ada Brook"), " (by Ada Brook)"),
        (Claim(0, "x", "31-10-2020"), " (on 31-10-2020)"),
        (Claim(0, "x", None, "https://a.example/who"), ""),
        (Claim(0, "x"), ""),
    ],
)
def test_who_claimed_it_and_when_is_told_where_it_is_known(claim, told):
    assert origin(claim) == told
