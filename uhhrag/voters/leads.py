"""Leads: what is read before evidence."""

from __future__ import annotations

from uhhrag.records import Evidence
from uhhrag.text.marking import marked, unmarked
from uhhrag.text.pronouns import lead


def context_prefix(item: Evidence) -> str:
    return lead(headings_of(item), item.before)


def headings_of(item: Evidence) -> tuple[str, ...]:
    """Title and section ("" if unknown), or empty."""
    titled = ((source.title, source.section) for source in item.sources)
    return next((headings for headings in titled if any(headings)), ())


def in_context(answer: str, lead: str) -> str:
    """The answer after its lead, marked as in training.

    >>> in_context("It was sold.", "The ferry of Lunde."), in_context("It was sold.", "")
    ('The ferry of Lunde. » It was sold. «', 'It was sold.')
    >>> in_context("It was » sold «.", "The » ferry «.")
    'The " ferry ". » It was " sold ". «'
    """
    return f"{unmarked(lead)} {marked(answer)}" if lead else answer
