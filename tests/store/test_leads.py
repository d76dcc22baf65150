"""What stands before a line of a document where that is searched and read."""

from __future__ import annotations

from uhhrag.records import Page
from uhhrag.store.passages import lead_at

LINES = ("Fares", "Cars pay 10 crowns.", "They pay more in July.", "Ships", "Two sail.", "Fares")


def leads(page: Page) -> list[str]:
    return [lead_at(page, line) for line in range(len(page.lines))]


def test_a_line_stands_after_its_heading_and_the_sentence_that_it_refers_back_to():
    page = Page("u", LINES, sections=((0, "Fares"), (3, "Ships")))
    assert leads(page) == ["", "Fares.", "Fares. Cars pay 10 crowns.", "Fares.", "Ships.", "Ships."]


def test_equal_lines_under_two_headings_have_each_their_own():
    page = Page(
        "u", ("Schools", "It is 5.", "Roads", "It is 5."), sections=((0, "Schools"), (2, "Roads"))
    )
    assert leads(page) == ["", "Schools.", "Schools.", "Roads."]


def test_a_sentence_that_refers_back_to_its_heading_stands_after_it_once():
    page = Page("u", ("Fares", "They rose."), sections=((0, "Fares"),))
    assert lead_at(page, 1) == "Fares."


def test_a_page_without_headings_has_leads_for_what_refers_back_alone():
    assert leads(Page("u", LINES)) == ["", "", "Cars pay 10 crowns.", "", "", ""]
