"""Characters that no file can hold, and white space: put right before a text is used."""

from __future__ import annotations

import re


def repaired(text: str) -> str:
    r"""The text with pairs of surrogates joined and lone ones, which JSON can hold and UTF-8
    cannot, replaced by U+FFFD.

    >>> repaired("a\ud800b") == "a\ufffdb", repaired("\ud83d\ude00") == "\U0001f600"
    (True, True)
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def one_line(text: str) -> str:
    r"""The text `repaired` and on one line, each run of white space a single space.

    >>> one_line(" a\n b\ud800") == "a b\ufffd"
    True
    """
    return " ".join(repaired(text).split())


_LINE_END = re.compile(r"\r\n|[\n\r\v\f\u2028\u2029]")


def text_lines(text: str) -> list[str]:
    r"""The lines of a text as people see them: U+0085, which is an ellipsis that was read in a
    wrong encoding, and the separators of ASCII end none.

    >>> text_lines("a\x85 b\r\nc\n")
    ['a\x85 b', 'c']
    """
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]
