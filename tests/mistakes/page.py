"""The page of docs that shows the mistakes, a row each."""

from __future__ import annotations

import re
from pathlib import Path

from tests.mistakes.mistake import Mistake
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "mistakes.md"
_PROGRESS = re.compile(r"(index|claims|ingest): \d+/\d+, ")


def row(mistake: Mistake, code: int, error: str) -> str:
    """The row of the page. Lines above the last are of single claims."""
    lines = [line.removeprefix("uhhrag: ").replace("|", "\\|") for line in error.splitlines()]
    message = "<br>".join(line for line in lines if not _PROGRESS.match(line))
    return f"| {mistake.what} | `{mistake.command}` | {code} | {message} |"


def page(rows: list[str]) -> str:
    head = (Path(__file__).parent / "head.md").read_text(encoding="utf-8")
    return head + "\n".join(rows) + "\n"
