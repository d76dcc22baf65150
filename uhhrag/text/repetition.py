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
QUOTES = "It has the words that the claim quotes, word for word: see who says them."
_QUOTED = re.compile('[“„«"]([^“”„«»"]+)[“”»"]')
_LEAST_QUOTED = 3
"""Words of a quotation that is looked for."""


def repeats(sentence: str, claim: str) -> bool:
    """They share `ALIKE` of their content words, and numbers of the claim; both or neither negate.

    >>> repeats("Claim: Bats are blind!", "Bats are blind."), repeats("Bats see well.", "Bats see.")
    (True, False)
    >>> repeats("The harbour was not dredged in 2019", "The harbour was dredged in 2019.")
    False
    >>> repeats("Bus fares rise by 6 per cent in July.", "Bus fares rise by 8 per cent in July.")
    False
    """
    ours, theirs = content_words(sentence), content_words(claim)
    if not ours or bool(ours & _NEGATIONS) != bool(theirs & _NEGATIONS):
        return False
    if any(word[0].isdecimal() for word in theirs - ours):
        return False
    return len(ours & theirs) >= ALIKE * len(ours | theirs)


def has_quotation(sentence: str, claim: str) -> bool:
    """
    >>> has_quotation("“He told me to go!”, she says.", 'Somebody says: "He told me to go".')
    True
    >>> has_quotation("He told me not to go.", "“He told me to go”, somebody says.")
    False
    >>> has_quotation("She was told to “go away”.", "“Go away” was said.")
    False
    """
    said = f" {_plain(sentence)} "
    quoted = map(_plain, _QUOTED.findall(claim))
    return any(f" {one} " in said for one in quoted if one.count(" ") + 1 >= _LEAST_QUOTED)


def echo_of(sentence: str, claim: str) -> str:
    """What readers are told of a sentence with words of the claim, or ""."""
    if repeats(sentence, claim):
        return REPEATS
    return QUOTES if has_quotation(sentence, claim) else ""


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def without_repeats(texts: Iterable[str]) -> list[int]:
    """
    >>> without_repeats(["It rained.", "it rained", "No."])
    [0, 2]
    """
    places: dict[str, int] = {}
    for place, text in enumerate(texts):
        places.setdefault(_plain(text), place)
    return list(places.values())


def content_words(text: str) -> set[str]:
    """Without those that nearly every sentence has.

    >>> sorted(content_words("The pool doesn't leak."))
    ['does', 'leak', "n't", 'pool']
    """
    plain = text.casefold().replace("’", "'").replace("n't", " n't ")
    return set(_WORD.findall(plain)) - _FUNCTION_WORDS
