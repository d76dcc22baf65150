"""Where things stand in the repository, for tests wherever they stand themselves."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The repository."""
SAMPLE = ROOT / "data"
"""The sample in the official layout, written for this project."""
OFFICIAL_SCORES = ROOT / "tests" / "data" / "official_scores"
"""Predictions for the sample, and what the official scorer gives them."""
GOLDEN = ROOT / "tests" / "golden"
"""Prompts as they are sent, and one record of a trace."""
