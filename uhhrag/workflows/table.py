from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.errors import UsageError
from uhhrag.system.text_files import write_bytes

Rows = Sequence[dict[str, Any]]


class Table:
    __slots__ = ()

    @property
    def rows(self) -> Sequence[dict[str, Any]]:
        raise NotImplementedError

    def to_arrow(self) -> Any:
        """As a `pyarrow.Table`."""
        import pyarrow as pa

        return pa.Table.from_pylist(list(self.rows))

    def to_pandas(self) -> Any:
        """As a `pandas.DataFrame`. Raises UsageError without pandas."""
        try:
            import pandas as pd
        except ImportError as error:
            raise UsageError(
                "to_pandas needs the package pandas; install it (pip install pandas), or use "
                "to_arrow"
            ) from error
        return pd.DataFrame(list(self.rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored(Table):
    scores: Mapping[str, Any]
    """As the command prints with --json; parts of them as `[name]`."""
    text: str
    warnings: tuple[str, ...] = ()
    """Also those in `scores`."""

    def __getitem__(self, name: str) -> Any:
        return self.scores[name]


def check_ending(path: Path) -> None:
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path}: its ending names no format; use one of {', '.join(FORMATS)}")


def write_rows(path: Path, rows: Rows) -> None:
    """`path` has passed `check_ending`."""
    write_bytes(path, FORMATS[path.suffix.lower()](rows))


def _jsonl(rows: Rows) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _csv(rows: Rows) -> bytes:
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, fieldnames=list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    return text.getvalue().encode()


def _parquet(rows: Rows) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(list(rows)), sink)
    return sink.getvalue()


FORMATS: dict[str, Callable[[Rows], bytes]] = {
    ".jsonl": _jsonl,
    ".csv": _csv,
    ".parquet": _parquet,
}
