"""Modules that load at first use, for a quick `--help`. Importing a name loads them; `__file__` and
the like do not: torch reads these of every module by `inspect.getmodule`."""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from types import ModuleType
from typing import Any, ClassVar

_LAZY = {
    "archive": "verify",
    "assistants": "server",
    "": "doctor folders",
    "exports": "claim_review docx_export",
    "formats": "convert",
    "models": "bundle pull speed",
    "rules": "learned_files",
    "scores": "bootstrap run_table",
    "serve": "access app database desk_file server worker",
    "training": "calibration score verdict",
    "views": "answer counted verdict_text",
    "wiring": "checked_claims embedders llms verdicts verifiers voters",
    "workflows": "answering archives article calibrate check claims compare documents "
    "evaluate gathered given index judged predict report search serve",
}
LAZY = tuple(
    f"uhhrag.{folder}.{name}" if folder else f"uhhrag.{name}"
    for folder, names in _LAZY.items()
    for name in names.split()
)
_KNOWN = {"__class__", "__file__", "__loader__", "__name__", "__package__", "__path__", "__spec__"}


class _StandIn(ModuleType):
    """Becomes importlib's lazy module at the first attribute that needs loading."""

    lazy: ClassVar[type[ModuleType]] = ModuleType

    def __getattribute__(self, name: str) -> Any:
        if name in _KNOWN:
            return super().__getattribute__(name)
        object.__setattr__(self, "__class__", _StandIn.lazy)
        return getattr(self, name)


def load_lazily() -> None:
    for name in LAZY:
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
