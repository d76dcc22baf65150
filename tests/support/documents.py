"""Small real documents of every kind, made on the spot; and a reader that is not apart."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, ClassVar

from uhhrag.documents import reader_process
from uhhrag.documents.listing import DocumentFile

LONG = (
    "The harbour of Varnby was dredged in the spring of 2019 so that larger ships could call at "
    "the port. The work took eleven weeks."
)
PAGE = """<!DOCTYPE html>
<!-- saved from url=(0032)https://news.example/saved/varnby -->
<html><head><title>Harbour dredged</title>
<meta name="author" content="Ada Writer">
<meta property="og:site_name" content="Varnby News">
<meta property="article:published_time" content="2019-06-11T08:00:00Z">
{canonical}</head><body>
<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<article><h1>Harbour dredged</h1><p>{text}</p>
<p>The mayor, Dr. Lund, called it a success.</p></article>
<footer>Copyright 1998 Varnby News</footer></body></html>"""


def write_html(path: Path, text: str = LONG, canonical: str = "", encoding: str = "utf-8") -> Path:
    path.write_bytes(PAGE.format(text=text, canonical=canonical).encode(encoding))
    return path


def write_pdf(
    path: Path,
    pages: list[list[str]],
    *,
    head: str = "",
    password: str = "",
    **about: str,
) -> Path:
    """A PDF with the lines of each page; `head` with a page number stands on top of every one."""
    from fpdf import FPDF

    pdf = FPDF()
    pdf.set_font("helvetica", size=11)
    for number, lines in enumerate(pages, start=1):
        pdf.add_page()
        for line in [f"{head} {number}", *lines] if head else lines:
            pdf.cell(0, 7, line, new_x="LMARGIN", new_y="NEXT")
    if about:
        pdf.set_title(about.get("title", ""))
        pdf.set_author(about.get("author", ""))
    if password:
        pdf.set_encryption(owner_password=password, user_password=password)
    path.write_bytes(bytes(pdf.output()))
    return path


def write_scan(path: Path) -> Path:
    """A PDF of drawn lines, without any text."""
    from fpdf import FPDF

    pdf = FPDF()
    pdf.add_page()
    pdf.line(10, 10, 100, 100)
    path.write_bytes(bytes(pdf.output()))
    return path


def write_docx(path: Path, texts: list[str], rows: tuple[tuple[str, ...], ...] = ()) -> Path:
    from datetime import datetime

    import docx

    document = docx.Document()
    document.core_properties.title = "Minutes"
    document.core_properties.author = "B. Clerk"
    document.core_properties.created = datetime(2020, 3, 4, 5, 6)
    for text in texts:
        document.add_paragraph(text)
    if rows:
        table = document.add_table(len(rows), len(rows[0]))
        for row, cells in zip(table.rows, rows, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
    document.save(str(path))
    return path


def write_rows(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


class HereReader:
    """Reads in our own process, for the tests that are not about the other one; `asked` are the
    names of the files it was asked to read."""

    asked: ClassVar[list[str]] = []

    def __enter__(self) -> HereReader:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(
        self, file: DocumentFile, state: dict[str, Any], spool: Path, *, draft: bool = False
    ) -> dict[str, Any]:
        self.asked.append(file.name)
        request = {
            "path": os.fsencode(file.path).hex(),
            "spool": str(spool),
            "kind": file.kind,
            "state": {"file": file.name, **state},
            "draft": draft,
        }
        return reader_process.answer(request)
