"""The outcome of reading folders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.documents.changed import FileOutcome, FileState
from uhhrag.documents.listing import display_path
from uhhrag.errors import DocumentsFailed
from uhhrag.workflows.table import Table


@dataclass(frozen=True, slots=True)
class Ingested(Table):
    """A row per file."""

    store: Path
    closed: int
    """Unreadable folders."""
    outcomes: tuple[FileOutcome, ...]
    seconds: float

    def __iter__(self) -> Iterator[FileOutcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "file": display_path(outcome.name),
                "state": str(outcome.state),
                "why": outcome.why,
                "documents": outcome.documents,
                "sentences": outcome.lines,
            }
            for outcome in self.outcomes
        ]

    def require_all(self) -> None:
        """Raises DocumentsFailed."""
        unread = self.closed + sum(one.state is FileState.UNREADABLE for one in self.outcomes)
        if unread:
            raise DocumentsFailed(
                f"{unread} of the documents or folders could not be read (see above); the others "
                f"are in {self.store}"
            )
