"""SRT, WebVTT, plain transcripts: each sentence with its second, without sounds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from uhhrag.documents.blocks import spoken
from uhhrag.documents.document import CLOCK, TIME, Document, Unreadable
from uhhrag.documents.plain.chats import hour_of
from uhhrag.documents.segmentation import Part, clean, decoded, in_order, split_sentences
from uhhrag.text.characters import text_lines
from uhhrag.text.fragments import is_ended

_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?"
_CUE = re.compile(rf"\s*({_TIME})\s*-->\s*({_TIME})")
_STAMP = re.compile(
    rf"\s*[(\[]?({_TIME})(?:\s+(?:-->|[-–](?=.*\w:\s))\s+{_TIME})?[)\]]?(?:\s*[-–|:]\s|\s+|$)"
)
_NOON = r"(?:\s?(?P<noon>[ap])\.?m\b\.?)?"
_HEADS = (
    rf"^[ \t]{{0,9}}\[?(?P<name>[^\W\d][^\n\[\]():<>@]{{0,60}}?(?<!,))\]?:?[ \t]{{0,9}}[ \t(\[\n]"
    rf"(?P<time>{_TIME}){_NOON}[)\]]?:?\s*\n",
    rf"^\[?(?P<time>{_TIME}){_NOON}\]?[ \t]{{1,9}}(?P<name>[^\W\d][^\n\[\]:<>@]{{0,60}})\n"
    r"(?=[^\s\d\[])",
    rf"^(?P<time>{_TIME})(?P<noon>)[ \t]{{1,9}}From[ \t]{{1,9}}(?P<name>\S[^\n:]{{0,60}}?)"
    r"[ \t]{1,9}(?:to[ \t]{1,9}\S[^\n:]{0,60})?:\s+",
)
_HEAD = [re.compile(one, re.MULTILINE | re.IGNORECASE) for one in _HEADS]
"""A speaker's name and the time, as Otter, Rev, Slack, Teams and Zoom write them."""
_BLOCK = re.compile(r"(?:NOTE|STYLE|REGION)\b")
_BETWEEN = re.compile(r"\n\s{0,4}\d+\s{0,4}\n(?=[ \t]*[\d:.,]+[ \t]*-->)|\n[ \t]*\n")
_VOICE = re.compile(r"<v(?:\.[^ >]*)?\s+([^>]{1,80})>|^\s*\[([^\[\]]{1,80})\]:\s")
_NEXT_VOICE = re.compile(r"(?<=\S)[ \t]*(?=<v[. ]|>>+ (?!\d))")
_TAG = re.compile(
    r"</?(?:[a-z]{1,4}|ruby|strong)(?:[.\s][^<>]{0,200})?/?>|<\d[\d:.]*>|\{\\[^{}]{0,200}\}",
    re.IGNORECASE,
)
_SOUND = re.compile(
    r"[♪♫][^♪♫]*[♪♫]+|[♪♫]+|^\W*\([^()]*\)$|^#[^#]+#$|\((?=[^()]{5})[^()a-z\d]*[A-Z][^()a-z\d]*\)"
    r"|\[(?=[^\[\]]{5})[^\[\]a-z\d]*[A-Z][^\[\]a-z\d]*\]|[\[(](?i:inaudible|unintelligible|crosstalk"
    r"|applause|music|laughter|pause|silence|(?:laugh|cough|cheer|clap|chuckl|sigh|sob)(?:e?s|ing))"
    r"[\])]"
)
"""Within a line, only capitals and some words in brackets are a sound."""
_APART = re.compile(r"(^\W*|[.!?…:\"”–—-]\s*)(?:\[[^\[\]]*\]\s*)+(?=$|[^\sa-zß-ÿ])")
_DASH = re.compile(r"^(?:[-–—]+(?!\d)|>>+)\s*(?=\S)")
_NAMED = "\u2060"
"""Follows a name that is marked as such; no reader sees this character."""
_PLAIN_NAME = re.compile(r"^([A-Z][\w.’'-]*(?:\s[A-Z][\w.’'-]*){0,3})\s?:\s")
_MOSTLY = 0.66
"""Share of cues that begin with a name, at least, if names are who speaks."""
_VOICE_NAME = re.compile(rf"[^{_NAMED}]{{1,80}}{_NAMED}:\s")
_SPEAKER = re.compile(rf"{_DASH.pattern}|{_VOICE_NAME.pattern}|{_PLAIN_NAME.pattern}")
_PAUSE = 3
"""Seconds between cues that end a paragraph."""
_ENDS = re.compile(r"[.!?…][\"”’)]*(?:\s|$)")
_WORDS = 30
"""Of a window where full stops are rare."""
_WINDOW_SECONDS = 60
"""Seconds of a window, at most, unless one line is longer."""
_MIN_LINES, _SHARE, _SOON = 3, 0.15, 60
"""Lines with a time, at least, and their share; latest first second unless all times have hours."""
_UNTIMED = -1
"""Start of what stands above all times."""


