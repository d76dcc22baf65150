"""Client of the reading process, which it restarts."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import orjson

from uhhrag.documents.formats import FORMATS
from uhhrag.documents.helper_process import HelperProcess, Process, answer_of, piped
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
"""Processor time of any document, plus that for its size."""
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""More threads reserve memory that a document then lacks."""
_SLOWER = 5.0
"""Clock time over processor time on a busy machine."""
_START = 300.0
"""Seconds to start on a busy machine."""
_NO_TEXT = ((), 0)
"""For an unrecognisable page, so that its file is not read again."""


def _not_recognised(failed: list[int]) -> str:
    pages = f"{len(failed)} pages" if len(failed) > 1 else "a page"
    return f"{pages} could not be read by OCR" if failed else "has no text that OCR can read"


class ReadingProcess(AbstractContextManager["ReadingProcess"]):
    """Started when first asked."""

    def __init__(self) -> None:
        self._process = HelperProcess(_started)

    def __exit__(self, *_: object) -> None:
        self._process.end()

    def read(
        self, file: DocumentFile, state: dict[str, Any], spool: Path, *, draft: bool = False
    ) -> dict[str, Any]:
        """Reads into `spool`, scans by Tesseract. Returns `reader_process`'s answer, or `why` it
        hung or died."""
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
            answer["partly"] += "; " * bool(answer["partly"]) + _not_recognised(failed)
        return answer

    def _recognise(
        self, tesseract: Tesseract, request: dict[str, Any], pages: list[int]
    ) -> dict[int, Recognised | None]:
        spool = Path(request["spool"])
        found: dict[int, Recognised | None] = dict.fromkeys(pages)
        for number in pages[:MOST_PAGES]:
            drawn = self._answer({**request, "scan": number}, SECONDS)
            if "why" not in drawn:
                with suppress(Unrecognised, OSError):
                    found[number] = recognise(tesseract, spool, drawn["width"], drawn["height"])
        return found

    def claims(
        self, path: Path, name: str, most: int | None, spool: Path
    ) -> tuple[tuple[Claim, ...], str]:
        """At most `most` claims of a list, and what is not read, or "". Raises InputError."""
        told = {"list": name, "ending": path.suffix.lower(), "most": most}
        answer = self._answer({**_request(path, spool), **told}, SECONDS)
        if "why" in answer:
            raise InputError(answer.get("error") or f"{name}: {answer['why']}")
        return tuple(Claim(**one) for one in orjson.loads(spool.read_bytes())), answer["left"]

    def render(self, path: Path, number: int, sentence: str, spool: Path) -> dict[str, Any]:
        """Draws a page, `sentence` marked, into `spool`. Returns {}, or `why` not."""
        told = {"number": number, "sentence": sentence}
        return self._answer({**_request(path, spool), **told}, SECONDS)

    def _answer(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        line = orjson.dumps({**request, "seconds": seconds}) + b"\n"
        try:
            return dict(orjson.loads(self._process.ask(line, _SLOWER * seconds)))
        except TimeoutError:
            self._process.end()
            why = f"took longer than {_SLOWER * seconds:.0f} seconds to read on a busy machine"
            return {"why": f"{why}; the next command tries again", "passing": True}
        except BrokenPipeError:
            if self._process.end() == -signal.SIGPROF:
                why = f"took longer than {seconds:.0f} seconds of processor time"
                return {"why": f"{why}; split it"}
            return {"why": "made its reader crash; is it damaged?"}


def _request(path: Path, spool: Path) -> dict[str, Any]:
    return {"path": os.fsencode(path).hex(), "spool": str(spool)}  # a name need not be text


def _started() -> Process:
    # -P: a module of that name in the user's folder must not be run in place of ours.
    command = [sys.executable, "-P", "-m", "uhhrag.documents.reader_process"]
    ours = str(Path(__file__).resolve().parents[2])
    paths = [ours, *filter(None, [os.environ.get("PYTHONPATH")])]
    try:
        env = {**os.environ, **_ONE_THREAD, "PYTHONPATH": os.pathsep.join(paths)}
        process = piped(command, env)
        answer_of(process, b"", _START)  # that it is ready
    except OSError as error:  # which is not the document's fault
        raise InputError(
            "documents cannot be read now: the process that reads them does not start "
            f"({error.strerror or 'it ends or hangs'}); end other programs and try again"
        ) from error
    return process
