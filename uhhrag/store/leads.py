"""What is read before a line: its heading, and the sentence that a pronoun refers to."""

from __future__ import annotations

from uhhrag.records import Page
from uhhrag.text.pronouns import lead, sentence_before


def lead_at(page: Page, line: int) -> str:
    """The heading, and the line before if this one refers back.

    >>> page = Page("", ("Fares", "Cars pay more.", "It rose."), sections=((0, "Fares"),))
    >>> [lead_at(page, line) for line in range(3)]
    ['', 'Fares.', 'Fares. Cars pay more.']
    """
    return lead((page.section(line),), sentence_before(page.lines, line))
