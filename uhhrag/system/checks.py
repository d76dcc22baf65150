from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from uhhrag.system import atomic


@dataclass(frozen=True, slots=True)
class FileCheck:
    file: Path
    fault: str = ""
    """What is wrong; "" if sound."""


def unexpected_files(folder: Path, ours: set[str]) -> Iterator[FileCheck]:
    for path in sorted(folder.iterdir() if folder.is_dir() else ()):
        if path.name not in ours:
            yield FileCheck(path, "is left over or does not belong here")


def unfinished_files(folder: Path) -> Iterator[FileCheck]:
    for path in atomic.drafts_in(folder):
        yield FileCheck(path, "is left over from an interrupted write")


def fault_alone(error: Exception, *places: Path) -> str:
    """Without its place and the repair command."""
    said = str(error).partition("; run: ")[0]
    for place in places:
        said = said.removeprefix(f"{place}: ")
    return said


@dataclass(frozen=True, slots=True)
class Merged:
    there: Sequence[int]
    """Claim ids."""
    wanted: Sequence[int]
    """Claim ids."""
    lacking: str = ""
    """Shares that nobody knows the claims of; "" if none."""

    @property
    def missing(self) -> list[int]:
        return sorted(set(self.wanted) - set(self.there))
