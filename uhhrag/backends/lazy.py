"""A model that is loaded when it is first needed, so that a run which has nothing left to do, or is
refused, costs no loading."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any


class Lazy:
    """Any callable seam whose model is loaded at its first call. Reading `ready` loads it at once,
    so that its errors come before the work begins."""

    def __init__(self, load: Callable[[], Callable[..., Any]]) -> None:
        self._load = load

    @cached_property
    def ready(self) -> Callable[..., Any]:
        return self._load()

    def __call__(self, *arguments: Any) -> Any:
        return self.ready(*arguments)
