"""Read a knowledge store: a folder or a zip that holds one file per claim, `<position>.json`, or
one `.jsonl` file for all claims.

A file is JSON lines, or one JSON list, of pages with `url` and `url2text`, and where it is known
`title`, `site`, `author`, `date`, the user's own `file` that it was read from and `pages`, the page
number of each line. Nothing else of a page is ever looked at: `type` and `query` give gold answers
away.

What cannot be read is never passed on and never silent:
- bytes that are not UTF-8 and lone surrogates become U+FFFD; the page stays and counts as mended;
- a record that is not JSON, not a page or longer than 64 MiB is skipped, its place and fault said;
- a file without one readable page, a missing file and a damaged zip are an InputError;
- so is what is not in the store: a link that leads out of it, a zip's path that does, a pipe.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple, TypeVar

import orjson

from uhhrag.errors import InputError
from uhhrag.records import Page, Passage
from uhhrag.text.characters import repaired

T = TypeVar("T")

_RECORD_LIMIT = 64 * 2**20
_LIST_LIMIT = 2**30
_BOMB_SIZE, _BOMB_RATIO = 2**28, 200
_MOST_MEMBERS = 100_000
_TOLD = ("title", "author", "date", "site", "file")
_BOM = b"\xef\xbb\xbf"
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that could not be read: where (file:line, lines counted from 1) and why."""

    place: str
    why: str


def serves_all(store: Path) -> bool:
    """Whether a store is one file of JSON lines for all claims, as `uhhrag ingest` writes it."""
    return store.suffix.lower() in (".jsonl", ".ndjson") and store.is_file()


def read(store: Path, claim_id: int) -> Iterator[Passage]:
    """The lines of a claim's file in file order, each with its page's URL; blank ones left out,
    repeated ones not, text unchanged. Raises InputError as `pages` does."""
    for page in pages(store, claim_id):
        if isinstance(page, Page):
            yield from passages(page)


def pages(store: Path, claim_id: int) -> Iterator[Page | Skipped]:
    """Each record of a claim's file, in file order; a zip is read in place, as a stream.

    Raises InputError, naming file and claim, where the file is missing, cannot be read or holds
    no readable page."""
    first_fault: Skipped | None = None
    readable = False
    with _opened(store, claim_id) as (stream, name):
        for place, record in _records(stream, name):
            page = _page(record, place)
            readable = readable or isinstance(page, Page)
            if first_fault is None and isinstance(page, Skipped):
                first_fault = page
            yield page
    if not readable:
        why = f"the first is at {first_fault.place}: {first_fault.why}" if first_fault else "empty"
        raise InputError(f"{store}: {name} (claim {claim_id}) holds no readable page; {why}")


def passages(page: Page) -> Iterator[Passage]:
    """The page's lines that are not blank, in order.

    >>> [passage.text for passage in passages(Page("https://a.example", ("One.", " ", "Two.")))]
    ['One.', 'Two.']
    """
    urls = _own(page)
    return (Passage(line, urls) for line in written(page))


class Lines(NamedTuple):
    """Lines of a store: a text and its URLs stand at the same position."""

    texts: list[str]
    urls: list[tuple[str, ...]]


def lines(pages: Iterable[Page]) -> Lines:
    """The lines of all pages that are not blank, in order."""
    texts: list[str] = []
    urls: list[tuple[str, ...]] = []
    for page in pages:
        texts += written(page)
        urls += [_own(page)] * (len(texts) - len(urls))
    return Lines(texts, urls)


def distinct(pages: Iterable[Page]) -> Lines:
    """`unique` of the lines of all pages, without a record for each line.

    >>> distinct([Page("a", ("x", "y")), Page("b", ("x",))])
    Lines(texts=['x', 'y'], urls=[('a', 'b'), ('a',)])
    """
    urls_of: dict[str, tuple[str, ...]] = {}
    for page in pages:
        new = dict.fromkeys(written(page), _own(page))
        # Seen first, since the values of a line that is known already must not be replaced.
        again = new.keys() & urls_of.keys()
        for text in again:
            new[text] = tuple(dict.fromkeys(urls_of[text] + new[text]))
        urls_of |= new
    return Lines(list(urls_of), list(urls_of.values()))


def written(page: Page) -> list[str]:
    """The page's lines that are not blank, in order."""
    return [line for line in page.lines if line and not line.isspace()]


def _own(page: Page) -> tuple[str, ...]:
    return (page.url,) if page.url else ()


