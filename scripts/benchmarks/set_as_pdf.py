"""Documents in Markdown, text and HTML → the same documents as PDFs, whose headings, lists and
tables are only told by how they are set.
"""

from __future__ import annotations

import html
import re
from pathlib import Path


def set_as_pdf(folder: Path, out: Path) -> Path:
    """The documents of a folder as PDFs in another one, which is returned."""
    out.mkdir(parents=True, exist_ok=True)
    for file in sorted(folder.iterdir()):
        set_html(out / f"{file.stem}.pdf", _as_html(file))
    return out


def set_html(path: Path, text: str) -> Path:
    """A PDF with headings of large letters, lists and tables."""
    from fpdf import FPDF

    pdf = FPDF()
    pdf.set_font("helvetica", size=11)
    pdf.add_page()
    pdf.write_html(text)
    pdf.output(str(path))
    return path


def _as_html(file: Path) -> str:
    """The body of a document."""
    from markdown_it import MarkdownIt

    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        return str(MarkdownIt("commonmark").enable("table").render(text))
    if file.suffix == ".txt":
        parts = (html.escape(part) for part in text.split("\n\n"))
        return "".join(f"<p>{part}</p>" for part in parts)
    return re.sub(r"(?s)^.*?<body>|</body>.*$|</?main>", "", text)
