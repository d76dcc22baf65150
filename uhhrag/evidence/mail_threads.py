"""What may deny a quoted mail: mails above, which reply to it, and answers below."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from uhhrag.records import Page
from uhhrag.text.repetition import content_words

_MAX_REPLY_CHARS = 200
"""Characters that are read of a reply."""
_NEAREST = 3
"""Replies that are read besides the newest mail's."""
_HEADER = re.compile(r"(?:From|To|Cc|Sent|Date|Subject): ")
DENIAL = "Jo Park denies what Ann Lee wrote."
"""Read with each reply. The names are always the same, so that only the words count."""


def replies_to(page: Page, found: Sequence[int]) -> tuple[str, ...]:
    """Found lines of a quoted mail with a known sender, with each reply; or empty."""
    if found[0] not in page.mails:
        return ()
    runs = groupby(range(len(page.lines)), key=page.quoted_at)
    parts = [(whose, list(part)) for whose, part in runs]
    own = next(at for at, (_, part) in enumerate(parts) if found[0] in part)
    above = {None, *(whose for whose, _ in parts[:own])}  # who also writes below, answers there
    below = [part for part in parts[own + 1 :] if part[0] in above]
    read = [*parts[:own], *below[:1], *below[1:][-1:]]
    others = [part for whose, part in read if whose != parts[own][0]]
    said = " ".join(page.lines[line] for line in sorted(found))
    replies = (_reply(page, part, said) for part in (*others[:1], *others[1:][-_NEAREST:]))
    return tuple(
        f'Ann Lee wrote: "{said}" Jo Park replied: » {reply} «' for reply in replies if reply
    )


def _reply(page: Page, part: Iterable[int], said: str) -> str:
    """How it begins, and what of it speaks of the same, each with the line after."""
    texts = [text for text in map(page.lines.__getitem__, part) if not _HEADER.match(text)]
    words = content_words(said)
    told = (at for at, text in enumerate(texts) if words & content_words(text))
    wanted = dict.fromkeys([0, 1, *(n for at in told for n in (at, at + 1))])
    kept, room = set[int](), _MAX_REPLY_CHARS
    for at in wanted:
        if at < len(texts) and (not kept or len(texts[at]) <= room):
            kept.add(at)
            room -= len(texts[at])
    return " ".join(texts[at] for at in sorted(kept))
