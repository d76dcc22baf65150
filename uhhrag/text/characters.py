"""Characters that no file can hold, and white space: put right before a text is used."""

from __future__ import annotations


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
