"""`uhhrag archive`."""

from __future__ import annotations

from tests.mistakes.mistake import Mistake

_MAKE = "make one with: uhhrag ingest"

MISTAKES = (
    Mistake("an archive that is not there", "uhhrag archive info nowhere", 4, _MAKE),
    Mistake(
        "a search in another folder",
        "uhhrag archive search data Rain",
        4,
        "uhhrag ingest data --out",
    ),
    Mistake("an update of no archive", "uhhrag archive update empty", 4, _MAKE),
    Mistake("no file to remove", "uhhrag archive remove nowhere", 2, "FILE"),
)
