"""Chats: a document per day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from uhhrag.documents.blocks import Block, document_of
from uhhrag.documents.document import CLOCK, Document
from uhhrag.text.characters import text_lines
from uhhrag.text.dates import iso_date, written

_CHAT = re.compile(
    r"[\u200e\ufeff]*\[?(?P<day>\d{1,4}([./-])\d{1,2}\2\d{2,4}),? (?P<hour>\d{1,2})[:.]"
    r"(?P<minute>\d{2})(?:[:.]\d{2})?(?:\s?(?P<noon>[ap])\.?m\b\.?)?(?:\]| [-–]) "
    r"(?!(?-i:DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL)\b)(?P<said>.*)",
    re.IGNORECASE,
)
"""A line of a chat, as WhatsApp writes it, not of a program's log."""
_NOTICE = re.compile(
    r"\s*<This message was edited>|(?:^[^:]{1,60}: )?(?:\S+ \(file attached\)|null|This message was"
    r" deleted|(?:image|video|audio|sticker|GIF|document|contact card) omitted|<(?:Media omitted"
    r"|attached: [^<>]*)>|Missed (?:voice|video) call|Messages (?:and calls|to this (?:chat|group)"
    r"(?: and calls)?) are (?:now )?(?:secured with )?end-to-end encrypt.*|=+|Exported \d+ message"
    r"\(s\)|\{(?:Attachments|Embed|Reactions|Stickers)\})\.?$",
    re.IGNORECASE,
)
"""What the program says, not who writes."""
_PINNED = re.compile(r" \(pinned\)$")
_MIN_MESSAGES, _SHARE = 3, 0.15
"""Messages, at least, and their share of the lines."""


class Message(NamedTuple):
    day: str
    minute: int
    """From 1."""
    name: str
    """With a colon, or ""."""
    block: Block


def chat_documents(text: str) -> Iterator[Document | str]:
    """Days of a text whose lines begin with day, time, writer, each headed by its date, and a
    clause if dates are ambiguous; nothing for other text."""
    lines = _lines(text)
    found = [*map(_CHAT.match, lines)]
    told = [said[0] for moment in found if moment and (said := moment["said"].split(": "))[1:]]
    filled = sum(bool(line.strip()) for line in lines)
    if len(told) < max(_MIN_MESSAGES, _SHARE * filled, 1 + len({*told})):  # unlike an agenda
        return
    days = _days([moment["day"] for moment in found if moment])
    yield from by_day(_messages(lines, found, days))
    unknown = next((day for day in days.values() if not iso_date(day)), "")
    if unknown:
        yield f"does not tell the order of day and month in {unknown}, so its days have no dates"


def by_day(messages: Iterable[Message]) -> Iterator[Document]:
    days: dict[str, list[Block]] = {}
    for day, minute, name, block in messages:
        blocks = days.setdefault(day, [Block(written(day), minute, level=1)])
        shown = name if block.text.startswith(name) else ""
        blocks.append(replace(block, page=minute, speaker=shown))
    for day, blocks in days.items():
        if any(block.words.strip() for block in blocks[1:]):
            yield document_of(blocks, unit=CLOCK, date=iso_date(day), key=day)


def _messages(
    lines: Sequence[str], found: Sequence[re.Match[str] | None], days: Mapping[str, str]
) -> Iterator[Message]:
    day, minute, name = next(iter(days.values())), 1, ""
    for line, moment in zip(lines, found, strict=True):
        said = moment["said"].replace("\u200e", "") if moment else name + line
        if moment:
            day = days[moment["day"]]
            minute = minute_of_day(moment["hour"], moment["minute"], moment["noon"])
            writer, colon, _ = said.partition(": ")
            name = f"{writer}: " if colon else ""
        text = _NOTICE.sub("", said)
        bare = text.strip() == name.strip()
        yield Message(day, minute, name, Block("" if bare else text))


def _lines(text: str) -> list[str]:
    """Adds a colon to names alone beside the time, as in Discord."""
    lines = text_lines(text)
    heads = {at: line for at, line in enumerate(lines) if _CHAT.match(line)}
    below = (lines[at + 1].strip() if at + 1 < len(lines) else "" for at in heads)
    apart = all(below) and not any(at + 1 in heads for at in heads)
    if not apart or any(": " in line for line in heads.values()):
        return lines
    named = {at: f"{_PINNED.sub('', line)}: " for at, line in heads.items()}
    return [named.get(at, line) for at, line in enumerate(lines)]


def hour_of(hour: str, noon: str | None) -> int:
    """
    >>> hour_of("12", "a"), hour_of("2", "P"), hour_of("14", None)
    (0, 14, 14)
    """
    return int(hour) % (12 if noon else 24) + 12 * ((noon or "").lower() == "p")


def minute_of_day(hour: str, minute: str, noon: str | None = None) -> int:
    """From 1.

    >>> minute_of_day("12", "05", "a"), minute_of_day("2", "05", "P")
    (6, 846)
    """
    return 60 * hour_of(hour, noon) + int(minute) + 1


def _days(given: Sequence[str]) -> dict[str, str]:
    """ISO 8601; as given if day and month cannot be told apart."""
    orders = [(0, 1, 2)] if re.match(r"\d{4}", given[0]) else [(2, 1, 0), (2, 0, 1)]
    parts = [[*map(int, re.split(r"\D", day))] for day in given]
    fitting: list[list[date]] = []
    for year, month, day in orders[: 1 if "." in given[0] else 2]:
        with suppress(ValueError):
            made = [
                date(one[year] + 2000 * (one[year] < 100), one[month], one[day]) for one in parts
            ]
            fitting += [made] if made == sorted(made) else []
    known = len(fitting) == 1
    return {day: fitting[0][at].isoformat() if known else day for at, day in enumerate(given)}
