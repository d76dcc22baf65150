"""Make every mistake and write the table of what the program says."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from tests.mistakes import MISTAKES
from tests.mistakes.page import TABLE, row, table
from tests.mistakes.room import furnish, make, stand_ins


def write_table() -> None:
    with tempfile.TemporaryDirectory() as scratch, stand_ins():
        furnished = Path(scratch) / "furnished"
        furnished.mkdir()
        with contextlib.chdir(furnished):
            furnish(furnished)
        rows = []
        for number, mistake in enumerate(MISTAKES):
            code, _, error = make(mistake, furnished, Path(scratch) / str(number))
            rows.append(row(mistake, code, error))
            fit = code == mistake.code and mistake.do in rows[-1]
            print("  " if fit else "! ", rows[-1])  # noqa: T201
    TABLE.write_text(table(rows), encoding="utf-8")


if __name__ == "__main__":
    write_table()
