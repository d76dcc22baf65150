r"""The CSV of the 2025 task (FEVER-8), without URLs; `evi` separates question and answer by
"\t\t\n", items by "\t\t\n\n"."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from uhhrag.errors import InputError
from uhhrag.system.text_files import read_text, write_text

COLUMNS = ("id", "claim", "evi", "label", "split")
_WITHIN, _BETWEEN = "\t\t\n", "\t\t\n\n"


@dataclass(frozen=True, slots=True)
class CsvRow:
    id: str
    claim: str
    evidence: tuple[tuple[str, str], ...]
    """(question, answer)"""
    label: str
    split: str = ""
    line: int = 0
    """where it ends, for messages"""


def read_rows(path: Path) -> tuple[CsvRow, ...]:
    """Only `split` may be missing."""
    table = csv.DictReader(io.StringIO(read_text(path), newline=""), restval="")
    limit = csv.field_size_limit(sys.maxsize)  # a process-wide setting, so put back below
    try:
        rows = tuple(_rows(table, path))
    except csv.Error as error:
        raise InputError(f"{path}, line {table.line_num}: is not CSV: {error}") from error
    finally:
        csv.field_size_limit(limit)
    if not rows:
        raise InputError(f"{path}: holds no predictions")
    return rows


def write_rows(path: Path, rows: Iterable[CsvRow]) -> None:
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for row in rows:
        table.writerow((row.id, row.claim, join(row.evidence), row.label, row.split))
    write_text(path, text.getvalue())


def join(evidence: Sequence[tuple[str, str]]) -> str:
    r"""Tabs become spaces, and line breaks that start an answer go: they would read as marks.

    >>> join([("Who?", "She."), ("When?", "In\t2020.")])
    'Who?\t\t\nShe.\t\t\n\nWhen?\t\t\nIn 2020.'
    """
    return _BETWEEN.join(
        question.replace("\t", " ") + _WITHIN + answer.replace("\t", " ").lstrip("\n")
        for question, answer in evidence
    )


def split(evi: str, where: str) -> tuple[tuple[str, str], ...]:
    r"""(question, answer). Raises InputError without a mark.

    >>> split('Who?\t\t\nShe.\t\t\n\nWhen?\t\t\nIn 2020.', "run.csv, line 2")
    (('Who?', 'She.'), ('When?', 'In 2020.'))
    """
    if _WITHIN not in evi:  # a table that went through a program that writes line ends its own way
        evi = evi.replace("\r\n", "\n")
    items = evi.split(_BETWEEN)
    if _WITHIN not in items[-1] and not items[-1].strip():
        items.pop()
    pairs = tuple(item.split(_WITHIN, 1) for item in items)
    for number, pair in enumerate(pairs):
        if len(pair) != 2:
            raise InputError(
                f"{where}, evi[{number}]: has no mark between question and answer; "
                "write two tabs and a line break there"
            )
    return tuple((question, answer) for question, answer in pairs)


def _rows(table: csv.DictReader[str], path: Path) -> Iterator[CsvRow]:
    if missing := [name for name in COLUMNS[:4] if name not in (table.fieldnames or ())]:
        raise InputError(f"{path}: has no column {', '.join(missing)}; needs id,claim,evi,label")
    for row in table:
        evidence = split(row["evi"], f"{path}, line {table.line_num}")
        texts = row["id"], row["claim"], evidence, row["label"], row.get("split", "")
        yield CsvRow(*texts, table.line_num)
