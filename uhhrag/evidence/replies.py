"""What a line is read after: a pronoun at its head, or a question that it answers, leaves open what
was said before, and what follows "No." that it was denied."""

from __future__ import annotations

from uhhrag.evidence.table_notes import named_by
from uhhrag.records import Page
from uhhrag.text.fragments import is_bare_answer, is_question
from uhhrag.text.pronouns import sentence_before

_MAX_LINES_ABOVE = 6
"""Lines above in which a bare answer is looked for."""


def read_after(page: Page, line: int) -> str:
    """
    >>> faq = Page("", ("Is it sold?", "No.", "Bo owns it.", "It is old.", "Who pays?", "Bo."))
    >>> [read_after(faq, line) for line in (1, 2, 3, 5)]
    ['Is it sold?', 'Is it sold? No.', 'Is it sold? No. Bo owns it.', 'Who pays?']
    """
    if row := named_by(page, line):
        return row
    before = sentence_before(page.lines, line)
    reply = () if is_question(before) else page.part(reply_above(page, line))
    return " ".join((*reply, *([before] if before and before not in reply else [])))


def reply_above(page: Page, line: int) -> range:
    """A question and its yes or no, from which a line goes on; or empty."""
    for at in range(line - 1, max(line - _MAX_LINES_ABOVE, 0), -1):
        text, asked = page.lines[at], page.lines[at - 1]
        if is_question(text) or page.heading(at) != page.heading(line):
            break
        if is_bare_answer(text) and is_question(asked):
            return range(at - 1, at + 1)
    return range(0)
