"""A gold claim and a prediction in the shared task's JSON, for tests to spoil."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SAID: dict[str, Any] = {
    "claim_id": 0,
    "claim": "The sky is green.",
    "pred_label": "Refuted",
    "evidence": [{"question": "Is it?", "answer": "No.", "url": "https://a.example"}],
}


def written(folder: Path, value: Any, name: str = "file.json") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def one(**changes: Any) -> list[dict[str, Any]]:
    return [{**SAID, **changes}]
