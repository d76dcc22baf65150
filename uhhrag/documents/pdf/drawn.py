"""Straight level and upright lines that a page draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref, c_float, c_int
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

_MOST_OBJECTS, _MOST_POINTS, _DEEPEST = 20_000, 400, 3
"""Objects of a page, points of one, and parts around it, at most."""
_THICKEST = 2.6
"""Of a filled line, in points."""
_Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]


def drawn_lines(page: Any) -> Iterator[tuple[Point, Point]]:
    """The ends of straight lines, and of filled shapes that are as thin."""
    ends, fills, strokes = (c_float(), c_float()), c_int(), c_int()
    for path, matrix in _paths(page):
        if not pdfium.FPDFPath_GetDrawMode(path, byref(fills), byref(strokes)):
            continue
        for points in _outlines(path, matrix, ends):
            if strokes.value:
                yield from pairwise(points)
            elif fills.value:
                yield from _thin(points)


def _thin(points: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    (left, right), (low, high) = ((min(n), max(n)) for n in zip(*points, strict=True))
    across, up = (left + right) / 2, (low + high) / 2
    if high - low <= _THICKEST:
        yield (left, up), (right, up)
    elif right - left <= _THICKEST:
        yield (across, low), (across, high)


def _outlines(path: Any, matrix: _Matrix, ends: Any) -> Iterator[list[Point]]:
    count = pdfium.FPDFPath_CountSegments(path)
    points: list[Point] = []
    for at in range(count if count <= _MOST_POINTS else 0):
        part = pdfium.FPDFPath_GetPathSegment(path, at)
        pdfium.FPDFPathSegment_GetPoint(part, *map(byref, ends))
        x, y = (end.value for end in ends)
        point = (
            matrix[0] * x + matrix[2] * y + matrix[4],
            matrix[1] * x + matrix[3] * y + matrix[5],
        )
        kind = pdfium.FPDFPathSegment_GetType(part)
        if kind == pdfium.FPDF_SEGMENT_MOVETO and points:
            yield points
            points = []
        points.append(point)
        if pdfium.FPDFPathSegment_GetClose(part):
            points.append(points[0])
    if points:
        yield points


def _paths(page: Any) -> Iterator[tuple[Any, _Matrix]]:
    count = min(pdfium.FPDFPage_CountObjects(page.raw), _MOST_OBJECTS)
    objects = (pdfium.FPDFPage_GetObject(page.raw, at) for at in range(count))
    yield from _paths_in(objects, (1, 0, 0, 1, 0, 0), _DEEPEST)


def _paths_in(objects: Iterable[Any], around: _Matrix, deep: int) -> Iterator[tuple[Any, _Matrix]]:
    held = pdfium.FS_MATRIX()
    for one in objects:
        kind = pdfium.FPDFPageObj_GetType(one)
        if kind not in (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_FORM):
            continue
        pdfium.FPDFPageObj_GetMatrix(one, byref(held))
        matrix = _product((held.a, held.b, held.c, held.d, held.e, held.f), around)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            yield one, matrix
        elif deep:
            count = min(pdfium.FPDFFormObj_CountObjects(one), _MOST_OBJECTS)
            within = (pdfium.FPDFFormObj_GetObject(one, at) for at in range(count))
            yield from _paths_in(within, matrix, deep - 1)


def _product(a: _Matrix, b: _Matrix) -> _Matrix:
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )
