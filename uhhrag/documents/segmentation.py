"""Bytes → text → paragraphs → sentences, or windows for embedders."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from unicodedata import normalize

from uhhrag.documents.document import Document, Unreadable, some
from uhhrag.documents.marks import raised
from uhhrag.text.characters import one_line
from uhhrag.text.dates import WEEK_DAY
from uhhrag.text.encodings import Decoded, decode
from uhhrag.text.fragments import has_pairs, is_heading
from uhhrag.text.sentences import spans

Part = tuple[str, int]
"""A piece of a paragraph and its page."""

_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_BROKEN = 0.02
"""Greatest share of lost and control characters."""
# PDFium writes a hyphen that breaks a word at a line's end as U+0002 or U+FFFE.
_BROKEN_WORD = re.compile(r"(?:(?<=\w)[\x02\u00ad\u2010\ufffe]|(?<=[a-zà-öø-ÿ])-)\s*$")
_AND = re.compile(r"(?:and|or|und|oder|och|eller|og)\s")
"""Keeps the hyphen of "first-" before it."""
_COMPOUND = re.compile(
    r"\b(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty|one|two|three|four|five|six|seven|eight|nine"
    r"|half|self|vice|well)[-\x02\u2010\ufffe]\s*$",
    re.IGNORECASE,
)
"""Words that keep their hyphen, but for `_SUFFIX`."""
_LONGEST_COMPOUND = 14
_WITHIN = re.compile(r"(?:of|to|for|in|the|by|on|up|not|and|or|than)-")
"""Goes on in a chain such as "not-for-profit"."""
_SUFFIX = re.compile(r"fold|ish|ness|self\b|some|teen|th\b|tie|ty")
_SECOND = re.compile(
    r"(?:owned|based|funded|backed|related|term|years?|old|quality|scale|level|friendly)\b"
)
_FIRST = re.compile(r"[^\W\d_]{4}(?<!under)(?<!inter)[-\x02\u2010\ufffe]\s*$")
"""Long words keep their hyphen before `_SECOND`."""
_JOINING = re.compile(r"(?<=\w)[-\x02\u2010\ufffe]\s*$")
_UNSEEN = {
    **dict.fromkeys((0, 0x0B, 0x0C), " "),
    **dict.fromkeys((0xAD, 0x200B, 0x200E, 0x200F, 0xFEFF, *range(0x202A, 0x202F), 0x61C, 0x180E)),
    **dict.fromkeys((*range(0x2060, 0x206A), 0xFDD2, 0xFDD4, 0xE0001, *range(0xE0020, 0xE0080))),
    **dict.fromkeys((0x02, 0x2010, 0x2011, 0xFFFE), "-"),
    **dict(zip(range(0xFB00, 0xFB07), ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True)),
    **dict.fromkeys((0x1F5F7, 0x1F5F9), "☒"),
    **dict.fromkeys((0x25FB, 0x2B1C), "☐"),
}
"""Invisible characters, ligatures and boxes of Word's forms, with what a reader sees."""
_RAISED = re.compile("(?<![⁻⁺¹²³⁰-⁹])[¹²³⁰⁴-⁹]+")
MARK = r"[-*•–▪‣◦☐☑☒✓✔✗✘]|\[[ xX]\]|\(?(?:\d{1,3}|[a-zA-Z])[.)]"
"""Precedes an item of a list."""
RUN_MARK = re.compile(r"[\U000E0100-\U000E01EF]{3} ?")
"""Precedes a run of a web page (`html_article`)."""
_ITEM = re.compile(rf"^(?:{MARK})\s")
_BULLET = re.compile(r"[-*•–]\s")
_FIRST_ITEM = re.compile(r"^(?:[•▪‣◦☐☑☒✓✔✗✘]|\[[ xX]\]|\(?[1ai][.)]|\(?[AI]\))\s")
"""Begins an item even after a full line."""
OPEN = re.compile(
    r"(?:^|\s)(?:the|an?|of|in|on|at|to|and|or|for|by|with|from|than|that|is|are|was|were|not)$"
)
"""Ends no paragraph."""
_NAMED = re.compile(r"[A-Z]\w*(?: \w+)?(?: \(\d+\))?:\s+\S")
_SPEAKS = re.compile(r"[A-Z][A-Z.’'-]+(?: [A-Z.’'-]+){0,4}:\s+\S")
"""A name of capitals, as in records of courts."""
TIMED = re.compile(
    r"(\[)?(?:\d{4}-\d\d-\d\d[ T])?\d\d?:\d\d(?::\d\d)?(?(1)\]|\s+[^\sa-z])"
    r"|(?:\d{4}-\d\d-\d\d[ T]|\d\d?[./](?:\d\d|[A-Z][a-z]{2})[./]\d{4}[ :]"
    r"|[A-Z][a-z]{2} [ \d]\d )\d\d:\d\d:\d\d(?:Z|\b)"
)
"""Begin a speaker's words and what happens at a time, as in logs."""
CLOCK = re.compile(
    r"(?:\d\d?:|(?:0\d|[6-9]|1\d|2[0-4])\.)[0-5]\d\W*(?:\d\d?[.:]\d\d\W*)?\s[^\W\da-z]"
)
"""Begins a row of a programme (`is_programme`)."""
_DAY = re.compile(rf"{WEEK_DAY}\b", re.IGNORECASE)
_APART = re.compile(rf"\d|:$|{_DAY.pattern}", re.IGNORECASE)
"""In a line below such a row that is no part of it."""
_SUBSECTION = re.compile(r"\d\d?\.\d\s")
TICKED, EMPTY = re.compile(r"[☒☑✓✔]|(?<!\S)\[[xX]\](?=\s)"), re.compile(r"[☐□]\s?|\[ \]\s")
_NOT_CHOSEN = re.compile(
    rf"(?:^|(?<!\s)\s++)(?:{EMPTY.pattern})(?=\w)[^☐□☒☑✓✔;\[]*(?=[☒☑✓✔\[]|$|\s[☐□])"
)
_BOX = re.compile(rf"{TICKED.pattern}|{EMPTY.pattern}")
_YES = re.compile(r"\s*(?:yes|no|n/?a)\b", re.IGNORECASE)
_NOT_SO = re.compile(r"\b(?:yes|no|n/?a)\s?[☐□]\s?", re.IGNORECASE)
_LEAST_ROWS = 3
_LABEL = re.compile(r"[A-Z][\w.]*(?: [\w.]+){0,2}:\s+")
ENDED = tuple('.!?:;"”’»)…')
_SHORT = 0.75
MOST_PIECES = 240
"""Of a line, as `pieces` guesses; embedders read 256."""
WORDS = 60
"""Of a window, at most."""
_PIECE = re.compile(r"[A-Za-z]{1,5}|\d{1,2}|\S")
_CHUNK = re.compile(rf"\S{{1,{MOST_PIECES // 2}}}")
_PAUSE = tuple(";:,–—")


