from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from reprlib import repr as cut
from typing import Any

from uhhrag.approaches import ApproachSpec
from uhhrag.config.choices import Parts
from uhhrag.errors import InputError, UhhragError, UsageError, reason_of
from uhhrag.records import Finding, Label
from uhhrag.rules.rules import RULES, Rule
from uhhrag.system.own_code import Untold, code_hash, name_of
from uhhrag.voters.opening import voter_of
from uhhrag.wiring.machine import Loaded

_TOP = 10
"""Evidence by default, as in the shared task."""


def take_parts(values: dict[str, Any]) -> Parts:
    """Callables and rows become name and hash. Raises UsageError if one cannot be hashed."""
    rows: dict[str, Any] = {}
    for option, row in _ROWS.items():
        value = values.get(option)
        part: Any = value.model if isinstance(value, Loaded) else value
        is_row = isinstance(part, _VARIED.get(option, ()))
        if is_row or callable(part):
            name = name_of(getattr(part, _CALLS[option]) if is_row else part)
            fingerprint = (
                value.fingerprint if isinstance(value, Loaded) else _hash(option, part, name)
            )
            values[option] = f"{name}@{fingerprint}"
            rows[option] = part if is_row else row(_naming_errors(option, name, part), fingerprint)
    return Parts(**rows)


_VARIED = {"approach": ApproachSpec, "rule": Rule}
"""Of these a program may give a changed row of the table."""
_CALLS = {"approach": "run", "rule": "decide"}
_ROWS: dict[str, Callable[[Any, str], Any]] = {
    "approach": lambda call, _: ApproachSpec(call, _TOP),
    "rule": lambda call, _: replace(RULES["majority"], decide=call),
    "voter": voter_of,
}


_GIVES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "approach": (lambda made: isinstance(made, Finding), "uhhrag.records.Finding"),
    "rule": (list(Label).__contains__, f"uhhrag.records.Label: {', '.join(Label)}"),
    "voter": (lambda made: isinstance(made, Iterable), "uhhrag.records.Vote on each piece"),
}


def _naming_errors(option: str, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """Errors name it, also those about its results."""
    right, wanted = _GIVES[option]

    @wraps(call)
    def told(*given: Any) -> Any:
        try:
            made = call(*given)
        except UhhragError:
            raise
        except Exception as error:
            raise InputError(f"the {option} {name} failed: {reason_of(error)}") from error
        if not right(made):
            raise InputError(f"the {option} {name} gave {cut(made)}; it is to give {wanted}")
        return made

    told.__name__ = name
    return told


def _hash(option: str, part: Any, name: str) -> str:
    try:
        return code_hash(part)
    except Untold as untold:
        raise UsageError(
            f"{option}={name}: cannot be told from a changed one, {untold}; give "
            f"{option}=Loaded({name}, FINGERPRINT), and another fingerprint when it changes"
        ) from None
