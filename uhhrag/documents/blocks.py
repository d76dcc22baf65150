"""Blocks → sentences with sections; consecutive rows are one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, groupby, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from uhhrag.documents.document import HEADING_SEPARATOR, OF_TABLE, Document, Unreadable
from uhhrag.documents.segmentation import (
    OPEN,
    Part,
    in_order,
    line_width,
    paragraphs,
    split_sentences,
)
from uhhrag.documents.tables.growing import OF_ALL
from uhhrag.documents.tables.rows import table_lines
from uhhrag.documents.tables.values import (
    DIGIT,
    HAS_YEAR,
    NUMBER,
    day_speller,
    is_day,
    is_figure,
    names_values,
    of_kinds,
    with_signs,
)
from uhhrag.documents.whose_words import is_claim, is_label
from uhhrag.text.fragments import is_ended

_LEAST_LINES, _LONGEST_LINE = 6, 120
"""Of a pasted text: lines that go on, characters."""
_MOST_WORDS = 6
"""Of a name over a column of sentences."""
LONGEST_HEADING = 120
"""Characters."""
_OF_ROWS = 99
"""Level of a row group's name."""


@dataclass(frozen=True, slots=True)
class Block:
    text: str = ""
    page: int = 0
    """Where it begins, 0 if unknown."""
    level: int = 0
    """Of a heading, 1 the highest; else 0."""
    cells: tuple[str, ...] = ()
    """Of a row, "" for a blank cell."""
    named: bool = False
    """Its cells are marked as names."""
    over: bool = False
    """Its first cell is over all columns."""
    more: tuple[Part, ...] = ()
    """Lines after `text`, with pages."""
    depth: int = 0
    """Lists around it."""
    quoted: str | None = None
    """Author of a quote, "" if unknown; None if not quoted."""
    mail: bool = False
    """Of a quoted mail whose sender its headers or a mail program name."""
    apart: bool = False
    """Set apart from what is above, as a box of its own."""
    speaker: str = ""
    """Name and colon, with which `text` begins and each of its sentences shall."""

    @property
    def words(self) -> str:
        return " ".join((self.text, *self.cells, *(text for text, _ in self.more)))


TABLE_END = Block()
"""Between adjacent tables."""


class _Split(NamedTuple):
    block: Block
    parts: list[Part]
    group: str | None = None
    """Of rows from here on, "" for none; None: as before."""


def split_blocks(blocks: Iterable[Block]) -> Document:
    split = [one for one in _split(blocks) if one.parts]
    found = in_order(one.parts for one in split)
    sections = _sections(found, split)
    of_lines = [one.block for one in split for _ in one.parts]
    quoted = tuple((at, one.quoted) for at, one in enumerate(of_lines) if one.quoted is not None)
    mails = tuple(at for at, one in enumerate(of_lines) if one.mail)
    depths = (one.block.depth or OF_TABLE * bool(one.block.cells) for one in split)
    items = tuple((at, depth) for at, depth in zip(found.starts, depths, strict=True) if depth)
    return replace(found, sections=sections, items=items, quoted=quoted, mails=mails)


def document_of(blocks: Iterable[Block], **about: Any) -> Document:
    found = split_blocks(blocks)
    if not found.lines:
        raise Unreadable("has no text")
    return replace(found, **about)


def paragraph_blocks(lines: Sequence[Part], width: int | None = None) -> Iterator[Block]:
    """Indented ones below a colon are items."""
    filled = [text for text, _ in lines if text.strip()]
    indents = [len(text) - len(text.lstrip()) for text in filled]
    at, above, least = 0, "", 0
    for (text, page), *more in paragraphs(lines, width):
        least = indents[at - 1] + 2 if above.endswith(":") else least
        least = least if indents[at] >= least > 0 else 0
        yield Block(text, page, more=tuple(more), depth=int(least > 0))
        at += 1 + len(more)
        above = filled[at - 1].rstrip()