class _Cue(NamedTuple):
    start: int
    """In seconds, as the end."""
    end: int
    lines: tuple[str, ...]
    """One per speaker."""


def read_subtitles(path: Path) -> Iterator[Document | str]:
    content = decoded(path.read_bytes())
    cues = _cues(content.text)
    if not cues:
        raise Unreadable("has no cue with a time; is it SRT or WebVTT?")
    yield from transcript_document(cues)
    yield from filter(None, [content.fault])


def transcript(text: str) -> list[_Cue]:
    """Cues of a text whose lines begin with times, else []."""
    head, names = _head(text)
    if len({*names}) < len(names):  # unlike results of a race
        text = head.sub(lambda one: f"{_clock(one)} {one['name'].strip()}{_NAMED}: ", text)
    lines = [line for line in text_lines(text) if line.strip()]
    least = max(_MIN_LINES, _SHARE * len(lines))
    if sum(map(bool, map(_CUE.match, lines))) >= least:
        return _cues(text)
    found = [(match, line) for line in lines if (match := _STAMP.match(line))]
    times = [_seconds(match[1]) for match, _ in found]
    few = len(found) < least
    back = any(after < before for before, after in pairwise(times))
    if few or back or (times[0] > _SOON and not all(match[1].count(":") > 1 for match, _ in found)):
        return []
    cues: list[_Cue] = []
    for line in lines:
        match = _STAMP.match(line)
        said = line[match.end() :].strip() if match else line.strip()
        if match:
            start = _seconds(match[1])
            cues.append(_Cue(start, start + _PAUSE, (said,) if said else ()))
        elif cues:
            cues[-1] = cues[-1]._replace(lines=(*cues[-1].lines, said))
        else:
            cues.append(_Cue(_UNTIMED, -_PAUSE, (said,)))
    cues = [cue for cue in cues if cue.lines]
    firsts = [cue.lines[0] for cue in cues]
    spoken = any(is_ended(first) or first[0].islower() for first in firsts)
    listed = not spoken and len(" ".join(firsts).split()) < 3 * len(firsts)
    return [] if listed else cues  # unlike a timetable


def _head(text: str) -> tuple[re.Pattern[str], list[str]]:
    found = ((form, [match["name"] for match in form.finditer(text)]) for form in _HEAD)
    return max(found, key=lambda one: len(one[1]))


def _clock(head: re.Match[str]) -> str:
    hour, _, rest = head["time"].partition(":")
    return f"{hour_of(hour, head['noon'])}:{rest[:2]}:00" if head["noon"] else head["time"]


def has_clock(text: str) -> bool:
    """Whether times are of a day, without seconds ("2:05 PM")."""
    return any(match["noon"] for match in _head(text)[0].finditer(text))


