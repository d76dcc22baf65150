from __future__ import annotations

import re
from collections.abc import Iterable

# With the words that a fact-checker's headline puts before a claim that it quotes.
_FUNCTION_WORDS = frozenset(
    """
a an the of in on at to for from by with and or as is are was were be been has have had that this
it its claim fact check
""".split()  # noqa: SIM905 - a list of quoted words is harder to read
)
_NEGATIONS = frozenset(("no", "not", "never", "none", "nobody", "nothing", "without", "n't"))
_WORD = re.compile(r"n't|[^\W_]+")
ALIKE = 0.8
REPEATS = "It repeats the claim nearly word for word: see whether it knows this by itself."


def repeats(sentence: str, claim: str) -> bool:
    """They share `ALIKE` of their content words, and both or neither negate.

    >>> repeats("Claim: Bats are blind!", "Bats are blind."), repeats("Bats see well.", "Bats see.")
    (True, False)
    >>> repeats("The harbour was not dredged in 2019", "The harbour was dredged in 2019.")
    False
    """
    ours, theirs = _content(sentence), _content(claim)
    if not ours or bool(ours & _NEGATIONS) != bool(theirs & _NEGATIONS):
        return False
    return len(ours & theirs) >= ALIKE * len(ours | theirs)


def without_repeats(texts: Iterable[str]) -> list[int]:
    """
    >>> without_repeats(["It rained.", "it rained", "No."])
    [0, 2]
    """
    places: dict[str, int] = {}
    for place, text in enumerate(texts):
        places.setdefault(" ".join(re.findall(r"\w+", text.casefold())), place)
    return list(places.values())


def _content(text: str) -> set[str]:
    plain = text.casefold().replace("’", "'").replace("n't", " n't ")
    return set(_WORD.findall(plain)) - _FUNCTION_WORDS
