"""Sections by marked headings, else by looks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from uhhrag.documents.archive import named_author
from uhhrag.documents.document import HEADING_SEPARATOR, OF_TABLE, TIMES, Document
from uhhrag.documents.segmentation import CLOCK, MARK, TIMED, is_programme
from uhhrag.text.dates import MONTH
from uhhrag.text.document_dates import date_in_line
from uhhrag.text.fragments import has_pairs, is_ended, is_entry, is_heading

_MAX_IN_A_ROW = 2
"""More in a row are likelier a list."""
_ITEM = ("-", "*", "•", "–")
_TOLD = r"(?i:posted|written|published|submitted|veröffentlicht|publié|publicado|pubblicato)\b"
_DATED = r"(?=\D{0,9}\d\d?\b)[^.:;]{0,16}\b\d{4}"
_BYLINE = re.compile(
    rf"(?:(?:{_TOLD}(?:\s(?:on|am|le|el|evidence)\s[^.:;]{{0,30}}?)?|{_DATED},?)\s"
    r"(?:by|von|door|par|por|da)|(?i:by))\s"
    rf"(?!\w+day\b|(?i:{MONTH}))(?P<who>[^\W\d][^\d,;|·–—(]{{0,50}}?)"
    r"(?=\s(?:[aio]n|at|am|um|le|el|il|op)\s|\s*(?:[\d,;|·–—(]|$))"
    rf"|By |{_TOLD}\s(?:on|am|le|el|il|op)\s.*\d"
    rf"|[^.:;]{{1,40}}\s[|·]\s{_DATED}$"
    r"|(?:Von|Door|Por|Par|Av|Af) [A-Z]\S+ [A-Z]\S+(?: (?:und|en|y|et|og|e) .*)?$"
)
_MARKED = re.compile(rf"(?:{MARK})\s")
_LONGEST_LEAD = 200
"""Characters."""
_LEAST_OF_LEAD = 5
"""Words of a sentence with a colon, unlike a label."""
_YEARS = re.compile(rf"(?:{MONTH}\.? )?(?:1\d|20)\d\ds?(?:\s?[–-]\s?\d{{2,4}})?:?", re.IGNORECASE)
_LEAST_YEARS = 3
_TEXT, _BY_MARK, _SHORT = 0, -2, -3
"""Kinds of paragraphs, beside those of `Document.items`."""
_SUBJECT, _OPENING_LINES = "Subject: ", 12
_OPENING = "\"'“‘«"


def title_in(document: Document) -> str:
    """A printed mail's subject, a first line alone like a title, or ""."""
    first = document.lines[0] if document.lines else ""
    if first.startswith("From: ") or TIMED.match(first):
        subjects = (one for one in document.lines[:_OPENING_LINES] if one.startswith(_SUBJECT))
        return next(subjects, "").removeprefix(_SUBJECT)
    row = (0, OF_TABLE) in document.items and _is_item(first)
    alone = document.starts[:2] == (0, 1) and not (document.unit or row)
    spoken = first.startswith(tuple(_OPENING)) and is_ended(first)
    return first if alone and not spoken and is_heading(first.lstrip(_OPENING)) else ""


def byline_in(document: Document) -> tuple[str, str]:
    """Author and day of the only byline near the top, else ""."""
    first = (line for line in document.lines[:_OPENING_LINES] if not is_ended(line))
    found = [one for one in map(_BYLINE.match, first) if one and one["who"]]
    name, line = (found[0]["who"], found[0].string) if len(found) == 1 else ("", "")
    signs = re.search(r"\d{4}", line), name[:1].isupper(), line[:3].lower() != "by "
    return (named_author(name), date_in_line(line)) if sum(map(bool, signs)) > 1 else ("", "")


def sections_in(document: Document) -> tuple[tuple[int, str], ...]:
    """Positions and names of headings, except the title."""
    title = document.title or title_in(document)
    sections = document.sections or _sections_by_looks(document)
    named = [(at, name.removeprefix(f"{title}{HEADING_SEPARATOR}")) for at, name in sections]
    first = int(bool(named) and named[0][1] == title)
    return tuple((at, "" if name == title else name) for at, name in named[first:])


