"""Labels from replies; never raises. What UHH's reader cannot read is Refuted, as in its code."""

from __future__ import annotations

import re

from uhhrag.records import Grade, Label, Origin
from uhhrag.system.decode import json_object

_LETTER = re.compile(r"\[\[\s*([A-D])\s*\]\]")
_BARE_LETTER = re.compile(r"[\W_]*([A-D])[\W_]*")
_LABELS = re.compile(
    r"(?<!not )\b(?:supported|refuted|not enough evidence|conflicting)\b", re.IGNORECASE
)
_LABEL_LINE = re.compile(r"label\W*:", re.IGNORECASE)
_GRADES = re.compile(
    r"pants[- ](?:on[- ])?fire|mostly[- ]true|half[- ]true|(?:barely[- ]true|mostly[- ]false)"
    r"|(?<!not )\b(?:true|false)\b",
    re.IGNORECASE,
)
_UNREAD = (Label.NOT_ENOUGH, Origin.DEFAULTED)

LETTERS = {
    "A": Label.SUPPORTED,
    "B": Label.REFUTED,
    "C": Label.NOT_ENOUGH,
    "D": Label.CONFLICTING,
}


def read_vote(reply: str) -> tuple[Label, Origin]:
    """UHH's prompt 2, as its code reads it: another label with a nonzero score up to .5 is Not
    Enough Evidence."""
    fields = json_object(reply.strip()) or {}
    label, score = fields.get("label"), fields.get("score")
    if label in (Label.SUPPORTED, Label.REFUTED):
        return Label(label), Origin.READ
    low = isinstance(score, int | float) and not isinstance(score, bool) and score <= 0.5
    if label is not None and low and score != 0:
        return Label.NOT_ENOUGH, Origin.READ
    return Label.REFUTED, Origin.DEFAULTED


def read_label(reply: str) -> tuple[Label, Origin]:
    """UHH's prompt 1.

    >>> read_label('{"label": "supported"}')
    (<Label.REFUTED: 'Refuted'>, <Origin.DEFAULTED: 'defaulted'>)
    """
    label = (json_object(reply.strip()) or {}).get("label")
    if isinstance(label, str) and label in set(Label):
        return Label(label), Origin.READ
    return Label.REFUTED, Origin.DEFAULTED


def read_letter(reply: str, letters: str = "ABCD") -> tuple[Label, Origin]:
    """In double square brackets, or alone."""
    bare = _BARE_LETTER.fullmatch(reply)
    letters_named = {bare[1]} if bare else set(_LETTER.findall(reply))
    readable = len(letters_named) == 1 and letters_named <= set(letters)
    return (LETTERS[letters_named.pop()], Origin.READ) if readable else _UNREAD


def read_justified(reply: str) -> tuple[Label, Origin]:
    """The label after the last "Label:"."""
    _, *named = _LABEL_LINE.split(reply)
    found = map(as_label, _LABELS.findall(named[-1] if named else ""))
    labels = {label for label in found if label}
    return (labels.pop(), Origin.READ) if len(labels) == 1 else _UNREAD


def read_grade(reply: str) -> tuple[Label | Grade, Origin]:
    """The only grade; "mostly false" is "barely true"."""
    grades = {_grade(name) for name in _GRADES.findall(reply)}
    return (grades.pop(), Origin.READ) if len(grades) == 1 else _UNREAD


def as_grade(name: str) -> Grade | None:
    whole = _GRADES.fullmatch(name.strip(" .!").replace("_", "-"))
    return _grade(whole[0]) if whole else None


def as_label(name: str) -> Label | None:
    """
    >>> as_label("CONFLICTING evidence"), as_label("maybe")
    (<Label.CONFLICTING: 'Conflicting Evidence/Cherrypicking'>, None)
    """
    words = " ".join(name.replace("_", " ").lower().split())
    return next((label for start, label in _STARTS.items() if words.startswith(start)), None)


def _grade(name: str) -> Grade:
    plain = name.lower().replace("-", " ")
    if plain.startswith("pants"):
        return Grade.PANTS_ON_FIRE
    return Grade.BARELY_TRUE if plain == "mostly false" else Grade(plain)


_STARTS = {
    "support": Label.SUPPORTED,
    "refute": Label.REFUTED,
    "not enough": Label.NOT_ENOUGH,
    "conflicting": Label.CONFLICTING,
}
