"""A knowledge store: a folder or zip with `<position>.json` per claim, or one `.jsonl`. A file is
JSON lines or a list of pages with `url`, `url2text` and fields of `Page` (`pages` are its
`numbers`); others are ignored, such as `type` and `query`, which give gold answers away. Invalid
UTF-8 and lone surrogates become U+FFFD; the page counts as mended. A record that is no page or
exceeds 64 MiB is skipped and reported."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import orjson
from msgspec import Meta

from uhhrag.errors import InputError
from uhhrag.records import Page, Passage
from uhhrag.store.claim_files import open_claim_file
from uhhrag.store.passages import filled_lines, urls_of
from uhhrag.system.decode import shaped
from uhhrag.text.characters import repaired
from uhhrag.text.dates import OF_DOCUMENT
from uhhrag.text.language import OTHER_LANGUAGES

_RECORD_LIMIT = 64 * 2**20
_LIST_LIMIT = 2**30
_METADATA = ("title", "author", "date", "site", "file", "dated_by", "language", "unit", "note")
_PageNumbers = tuple[Annotated[int, Meta(gt=0, lt=2**31)], ...]
_Confidences = tuple[Annotated[int, Meta(ge=0, le=100)] | None, ...]
_Lines = tuple[Annotated[int, Meta(ge=0)], ...]
_NamedLines = tuple[tuple[Annotated[int, Meta(ge=0)], str], ...]
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Skipped:
    place: str
    """file and line, from 1"""
    why: str


def read(store: Path, claim_id: int) -> Iterator[Passage]:
    """The filled lines in order; raises as `pages`."""
    for page in pages(store, claim_id):
        if isinstance(page, Page):
            yield from (Passage(line, urls_of(page)) for line in filled_lines(page))


def pages(store: Path, claim_id: int) -> Iterator[Page | Skipped]:
    """Raises InputError if no page can be read."""
    with open_claim_file(store, claim_id) as (stream, name):
        yield from pages_in(stream, name, store, claim_id)


def pages_in(
    stream: io.BufferedReader[Any], name: str, store: Path, claim_id: int
) -> Iterator[Page | Skipped]:
    """As `pages`; `name` is for messages."""
    first_fault: Skipped | None = None
    readable = False
    for place, record in _records(stream, name):
        page = _page(record, place)
        readable = readable or isinstance(page, Page)
        if first_fault is None and isinstance(page, Skipped):
            first_fault = page
        yield page
    if not readable:
        why = f"the first is at {first_fault.place}: {first_fault.why}" if first_fault else "empty"
        raise InputError(f"{store}: {name} (claim {claim_id}) holds no readable page; {why}")


def page_of(record: bytes, place: str) -> Page | Skipped:
    return _page(_parse(record), place)


def record_of(page: Page) -> dict[str, Any]:
    """Which `page_of` reads."""
    record = asdict(page)
    return record | {"url2text": record["lines"], "pages": record["numbers"]}


@dataclass(frozen=True, slots=True)
class _Json:
    value: Any
    mended: bool


def _page(record: _Json | str, place: str) -> Page | Skipped:
    if isinstance(record, str):
        return Skipped(place, record)
    if not isinstance(record.value, dict):
        return Skipped(place, "not a JSON object")
    url, lines = record.value.get("url"), record.value.get("url2text")
    if not isinstance(url, str):
        return Skipped(place, "`url` is missing or not a text")
    if not isinstance(lines, list) or not {str}.issuperset(map(type, lines)):
        return Skipped(place, "`url2text` is missing or not a list of texts")
    more = {name: _text(record.value.get(name)) for name in _METADATA}
    if more["dated_by"] not in OF_DOCUMENT:
        more["dated_by"] = ""
    if more["language"] not in OTHER_LANGUAGES:
        more["language"] = ""
    if record.mended:
        url, lines = repaired(url), [repaired(line) for line in lines]
        more = {name: repaired(text) for name, text in more.items()}
    return Page(
        url,
        tuple(lines),
        record.mended,
        **more,
        numbers=_of_lines(_PageNumbers, record.value.get("pages"), len(lines)),
        ocr=_of_lines(_Confidences, record.value.get("ocr"), len(lines)),
        sections=_named_lines(record.value.get("sections"), len(lines)),
        quoted=_named_lines(record.value.get("quoted"), len(lines)),
        mails=_valid(_Lines, record.value.get("mails")),
    )


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _valid(kind: type[tuple[Any, ...]], value: Any) -> tuple[Any, ...]:
    try:
        return shaped(kind, value) if value else ()
    except TypeError:
        return ()


def _of_lines(kind: type[tuple[Any, ...]], value: Any, lines: int) -> tuple[Any, ...]:
    there = _valid(kind, value)
    return there if len(there) == lines else ()


def _named_lines(value: Any, lines: int) -> tuple[tuple[int, str], ...]:
    """Empty unless valid and ascending."""
    named = tuple((at, repaired(_text(name))) for at, name in _valid(_NamedLines, value))
    ascending = all(a < b for (a, _), (b, _) in pairwise(named))
    return named if ascending and all(at < lines for at, _ in named) else ()


def _records(stream: io.BufferedReader, name: str) -> Iterator[tuple[str, _Json | str]]:
    """With places; for invalid JSON the reason."""
    if stream.peek(3)[:3] == _BOM:
        stream.read(3)
    source: BinaryIO = stream
    if stream.peek(64)[:64].lstrip()[:1] == b"[":
        content = stream.read(_LIST_LIMIT)
        whole = _parse(content)
        if isinstance(whole, _Json) and isinstance(whole.value, list):
            for number, value in enumerate(whole.value, start=1):
                yield f"{name}, record {number}", _Json(value, whole.mended)
            return
        source = io.BytesIO(content)
    for number, line in enumerate(_lines(source), start=1):
        if line is None:
            yield f"{name}:{number}", f"longer than {_RECORD_LIMIT // 2**20} MiB"
        elif not line.isspace():
            yield f"{name}:{number}", _parse(line)


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """None for a line that is too long."""
    while line := stream.readline(_RECORD_LIMIT):
        too_long = False
        while len(line) == _RECORD_LIMIT and not line.endswith(b"\n"):
            too_long, line = True, stream.readline(_RECORD_LIMIT)
        yield None if too_long else line


def _parse(raw: bytes) -> _Json | str:
    try:
        return _Json(orjson.loads(raw), mended=False)
    except orjson.JSONDecodeError as error:
        # orjson guesses which literal was meant from the first letter
        fault = "no value" if error.msg.startswith("invalid literal") else error.msg
        why = f"not JSON at character {error.pos + 1}: {fault}"
    # orjson refuses broken characters; Python's parser lets them be mended.
    try:
        return _Json(json.loads(raw.decode("utf-8", "replace")), mended=True)
    except (ValueError, RecursionError):
        return why
