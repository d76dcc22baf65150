"""Mails printed or saved as another file type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise

from uhhrag.documents.blocks import Block
from uhhrag.documents.plain.mail_lines import MailLine, text_lines_of
from uhhrag.documents.plain.mail_quotes import CLOCK, DAY, headers_at, quoted_blocks
from uhhrag.documents.plain.text_tables import text_blocks

_OPENING = 12
"""Lines that may stand above a mail's headers."""
_SENT = re.compile(r"[^<>@:]{1,80}<[^\s<>@]{1,80}@[^\s<>]{1,80}>(?P<when>.{1,200})", re.DOTALL)
"""Sender and time of a mail in a thread that a browser printed."""


def printed_mail(blocks: Iterable[Block]) -> list[Block]:
    """Marks quotes if the first blocks show a printed mail."""
    given = list(blocks)
    lines = [MailLine(one.words.strip(), int(one.quoted is not None), one) for one in given]
    return _printed(lines) or given


def printed_mail_of(lines: Sequence[str]) -> list[Block]:
    return _printed(text_lines_of(lines)) or list(text_blocks(lines))


def _printed(lines: Sequence[MailLine]) -> list[Block]:
    """Empty if no mail."""
    tops = (at + headers_at(lines, at)[0] for at in range(min(len(lines), _OPENING)))
    known = ((at, end) for at, end in enumerate(tops) if end > at or _is_sent(lines[at]))
    top, own = next(known, (0, -1))
    if own < 0:
        return []
    mails = [own, *(at for at in range(own, len(lines)) if _is_sent(lines[at])), len(lines)]
    parts = (quoted_blocks(lines[start:end]) for start, end in pairwise(mails))
    above = [line.block for line in lines[:top] if line.block]
    above = above or [*text_blocks([line.text for line in lines[:top]])]
    head = [line.block or Block(line.text) for line in lines[top:own] if line.block or line.text]
    return [*above, *head, *chain.from_iterable(parts)]


def _is_sent(line: MailLine) -> bool:
    found = _SENT.match(line.text)
    when = found["when"].strip() if found else ""
    return bool(CLOCK.search(when) and DAY.search(when)) and not when.endswith(":")
