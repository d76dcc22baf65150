"""RTF: paragraphs and rows of tables in their order, with the title, author and date of the file.

Left out: heads and feet of pages, footnotes, comments, pictures, hidden and deleted text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from uhhrag.documents.blocks import Block, split_blocks
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.rtf_words import ASIDE, CHARACTERS, codec_of_charset, codec_of_page
from uhhrag.documents.segmentation import clean
from uhhrag.text.dates import OF_FILE, iso_date

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)",
    re.DOTALL,
)
_BREAKS = {"par", "sect", "page", "column"}
_ROWS, _CELLS = {"row", "nestrow"}, {"cell", "nestcell"}
_SWITCHES = {"v", "deleted"}
_INFO = {"title", "author"}
_DEEPEST = 10_000


@dataclass(frozen=True, slots=True)
class _Group:
    """What holds between two braces: whether it is left out (`aside`), where its text goes ("" for
    the document itself), the number of its font, and how many characters stand in for one that is
    given by its number."""

    aside: bool = False
    into: str = ""
    font: int = -1
    stand_ins: int = 1
    hidden: bool = False


@dataclass(slots=True)
class _Reader:
    """Reads one file; `blocks` and `about` (title, author, creatim) are what it finds."""

    blocks: list[Block] = field(default_factory=list)
    about: dict[str, str] = field(default_factory=dict)
    depth: int = 0
    _group: _Group = field(default_factory=_Group)
    _outer: list[_Group] = field(default_factory=list)
    _codec: str = "cp1252"
    _font: int = 0
    _fonts: dict[int, str] = field(default_factory=dict)
    _bytes: bytearray = field(default_factory=bytearray)
    _text: list[str] = field(default_factory=list)
    _cells: list[str] = field(default_factory=list)
    _skip: int = 0
    _opens: bool = False
    _marked: bool = False

    def read(self, raw: bytes) -> None:
        at = 0
        while at < len(raw):
            match = _TOKEN.match(raw, at)
            if match is None:  # the end of a line, or a lone backslash at the very end
                at += 1
                continue
            word, number, code, symbol, brace, text = match.groups()
            at = match.end()
            if brace:
                self._brace(brace)
            elif word == b"bin":
                at += max(0, int(number or 0))
            elif word:
                self._word(word.decode("ascii"), None if number is None else int(number))
            elif code:
                self._put(bytes([int(code, 16)]))
            elif symbol:
                self._symbol(symbol)
            else:
                self._put(text)
            self._opens = brace == b"{" or (self._opens and symbol == b"*")
        self._end_paragraph()
        self._end_row()

    def _brace(self, brace: bytes) -> None:
        self._flush()
        self._skip, self._marked = 0, False
        if brace == b"{":
            if len(self._outer) > _DEEPEST:
                raise Unreadable("is nested too deeply")
            self._outer.append(self._group)
            self.depth += 1
        elif self._outer:
            self._group = self._outer.pop()
            self.depth -= 1

    def _word(self, word: str, number: int | None) -> None:
        if self._opens:  # the first word of a group says what the group is for
            self._begin(word)
        self._skip = 0
        if word == "u":
            self._flush()
            self._add(chr((number or 0) % 0x10000))
            self._skip = self._group.stand_ins
        elif word in CHARACTERS:
            self._flush()
            self._add(CHARACTERS[word])
        elif word in _BREAKS and not self._group.aside and not self._group.into:
            self._end_paragraph()
        elif word in _CELLS and not self._group.aside:
            self._end_cell()
        elif word in _ROWS and not self._group.aside:
            self._end_row()
        else:
            self._set(word, number)

    def _begin(self, word: str) -> None:
        aside = word in ASIDE or self._marked
        if word in _INFO and self._group.into == "info":
            self._group = replace(self._group, aside=False, into=word)
        elif word in ("info", "fonttbl", "creatim"):
            self._group = replace(self._group, into=word)
        elif aside:
            self._group = replace(self._group, aside=True)

    def _set(self, word: str, number: int | None) -> None:
        """What a word sets for the rest of its group."""
        if word == "f":
            self._flush()
            self._group = replace(self._group, font=number or 0)
        elif word == "plain":
            self._flush()
            self._group = replace(self._group, font=-1, hidden=False)
        elif word == "fcharset" and self._group.into == "fonttbl":
            self._fonts[self._group.font] = codec_of_charset(number or 0)
        elif word == "deff":
            self._font = number or 0
        elif word == "uc":
            self._group = replace(self._group, stand_ins=max(0, min(number or 0, 9)))
        elif word in ("ansicpg", "mac", "pc", "pca"):
            self._codec = codec_of_page(word, number) or self._codec
        elif word in _SWITCHES:
            self._flush()
            self._group = replace(self._group, hidden=number != 0)
        elif word in ("yr", "mo", "dy") and self._group.into == "creatim":
            before = self.about.get("creatim", "")
            self.about["creatim"] = f"{before}-{number or 0:02}" if before else f"{number or 0:04}"

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._marked = self._opens
        elif symbol in b"\r\n":
            self._end_paragraph()
        elif symbol in b"\\{}":
            self._put(symbol)
        elif symbol == b"~":
            self._put(b" ")
        elif symbol == b"_":
            self._put(b"-")

    def _put(self, raw: bytes) -> None:
        skipped = min(self._skip, len(raw))
        self._skip -= skipped
        if not self._group.aside and not self._group.hidden:
            self._bytes += raw[skipped:]

    def _flush(self) -> None:
        if self._bytes:
            font = self._font if self._group.font < 0 else self._group.font
            codec = self._fonts.get(font) or self._codec
            text = self._bytes.decode(codec, "replace")
            self._bytes.clear()
            self._add(text)

    def _add(self, text: str) -> None:
        group = self._group
        if group.aside or group.hidden:
            return
        if group.into in _INFO:
            self.about[group.into] = self.about.get(group.into, "") + text
        elif not group.into:
            self._text.append(text)

    def _end_cell(self) -> None:
        self._flush()
        self._cells.append(clean("".join(self._text)))
        self._text.clear()

    def _end_row(self) -> None:
        if self._cells:
            self.blocks.append(Block(cells=tuple(self._cells)))
        self._cells.clear()

    def _end_paragraph(self) -> None:
        self._flush()
        if self._cells:
            self._text.append(" ")  # a paragraph of a cell
            return
        self.blocks.append(Block(clean("".join(self._text))))
        self._text.clear()


def read_rtf(path: Path) -> Iterator[Document | str]:
    """The document of an RTF file, and a clause where the file is cut off. Raises Unreadable where
    it is no RTF or has no text."""
    raw = path.read_bytes()
    if not raw.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{\\rtf"):
        raise Unreadable("is not RTF, or is damaged")
    reader = _Reader()
    reader.read(raw)
    split = split_blocks(reader.blocks)
    if not split.lines:
        raise Unreadable("has no text")
    about = {name: clean(text) for name, text in reader.about.items()}
    yield Document(
        split.lines,
        title=about.get("title", ""),
        author=about.get("author", ""),
        date=iso_date(about.get("creatim", "")),
        dated_by=OF_FILE,
        starts=split.starts,
        quoted=split.quoted,
    )
    if reader.depth > 0:
        yield "is cut off; what stands before the cut was read"
