"""Numbers as cells show them, but dates written out (03/05 is ambiguous), fractions ("# ?/?") as
decimals."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from itertools import takewhile
from operator import eq, ge, gt, le, lt, ne
from typing import NamedTuple

from uhhrag.text.dates import written

_TOKEN = re.compile(
    r'"(?P<text>[^"]*)"?|\\(?P<char>.)|_.|\*.|\[\$(?P<money>[^\]-]*)[^\]]*\]|'
    r"\[(?P<elapsed>h+|m+|s+)\]|\[(?P<test>[<>=]+-?[\d.]+)\]|\[[^\]]*\]|"
    r"(?P<noon>am/pm|a/p)|(?P<general>general)|(?P<moment>y+|m+|d+|h+|s+|e(?![+-]))|"
    r"(?P<power>e[+-])|(?P<digits>[0#?]+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_RED = re.compile(r";\[(?:red|color ?\d+)\]", re.IGNORECASE)
_MOST_DIGITS = 30
_SECONDS = {"h": 3600, "m": 60, "s": 1}
_TESTS = {"<": lt, ">": gt, "=": eq, "<=": le, ">=": ge, "<>": ne}


class _Part(NamedTuple):
    kind: str
    text: str


_Section = tuple[_Part, ...]
_NEXT, _TEXT, _MINUS = _Part("other", ";"), _Part("other", "@"), _Part("text", "-")


@lru_cache(maxsize=1024)
def _sections(code: str) -> tuple[_Section, ...]:
    """Positive, negative, zero, text."""
    sections: list[_Section] = [()]
    for token in _TOKEN.finditer(code[:300]):
        kind = token.lastgroup or ""
        part = _Part("text" if kind in ("char", "money") else kind, token[kind or 0])
        if part == _NEXT:
            sections.append(())
        elif kind:
            sections[-1] += (part,)
    if sections[1:2] == sections[:1] and _RED.search(code):  # the colour is the sign
        sections[1] = (_MINUS, *sections[1])
    return tuple(sections[:4])


def shown(number: float, code: str, *, from_1904: bool = False) -> str:
    """`plain(number)` if the format is not understood."""
    if code in ("General", "", "@"):
        return plain(number)
    try:
        parts, value = _chosen(number, _sections(code))
        if any(part.kind in ("moment", "elapsed") for part in parts):
            return _moment(number, parts, from_1904=from_1904)
        return _number(value, parts)
    except (ValueError, OverflowError, InvalidOperation):
        return plain(number)


def shown_text(text: str, code: str) -> str:
    if code in ("General", "", "@"):
        return text
    sections = _sections(code)
    parts = next((one for one in sections if _TEXT in one), sections[-1])
    if _TEXT not in parts and len(sections) < 4:
        return text
    return "".join(text if part == _TEXT else part.text for part in parts)


def _chosen(number: float, sections: tuple[_Section, ...]) -> tuple[_Section, float]:
    tested = [(parts, part.text) for parts in sections for part in parts if part.kind == "test"]
    if tested:
        fits = (parts for parts, test in tested if _holds(number, test))
        rest = [parts for parts in sections if not any(part.kind == "test" for part in parts)]
        return next(fits, rest[0] if rest else sections[-1]), number
    if number < 0 and len(sections) > 1:
        return sections[1], -number
    if number == 0 and len(sections) > 2:
        return sections[2], number
    return sections[0], number


def _holds(number: float, test: str) -> bool:
    sign = test.rstrip("-.0123456789")
    bound = float(test[len(sign) :])
    return bool(_TESTS[sign](number, bound))


def plain(number: float) -> str:
    """15 significant digits, as spreadsheets keep."""
    return str(number) if isinstance(number, int) else f"{number + 0.0:.15g}"  # without "-0"


def _number(number: float, parts: _Section) -> str:
    places = [at for at, part in enumerate(parts) if part.kind in ("digits", "general")]
    if not places:
        return plain(number) if _TEXT in parts else _texts(parts)
    if _Part("other", "/") in parts:
        return plain(number)
    first, last = places[0], places[-1]
    while last + 1 < len(parts) and parts[last + 1].text == ",":
        last += 1
    before = _texts(parts[:first])
    after = _texts(parts[last + 1 :])
    scaled = Decimal(repr(number)) * 100 ** parts.count(_Part("other", "%"))
    figure = _figure(scaled, parts[first : last + 1])
    sign = "-" if scaled < 0 and re.search(r"[1-9]", figure) else ""
    return f"{sign}{before}{figure}{after}".strip()


def _texts(parts: _Section) -> str:
    return "".join(part.text for part in parts if part.kind != "test")


def _figure(number: Decimal, parts: _Section) -> str:
    if any(part.kind == "general" for part in parts):
        return plain(abs(float(number)))
    pattern = "".join(part.text for part in parts if part.kind in ("digits", "power", "other"))
    body = re.sub(r",+(?=\.|$)", "", pattern)  # each of these commas divides by a thousand
    number = abs(number) / 1000 ** (len(pattern) - len(body))
    mantissa, *power = re.split("[eE]", body, maxsplit=1)
    whole, _, rest = mantissa.partition(".")
    least, most = rest.count("0"), min(len(re.sub(r"[^0#?]", "", rest)), _MOST_DIGITS)
    if power:
        return f"{float(number):.{most}E}"
    exact = number.quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP)
    digits, _, decimals = f"{exact:f}".partition(".")
    decimals = decimals[:least] + decimals[least:].rstrip("0")
    padded = digits.zfill(whole.count("0"))
    grouped = f"{int(padded):,}" if "," in whole else _set_in(padded, parts)
    if "0" not in whole and digits == "0":
        grouped = ""
    return f"{grouped}.{decimals}" if decimals else grouped


def _set_in(digits: str, parts: _Section) -> str:
    """Digits among signs between their places, as in `0"h "00"m"`."""
    shown = ""
    for part in reversed([*takewhile(_Part("other", ".").__ne__, parts)]):
        size = len(part.text) if part.kind == "digits" else 0
        shown = (digits[-size:] if size else part.text.strip(",")) + shown
        digits = digits[: len(digits) - size] if size < len(digits) else ""
    return digits + shown


def _moment(number: float, parts: _Section, *, from_1904: bool) -> str:
    seconds = _seconds(parts)
    if seconds or any(part.kind == "elapsed" for part in parts):
        return _clock(number, parts, len(seconds[1] or "") if seconds else 0)
    first = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)
    early = not from_1904 and 1 <= number < 60  # spreadsheets have a 29 February 1900
    moment = first + timedelta(days=early, seconds=round(number * 86_400))
    letters = [part.text.lower() for part in parts if part.kind == "moment"]
    clock = [one for one in letters if one[0] in "hs"]
    time = (f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}") if clock else ""
    days = [one for at, one in enumerate(letters) if not _is_minute(letters, at)]
    day = _day(moment, days) if number >= 1 or from_1904 else ""  # of a blank cell
    return " ".join(filter(None, (day, time)))


def _seconds(parts: _Section) -> re.Match[str] | None:
    """Matches "mm:ss.0"; group 1: decimals."""
    shape = "".join(part.text.lower() for part in parts)
    return re.fullmatch(r"(?:h{1,2}:)?(?:m{1,2}:)?s{1,2}(?:\.(0{1,3}))?", shape)


def _clock(number: float, parts: _Section, places: int) -> str:
    total = round(abs(number) * 86_400, places)
    figures = []
    for part in parts:
        if part.kind in ("elapsed", "moment") and (unit := _SECONDS.get(part.text[0].lower())):
            count, decimals = (total // unit, 0) if unit > 1 else (total, places)
            width = len(part.text)
            if part.kind == "moment":
                count, width = count % (24 if unit == 3600 else 60), 2
            figures.append(f"{count:0{width + bool(decimals) + decimals}.{decimals}f}")
    return "-" * (number < 0) + ":".join(figures)


def _is_minute(letters: list[str], at: int) -> bool:
    """Whether it means hours, seconds, or minutes beside them."""
    after_hours = letters[max(0, at - 1)][0] == "h"
    before_seconds = letters[min(at + 1, len(letters) - 1)][0] == "s"
    of_clock = letters[at] in ("m", "mm") and (after_hours or before_seconds)
    return letters[at][0] in "hs" or of_clock


def _day(moment: datetime, letters: list[str]) -> str:
    year, month = any(one[0] in "ye" for one in letters), any(one[0] == "m" for one in letters)
    day = any(one in ("d", "dd") for one in letters)
    if year and month:
        iso = moment.date().isoformat()
        return written(iso if day else iso[:7])
    name = written(f"2000-{moment.month:02}").split()[0] if month else ""
    week_day = f"{moment:%A}" if any(len(one) > 2 and one[0] == "d" for one in letters) else ""
    pieces = (week_day, str(moment.day) if day else "", name, f"{moment.year}" if year else "")
    return " ".join(filter(None, pieces))
