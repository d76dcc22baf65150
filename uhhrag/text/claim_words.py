"""A claim without links, cries, pictographs, hashtags and @names."""

from __future__ import annotations

import re

from uhhrag.text.characters import one_line

_LINK = re.compile(r"(?:https?://|www\.)\S+|\b(?:[\w-]+\.)+[a-z]{2,}/\S+", re.IGNORECASE)
_PICTURES = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\u203c\u2049]+")
_TAG = r"[#@](?=\w*[^\W\d])\w++"
_RETWEET = re.compile(rf"^(?:(?:RT|MT)\b\s*(?:{_TAG}\s*:?|:)\s*|RT\b\s*[:;]?\s*(?={_TAG}))")
_CRY = re.compile(
    r"^[#*\[(]*(?:BREAKING(?:\s+NEWS)?|JUST\s+IN|URGENT|NEWS\s*FLASH|DEVELOPING|EXCLUSIVE|ALERT)\b"
    r"[\])*]*\s*(?:[:|!–—-]+\s*|(?=[^a-z]))"
)
_ANY_CASE_CRY = re.compile(r"^(?:breaking(?:\s+news)?|just\s+in|urgent)\s*[:|!–—-]+\s*", re.I)
_HANDLE = re.compile(rf"\s*\((?:via\s+)?{_TAG}\)|\s+(?:via|h/t|HT|cc)\s+{_TAG}(?=\s*$)")
_FIRST = re.compile(rf"^(?:{_TAG}[\s,]*)+(?:[:–—|-]\s*|(?=[\s\"“‘(]*[A-Z\d\"“‘(]))")
_LAST = re.compile(rf"(?:(?<=[.!?…\"”)\d%])\s+{_TAG}|(?:\s+{_TAG}){{2,}})(?:[\s,]+{_TAG})*\s*$")
_TOPIC = re.compile(r"\s+#(?:\w*news|breaking|fact_?check\w*|politics|rt)\s*$", re.IGNORECASE)
_WITHIN = re.compile(rf"(?<![\w/]){_TAG}")
_JOINT = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
_LONG_NUMBER = re.compile(
    r"(?<![\w.,#/-])(?<![Nn]o\. )(?<![Nn]umber )[1-9]\d{5,14}(?![\w/-]|[.,]\d)"
)


def plain_claim(text: str) -> str:
    """On one line; whole if no word would be left.

    >>> plain_claim("BREAKING: The toll is £5. #toll @paper https://t.co/x")
    'The toll is £5.'
    """
    bare = one_line(_PICTURES.sub(" ", _LINK.sub(" ", text)))
    before = None
    while before != bare:
        before = bare
        for pattern in (_RETWEET, _CRY, _ANY_CASE_CRY, _FIRST, _HANDLE, _LAST, _TOPIC):
            bare = pattern.sub("", bare).strip()
    bare = _WITHIN.sub(lambda tag: _JOINT.sub(" ", tag[0][1:]), bare)
    bare = _LONG_NUMBER.sub(lambda number: f"{int(number[0]):,}", bare)
    return bare if re.search(r"\w", bare) else one_line(text)
