"""The program: no command, or one written wrongly."""

from __future__ import annotations

from tests.mistakes.mistake import Mistake

MISTAKES = (
    Mistake("a command that does not exist", "uhhrag indx data", 2, "--help"),
    Mistake("an option that does not exist", "uhhrag predict --aproach pursuit", 2, "--approach"),
    Mistake("an option without its value", "uhhrag predict --top-n", 2, "requires an argument"),
)
