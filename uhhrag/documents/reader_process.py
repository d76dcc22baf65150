"""The process that reads documents: `python -P -m uhhrag.documents.reader_process`.

It stands apart from ours because a document is not to be trusted: whatever a file makes a reader
do, this process has no network and a bounded memory, and ours goes on when it dies. Requests come
as JSON lines on standard input, each answered by one line on standard output, after a first one
that says it is ready; the records go into the file that the request names. A request that takes
more processor time than its `seconds` ends the process with SIGPROF.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote, unquote

import orjson

from uhhrag.documents.claim_list import WORKBOOKS, list_claims, sheet_claims
from uhhrag.documents.document import Document, Scanned, Unreadable
from uhhrag.documents.formats import FORMATS, Reader, imported, kind_of
from uhhrag.documents.headings import sections_in, title_in
from uhhrag.documents.ocr import NOT_READ, READ_BY, Recognised
from uhhrag.documents.pandoc import command
from uhhrag.documents.whose_words import quoted_in
from uhhrag.documents.windows import cut_note
from uhhrag.errors import InputError
from uhhrag.system.spare import spare_beside
from uhhrag.system.writing import new_file
from uhhrag.text.dates import OF_FILE
from uhhrag.text.document_dates import date_in_lines, date_in_name
from uhhrag.text.language import other_language

_ROOM, _ROOM_A_BYTE, _MOST_ROOM = 2**29, 40, 5 * 2**30
"""Bytes of memory that reading a file may take: of any file, for each of its bytes, and at most."""
_USUAL = 2**30
"""Bytes of address space of this process, where the system does not say."""
_SAMPLE = 100
"""Lines of a document that its language is told from."""
_FORBIDDEN = (
    "socket.",
    "subprocess.",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "urllib.",
    "http.",
)


def read(request: dict[str, Any]) -> dict[str, Any]:
    """Read the file at `path` (its bytes in hexadecimal) into `spool`, a record per line, each with
    the `state` of the file, and with `draft` the `starts` of its paragraphs. What was `recognised`
    of its scans, by the numbers of their pages, is read with it.

    The answer counts documents and lines, names the commonest of their languages other than English
    (`language`, "" for none), says what was left out (`faults`, `first_fault`), which pages are
    `scans` that nothing is known of, and what a state's `reader` is now; or only `why` not."""
    counts = {"documents": 0, "lines": 0, "faults": 0}
    first_fault = ""
    scans: list[int] = []
    state = request["state"]
    languages: Counter[str] = Counter()
    try:
        with spare_beside(Path(request["spool"])), new_file(Path(request["spool"])) as spool:
            for result in _results(request):
                if isinstance(result, str):
                    first_fault = first_fault or result
                    counts["faults"] += 1
                    continue
                state, scans = _read_by(request, result), [*result.scans]
                record = _record(result, state["file"])
                more: dict[str, Any] = {}
                if request.get("draft"):  # which shows its first line, and is known by its name
                    more = {"starts": result.starts, "title": result.title}
                spool.write(orjson.dumps({**record, **more, **state}) + b"\n")
                languages.update([record["language"]] if "language" in record else [])
                if note := cut_note(result.lines):
                    first_fault = first_fault or note
                    counts["faults"] += 1
                counts["documents"] += 1
                counts["lines"] += len(result.lines)
    except Scanned as error:
        return {"why": str(error), "scans": error.pages}
    except Unreadable as error:
        return {"why": str(error)}
    except MemoryError:
        return {"why": "needs more memory to be read than is allowed"}
    except RecursionError:
        return {"why": "is nested too deeply"}
    except OSError as error:
        return {"why": f"cannot be read: {error.strerror or error}"}
    except Exception as error:  # noqa: BLE001 - no document may stop the others
        return {"why": f"cannot be read: {type(error).__name__}: {str(error)[:200]}"}
    commonest = languages.most_common(1)
    more = {"language": commonest[0][0] if commonest else "", "reader": state.get("reader", "")}
    return {**counts, "first_fault": first_fault, "scans": scans, **more}


def _results(request: dict[str, Any]) -> Iterable[Document | str]:
    """What a reader gives of the file of a request."""
    path = Path(os.fsdecode(bytes.fromhex(request["path"])))
    reader: Reader = imported(FORMATS[request["kind"]].reader)
    given = request.get("recognised", {})
    recognised = {int(n): Recognised(tuple(lines), sure) for n, (lines, sure) in given.items()}
    return reader(path, recognised) if recognised else reader(path)


def _read_by(request: dict[str, Any], document: Document) -> dict[str, Any]:
    """The state of a file whose reader says what came of its scans."""
    state: dict[str, Any] = request["state"]
    if document.scans:
        return {**state, "reader": state.get("reader", "") + NOT_READ.format(len(document.scans))}
    if request.get("recognised"):
        return {**state, "reader": f"{state.get('reader', '')}{READ_BY}{request['ocr']}"}
    return state


def draw_scan(request: dict[str, Any]) -> dict[str, Any]:
    """Draw page `scan` of the file at `path` into `spool`, a byte of grey for each pixel. The
    answer is its `width` and `height`, or `why` not."""
    try:
        path = Path(os.fsdecode(bytes.fromhex(request["path"])))
        row = FORMATS[request["kind"]]
        pixels = imported(row.scan)(path, request["scan"])
        _spooled(request, pixels.tobytes())
    except Exception as error:  # noqa: BLE001 - no document may end the process
        return {"why": f"cannot be drawn: {type(error).__name__}"}
    return {"width": pixels.shape[1], "height": pixels.shape[0]}


