"""The mails of a mailbox (mbox)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import BinaryIO

_LARGEST = 64 * 2**20
"""Bytes of a mail; the rest is left out."""
_ESCAPED = re.compile(rb">+From ")
_FIELD, _TIME = re.compile(rb"[!-9;-~]+:|>From "), re.compile(rb"\d:\d\d")
_DELETED = re.compile(
    rb"^(?:X-Mozilla-Status:\s*[\da-f]{3}[89a-f]\b|X-Status:\s*\w*D)", re.IGNORECASE | re.MULTILINE
)
"""How Thunderbird and others mark a mail that they show no more."""


def is_deleted(mail: bytes) -> bool:
    head = re.split(rb"\r?\n\r?\n", mail[: 2**16], maxsplit=1)[0]
    return bool(_DELETED.search(head))


def messages(stream: BinaryIO) -> Iterator[bytes]:
    """Each mail begins with "From ", after a blank line and before a field; with a time, as the
    first mail does."""
    mail: list[bytes] = []
    begun = timed = False
    blank = True
    size = 0
    for line, following in pairwise(chain(stream, [b""])):
        begins = blank and line.startswith(b"From ")
        if begins and begun:  # a sentence may begin so too
            begins = bool(_FIELD.match(following) and (_TIME.search(line) or not timed))
        if begins:
            if begun:
                yield b"".join(mail)
            mail, size, begun, timed = [], 0, True, timed or bool(_TIME.search(line))
        elif begun and size < _LARGEST:
            mail.append(line[1:] if _ESCAPED.match(line) else line)
            size += len(line)
        blank = not line.strip()
    if begun:
        yield b"".join(mail)
