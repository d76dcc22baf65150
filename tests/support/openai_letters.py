"""Votes and JSON that the tests of the OpenAI protocol send."""

from __future__ import annotations

from uhhrag.records import PickOne, Prompt

LETTERS = PickOne(("A", "B", "C"))


VOTES = [Prompt("vote", "Head.\n", f"say {letter}") for letter in "ABC"]
