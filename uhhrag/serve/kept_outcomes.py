from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from uhhrag.documents.changed import FileOutcome
from uhhrag.documents.collections import Collection
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import write_text

OUTCOMES = "files.json"


@dataclass(frozen=True, slots=True)
class KeptOutcome:
    outcome: FileOutcome
    size: int
    mtime_ns: int


def read_outcomes(collection: Collection) -> dict[str, KeptOutcome]:
    """By name; empty if damaged, so files are read anew."""
    try:
        return shaped(dict[str, KeptOutcome], json.loads((collection.work / OUTCOMES).read_bytes()))
    except (OSError, ValueError, TypeError, RecursionError):
        return {}


def write_outcomes(collection: Collection, known: Mapping[str, KeptOutcome]) -> None:
    content = {name: asdict(one) for name, one in known.items()}
    if collection.work.is_dir():  # else it was deleted meanwhile
        write_text(collection.work / OUTCOMES, json.dumps(content) + "\n")
