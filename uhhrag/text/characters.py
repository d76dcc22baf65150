from __future__ import annotations

import re
from typing import Any


def repaired(text: str) -> str:
    r"""Joins surrogate pairs; lone surrogates become U+FFFD.

    >>> repaired("a\ud800b") == "a\ufffdb", repaired("\ud83d\ude00") == "\U0001f600"
    (True, True)
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def mended(value: Any) -> Any:
    """`repaired` if a text."""
    return repaired(value) if isinstance(value, str) else value


def one_line(text: str) -> str:
    r"""
    >>> one_line(" a\n b\ud800") == "a b\ufffd"
    True
    """
    return " ".join(repaired(text).split())


_LINE_END = re.compile(r"\r\n|[\n\r\v\f\u2028\u2029]")


def text_lines(text: str) -> list[str]:
    r"""U+0085 (a misread ellipsis) and ASCII separators end no line.

    >>> text_lines("a\x85 b\r\nc\n")
    ['a\x85 b', 'c']
    """
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]
