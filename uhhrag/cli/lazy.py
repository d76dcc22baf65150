"""Modules that load at first use, so that `--help` is quick.

Commands import them as modules (`from uhhrag.workflows import check`); importing a name from one
loads it at once. Attributes such as `__file__` load nothing: `inspect.getmodule`, which torch
calls, reads them of every module.
"""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from types import ModuleType
from typing import Any, ClassVar

LAZY = (
    "uhhrag.assistants.server",
    "uhhrag.doctor",
    "uhhrag.exports.claim_review",
    "uhhrag.exports.docx_export",
    "uhhrag.folders",
    "uhhrag.formats.convert",
    "uhhrag.models.bundle",
    "uhhrag.models.pull",
    "uhhrag.models.speed",
    "uhhrag.rules.learned_files",
    "uhhrag.scores.bootstrap",
    "uhhrag.scores.run_table",
    "uhhrag.serve.access",
    "uhhrag.serve.app",
    "uhhrag.serve.database",
    "uhhrag.serve.screens",
    "uhhrag.serve.server",
    "uhhrag.serve.worker",
    "uhhrag.training.card",
    "uhhrag.training.score",
    "uhhrag.training.verdict",
    "uhhrag.training.calibration",
    "uhhrag.views.answer",
    "uhhrag.views.counted",
    "uhhrag.views.verdict_text",
    "uhhrag.wiring.checked_claims",
    "uhhrag.wiring.embedders",
    "uhhrag.wiring.llms",
    "uhhrag.wiring.verdicts",
    "uhhrag.wiring.verifiers",
    "uhhrag.wiring.voter",
    "uhhrag.workflows.answering",
    "uhhrag.workflows.article",
    "uhhrag.workflows.calibrate",
    "uhhrag.workflows.check",
    "uhhrag.workflows.claims",
    "uhhrag.workflows.compare",
    "uhhrag.workflows.corpus",
    "uhhrag.workflows.corpus_search",
    "uhhrag.workflows.documents",
    "uhhrag.workflows.evaluate",
    "uhhrag.workflows.gathered",
    "uhhrag.workflows.given",
    "uhhrag.workflows.index",
    "uhhrag.workflows.ingest",
    "uhhrag.workflows.predict",
    "uhhrag.workflows.report",
    "uhhrag.workflows.run_table",
    "uhhrag.workflows.search",
    "uhhrag.workflows.serve",
)


_KNOWN = {"__class__", "__file__", "__loader__", "__name__", "__package__", "__path__", "__spec__"}


class _StandIn(ModuleType):
    """An unloaded module. Its first attribute that needs loading turns it into importlib's lazy
    module."""

    lazy: ClassVar[type[ModuleType]] = ModuleType

    def __getattribute__(self, name: str) -> Any:
        if name in _KNOWN:
            return super().__getattribute__(name)
        object.__setattr__(self, "__class__", _StandIn.lazy)
        return getattr(self, name)


def load_lazily(names: tuple[str, ...] = LAZY) -> None:
    """Put a stand-in in place of each module that is not loaded."""
    for name in names:
        if name in sys.modules:
            continue
        spec = find_spec(name)
        if spec is None or spec.loader is None:
            raise ImportError(f"{name} is missing", name=name)
        spec.loader = LazyLoader(spec.loader)
        module = module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        _StandIn.lazy = type(module)
        object.__setattr__(module, "__class__", _StandIn)
        parent, _, own_name = name.rpartition(".")
        setattr(sys.modules[parent], own_name, module)