def without_hard_lines(blocks: Sequence[Block]) -> Sequence[Block]:
    """Joins lines of pasted text: many begin in lower case and, unlike items, some end in a word
    such as "the"."""
    texts = [one.text for one in blocks if _is_plain(one)]
    width = line_width(texts)
    full = ((a, b) for a, b in pairwise(texts) if 0.75 * width <= len(a) and not is_ended(a))
    goes_on = sum(b.lstrip()[:1].islower() for _, b in full)
    least = max(_LEAST_LINES, len(texts) / 5)
    parted = sum(bool(OPEN.search(one)) for one in texts)
    if goes_on < least or parted < max(2, goes_on / 8) or max(map(len, texts)) > _LONGEST_LINE:
        return blocks
    joined: list[Block] = []
    whose = ((one.quoted, one.mail) if _is_plain(one) else None for one in blocks)
    for text, pairs in groupby(zip(whose, blocks, strict=True), key=itemgetter(0)):
        held = [one for _, one in pairs]
        if text:
            made = paragraph_blocks([(one.text, one.page) for one in held], width)
            held = [replace(one, quoted=text[0], mail=text[1]) for one in made]
        joined += held
    return joined


def _is_plain(block: Block) -> bool:
    return bool(block.text.strip()) and not (block.level or block.cells or block.more)


def _sections(found: Document, split: Iterable[_Split]) -> tuple[tuple[int, str], ...]:
    sections: list[tuple[int, str]] = []
    above: list[tuple[int, str]] = []
    places = pairwise((*found.starts, len(found.lines)))
    for (block, _, group), (start, end) in zip(split, places, strict=True):
        name = " ".join(found.lines[start:end]) if block.level else group or ""
        level = block.level or _OF_ROWS
        ends = level == _OF_ROWS and bool(above) and above[-1][0] == _OF_ROWS
        if 0 < len(name) <= LONGEST_HEADING or (ends and not (block.cells and group is None)):
            above = [(high, text) for high, text in above if high < level] + [(level, name)]
            above = [one for one in above if one[1]]
        elif not (block.apart and above):
            continue
        sections.append((start, HEADING_SEPARATOR.join(text for _, text in above)))
    return tuple(sections)


def _split(blocks: Iterable[Block]) -> Iterator[_Split]:
    headed: list[str] = []
    runs = [[*run] for _, run in groupby(blocks, key=lambda block: bool(block.cells))]
    for held, after in zip(runs, [*runs[1:], []], strict=False):
        if held[0].cells:
            notes = [one.words for one in after[:3] if OF_ALL.match(one.words)]
            yield from _table(held, [*notes, *headed])
            headed = headed[:1]
            continue
        heads = [at for at, one in enumerate(held) if one.level]
        title = [held[heads[-1]].words] if heads else headed[:1] or [""]
        headed = [*title, *(one.words for one in held[heads[-1] + 1 if heads else 0 :][-2:])]
        yield from map(_paragraph, held)


def _paragraph(block: Block) -> _Split:
    found = split_sentences([(block.text.strip(), block.page), *block.more])
    return _Split(block, spoken(found, block.speaker))


def spoken(sentences: Sequence[Part], name: str) -> list[Part]:
    """Each sentence behind the name that begins the first."""
    return [*sentences[:1], *((type(line)(name + line), at) for line, at in sentences[1:])]


def _table(rows: Sequence[Block], above: Sequence[str]) -> Iterator[_Split]:
    spelt = day_speller(cell for row in rows for cell in row.cells)
    joined = with_signs([tuple(map(spelt, row.cells)) for row in rows])
    rows = [replace(row, cells=tuple(cells)) for row, cells in zip(rows, joined, strict=True)]
    full = [at for at, row in enumerate(rows) if len({*row.cells} - {""}) > 1]
    marked = [at for at in full if rows[at].named]
    marked = [] if len(marked) == len(rows) > 1 else marked
    if marked[:1] != full[:1] and _are_of_pairs([row.cells for row in rows]):
        for row in rows:
            for name, value in zip(row.cells[::2], row.cells[1::2], strict=False):
                pair, asks = (named(name, value), row.page), name.endswith("?")
                yield _Split(row, [pair] if asks else split_sentences([pair]))
        return
    numbered = ((at, dict(enumerate(row.cells))) for at, row in enumerate(rows))
    spans = {at for at, row in enumerate(rows) if row.over}
    table, _ = table_lines(numbered, limited=False, marked=marked, spans=spans, above=above)
    groups = dict(table.sections)
    for place, (line, at) in enumerate(zip(table.lines, table.pages, strict=True)):
        yield _Split(rows[at], [(line, rows[at].page)], groups.get(place, None if place else ""))


