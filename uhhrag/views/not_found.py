"""What was not found for a claim, and what was not searched."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from uhhrag.documents.changed import scans_note
from uhhrag.records import Label, Verdict
from uhhrag.system.terminal import first_of, quantity
from uhhrag.views.searched import Documents
from uhhrag.views.votes import is_unasked, leaning_label, quoted_note

_NAMED = 5
"""Most names of a list; a sixth is named too, rather than counted."""
_SILENT = "is read most likely as saying nothing for or against the claim"
_LIMITS = {
    "date": "of documents dated after the last day allowed",
    "undated": "of documents without a date of their own",
    "site": "of sites that are excluded",
}


def not_found(verdict: Verdict, documents: Documents | None) -> list[str]:
    notes = list(verdict.notes)
    if not verdict.evidence and not notes:
        notes.append("nothing that was searched is near enough to the claim")
    elif silence := _silence(verdict):
        notes.append(silence)
    return notes + limits_told(verdict.removed) + (unread_notes(documents) if documents else [])


def _silence(verdict: Verdict) -> str:
    """That no passage takes a side; "" if one does, or the verdict takes one nevertheless."""
    votes, sides = verdict.votes, (Label.SUPPORTED, Label.REFUTED)
    taken = leaning_label(verdict) or verdict.label
    if not votes or taken in sides or not all(vote.says_nothing for vote in votes):
        return ""
    lean = "; the votes say to which side it leans" if any(v.label in sides for v in votes) else ""
    if not verdict.vote_per_piece:
        return f"each passage {_SILENT}{lean}"
    asked = [not is_unasked(*one) for one in zip(verdict.evidence, votes, strict=True)]
    quoted = quoted_note(verdict.evidence, votes, "passage")
    if not any(asked):
        return quoted
    each = "each other passage" if quoted else "each passage"
    return f"{quoted}{'; ' if quoted else ''}{each} {_SILENT}{lean}"


def limits_told(removed: Mapping[str, int]) -> list[str]:
    """
    >>> limits_told({"site": 1, "date": 34})[0]
    '1 passage of sites that are excluded was left out'
    """
    return [
        f"{quantity(number, 'passage')} {_LIMITS.get(limit, limit)} "
        f"{'was' if number == 1 else 'were'} left out"
        for limit, number in removed.items()
    ]


def unread_notes(documents: Documents) -> list[str]:
    notes = []
    if documents.unread:
        folders = any(name.endswith("/") for name in documents.unread)
        number = len(documents.unread)
        count = f"{number} of the files and folders" if folders else quantity(number, "file")
        notes.append(f"{count} could not be read: {named(documents.unread)}")
    if documents.partly:
        files = quantity(len(documents.partly), "file")
        notes.append(f"{files} read in part: {named(documents.partly)}")
    if scans := scans_note(documents.scans):
        notes.append(scans)
    for reason in dict.fromkeys(documents.left_out_files.values()):
        names = [name for name, why in documents.left_out_files.items() if why == reason]
        files = quantity(len(names), "file")
        notes.append(f"{files} left out, {reason}: {named(names)}")
    return notes


def named(names: Collection[str]) -> str:
    """
    >>> named("abcdef"), named("abcdefg")
    ('a, b, c, d, e, f', 'a, b, c, d, e, …')
    """
    return first_of([*names], len(names) if len(names) == _NAMED + 1 else _NAMED)
