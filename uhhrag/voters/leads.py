"""Leads: what is read before evidence."""

from __future__ import annotations

from uhhrag.records import Evidence
from uhhrag.text.marking import marked, unmarked
from uhhrag.text.pronouns import lead


def context_prefix(item: Evidence) -> str:
    titled = ((source.title, source.section) for source in item.sources)
    headings = next((one for one in titled if any(one)), ("", ""))
    return lead(headings, item.before)


def in_context(answer: str, lead: str) -> str:
    """The answer after its lead, marked as in training.

    >>> in_context("It was sold.", "The ferry of Lunde."), in_context("It was sold.", "")
    ('The ferry of Lunde. » It was sold. «', 'It was sold.')
    >>> in_context("It was » sold «.", "The » ferry «.")
    'The " ferry ". » It was " sold ". «'
    """
    return f"{unmarked(lead)} {marked(answer)}" if lead else answer
