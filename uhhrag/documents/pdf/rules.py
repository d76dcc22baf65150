"""Level and upright drawn lines → grids of cells."""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref, c_float, c_int
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

MOST_OBJECTS = 20_000
"""Of a page."""
_MOST_POINTS, _DEEPEST = 400, 4
"""Of a path; paths within parts of parts."""
_THICKEST = 2.6
"""Of a filled line, in points."""
Point = tuple[float, float]
_OFF, _NEAR, _SHORTEST = 0.5, 3.0, 4.0
"""Slope; distance of lines that are one or meet; shortest line; in points."""
_MOST_LINES, _MOST_EDGES = 800, 400
"""Each way; of a grid's rows; more are a drawing."""
_MOST_COLUMNS = 64
_COVERED = 0.7
"""Share of a cell's side that makes a wall."""
_Sides = npt.NDArray[np.bool_]
"""By edge and number of the cell along it."""


class Stretch(NamedTuple):
    """A level or upright line, in points."""

    at: float
    """Height, or distance from the left."""
    start: float
    """On the left, or below."""
    end: float


class Grid(NamedTuple):
    angle: int
    """Degrees, of the lines where its rows are level."""
    columns: tuple[float, ...]
    """Edges from the left, in points."""
    rows: tuple[float, ...]
    """Edges from below."""
    owners: tuple[tuple[int, ...], ...]
    """The number of the cell by row, from below, and column; the same in all that it spans."""

    def place(self, x: float, y: float) -> tuple[int, int] | None:
        """Row and column at a point, None outside."""
        row, column = bisect_left(self.rows, y) - 1, bisect_left(self.columns, x) - 1
        inside = 0 <= row < len(self.rows) - 1 and 0 <= column < len(self.columns) - 1
        return (row, column) if inside else None


class TableRow(NamedTuple):
    """A grid's row, with what tells a continued table."""

    cells: tuple[str, ...]
    named: bool
    part: tuple[int, int]
    """Number of the grid on its page, and of a part parted by text."""
    edges: tuple[int, ...]
    """Left ones of its columns and the last right one, in points."""

    def over(self, edges: Sequence[int]) -> tuple[str, ...] | None:
        """Its cells over columns, None if they are others."""
        places = indices_among(self.edges, edges)
        held = dict(zip(places, self.cells, strict=False))
        return tuple(held.get(at, "") for at in range(len(edges) - 1)) if places else None


def indices_among(edges: Sequence[int], others: Sequence[int]) -> list[int]:
    """Positions of a table's edges among others with equal ends, [] if one is missing."""
    near = ([at for at, one in enumerate(others) if abs(one - edge) <= _NEAR] for edge in edges)
    places = [at for found in near for at in found[:1]]
    ends = len(places) == len(edges) and (places[0], places[-1]) == (0, len(others) - 1)
    return places if ends else []


class Rules:
    def __init__(self, drawn: Iterable[tuple[Point, Point]] = ()) -> None:
        self._drawn, self._known = list(drawn), dict[int, list[Grid]]()

    def grids(self, angle: int) -> list[Grid]:
        """Those of text at an angle in degrees, smallest first."""
        if angle not in self._known:
            drawn = () if angle % 90 else self._drawn
            turned = ((turn(one, angle), turn(other, angle)) for one, other in drawn)
            level, upright = map(_joined, _both_ways(turned))
            few = max(len(level), len(upright)) <= _MOST_LINES
            self._known[angle] = list(_grids(level, upright, angle)) if few else []
        return self._known[angle]

    def part(self, angle: int, left: float, right: float, height: float) -> bool:
        """Whether a cell's side is between two ends at a height."""
        return any(
            grid.owners[place[0]][at - 1] != grid.owners[place[0]][at]
            for grid in self.grids(angle)
            for at in range(bisect_left(grid.columns, left - _OFF), len(grid.columns) - 1)
            if at > 0 and grid.columns[at] <= right + _OFF
            if (place := grid.place(grid.columns[at], height))
        )


def turn(point: Point, angle: int) -> Point:
    """The point where lines at `angle`, a multiple of 90 degrees, are level."""
    across, up = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[angle % 360]
    x, y = point
    return across * x + up * y, across * y - up * x


def drawn_lines(page: Any) -> Iterator[tuple[Point, Point]]:
    """Ends of straight lines, and of filled shapes as thin."""
    fills, strokes = c_int(), c_int()
    paths = page.get_objects([pdfium.FPDF_PAGEOBJ_PATH], max_depth=_DEEPEST)
    for path in islice(paths, MOST_OBJECTS):
        pdfium.FPDFPath_GetDrawMode(path, byref(fills), byref(strokes))
        for points in _outlines(path):
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


