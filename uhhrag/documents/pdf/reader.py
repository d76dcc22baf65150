"""PDF, by PDFium: each sentence with the page it begins on.

Running heads and page numbers are left out, so a sentence can cross pages. Scanned pages have the
text of OCR. Left out: forms, notes, pictures beside text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from uhhrag.documents.blocks import split_blocks
from uhhrag.documents.document import Document, Scanned, Unreadable
from uhhrag.documents.ocr import DPI, MOST_PIXELS, Recognised
from uhhrag.documents.pdf.blocks import LARGER, pdf_blocks
from uhhrag.documents.pdf.letters import is_readable
from uhhrag.documents.pdf.lines import Line, page_lines
from uhhrag.documents.pdf.order import in_reading_order
from uhhrag.documents.pdf.tables import PdfTable, with_tables
from uhhrag.documents.scans import Pixels, page_confidences
from uhhrag.documents.segmentation import clean
from uhhrag.text.dates import OF_FILE, iso_date
from uhhrag.text.fragments import is_ended, is_fragment

_PAGE_LIMIT = 20_000
_FIRST_LINES = 40
"""Of a page that may begin with a table."""
_NO_TITLE = re.compile(
    r"microsoft \w+ - .*|untitled.{0,4}|(?:new )?document ?\d*"
    r"|.*\.(?:docx?|odt|rtf|txt|html?|md|tex|dvi|indd|qxp|pptx?|xlsx?|pages|pdf)",
    re.IGNORECASE,
)
_NO_TEXT = "has no text, only pictures of pages"
_NO_LETTERS = "has no readable letters: its fonts do not say which letters they show"


def read_pdf(
    path: Path, recognised: Mapping[int, Recognised] | None = None
) -> tuple[Document | str, ...]:
    """The document of a PDF file, with the text `recognised` of unreadable pages, from 1, and a
    clause for the others. Raises Scanned if no page has text or is recognised, Unreadable for an
    encrypted, damaged or empty file."""
    recognised = recognised or {}
    pdf = open_pdf(path)
    try:
        if len(pdf) > _PAGE_LIMIT:
            raise Unreadable(f"has {len(pdf):,} pages; at most {_PAGE_LIMIT:,} are read")
        pages = [page_lines(pdf, number + 1) for number in range(len(pdf))]
        strange = [n for n, page in enumerate(pages, 1) if not is_readable(x.text for x in page)]
        for number in strange:
            pages[number - 1] = []
        empty = [number for number, page in enumerate(pages, start=1) if not page]
        scans = tuple(n for n in empty if n not in recognised and _has_content(pdf, n))
        about = pdf.get_metadata_dict()
    finally:
        pdf.close()
    if not pages:
        raise Unreadable("has no pages")
    for number, page in recognised.items():
        if 0 < number <= len(pages):
            pages[number - 1] = [Line(line, number) for line in page.lines]
    if not any(pages) and not recognised:
        why = _NO_LETTERS if strange else _NO_TEXT
        raise Scanned(why, scans) if scans else Unreadable("has no text")
    body = [line for page in in_reading_order(_without_running_heads(pages)) for line in page]
    lines, numbers, starts, sections, _ = split_blocks(pdf_blocks(body))
    if not lines and not recognised:
        raise Unreadable("has no text")
    document = (
        Document(
            lines,
            numbers,
            title=_title(about.get("Title", "")),
            author=clean(about.get("Author", "")),
            date=iso_date(about.get("CreationDate", "")),
            dated_by=OF_FILE,
            starts=starts,
            ocr=page_confidences(numbers, recognised),
            sections=sections,
            scans=scans,
        ),
    )
    unread = [number for number in strange if number not in recognised]
    return (*document, _unread(unread)) if unread else document


def _unread(pages: Sequence[int]) -> str:
    """
    >>> _unread([2, 5]).partition(":")[0]
    'pages 2, 5 have no readable letters'
    """
    named = ", ".join(map(str, pages[:8])) + (", …" if len(pages) > 8 else "")
    have = "pages {} have" if len(pages) > 1 else "page {} has"
    return f"{have.format(named)} no readable letters: a font does not say which letters it shows"


def _title(stated: str) -> str:
    """The title in the metadata, "" for a file name that a program wrote.

    >>> _title("Budget for 2024"), _title("Microsoft Word - budget.docx"), _title("untitled")
    ('Budget for 2024', '', '')
    """
    title = clean(stated)
    return "" if _NO_TITLE.fullmatch(title) else title


def _has_content(pdf: Any, number: int) -> bool:
    """Whether anything is drawn on a page, from 1; False if damaged."""
    try:
        return next(iter(pdf[number - 1].get_objects(max_depth=1)), None) is not None
    except RuntimeError:
        return False


def open_pdf(path: Path) -> Any:
    """PDFium's document, closed by the caller. Raises Unreadable; later reads raise RuntimeError
    for damage."""
    import pypdfium2 as pdfium

    try:
        return pdfium.PdfDocument(path.read_bytes())
    except pdfium.PdfiumError as error:
        raise Unreadable(_why(str(error))) from error


def grey_page(path: Path, number: int) -> Pixels:
    """A page of a PDF, from 1, in grey. Raises Unreadable if damaged."""
    pdf = open_pdf(path)
    try:
        page = pdf[number - 1]
        width, height = page.get_size()
        scale = min(DPI / 72, (MOST_PIXELS / max(1.0, width * height)) ** 0.5)
        drawn = page.render(scale=scale * 0.999, grayscale=True, draw_annots=False).to_numpy()
        grey: Pixels = drawn.reshape(drawn.shape[0], drawn.shape[1], -1)[:, :, 0].copy()
    except (RuntimeError, IndexError, ValueError) as error:  # as PDFium's own error is
        raise Unreadable("is damaged") from error
    finally:
        pdf.close()
    return grey


def _why(error: str) -> str:
    """What PDFium's message means for a user."""
    if "password" in error.lower():
        return "is encrypted; save a copy without password"
    return "is not a PDF, or is damaged"


