"""What stands before a line of a document where that is searched and read."""

from __future__ import annotations

from uhhrag.records import Page
from uhhrag.store.leads import leads_of

LINES = ("Fares", "Cars pay 10 crowns.", "They pay more in July.", "Ships", "Two sail.", "Fares")


def test_a_line_stands_after_its_heading_and_the_sentence_that_it_refers_back_to():
    page = Page("u", LINES, sections=((0, "Fares"), (3, "Ships")))
    assert leads_of(page, range(6)) == {
        "Fares": "",
        "Cars pay 10 crowns.": "Fares.",
        "They pay more in July.": "Fares. Cars pay 10 crowns.",
        "Ships": "Fares.",
        "Two sail.": "Ships.",
    }


def test_the_heading_of_a_part_of_a_page_may_stand_before_that_part():
    page = Page("u", LINES, sections=((0, "Fares"), (3, "Ships")))
    assert leads_of(page, range(1, 3)) == {
        "Cars pay 10 crowns.": "Fares.",
        "They pay more in July.": "Fares. Cars pay 10 crowns.",
    }
    assert leads_of(page, range(4, 5)) == {"Two sail.": "Ships."}


def test_a_sentence_that_refers_back_to_its_heading_stands_after_it_once():
    page = Page("u", ("Fares", "They rose."), sections=((0, "Fares"),))
    assert leads_of(page, range(2))["They rose."] == "Fares."


def test_a_page_without_headings_has_leads_for_what_refers_back_alone():
    leads = leads_of(Page("u", LINES), range(6))
    assert {line: text for line, text in leads.items() if text} == {
        "They pay more in July.": "Cars pay 10 crowns."
    }
