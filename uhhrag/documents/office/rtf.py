"""RTF by pandoc, recoded to UTF-8: pandoc knows one code page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from uhhrag.documents.archive import named_author
from uhhrag.documents.blocks import Block, document_of, without_hard_lines
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.marks import CHARSETS, SYMBOLS, codec_of_page, in_font
from uhhrag.documents.office.rtf_shown import COLOURING, SEEN, Colours, form_value, whites
from uhhrag.documents.office.rtf_tables import CELL_END, RowEdges, boxes_apart, with_spans
from uhhrag.documents.office.shared import TRACKED, eq_fields, is_shown, unread_objects
from uhhrag.documents.pandoc.blocks import ITEM, blocks_of_pandoc
from uhhrag.documents.pandoc.program import read_by_pandoc
from uhhrag.documents.pandoc.tables import TAB
from uhhrag.documents.plain.printed_mail import printed_mail
from uhhrag.documents.plain.turns import with_speakers
from uhhrag.documents.segmentation import clean
from uhhrag.text.characters import repaired
from uhhrag.text.dates import OF_FILE, iso_date

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)",
    re.DOTALL,
)
_DEEPEST, _LOWEST = 1_000, 8
"""Of groups, and of levels of lists, from 0."""
_GONE = {b"deleted", b"mvf"}
_HIDDEN = {b"v", b"strike", b"striked", *_GONE}
_LABELS = {b"listtext", b"pntext"}
_ASIDE = {
    *(b"header", b"headerl", b"headerr", b"headerf", b"footer", b"footerl", b"footerr", b"footerf"),
    *(b"pict", b"object", b"objdata", b"annotation", b"themedata", b"datastore", b"stylesheet"),
    *(b"info", b"atnid", b"atnauthor", b"colorschememapping", b"xe", b"tc", b"shprslt", b"fldinst"),
    b"nesttableprops",
    *_LABELS,
}
"""Groups that pandoc is not given."""
_SETTLED = {
    *(b"ls", b"ilvl", b"uc", b"ansicpg", b"mac", b"pc", b"pca", b"field", b"fldrslt"),
    *_HIDDEN,
}
"""Words settled by recoding, which pandoc is not given."""
_NOTHING = "{}"
"""Parts a word from the text after it."""
_AS = {
    b"sect": r"\par ",
    b"page": r"\line ",
    b"column": r"\line ",
    b"nestcell": CELL_END,
    b"tab": TAB,
}
_AS |= {b"trowd": _NOTHING}
"""Words unknown to pandoc, and others that show the same; rows begin as `RowEdges` says."""
_AMID = {b"pard", b"plain", b"intbl"}
"""Words that part paragraphs for pandoc, also between the cells of a row within a cell."""
_CONTENTS = re.compile(rb"(?:[\s{}]|\\[a-z*]+-?\d*)*+(?:TOC|TOA|INDEX)\b")
_FORMULA = re.compile(rb"\\fldinst(?:[\s{}]|\\[a-z*]+-?\d*)*+EQ\s")
_HEADING = re.compile(rb"{\\s(\d{1,4})\\[^{}]*\sheading ([1-9]);}", re.IGNORECASE)
_QUOTE = re.compile(rb"{\\s(\d{1,4})\\[^{}]*\s(?:(?:intense )?quote|quotations|block text);}", re.I)
_QUOTED = "\ufdd3"
"""Begins a quoted paragraph; no text has this character."""
_OBJECT = re.compile(rb"\\objclass ([^{}\\;]{1,40})")
_DRAWN = re.compile(rb"{\\\*\\do(?=[\\\s{])")
"""Begins a text box of Word 95; LibreOffice begins notes so."""
_TEXTS = {b"title", b"author"}
_DATE = re.compile(rb"\\creatim\\yr(\d{4})(?:\\mo(\d{1,2}))?(?:\\dy(\d{1,2}))?")


@dataclass(frozen=True, slots=True)
class _Group:
    font: int = -1
    stand_ins: int = 1
    """Characters that replace one given by number."""
    aside: bool = False
    hidden: frozenset[bytes] = frozenset()
    colours: Colours = SEEN
    part: bytes = b""
    """Its first word: what it is for."""


class _Recoded:
    def __init__(self, raw: bytes) -> None:
        self.about: dict[bytes, str] = {}
        self.tracked = False
        self.outer: list[_Group] = []
        self._group = _Group()
        self._codec, self._font = "cp1252", 0
        self._fonts: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._raw = bytearray()
        self._skip = 0
        self._opens = self._contents = self._amid = False
        self._label = self._form = ""
        self._item: str | None = None
        self._level = 0
        self._edges = RowEdges()
        self._levels = {number: int(level) for number, level in _HEADING.findall(raw)}
        self._whites = whites(raw)
        self._quotes = set(_QUOTE.findall(raw))
        self._quoted = False

    def pieces(self, raw: bytes) -> Iterator[str]:
        """Text boxes follow their paragraphs, notes their table; surrogate pairs stay in halves."""
        boxes: list[str] = []
        depth = 0
        for word, piece in self._pieces(raw):
            depth = depth if len(self.outer) >= depth else 0
            note = word == b"footnote" and self._edges.inside
            depth = len(self.outer) if (word == b"shp" or note) and not depth else depth
            if depth:
                boxes.append("" if note else piece)
                continue
            if boxes and not self.outer:
                yield boxes_apart(boxes)
            yield piece
            if boxes and word == b"par" and not self._edges.inside:
                yield boxes_apart(boxes)
        yield self._edges.end() + (boxes_apart(boxes) if boxes else "") + "}" * len(self.outer)

    def _pieces(self, raw: bytes) -> Iterator[tuple[bytes, str]]:
        at = 0
        while at < len(raw):
            match = _TOKEN.match(raw, at)
            if match is None:  # the end of a line, or a lone backslash at the very end
                at += 1
                continue
            at = match.end()
            word, number, code, symbol, brace, text = match.groups()
            if word == b"fldinst":
                self._contents = bool(_CONTENTS.match(raw, at, at + 500))
                self._form = form_value(raw, at, self._codec)
            if word == b"bin":
                at += max(0, int(number or 0))
            elif code:
                self._put(bytes([int(code, 16)]))
            elif text:
                self._put(text)
            else:
                yield b"", self._flushed()
                self._edges.shut(b"" if self._group.aside else word, raw, at)
                yield word or b"", self._passed_on(match[0], word, number, brace)
            self._opens = brace == b"{" or (self._opens and symbol == b"*")
        yield b"", self._flushed()

    def _passed_on(
        self, whole: bytes, word: bytes | None, number: bytes | None, brace: bytes | None
    ) -> str:
        if brace:
            return self._brace(brace)
        if word == b"u":
            self._skip = self._group.stand_ins
            code = int(number or 0) % 0x10000
            private = 0xF000 <= code < 0xF100
            return self._given(chr(code & 0xFF if private else code), signs=private)
        self._skip = 0
        if word is not None:
            self._word(word, None if number is None else int(number))
        hidden = self._group.hidden
        joined = word == b"par" and bool(hidden & _GONE)  # with the next paragraph
        if self._group.aside or joined or (hidden and word is None):
            return ""
        if word is None:
            return whole.decode("latin-1")
        plain = whole.decode("latin-1").rstrip(" ") + " "  # or pandoc takes a sign after it for one
        if word == b"row":
            return self._edges.cell() + plain
        if word == b"s" and number in self._levels:
            return f"{plain}\\outlinelevel{self._levels[number] - 1} "
        self._amid = word == b"nestcell" or (self._amid and word not in (b"par", b"cell"))
        if self._amid and word in _AMID:
            return _NOTHING
        if word in (b"pard", b"s"):
            self._quoted = word == b"s" and number in self._quotes
        mark = _QUOTED if self._quoted and word in (b"s", b"par") else ""
        shown = _NOTHING if word in _SETTLED else _AS.get(word, plain)
        return shown + self._edges.said_after(word) + mark

    def _brace(self, brace: bytes) -> str:
        self._skip = 0
        if brace == b"{":
            if len(self.outer) > _DEEPEST:
                raise Unreadable("is nested too deeply")
            self.outer.append(self._group)
            return "" if self._group.aside else "{"
        if not self.outer:
            return ""
        inner, self._group = self._group, self.outer.pop()
        if self._group.aside:
            return "" if inner.aside else "}"
        if inner.part in _LABELS:  # before or behind what says its paragraph's level
            label, self._label = re.sub(r"([\\{}])", r"\\\1", self._label.strip()), ""
            self._item = f"{label} " if is_shown(label) else ""
        ended = "" if self.outer else self._edges.end()
        form, self._form = (self._form, "") if inner.part == b"fldinst" else ("", self._form)
        return f"{ended}}}" + re.sub(r"([\\{}])", r"\\\1", self._given(form, signs=False))

    def _word(self, word: bytes, number: int | None) -> None:
        if self._opens:  # the first word of a group says what the group is for
            known = word in _TEXTS and self._group.part == b"info"
            contents = word == b"fldrslt" and self._contents
            aside = not known and (self._group.aside or word in _ASIDE or contents)
            within = self._group.aside and self._group.part in _TEXTS
            part = self._group.part if within else word
            self._group = replace(self._group, part=part, aside=aside or known)
            self.about |= {word: ""} if word in _TEXTS and self._group.aside else {}
        if not self._group.aside:
            self._edges.see(word, number)
        if word in COLOURING:
            colours = self._group.colours.after(word, number or 0, self._whites)
            self._group = replace(self._group, colours=colours)
        if word == b"f":
            self._group = replace(self._group, font=number or 0)
        elif word == b"plain":
            self._group = replace(self._group, font=-1, hidden=frozenset())
        elif word == b"fcharset":
            self._fonts[self._group.font] = CHARSETS.get(number or 0, "")
        elif word == b"deff":
            self._font = number or 0
        elif word in (b"par", b"pard", b"ilvl") and not self._group.aside:
            self._item = None if word == b"par" else self._item
            self._level = self._level if word == b"par" else min(number or 0, _LOWEST)
        elif word == b"uc":
            self._group = replace(self._group, stand_ins=max(0, min(number or 0, 9)))
        elif word in (b"ansicpg", b"mac", b"pc", b"pca"):
            self._codec = codec_of_page(word.decode(), number) or self._codec
        elif word in _HIDDEN:
            others = self._group.hidden - {word}
            self._group = replace(self._group, hidden=others | ({word} if number != 0 else set()))
        self.tracked = self.tracked or word == b"revised" or word in _GONE

    def _put(self, raw: bytes) -> None:
        skipped = min(self._skip, len(raw))
        self._skip -= skipped
        self._raw += raw[skipped:]
        if self.outer and self.outer[-1].part == b"fonttbl":
            self._names[self._group.font] = raw.decode("latin-1").strip(" ;")

    def _flushed(self) -> str:
        codec = self._fonts.get(self._in_use()) or self._codec
        raw, self._raw = self._raw, bytearray()
        signs = codec == SYMBOLS
        return self._given(raw.decode("latin-1" if signs else codec, "replace"), signs=signs)

    def _in_use(self) -> int:
        return self._font if self._group.font < 0 else self._group.font

    def _given(self, text: str, *, signs: bool) -> str:
        group, shown = self._group, in_font(text, self._names.get(self._in_use(), ""))
        text = in_font(text, "symbol") if signs and shown == text else shown
        if group.part in _TEXTS and group.aside:
            self.about[group.part] = self.about.get(group.part, "") + text
        self._label += text if group.part in _LABELS else ""
        unseen = group.aside or group.hidden or group.colours.unseen
        text = "" if unseen or group.part == b"nonesttables" else text
        if text.strip():
            self._edges.leave()
        if self._item is not None and text.strip():
            text, self._item = ITEM * (self._level + 1) + self._item + text, None
        return text


def _whose(block: Block) -> Block:
    if _QUOTED not in block.text:
        return replace(block, cells=tuple(cell.replace(_QUOTED, "") for cell in block.cells))
    return replace(block, text=block.text.replace(_QUOTED, "").strip(), quoted="")


def read_rtf(path: Path) -> Iterator[Document | str]:
    raw = _DRAWN.sub(rb"{\\shp", path.read_bytes().replace(rb"{\*\footnote", rb"{\footnote"))
    if not raw.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{\\rtf"):
        raise Unreadable("is not RTF, or is damaged")
    recoded = _Recoded(raw)
    content = repaired("".join(recoded.pieces(raw))).encode()
    made = _DATE.search(raw)
    day = b"-".join(part.zfill(2) for part in made.groups(b"01")).decode() if made else ""
    blocks = blocks_of_pandoc(with_spans(read_by_pandoc(content, "rtf")["blocks"]), code=True)
    yield document_of(
        with_speakers(without_hard_lines(printed_mail(map(_whose, blocks)))),
        title=clean(recoded.about.get(b"title", "")),
        author=named_author(clean(recoded.about.get(b"author", ""))),
        date=iso_date(day),
        dated_by=OF_FILE,
        note=TRACKED if recoded.tracked else "",
    )
    yield from unread_objects(name.decode("latin-1") for name in _OBJECT.findall(raw))
    if rb"\moMath" in raw:
        yield "has formulas that are not read; save a copy as .docx"
    yield from eq_fields(len(_FORMULA.findall(raw)))
    if recoded.outer:
        yield "is cut off; what stands before the cut was read"
