from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from uhhrag.documents.changed import require_readers
from uhhrag.documents.claim_list import WORKBOOKS, list_claims
from uhhrag.documents.draft import read_list
from uhhrag.documents.formats import kind_of
from uhhrag.errors import UsageError
from uhhrag.formats.gold import read_claims
from uhhrag.records import Claim
from uhhrag.system.decode import shaped
from uhhrag.system.terminal import printable
from uhhrag.system.text_files import read_bytes
from uhhrag.text.characters import mended, one_line
from uhhrag.workflows.method import require_date
from uhhrag.workflows.observer import SILENT, Observer


def given_claims(
    given: Sequence[str],
    file: Path | None,
    date: str | None = None,
    speaker: str | None = None,
    observer: Observer = SILENT,
) -> tuple[Claim, ...]:
    """`-` is standard input. Raises UsageError for options, InputError without a claim."""
    if bool(given) == (file is not None):
        raise UsageError("give one claim in quotes, or --claims FILE (- for standard input)")
    if len(given) > 1:
        raise UsageError(
            f"{len(given)} claims are given, of which the second is {given[1][:40]!r}; put one "
            "claim in quotes, or several in a file, one per line: --claims FILE"
        )
    if given:
        (words,) = given
        if not words.strip():
            raise UsageError("the claim is empty; give its text in quotes")
        require_date(date, "--date")
        return (Claim(0, one_line(words), date, one_line(speaker or "") or None),)
    if date is not None or speaker is not None:
        raise UsageError(
            "--date and --speaker belong to a claim in quotes; a file of claims has columns date "
            "and speaker"
        )
    return read_claims_of_any_kind(file or Path("-"), observer)


def read_claims_of_any_kind(file: Path, observer: Observer = SILENT) -> tuple[Claim, ...]:
    """AVeriTeC's if .json, else as `documents.claim_list`; warns of what it cannot read."""
    if file == Path("-"):
        return list_claims(sys.stdin.buffer.read(), "standard input", "")
    if file.suffix.lower() == ".json":
        return read_claims(file)
    if file.suffix.lower() in WORKBOOKS and file.is_file():
        require_readers([kind_of(file)])
        listed = read_list(file, str(file), None)
        observer.warn_all([printable(f"{file}: {listed.partly}")] if listed.partly else [])
        return tuple(
            Claim(one.paragraph, one.text, one.date, one.speaker, one.given_id)
            for one in listed.claims
        )
    return list_claims(read_bytes(file), str(file), file.suffix.lower() or ".txt")


def own_claims(claims: str | Claim | Iterable[str | Claim]) -> tuple[Claim, ...]:
    """A program's; texts are numbered from 0. Raises UsageError for none, an empty one or equal
    ids, TypeError for another kind."""
    if isinstance(claims, str) or not isinstance(claims, Iterable):
        claims = [claims]
    made = tuple(_own_claim(number, one) for number, one in enumerate(claims))
    if not made:
        raise UsageError("no claim is given; give a text or a Claim")
    if any(not claim.text.strip() for claim in made):
        raise UsageError("a claim is empty; give its text")
    if len({claim.id for claim in made}) < len(made):
        raise UsageError("two claims have the same id; give each its own")
    if (low := min(claim.id for claim in made)) < 0:
        raise UsageError(f"a claim has the id {low}: give 0 or more")
    return made


def _own_claim(number: int, given: Any) -> Claim:
    if not isinstance(given, str | Claim):
        raise TypeError(f"claim {number} is of type {type(given).__name__}; give a text or a Claim")
    fields = {"id": number, "text": given} if isinstance(given, str) else asdict(given)
    return shaped(Claim, {k: mended(v) for k, v in fields.items()}, f"claim {number}")