def decoded(raw: bytes, declared: str = "") -> Decoded:
    """`declared`: an encoding or "" (`text.encodings`)."""
    content = decode(raw, declared)
    if "\x00" in content.text:
        raise Unreadable("is not text (it holds zero bytes)")
    if content.lost + len(_CONTROL.findall(content.text)) > _BROKEN * len(content.text):
        raise Unreadable(
            "is not text, or is in an encoding that cannot be recognised; save it as UTF-8"
        )
    return content


def line_width(lines: Iterable[str]) -> int:
    """90th percentile of characters."""
    lengths = sorted(len(line.strip()) for line in lines if line.strip())
    return lengths[int(0.9 * (len(lengths) - 1))] if lengths else 0


def paragraphs(lines: Sequence[Part], width: int | None = None) -> Iterator[list[Part]]:
    """One ends before a blank line or item, between a sentence and a line like a heading, and after
    a line shorter than `width` (0: none) that ends a sentence or precedes a capital."""
    width = line_width(text for text, _ in lines) if width is None else width
    paragraph: list[Part] = []
    hanging = 0  # columns before the text of an item or answer
    bares = [text.strip() for text, _ in lines]
    times, days = is_programme(bares), sum(map(bool, map(_DAY.match, bares))) >= _LEAST_ROWS
    for (text, page), bare, below in zip(lines, bares, [*bares[1:], ""], strict=False):
        indent = len(text) - len(text.lstrip())
        item, listed = _ITEM.match(bare), bool(paragraph and _ITEM.match(paragraph[0][0]))
        hangs = bare and 0 < hanging <= indent and not item
        hangs = hangs and (bare[0].islower() or (listed and not bare[0].isupper()))
        like = listed and (paragraph[0][0][:1].isalnum() or not bare[:1].isdecimal())
        ends = not bare or bool(paragraph and _ends(paragraph[-1][0], bare, width, like))
        part = bool(paragraph and CLOCK.match(paragraph[0][0])) and not bare.endswith(ENDED)
        if times and paragraph and bare and (part or CLOCK.match(bare)):
            ends, hangs = bool(CLOCK.match(bare) or _APART.search(bare)), False
        rows = (days and _DAY.match(bare)) or (_BULLET.match(bare) and _BULLET.match(below))
        if paragraph and (ends or rows) and not hangs:
            yield paragraph
            paragraph = []
        if bare and not paragraph:
            mark = item or _LABEL.match(bare)
            hanging = indent + mark.end() if mark else 0
        if bare:
            paragraph.append((bare, page))
    if paragraph:
        yield paragraph


