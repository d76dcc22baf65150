"""Modules that are loaded when they are first used, so that `--help` waits for none of them.

Commands import these modules at their top, as modules (`from uhhrag.workflows import check`): what
is imported then is a stand-in, which loads the module at the first attribute that is read. An
import of a name (`from uhhrag.workflows.check import CheckTask`) loads the module at once.
"""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec

LAZY = (
    "uhhrag.doctor",
    "uhhrag.folders",
    "uhhrag.formats.convert",
    "uhhrag.models.pull",
    "uhhrag.models.speed",
    "uhhrag.scores.bootstrap",
    "uhhrag.serve.access",
    "uhhrag.serve.app",
    "uhhrag.serve.database",
    "uhhrag.serve.server",
    "uhhrag.serve.worker",
    "uhhrag.training.card",
    "uhhrag.training.score",
    "uhhrag.training.verdict",
    "uhhrag.verdict.fit",
    "uhhrag.views.answer",
    "uhhrag.views.verdict_text",
    "uhhrag.wiring.embedders",
    "uhhrag.wiring.llms",
    "uhhrag.wiring.verdicts",
    "uhhrag.wiring.verifiers",
    "uhhrag.wiring.voter",
    "uhhrag.workflows.calibrate",
    "uhhrag.workflows.check",
    "uhhrag.workflows.compare",
    "uhhrag.workflows.documents",
    "uhhrag.workflows.evaluate",
    "uhhrag.workflows.index",
    "uhhrag.workflows.ingest",
    "uhhrag.workflows.predict",
    "uhhrag.workflows.report",
    "uhhrag.workflows.serve",
)
"""What commands do their work with."""


def load_lazily(names: tuple[str, ...] = LAZY) -> None:
    """Put a stand-in for each module in its place, where the module is not loaded already."""
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
        parent, _, own_name = name.rpartition(".")
        setattr(sys.modules[parent], own_name, module)