def _both_ways(lines: Iterable[tuple[Point, Point]]) -> tuple[list[Stretch], list[Stretch]]:
    level, upright = list[Stretch](), list[Stretch]()
    for (x0, y0), (x1, y1) in lines:
        if abs(y1 - y0) <= _OFF < abs(x1 - x0):
            level.append(Stretch((y0 + y1) / 2, min(x0, x1), max(x0, x1)))
        elif abs(x1 - x0) <= _OFF < abs(y1 - y0):
            upright.append(Stretch((x0 + x1) / 2, min(y0, y1), max(y0, y1)))
    return level, upright


def _joined(lines: Sequence[Stretch]) -> list[Stretch]:
    """Pieces of one line as one."""
    edges, joined = _edges(line.at for line in lines), list[tuple[int, Stretch]]()
    for edge, start, line in sorted((_nearest(edges, one.at), one.start, one) for one in lines):
        if joined and joined[-1][0] == edge and start <= joined[-1][1].end + _NEAR:
            _, above = joined.pop()
            line = above._replace(end=max(above.end, line.end))
        joined.append((edge, line))
    return [line for _, line in joined if line.end - line.start >= _SHORTEST]


def _edges(places: Iterable[float]) -> tuple[float, ...]:
    """Merges near ones."""
    level = sorted(places)
    runs = np.split(level, np.flatnonzero(np.diff(level) > _NEAR) + 1) if level else ()
    return tuple(float(near.mean()) for near in runs)


def _nearest(edges: Sequence[float], place: float) -> int:
    at = bisect_left(edges, place)
    near = range(max(0, at - 1), min(at + 1, len(edges)))
    return min(near, key=lambda n: abs(edges[n] - place))


def _grids(level: Sequence[Stretch], upright: Sequence[Stretch], angle: int) -> Iterator[Grid]:
    parts: list[tuple[set[int], set[int]]] = []
    upright = sorted(upright)
    places = [line.at for line in upright]
    for at, line in enumerate(level):
        first, last = bisect_left(places, line.start - _NEAR), bisect(places, line.end + _NEAR)
        near = ((n, upright[n]) for n in range(first, last))
        meets = {n for n, one in near if one.start - _NEAR <= line.at <= one.end + _NEAR}
        joint = [part for part in parts if part[1] & meets]
        parts = [part for part in parts if part not in joint]
        owns, all_met = zip(({at}, meets), *joint, strict=True)
        parts.append((set().union(*owns), set().union(*all_met)))
    lines = (([level[n] for n in own], [upright[n] for n in met]) for own, met in parts if met)
    yield from sorted(filter(None, (_grid(*each, angle) for each in lines)), key=_extent)


def _extent(grid: Grid) -> float:
    return (grid.columns[-1] - grid.columns[0]) * (grid.rows[-1] - grid.rows[0])


def _grid(level: Sequence[Stretch], upright: Sequence[Stretch], angle: int) -> Grid | None:
    """None without two columns."""
    sides = (line.at for line in upright)
    columns = _edges([*sides, min(s.start for s in level), max(s.end for s in level)])
    below, above = min(s.start for s in upright), max(s.end for s in upright)
    rows = _edges([*(line.at for line in level), below, above])
    if not (2 < len(columns) <= _MOST_COLUMNS and 1 < len(rows) <= _MOST_EDGES):
        return None
    floors, walls = _walls(level, rows, columns), _walls(upright, columns, rows)
    return Grid(angle, columns, rows, _owners(floors, walls))


def _walls(lines: Sequence[Stretch], edges: Sequence[float], across: Sequence[float]) -> _Sides:
    """By edge and cell along it: whether lines cover the cell's side."""
    starts, ends = np.array(across[:-1]), np.array(across[1:])
    covered = np.zeros((len(edges), len(starts)))
    for line in lines:
        lengths = np.minimum(ends, line.end) - np.maximum(starts, line.start)
        covered[_nearest(edges, line.at)] += np.maximum(lengths, 0)
    walls: _Sides = covered >= _COVERED * (ends - starts)
    return walls


def _owners(floors: _Sides, walls: _Sides) -> tuple[tuple[int, ...], ...]:
    numbers = np.arange(walls.shape[1] * floors.shape[1]).reshape(walls.shape[1], floors.shape[1])
    open_up, open_across, known = ~floors[1:-1], ~walls[1:-1].T, numbers - 1
    while (known != numbers).any():
        known = numbers.copy()
        for one, other, is_open in (
            (numbers[1:], numbers[:-1], open_up),
            (numbers[:, 1:], numbers[:, :-1], open_across),
        ):
            np.minimum(one, other, out=one, where=is_open)
            np.minimum(one, other, out=other, where=is_open)
    _, numbers = np.unique(numbers, return_inverse=True)
    return tuple(map(tuple, numbers.reshape(known.shape).tolist()))