def is_programme(lines: Sequence[str]) -> bool:
    """Whether several begin with a time of day, none like section 6.1."""
    times = [re.split("[.:]", line)[0] for line in lines if CLOCK.match(line)]
    several = len(times) >= _LEAST_ROWS and len({*times}) > 1
    return several and not any(map(_SUBSECTION.match, lines))


def _ends(line: str, following: str, width: int, listed: bool) -> bool:
    if TIMED.match(line) and TIMED.match(following):
        return True
    if _JOINING.search(line) and following[:1].isalnum():
        return False
    if OPEN.search(line) and not _ITEM.match(following):
        return False
    short = width > 0 and len(line) < _SHORT * max(width, len(following))
    capital, ended = not following[:1].islower(), line.endswith(ENDED)
    heading = ended and capital and len(following) < _SHORT * width and is_heading(following, 1)
    named = bool(_NAMED.match(line) and _NAMED.match(following))
    named = named or (ended and bool(_SPEAKS.match(following)))
    marked = _ITEM.match(following) and (ended or short or listed or _FIRST_ITEM.match(following))
    pairs = capital and has_pairs(line) and has_pairs(following)
    return bool(marked or named or pairs or heading) or (short and (ended or capital))


def split_sentences(paragraph: Sequence[Part]) -> list[Part]:
    """With the pages they begin on; long ones are cut into windows."""
    text, starts, pages = "", list[int](), list[int]()
    for piece, page in paragraph:
        text = joined(text, piece)
        starts.append(len(text) - len(piece))
        pages.append(page)
    located: list[Part] = []
    for start, end in spans(text):
        cut = [(start + first, start + last) for first, last in windows(text[start:end])]
        for first, last in cut:
            line = clean(text[first:last])
            page = pages[max(0, bisect_right(starts, first) - 1)]
            located += [(CutPiece(line) if last < cut[-1][1] else line, page)] if line else []
    return located


def joined(text: str, piece: str) -> str:
    """Appends a line, joining a hyphenated word."""
    small, end = piece[:1].islower(), text[-_LONGEST_COMPOUND:]
    if _JOINING.search(end) and _AND.match(piece):
        return f"{text.rstrip()[:-1]}- {piece}"
    compound = _WITHIN.match(piece) or (_COMPOUND.search(end) and not _SUFFIX.match(piece))
    if small and (compound or (_FIRST.search(end) and _SECOND.match(piece))):
        return f"{text.rstrip()[:-1]}-{piece}"
    if _BROKEN_WORD.search(end) and (small or text.rstrip().endswith("\xad")):
        return text.rstrip()[:-1] + piece
    if _JOINING.search(end) and piece[:1].isalnum():
        return f"{text.rstrip()[:-1]}-{piece}"
    return f"{text} {piece}" if text else piece