def transcript_document(cues: Sequence[_Cue], *, clock: bool = False) -> Iterator[Document | str]:
    """With a clause if cut into windows; `clock`: times are of a day."""
    cues = _named(cues)
    text = " ".join(line for cue in cues for line in cue.lines)
    few = len(_ENDS.findall(text)) * 2 * _WORDS < len(text.split())
    found = in_order(map(_sentences, _parted(cues, windows=few)))
    if not found.lines:
        raise Unreadable("has no text")
    minutes = tuple(second // 60 + 1 for second in found.pages)
    timed = replace(found, unit=TIME)
    yield replace(found, unit=CLOCK, pages=minutes) if clock else timed
    if few:
        yield f"has hardly a full stop; it was cut into windows of some {_WORDS} words"


def _named(cues: Sequence[_Cue]) -> Sequence[_Cue]:
    """Marks names if most cues begin with one of a few, as in Zoom."""
    found = [match[1] for cue in cues if (match := _PLAIN_NAME.match(cue.lines[0]))]
    if len(found) < _MOSTLY * len(cues) or len({*found}) == len(found):
        return cues
    marked = rf"\1{_NAMED}: "
    lines = [[_PLAIN_NAME.sub(marked, line) for line in cue.lines] for cue in cues]
    return [cue._replace(lines=tuple(one)) for cue, one in zip(cues, lines, strict=True)]


def _sentences(part: Sequence[Part]) -> list[Part]:
    """Each behind its speaker's name, if marked."""
    found = split_sentences(part)
    voice = _VOICE_NAME.match(part[0][0])
    return spoken(found, f"{clean(voice[0])} " if voice else "")


def _said(cues: Sequence[_Cue]) -> Iterator[tuple[str, int, bool, bool, str]]:
    """Lines without dash and repeated name, seconds, whether another speaks, whether after a pause,
    speaker's name."""
    end, name = 0, ""
    for cue in cues:
        for at, line in enumerate(cue.lines):
            pause = not at and cue.start - end >= _PAUSE
            speaker, dash = _SPEAKER.match(line), _DASH.match(line)
            other = bool(speaker and (dash or speaker[0] != name))
            bare = line[speaker.end() :] if speaker and (dash or not (other or pause)) else line
            name = speaker[0] if speaker else "" if pause else name
            second = 0 if cue.start == _UNTIMED else max(1, cue.start)
            yield bare, second, other, pause, name
        end = cue.end


def _parted(cues: Sequence[_Cue], *, windows: bool) -> Iterator[list[Part]]:
    part: list[Part] = []
    words = 0
    for line, second, other, pause, name in _said(cues):
        late = windows and bool(part) and second - part[0][1] > _WINDOW_SECONDS
        if part and (other or late or (words >= _WORDS if windows else pause)):
            yield part
            part, words = [], 0
            if _VOICE_NAME.fullmatch(name) and not line.startswith(name):
                line = name + line
        part.append((line, second))
        words += len(line.split())
    if part:
        yield part


def _cues(text: str) -> list[_Cue]:
    before: tuple[str, ...] = ()
    cues: list[_Cue] = []
    note = True
    text = _NEXT_VOICE.sub("\n", text.replace("\r\n", "\n").replace("\r", "\n"))
    for block in _BETWEEN.split(text):
        lines = block.strip("\n").split("\n")
        at = next((n for n, line in enumerate(lines[:3]) if _CUE.match(line)), None)
        note = bool(_BLOCK.match(lines[0])) or (note and at is None)
        if note:
            continue
        shown = tuple(filter(None, map(_shown, lines if at is None else lines[at + 1 :])))
        new = shown[1:] if before and shown[:1] == before[-1:] else shown
        if before and new[:1] and new[0].startswith(f"{before[-1]} "):  # a line that grows
            new = (new[0].removeprefix(before[-1]).strip(), *new[1:])
        before = shown or before
        times = None if at is None else _CUE.match(lines[at])
        if times:
            cues.append(_Cue(_seconds(times[1]), _seconds(times[2]), new))
        elif cues:
            cues[-1] = cues[-1]._replace(lines=cues[-1].lines + new)
    return [cue for cue in cues if cue.lines]


def _shown(line: str) -> str:
    text = _TAG.sub("", _VOICE.sub(rf"\1\2{_NAMED}: ", line)).strip()
    return " ".join(unescape(_APART.sub(r"\1 ", _SOUND.sub(" ", text))).split())


def _seconds(time: str) -> int:
    second = 0
    for part in re.split("[.,]", time)[0].split(":"):
        second = 60 * second + int(part)
    return second
