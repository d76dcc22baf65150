from __future__ import annotations

import re
from collections.abc import Sequence

from uhhrag.text.fragments import is_question

_REFERRING = re.compile(
    r"[\"'“‘«(\[]*(?:it|its|he|his|she|her|they|their|this|these|that|those)\b", re.IGNORECASE
)
_PRONOUN = re.compile(r"(It|He|She|They|Its|His|Her|Their)\b")
_POINTING = re.compile(
    r"(This|That|These|Those) (?:is|are|was|were|has|have|had|does|did|costs?|will|would)\b"
)
_IMPERSONAL = re.compile(
    r"It(?:['’]s| (?:is|was|has been|seems?|seemed|appears?|appeared|turns out|turned out))"
    r"(?: [\w-]+){0,3} (?:that|whether)\b|It(?:['’]s| (?:is|was|has been))(?: not)? "
    r"(?:time|likely|possible|impossible|important|necessary|easy|hard|difficult|illegal) to\b"
)


def refers_back(sentence: str) -> bool:
    """
    >>> refers_back("It was built in 1998."), refers_back("Italy joined in 1957.")
    (True, False)
    """
    return bool(_REFERRING.match(sentence))


def doubt(sentence: str) -> str:
    """That the pronoun at its head names nobody and nothing, or ""."""
    pronoun = _PRONOUN.match(sentence) or _POINTING.match(sentence)
    if not pronoun or _IMPERSONAL.match(sentence):
        return ""
    return f"does not say who or what “{pronoun[1]}” is"


def sentence_before(lines: Sequence[str], at: int) -> str:
    """What a sentence refers to or answers; "" if neither.

    >>> lines = ["The ferry sails daily.", " ", "It was built in 1998.", "Who pays?", "Nobody."]
    >>> [sentence_before(lines, at) for at in (0, 2, 3, 4)]
    ['', 'The ferry sails daily.', '', 'Who pays?']
    """
    above = line_above(lines, at)
    return above if refers_back(lines[at]) or is_question(above) else ""


def line_above(lines: Sequence[str], at: int) -> str:
    """
    >>> line_above(["Fares", " ", "Cars pay more."], 2), line_above(["Fares"], 0)
    ('Fares', '')
    """
    above = (lines[n] for n in range(at - 1, -1, -1))
    return next((line for line in above if line and not line.isspace()), "")


def lead(headings: Sequence[str], before: str) -> str:
    """
    >>> lead(("Ferries", "", "Fares"), "Cars pay more."), lead(("Fares",), "Fares")
    ('Ferries. Fares. Cars pay more.', 'Fares.')
    """
    different = dict.fromkeys(heading for heading in headings if heading)
    sentences = [heading if heading[-1] in ":?" else f"{heading}." for heading in different]
    return " ".join([*sentences, *([before] if before and before not in different else [])])


def asked_apart(headings: Sequence[str], before: str) -> tuple[str, ...]:
    """Headings without the question that `before` begins with: read twice, it is misread.

    >>> asked_apart(("Ferry", "Sale – Is it sold?"), "Is it sold? No.")
    ('Ferry', 'Sale')
    """
    names = [(heading, heading.rpartition(" – ")[2]) for heading in headings]
    return tuple(
        heading.removesuffix(name).removesuffix(" – ")
        if is_question(name) and before.startswith(name)
        else heading
        for heading, name in names
    )


def joined(before: str, sentence: str) -> str:
    """
    >>> joined("A storm came.", "It sank."), joined("", "It sank.")
    ('A storm came. It sank.', 'It sank.')
    """
    return f"{before} {sentence}" if before else sentence
