"""Bytes for Arrow to read that no thread of Arrow needs Python for."""

from __future__ import annotations

import pyarrow as pa


def reader_of(content: bytes) -> pa.BufferReader:
    """A file in memory over a copy of `content` that Arrow owns.

    Arrow's threads hold what they read until after the call has returned. If that is a Python
    object (`io.BytesIO`, `pa.py_buffer`), a thread that lets go of it while the interpreter ends
    aborts the process, after its work was done: "terminate called without an active exception"
    (https://github.com/apache/arrow/issues/34314), measured in one of 20 short processes.
    """
    sink = pa.BufferOutputStream()
    sink.write(content)
    return pa.BufferReader(sink.getvalue())
