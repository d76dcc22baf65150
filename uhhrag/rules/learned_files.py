from __future__ import annotations

import math
from pathlib import Path

from uhhrag.errors import InputError
from uhhrag.rules.learned import FEATURES, READINGS, LearnedVerdict
from uhhrag.rules.reading_head import check_reader
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import indented, read_json, write_bytes

SHIPPED = Path(__file__).parent / "learned.json"


def read_learned(path: Path = SHIPPED) -> tuple[LearnedVerdict, ...]:
    """Raises InputError."""
    try:
        table = shaped(tuple[LearnedVerdict, ...], read_json(path), "the file")
        for entry in table:
            _check(entry)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{path}: is not a file of learned verdicts ({error}); make one with: uhhrag train "
            "verdict"
        ) from error
    return table


def _check(entry: LearnedVerdict) -> None:
    columns = len(entry.features)
    numbers_of = entry.features[: -len(READINGS)] if entry.reader else entry.features
    if (
        not set(numbers_of) <= set(FEATURES)
        or len(set(entry.features)) < columns
        or (entry.reader and entry.features[len(numbers_of) :] != READINGS)
    ):
        raise ValueError("it was fitted on other features than this version computes")
    if {len(entry.mean), len(entry.deviation), *map(len, entry.weights)} != {columns}:
        raise ValueError("a row does not have one number for each feature")
    if not len(entry.labels) == len(entry.weights) == len(entry.bias) == len(entry.emphasis):
        raise ValueError("it does not have one row for each label")
    if entry.reader:
        check_reader(entry.reader)
    numbers = [*entry.mean, *entry.deviation, *entry.bias, *entry.emphasis]
    numbers += [entry.silent_below, entry.opposed_from, entry.supported_from, entry.refuted_from]
    numbers += [weight for row in entry.weights for weight in row]
    if not all(map(math.isfinite, numbers)) or not all(d > 0 for d in entry.deviation):
        raise ValueError("its numbers are not all finite")


def find(field: str, voter: str, path: Path = SHIPPED) -> LearnedVerdict:
    for entry in read_learned(path):
        if (entry.field, entry.voter) == (field, voter):
            return entry
    raise InputError(
        f"{path}: has no learned verdict of the field {field} over votes by {voter}; choose "
        "another --rule or --voter, or make one with: uhhrag train verdict"
    )


def write_learned(path: Path, fitted: LearnedVerdict) -> None:
    """Replaces that of the same field and voter. Raises InputError."""
    table = read_learned(path) if path.exists() else ()
    others = [e for e in table if (e.field, e.voter) != (fitted.field, fitted.voter)]
    write_bytes(path, indented((*others, fitted)))