def unique(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """One passage per text (UHH's "unique sentences"): equality is exact, the order that of first
    sight, and so are the URLs, each named once.

    >>> unique([Passage("x", ("a",)), Passage("y", ("a",)), Passage("x", ("b",))])
    (Passage(text='x', urls=('a', 'b')), Passage(text='y', urls=('a',)))
    """
    urls_of: dict[str, dict[str, None]] = {}
    for passage in passages:
        urls_of.setdefault(passage.text, {}).update(dict.fromkeys(passage.urls))
    return tuple(Passage(text, tuple(urls)) for text, urls in urls_of.items())


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
    more = {name: _said(record.value.get(name)) for name in _TOLD}
    numbers = _numbers(record.value.get("pages"), len(lines))
    if record.mended:
        url, lines = repaired(url), [repaired(line) for line in lines]
        more = {name: repaired(text) for name, text in more.items()}
    return Page(url, tuple(lines), record.mended, **more, numbers=numbers)


def _said(value: Any) -> str:
    """What a page says of itself; a value of another kind says nothing."""
    return value.strip() if isinstance(value, str) else ""


def _numbers(value: Any, lines: int) -> tuple[int, ...]:
    """The page number of each line, none unless there is one for every line."""
    if not isinstance(value, list) or len(value) != lines:
        return ()
    return tuple(value) if all(type(n) is int and 0 < n < 2**31 for n in value) else ()


def _records(stream: io.BufferedReader, name: str) -> Iterator[tuple[str, _Json | str]]:
    """Each record with its place; in place of one that is no JSON, why not."""
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
    """The lines of the stream; None for one that is too long to hold in memory."""
    while line := stream.readline(_RECORD_LIMIT):
        too_long = False
        while len(line) == _RECORD_LIMIT and not line.endswith(b"\n"):
            too_long, line = True, stream.readline(_RECORD_LIMIT)
        yield None if too_long else line


def _parse(raw: bytes) -> _Json | str:
    try:
        return _Json(orjson.loads(raw), mended=False)
    except orjson.JSONDecodeError as error:
        why = f"not JSON: {error.msg}"
    # orjson refuses broken characters; Python's parser lets them be mended.
    try:
        return _Json(json.loads(raw.decode("utf-8", "replace")), mended=True)
    except (ValueError, RecursionError):
        return why


@contextmanager
def _opened(store: Path, claim_id: int) -> Iterator[tuple[io.BufferedReader, str]]:
    """The claim's file and its name; every way it can fail is an InputError."""
    where = f"{store}: the file of claim {claim_id}"
    try:
        if store.is_dir():
            file = _file_in_folder(store, claim_id)
            with file.open("rb") as stream:
                yield stream, file.name
        elif serves_all(store):
            with store.open("rb") as stream:
                yield stream, store.name
        elif store.exists():
            with zipfile.ZipFile(store) as archive:
                member = _member(archive, store, claim_id)
                with archive.open(member) as packed:
                    yield io.BufferedReader(packed, 2**20), PurePosixPath(member.filename).name  # type: ignore[arg-type]
        else:
            raise InputError(f"{store}: no such knowledge store; give a folder or a zip by --store")
    except _DAMAGED as error:
        raise InputError(f"{where} cannot be read, the zip is damaged: {error}") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{where} cannot be read: {why}") from error


def _file_in_folder(store: Path, claim_id: int) -> Path:
    direct = store / f"{claim_id}.json"
    found = [direct] if direct.exists() else sorted(store.rglob(direct.name))
    file = _only(found, store, claim_id)
    if not file.resolve().is_relative_to(store.resolve()):
        raise InputError(
            f"{file}: is a link to {file.resolve()}, outside the store; refused; put the file "
            "itself there, or give its folder by --store"
        )
    if not file.is_file() and not file.is_dir():  # opening a pipe would wait for its other end
        raise InputError(f"{file}: is no file but a pipe or a device; put a file there")
    return file


def _member(archive: zipfile.ZipFile, store: Path, claim_id: int) -> zipfile.ZipInfo:
    found = []
    if len(archive.infolist()) > _MOST_MEMBERS:
        raise InputError(
            f"{store}: holds more than {_MOST_MEMBERS:,} files; no store does; refused"
        )
    for member in archive.infolist():
        path = PurePosixPath(member.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts:
            raise InputError(
                f"{store}: its member {member.filename!r} points out of the zip; refused"
            )
        if path.name == f"{claim_id}.json" and path.parts[0] != "__MACOSX":
            found.append(member)
    return _readable(_only(found, store, claim_id), store)


def _only(found: Sequence[T], store: Path, claim_id: int) -> T:
    if not found:
        raise InputError(f"{store}: no file {claim_id}.json for claim {claim_id}")
    if len(found) > 1:
        raise InputError(
            f"{store}: {len(found)} files are named {claim_id}.json; keep the right one alone"
        )
    return found[0]


def _readable(member: zipfile.ZipInfo, store: Path) -> zipfile.ZipInfo:
    where = f"{store}: {member.filename}"
    if member.flag_bits & 1:
        raise InputError(f"{where} is encrypted; unpack it and give the folder by --store")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(f"{where} is packed by a method that is not read; pack it by deflate")
    packed = min(member.compress_size, store.stat().st_size)  # the zip can say what it likes
    if member.file_size > max(_BOMB_SIZE, _BOMB_RATIO * packed):
        raise InputError(
            f"{where} would unpack to {member.file_size:,} bytes, as no text does; refused"
        )
    return member
