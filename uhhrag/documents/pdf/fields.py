"""What is filled into a form, set beside the text that asks for it, as on the page."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref, c_ushort
from statistics import median
from typing import Any, NamedTuple

from uhhrag.documents.pdf.lines import Line, LineSegment
from uhhrag.documents.segmentation import clean

_CHECKED = "☒"
_OVER = 2.0
"""Points that a field may reach over the text beside it."""


class _Field(NamedTuple):
    text: str
    left: float
    low: float
    right: float
    high: float


def with_fields(lines: list[Line], pdf: Any, number: int) -> list[Line]:
    """The lines of a page, from 1, with what is filled in: behind the text on its left, a checked
    box before that on its right, or as a line of its own."""
    lines = list(lines)
    usual = median([line.size for line in lines if line.size] or [10.0])
    for field in _filled(pdf, number) if pdf.formenv else ():
        boxed = field.text == _CHECKED
        near = [
            (gap, at, place)
            for at, line in enumerate(lines)
            for place, one in enumerate(line.segments)
            if field.low - _OVER <= one.height <= field.high
            and (gap := one.left - field.right if boxed else field.left - one.right) >= -_OVER
        ]
        if not near:
            heights = [line.segments[0].height if line.segments else field.high for line in lines]
            at = next((at for at, height in enumerate(heights) if height < field.low), len(lines))
            segment = LineSegment(field.text, field.left, field.right, field.low)
            lines.insert(at, Line(field.text, number, usual, False, (segment,)))
            continue
        _, at, place = min(near)
        parts = list(lines[at].segments)
        pair = (field.text, parts[place].text) if boxed else (parts[place].text, field.text)
        parts[place] = parts[place]._replace(text=" ".join(pair))
        text = " ".join(part.text for part in parts)
        lines[at] = lines[at]._replace(text=text, segments=tuple(parts))
    return lines


def _filled(pdf: Any, number: int) -> Iterator[_Field]:
    """The filled texts, choices and checked boxes that a page shows."""
    import pypdfium2.raw as pdfium

    form, page, box = pdf.formenv.raw, pdf[number - 1], pdfium.FS_RECTF()
    texts = range(pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_TEXTFIELD + 1)
    hidden = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
    for at in range(pdfium.FPDFPage_GetAnnotCount(page.raw)):
        field = pdfium.FPDFPage_GetAnnot(page.raw, at)
        text = _CHECKED if pdfium.FPDFAnnot_IsChecked(form, field) else ""
        if pdfium.FPDFAnnot_GetFormFieldType(form, field) in texts:
            units = pdfium.FPDFAnnot_GetFormFieldValue(form, field, None, 0) // 2
            value = (c_ushort * units)()
            pdfium.FPDFAnnot_GetFormFieldValue(form, field, value, 2 * units)
            text = clean(bytes(value).decode("utf-16-le", "replace").rstrip("\0"))
        is_shown = not pdfium.FPDFAnnot_GetFlags(field) & hidden
        if text and is_shown and pdfium.FPDFAnnot_GetRect(field, byref(box)):
            yield _Field(text, box.left, box.bottom, box.right, box.top)
        pdfium.FPDFPage_CloseAnnot(field)
