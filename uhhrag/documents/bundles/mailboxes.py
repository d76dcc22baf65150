from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import BinaryIO

_MAX_MAIL_BYTES = 64 * 2**20
"""Bytes of a mail; more is dropped."""
_ESCAPED = re.compile(rb">+From ")
_FIELD, _TIME = re.compile(rb"[!-9;-~]+:|>From "), re.compile(rb"\d:\d\d")
_DELETED = re.compile(
    rb"^(?:X-Mozilla-Status:\s*[\da-f]{3}[89a-f]\b|X-Status:\s*\w*D"
    rb"|X-Gmail-Labels:(?:[^\n]|\n[ \t])*[:,]\s*Trash\s*(?:,|$))",
    re.IGNORECASE | re.MULTILINE,
)
"""As Thunderbird, Google Takeout and others mark it."""


def is_deleted(mail: bytes) -> bool:
    head = re.split(rb"\r?\n\r?\n", mail[: 2**16], maxsplit=1)[0]
    return bool(_DELETED.search(head))


def messages(stream: BinaryIO) -> Iterator[bytes]:
    """Each begins with "From " between a blank line and a field; with a time, if an earlier one
    has."""
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
        elif begun and size < _MAX_MAIL_BYTES:
            mail.append(line[1:] if _ESCAPED.match(line) else line)
            size += len(line)
        blank = not line.strip()
    if begun:
        yield b"".join(mail)
