"""What is found close together is read together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.evidence.steps import locate
from uhhrag.evidence.windows import APART, ReadWindow, in_windows, window_text
from uhhrag.evidence.windows import windows as windows_of
from uhhrag.records import Evidence, Page, Place

_FERRY = Page(
    "",
    (
        "History",
        "The ferry was built in 1911.",
        "It sank.",
        "All lived.",
        "It was raised.",
        "Fares",
        "Cars pay more.",
    ),
    title="Ferry",
    sections=((0, "History"), (5, "Fares")),
)
_DOCUMENTS = [_FERRY].__getitem__


def windows(
    found: list[tuple[int, int]], pages: list[Page], most: int, longest: int = 400
) -> list[ReadWindow]:
    return windows_of([Place(*place) for place in found], pages.__getitem__, most, longest)


def test_neighbours_are_one_window_with_both_marked() -> None:
    (window,) = windows([(0, 2), (0, 1)], [_FERRY], 3)
    assert window == ReadWindow(0, (1, 2, 3, 4), (2, 1))
    assert window_text(window, _FERRY) == (
        "Ferry. History. » The ferry was built in 1911. « » It sank. « All lived. It was raised."
    )


def test_another_section_is_another_window_under_its_own_heading() -> None:
    first, second = windows([(0, 6), (0, 2)], [_FERRY], 3)
    assert window_text(first, _FERRY) == "Ferry. Fares. » Cars pay more. «"
    assert second.found == (2,)
    assert not {5, 6} & set(second.lines)


def test_a_heading_that_was_found_is_read_with_what_it_heads() -> None:
    (window,) = windows([(0, 5)], [_FERRY], 3)
    assert window_text(window, _FERRY) == "Ferry. Fares. » Fares « Cars pay more."


def test_documents_are_never_read_together() -> None:
    read = windows([(0, 2), (1, 2), (0, 3)], [_FERRY, _FERRY], 3)
    assert [(window.document, window.found) for window in read] == [(0, (2, 3)), (1, (2,))]


def test_lines_far_from_each_other_are_read_apart_and_a_gap_is_marked() -> None:
    page = Page("", tuple(f"Row {n}." for n in range(60)))
    near, far = windows([(0, 5), (0, 5 + APART), (0, 50)], [page], 5)
    assert near.found == (5, 25)
    assert far.found == (50,)
    text = window_text(near, page)
    assert "Row 7. … Row 23." in text
    assert "» Row 5. «" in text


def test_a_window_has_no_more_characters_than_are_read_but_always_what_was_found() -> None:
    page = Page("", ("x" * 50, "y" * 90, "z" * 50))
    (window,) = windows([(0, 1)], [page], 1, longest=100)
    assert window.lines == (1,)
    first, second = windows([(0, 1), (0, 2)], [page], 2, longest=100)
    assert (first.found, second.found) == ((1,), (2,))


def test_an_answer_is_read_with_its_question_before_other_neighbours() -> None:
    lines = ("How old is the ferry?", "Ninety years.", "It was built in Lunde.", "I like it.")
    page = Page("", lines)
    (window,) = windows([(0, 2)], [page], 1, longest=sum(map(len, lines[:3])))
    assert window.lines == (0, 1, 2)


def test_evidence_is_read_as_windows_and_its_best_sentence_stays() -> None:
    lines = (2, 6, 1)
    found = [
        Evidence("Q?", _FERRY.lines[line], score=1 - rank, places=(Place(0, line),))
        for rank, line in enumerate(lines)
    ]
    first, second, last = in_windows(
        [*found, Evidence("Q?", "A summary.")], [_FERRY].__getitem__, ""
    )
    assert (first.sentence, first.score, first.places) == ("It sank.", 1, (Place(0, 2),))
    assert first.answer.startswith("The ferry was built in 1911. It sank. All lived.")
    assert first.read.startswith("Ferry. History. » The ferry was built in 1911. « » It sank. «")
    assert (second.sentence, second.answer) == ("Cars pay more.", "Cars pay more.")
    assert second.read == "Ferry. Fares. » Cars pay more. «"
    assert last == Evidence("Q?", "A summary.")


def test_a_sentence_found_twice_keeps_its_first_rank() -> None:
    found = [
        Evidence(q, _FERRY.lines[n], places=(Place(0, n),))
        for q, n in (("A", 2), ("B", 6), ("C", 2))
    ]
    read = in_windows(
        [*found, Evidence("D", "x", places=(Place(0, 99),))], [_FERRY].__getitem__, ""
    )
    assert [(item.question, item.sentence) for item in read] == [
        ("A", "It sank."),
        ("B", "Cars pay more."),
        ("D", ""),
    ]


def test_what_a_document_quotes_is_not_read_with_its_own_words() -> None:
    page = Page(
        "", ("We deny it.", "The mayor resigned.", "She did not."), quoted=((1, "a reader"),)
    )
    own, quoted = windows([(0, 0), (0, 1)], [page], 3)
    assert (own.lines, quoted.lines) == ((0, 2), (1,))
    assert windows([(0, 0), (0, 2)], [page], 3) == [ReadWindow(0, (0, 2), (0, 2))]


def test_a_quoted_question_is_read_with_its_answer() -> None:
    page = Page("", ("They know.", "Who knew?", "The mayor."), quoted=((0, "Bo"), (1, "Bo")))
    (window,) = windows([(0, 2)], [page], 3)
    assert window == ReadWindow(0, (1, 2), (2,))
    assert window_text(window, page) == '» Bo: "Who knew?" The mayor. «'


def test_a_heading_that_asks_is_read_once_with_the_found_answer_right_below_it() -> None:
    lines = ("Is it sold?", "No.", "Bo owns it.")
    page = Page("", lines, title="Ferry", sections=((0, "Sale – Is it sold?"),))
    (answer,) = windows([(0, 1), (0, 2)], [page], 3)
    assert window_text(answer, page) == "Ferry. Sale. » Is it sold? No. « » Bo owns it. «"
    (further,) = windows([(0, 2)], [page], 3)
    assert window_text(further, page) == "Ferry. Sale – Is it sold? No. » Bo owns it. «"


def test_a_found_question_is_marked_with_its_found_answer() -> None:
    page = Page("", ("Is it sold?", "No.", "Why?"))
    (window,) = windows([(0, 1), (0, 0), (0, 2)], [page], 3)
    assert window_text(window, page) == "» Is it sold? No. « » Why? «"


def test_the_answer_that_a_line_goes_on_from_is_read_though_other_lines_are_nearer() -> None:
    page = Page("", ("Is it sold?", "No.", *(f"Line {n}." for n in range(5))))
    (window,) = windows([(0, 5)], [page], 3, longest=30)
    assert window_text(window, page).startswith("Is it sold? No. … ")


@pytest.mark.parametrize(("line", "before"), [(1, "Is it sold?"), (2, "Is it sold? No."), (3, "")])
def test_the_best_sentence_keeps_what_it_answers_and_not_what_a_pronoun_means(line, before) -> None:
    page = Page("", ("Is it sold?", "No.", "Bo owns it.", "Ships pass.", "It leaks."))
    pages = [page if line < 3 else replace(page, lines=page.lines[3:])]
    place = Place(0, line if line < 3 else 1)
    found = [Evidence("Q?", pages[0].lines[place.line], places=(place,))]
    (read,) = in_windows(locate(found, pages.__getitem__), pages.__getitem__, "")
    assert read.before == before


def test_a_quoted_question_below_is_not_read_with_what_it_does_not_ask_for() -> None:
    page = Page("", ("It cost 90 pounds.", "Did it cost 120?", "It leaks."), quoted=((1, "Bo"),))
    assert windows([(0, 0)], [page], 3) == [ReadWindow(0, (0, 2), (0,))]


def test_a_question_of_somebody_unknown_is_told_as_such_where_evidence_is_shown() -> None:
    page = Page("", ("Was it sold?", "No.", "It was lent."), quoted=((0, ""),))
    found = [Evidence("Q?", "No.", places=(Place(0, 1),))]
    (read,) = in_windows(found, [page].__getitem__, "")
    assert read.answer == 'Somebody else: "Was it sold?" No. It was lent.'
    assert read.read == '» Somebody else: "Was it sold?" No. « It was lent.'


_CORRECTED = Page(
    "",
    ("Fares rose.", "An earlier version said 25.", "It is 35.", "It was cut.", "We are sorry."),
    quoted=((1, "an earlier version"), (3, "an earlier version")),
    sections=((0, ""), (4, "")),
)


def test_what_a_correction_takes_back_is_read_with_what_is_right_which_alone_is_found() -> None:
    found = [Evidence("Q?", _CORRECTED.lines[1], places=(Place(0, 1),))]
    (read,) = in_windows(found, [_CORRECTED].__getitem__, "")
    assert read.read == "Fares rose. An earlier version said 25. » It is 35. «"
    assert (read.sentence, read.before) == ("It is 35.", "An earlier version said 25.")
    assert read.places == (Place(0, 2),)
    assert not read.is_quoted


def test_what_is_taken_back_stays_a_quotation_where_nothing_below_says_what_is_right() -> None:
    found = [Evidence("Q?", _CORRECTED.lines[3], places=(Place(0, 3),))]
    (read,) = in_windows(locate(found, [_CORRECTED].__getitem__), [_CORRECTED].__getitem__, "")
    assert (read.sentence, read.is_quoted) == ("It was cut.", True)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 29)), unique=True, max_size=12),
    st.integers(1, 12),
    st.integers(10, 200),
)
def test_every_place_is_in_one_window_as_far_as_there_are_so_many(
    found: list[tuple[int, int]], most: int, longest: int
) -> None:
    page = Page("", tuple("word " * (n % 5 + 1) for n in range(30)))
    read = windows(found, [page, page], most, longest)
    marked = [(window.document, line) for window in read for line in window.found]
    assert len(read) <= most
    assert len(marked) == len(set(marked))
    assert set(marked) <= set(found)
    assert set(marked) == set(found) or len(read) == most
    assert all(set(window.found) <= set(window.lines) for window in read)
    assert [found.index((w.document, w.found[0])) for w in read] == sorted(
        found.index((w.document, w.found[0])) for w in read
    )
