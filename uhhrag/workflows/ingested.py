"""What came of the files of a folder that were read into a store or a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.documents.look import FileOutcome, FileState
from uhhrag.documents.survey import Survey, named
from uhhrag.errors import DocumentsFailed
from uhhrag.workflows.table import Table


@dataclass(frozen=True, slots=True)
class Ingested(Table):
    """The store or corpus, what became of each file, and the seconds it took. `survey` is the
    folder, or the last one of several."""

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
