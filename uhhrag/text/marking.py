"""Marks found sentences for the verifier: » found «. A document's own marks become plain quotation
marks, so no text can mark itself."""

from __future__ import annotations

_PLAIN = str.maketrans("»«", '""')


def marked(text: str) -> str:
    """
    >>> marked("He said »no«.")
    '» He said "no". «'
    """
    return f"» {unmarked(text)} «"


def unmarked(text: str) -> str:
    return text.translate(_PLAIN)
