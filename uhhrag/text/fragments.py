"""Lines that assert nothing, such as headings; in doubt, a line is a sentence."""

from __future__ import annotations

import re

_SHORT = 8
"""A line with fewer words needs a verb."""

_BANNER = re.compile(
    r"\b(accept (all )?cookies|cookie (policy|settings|preferences)|(this|our) (web)?site uses "
    r"cookies|privacy policy|terms (of (use|service)|and conditions)|all rights reserved|subscribe "
    r"(to|now|today)|sign up (for|to|now)|log in|create an account|share (this|on)|click here|"
    r"follow us|skip to (main )?content|enable javascript|advertisement|read more|related "
    r"(articles|stories))\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?…][\"'”’»)\]]*$")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")

# Forms that tell a clause: auxiliaries, and the commonest verbs whose forms do not end in -ed.
_VERBS = frozenset(
    """
am is are was were be been being isn't aren't wasn't weren't has have had hasn't haven't hadn't
does do did doesn't don't didn't can cannot can't could couldn't may might must shall should
shouldn't will would won't wouldn't ain't it's he's she's that's there's what's we're they're
you're i'm i've we've they've
became become becomes began begin begins bought broke brought build builds built buys call calls
came cause causes caught chose claim claims come comes contain contains cost costs crept cut cuts
dealt deny denies die dies drew drove eat exist exists fall falls fell felt fight find finds flew
fought found gave get gets give gives go goes got grew grow grows happen happens held hid hit hold
holds hurt include includes keep keeps kept kill kills knew know knows lay lead leads led left let
lets lie lies lose loses lost made make makes mean means meant meet meets met need needs occur
occurs open opens own owns paid pay pays put puts ran reach reaches read reads receive receives
remain remains report reports rise rises rose run runs said sat saw say says see seen sees sell
sells send sends sent serve serves set sets shook shot show shows shut slept sold sought speak
speaks spend spent spoke spoken spread stand stands stole stood swam swept take takes taught tell
tells think thinks thought threw told took understood use uses vote votes want wants went win wins
won work works write writes wrote
""".split()  # noqa: SIM905 - a list of three hundred quoted words is harder to read and to check
)


# Of these, nouns in a short line without a full stop ("Ostvik school report 2021").
_NOUNS = frozenset(
    """
call calls cause causes claim claims cost costs cut cuts deny die fall falls fight find finds hold
holds lead leads let lie lies make makes need needs open opens pay report reports rise rises run
runs show shows stand stands use uses vote votes work works
""".split()  # noqa: SIM905 - as above
)

_MAX_HEADING_WORDS = 15
"""In words."""
_CLOSING = "\"'”’»)]"
_SENTENCE_END = re.compile(r"(?:[!?…]|(?<!\b[A-Z])\.)\s")
"""Not after an initial. Without backtracking, which takes minutes on decimal numbers."""


_PAIR = re.compile(r"\W{0,3}(?P<name>[^\W\d][^:;]{0,60}):\s+(?P<value>\S.*)")
_FIGURE = re.compile(r"\W{0,3}\d")
_ENTRY = re.compile(r"\W{0,3}(?P<name>\w[^:;]{0,60}):\s+\S.*")
_NUMBERED = re.compile(
    r"(?:(?:table|figure|fig|chart|map|box|chapter|section|part|annex|appendix)\W{1,2}"
    r"(?:\d{1,2}|[A-Z])|\d{1,2})(?:\.\d{1,2}){0,3}[a-z]?",
    re.IGNORECASE,
)


_REPLY = (
    r"(?:yes|no|nope|yeah|yep|never|not (?:at all|yet|really|any ?more|so)|correct|indeed|exactly"
    r"|true|it (?:is|was|does|did|has|will)(?: not|n['’]t)?"
    r"|(?:of course|certainly|definitely|absolutely|unfortunately|sadly)(?: not)?)"
)
_BARE_ANSWER = re.compile(
    rf"(?:[^\W\d_][^:.?!]{{0,60}}: )?[\"“]?{_REPLY}(?:[,.!]? {_REPLY}){{0,2}}[.!]?[\"”]?",
    re.IGNORECASE,
)


def has_pairs(text: str) -> bool:
    """
    >>> has_pairs("Port: Lunde; Country: Norway"), has_pairs("- Schools: 18 million crowns")
    (True, True)
    >>> has_pairs("Ostvik: annual report 2022")
    False
    """
    pairs = [pair for part in text.split("; ") if (pair := _PAIR.fullmatch(part.strip()))]
    return len(pairs) > 1 or any(_FIGURE.match(pair["value"]) for pair in pairs)


def is_entry(text: str) -> bool:
    """
    >>> is_entry("Ingrid Solheim: against"), is_entry("14 May 2023: alarm")
    (True, True)
    >>> is_entry("Table 3a: Population by year"), is_entry("2019: alarm")
    (False, True)
    """
    pair = _ENTRY.fullmatch(text.strip())
    return pair is not None and not _NUMBERED.fullmatch(pair["name"])


def is_banner(text: str) -> bool:
    """Cookies, subscribing, sharing."""
    return bool(_BANNER.search(text))


def is_question(text: str) -> bool:
    """One question and nothing else."""
    bare = text.strip().rstrip(_CLOSING)
    asked = bare.rstrip("?!…")
    return bare.endswith("?") and bool(asked) and not _SENTENCE_END.search(asked)


def is_bare_answer(text: str) -> bool:
    """Yes or no alone, perhaps after who says it.

    >>> is_bare_answer("Corwen: No."), is_bare_answer("Certainly not!"), is_bare_answer("No man.")
    (True, True, False)
    """
    return bool(_BARE_ANSWER.fullmatch(text.strip()))


def is_heading(text: str, least: int = 2) -> bool:
    """
    >>> is_heading("Ferry between Ostvik and Marholm"), is_heading("The ferry was late.")
    (True, False)
    """
    words = _WORD.findall(text)
    bare = text.strip()
    return (
        least <= len(words) <= _MAX_HEADING_WORDS
        and bare[0].isalnum()
        and (bare[-1].isalnum() or bare[-1] in _CLOSING)
        and not _BANNER.search(text)
    )


def is_ended(text: str) -> bool:
    """
    >>> is_ended("The ferry was late.)"), is_ended("Ferries")
    (True, False)
    """
    return bool(_ENDS.search(text.strip()))


def says_nothing(text: str, least: int = 2) -> bool:
    """A question, less than `least` words, a page's furniture.

    >>> says_nothing("Lunde"), says_nothing("Lunde Marine as main contractor")
    (True, False)
    """
    words = _WORD.findall(text)
    banner = len(words) < 3 * _SHORT and _BANNER.search(text)
    return is_question(text) or len(words) < least or bool(banner)


def is_fragment(text: str) -> bool:
    """
    >>> is_fragment("Ostvik school report 2021"), is_fragment("The works cost 2.4 million.")
    (True, False)
    """
    if says_nothing(text):
        return True
    words = _WORD.findall(text)
    if has_pairs(text) or is_entry(text):
        return False
    ended = is_ended(text)
    noun = frozenset[str]() if ended or len(words) >= _SHORT else _NOUNS
    if any(is_verb(word) and word not in noun for word in words):
        return False
    if len(words) < _SHORT:
        return not (ended and len(words) > 3)  # "Keep it running until May." has none of the verbs
    return not ended and sum(word[0].isupper() for word in words) > 0.6 * len(words)


def is_verb(word: str) -> bool:
    """Capitalised words count as names."""
    plain = word.replace("’", "'")
    return plain in _VERBS or (plain.islower() and plain.endswith("ed") and len(plain) > 3)
