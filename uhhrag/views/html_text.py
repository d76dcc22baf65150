"""Makes foreign text safe: no control characters, web links only, short lines."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import urlsplit

from uhhrag.text.dates import original

AROUND = 800
"""Characters on either side; a vote on passages reads no more."""
_UNSEEN = "ZC"
"""Unicode categories that mislead in addresses: separators, controls, unassigned."""
MAX_SENTENCE_CHARS = 2000
"""Characters of a sentence; a store's lines can have 450,000."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    r"""Control characters but line end and tab, and what XML refuses, become U+FFFD; direction
    marks stay.

    >>> clean("a\x00b\nc")
    'a\ufffdb\nc'
    """
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def truncated(text: str, longest: int) -> str:
    """
    >>> truncated("It cost 1,240,000 crowns.", 12), truncated("Sold.", 6), truncated("It … is.", 5)
    ('It cost …', 'Sold.', 'It …')
    """
    if len(text) <= longest:
        return text
    return "".join(text[:longest].rsplit(None, 1)[:1]).rstrip(" …") + " …"


def link(url: str) -> str | None:
    """None unless it leads to the web and browsers read it as we do.

    >>> link("https://a.example/x?y=1"), link("javascript:alert(1)"), link("https://")
    ('https://a.example/x?y=1', None, None)
    """
    if not re.match("https?://", url, re.IGNORECASE) or "\\" in url:
        return None
    if any(unicodedata.category(character)[0] in _UNSEEN for character in url):
        return None
    try:
        parts = urlsplit(url)
        return url if parts.hostname and "@" not in parts.netloc and parts.port != 0 else None
    except ValueError:
        return None


def address(url: str) -> str:
    """Without scheme and "www."; for an archived copy, the original's.

    >>> address("https://web.archive.org/web/2020/https://www.a.example/x/")
    'a.example/x'
    """
    bare = re.sub(r"^https?://(www\.)?", "", original(url), flags=re.IGNORECASE)
    return bare.rstrip("/") or url


@dataclass(frozen=True, slots=True)
class Marked:
    before: str
    sentence: str
    after: str
    left_out: int = 0
    """Characters of the sentence not shown."""


def marked(answer: str, context: str, around: int = AROUND, at: int = 0) -> Marked:
    """Both cut; alone if the context lacks it from `at` on.

    >>> marked("It rained.", "Monday. It rained. Then the sun came out.")
    Marked(before='Monday. ', sentence='It rained.', after=' Then the sun came out.', left_out=0)
    """
    start = context.find(answer, at) if answer else -1
    before, after = (context[:start], context[start + len(answer) :]) if start >= 0 else ("", "")
    shown = answer[:MAX_SENTENCE_CHARS]
    lead = before if len(before) <= around else "… " + re.sub(r"^\S*\s", "", before[-around:])
    return Marked(lead, shown, truncated(after, around), len(answer) - len(shown))
