"""What stands before a line of a document where that is searched and read: the heading above it,
and the sentence before it where it begins with a pronoun.
"""

from __future__ import annotations

from uhhrag.records import Page
from uhhrag.text.pronouns import lead, sentence_before


def lead_at(page: Page, line: int) -> str:
    """What stands before a line of a page, "" for nothing: the heading above it, and the line
    before it where it refers back.

    >>> page = Page("", ("Fares", "Cars pay more.", "It rose."), sections=((0, "Fares"),))
    >>> [lead_at(page, line) for line in range(3)]
    ['', 'Fares.', 'Fares. Cars pay more.']
    """
    return lead((page.section(line),), sentence_before(page.lines, line))
