from __future__ import annotations

from uhhrag.evidence.context import SENTENCE, Answers
from uhhrag.runs.trace import Record
from uhhrag.system.terminal import printable

LEFT_OUT = {
    "answers": str(Answers.SENTENCE),
    "granularity": str(SENTENCE),
    "abstain-below": "0",
    "nearest": "0",
    "patience": "0",
    "order": "BM25",
    "voter": "llm",
    "embedder-on": "cpu",
    "llm-on": "cpu",
}
"""Values that a signature does not name."""
_CODE = "uhhrag's own source"


def difference(signature: str, header: Record, joined: str = "; now ") -> str:
    """Settings of `signature`, then the header's."""
    apart = settings_apart(signature, header["signature"])
    theirs = ", ".join(_named(name, value) for name, value, _ in apart)
    ours = ", ".join(_named(name, value) for name, _, value in apart)
    since = f"; {_CODE} has changed since" if any(name == "code" for name, *_ in apart) else ""
    return printable(f"{theirs}{joined}{ours}{since}")  # a file says theirs


def settings_apart(a: str, b: str) -> list[tuple[str, str | None, str | None]]:
    """Differing settings with both values; None if one lacks it.

    >>> settings_apart("approach:x|verdict:all", "approach:x|verdict:majority|llm:m")
    [('verdict', 'all', 'majority'), ('llm', None, 'm')]
    """
    ours, theirs = (
        {name: value for name, _, value in (part.partition(":") for part in one.split("|"))}
        for one in (a, b)
    )
    both = ((name, ours.get(name), theirs.get(name)) for name in dict.fromkeys([*ours, *theirs]))
    return [(name, of_a, of_b) for name, of_a, of_b in both if of_a != of_b]


def told_apart(a: str, b: str) -> str:
    """ "verdict majority / all" for each differing setting."""
    named = (
        f"{_CODE if name == 'code' else name} "
        + " / ".join(value or LEFT_OUT.get(name, "none") for value in both)
        for name, *both in settings_apart(a, b)
    )
    return printable("; ".join(named))


def _named(key: str, value: str | None) -> str:
    default = LEFT_OUT.get(key)
    return f"no {key}" if value is None and default is None else f"{key}:{value or default or ''}"
