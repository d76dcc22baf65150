"""Sentences that speak of what the sentence before them names, as "It was built in 1998"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_REFERRING = re.compile(
    r"[\"'“‘«(\[]*(?:it|its|he|his|she|her|they|their|this|these|that|those)\b", re.IGNORECASE
)


def refers_back(sentence: str) -> bool:
    """Whether a sentence begins with a pronoun of the third person or a demonstrative.

    >>> refers_back("It was built in 1998."), refers_back("Italy joined in 1957.")
    (True, False)
    """
    return bool(_REFERRING.match(sentence))


def sentences_before(lines: Sequence[str]) -> dict[str, str]:
    """The sentence before each line that refers back, by that line, of equal lines the first;
    blank lines are skipped.

    >>> sentences_before(["The ferry sails daily.", "It was built in 1998.", "Cars pay more."])
    {'It was built in 1998.': 'The ferry sails daily.'}
    """
    sentences = [line for line in lines if line and not line.isspace()]
    pairs = reversed(list(pairwise(sentences)))
    return {line: before for before, line in pairs if refers_back(line)}


def sentence_before(sentence: str, context: str) -> str:
    r"""The line before a sentence that refers back, in a context of one sentence a line; "" for
    another sentence, or where the context has none before it.

    >>> sentence_before("It sank.", "A storm came.\nIt sank."), sentence_before("It sank.", "")
    ('A storm came.', '')
    """
    return sentences_before(context.split("\n")).get(sentence, "") if context else ""


def lead(headings: Sequence[str], before: str) -> str:
    """Headings, each as a sentence, and the sentence before a line, as one text. What is empty, or
    stands there already, is left out.

    >>> lead(("Ferries", "", "Fares"), "Cars pay more."), lead(("Fares",), "Fares")
    ('Ferries. Fares. Cars pay more.', 'Fares.')
    """
    different = dict.fromkeys(heading for heading in headings if heading)
    sentences = [f"{heading}." for heading in different]
    return " ".join([*sentences, *([before] if before and before not in different else [])])


def joined(before: str, sentence: str) -> str:
    """
    >>> joined("A storm came.", "It sank."), joined("", "It sank.")
    ('A storm came. It sank.', 'It sank.')
    """
    return f"{before} {sentence}" if before else sentence
