from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from uhhrag.errors import UsageError


def running(module: str) -> str:
    """This installation's Python need not be the shell's."""
    return f"{shlex.quote(sys.executable)} -m {module}"


def installing(extra: str) -> str:
    first = "" if find_spec("pip") else f"{running('ensurepip')} && "
    return f"{first}{running('pip')} install 'uhhrag[{extra}]'"


def require_extra(extra: str, modules: Sequence[str], noun: str) -> None:
    """Raises UsageError if a module is missing; imports nothing."""
    if missing := [name for name in modules if find_spec(name) is None]:
        raise UsageError(f"{noun} need {', '.join(missing)}; run: {installing(extra)}")


class OptionalModule:
    """Imported at the first attribute, after `require_extra`.

    >>> OptionalModule("json", "docs", "documents").dumps(1)
    '1'
    """

    def __init__(self, name: str, extra: str, noun: str) -> None:
        self._name, self._extra, self._noun = name, extra, noun

    def __getattr__(self, attribute: str) -> Any:
        require_extra(self._extra, (self._name,), self._noun)
        return getattr(import_module(self._name), attribute)
