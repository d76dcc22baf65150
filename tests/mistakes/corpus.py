"""`uhhrag corpus`."""

from __future__ import annotations

from tests.mistakes.mistake import Mistake

_MAKE = "make one with: uhhrag ingest"

MISTAKES = (
    Mistake("a corpus that is not there", "uhhrag corpus info nowhere", 4, _MAKE),
    Mistake("a search in another folder", "uhhrag corpus search data Rain", 4, _MAKE),
    Mistake("an update of no corpus", "uhhrag corpus update empty", 4, _MAKE),
    Mistake("no file to remove", "uhhrag corpus remove nowhere", 2, "FILE"),
)
