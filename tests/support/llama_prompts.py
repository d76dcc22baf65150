"""Prompts for a small model, and how it is loaded."""

from __future__ import annotations

from uhhrag.backends.llamacpp import model as llamacpp
from uhhrag.records import PickOne, Prompt

HEAD = "Answer with one word.\n"


CAPITAL = Prompt("ask", HEAD, "The capital of France is the city of")


FACTS = [
    Prompt("ask", HEAD, f"The capital of {country} is the city of")
    for country in ("France", "Japan", "Italy", "Egypt")
]


LETTERS = PickOne(("A", "B", "C"))


VOTES = [
    Prompt("vote", "Repeat the letter.\n", f"Letter: {letter}\nThe letter is")
    for letter in "ABCCBA"
]


def fresh(gguf):
    # One thread: two would wait for each other by spinning where another program runs too.
    return llamacpp.load(gguf, threads=1)
