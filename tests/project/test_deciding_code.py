"""Signatures hash the code that can change a verdict."""

from __future__ import annotations

from tests.project.test_layers import EDGES, MODULES, RANK, part
from uhhrag.wiring.run_header import _DECIDING

ROOTS = {"pipeline", "approaches", "indexing", "rules", "voters", "archive", "wiring"}
"""`decide`, what it calls, and what opens sources, models and documents for it."""
NOT_DECIDING = {
    "config": "its choices stand in the signature",
    "documents": "what was read is hashed with the passages",
    "errors": "a claim that raises has no verdict",
    "formats": "claims are hashed with the passages",
    "models": "files of models have fingerprints",
    "runs": "keeps what was decided",
    "system": "keeps and moves bytes",
    "training": "what was fitted stands in the signature",
    "version": "stands in the signature",
}


def reached() -> set[str]:
    """The parts of the package with a module that a root imports, itself or through others."""
    seen: set[str] = set()
    left = [name for name in MODULES if part(name) in ROOTS]
    while left:
        if (name := left.pop()) not in seen:
            seen.add(name)
            left += EDGES[name]
    return {part(name) for name in seen if name}


def test_what_decides_is_hashed_or_said_not_to_decide():
    hashed = {name.removesuffix(".py") for name in _DECIDING}
    assert hashed | set(NOT_DECIDING) == reached()
    assert hashed.isdisjoint(NOT_DECIDING)
    assert hashed <= set(RANK)
