"""Form fields and added text, set beside what asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import c_ushort
from statistics import median
from typing import Any

import pypdfium2.raw as pdfium

from uhhrag.documents.pdf.lines import Line, LineSegment, line_of
from uhhrag.documents.pdf.places import Box
from uhhrag.documents.pdf.rules import Rules
from uhhrag.documents.pdf.unseen import box_of, shown_notes
from uhhrag.documents.segmentation import clean

_CHECKED = "☒"
_OVER = 2.0
"""Points that a field may overlap."""
Field = tuple[str, Box]
"""A filled text, choice or checked box, and its place."""


def with_fields(
    lines: Sequence[Line], fields: Sequence[Field], number: int, rules: Rules
) -> list[Line]:
    """Adds fields to page `number`, from 1: after text on the left, a checked box before text on
    the right; otherwise, and in cells of their own, as lines."""
    lines = list(lines)
    usual = median([line.size for line in lines if line.size] or [10.0])
    for text, (left, low, right, high) in fields:
        boxed = text == _CHECKED
        near = [
            (gap, at, place)
            for at, line in enumerate(lines)
            for place, one in enumerate(line.segments)
            if low - _OVER <= one.height <= high
            for ends in [(right, one.left) if boxed else (one.right, left)]
            if (gap := ends[1] - ends[0]) >= -_OVER and not rules.part(0, *ends, one.height)
        ]
        if not near:
            heights = [line.height if line.segments else high for line in lines]
            at = next((at for at, height in enumerate(heights) if height < low), len(lines))
            segment = LineSegment(text, left, right, low)
            lines.insert(at, Line(text, number, usual, False, (segment,)))
            continue
        _, at, place = min(near)
        parts = list(lines[at].segments)
        pair = (text, parts[place].text) if boxed else (parts[place].text, text)
        parts[place] = parts[place]._replace(text=" ".join(pair))
        lines[at] = line_of(lines[at], parts)
    return lines


def fields_of(pdf: Any, page: Any) -> Iterator[Field]:
    """A page's shown filled fields and text boxes."""
    for note, kind in shown_notes(page):
        text = ""
        if kind == pdfium.FPDF_ANNOT_FREETEXT:
            text = _told(pdfium.FPDFAnnot_GetStringValue, note, b"Contents")
        elif kind == pdfium.FPDF_ANNOT_WIDGET and pdf.formenv:
            text = _filled(pdf.formenv.raw, note)
        if text:
            yield text, box_of(note)


def _filled(form: Any, field: Any) -> str:
    texts = range(pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_TEXTFIELD + 1)
    if pdfium.FPDFAnnot_GetFormFieldType(form, field) in texts:
        return _told(pdfium.FPDFAnnot_GetFormFieldValue, form, field)
    return _CHECKED if pdfium.FPDFAnnot_IsChecked(form, field) else ""


def _told(ask: Any, *of: Any) -> str:
    units = ask(*of, None, 0) // 2
    value = (c_ushort * units)()
    ask(*of, value, 2 * units)
    return clean(bytes(value).decode("utf-16-le", "replace").rstrip("\0"))
