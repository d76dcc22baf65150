"""Numbers in one notation, 4,350,000, and dates in words; search words: lower case, stemmed,
each number as digits."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

_GROUPS = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"
    r"|\d{1,3}(?:[\u00a0\u2009\u202f'’]\d{3})+(?:[.,]\d+)?"
    r"|\d{1,3}(?: \d{3}){2,}"
    r"|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?"
)
"""Digits in threes; a single point or space is ambiguous."""
_TOKEN = re.compile(rf"(?<![\d.,])(?:{_GROUPS})(?![\d])|\d+(?:[.,]\d+)?|%|[^\W\d_]+")
_ISO_DATE = re.compile(
    r"(?<![\w-])((?:1[5-9]|20)\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:(T)(?=\d)|(?![\w-]))"
)
_BELOW_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_RANKS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ROUND = "twenty thirty forty fifty sixty seventy eighty ninety"
_COMMON = (
    "a an and are as at be been but by did do does for from had has have he her his in is it "
    "its of on or she that the their there they this to was were which who will with would"
)
UNITS = {word: number for number, word in enumerate(_BELOW_TWENTY.split())}
ORDINAL_WORDS = {word: number for number, word in enumerate(_RANKS.split(), start=1)}
_TENS = {word: 10 * number for number, word in enumerate(_ROUND.split(), start=2)}
_SCALES = {
    "dozen": 12,
    "hundred": 100,
    "trillion": 10**12,
    **dict.fromkeys(("thousand", "k"), 10**3),
    **dict.fromkeys(("million", "m", "mn"), 10**6),
    **dict.fromkeys(("billion", "bn"), 10**9),
}
_LETTERS = frozenset({"k", "m", "mn", "bn"})
"""Scales only right after digits: 4.6m."""
_SMALL = frozenset(UNITS) | frozenset(_TENS)
NUMBER_WORDS = _SMALL | (frozenset(_SCALES) - _LETTERS)
NUMBER_WORD = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
"""Pattern of any of them."""
DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
"""Pattern of a number in the notation of `in_one_notation`."""
_MAX_DIGITS = 60
"""Longer rows of digits stay as they are."""
_BEFORE, _AFTER = r"(?<![\w.,/:#-])", r"(?![\w/:-]|[.,]\d)"
_PLAIN = re.compile(rf"{_BEFORE}[1-9]\d{{3,11}}{_AFTER}")
_LAST_YEAR = 2100
_SPACE = r"[\u00a0\u202f\u2009'’]"
_APART = re.compile(
    rf"{_BEFORE}\d{{1,3}}(?:(?:{_SPACE}\d{{3}})+|(?: \d{{3}}){{2,}}|(?:\.\d{{3}}){{2,}})"
    rf"{_AFTER}(?!(?: |{_SPACE})\d)"
)
_MONEY = re.compile(
    r"(?<!\d to )(?<!\d or )(?<!\d and )(?<!\d[-–])([£$€] ?)(?!\d{16})"
    rf"({DIGITS}) ?({'|'.join(_SCALES)})(?![\w'’])",
    re.IGNORECASE,
)
_SKIPPED = frozenset(_COMMON.split())
_ENDINGS = frozenset({"st", "nd", "rd", "th", "s"})


def in_one_notation(text: str, *, money: bool = False) -> str:
    """Whole numbers, `money` and ISO dates of claim and evidence: the verifier takes another
    notation for another number, and reads no "2024-02-27".

    >>> in_one_notation("Spent: 4350000; of 1 200 000 and 5.379.475; 5300 in 2019, 12.5 %")
    'Spent: 4,350,000; of 1,200,000 and 5,379,475; 5,300 in 2019, 12.5 %'
    >>> in_one_notation("Call 00441632960001, page 12 350, 3,141.59, A10000, 2024-10000")
    'Call 00441632960001, page 12 350, 3,141.59, A10000, 2024-10000'
    >>> in_one_notation("Shut: 2024-02-07T09:30 to 2024-12-31; no. 2024-13-01, B-2024-02-07")
    'Shut: 7 February 2024, 09:30 to 31 December 2024; no. 2024-13-01, B-2024-02-07'
    """
    text = _ISO_DATE.sub(_in_words, _MONEY.sub(_in_full, text) if money else text)
    text = _PLAIN.sub(_grouped, text)
    return _APART.sub(lambda found: re.sub(r"\D", ",", found[0]), text)


def _in_words(date: re.Match[str]) -> str:
    year, month, day, time = date.groups()
    return f"{int(day)} {month_name[int(month)]} {year}{', ' if time else ''}"


def _in_full(money: re.Match[str]) -> str:
    number = Fraction(money[2].replace(",", "")) * _SCALES[money[3].lower()]
    return f"{money[1]}{float(number):,.15g}"


def _grouped(found: re.Match[str]) -> str:
    number = int(found[0])
    return f"{number:,}" if number > _LAST_YEAR else found[0]


def search_words(text: str) -> list[str]:
    """In order, without the commonest words.

    >>> search_words("The 5,379,475 visitors"), search_words("5379475 visitors")
    (['5379475', 'visitor'], ['5379475', 'visitor'])
    """
    return [*_words([(m[0], *m.span()) for m in _TOKEN.finditer(text.lower())])]


def _words(tokens: list[tuple[str, int, int]]) -> Iterator[str]:
    index = 0
    while index < len(tokens):
        word = tokens[index][0]
        follower = tokens[index + 1][0] if index + 1 < len(tokens) else ""
        if word[0].isdecimal() or word in NUMBER_WORDS:
            number, index = _number(tokens, index)
            yield number
            continue
        if word == "per" and follower == "cent":
            yield "%"
            index += 2
            continue
        index += 1
        if word in ORDINAL_WORDS:
            yield str(ORDINAL_WORDS[word])
        elif word in ("percent", "%"):
            yield "%"
        elif word not in _SKIPPED and (word not in _ENDINGS or not _glued(tokens, index - 1)):
            yield _stem(word)


def _number(tokens: list[tuple[str, int, int]], index: int) -> tuple[str, int]:
    first = tokens[index][0]
    total, current = Fraction(0), Fraction(0)
    if len(first) > _MAX_DIGITS:
        return first, index + 1
    if first[0].isdecimal():
        current, index = _digits(first), index + 1
        scale = tokens[index][0] if index < len(tokens) else ""
        if scale in _SCALES and (scale not in _LETTERS or _glued(tokens, index)):
            current, index = current * _SCALES[scale], index + 1
        return _plain(current), index
    while index < len(tokens):
        word = tokens[index][0]
        if word in UNITS and _fits(UNITS[word], current):
            current += UNITS[word]
        elif word in _TENS and current % 100 == 0:
            current += _TENS[word]
        elif word == "hundred":
            current = max(current, Fraction(1)) * 100
        elif word in _SCALES and word not in _LETTERS:
            total, current = total + max(current, Fraction(1)) * _SCALES[word], Fraction(0)
        elif not (word == "and" and _goes_on(tokens, index, current)):
            break
        index += 1
    return _plain(total + current), index


def _fits(unit: int, number: Fraction) -> bool:
    """Twenty-five, but neither ten two nor twenty nineteen."""
    return number % 100 == 0 or (unit < 10 and number % 10 == 0 and number % 100 != 10)


def _goes_on(tokens: list[tuple[str, int, int]], index: int, current: Fraction) -> bool:
    after = tokens[index + 1][0] if index + 1 < len(tokens) else ""
    before = tokens[index - 1][0]
    return before in ("hundred", "thousand", "million") and after in _SMALL and current % 100 == 0


def _glued(tokens: list[tuple[str, int, int]], index: int) -> bool:
    before = tokens[index - 1]
    return index > 0 and before[2] == tokens[index][1] and before[0][-1].isdecimal()


def _digits(word: str) -> Fraction:
    """
    >>> [str(_digits(t)) for t in ("5,379,475", "5.379.475", "12\\u202f000", "2,5", "7.25")]
    ['5379475', '5379475', '12000', '5/2', '29/4']
    """
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", word):
        return Fraction(word.replace(",", ""))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?", word):
        return Fraction(word.replace(".", "").replace(",", "."))
    return Fraction(re.sub(r"[\s'’]", "", word).replace(",", "."))


def _plain(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.12g}"


@cache
def _stem(word: str) -> str:
    return str(_stemmer().stem(word))


@cache
def _stemmer() -> Any:
    from nltk.stem.snowball import SnowballStemmer  # which `check` does not wait for at its start

    return SnowballStemmer("english")
