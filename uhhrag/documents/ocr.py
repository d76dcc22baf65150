"""Scans → text by Tesseract, if installed; it gets grey pixels, never a user's file."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from uhhrag.documents.helper_process import piped
from uhhrag.documents.segmentation import clean
from uhhrag.text.document_dates import date_in_line

DPI = 300
MOST_PIXELS = 36_000_000
"""Of a page: A3 at 300 dpi."""
MOST_PAGES = 1_000
"""Scans read of one file."""
LEAST_SURE = 30
"""Percent; a lower mean confidence is noise, as of a photograph."""
MISSING = "install Tesseract to read them (on Debian or Ubuntu: apt install tesseract-ocr)"
READ_BY, NOT_READ = "; scans by ", "; {} scans not read"
_SECONDS = 60
_MEMORY = 3 * 2**30
_MOST_OUTPUT = 2**24
_LANGUAGE = "eng"
_WORD = re.compile(
    r"^5\t(\d+\t\d+\t\d+)\t(\d+)\t\d+(?:\t-?\d+){4}\t(\d{1,3}(?:\.\d+)?)\t([^\t\n]*)$", re.MULTILINE
)
"""A word's paragraph, line, confidence, text."""


class Unrecognised(Exception):
    """Tesseract failed or took too long."""


@dataclass(frozen=True, slots=True)
class Tesseract:
    program: str
    version: str
    languages: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"tesseract {self.version}"


@dataclass(frozen=True, slots=True)
class Recognised:
    lines: tuple[str, ...]
    """Blank between paragraphs."""
    sure: int
    """Mean confidence in the words, percent."""


def find_tesseract() -> Tesseract | None:
    """None if it fails or lacks English data."""
    program = shutil.which("tesseract")
    return _probed(program) if program else None


@cache
def _probed(program: str) -> Tesseract | None:
    try:
        version = _told([program, "--version"]).split()[1:2]
        languages = tuple(_told([program, "--list-langs"]).splitlines()[1:])
    except (OSError, subprocess.SubprocessError):
        return None
    known = bool(version) and _LANGUAGE in languages
    return Tesseract(program, clean(version[0]), languages) if known else None


def _told(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, timeout=_SECONDS, env=_environment())
    done.check_returncode()
    return (done.stdout or done.stderr).decode("utf-8", "replace")


def _environment() -> dict[str, str]:
    passed_on = {
        name: os.environ[name] for name in ("PATH", "TESSDATA_PREFIX") if name in os.environ
    }
    return {**passed_on, "LC_ALL": "C", "OMP_THREAD_LIMIT": "1"}


def recognise(tesseract: Tesseract, pixels: Path, width: int, height: int) -> Recognised:
    """A byte per pixel, 0 black, rows from the top. Raises Unrecognised."""
    content = pixels.read_bytes()
    if min(width, height) < 1 or not len(content) == width * height <= MOST_PIXELS:
        raise Unrecognised
    command = [tesseract.program, "stdin", "stdout", "--dpi", str(DPI), "-l", _LANGUAGE, "tsv"]
    try:
        process = piped(command, _environment())
    except OSError as error:
        raise Unrecognised from error
    with process:
        try:
            if hasattr(resource, "prlimit"):  # Linux; nothing happens before the picture comes
                resource.prlimit(process.pid, resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            printed, _ = process.communicate(
                b"P5 %d %d 255\n" % (width, height) + content, _SECONDS
            )
        except (subprocess.TimeoutExpired, OSError) as error:
            raise Unrecognised from error
        finally:
            process.kill()
    if process.returncode != 0 or len(printed) > _MOST_OUTPUT:
        raise Unrecognised
    return page_of(printed.decode("utf-8", "replace"))


def _is_letterhead(line: str) -> bool:
    """
    >>> _is_letterhead("Ferry Office, 4 May 2024"), _is_letterhead("It sank on 4 May 2024")
    (True, False)
    """
    words = line.split()
    return bool(date_in_line(" ".join(words[-3:]))) and not "".join(words[-4:-3]).islower()


def page_of(table: str) -> Recognised:
    """From Tesseract's table of words (TSV)."""
    words = [
        (paragraph, line, float(sure), clean(text))
        for paragraph, line, sure, text in _WORD.findall(table)
        if clean(text)
    ]
    sure = round(sum(word[2] for word in words) / len(words)) if words else 0
    if sure < LEAST_SURE:
        return Recognised((), sure)
    lines: list[str] = []
    for _, paragraph in groupby(words, key=lambda word: word[0]):
        lines += [""] if lines else []
        for _, line in groupby(paragraph, key=lambda word: word[1]):
            text = " ".join(word[3] for word in line)
            begun = lines and lines[-2:-1] in ([], [""]) and text[:1].isupper()
            lines += ["", text] if begun and _is_letterhead(lines[-1]) else [text]
    return Recognised(tuple(lines), sure)
