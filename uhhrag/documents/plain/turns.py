"""Speakers in transcripts without times: "MARSH: It is late.", "[10:02] <ann> No.", or a name alone
above."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from uhhrag.documents.blocks import Block
from uhhrag.documents.segmentation import Part
from uhhrag.documents.whose_words import is_label
from uhhrag.text.fragments import is_ended, is_heading

_TURN = re.compile(
    r"\s*(?:(\w[\w.’'-]+(?: [\w.’'-]+){0,4}(?: \([^()]{1,40}\))?):"
    r"|(?:\[?(?:\d{4}-\d\d-\d\d )?\d\d?:\d\d(?::\d\d)?\]?\s+)(<[ @+%&~]?[^\s<>@]{1,30}>)"
    r"|(\[[^\W\d_][\w.’' -]{1,40}\]))\s+(?=\S)"
)
_NAME = re.compile(
    r"(?:[^\W\d_][\w.’'-]*|\([^()]{1,40}\))(?:,? (?:[^\W\d_][\w.’'-]*|\([^()]{1,40}\))){0,5}"
)
_TIMED = re.compile(rf"({_NAME.pattern}):?\s?[(\[](?:\d{{1,2}}:)?\d{{1,2}}:\d\d[)\]]:?")
"""As Rev writes it on a web page."""
_MIN_TURNS, _SHARE, _MOST_NAMES = 3, 0.5, 2 / 3
"""Turns, at least; their share of paragraphs, at least; names' of turns, at most."""
_LEAST_NAMED, _SHARE_NAMED, _MAX_HEADING_CHARS = 2, 1 / 8, 60
"""Lines of a name alone, at least; their share of paragraphs, at least; characters of a heading."""


def with_speakers(blocks: Iterable[Block]) -> list[Block]:
    """A turn each, with `speaker`, if most begin with one of a few names or stand below it."""
    given = list(blocks)
    plain = [one for one in given if one.words.strip() and not (one.level or one.cells)]
    lines = [line for one in plain for line in _lines(one)]
    turns = [(name, line) for line, _ in lines if (name := _name(line))]
    names = {name for name, _ in turns}
    ended = sum(is_ended(line) or name[0] in "<[" for name, line in turns)
    few = len(turns) < max(_MIN_TURNS, _SHARE * len(plain)) or 2 * ended < len(turns)
    if few or not 1 < len(names) <= _MOST_NAMES * len(turns):
        return [*_below_names(given, plain)]
    return [turn for one in given for turn in _turns(one, names)]


def _lines(block: Block) -> tuple[Part, ...]:
    return ((block.text, block.page), *block.more)


def _name(line: str) -> str:
    """Of a chat with its signs: "<ann>", "[Ann]"."""
    found = _TURN.match(line)
    marked = found and (found[2] or found[3])
    own = found and (marked or (found[1][0].isupper() and not is_label(f"{found[1]}:")))
    return (marked or found[1]) if found and own else ""


def _below_names(given: Sequence[Block], plain: Sequence[Block]) -> Iterator[Block]:
    """Puts lines that are a name, perhaps with a time, before the text below, if two names recur. A
    line like a heading ends a turn; the last has one paragraph."""

    def named(text: str) -> str:
        timed = _TIMED.fullmatch(text)
        name = timed[1] if timed else text
        return name if _is_name(name) else ""

    texts = [one.words.strip() for one in plain if not one.words.lstrip().startswith("(")]
    every = Counter(map(named, texts))
    found = Counter(name for a, below in pairwise(texts) if (name := named(a)) and is_ended(below))
    names = {name for name, times in found.items() if times == every[name]}
    recur = sum(found[name] >= _LEAST_NAMED for name in names)
    if recur < _LEAST_NAMED or found.total() < _SHARE_NAMED * len(plain):
        yield from given
        return
    last = max(at for at, one in enumerate(given) if named(one.words.strip()) in names)
    name, begun = "", False
    for at, block in enumerate(given):
        text = block.words.strip()
        short = len(text) <= _MAX_HEADING_CHARS and not is_ended(text) and is_heading(text, least=1)
        other = block.level or block.cells or short or text.startswith(("(", "["))
        if named(text) in names and not (block.level or block.cells):
            name, begun = named(text), True
        elif not name or other or not text:
            name = name if not text or (begun and text.startswith("(")) else ""  # a party
            yield block
        else:
            shown, begun = f"{name}: ", False
            yield replace(block, text=shown + block.text.lstrip(), speaker=shown)
            name = "" if at > last else name


def _is_name(text: str) -> bool:
    plain = _NAME.fullmatch(text) and not is_label(text)
    words = re.sub(r"\([^()]*\)|\b(?:for|of|the|and|d[aeiu]|van|von)\b", "", text).split()
    return bool(plain and words) and all(one[0].isupper() for one in (text, *words))


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
        shown = f"{name} " if name[:1] in ("<", "[") else f"{name}: "
        within = " ".join((text, *(line for line, _ in more)))  # also of others, not parted
        alone = name in names and not any(f" {one}: " in within for one in names)
        speaker = shown if alone else ""
        yield replace(block, text=text, page=page, more=tuple(more), speaker=speaker)
