"""The client of the reading process: ask, wait, restart one that hangs or dies."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

from uhhrag.documents.formats import FORMATS
from uhhrag.documents.listing import DocumentFile
from uhhrag.documents.ocr import (
    MOST_PAGES,
    Recognised,
    Tesseract,
    Unrecognised,
    find_tesseract,
    recognise,
)
from uhhrag.errors import InputError
from uhhrag.records import Claim

SECONDS = 20.0
"""Processor time for any document, besides that for its size."""
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""More reserve memory, which a document then lacks."""
_SLOWER = 5.0
"""Clock time over processor time, on a busy machine."""
_START = 300.0
"""Seconds for the process to start on a busy machine."""


_NO_TEXT = ((), 0)
"""For a page that cannot be recognised, so that its file is not read again."""


def _not_recognised(failed: list[int]) -> str:
    pages = f"{len(failed)} pages" if len(failed) > 1 else "a page"
    return f"{pages} could not be read by OCR" if failed else "has no text that OCR can read"


class ReadingProcess:
    """A `reader_process`, started when first asked; a context manager."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> ReadingProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def read(
        self, file: DocumentFile, state: dict[str, Any], spool: Path, *, draft: bool = False
    ) -> dict[str, Any]:
        """Read a file into `spool`, scans by Tesseract, a minute a page at most. Gives the answer
        of `reader_process.read`, or `why` the process hung or died."""
        seconds = SECONDS + FORMATS[file.kind].pace * file.size / 2**20
        told = {"kind": file.kind, "state": {"file": file.name, **state}, "draft": draft}
        request = {**_request(file.path, spool), **told}
        answer = self._answer(request, seconds)
        tesseract = find_tesseract() if "scans" in answer else None
        if tesseract is None or not (answer["scans"] or "why" in answer):
            return answer
        recognised = self._recognise(tesseract, request, answer["scans"])
        given = {
            str(number): (page.lines, page.sure) if page else _NO_TEXT
            for number, page in recognised.items()
        }
        again = {**request, "ocr": tesseract.name, "recognised": given or {"0": _NO_TEXT}}
        answer = self._answer(again, seconds)
        failed = [number for number, page in recognised.items() if page is None]
        if "why" not in answer and (failed or not answer["lines"]):
            answer["faults"] += 1
            answer["first_fault"] = answer["first_fault"] or _not_recognised(failed)
        return answer

    def _recognise(
        self, tesseract: Tesseract, request: dict[str, Any], pages: list[int]
    ) -> dict[int, Recognised | None]:
        recognised: dict[int, Recognised | None] = dict.fromkeys(pages)
        for number in pages[:MOST_PAGES]:
            drawn = self._answer({**request, "scan": number}, SECONDS)
            if "why" not in drawn:
                with suppress(Unrecognised, OSError):
                    spool = Path(request["spool"])
                    recognised[number] = recognise(
                        tesseract, spool, drawn["width"], drawn["height"]
                    )
        return recognised

    def claims(self, path: Path, name: str, most: int | None, spool: Path) -> tuple[Claim, ...]:
        """The claims of a list called `name`, at most `most` (`claim_list`). Raises InputError."""
        told = {"list": name, "ending": path.suffix.lower(), "most": most}
        answer = self._answer({**_request(path, spool), **told}, SECONDS)
        if "why" in answer:
            raise InputError(answer.get("error") or f"{name}: {answer['why']}")
        return tuple(Claim(**one) for one in orjson.loads(spool.read_bytes()))

    def render(self, path: Path, number: int, sentence: str, spool: Path) -> dict[str, Any]:
        """Draw a page of a PDF into `spool`; empty, or `why` not."""
        told = {"number": number, "sentence": sentence}
        return self._answer({**_request(path, spool), **told}, SECONDS)

    def _answer(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        try:
            process = self._running()
            if process.stdin is None:  # for mypy; it is a pipe
                raise BrokenPipeError
            process.stdin.write(orjson.dumps({**request, "seconds": seconds}) + b"\n")
            process.stdin.flush()
            answer = _line(process, time.monotonic() + _SLOWER * seconds)
        except TimeoutError:
            self._end()
            why = f"took longer than {_SLOWER * seconds:.0f} seconds to read on a busy machine"
            return {"why": f"{why}; the next command tries again", "passing": True}
        except BrokenPipeError:
            if self._end() == -signal.SIGPROF:
                why = f"took longer than {seconds:.0f} seconds of processor time"
                return {"why": f"{why}; split it"}
            return {"why": "made its reader crash; is it damaged?"}
        return dict(orjson.loads(answer))

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            # -P: a module of that name in the user's folder must not be run in place of ours.
            command = [sys.executable, "-P", "-m", "uhhrag.documents.reader_process"]
            ours = str(Path(__file__).resolve().parents[2])
            paths = [ours, *filter(None, [os.environ.get("PYTHONPATH")])]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_ONE_THREAD, "PYTHONPATH": os.pathsep.join(paths)},
            )
            _line(self._process, time.monotonic() + _START)
        return self._process

    def _end(self) -> int | None:
        """End the process; what it ended with."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        process.communicate()
        return process.returncode


def _request(path: Path, spool: Path) -> dict[str, Any]:
    return {"path": os.fsencode(path).hex(), "spool": str(spool)}  # a name need not be text


def _line(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    """The next line the process writes. Raises TimeoutError, or BrokenPipeError if it ends."""
    if process.stdout is None:
        raise BrokenPipeError
    answer = b""
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        while not answer.endswith(b"\n"):
            if not waiting.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            piece = os.read(process.stdout.fileno(), 2**16)
            if not piece:
                raise BrokenPipeError
            answer += piece
    return answer
