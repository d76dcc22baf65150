"""iCalendar events (RFC 5545), a line each."""

from __future__ import annotations

import re
from datetime import date, timedelta

from uhhrag.text.dates import written

_EVENT = re.compile(r"^BEGIN:VEVENT\s(.*?)^END:VEVENT", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_WITHIN = re.compile(r"^BEGIN:(\w+)\s.*?^END:\1\s", re.MULTILINE | re.DOTALL | re.IGNORECASE)
"""Within events, such as alarms."""
_FIELD = re.compile(r"^([\w-]+)((?:;(?:\"[^\"]*\"|[^\":;\n])*)*):(.*)", re.MULTILINE)
_CANCELLED = re.compile(r"^(?:METHOD:CANCEL|STATUS:CANCELLED)\b", re.MULTILINE | re.IGNORECASE)
_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
_SHOWN = {"SUMMARY": "Event", "DTSTART": "Start", "DTEND": "End", "LOCATION": "Place"}


def event_lines(text: str) -> list[tuple[str, str]]:
    unfolded = re.sub(r"\r?\n[ \t]", "", text)
    all_off = bool(_CANCELLED.search(_EVENT.sub("", unfolded)))
    lines = (_line(event, all_off) for event in _EVENT.findall(unfolded))
    return list(dict.fromkeys(line for line in lines if line[0]))


def _line(event: str, off: bool) -> tuple[str, str]:
    found = reversed(_FIELD.findall(_WITHIN.sub("", event)))
    fields = {name.upper(): _value(name.upper(), *rest) for name, *rest in found}
    shown = [f"{called}: {fields[name]}" for name, called in _SHOWN.items() if fields.get(name)]
    off = off or bool(_CANCELLED.search(event))
    line = "; ".join(["Cancelled"] * (off and bool(shown)) + shown)
    return line, fields.get("DESCRIPTION", "")


def _value(name: str, about: str, value: str) -> str:
    """DTEND of whole days becomes the last day."""
    moment = _MOMENT.fullmatch(value.strip())
    if moment is None:
        return re.sub(r"\\(.)", lambda sign: " " if sign[1] in "nN" else sign[1], value).strip()
    year, month, day, hour, minute, utc = moment.groups()
    try:
        start = date(int(year), int(month), int(day))
        start -= timedelta(days=name == "DTEND" and not hour)
    except (ValueError, OverflowError):
        return value
    if not hour:
        return written(start.isoformat())
    zone = re.search(r"TZID=\"?([^\";]+)", about)
    where = " UTC" if utc else f" ({zone[1]})" if zone else ""
    return f"{written(start.isoformat())} {hour}:{minute}{where}"
