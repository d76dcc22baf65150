from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from uhhrag.scores.averitec import MEASURES
from uhhrag.scores.bootstrap import Interval
from uhhrag.scores.choices import TableFormat
from uhhrag.scores.compare import differences
from uhhrag.scores.score_report import Report, warnings_of
from uhhrag.system.terminal import columns, printable, quantity, wrapped

CLEAR = "*"
_NAME = 50
"""Characters of a run's name, from its end."""


@dataclass(frozen=True, slots=True)
class RunMeasure:
    mean: float
    interval: Interval
    clear: bool
    """The interval of the difference from the first run excludes 0."""


@dataclass(frozen=True, slots=True)
class RunTable:
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    cells: tuple[tuple[RunMeasure, ...], ...]
    """By run, then measure."""
    claims: int
    """That all runs were asked for."""
    gold: int
    """Claims of the gold file."""
    intervals_are: str
    beware: tuple[str, ...]


def table_of(reports: Sequence[Report]) -> RunTable:
    """Reports must share their gold."""
    first, runs = reports[0], tuple(report.run for report in reports)
    claims, cells = len(first.scores), tuple(_cells(first, report) for report in reports)
    told = first.bootstrap.described(claims, "all runs and every measure")
    beware = tuple(f"{one.run}: {warning}" for one in reports for warning in warnings_of(one))
    return RunTable(runs, MEASURES, cells, claims, first.pairing.gold, told, beware)


def _cells(first: Report, report: Report) -> tuple[RunMeasure, ...]:
    """In the order of MEASURES."""
    intervals, of = report.intervals(), differences(first, report)
    return tuple(RunMeasure(of[m]["b"], intervals[m], of[m]["clear"]) for m in MEASURES)


def written(table: RunTable, form: TableFormat) -> str:
    writers = {TableFormat.TEXT: _text, TableFormat.MARKDOWN: _markdown, TableFormat.LATEX: _latex}
    return writers[form](table)


def _note(table: RunTable) -> str:
    of = f" of {table.gold}, those that all runs were asked for"
    return (
        f"{quantity(table.claims, 'claim')}{of * (table.claims < table.gold)}; "
        f"{table.intervals_are}; {CLEAR}: the interval of the "
        "difference from the first run leaves 0 out"
    )


def _text(table: RunTable) -> str:
    runs = map(printable, table.runs)
    names = [run if len(run) <= _NAME else f"…{run[1 - _NAME :]}" for run in runs]
    lines = []
    for place, measure in enumerate(table.measures):
        column = (cells[place] for cells in table.cells)
        rows = [
            (name, f"{one.mean:.4f}{CLEAR if one.clear else ' '}", _ends(one))
            for name, one in zip(names, column, strict=True)
        ]
        lines += [*columns([(measure, "mean ", "95 % interval"), *rows], "<><"), ""]
    return "\n".join([*lines, wrapped(_note(table), "")])


def _markdown(table: RunTable) -> str:
    lines = [f"| run | {' | '.join(table.measures)} |", f"|---|{'---:|' * len(table.measures)}"]
    for run, cells in zip(table.runs, table.cells, strict=True):
        shown = (f"{c.mean:.3f}{CLEAR if c.clear else ''} ({_ends(c, 3)})" for c in cells)
        name = run.replace("|", "\\|")
        lines.append(f"| {name} | {' | '.join(shown)} |")
    return "\n".join([*lines, "", _note(table)])


def _latex(table: RunTable) -> str:
    lines = [
        f"% {_note(table)}",
        rf"\begin{{tabular}}{{l{'r' * len(table.measures)}}}",
        rf"run & {' & '.join(map(_escaped, table.measures))} \\ \hline",
    ]
    for run, cells in zip(table.runs, table.cells, strict=True):
        shown = (
            rf"{c.mean:.3f}{'$^*$' if c.clear else ''} {{\scriptsize [{c.interval[0]:.3f}, "
            rf"{c.interval[1]:.3f}]}}"
            for c in cells
        )
        lines.append(rf"{_escaped(run)} & {' & '.join(shown)} \\")
    return "\n".join([*lines, r"\end{tabular}"])


def _ends(cell: RunMeasure, digits: int = 4) -> str:
    low, high = cell.interval
    return f"{low:.{digits}f} to {high:.{digits}f}"


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def _escaped(text: str) -> str:
    """
    >>> print(_escaped("runs/a_b 5%"))
    runs/a\\_b 5\\%
    """
    return "".join(_SPECIAL.get(character, character) for character in printable(text))
