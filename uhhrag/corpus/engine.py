"""What ranks the passages of a corpus, as a user chooses it."""

from __future__ import annotations

from enum import StrEnum


class Engine(StrEnum):
    """What ranks the passages: both engines, fused, or one of them alone."""

    FUSED = "fused"
    TEXT = "text"
    VECTORS = "vectors"
