"""The process that reads untrusted documents, without network, in bounded memory; SIGPROF ends it
after a request's `seconds` of processor time.

It prints a line when ready, then answers JSON lines; records go into the request's `spool`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote, unquote

import orjson

from uhhrag.documents.claim_list import WORKBOOKS, list_claims, sheet_claims
from uhhrag.documents.document import CLOCK, Document, Scanned, Unreadable
from uhhrag.documents.first_bytes import require_kind
from uhhrag.documents.formats import FORMATS, Reader, imported, kind_of
from uhhrag.documents.headings import byline_in, sections_in, title_in, with_leads
from uhhrag.documents.ocr import NOT_READ, READ_BY, Recognised
from uhhrag.documents.pandoc.program import command
from uhhrag.documents.segmentation import CutPiece, cut_note
from uhhrag.documents.standing import standing
from uhhrag.documents.whose_words import quoted_in
from uhhrag.errors import InputError
from uhhrag.system import hardware
from uhhrag.system.spare import spare_beside
from uhhrag.system.writing import new_file
from uhhrag.text.dates import OF_FILE
from uhhrag.text.document_dates import date_in_lines, date_in_name
from uhhrag.text.language import other_language

_ROOM, _ROOM_A_BYTE, _MOST_ROOM = 2**29, 40, 5 * 2**30
"""Bytes of memory: base, per byte of a file, at most."""
_MEMORY, _GROUPS = Path("/proc/meminfo"), Path("/sys/fs/cgroup")
_USUAL = 2**30
"""Bytes of address space, if the system does not say."""
_SAMPLE, _TOLD = 100, 3
"""Lines that tell the language; clauses on what is not read that are told, of others the number."""
_FORBIDDEN = (
    *("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "urllib.", "http."),
)


def _read(request: dict[str, Any]) -> dict[str, Any]:
    """Reads the file at `path` (hexadecimal) into `spool`: a line per document with `state`, for a
    `draft` also its layout. `recognised`: text of scans by page."""
    counts = {"documents": 0, "lines": 0, "faults": 0}
    told, cut = Counter[str](), 0
    scans: list[int] = []
    state = request["state"]
    languages: Counter[str] = Counter()
    with spare_beside(Path(request["spool"])), new_file(Path(request["spool"])) as spool:
        for result in _results(request):
            if isinstance(result, str):
                counts["faults"] += 1
                told.update([result] if result in told or len(told) < _TOLD else [])
                continue
            state, scans = _read_by(request, result), [*result.scans]
            record = _record(result, state["file"])
            more: dict[str, Any] = {}
            if request.get("draft"):  # which shows its first line, and is known by its name
                more = {"starts": result.starts, "title": result.title}
                more |= {"headed": result.sections, "items": result.items}
            spool.write(orjson.dumps({**record, **more, **state}) + b"\n")
            languages.update([record["language"]] if "language" in record else [])
            cut += sum(kind is CutPiece for kind, _ in groupby(map(type, result.lines)))
            counts["documents"] += 1
            counts["lines"] += len(result.lines)
    commonest = languages.most_common(1)
    more = {"language": commonest[0][0] if commonest else "", "reader": state.get("reader", "")}
    rest = f"and {left:,} more" if (left := counts["faults"] - told.total()) else ""
    more["partly"] = "; ".join(filter(None, (*told, rest, cut_note(cut))))
    return {**counts, "scans": scans, **more}


def _path(request: dict[str, Any]) -> Path:
    return Path(os.fsdecode(bytes.fromhex(request["path"])))


def _results(request: dict[str, Any]) -> Iterable[Document | str]:
    require_kind(_path(request), request["kind"])
    reader: Reader = imported(FORMATS[request["kind"]].reader)
    given = request.get("recognised", {})
    recognised = {int(n): Recognised(tuple(lines), sure) for n, (lines, sure) in given.items()}
    return reader(_path(request), recognised) if recognised else reader(_path(request))


def _read_by(request: dict[str, Any], document: Document) -> dict[str, Any]:
    state: dict[str, Any] = request["state"]
    if document.scans:
        return {**state, "reader": state.get("reader", "") + NOT_READ.format(len(document.scans))}
    if request.get("recognised"):
        return {**state, "reader": f"{state.get('reader', '')}{READ_BY}{request['ocr']}"}
    return state


def _draw_scan(request: dict[str, Any]) -> dict[str, Any]:
    """Draws page `scan` into `spool`, a grey byte per pixel; answers `width`, `height`."""
    pixels = imported(FORMATS[request["kind"]].scan)(_path(request), request["scan"])
    _spooled(request, pixels.tobytes())
    return {"width": pixels.shape[1], "height": pixels.shape[0]}


def _render(request: dict[str, Any]) -> dict[str, Any]:
    """Draws page `number` into `spool` as PNG, `sentence` marked if found."""
    draw = imported(FORMATS[kind_of(_path(request))].picture)
    _spooled(request, draw(_path(request), request["number"], request["sentence"]))
    return {}


def _spooled(request: dict[str, Any], content: bytes) -> None:
    with new_file(Path(request["spool"])) as spool:
        spool.write(content)


def _read_list(request: dict[str, Any]) -> dict[str, Any]:
    name, ending, most, left = request["list"], request["ending"], request["most"], ""
    if ending in WORKBOOKS:
        require_kind(_path(request), kind_of(_path(request)))
        claims, left = sheet_claims(imported(WORKBOOKS[ending])(_path(request)), name, most)
    else:
        claims = list_claims(_path(request).read_bytes(), name, ending, most)
    _spooled(request, orjson.dumps(claims))
    return {"left": left}


def _record(document: Document, name: str) -> dict[str, Any]:
    """A document without URL gets a `file:` one relative to the folder."""
    author, written = ("", "") if document.unit or document.key else byline_in(document)
    day, dated_by = _date(document, unquote(name.rpartition("/")[2]), written)
    sections = sections_in(document)
    led, title = with_leads(document, sections), document.title or title_in(document)
    own = "" if document.unit else standing(title, document.lines)
    more = {
        "dated_by": dated_by,
        "language": other_language(" ".join(document.lines[:_SAMPLE])),
        "pages": document.pages,
        "unit": document.unit,
        "sections": led,
        "quoted": quoted_in(document, sections, led),
        "mails": document.mails,
        "note": "; ".join(filter(None, (document.note, own))),
        "ocr": document.ocr if any(sure is not None for sure in document.ocr) else (),
    }
    return {
        "url": document.url or f"file:{name}" + (f"#{quote(document.key)}" if document.key else ""),
        "url2text": document.lines,
        "title": title,
        "site": document.site,
        "author": document.author or author,
        "date": day,
        **{name: value for name, value in more.items() if value},
    }


def _date(document: Document, name: str, told: str) -> tuple[str, str]:
    """A date and its source: "" if stated, "name", "text" (first lines) or "file" (metadata)."""
    stated = document.date and document.dated_by != OF_FILE
    if stated:
        return document.date, document.dated_by
    of_chat = document.key and document.unit == CLOCK
    of_many = of_chat or (document.key and not document.unit)  # not all of its file's name's date
    own = document.unit.endswith("row") or of_chat  # which has dates of its own
    text = () if own else document.lines
    dates = ("" if of_many else date_in_name(name), "name"), (told or date_in_lines(text), "text")
    return next((pair for pair in dates if pair[0]), (document.date, document.date and OF_FILE))


def _enter_sandbox() -> None:
    _limit_memory(_most_room())

    def refuse(event: str, given: tuple[Any, ...]) -> None:
        ours = event == "subprocess.Popen" and given[0] == command()[0]
        if event.startswith(_FORBIDDEN) and not (ours and [*given[1]] == [*command()]):
            raise PermissionError(f"a document made its reader ask for {event}; refused")

    sys.addaudithook(refuse)


def _limit_memory(room: int) -> None:
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    least = _in_use() + room
    least = least if most == resource.RLIM_INFINITY else min(least, most)
    resource.setrlimit(resource.RLIMIT_AS, (least, most))


def _in_use() -> int:
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
    except OSError:  # not on Linux
        return _USUAL


def _room_for(request: dict[str, Any]) -> int:
    size = 0
    with suppress(OSError, ValueError):
        size = _path(request).stat().st_size
    return min(_most_room(), _ROOM + _ROOM_A_BYTE * size)


@cache
def _most_room() -> int:
    """At most half of the machine's memory."""
    total, _ = hardware.within(hardware.allowed(_GROUPS), *hardware.memory(_MEMORY))
    return min(_MOST_ROOM, total // 2 if total else _MOST_ROOM)


def _serve(requests: BinaryIO, answers: BinaryIO) -> None:
    for line in requests:
        request = json.loads(line)
        if "pypdfium2" in sys.modules:
            imported("pdf.reader:forget_fonts")()
        _limit_memory(_room_for(request))
        signal.setitimer(signal.ITIMER_PROF, request["seconds"])
        told = answer(request)
        signal.setitimer(signal.ITIMER_PROF, 0)
        answers.write(json.dumps(told).encode() + b"\n")
        answers.flush()


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer, or `why` there is none; `passing` as in Unreadable."""
    try:
        if "scan" in request:
            return _draw_scan(request)
        if "list" in request:
            return _read_list(request)
        return _render(request) if "number" in request else _read(request)
    except Scanned as error:
        return {"why": str(error), "scans": error.pages}
    except Unreadable as error:
        return {"why": str(error), "passing": error.passing}
    except InputError as error:
        return {"why": "has no claims", "error": str(error)}
    except MemoryError:
        return {"why": "needs more memory to be read than is allowed"}
    except RecursionError:
        return {"why": "is nested too deeply"}
    except OSError as error:
        passing = error.errno is not None  # of the system, such as a full disk, not of the file
        return {"why": f"cannot be read: {error.strerror or error}", "passing": passing}
    except Exception as error:  # noqa: BLE001 - no document may stop the others
        return {"why": f"cannot be read: {type(error).__name__}: {str(error)[:200]}"}


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not be taken for an answer
    _enter_sandbox()
    answers.write(b"{}\n")  # ready: a document's time begins
    answers.flush()
    _serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
