"""A program's own approach, rule and voter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from uhhrag.approaches import ApproachSpec
from uhhrag.config.choices import Parts
from uhhrag.errors import UsageError
from uhhrag.rules.rules import RULES
from uhhrag.system.own_code import Untold, code_hash, name_of
from uhhrag.voters.opening import voter_of
from uhhrag.wiring.loaded import Loaded

_TOP = 10
"""Evidence by default, as in the shared task."""


def take_parts(values: dict[str, Any]) -> Parts:
    """Callables become name and hash. Raises UsageError if one cannot be hashed."""
    rows: dict[str, Any] = {}
    for option, row in _ROWS.items():
        value = values.get(option)
        if isinstance(value, Loaded) or callable(value):
            call, name, fingerprint = _named(option, value)
            values[option] = f"{name}@{fingerprint}"
            rows[option] = row(call, fingerprint)
    return Parts(**rows)


_ROWS: dict[str, Callable[[Any, str], Any]] = {
    "approach": lambda call, _: ApproachSpec(call, _TOP),
    "rule": lambda call, _: replace(RULES["majority"], decide=call),
    "voter": voter_of,
}


def _named(option: str, value: Any) -> tuple[Any, str, str]:
    if isinstance(value, Loaded):
        return value.model, name_of(value.model), value.fingerprint
    name = name_of(value)
    try:
        return value, name, code_hash(value)
    except Untold as untold:
        raise UsageError(
            f"{option}={name}: cannot be told from a changed one, {untold}; give "
            f"{option}=Loaded({name}, FINGERPRINT), and another fingerprint when it changes"
        ) from None
