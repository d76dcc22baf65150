"""A folder of documents → one knowledge store."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.documents.ingest import FileOutcome, FileState
from uhhrag.documents.ingest import ingest as steps
from uhhrag.documents.survey import Survey, named, survey
from uhhrag.errors import DocumentsFailed
from uhhrag.wiring import nltk_data
from uhhrag.workflows.documents import follow
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.table import Table


@dataclass(frozen=True, slots=True)
class Ingested(Table):
    """The store, what became of each file, and the seconds it took."""

    store: Path
    survey: Survey
    outcomes: tuple[FileOutcome, ...]
    seconds: float

    def __iter__(self) -> Iterator[FileOutcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row per file: its name, what became of it and why, its documents and sentences."""
        return [
            {
                "file": named(outcome.name),
                "state": str(outcome.state),
                "why": outcome.why,
                "documents": outcome.documents,
                "sentences": outcome.lines,
            }
            for outcome in self.outcomes
        ]

    def require_all(self) -> None:
        """Raises DocumentsFailed where a file or a folder could not be read."""
        failed = [outcome for outcome in self.outcomes if outcome.state is FileState.UNREADABLE]
        if failed or self.survey.closed:
            raise DocumentsFailed(
                f"{len(failed) + len(self.survey.closed)} of the documents or folders could not be "
                f"read (see above); the others are in {self.store}"
            )


def ingest(folder: Path, store: Path, *, again: bool, observer: Observer) -> Ingested:
    """Read what is new or changed in a folder into the store; with `again` everything."""
    begun = time.monotonic()
    nltk_folder = nltk_data.load_nltk_data()
    files = survey(folder, leave_out=(store,))
    outcomes = follow(steps(files, store, nltk_folder, again=again), files, "ingest", observer)
    return Ingested(store, files, outcomes, time.monotonic() - begun)