def with_leads(
    document: Document, sections: Sequence[tuple[int, str]]
) -> tuple[tuple[int, str], ...]:
    """Adds years of a history, and lines that lead lists, tables or short lines ("It does not
    own:")."""
    if document.unit in TIMES or document.unit.endswith("row"):
        return tuple(sections)
    sections = _with_years(document, sections)
    named, kinds, quoted = dict(sections), dict(document.items), dict(document.quoted)
    title = document.title or title_in(document)
    found, section, open_leads, kind = dict(named), "", list[tuple[int, str]](), _TEXT
    for start, end in pairwise((*document.starts, len(document.lines))):
        line, lead = document.lines[start], document.lines[start - 1] if start else ""
        section, before = named.get(start, section), kind
        kind = kinds.get(start) or _looks(line, end - start)
        kind = _TEXT if start in named and line in section else kind
        leads = [one for one in open_leads if kind == one[0] or kind > one[0] > 0]
        leads = leads if kind == OF_TABLE or start not in named else []
        begins = kind not in (_TEXT, before) and not before > kind > 0
        begins = begins and lead != title and lead not in named.get(start - 1, "")
        begins = begins and len(lead) <= _LONGEST_LEAD
        titles = kind == OF_TABLE and before == _SHORT and _may_be_heading(lead)
        led = begins and quoted.get(start - 1) == quoted.get(start)
        led = led and (titles or lead.endswith(":"))
        leads += [(kind, lead)] if led else []
        if leads != open_leads or (start in named and leads):
            names = (section, *(text for _, text in leads))
            found[start - led] = HEADING_SEPARATOR.join(filter(None, names))
        open_leads = leads
    return tuple(sorted(found.items()))


def _with_years(
    document: Document, sections: Sequence[tuple[int, str]]
) -> tuple[tuple[int, str], ...]:
    places = [*pairwise((*document.starts, len(document.lines)))]
    years = [bool(a + 1 == b and _YEARS.fullmatch(document.lines[a])) for a, b in places]
    alone = [a for (a, _), (year, after) in zip(places, pairwise((*years, True)), strict=True)
             if year and not after]  # fmt: skip
    found, starts = dict(sections), [start for start, _ in sections]
    for at in alone if len(alone) >= _LEAST_YEARS else ():
        above = bisect_right(starts, at)
        section = sections[above - 1][1] if above else ""
        found.setdefault(at, HEADING_SEPARATOR.join(filter(None, (section, document.lines[at]))))
    return tuple(sorted(found.items()))


def _looks(line: str, count: int) -> int:
    if _MARKED.match(line):
        return _BY_MARK
    plain = count > 1 or len(line) > _LONGEST_LEAD or is_ended(line) or line.endswith(":")
    return _TEXT if plain else _SHORT


def _sections_by_looks(document: Document) -> tuple[tuple[int, str], ...]:
    """Single lines like headings; of several in a row, the last before sentences or items."""
    if not document.starts or document.unit.endswith("row"):
        return ()
    sections, row, entry, quoted = [], 0, False, dict(document.quoted)
    items, times = {at for at, _ in document.items}, is_programme(document.lines)
    lists = {one for pair in pairwise(document.starts) if items.issuperset(pair) for one in pair}
    for start, end in pairwise((*document.starts, len(document.lines))):
        line = document.lines[start]
        above, entry = entry, is_entry(line) and not is_ended(line)
        listed = (above and entry) or start in lists
        timed = times and bool(CLOCK.match(line))
        if end - start == 1 and not (listed or timed) and _may_be_heading(line):
            row += 1
            continue
        below = quoted.get(start - 1) == quoted.get(start)  # a signature heads no quoted mail
        leads = line.endswith(":") and len(line.split()) >= _LEAST_OF_LEAD
        heads = below and not listed and (is_ended(line) or _is_item(line) or leads or timed)
        if 0 < row <= _MAX_IN_A_ROW and heads:
            sections.append((start - 1, document.lines[start - 1]))
        row = (_MAX_IN_A_ROW + 1) * document.lines[end - 1].endswith(":")  # a list follows
    return tuple(sections)


def _is_item(line: str) -> bool:
    return line.startswith(_ITEM) or "; " in line or has_pairs(line) or bool(TIMED.match(line))


def _may_be_heading(line: str) -> bool:
    letter = next(filter(str.isalpha, line), "")
    aside = _is_item(line) or bool(_BYLINE.match(line))
    return bool(letter) and not letter.islower() and not aside and is_heading(line, least=1)
