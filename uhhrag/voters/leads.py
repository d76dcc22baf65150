"""What is read before a piece of evidence."""

from __future__ import annotations

from uhhrag.records import Evidence
from uhhrag.text.marking import marked, unmarked
from uhhrag.text.pronouns import lead


def lead_of(item: Evidence) -> str:
    """What is read before a piece of evidence: the title of its document, the heading above it, and
    where the piece refers back ("It was sold."), the sentence before it."""
    return lead(headings_of(item), item.before)


def headings_of(item: Evidence) -> tuple[str, ...]:
    """The title of the document that evidence is from, and the heading above it there, "" where it
    has none; nothing where no document has either."""
    titled = ((source.title, source.section) for source in item.sources)
    return next((headings for headings in titled if any(headings)), ())


def in_context(answer: str, lead: str) -> str:
    """What the verifier reads: the answer, marked as it was in training, after its lead if any.

    >>> in_context("It was sold.", "The ferry of Lunde."), in_context("It was sold.", "")
    ('The ferry of Lunde. » It was sold. «', 'It was sold.')
    >>> in_context("It was » sold «.", "The » ferry «.")
    'The " ferry ". » It was " sold ". «'
    """
    return f"{unmarked(lead)} {marked(answer)}" if lead else answer
