"""A run folder opened, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.small_run import HEADER
from uhhrag.errors import RunError
from uhhrag.runs.run_folder import RunFolder, open_run

OTHER = {**HEADER, "signature": "approach:small|top:7|version:0"}


def opened(folder: Path, header: dict = HEADER, *, overwrite=False, repair=False) -> RunFolder:
    with open_run(folder, header, overwrite=overwrite, repair=repair) as run:
        return run


def refusal(folder: Path, header: dict = HEADER) -> str:
    with pytest.raises(RunError) as caught:
        opened(folder, header)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def flipped(content: bytes, place: int, bit: int = 0) -> bytes:
    return content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :]