def named(name: str, value: str) -> str:
    """
    >>> named("Mayor:", "Berg"), named("Is it open?", "Yes.")
    ('Mayor: Berg', 'Is it open? Yes.')
    """
    between = " " if name.endswith(("?", ".", "!")) else ": "
    return between.join(filter(None, (name.rstrip(": "), value)))


def _are_of_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows hold names and values; of several pairs, all names are plain and differ.

    >>> _are_of_pairs([["Name", "Berg", "Born", "1961"], ["Born in", "Lunde", "Has", "2 dogs"]])
    True
    >>> _are_of_pairs([["Party", "Seats 2019", "Head", "Votes"], ["Red", "12", "Ann", "40,000"]])
    False
    >>> _are_of_pairs([["Town", "Area", "Mayor", "2020"], ["Lunde", "North", "Berg", "n/a"]])
    False
    >>> _are_of_pairs([["Party", "2019", "Area", "2023"], ["Red", "12", "North", "n/a"]])
    False
    """
    rows = [*dropwhile(lambda row: len(row) > 2 and not any(row[1:]), rows)]  # titles
    pairs = [list(row[at : at + 2]) for row in rows for at in range(0, len(row) - 1, 2)]
    if len(pairs) == len(rows):
        return _is_of_pairs(rows)
    names = [pair[0] for pair in pairs if any(pair)]
    once = len({*names}) == len(names) and not any(map(DIGIT.search, names))
    even = len(rows) > 1 and len({*map(len, rows)}) == 1 and len(rows[0]) % 2 == 0
    if not (names and once and even and all(any(map(str.isalpha, one)) for one in names)):
        return False
    if all(one.endswith(":") for one in names):
        return True
    first, below = rows[0], [*zip(*rows[1:], strict=True)][1::2]
    columns = [*zip(first[::2], first[1::2], below, strict=True)]
    if any(all(map(is_figure, n)) and names_values(name, value, n) for name, value, n in columns):
        return False
    return any(  # a value that is a number, beside others that are none, names no column
        (is_figure(value) or is_day(value) or (NUMBER.fullmatch(value) and HAS_YEAR.search(name)))
        and not all(map(NUMBER.fullmatch, others))
        for name, value, others in columns
    )


def _is_of_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """
    >>> _is_of_pairs([["Posts:", "12"], ["Open:", "3"]])
    True
    >>> _is_of_pairs([["Mayor", "I. Solheim"], ["Posts", "12"], ["Founded", "1850"]])
    True
    >>> _is_of_pairs([["Department", "Posts"], ["Schools", "52"], ["Roads", ""]])
    False
    """
    if any(len(row) != 2 for row in rows):
        return False
    if all(name.endswith(":") for name, _ in rows):
        return True
    shown = list(dropwhile(lambda row: not row[1], rows))  # a title
    if shown and not shown[0][0]:  # a blank corner
        return False
    (name, first), *more = [row for row in shown if row[0]] or [("", "0")]
    below = [value for _, value in more]
    told = all(len(one.split()) > 2 and one.endswith((".", "!")) for one, _ in more)
    heads = bool(below) and len(first.split()) < _MOST_WORDS and not name.endswith(".")
    labels = is_claim(name) and is_label(first)  # "Myth" and "Fact"
    if names_values(name, first, below) or (told and heads) or labels:
        return False
    figures = [any(map(str.isdecimal, value)) or not value for value in below]
    return any(map(str.isdecimal, first)) or not all(figures) or not below or of_kinds(below)
