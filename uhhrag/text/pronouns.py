from __future__ import annotations

import re
from collections.abc import Sequence

from uhhrag.text.fragments import is_question

_REFERRING = re.compile(
    r"[\"'“‘«(\[]*(?:it|its|he|his|she|her|they|their|this|these|that|those)\b", re.IGNORECASE
)


def refers_back(sentence: str) -> bool:
    """
    >>> refers_back("It was built in 1998."), refers_back("Italy joined in 1957.")
    (True, False)
    """
    return bool(_REFERRING.match(sentence))


_NAME = r"[A-Z][\w’'-]*(?: (?:(?:of|for|and|de|von) (?:the )?)?[A-Z][\w’'-]*)*"
_PLACED = r"The (?:(?:[a-z-]+ ){1,2}of|[a-z-]+ (?:in|at)) (?:the )?"
_NO_NAME = (
    r"(?!(?:I[nft]?|On|At|But|And|For|By|As|When|After|Before|While|Since|Last|We|You|There|Will|"
    r"What|Who|Why|How|(?:Every|Some|Any|No)(?:one|body|thing)?|All|Many|Most)\b)"
)
_SUBJECT = re.compile(rf"{_NO_NAME}((?:{_PLACED}|The |An? )?{_NAME})(?= [a-z])")
_UNNAMED = {"The", "A", "An", ""}
"""What `_SUBJECT` finds in "The weather was bad"."""
_PRONOUN = re.compile(r"(It|He|She|They|Its|His|Her|Their)\b")


def with_subject(sentence: str, before: Sequence[str]) -> str:
    """Replaces the pronoun by the nearest earlier subject; "" without one.

    >>> with_subject("Its cost has risen.", ["The Harbour Tunnel was approved in 2019."])
    "The Harbour Tunnel's cost has risen."
    >>> with_subject("They met in May.", ["Ana Lopes and Max Weil won.", "It was close."])
    'Ana Lopes and Max Weil met in May.'
    >>> with_subject("Its nurses left.", ["The hospital of Lunde shrank.", "Everyone saw it."])
    "The hospital of Lunde's nurses left."
    >>> with_subject("It rained.", ["Ostvik grew.", "The weather was bad.", "In May all saw it."])
    ''
    """
    pronoun = _PRONOUN.match(sentence)
    if not pronoun:
        return ""
    named = (_SUBJECT.match(text) for text in reversed(before) if not refers_back(text))
    subject = next((found[1] for found in named if found), "")
    if subject in _UNNAMED:
        return ""
    of = "" if pronoun[1] in ("It", "He", "She", "They") else "’" if subject[-1] == "s" else "'s"
    return f"{subject}{of}{sentence[pronoun.end() :]}"


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


def joined(before: str, sentence: str) -> str:
    """
    >>> joined("A storm came.", "It sank."), joined("", "It sank.")
    ('A storm came. It sank.', 'It sank.')
    """
    return f"{before} {sentence}" if before else sentence
