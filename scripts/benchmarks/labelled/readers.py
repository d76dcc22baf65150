"""What gives the text of a PDF: ours, and the libraries and programs that are installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from uhhrag.documents.blocks import split_blocks
from uhhrag.documents.document import Document
from uhhrag.documents.pdf.reader import read_pdf
from uhhrag.documents.plain.text_tables import text_blocks

Reader = Callable[[Path], list[str]]
"""The sentences of a file."""


def ours(path: Path) -> list[str]:
    document, *_ = read_pdf(path)
    return [str(line) for line in document.lines] if isinstance(document, Document) else []


def readers() -> Iterator[tuple[str, Reader]]:
    """Ours, and others, whose text is cut into paragraphs and sentences as ours is."""
    yield "ours", ours
    for name, read in _OTHERS.items():
        if shutil.which(name) or find_spec(name.replace("-", "_").replace(".", "_")):
            yield name, _cut(read)


def _cut(read: Callable[[Path], str]) -> Reader:
    return lambda path: list(split_blocks(text_blocks(read(path).split("\n"))).lines)


def _pypdfium2(path: Path) -> str:
    with import_module("pypdfium2").PdfDocument(path) as pdf:
        pages = [page.get_textpage().get_text_range() for page in pdf]
    return "\n\n".join(pages).replace("\r", "")


def _pdfplumber(path: Path) -> str:
    with import_module("pdfplumber").open(path) as pdf:
        return "\n\n".join(page.extract_text() for page in pdf.pages)


def _pypdf(path: Path) -> str:
    return "\n\n".join(page.extract_text() for page in import_module("pypdf").PdfReader(path).pages)


def _pdfminer(path: Path) -> str:
    return str(import_module("pdfminer.high_level").extract_text(path))


def _pymupdf(path: Path) -> str:
    with import_module("pymupdf").open(path) as pdf:
        return "\n\n".join(page.get_text(sort=True) for page in pdf)


def _pdftotext(path: Path) -> str:
    command = ["pdftotext", str(path), "-"]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


def _pdf_oxide(path: Path) -> str:
    pdf = import_module("pdf_oxide").PdfDocument(str(path))
    return "\n\n".join(pdf.extract_text(at) for at in range(pdf.page_count()))


def _kreuzberg(path: Path) -> str:
    return str(import_module("kreuzberg").extract_file_sync(str(path)).content)


_OTHERS: dict[str, Callable[[Path], str]] = {
    "pypdfium2": _pypdfium2,
    "pdfplumber": _pdfplumber,
    "pdfminer": _pdfminer,
    "pypdf": _pypdf,
    "pymupdf": _pymupdf,
    "pdftotext": _pdftotext,
    "pdf-oxide": _pdf_oxide,
    "kreuzberg": _kreuzberg,
}
