"""Who speaks in a transcript without times: "MARSH: It is late. I regret it." """

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from uhhrag.documents.blocks import Block
from uhhrag.documents.segmentation import Part
from uhhrag.documents.whose_words import is_label
from uhhrag.text.fragments import is_ended

_TURN = re.compile(r"\s*(\w[\w.’'-]+(?: [\w.’'-]+){0,4}(?: \([^()]{1,40}\))?):\s+(?=\S)")
_LEAST, _SHARE, _MOST_NAMES = 3, 0.5, 2 / 3
"""Turns, at least; their share of paragraphs, at least; names' of turns, at most."""


def with_speakers(blocks: Iterable[Block]) -> list[Block]:
    """Paragraphs with `speaker`, a turn each, if most begin with one of a few names."""
    given = list(blocks)
    plain = [one for one in given if one.words.strip() and not (one.level or one.cells)]
    lines = [line for one in plain for line in _lines(one)]
    turns = [(name, line) for line, _ in lines if (name := _name(line))]
    names = {name for name, _ in turns}
    ended = sum(is_ended(line) for _, line in turns)
    few = len(turns) < max(_LEAST, _SHARE * len(plain)) or 2 * ended < len(turns)
    if few or not 1 < len(names) <= _MOST_NAMES * len(turns):
        return given
    return [turn for one in given for turn in _turns(one, names)]


def _lines(block: Block) -> tuple[Part, ...]:
    return ((block.text, block.page), *block.more)


def _name(line: str) -> str:
    found = _TURN.match(line)
    own = found is not None and found[1][0].isupper() and not is_label(f"{found[1]}:")
    return found[1] if found and own else ""


def _turns(block: Block, names: set[str]) -> Iterator[Block]:
    """A block, parted where another begins to speak."""
    held: list[list[Part]] = []
    if block.level or block.cells or not block.words.strip():
        yield block
        return
    for part in _lines(block):
        if held and _name(part[0]) not in names:
            held[-1].append(part)
        else:
            held.append([part])
    for (text, page), *more in held:
        name = _name(text)
        speaker = f"{name}: " if name in names and not _others(text, more, names) else ""
        yield replace(block, text=text, page=page, more=tuple(more), speaker=speaker)


def _others(text: str, more: Sequence[Part], names: set[str]) -> bool:
    """Whether another name stands within a turn, as of one that was not parted."""
    within = " ".join((text, *(line for line, _ in more)))
    return any(f" {name}: " in within for name in names)