def _without_running_heads(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without first and last lines that over half of them, or of left or right ones,
    share but for the page's number; at least three pages must have text. Names of columns stay."""
    left = [list(page) for page in pages]
    filled = [page for page in left if page]
    usual = _usual([line for page in filled for line in page])
    sides = (filled, filled, *([p for p in left[n::2] if p] for n in (0, 1) if len(filled) > 3))
    for side in sides if len(filled) > 2 else ():
        for end in (0, -1):
            shapes: dict[str, list[Line]] = {}
            for page in side:
                if page:
                    shapes.setdefault(_shape(page[end].text), []).append(page[end])
            least = max(1, len(side) / 2)
            running = {
                shape: _counts_pages(lines)
                for shape, lines in shapes.items()
                if len(lines) > least and _may_run(shape) and _is_running(lines, usual)
            }
            for page in side:
                counts = running.get(_shape(page[end].text)) if page else None
                if counts or (counts is False and (end or not _begins_with_table(page))):
                    del page[end]
    return left


def _usual(lines: Sequence[Line]) -> Line:
    """A line set like most."""
    size = median(line.size for line in lines) if lines else 0.0
    return Line("", 0, size, 2 * sum(line.bold for line in lines) > len(lines))


def _is_running(lines: Sequence[Line], usual: Line) -> bool:
    """Whether lines of one shape are the same but for the page's number, and neither headings nor
    sentences."""
    steps = [_goes_on(above, below) for above, below in pairwise(lines)]
    if 2 * sum(steps) <= len(steps):
        return False
    first, counts = lines[0], _counts_pages(lines)
    set_off = first.size > LARGER * usual.size or (first.bold and not usual.bold)
    if counts and set_off and len(first.segments) == 1 and any(map(str.isalpha, first.text)):
        return False
    return not is_ended(first.text) or (
        (not counts or is_fragment(first.text)) and _are_at_one_height(lines)
    )


def _goes_on(line: Line, later: Line) -> bool:
    """Whether the numbers of two lines are the same, but for one that grows with the page."""
    grown = [b - a for a, b in zip(_numbers(line), _numbers(later), strict=True) if a != b]
    return not grown or grown == [later.page - line.page]


def _counts_pages(lines: Sequence[Line]) -> bool:
    return any(_numbers(line) != _numbers(lines[0]) for line in lines)


def _are_at_one_height(lines: Sequence[Line]) -> bool:
    heights = [line.segments[0].height for line in lines if line.segments]
    return len(heights) == len(lines) and max(heights) - min(heights) < lines[0].size / 2


def _begins_with_table(page: Sequence[Line]) -> bool:
    """Whether the first line names the columns of rows below it."""
    first = next(iter(with_tables(page[:_FIRST_LINES])))
    return isinstance(first, PdfTable) and all(first.rows[0][1:])


def _numbers(line: Line) -> list[int]:
    return [int(number[-9:]) for number in re.findall(r"\d+", clean(line.text))]


def _may_run(shape: str) -> bool:
    """Whether a line may be a running head: words, or just a page number.

    >>> _may_run("- # -"), _may_run("annual report #"), _may_run("# # #")
    (True, True, False)
    """
    return any(map(str.isalpha, shape)) or shape.count("#") == 1


def _shape(line: str) -> str:
    """
    >>> _shape("Page 12 of 340")
    'page # of #'
    """
    return re.sub(r"\d+", "#", clean(line).lower())
