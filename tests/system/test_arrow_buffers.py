"""Arrow reads bytes of its own, so that no thread of it needs Python while the process ends."""

from __future__ import annotations

import io
import re
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.paths import ROOT
from uhhrag.system import arrow_buffers

TABLE = pa.table({"text": ["It rained.", ""], "lines": [["a", "b"], []]})


def parquet() -> bytes:
    sink = io.BytesIO()
    pq.write_table(TABLE, sink)
    return sink.getvalue()


def test_what_is_read_is_what_was_written():
    assert pq.read_table(arrow_buffers.reader_of(parquet())).equals(TABLE)


def test_the_reader_holds_no_python_object():
    content = parquet()
    before = sys.getrefcount(content)
    reader = arrow_buffers.reader_of(content)
    assert sys.getrefcount(content) == before
    assert reader.read() == content


def test_every_reader_of_parquet_goes_through_it():
    called = re.compile(r"\b(?:pq|parquet)\.(?:read_\w+|ParquetFile)\(\s*(\S+)")
    arguments = [
        match[1]
        for file in (ROOT / "uhhrag").rglob("*.py")
        for match in called.finditer(file.read_text(encoding="utf-8"))
    ]
    assert len(arguments) >= 4
    assert [a for a in arguments if not a.startswith("arrow_buffers.reader_of(")] == []


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, pytest.param(20, marks=pytest.mark.heavy)])
def test_processes_that_read_a_table_and_end_at_once_are_not_aborted(tmp_path, count):
    """As read from a Python object, one of 20 was."""
    (tmp_path / "t.parquet").write_bytes(parquet())
    program = (
        "import sys, pathlib, pyarrow.parquet as pq\n"
        "from uhhrag.system import arrow_buffers\n"
        "pq.read_table(arrow_buffers.reader_of(pathlib.Path(sys.argv[1]).read_bytes()))\n"
    )
    words = [sys.executable, "-c", program, str(tmp_path / "t.parquet")]
    running = [subprocess.Popen(words, cwd=ROOT) for _ in range(count)]
    assert [process.wait(timeout=120) for process in running] == [0] * count
