"""What stands before a line of a document where that is searched and read: the heading above it,
and the sentence before it where it begins with a pronoun.
"""

from __future__ import annotations

from uhhrag.records import Page
from uhhrag.text.pronouns import lead, sentences_before


def leads_of(page: Page, lines: range) -> dict[str, str]:
    """What stands before each of the given lines of a page, by that line, "" for nothing: the
    heading above it, and of these lines the one before it where it refers back. Of equal lines the
    first counts.

    >>> page = Page("", ("Fares", "Cars pay more.", "It rose."), sections=((0, "Fares"),))
    >>> leads_of(page, range(3))
    {'It rose.': 'Fares. Cars pay more.', 'Cars pay more.': 'Fares.', 'Fares': ''}
    """
    held = page.part(lines)
    before = sentences_before(held)
    if not page.sections:
        return dict.fromkeys(held, "") | before
    return {
        page.lines[at]: lead((page.section(at),), before.get(page.lines[at], ""))
        for at in reversed(lines)
    }
