"""Arrow buffers freed without Python."""

from __future__ import annotations

import pyarrow as pa


def reader_of(content: bytes) -> pa.BufferReader:
    """Over a copy: Python objects freed by Arrow's threads at exit abort the process, in 1 of 20
    short ones (https://github.com/apache/arrow/issues/34314)."""
    sink = pa.BufferOutputStream()
    sink.write(content)
    return pa.BufferReader(sink.getvalue())
