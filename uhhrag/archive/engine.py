from __future__ import annotations

from enum import StrEnum


class Engine(StrEnum):
    FUSED = "fused"
    TEXT = "text"
    VECTORS = "vectors"
