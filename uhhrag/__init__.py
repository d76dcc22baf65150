"""Fact-checking of real-world claims, fully offline on one workstation.

    import uhhrag

    result = uhhrag.check("The bridge is open.", docs="reports")
    result[0].label, result.to_arrow()

Functions do what the commands of their names do (docs/api.md)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from uhhrag.version import __version__ as __version__

if TYPE_CHECKING:
    from uhhrag.api import (
        CheckResult,
        Claim,
        Comparison,
        Evaluation,
        Failure,
        IndexResult,
        Ingested,
        Loaded,
        Page,
        PageSource,
        PredictResult,
        UhhragError,
        Verdict,
        check,
        compare,
        evaluate,
        index,
        ingest,
        predict,
        search,
    )

__all__ = [
    "CheckResult",
    "Claim",
    "Comparison",
    "Evaluation",
    "Failure",
    "IndexResult",
    "Ingested",
    "Loaded",
    "Page",
    "PageSource",
    "PredictResult",
    "UhhragError",
    "Verdict",
    "check",
    "compare",
    "evaluate",
    "index",
    "ingest",
    "predict",
    "search",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'uhhrag' has no attribute {name!r}")
    return getattr(import_module("uhhrag.api"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
