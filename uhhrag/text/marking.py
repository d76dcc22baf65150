"""The marks by which the verifier's input shows which sentences were found: » found «.

They are the program's alone. What a document writes between such quotation marks is read between
plain ones, so that no text can mark itself."""

from __future__ import annotations

_PLAIN = str.maketrans("»«", '""')


def marked(text: str) -> str:
    """A text between the marks.

    >>> marked("He said »no«.")
    '» He said "no". «'
    """
    return f"» {unmarked(text)} «"


def unmarked(text: str) -> str:
    """A text without the marks."""
    return text.translate(_PLAIN)
