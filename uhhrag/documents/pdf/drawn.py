"""Straight level and upright lines that a page draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import byref, c_float, c_int
from itertools import islice, pairwise
from typing import Any

import pypdfium2.raw as pdfium

MOST_OBJECTS = 20_000
"""Of a page."""
_MOST_POINTS, _DEEPEST = 400, 4
"""Of a path; paths within parts of parts."""
_THICKEST = 2.6
"""Of a filled line, in points."""
Point = tuple[float, float]


def drawn_lines(page: Any) -> Iterator[tuple[Point, Point]]:
    """The ends of straight lines, and of filled shapes that are as thin."""
    fills, strokes = c_int(), c_int()
    paths = page.get_objects([pdfium.FPDF_PAGEOBJ_PATH], max_depth=_DEEPEST)
    for path in islice(paths, MOST_OBJECTS):
        pdfium.FPDFPath_GetDrawMode(path, byref(fills), byref(strokes))
        for points in _outlines(path) if fills.value or strokes.value else ():
            yield from pairwise(points) if strokes.value else _thin(points)


def _thin(points: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    (left, right), (low, high) = ((min(n), max(n)) for n in zip(*points, strict=True))
    across, up = (left + right) / 2, (low + high) / 2
    if high - low <= _THICKEST:
        yield (left, up), (right, up)
    elif right - left <= _THICKEST:
        yield (across, low), (across, high)


def _outlines(path: Any) -> Iterator[list[Point]]:
    ends, count = (c_float(), c_float()), pdfium.FPDFPath_CountSegments(path)
    matrix, around = path.get_matrix(), path.container
    while around:
        matrix, around = matrix.multiply(around.get_matrix()), around.container
    points: list[Point] = []
    for at in range(count if count <= _MOST_POINTS else 0):
        part = pdfium.FPDFPath_GetPathSegment(path, at)
        pdfium.FPDFPathSegment_GetPoint(part, *map(byref, ends))
        if pdfium.FPDFPathSegment_GetType(part) == pdfium.FPDF_SEGMENT_MOVETO and points:
            yield points
            points = []
        points.append(matrix.on_point(*(end.value for end in ends)))
        if pdfium.FPDFPathSegment_GetClose(part):
            points.append(points[0])
    if points:
        yield points
