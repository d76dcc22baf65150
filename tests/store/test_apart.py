"""Lines that are read with a passage and never decide."""

from __future__ import annotations

import pytest

from uhhrag.records import Page
from uhhrag.store.passages import may_decide


def deciding(*lines: str, **about: object) -> list[str]:
    page = Page("", lines, **about)  # type: ignore[arg-type]
    return [text for at, text in enumerate(lines) if may_decide(page, at)]


def test_the_names_of_columns_do_not_decide_and_their_rows_do() -> None:
    rows = ("tram: 1; delivery: 30.09.2024; seats: 88", "tram: 2; seats: 90")
    assert deciding("tram; delivery; seats", *rows) == [*rows]
    under_units = ("Harbour; 2021: 1,204; 2022: 1,530",)
    assert deciding("2021; 2022", *under_units) == [*under_units]


@pytest.mark.parametrize(
    "lines",
    [
        ("Trams; buses and ferries stopped", "The reason: a storm"),
        ("Harbour; 12; 14", "University; 8; 9"),
        ("From: Lunde; To: Ostvik; Date: 3 May 2024",),
        ("No foreign investors", "Lunde Marine as main contractor"),
        ("The council met in May.", "Deposits rose", "Anna Berg", "No road"),
    ],
)
def test_what_says_something_still_decides(lines: tuple[str, ...]) -> None:
    assert deciding(*lines) == [*lines]


def test_a_heading_with_a_colon_does_not_decide_unless_it_has_a_figure() -> None:
    heads = ("Airport extension: key facts", "Turnout: 54%")
    sections = ((0, heads[0]), (2, heads[1]))
    lines = (heads[0], "It was closed.", heads[1], "It fell.")
    assert deciding(*lines, sections=sections) == ["It was closed.", heads[1], "It fell."]


@pytest.mark.parametrize(
    "day", ["1 March 2024", "5. Februar 2024", "Lunde, 3 May 2024", "2024-03-01"]
)
def test_a_day_alone_decides_only_as_an_answer(day: str) -> None:
    assert deciding("The port was sold.", day) == ["The port was sold."]
    assert deciding("When was the port sold?", day) == [day]


def test_head_and_end_of_a_letter_do_not_decide() -> None:
    said = ("We felled 48 trees.", "It is done.")
    assert deciding("Dear editor,", *said, "J. Oakes", "SwiftTram GmbH") == [*said]
    assert deciding("Hallo Frau Lie,", *said, "Viele Grüße", "Bo Moe") == [*said]
    head = "From: Bo <bo@a.example>; To: Ada; Date: 3 May 2024; Subject: Trees"
    assert deciding(head, *said, "Tom") == [*said]
    printed = ("From: Bo", "Sent: 3 May 2024", "To: Ada", "Subject: Trees")
    assert deciding(*printed, *said) == [*said]


def test_a_signature_below_a_question_that_asks_for_no_name_is_none_of_its_answer() -> None:
    assert deciding("Does it now cost 41 million?", "Tom Baines") == []
    assert deciding("Who asked?", "Tom Baines") == ["Tom Baines"]


def test_names_in_a_list_decide() -> None:
    names = ("Anna Berg", "Tom Baines")
    assert deciding("It has these members:", *names)[1:] == [*names]
    section = ((1, "Members"),)
    assert deciding("It met in May.", "Members", *names, sections=section)[1:] == [*names]
