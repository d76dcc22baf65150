"""Bytes → text → paragraphs → sentences, and dates as documents write them → ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from uhhrag.documents.document import Unreadable
from uhhrag.text.nltk_tokenizer import sentences

Part = tuple[str, int]
"""A piece of a paragraph and the page it stands on."""

_BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
# PDFium writes a hyphen that breaks a word at a line's end as U+0002 or U+FFFE.
_BROKEN_WORD = re.compile(r"(?<=\w)[\x02\u00ad\ufffe]\s*$")
_HYPHEN = re.compile(r"(?<=[a-zà-öø-ÿ])-\s*$")
_ITEM = re.compile(r"^(?:[-*•–▪‣◦]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s")
_ENDED = tuple('.!?:;"”’»)…')
_SHORT = 0.75
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<name>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\.?"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:D:)?(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})(?!\d)",  # 20201031, D:20201031
        r"^(?:D:)?(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})\d{2,6}(?!\d)",  # D:20201031235959
        r"^(?P<y>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?!\d)",
        r"^(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)",
        rf"^(?:\w+,\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+{_MONTH}\s+(?P<y>\d{{4}})(?!\d)",
        rf"^(?:\w+,\s+)?{_MONTH}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})(?!\d)",
        r"^(?P<y>\d{4})-(?P<m>\d{2})$",
        r"^(?P<y>\d{4})$",
    )
)


def decoded(raw: bytes, declared: str = "") -> str:
    """The text of a file: by its byte order mark, as UTF-8, by the encoding it declares, else by
    the likeliest one. Raises Unreadable for bytes that are no text."""
    for mark, encoding in _BOMS.items():
        if raw.startswith(mark):
            return raw.decode(encoding, "replace")
    for encoding in ("utf-8", declared):
        try:
            if encoding:
                return _require_text(raw.decode(encoding))
        except (UnicodeDecodeError, LookupError):
            continue
    text = raw.decode("utf-8", "replace")
    broken = text.count("\N{REPLACEMENT CHARACTER}")
    if broken < sum(not c.isascii() for c in text) - broken:
        return _require_text(text)  # UTF-8 with some bytes lost
    from charset_normalizer import from_bytes

    best = from_bytes(raw[:_GUESSED]).best()
    if best is not None:
        return _require_text(raw.decode(best.encoding, "replace"))
    if broken > _BROKEN * len(text):
        raise Unreadable("is no text, or in an encoding that cannot be told; save it as UTF-8")
    return _require_text(text)


_GUESSED = 2**18
"""Bytes the encoding is guessed from."""
_BROKEN = 0.02
"""Of its characters, a text in UTF-8 may have lost so many."""


def _require_text(text: str) -> str:
    if "\x00" in text:
        raise Unreadable("is no text (it holds zero bytes)")
    return text


def paragraphs(lines: Sequence[Part]) -> Iterator[list[Part]]:
    """Lines as they stand on pages joined into paragraphs. One ends before a blank line, before an
    item of a list, and after a line that is clearly shorter than its fellows and either ends a
    sentence or stands before a capital."""
    lengths = sorted(len(text.strip()) for text, _ in lines if text.strip())
    width = lengths[int(0.9 * (len(lengths) - 1))] if lengths else 0
    paragraph: list[Part] = []
    for text, page in lines:
        bare = text.strip()
        if paragraph and (not bare or _ends(paragraph[-1][0], bare, width)):
            yield paragraph
            paragraph = []
        if bare:
            paragraph.append((bare, page))
    if paragraph:
        yield paragraph


def _ends(line: str, following: str, width: int) -> bool:
    short = len(line) < _SHORT * width
    return bool(_ITEM.match(following)) or (
        short and (line.endswith(_ENDED) or not following[:1].islower())
    )


def cut(paragraph: Sequence[Part]) -> list[Part]:
    """The sentences of a paragraph, each with the page it begins on."""
    text, starts = "", []
    for piece, page in paragraph:
        text = _joined(text, piece)
        starts.append((len(text) - len(piece), page))
    found, at = [], 0
    for sentence in sentences(text):
        at = text.index(sentence, at)
        page = next(page for start, page in reversed(starts) if start <= at)
        found.append((clean(sentence), page))
        at += len(sentence)
    return [(sentence, page) for sentence, page in found if sentence]


def _joined(text: str, piece: str) -> str:
    if _BROKEN_WORD.search(text) or (_HYPHEN.search(text) and piece[:1].islower()):
        return text.rstrip()[:-1] + piece
    return f"{text} {piece}" if text else piece


def cut_all(texts: Iterable[str]) -> tuple[str, ...]:
    """The sentences of texts that have no pages, in order."""
    return tuple(line for text in texts for line, _ in cut([(text.strip(), 0)]))


def clean(text: str) -> str:
    """One line: white space folded, what no file can hold replaced by U+FFFD.

    >>> clean(" a\\n b\\ud800")
    'a b\\ufffd'
    """
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return " ".join(whole.replace("\x00", " ").split())


def iso_date(text: str) -> str:
    """The date a text begins with, as YYYY-MM-DD or the part of it that is there; "" for none and
    for what can be read in two ways (01/02/2020).

    >>> iso_date("D:20201031120000+01'00'"), iso_date("May 3rd, 2019"), iso_date("2020-02-30")
    ('2020-10-31', '2019-05-03', '')
    >>> iso_date("2019-07"), iso_date("01/02/2020")
    ('2019-07', '')
    """
    for pattern in _DATES:
        if match := pattern.match(text.strip()):
            return _iso(match.groupdict())
    return ""


def _iso(found: dict[str, str]) -> str:
    year = int(found["y"])
    month = _MONTHS.index(found["name"][:3].lower()) + 1 if "name" in found else found.get("m")
    try:
        whole = date(year, int(month or 1), int(found.get("d", 1)))
    except ValueError:
        return ""
    return whole.isoformat()[: 10 if "d" in found else 7 if month else 4]
