"""Claims as people have them: words on the command line, a text with a claim per line, CSV, JSON
lines, or a claims file of AVeriTeC."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from uhhrag.errors import InputError, UsageError
from uhhrag.formats.gold import read_claims
from uhhrag.records import Claim
from uhhrag.system.text_files import read_text
from uhhrag.text.characters import one_line
from uhhrag.text.dates import read_date

_TEXTS = ("claim", "text", "statement")
_DATES = ("claim_date", "date")
_SPEAKERS = ("speaker", "author")


def given_claims(
    given: Sequence[str], file: Path | None, date: str | None = None, speaker: str | None = None
) -> tuple[Claim, ...]:
    """The claim of the command line, with its date and speaker, or those of a file (`-`: standard
    input), which has columns for both.

    Raises UsageError where both, none or several claims are given, or a date that cannot be read;
    InputError where a file has no claim or one of its rows has none."""
    if bool(given) == (file is not None):
        raise UsageError("give one claim in quotes, or --claims FILE (- for standard input)")
    if len(given) > 1:
        raise UsageError(
            f"{len(given)} claims are given, of which the second is {given[1][:40]!r}; put one "
            "claim in quotes, or several in a file, one per line: --claims FILE"
        )
    if given:
        (words,) = given
        if not words.strip():
            raise UsageError("the claim is empty; give its text in quotes")
        if date is not None and read_date(date) is None:
            raise UsageError(f"--date {date}: is not a date; give YYYY-MM-DD")
        return (Claim(0, one_line(words), date, one_line(speaker or "") or None),)
    if date is not None or speaker is not None:
        raise UsageError(
            "--date and --speaker belong to a claim in quotes; a file of claims has columns date "
            "and speaker"
        )
    return read_claims_of_any_kind(file or Path("-"))


def read_claims_of_any_kind(file: Path) -> tuple[Claim, ...]:
    """The claims of a file by its ending: .json (AVeriTeC), .jsonl, .csv (a column `claim`), else
    a claim per line; standard input is JSON lines where its first line is an object."""
    if file.suffix.lower() == ".json":
        return read_claims(file)
    text = _standard_input() if file == Path("-") else read_text(file)
    name = "standard input" if file == Path("-") else str(file)
    suffix = file.suffix.lower()
    if suffix in (".jsonl", ".ndjson") or (file == Path("-") and text.lstrip().startswith("{")):
        rows: list[tuple[int, Mapping[str, Any]]] = _objects(text, name)
    elif suffix == ".csv":
        rows = _table(text, name)
    else:
        rows = [(n, {"claim": line}) for n, line in _filled(text)]
    if not rows:
        raise InputError(f"{name}: holds no claim")
    return tuple(_claim(i, row, f"{name}, line {n}") for i, (n, row) in enumerate(rows))


def _standard_input() -> str:
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace")


def _filled(text: str) -> list[tuple[int, str]]:
    return [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]


def _objects(text: str, name: str) -> list[tuple[int, Mapping[str, Any]]]:
    rows: list[tuple[int, Mapping[str, Any]]] = []
    for number, line in _filled(text):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name}, line {number}: is not JSON") from error
        if not isinstance(row, dict):
            raise InputError(f"{name}, line {number}: is not a JSON object with a claim")
        rows.append((number, row))
    return rows


def _table(text: str, name: str) -> list[tuple[int, Mapping[str, Any]]]:
    """The rows of a CSV file: commas, or semicolons as some spreadsheets write them."""
    first = text.splitlines()[0]
    comma = ";" if first.count(";") > first.count(",") else ","
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=comma, strict=True)
        names = {str(field).strip().lower(): field for field in reader.fieldnames or ()}
        column = next((names[known] for known in _TEXTS if known in names), None)
        if column is None:
            raise InputError(f"{name}: has no column claim; it has: {', '.join(names)}")
        lowered = {field: known for known, field in names.items()}
        return [
            (reader.line_num, {lowered[k]: v for k, v in row.items() if k in lowered})
            for row in reader
            if any(isinstance(value, str) and value.strip() for value in row.values())
        ]
    except csv.Error as error:
        raise InputError(f"{name}: is not CSV that can be read: {error}") from error


def _claim(number: int, row: Mapping[str, Any], where: str) -> Claim:
    text = _first(row, _TEXTS)
    if not text:
        raise InputError(f"{where}: has no claim ({', '.join(_TEXTS)})")
    return Claim(number, text, _first(row, _DATES), _first(row, _SPEAKERS))


def _first(row: Mapping[str, Any], names: Sequence[str]) -> str | None:
    values = (row.get(name) for name in names)
    filled = (value for value in values if isinstance(value, str) and value.strip())
    return next(map(one_line, filled), None)
