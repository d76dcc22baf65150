from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import PurePath
from typing import Any

from uhhrag.documents.document import Document

Reader = Callable[..., Iterable[Document | str]]
"""Path → documents, and clauses for parts not read. Raises Unreadable, or Scanned to be called
again with `recognised` pages."""
_OURS = "uhhrag.documents."
VERSION = 41
"""Increase when readers' records change."""
_GIBIBYTE = 2**30


@dataclass(frozen=True, slots=True)
class Format:
    called: str
    """Name for people, "" if not read."""
    endings: tuple[str, ...]
    reader: str
    """"module:function" of this folder; only the reading process imports it."""
    needs: tuple[str, ...] = ()
    """Modules of the extra `docs`."""
    pace: float = 10.0
    """Processor seconds per MiB, besides those for any file."""
    many: bool = False
    """Many documents, so no draft."""
    draft: bool = True
    largest: int = _GIBIBYTE // 4
    """Bytes."""
    scan: str = ""
    """Like `reader`: draws a page for OCR."""
    picture: str = ""
    """Draws a page for people."""


HOW = {
    ".doc": "is an old Word document; save it as .docx",
    ".ppt": "is an old presentation; save it as .pptx",
    ".odp": "is an OpenDocument presentation; save it as .pptx",
    ".xlsb": "is a binary workbook; save it as .xlsx",
    ".msg": "is a mail of Outlook; save it as .eml, or print it to PDF",
    ".pst": "is a mailbox of Outlook; export it as .mbox or its mails as .eml",
    ".p7m": "is a signed or encrypted mail; save its text from a mail program",
    ".wpd": "is a WordPerfect document; save it as .docx",
    ".pages": "is a document of Pages; export it as .docx or PDF",
    ".numbers": "is a workbook of Numbers; export it as .xlsx",
    **dict.fromkeys(
        (".rar", ".7z", ".tar", ".tgz"), "is an archive; unpack it, or pack it as .zip"
    ),
}
"""Endings not read, with how to convert them."""

_LXML, _PAGES, _PANDOC = ("lxml",), ("trafilatura", "lxml"), ("pypandoc", "lxml")
_WEB = (*_PAGES, "warcio", "brotli")
_PACKAGES = {
    "trafilatura": ("trafilatura", "htmldate"),
    "pypandoc": ("pypandoc-binary",),
    "PIL": ("pillow",),
}
"""Module → packages, if named otherwise or several."""

SCANS = "scans"

