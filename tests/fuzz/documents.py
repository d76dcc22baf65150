"""Readers of a user's own documents, as their process calls them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.fuzz.reader import Reader, jsons, zipped
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
from tests.support.paths import ROOT
from uhhrag.documents import ocr, reader_process
from uhhrag.documents.formats import FORMATS
from uhhrag.errors import InputError
from uhhrag.text.language import other_language
from uhhrag.text.sentences import sentences

_SUBTITLES = b"""WEBVTT

1
00:00:01.000 --> 00:00:04,500
<v Ann>It rained <i>all</i> night. {\\an8}

00:12:31,000 --> 00:12:33,000
- Did it?
- It poured. [thunder]
"""
_WARC = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/rain\r\n"
    b"WARC-Date: 2021-03-04T05:06:07Z\r\nContent-Type: application/http; msgtype=response\r\n"
    b"WARC-Record-ID: <urn:uuid:12345678-1234-1234-1234-123456789012>\r\nContent-Length: 93\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=latin1\r\n\r\n"
    b"<p>It rained all night.</p>      \r\n\r\n"
)
_MHTML = (
    b"Snapshot-Content-Location: https://a.example/rain\r\nDate: Thu, 4 Mar 2021 05:06:07 -0000\r\n"
    b'Content-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n'
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>It rained=20all night.</p>\r\n--b--\r\n"
)
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
_MORE_MAIL = b"""From: =?iso-8859-1?q?Ren=E9?= <r@b.example>
Subject: =?utf-8?b?w4lsw6ltZW50?=
Content-Type: multipart/mixed; boundary="x y"

--x y
Content-Type: message/rfc822

Date: 3 May 19 14:02 UT
Content-Type: text/html; charset=windows-1252
Content-Transfer-Encoding: base64

PHA+SXQgcmFpbmVkLjwvcD4=
--x y
Content-Type: application/zip; name*=utf-8''all%20files.zip
Content-Disposition: attachment

UEs=
--x y--
"""
_MORE_RTF = (
    rb"{\rtf1\mac\deff0{\fonttbl{\f0\fcharset128 x;}}\uc2\f0 \u26085\'93\'fa It rained.\line "
    rb"{\object{\*\objdata 00}{\result Nobody}} slept.\par\trowd 2019\cell{\b 1,5}\cell\row}"
)
_MORE_TABLES = (
    b'Port\tSince\nLunde\t"3 May\n2019"\n',
    "Year,Rain\n2019,1.5\n".encode("utf-16"),
    b"It rained.\n\nYear|Rain\n2019|\n",
)
_WORDS = (
    b"level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    b"4\t1\t1\t1\t1\t0\t9\t9\t99\t9\t-1\t\n5\t1\t1\t1\t1\t1\t9\t9\t9\t9\t96.5\tIt\n"
    b"5\t1\t1\t1\t1\t2\t9\t9\t9\t9\t88\trained.\n5\t1\t1\t2\t1\t1\t9\t9\t9\t9\t71\tNobody\n"
)
_PACKED = {
    "docx": ("word/document.xml", "word/styles.xml", "docProps/core.xml"),
    "xlsx": (
        *("xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"),
        *("xl/_rels/workbook.xml.rels", "docProps/core.xml"),
    ),
    "odt": ("content.xml", "meta.xml"),
    "epub": ("OEBPS/a.xhtml", "OEBPS/content.opf", "META-INF/container.xml"),
}
"""What is read of packed documents, by the names of their members."""
_TABLE = b'Year;Rain;Note\n2019;1,5;"It rained; and\nrained."\n2020;2;None\n'


_ODS_CONTENT = (
    b"<d xmlns:table='t' xmlns:text='x'><table:table table:name='Rain'><table:table-row>"
    b"<table:table-cell table:number-columns-spanned='2'><text:p>Year</text:p></table:table-cell>"
    b"<table:covered-table-cell/></table:table-row><table:table-row table:visibility='collapse'>"
    b"<table:table-cell><text:p>It</text:p></table:table-cell></table:table-row></table:table></d>"
)


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
    pdf.set_creation_date(datetime(2020, 1, 2, tzinfo=UTC))
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


def _picture(kind: str, **more: Any) -> bytes:
    from PIL import Image

    packed = io.BytesIO()
    Image.effect_noise((200, 60), 90).save(packed, kind, **more)
    return packed.getvalue()


def _pictures() -> tuple[bytes, ...]:
    from PIL import Image

    pages = [Image.effect_noise((120, 40), 90)]
    return (
        _picture("PNG"),
        _picture("JPEG"),
        _picture("TIFF", save_all=True, append_images=pages),
    )


def _scanned_pdf() -> bytes:
    from fpdf import FPDF

    pdf = FPDF()
    pdf.add_page()
    pdf.image(io.BytesIO(_picture("PNG")), 0, 0, 210)
    return bytes(pdf.output())


def _members(kind: str, content: bytes) -> Iterator[Reader]:
    """A reader for each member of a packed document: the member is hostile, the rest is good, so
    that what is tested is not the archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        good = {name: packed.read(name) for name in packed.namelist()}

    def beside(name: str) -> Callable[[bytes], bytes]:
        return lambda hostile: zipped({**good, name: hostile})

    for name in _PACKED[kind]:
        yield Reader(
            f"document, {kind}, {name.rpartition('/')[2]}",
            "document",
            (good[name],),
            _document(kind),
            with_checksums=beside(name),
        )


