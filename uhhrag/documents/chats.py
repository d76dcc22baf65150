"""Chats: messages with day, minute and writer; a document a day."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date

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
    r"(?: and calls)?) are (?:now )?(?:secured with )?end-to-end encrypt.*)\.?$",
    re.IGNORECASE,
)
"""What the program says, not who writes."""
_LEAST, _SHARE = 3, 0.15
"""Messages, at least, and their share of the lines."""


def chat_documents(text: str) -> Iterator[Document]:
    """The days of a text whose lines begin with day, time and writer, each with its date, which is
    also its heading; none for another text."""
    lines = text_lines(text)
    found = [*map(_CHAT.match, lines)]
    told = [said[0] for moment in found if moment and (said := moment["said"].split(": "))[1:]]
    if len(told) < max(_LEAST, _SHARE * len(lines), 1 + len({*told})):  # unlike an agenda
        return
    moments = [moment for moment in found if moment]
    days = _days([moment["day"] for moment in moments])
    by_day: dict[str, list[Block]] = {}
    day, minute, name = days[moments[0]["day"]], 1, ""
    for line, moment in zip(lines, found, strict=True):
        said = moment["said"].replace("\u200e", "") if moment else name + line
        if moment:
            day = days[moment["day"]]
            minute = minute_of_day(moment["hour"], moment["minute"], moment["noon"])
            writer, colon, _ = said.partition(": ")
            name = f"{writer}: " if colon else ""
        blocks = by_day.setdefault(day, [Block(written(day), minute, level=1)])
        text = _NOTICE.sub("", said)
        blocks.append(Block("" if text.strip() == name.strip() else text, minute, speaker=name))
    for day, blocks in by_day.items():
        if any(block.words.strip() for block in blocks[1:]):
            yield document_of(blocks, unit=CLOCK, date=iso_date(day), key=day)


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
    """Days of a chat as ISO 8601; as given if day and month cannot be told apart."""
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