FORMATS: dict[str, Format] = {
    "html": Format(
        "web pages", (".html", ".htm", ".xhtml"), "web.html:read_html", _PAGES, pace=1.5
    ),
    "pdf": Format(
        "PDF",
        (".pdf",),
        "pdf.reader:read_pdf",
        ("pypdfium2", "PIL"),
        scan="pdf.reader:grey_page",
        picture="pdf.page:render_page",
    ),
    "docx": Format("Word", (".docx",), "office.docx:read_docx", _PANDOC),
    "text": Format("text", (".txt", ".text"), "plain.text:read_text_file"),
    "markdown": Format("Markdown", (".md", ".markdown"), "web.markup:read_markdown", _PANDOC),
    "rst": Format("reStructuredText", (".rst",), "web.markup:read_rst", _PANDOC),
    "org": Format("Org", (".org",), "web.markup:read_org", _PANDOC),
    "latex": Format("LaTeX", (".tex",), "web.markup:read_latex", _PANDOC),
    "docbook": Format("DocBook", (".docbook", ".dbk"), "web.markup:read_docbook", _PANDOC),
    "mediawiki": Format("MediaWiki", (".mediawiki", ".wiki"), "web.markup:read_mediawiki", _PANDOC),
    "pptx": Format("PowerPoint", (".pptx",), "office.slides:read_pptx", _LXML),
    "rows": Format(
        "JSON lines",
        (".jsonl", ".ndjson"),
        "web.jsonl:read_rows",
        many=True,
        largest=16 * _GIBIBYTE,
    ),
    "feed": Format(
        "feeds", (".rss", ".atom", ".xml", ".json"), "bundles.feeds:read_feed", _PANDOC, draft=False
    ),
    "table": Format(
        "CSV", (".csv", ".tsv", ".tab"), "sheets.delimited:read_delimited", draft=False
    ),
    "xlsx": Format(
        "Excel", (".xlsx", ".xlsm"), "sheets.xlsx:read_xlsx", ("openpyxl",), draft=False
    ),
    "xls": Format("Excel", (".xls",), "sheets.xls:read_xls", ("xlrd",), draft=False),
    "ods": Format("LibreOffice", (".ods",), "sheets.ods:read_ods", _LXML, draft=False),
    "odt": Format("LibreOffice", (".odt",), "office.odt:read_odt", _PANDOC),
    "rtf": Format("RTF", (".rtf",), "office.rtf:read_rtf", _PANDOC),
    "mail": Format("mail", (".eml",), "bundles.mail:read_mail", _PANDOC),
    "mailbox": Format(
        "mailboxes", (".mbox", ".mbx"), "bundles.mail:read_mbox", _PANDOC, draft=False
    ),
    "zip": Format("ZIP", (".zip",), "parts:read_zip", draft=False),
    "unread": Format("", tuple(HOW), "first_bytes:read_unread", draft=False),
    "epub": Format("EPUB", (".epub",), "bundles.epub:read_epub", _PANDOC, draft=False),
    "subtitles": Format("subtitles", (".srt", ".vtt"), "plain.transcripts:read_subtitles"),
    "warc": Format(
        "web archives",
        (".warc", ".warc.gz"),
        "bundles.web_archive:read_warc",
        _WEB,
        many=True,
        largest=4 * _GIBIBYTE,
    ),
    "wacz": Format(
        "web archives",
        (".wacz",),
        "bundles.web_archive:read_wacz",
        _WEB,
        many=True,
        largest=_GIBIBYTE,
    ),
    "mhtml": Format(
        "web pages", (".mhtml", ".mht"), "bundles.web_archive:read_mhtml", _PAGES, pace=1.5
    ),
    "picture": Format(
        SCANS,
        (".png", ".jpg", ".jpeg", ".tif", ".tiff"),
        "scans:read_picture",
        ("PIL",),
        draft=False,
        scan="scans:picture_page",
        picture="pdf.page:render_picture",
    ),
}
"""By kind, as in files' states."""
ENDINGS: dict[str, str] = {ending: kind for kind, row in FORMATS.items() for ending in row.endings}
"""Lower-case ending → kind."""


def kind_of(path: PurePath) -> str:
    """By the ending; "" if unknown.

    >>> [kind_of(PurePath(name)) for name in ("Minutes.DOCX", "crawl.warc.gz", "minutes.exe")]
    ['docx', 'warc', '']
    """
    two = "".join(path.suffixes[-2:]).lower()
    return ENDINGS.get(two) or ENDINGS.get(path.suffix.lower(), "")


def called(endings: Iterable[str]) -> list[str]:
    """
    >>> called((".xlsx", ".htm", ".ods", ".xls", ".rar"))
    ['Excel', 'web pages', 'LibreOffice']
    """
    return list(dict.fromkeys(filter(None, (FORMATS[ENDINGS[one]].called for one in endings))))


@cache
def read_with(kind: str) -> str:
    """Versions of reader and packages."""
    needs = (*FORMATS[kind].needs, "nupunkt")
    names = (name for one in needs for name in _PACKAGES.get(one, (one,)))
    return " ".join((f"{kind} {VERSION}", *(f"{name} {version(name)}" for name in names)))


def imported(name: str) -> Any:
    """Imports "module:function", in the reading process only."""
    module, _, function = name.partition(":")
    return getattr(import_module(_OURS + module), function)
