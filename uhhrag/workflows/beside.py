"""What checks keep beside an archive of the text of its files: vectors, replies and runs."""

from __future__ import annotations

import re
from pathlib import Path

from uhhrag.archive import file_table, manifest
from uhhrag.errors import RunError
from uhhrag.runs.trace import TRACE
from uhhrag.system import locks, writing
from uhhrag.wiring.pipeline import forget
from uhhrag.workflows.documents import ARCHIVE, work_folder

_SOURCE = re.compile(rb'"file(?:":"|:)([^"\\#]+)')
"""In a line of a trace, where texts have their quotation marks escaped."""


def forget_beside(corpus: Path) -> None:
    """Drop vectors and replies, which the next check makes again."""
    for folder in _work_folders(corpus):
        forget(folder)


def outdated_runs(corpus: Path) -> list[Path]:
    """Those beside it that quote files of which it has no text any more."""
    rows = file_table.read(corpus, manifest.read(corpus)[0]).values()
    held = {row.name.encode() for row in rows if row.documents}
    traces = (trace for work in _work_folders(corpus) for trace in work.glob(f"runs/*/{TRACE}"))
    quoting = (file.parent for file in traces if set(_SOURCE.findall(file.read_bytes())) - held)
    return sorted(quoting)


def delete_run(run: Path) -> None:
    """Raises RunError if it is in use."""
    with locks.sole_writer(
        run / locks.NAME,
        busy=RunError(f"another process is working in {run}; wait for it"),
        unwritable=lambda reason: RunError(f"{run}: cannot be deleted: {reason}"),
    ):
        writing.remove(run)


def _work_folders(corpus: Path) -> list[Path]:
    """Of checks against it, and against the folder of documents that a check made it of."""
    own = corpus.resolve()
    return [work_folder(own, None), *([own.parent] if own.name == ARCHIVE else [])]
