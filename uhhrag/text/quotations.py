"""Whose words in quotation marks a sentence is."""

import re

_MARKED = re.compile(r"[“„«][^“”„«»\"]{1,2000}|\"[^\"]{1,2000}")
_SPOKEN = re.compile(r"[,.!?:]\s?[”\"»]|[:,] [“\"„«]")
_NAME = r"(?!(?:He|She|It|They|We|I|Th\w+|But|And)\b)[A-Z][\w’'-]*\.?(?: [A-Z][\w’'-]+){0,3}"
_SAYS = r"(?:said|says|added|adds|claim(?:ed|s)|insist(?:ed|s)|wrote|writes|stated|explained)"
_WHO = re.compile(
    rf"({_NAME})(?:, [^,.;:]{{1,60}},)? (?:{_SAYS}|told)\b"
    rf"|\b{_SAYS} (?:the )?(?:[a-z-]+,? ){{0,4}}({_NAME})"
)


def quoted_person(sentence: str, context: str, at: int = 0) -> str:
    """The nearest name; "" if most of it is in no such marks, nor told to be speech.

    >>> quoted_person("“It leaks.", "Ada Lie said no more. “It leaks.\\n” The wall stands.")
    'Ada Lie'
    >>> quoted_person("“No.”", "Ada Lie said “No.” Ben Berg said “No.”", 33)
    'Ben Berg'
    >>> quoted_person("“It leaks,” said its owner, Mr Berg.", ""), quoted_person("Ada says it.", "")
    ('Mr Berg', '')
    """
    found = context.find(sentence, at)
    text, start = (context, found) if found >= 0 else (sentence, 0)
    places = range(start, start + len(sentence))
    unmarked = _MARKED.sub(lambda one: " " * len(one[0]), text)
    inside = sum(unmarked[at] != text[at] for at in places)
    if not inside or (3 * inside < len(sentence) and not _SPOKEN.search(sentence)):
        return ""
    near = min(
        _WHO.finditer(unmarked),
        key=lambda one: max(start - one.end(), one.start() - places.stop),
        default=None,
    )
    return (near[1] or near[2]) if near else ""
