from __future__ import annotations

import re
from collections.abc import Iterable

FUNCTION_WORDS = frozenset(
    """
a an the of in on at to from by with for about as and or not no nor but if than then so
is am are was were be been being have has had having do does did done
i you he she it we they me him her us them his its our your their my
this that these those there here who whom whose what which when where why how
""".split()  # noqa: SIM905 - a list of quoted words is harder to read and to check
)
_NEGATIONS = frozenset(("no", "not", "never", "none", "nobody", "nothing", "without", "n't"))
_LEFT_OUT = FUNCTION_WORDS.difference(_NEGATIONS).union(("claim", "fact", "check"))
"""With the words that a fact-checker's headline puts before a claim that it quotes."""
_WORD = re.compile(r"n't|[^\W_]+")
ALIKE = 0.8
REPEATS = "It repeats the claim nearly word for word: see whether it knows this by itself."
QUOTES = "It has the words that the claim quotes, word for word: see who says them."
_QUOTED = re.compile('[“„«"]([^“”„«»"]+)[“”»"]')
_MIN_QUOTED_WORDS = 3
"""Words of a quotation that is looked for."""


def repeats(sentence: str, claim: str) -> bool:
    """They share `ALIKE` of their content words, and numbers of the claim; both or neither negate.

    >>> repeats("Claim: Bats are blind!", "Bats are blind."), repeats("Bats see well.", "Bats see.")
    (True, False)
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
    said = f" {plain_words(sentence)} "
    quoted = map(plain_words, _QUOTED.findall(claim))
    return any(f" {one} " in said for one in quoted if one.count(" ") + 1 >= _MIN_QUOTED_WORDS)


def echo_of(sentence: str, claim: str) -> str:
    """What readers are told of a sentence with words of the claim, or ""."""
    if repeats(sentence, claim):
        return REPEATS
    return QUOTES if has_quotation(sentence, claim) else ""


def plain_words(text: str) -> str:
    """Without case and marks."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def without_repeats(texts: Iterable[str]) -> list[int]:
    """
    >>> without_repeats(["It rained.", "it rained", "No."])
    [0, 2]
    """
    places: dict[str, int] = {}
    for place, text in enumerate(texts):
        places.setdefault(plain_words(text), place)
    return list(places.values())


def content_words(text: str) -> set[str]:
    """Without those that nearly every sentence has.

    >>> sorted(content_words("The pool doesn't leak."))
    ['leak', "n't", 'pool']
    """
    plain = text.casefold().replace("’", "'").replace("n't", " n't ")
    return set(_WORD.findall(plain)) - _LEFT_OUT
