"""What a cell of a spreadsheet shows: its number as a date, a share or an amount of money.

A spreadsheet keeps dates and shares as bare numbers, and their look in a code ("0.0%",
"d mmm yyyy"). Left out: rounding, so that a number is as exact as it was typed.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from uhhrag.text.dates import written

_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
"""Codes of every spreadsheet that show a date or a time, by their numbers."""
_TIMES = {18, 19, 20, 21, 45, 46, 47}
_SHARES = {9, 10}
_GROUPED = {3, 4, *range(37, 45)}
"""Codes that part the thousands."""
# What of a code is text: quoted, escaped, padding; and colours, conditions, locales.
_TEXT = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!\$|h|m|s)[^\]]*\]', re.IGNORECASE)
_MONEY = re.compile(r"\[\$([^\]-]{1,5})(?:-[^\]]*)?\]|([$€£¥])")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def code_of(number: int, codes: dict[int, str]) -> str:
    """The code of a number format in short: "date", "time", "month", "%", a currency, "," where it
    parts the thousands, else "". `codes` are those of the file itself, by their numbers.

    >>> code_of(14, {}), code_of(9, {}), code_of(165, {165: "[$€-407] #,##0"}), code_of(0, {})
    ('date', '%', '€', '')
    """
    if number not in codes:
        if number in _DATES:
            return "time" if number in _TIMES else "month" if number == 17 else "date"
        return "%" if number in _SHARES else "," if number in _GROUPED else ""
    code = codes[number].partition(";")[0]
    money = _MONEY.search(code)
    bare = _TEXT.sub("", _MONEY.sub("", code)).lower()
    if re.search(r"[dyhs]|mmm", bare) and "0" not in bare.replace("ss.0", ""):
        if not re.search(r"[dy]|mmm", bare):
            return "time"
        return "date" if "d" in bare else "month"
    if "%" in bare:
        return "%"
    symbol = next(filter(None, money.groups()), "").strip() if money else ""
    return symbol or ("," if ",##" in bare else "")


def shown(value: str, code: str, *, from_1904: bool = False) -> str:
    """A number of a cell as people read it; what is no number, unchanged.

    >>> shown("43588", "date"), shown("0.255", "%"), shown("18300.000000000001", "€")
    ('3 May 2019', '25.5%', '€18,300')
    """
    try:
        number = float(value)
        if code in ("date", "time", "month"):
            return _moment(number, code, from_1904=from_1904)
        if code == "%":
            return f"{_plain(number * 100)}%"
        sign, symbol = "-" if number < 0 else "", code.strip(",")
        size = _plain(abs(number))
        return f"{sign}{symbol}{_parted(size) if code else size}"
    except (ValueError, OverflowError):
        return value


def _plain(number: float) -> str:
    """With the fifteen digits that a spreadsheet keeps, and no exponent where it is short."""
    whole = number == int(number) and abs(number) < 1e15
    return str(int(number)) if whole else f"{number:.15g}"


def _parted(number: str) -> str:
    """
    >>> _parted("18300.25"), _parted("1e+20")
    ('18,300.25', '1e+20')
    """
    whole, point, rest = number.partition(".")
    return f"{int(whole):,}{point}{rest}" if whole.isdigit() else number


def _moment(number: float, code: str, *, from_1904: bool) -> str:
    first = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)
    moment = first + timedelta(seconds=round(number * 86_400))
    clock = f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"
    if code == "time" or number < 1:
        return clock
    if code == "month":
        return written(f"{moment.year:04}-{moment.month:02}")
    day = written(moment.date().isoformat())
    return day if number == int(number) else f"{day} {clock}"


def unescaped(text: str) -> str:
    """A text of the file, in which characters that XML cannot hold are written `_x000D_`.

    >>> unescaped("a_x0020_b")
    'a b'
    """
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
