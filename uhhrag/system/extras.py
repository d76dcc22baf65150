from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from uhhrag.errors import UsageError


def running(module: str) -> str:
    """The command for a module of this installation, whose Python need not be the shell's."""
    return f"{shlex.quote(sys.executable)} -m {module}"


def installing(extra: str) -> str:
    first = "" if find_spec("pip") else f"{running('ensurepip')} && "
    return f"{first}{running('pip')} install 'uhhrag[{extra}]'"


def require_extra(extra: str, modules: Sequence[str], what: str) -> None:
    """Raises UsageError if a module is missing; imports nothing.

    >>> require_extra("docs", ["json", "no_such_module"], "documents in PDF")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    uhhrag.errors.UsageError: documents in PDF need no_such_module; run: ...[docs]'
    """
    if missing := [name for name in modules if find_spec(name) is None]:
        raise UsageError(f"{what} need {', '.join(missing)}; run: {installing(extra)}")


class OptionalModule:
    """Imported at the first attribute, after `require_extra`.

    >>> OptionalModule("json", "docs", "documents").dumps(1)
    '1'
    """

    def __init__(self, name: str, extra: str, what: str) -> None:
        self._name, self._extra, self._what = name, extra, what

    def __getattr__(self, attribute: str) -> Any:
        require_extra(self._extra, (self._name,), self._what)
        return getattr(import_module(self._name), attribute)