def _scan(folder: Path) -> object:
    request = {"path": bytes(folder / "document").hex(), "spool": str(folder / "spool")}
    answer = reader_process.answer({**request, "kind": "picture", "scan": 1})
    if "why" in answer:
        raise InputError(answer["why"])
    return answer


def _recognised(folder: Path) -> object:
    return ocr.page_of((folder / "words").read_bytes().decode("utf-8", "replace"))


def _document(kind: str) -> Any:
    def read(folder: Path) -> object:
        request = {
            "path": bytes(folder / "document").hex(),
            "spool": str(folder / "spool"),
            "kind": str(kind),
            "state": {"file": "document"},
            "recognised": {"1": (("It rained.",), 90)} if FORMATS[kind].scan else {},
            "ocr": "tesseract",
        }
        answer = reader_process.answer(request)
        if "why" in answer:
            raise InputError(answer["why"])
        return answer

    return read


def _draw(folder: Path) -> object:
    request = {
        "path": bytes(folder / "document.pdf").hex(),
        "spool": str(folder / "spool"),
        "number": 1,
        "sentence": "It rained all night.",
    }
    answer = reader_process.answer(request)
    if "why" in answer:
        raise InputError(answer["why"])
    return answer


_ODS = zipped({"content.xml": _ODS_CONTENT})


def _wacz() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("archive/data.warc", _WARC)
    return stream.getvalue()


def _readers() -> tuple[Reader, ...]:
    sentences("It is loaded. Then it is kept.")
    other_language("The model of languages is unpacked when it is first asked for something long.")
    seeds: dict[str, tuple[bytes, ...]] = {
        "html": (_HTML,),
        "text": (_TEXT,),
        "markdown": (_MARKDOWN, b"# Rain\n\n10<sup>6</sup> drops[^1], ~~no~~.\n\n[^1]: A note.\n"),
        "rst": (b"Rain\n====\n\nIt rained [1]_.\n\n  Quoted.\n\n.. [1] A note.\n",),
        "org": (b"* Rain\nIt +not+ rained[fn:1].\n\n[fn:1] A note.\n",),
        "latex": (rb"\section{Rain} It rained $10^{6}$ drops\footnote{A note.}.",),
        "docbook": (
            b"<article><para>It rained.<footnote><para>x</para></footnote></para></article>",
        ),
        "mediawiki": (b"== Rain ==\nIt rained<ref>A note.</ref> <s>no</s> 10<sup>6</sup>.\n",),
        "rows": (_ROWS,),
        "feed": (
            b"<rss><channel><item><description>It rained.</description></item></channel></rss>",
            b'{"version": "https://jsonfeed.org/version/1", "items": [{"content_text": "It."}]}',
        ),
        "docx": (_docx(),),
        "pdf": (_pdf(), _scanned_pdf()),
        "table": (_TABLE, *_MORE_TABLES),
        "picture": _pictures(),
        "xlsx": (_xlsx(),),
        "xls": ((ROOT / "tests/documents/files/county.xls").read_bytes(),),
        "ods": (_ODS,),
        "odt": (_made(lambda file: write_odt(file, _ODT)),),
        "rtf": (RTF, _MORE_RTF),
        "mail": (MAIL.encode(), _MORE_MAIL),
        "mailbox": (b"From a\n" + MAIL.encode() + b"\n\nFrom b\n" + _MORE_MAIL,),
        "zip": (zipped({"a.txt": _TEXT, "b/c.csv": _TABLE, "d.eml": MAIL.encode()}),),
        "subtitles": (_SUBTITLES,),
        "wacz": (_wacz(),),
        "warc": (_WARC,),
        "mhtml": (_MHTML,),
        "epub": (_made(lambda file: write_epub(file, {"a.xhtml": CHAPTER})),),
    }
    return (
        *(
            Reader(f"document, {kind}", "document", several, _document(kind))
            for kind, several in seeds.items()
        ),
        *(one for kind in _PACKED for one in _members(kind, seeds[kind][0])),
        Reader("document, drawn", "document.pdf", seeds["pdf"], _draw),
        Reader("document, scan", "document", seeds["picture"], _scan),
        Reader("document, words of OCR", "words", (_WORDS,), _recognised),
    )


DOCUMENTS = _readers()
