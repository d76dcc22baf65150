"""Readers of a user's own documents, as their process calls them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.fuzz.reader import Reader, jsons
from tests.support.packed_documents import (
    CHAPTER,
    DATE,
    MAIL,
    RTF,
    SHARE,
    write_epub,
    write_odt,
    write_xlsx,
)
from uhhrag.documents import reader_process
from uhhrag.documents.survey import DocumentFormat
from uhhrag.errors import InputError, ModelError
from uhhrag.text.language import other_language
from uhhrag.wiring import nltk_data

_HTML = b"""<html lang="en"><head><title>Rain</title><meta name="author" content="Ann">
<meta property="article:published_time" content="2020-10-31"></head><body><article><h1>Rain</h1>
<p>It rained all night, and in the morning the street was a river of brown water.</p>
<p>Nobody had seen it rain like that since 1911, said the mayor &amp; her neighbour.</p>
<script>alert(1)</script><img src="file:///etc/passwd"></article></body></html>"""
_TEXT = b"Rain\n\nIt rained all night. In the morning the street\nwas a river.\n\nNobody slept.\n"
_MARKDOWN = (
    b"---\ntitle: Rain\n---\n# Rain\n\nIt *rained* all night. [Link](x.md)\n\n- One.\n- Two.\n"
)
_ROWS = jsons(
    {"_id": "1", "title": "Rain", "text": "It rained. Nobody slept.", "metadata": {"url": "u"}},
    {"url": "https://a.example", "url2text": ["It rained."], "date": "2020-01-01"},
)
_ODT = (
    "<text:h>Rain</text:h><text:p>It rained.<text:s text:c='2'/>Nobody slept.</text:p><table:table>"
    "<table:table-row><table:table-cell><text:p>2019</text:p></table:table-cell></table:table-row>"
    "</table:table><text:soft-page-break/><text:p>Then it stopped.</text:p>"
)
_TABLE = b'Year;Rain;Note\n2019;1,5;"It rained; and\nrained."\n2020;2;None\n'


def _docx() -> bytes:
    from docx import Document

    document, packed = Document(), io.BytesIO()
    document.add_heading("Rain", 1)
    document.add_paragraph("It rained all night. Nobody slept.")
    document.save(packed)
    return packed.getvalue()


def _pdf() -> bytes:
    from fpdf import FPDF

    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=12)
    pdf.cell(text="It rained all night. Nobody slept.")
    return bytes(pdf.output())


def _made(write: Callable[[Path], object]) -> bytes:
    """The bytes of a file that a helper of the tests writes."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "document"
        write(file)
        return file.read_bytes()


def _xlsx() -> bytes:
    rows = (("Year", "Rain", "Share"), (2019, 1.5, (0.2, SHARE)), ((43588, DATE), "None", True))
    return _made(lambda file: write_xlsx(file, {"Rain": rows}, title="Rain"))


def _png() -> bytes:
    from PIL import Image

    packed = io.BytesIO()
    Image.effect_noise((200, 60), 90).save(packed, "PNG")
    return packed.getvalue()


def _scan(folder: Path) -> object:
    request = {"path": bytes(folder / "document").hex(), "spool": str(folder / "spool")}
    answer = reader_process.draw_scan({**request, "kind": "picture", "scan": 1})
    if "why" in answer:
        raise InputError(answer["why"])
    return answer


def _document(kind: DocumentFormat) -> Any:
    def read(folder: Path) -> object:
        request = {
            "path": bytes(folder / "document").hex(),
            "spool": str(folder / "spool"),
            "kind": str(kind),
            "state": {"file": "document"},
            "recognised": {"1": (("It rained.",), 90)},  # of a scan
            "ocr": "tesseract",
        }
        answer = reader_process.read(request)
        if "why" in answer:
            raise InputError(answer["why"])
        return answer

    return read


def _draw(folder: Path) -> object:
    request = {
        "path": bytes(folder / "document").hex(),
        "spool": str(folder / "spool"),
        "number": 1,
        "sentence": "It rained all night.",
    }
    answer = reader_process.render(request)
    if "why" in answer:
        raise InputError(answer["why"])
    return answer


def _readers() -> tuple[Reader, ...]:
    try:
        nltk_data.load_nltk_data()
    except ModelError:  # sentences cannot be told apart without NLTK's data
        return ()
    other_language("The model of languages is unpacked when it is first asked for something long.")
    seeds = {
        DocumentFormat.HTML: _HTML,
        DocumentFormat.TEXT: _TEXT,
        DocumentFormat.MARKDOWN: _MARKDOWN,
        DocumentFormat.ROWS: _ROWS,
        DocumentFormat.DOCX: _docx(),
        DocumentFormat.PDF: _pdf(),
        DocumentFormat.TABLE: _TABLE,
        DocumentFormat.PICTURE: _png(),
        DocumentFormat.XLSX: _xlsx(),
        DocumentFormat.ODT: _made(lambda file: write_odt(file, _ODT)),
        DocumentFormat.RTF: RTF,
        DocumentFormat.MAIL: MAIL.encode(),
        DocumentFormat.EPUB: _made(lambda file: write_epub(file, {"a.xhtml": CHAPTER})),
    }
    drawn = Reader("document, drawn", "document", (seeds[DocumentFormat.PDF],), _draw)
    return (
        *(
            Reader(f"document, {kind}", "document", (seed,), _document(kind))
            for kind, seed in seeds.items()
        ),
        drawn,
        Reader("document, scan", "document", (seeds[DocumentFormat.PICTURE],), _scan),
    )


DOCUMENTS = _readers()
