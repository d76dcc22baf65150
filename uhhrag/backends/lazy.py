from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any


class Lazy:
    """Loads at the first call, or by `ready`."""

    def __init__(self, load: Callable[[], Callable[..., Any]]) -> None:
        self._load = load

    @cached_property
    def ready(self) -> Callable[..., Any]:
        return self._load()

    def __call__(self, *arguments: Any) -> Any:
        return self.ready(*arguments)
