"""PDF by PDFium: each sentence with the page it begins on, scans by OCR.

Sentences cross pages, without running heads. Notes and pictures beside text are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw
from pypdfium2.raw import FORMTYPE_XFA_FULL, FPDF_PAGEOBJ_IMAGE

from uhhrag.documents.archive import named_author
from uhhrag.documents.blocks import TABLE_END, Block, split_blocks
from uhhrag.documents.document import Document, Scanned, Unreadable
from uhhrag.documents.ocr import DPI, MOST_PIXELS, Recognised
from uhhrag.documents.pdf.blocks import pdf_blocks
from uhhrag.documents.pdf.fields import Field, fields_of, with_fields
from uhhrag.documents.pdf.grids import with_rows
from uhhrag.documents.pdf.lines import Line, page_lines
from uhhrag.documents.pdf.order import in_reading_order
from uhhrag.documents.pdf.pieces import cells_apart, initials_joined
from uhhrag.documents.pdf.places import COMMON, MOST_WITHOUT, Box
from uhhrag.documents.pdf.rows import with_shaded
from uhhrag.documents.pdf.rules import Rules
from uhhrag.documents.pdf.running import without_running_heads
from uhhrag.documents.pdf.unseen import BAR, Drawings, grey
from uhhrag.documents.plain.printed_mail import printed_mail
from uhhrag.documents.plain.turns import with_speakers
from uhhrag.documents.scans import Pixels, page_confidences
from uhhrag.documents.segmentation import clean
from uhhrag.system.terminal import first_of
from uhhrag.text.dates import OF_FILE, iso_date

_PAGE_LIMIT = 20_000
_NO_TITLE = re.compile(
    r"microsoft \w+ - .*|untitled.{0,4}|(?:new )?document ?\d*|powerpoint.presentation|title"
    r"|no slide title|\(anonymous\)|(?:slide|layout|book|sheet) ?\d+"
    r"|.*\.(?:docx?|odt|rtf|txt|html?|md|tex|dvi|indd|qxp|pptx?|xlsx?|pages|pdf)",
    re.IGNORECASE,
)
"""Titles that programs write, such as file names."""
_LONGEST_STAMP, _EDGE, _COVERED = 200, 0.12, 0.6
"""Of a scan: characters of stamps, and shares of the page: their distance from the edge, and
pictures.
"""
_DEEPEST = 3
"""Nested parts searched for pictures."""
_NO_TEXT = "has no text, only pictures of pages"
_HAVE = "has", "have"
_TO_LEFT, _FEW = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"), 20
_OTHERS = {"Cc", "Co", "Cn", "Cs"}
_LEAST_LETTERS, _LEAST_COMMON = 200, 0.26
"""Latin letters needed, and share of common ones: over half in text, a third in codes."""
_BREAKS = re.compile(r"[\s\x02\u00ad\ufffe]")
_NO_LETTERS = "has no readable letters: its fonts do not say which letters they show"


def read_pdf(
    path: Path, recognised: Mapping[int, Recognised] | None = None
) -> tuple[Document | str, ...]:
    """The document, with text `recognised` by page, from 1, and a clause on what is not read.

    Raises Scanned if no page has text or is recognised, Unreadable for an encrypted, damaged or
    empty file.
    """
    recognised = recognised or {}
    with open_pdf(path) as pdf:
        _require_pages(pdf)
        drawn = [_page_of(pdf, number) for number in range(1, len(pdf) + 1)]
        pages = [page.lines for page in drawn]
        damaged = _numbers(page.damaged for page in drawn)
        hidden = _numbers(page.hid for page in drawn)
        strange = _numbers(not is_readable(line.text for line in page) for page in pages)
        for number in strange:
            pages[number - 1] = []
        scans = [n for n, page in enumerate(drawn, 1) if page.is_scan or n in strange]
        used = {n: seen for n, seen in recognised.items() if _is_better(seen, pages[n - 1 : n])}
        for number, seen in used.items():
            pages[number - 1] = [Line(line, number) for line in seen.lines]
        for number, page in enumerate(drawn, 1):
            lines = with_fields(pages[number - 1], page.fields, number, page.rules)
            lines = with_rows(lines, page.rules, _edges(reversed(pages[number - 2])))
            pages[number - 1] = with_shaded(lines, page.shades)
        for at, (page, after) in enumerate(zip(drawn, pages[1:], strict=False)):
            if below := _edges(after):  # perhaps with a heading alone at the foot
                pages[at] = with_rows(pages[at], page.rules, below)
        about, attached = pdf.get_metadata_dict(), pdf.count_attachments()
    body = [line for page in in_reading_order(without_running_heads(pages)) for line in page]
    found = split_blocks(with_speakers(printed_mail(filter(_is_seen, pdf_blocks(body)))))
    left, title = tuple(n for n in scans if n not in recognised), clean(about.get("Title", ""))
    if not found.lines and not recognised:
        if left:
            raise Scanned(_NO_LETTERS if strange else _NO_TEXT, left)
        raise Unreadable("is damaged" if damaged else "has no text")
    document = replace(
        found,
        title="" if _NO_TITLE.fullmatch(title) else title,
        author=named_author(clean(about.get("Author", ""))),
        date=iso_date(about.get("CreationDate", "")),
        dated_by=OF_FILE,
        ocr=page_confidences(found.pages, used),
        scans=left,
    )
    unread = [number for number in strange if number not in recognised]
    texts = (" ".join(line.text for line in page) for page in pages)
    to_left = _numbers(len(_TO_LEFT.findall(text)) > _FEW for text in texts)
    clauses = "; ".join(_not_read(unread, damaged, hidden, to_left, attached))
    return (document, clauses) if clauses else (document,)


def is_readable(lines: Iterable[str]) -> bool:
    """Whether few characters are control or private ones, and letters are common."""
    counts = Counter(_BREAKS.sub("", "".join(lines)))
    every = sum(counts.values())
    without = sum(
        number
        for letter, number in counts.items()
        if letter == "\N{REPLACEMENT CHARACTER}" or unicodedata.category(letter) in _OTHERS
    )
    letters = sum(number for letter, number in counts.items() if re.match("[A-Za-z]", letter))
    common = sum(counts[letter] for letter in COMMON)
    few = letters >= _LEAST_LETTERS and common < _LEAST_COMMON * letters
    return without <= MOST_WITHOUT * every and not few


def _edges(lines: Iterable[Line]) -> tuple[int, ...]:
    return next((line.row.edges for line in lines if line.row and line.row.edges), ())


def _is_seen(block: Block) -> bool:
    """Not only bars."""
    return block is TABLE_END or bool(block.words.strip(f"{BAR} "))


def _require_pages(pdf: Any) -> None:
    """Raises Unreadable for none, too many, or an XFA form."""
    if len(pdf) > _PAGE_LIMIT:
        raise Unreadable(f"has {len(pdf):,} pages; at most {_PAGE_LIMIT:,} are read")
    if not len(pdf):
        raise Unreadable("has no pages")
    if pdf.get_formtype() == FORMTYPE_XFA_FULL:
        raise Unreadable("is a form that only Adobe Reader shows (XFA); print it to PDF there")


class _Page(NamedTuple):
    lines: list[Line]
    rules: Rules
    fields: tuple[Field, ...] = ()
    shades: Sequence[Box] = ()
    hid: bool = False
    """Has text that it does not show."""
    damaged: bool = False
    is_scan: bool = False


def _page_of(pdf: Any, number: int) -> _Page:
    try:
        page = pdf[number - 1]
        drawings = Drawings(page)
        lines = list(cells_apart(initials_joined(page_lines(page, number, drawings))))
        fields, is_scan = tuple(fields_of(pdf, page)), _is_scan(page, lines)
        page.close()
    except RuntimeError:  # as PDFium's own error is
        return _Page([], Rules(), damaged=True)
    return _Page(lines, drawings.rules, fields, drawings.shades, drawings.hid, is_scan=is_scan)


def _is_better(page: Recognised, typed: Sequence[Sequence[Line]]) -> bool:
    return bool(typed) and sum(map(len, page.lines)) > 2 * sum(len(x.text) for x in typed[0])


def _numbers(of_pages: Iterable[bool]) -> list[int]:
    return [number for number, is_so in enumerate(of_pages, start=1) if is_so]


def _not_read(
    unread: Sequence[int],
    damaged: Sequence[int],
    hidden: Sequence[int],
    to_left: Sequence[int],
    attachments: int,
) -> Iterator[str]:
    """
    >>> next(_not_read([2, 5], [], [], [], 0)).partition(":")[0]
    'pages 2, 5 have no readable letters'
    """
    for pages, verbs, what in (
        (unread, _HAVE, "no readable letters: a font does not say which letters it shows"),
        (damaged, ("is", "are"), "damaged and not read"),
        (hidden, _HAVE, "text that is covered or not drawn; it is not read"),
        (to_left, _HAVE, "text from right to left, which may be read in a wrong order"),
    ):
        if pages:
            several = len(pages) > 1
            yield f"page{'s' * several} {first_of(pages)} {verbs[several]} {what}"
    if attachments > 1:
        yield f"has {attachments:,} attachments that are not read; save them as files"
    elif attachments:
        yield "has an attachment that is not read; save it as a file"


def _is_scan(page: Any, lines: Sequence[Line]) -> bool:
    if sum(len(line.text) for line in lines) > _LONGEST_STAMP:
        return False
    try:
        if not lines:
            return next(page.get_objects(max_depth=1), None) is not None
        left, low, right, high = page.get_bbox()
        wide, tall, text = max(1, right - left), max(1, high - low), page.get_textpage()
        for x0, y0, x1, y1 in map(text.get_rect, range(text.count_rects())):
            across, up = ((x0 + x1) / 2 - left) / wide, ((y0 + y1) / 2 - low) / tall
            if min(across, 1 - across, up, 1 - up) > _EDGE:
                return False
        pictures = page.get_objects([FPDF_PAGEOBJ_IMAGE], max_depth=_DEEPEST)
        places = [picture.get_bounds() for picture in pictures]
    except RuntimeError:  # as PDFium's own error is
        return False
    covered = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in places)
    return bool(covered > _COVERED * wide * tall)


def forget_fonts() -> None:
    """Fonts drawn in place of missing ones would give later files' letters other widths. No PDF may
    be open."""
    raw.FPDF_DestroyLibrary()
    raw.FPDF_InitLibraryWithConfig(raw.FPDF_LIBRARY_CONFIG(version=2))


def open_pdf(path: Path) -> Any:
    """To be closed by the caller. Raises Unreadable; later reads raise RuntimeError for damage."""
    try:
        pdf = pdfium.PdfDocument(path.read_bytes())
        pdf.init_forms()
    except pdfium.PdfiumError as error:
        if re.search("password|security", str(error), re.IGNORECASE):
            raise Unreadable("is encrypted; save a copy without password") from error
        raise Unreadable("is not a PDF, or is damaged") from error
    return pdf


def grey_page(path: Path, number: int) -> Pixels:
    """Page `number`, from 1. Raises Unreadable if damaged."""
    with open_pdf(path) as pdf:
        try:
            page = pdf[number - 1]
            width, height = page.get_size()
            scale = min(DPI / 72, (MOST_PIXELS / max(1.0, width * height)) ** 0.5)
            return grey(page.render(scale=scale * 0.999, grayscale=True, draw_annots=False))
        except (RuntimeError, IndexError, ValueError) as error:  # as PDFium's own error is
            raise Unreadable("is damaged") from error
