"""The table of all mistakes, a row each, and the page of docs that shows some of them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.mistakes.mistake import Mistake
from tests.support.paths import ROOT

TABLE = Path(__file__).parent / "messages.md"
PAGE = ROOT / "docs" / "mistakes.md"
_RULE = "|---|---|---|---|\n"
_PROGRESS = re.compile(r"(index|claims|documents): \d+/\d+, ")


def row(mistake: Mistake, code: int, error: str) -> str:
    """The row of the page. Lines above the last are of single claims."""
    lines = [line.removeprefix("uhhrag: ").replace("|", "\\|") for line in error.splitlines()]
    message = "<br>".join(line for line in lines if not _PROGRESS.match(line))
    return f"| {mistake.what} | `{mistake.command}` | {code} | {message} |"


def rows_of(file: Path) -> list[str]:
    """The rows of the table of mistakes in a file."""
    return file.read_text(encoding="utf-8").split(_RULE)[1].splitlines()


def table(rows: list[str]) -> str:
    """The table of mistakes, anew."""
    head, rule, _ = TABLE.read_text(encoding="utf-8").partition(_RULE)
    return f"{head}{rule}" + "\n".join(rows) + "\n"
