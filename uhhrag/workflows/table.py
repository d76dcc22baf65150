"""Any result as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from uhhrag.errors import UsageError


class Table:
    """Rows of plain values."""

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