def render(request: dict[str, Any]) -> dict[str, Any]:
    """Draw page `number` of the file at `path` into `spool` as PNG, with `sentence` marked where
    that can be. The answer is empty, or says `why` not."""
    try:
        path = Path(os.fsdecode(bytes.fromhex(request["path"])))
        row = FORMATS[kind_of(path)]
        picture = imported(row.picture)(path, request["number"], request["sentence"])
        _spooled(request, picture)
    except Unreadable as error:
        return {"why": str(error)}
    except Exception as error:  # noqa: BLE001 - no document may end the process
        return {"why": f"cannot be drawn: {type(error).__name__}"}
    return {}


def _spooled(request: dict[str, Any], content: bytes) -> None:
    with new_file(Path(request["spool"])) as spool:
        spool.write(content)


def read_list(request: dict[str, Any]) -> dict[str, Any]:
    """Read the claims of a `list` into `spool`, at most so many. The answer is empty, or says `why`
    not; `error` is the whole line where the list itself is at fault."""
    try:
        path = Path(os.fsdecode(bytes.fromhex(request["path"])))
        name, ending, most = request["list"], request["ending"], request["most"]
        if ending in WORKBOOKS:
            claims = sheet_claims(imported(WORKBOOKS[ending])(path), name, most)
        else:
            claims = list_claims(path.read_bytes(), name, ending, most)
        _spooled(request, orjson.dumps(claims))
    except InputError as error:
        return {"why": "has no claims", "error": str(error)}
    except Unreadable as error:
        return {"why": str(error)}
    except MemoryError:
        return {"why": "needs more memory to be read than is allowed"}
    except Exception as error:  # noqa: BLE001 - no document may end the process
        return {"why": f"cannot be read: {type(error).__name__}"}
    return {}


def _record(document: Document, name: str) -> dict[str, Any]:
    """A document as a record of the store. Where it names no address of its own, that is a `file:`
    address relative to the folder; a path of this machine is never written."""
    day, dated_by = _date(document, unquote(name.rpartition("/")[2]))
    record: dict[str, Any] = {
        "url": document.url or f"file:{name}" + (f"#{quote(document.key)}" if document.key else ""),
        "url2text": document.lines,
        "title": document.title or title_in(document),
        "site": document.site,
        "author": document.author,
        "date": day,
    }
    if dated_by:
        record["dated_by"] = dated_by
    if language := other_language(" ".join(document.lines[:_SAMPLE])):
        record["language"] = language
    if document.pages:
        record["pages"] = document.pages
    if document.unit:
        record["unit"] = document.unit
    sections = sections_in(document)
    if sections:
        record["sections"] = sections
    if quoted := quoted_in(document, sections):
        record["quoted"] = quoted
    if document.note:
        record["note"] = document.note
    if any(sure is not None for sure in document.ocr):
        record["ocr"] = document.ocr
    return record


def _date(document: Document, name: str) -> tuple[str, str]:
    """The date of a document and where it is from: what it states itself (""), the name of its
    file ("name"), its first lines ("text"), else the metadata of its file ("file")."""
    stated = document.date and document.dated_by != OF_FILE
    of_many = document.key and not document.unit  # which have no date for all of them
    if stated or of_many:
        return document.date, document.dated_by
    text = () if document.unit.endswith("row") else document.lines  # a row has dates of its own
    dates = (date_in_name(name), "name"), (date_in_lines(text), "text")
    return next((pair for pair in dates if pair[0]), (document.date, document.date and OF_FILE))


def _shut_in() -> None:
    """Give up what reading a document never needs."""
    _limit_memory(_MOST_ROOM)

    def refuse(event: str, given: tuple[Any, ...]) -> None:
        if event.startswith(_FORBIDDEN) and not _is_pandoc(event, given):
            raise PermissionError(f"a document made its reader ask for {event}; refused")

    sys.addaudithook(refuse)


def _is_pandoc(event: str, given: tuple[Any, ...]) -> bool:
    """Whether what is asked for is to start pandoc, as we start it."""
    return event == "subprocess.Popen" and given[0] == command()[0] and [*given[1]] == [*command()]


def _limit_memory(room: int) -> None:
    """Let this process take so many bytes of address space more than it has."""
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    least = _in_use() + room
    least = least if most == resource.RLIM_INFINITY else min(least, most)
    resource.setrlimit(resource.RLIMIT_AS, (least, most))


def _in_use() -> int:
    """The bytes of address space that this process has."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
    except OSError:  # not on Linux
        return _USUAL


def _room_for(request: dict[str, Any]) -> int:
    """The bytes of memory that reading a file may take: more for a larger one."""
    try:
        size = Path(os.fsdecode(bytes.fromhex(request["path"]))).stat().st_size
    except (OSError, ValueError):
        size = 0
    return min(_MOST_ROOM, _ROOM + _ROOM_A_BYTE * size)


def _serve(requests: BinaryIO, answers: BinaryIO) -> None:
    for line in requests:
        request = json.loads(line)
        _limit_memory(_room_for(request))
        signal.setitimer(signal.ITIMER_PROF, request["seconds"])
        answer = _answer(request)
        signal.setitimer(signal.ITIMER_PROF, 0)
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    if "scan" in request:
        return draw_scan(request)
    if "list" in request:
        return read_list(request)
    return render(request) if "number" in request else read(request)


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not be taken for an answer
    _shut_in()
    answers.write(b"{}\n")  # ready: a document's time begins
    answers.flush()
    _serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
