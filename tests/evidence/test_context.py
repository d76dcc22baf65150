"""How much of a page a vote reads, and which sentence of it was found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.errors import UsageError
from uhhrag.evidence.context import SENTENCE, Granularity, reach, read_granularity, widen
from uhhrag.records import Evidence, Page, Place

PAGES = (
    Page("u", ("One.", "Two.", "Three.", "Four.", "Five.")),
    Page("v", ("Other.",)),
    Page("v", ("Six.", "Seven.", "Six.", "Eight.")),
)


def at(document: int, line: int) -> Evidence:
    page = PAGES[document]
    return Evidence("Q?", page.lines[line], (page.url,), places=(Place(document, line),))


def widened(granularity: str, *evidence: Evidence) -> list[tuple[str, str]]:
    found = widen(evidence, PAGES.__getitem__, read_granularity(granularity), "")
    return [(item.answer, item.sentence) for item in found]


def test_a_sentence_is_left_as_it_is():
    evidence = (at(0, 1),)
    assert widen(evidence, PAGES.__getitem__, SENTENCE, "") == evidence


def test_a_window_has_its_neighbours_and_says_which_sentence_was_found():
    assert widened("window:1", at(0, 1)) == [("One. Two. Three.", "Two.")]


def test_a_window_ends_where_the_document_does():
    assert widened("window:2", at(0, 4)) == [("Three. Four. Five.", "Five.")]


def test_a_document_is_all_of_the_page_that_holds_the_sentence():
    assert widened("document", at(2, 1)) == [("Six. Seven. Six. Eight.", "Seven.")]


def test_of_equal_lines_the_one_that_was_found_has_its_own_neighbours():
    assert widened("window:1", at(2, 0)) == [("Six. Seven.", "Six.")]
    assert widened("window:1", at(2, 2)) == [("Seven. Six. Eight.", "Six.")]


def test_two_sentences_of_one_document_vote_once_with_the_best_ranked():
    first, second = at(0, 1), at(0, 3)
    assert widened("document", first, second) == [("One. Two. Three. Four. Five.", "Two.")]


def test_passages_read_what_was_found_close_together_once():
    assert widened("passages", at(0, 1), at(1, 0), at(0, 2)) == [
        ("One. Two. Three. Four. Five.", "Two."),
        ("Other.", "Other."),
    ]


def test_what_is_no_line_of_a_page_is_left_as_it_is():
    own = replace(at(0, 1), answer="My own words.")
    assert widened("document", own) == [("My own words.", "")]
    assert widened("document", Evidence("Q?", "Two.", ("nowhere",))) == [("Two.", "")]


@pytest.mark.parametrize(
    "text",
    ["", "window", "window:0", "window:-1", "window:x", "window:٣", "paragraph", "document:1"],
)
def test_a_granularity_that_is_none_is_refused_with_those_that_are(text):
    with pytest.raises(UsageError, match="sentence, passages, window:N, document"):
        read_granularity(text)


@pytest.mark.parametrize("text", ["sentence", "window:3", "document"])
def test_a_granularity_is_written_as_it_is_read(text):
    assert str(read_granularity(text)) == text
    assert bool(read_granularity(text)) == (text != "sentence")


@given(
    st.lists(st.text("ab ", min_size=1, max_size=9), min_size=1, max_size=12),
    st.data(),
    st.integers(0, 40),
    st.one_of(st.none(), st.integers(0, 5)),
)
def test_what_is_reached_is_whole_lines_around_the_sentence_within_the_limit(
    lines, data, longest, around
):
    line = data.draw(st.integers(0, len(lines) - 1))
    held = reach(lines, line, around, longest)
    assert line in held
    assert 0 <= held.start < held.stop <= len(lines)
    assert sum(len(lines[i]) for i in held) <= max(longest, len(lines[line]))
    if around is not None:
        assert held.start >= line - around
        assert held.stop <= line + around + 1
    if longest >= sum(map(len, lines)):
        whole = around is None
        assert held.start == (0 if whole else max(0, line - around))
        assert held.stop == (len(lines) if whole else min(len(lines), line + around + 1))


def test_the_default_is_the_papers():
    assert Granularity() == SENTENCE
    assert not SENTENCE
