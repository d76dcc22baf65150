"""A run's draft as a file."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from uhhrag.documents.draft import Draft
from uhhrag.errors import RunError
from uhhrag.runs import run_folder
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import write_text

FILE = run_folder.DRAFT


def draft_in(value: object, where: str) -> Draft:
    """Raises RunError, which begins with `where`."""
    try:
        return shaped(Draft, value, where)
    except TypeError as error:
        raise RunError(f"{error}; delete it, or check the draft again") from error


def write_draft(run: Path, draft: Draft) -> None:
    write_text(run / FILE, json.dumps(asdict(draft), ensure_ascii=False, indent=1) + "\n")


def read_draft_of(run: Path) -> Draft | None:
    """None without one. Raises RunError if damaged."""
    file = run / FILE
    try:
        return draft_in(json.loads(file.read_bytes()), str(file))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{file}: is damaged ({error}); delete it, or check again") from error