def in_order(paragraphs: Iterable[Sequence[Part]]) -> Document:
    """Drops empty paragraphs."""
    located: list[Part] = []
    starts = []
    for paragraph in paragraphs:
        starts += [len(located)] if paragraph else []
        located += [(_chosen(line), page) for line, page in paragraph]
    lines, pages = zip(*located, strict=True) if located else ((), ())
    return Document(lines, pages if any(pages) else (), starts=tuple(starts))


def _chosen(line: str) -> str:
    """
    >>> _chosen("Flag: ☐ Norway ☒ Panama"), _chosen("☐ Yes ☐ No"), _chosen("Sold? Yes ☐ No ☒")
    ('Flag: ☒ Panama', '☐ Yes ☐ No', 'Sold? No ☒')
    """
    if not TICKED.search(line):
        return line
    first, *_, last = [*(boxes := [*_BOX.finditer(line)]), boxes[-1]]
    # After a word, a box may be that word's.
    own = line[: first.start()].rstrip()[-1:].isalnum() and not _YES.match(line, last.end())
    return (_NOT_SO.sub("", line) if own else _NOT_CHOSEN.sub(" ", line)).strip()


def clean(text: str) -> str:
    """As seen, on one line; lone surrogates become U+FFFD.

    >>> clean("5¹ cranes³ moved 12 Sm³ in 2019² (10⁶)")
    '5 cranes moved 12 Sm³ in 2019 (10⁶)'
    >>> clean(" a\\n b\\ud800"), clean("n\\u200bot 12\\u2011inch of\\ufb01ces")
    ('a b\\ufffd', 'not 12-inch offices')
    """
    plain = text.isascii() and "\x00" not in text
    return one_line(text if plain else _RAISED.sub(_unless_note, text.translate(_UNSEEN)))


def _unless_note(mark: re.Match[str]) -> str:
    """A raised number, "" for a note's mark."""
    before, after = mark.string[: mark.start()], mark.string[mark.end() :]
    unit = mark[0] in "²³" and re.search(r"(?<!\w)[^\W\d_]{1,3}$", before)
    return mark[0] if unit or raised(before, normalize("NFKC", mark[0]), after) else ""


class CutPiece(str):
    """Part of a cut sentence, not the last."""

    __slots__ = ()


def cut_note(sentences: int) -> str:
    if not sentences:
        return ""
    was = "was" if sentences == 1 else "were"
    return f"{some(sentences, 'sentence')} longer than an embedder reads and {was} cut into windows"


def pieces(text: str) -> int:
    """Upper guess of word pieces, except for rare scripts and codes."""
    return len(_PIECE.findall(text))


def windows(text: str) -> Iterator[tuple[int, int]]:
    """Start and end, cut after punctuation in the second half, if any."""
    if len(text) <= MOST_PIECES or pieces(text) <= MOST_PIECES:
        yield 0, len(text)
        return
    words = [match.span() for match in _CHUNK.finditer(text)]
    sizes = [pieces(text[start:end]) for start, end in words]
    cuts = [0]
    while cuts[-1] < len(words):
        cuts.append(_next_cut(text, words, sizes, cuts[-1]))
    for first, behind in pairwise(cuts):
        yield words[first][0], words[behind - 1][1]


def _next_cut(text: str, words: list[tuple[int, int]], sizes: list[int], first: int) -> int:
    behind, size = first, 0
    while behind < len(words) and behind - first < WORDS and size + sizes[behind] <= MOST_PIECES:
        size += sizes[behind]
        behind += 1
    if behind == len(words):
        return behind
    halves = range(behind, first + (behind - first) // 2, -1)
    return next((at for at in halves if text[words[at - 1][1] - 1] in _PAUSE), behind)
