"""Small real documents that are zips, made on the spot as their programs make them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote
from xml.sax.saxutils import escape, quoteattr

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
DATE, SHARE, EURO = 1, 2, 3
"""The styles of the cells of `write_xlsx`."""
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><numFmts count="1"><numFmt numFmtId="165" '
    'formatCode="[$€-407]\\ #,##0.00"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/>'
    '</cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/>'
    '<xf numFmtId="165"/></cellXfs></styleSheet>'
)
_CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
    'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>{title}</dc:title>'
    "<dc:creator>B. Clerk</dc:creator><dcterms:created>2020-03-04T05:06:00Z</dcterms:created>"
    "</cp:coreProperties>"
)
Cell = str | int | float | bool | tuple[float, int]
"""A text, a number, yes or no, or a number with its style."""


def write_zip(path: Path, members: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return path


_SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_SHEET_TYPE = (
    '<Override PartName="/xl/worksheets/sheet{}.xml" '
    f'ContentType="{_SPREADSHEET}.worksheet+xml"/>'
)
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_SPREADSHEET}.sheet.main+xml"/>{{}}'
    f'<Override PartName="/xl/styles.xml" ContentType="{_SPREADSHEET}.styles+xml"/>'
    '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.'
    'core-properties+xml"/>'
    f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_SPREADSHEET}.sharedStrings+xml"/>'
    "</Types>"
)


def write_xlsx(
    path: Path,
    sheets: Mapping[str, Sequence[Sequence[Cell | None]]],
    title: str = "",
    more: Mapping[str, str | bytes] | None = None,
) -> Path:
    """A workbook with these rows on each sheet; None leaves a cell out. `more` are other members,
    or others in their place."""
    texts: list[str] = []
    numbered = list(enumerate(sheets.items(), start=1))
    members: dict[str, str | bytes] = {
        f"xl/worksheets/sheet{n}.xml": _sheet(rows, texts) for n, (_, rows) in numbered
    }
    names = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="rId{n}"/>' for n, (name, _) in numbered
    )
    parts = {f"rId{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n, _ in numbered}
    parts |= {"s": ("styles", "styles.xml"), "t": ("sharedStrings", "/xl/sharedStrings.xml")}
    shared = "".join(f"<si><t>{escape(text)}</t></si>" for text in texts)
    members |= {
        "[Content_Types].xml": _TYPES.format("".join(_SHEET_TYPE.format(n) for n, _ in numbered)),
        "_rels/.rels": _relations({"rId1": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{names}'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(parts),
        "xl/sharedStrings.xml": f'{_HEAD}<sst xmlns="{_MAIN}">{shared}</sst>',
        "xl/styles.xml": _HEAD + _STYLES,
        "docProps/core.xml": _HEAD + _CORE.format(title=escape(title)),
    }
    return write_zip(path, members | dict(more or {}))


def _relations(parts: Mapping[str, tuple[str, str]]) -> str:
    each = "".join(
        f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for name, (kind, target) in parts.items()
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}">{each}</Relationships>'


def _sheet(rows: Sequence[Sequence[Cell | None]], texts: list[str]) -> str:
    made = "".join(
        f'<row r="{number}">{"".join(_cells(row, number, texts))}</row>'
        for number, row in enumerate(rows, start=1)
        if row
    )
    return f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>{made}</sheetData></worksheet>'


def _cells(row: Sequence[Cell | None], number: int, texts: list[str]) -> list[str]:
    made = []
    for at, cell in enumerate(row):
        place = f'r="{chr(65 + at)}{number}"'
        if isinstance(cell, str):
            texts.append(cell)
            made.append(f'<c {place} t="s"><v>{len(texts) - 1}</v></c>')
        elif isinstance(cell, bool):
            made.append(f'<c {place} t="b"><v>{int(cell)}</v></c>')
        elif isinstance(cell, tuple):
            made.append(f'<c {place} s="{cell[1]}"><v>{cell[0]!r}</v></c>')
        elif cell is not None:
            made.append(f"<c {place}><v>{cell!r}</v></c>")
    return made


_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_SPACES = " ".join(
    f'xmlns:{short}="{_ODF}:{name}:1.0"'
    for short, name in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("meta", "meta"),
        ("style", "style"),
        ("fo", "xsl-fo-compatible"),
    )
)


def odt_table(*texts: tuple[str, ...]) -> str:
    """A table in ODF's elements."""
    cells = (
        "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        for row in texts
    )
    made = "".join(f"<table:table-row>{row}</table:table-row>" for row in cells)
    return f"<table:table>{made}</table:table>"


def write_odt(
    path: Path, body: str, more: Mapping[str, str | bytes] | None = None, styles: str = ""
) -> Path:
    """A text whose body and looks are given in ODF's elements; `more` as in `write_xlsx`."""
    looks = f"<office:automatic-styles>{styles}</office:automatic-styles>" if styles else ""
    members: dict[str, str | bytes] = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f"{_HEAD}<office:document-content {_SPACES}>{looks}<office:body>"
        f"<office:text>{body}</office:text></office:body></office:document-content>",
        "meta.xml": f'{_HEAD}<office:document-meta {_SPACES} xmlns:dc="http://purl.org/dc/elements/'
        '1.1/"><office:meta><dc:creator>Last Editor</dc:creator><dc:date>2022-01-01T00:00:00'
        "</dc:date><dc:title>Minutes</dc:title><meta:initial-creator>B. Clerk"
        "</meta:initial-creator><meta:creation-date>2020-03-04T05:06:00</meta:creation-date>"
        "</office:meta></office:document-meta>",
        "META-INF/manifest.xml": "<manifest/>",
    }
    return write_zip(path, members | dict(more or {}))


RTF = rb"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}
{\f1\fnil\fcharset204{\*\fname Arial;}Arial CYR;}}{\colortbl;\red255\green0\blue0;}
{\info{\title Minutes}{\author B. Clerk}{\creatim\yr2020\mo3\dy4\hr5}{\revtim\yr2021}}
{\header Page head\par}\pard\f0 It is so. {\b Is} it? Caf\'e9 \u8364?5 \u-10179?\u-8704?
\ldblquote quoted\rdblquote  {\f1\'cf\'f0\'e8\'e2\'e5\'f2} end.\par
{\v hidden}{\deleted gone}{\*\unknown part}{\pict\pngblip 89504e47}{\footnote A note.}
{\field{\*\fldinst{HYPERLINK "http://x"}}{\fldrslt Link text.}}\par
\trowd\intbl Year\cell Ships\cell\row\trowd\intbl 2019\cell 14\cell\row
\pard After {\*\x\bin5 }}\{}}bytes\'2e}"""
"""A text with most of what RTF has."""


def write_epub(
    path: Path, chapters: Mapping[str, str], more: Mapping[str, str | bytes] | None = None
) -> Path:
    """A book of chapters, by the names of their files; `more` as in `write_xlsx`."""
    items = "".join(
        f'<item id="c{n}" href="{name}" media-type="application/xhtml+xml"/>'
        for n, name in enumerate(chapters)
    )
    order = "".join(f'<itemref idref="c{n}"/>' for n, _ in enumerate(chapters))
    members: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": f"{_HEAD}<container><rootfiles>"
        '<rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
        "OEBPS/content.opf": f'{_HEAD}<package xmlns="http://www.idpf.org/2007/opf"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Harbour</dc:title><dc:creator>'
        "A. Uthor</dc:creator><dc:date>2019-05-03</dc:date></metadata><manifest>"
        f'<item id="x" href="style.css" media-type="text/css"/>{items}</manifest>'
        f"<spine>{order}</spine></package>",
    }
    members |= {f"OEBPS/{unquote(name)}": text for name, text in chapters.items()}
    return write_zip(path, members | dict(more or {}))


CHAPTER = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><style>p {}</style></head>
<body><h2>{heading}</h2><p>It&nbsp;rained all night. Nobody
slept.</p><script>draw()</script><p>Then it <em>stopped</em>.</p></body></html>"""
MAIL = """Received: from a.example
From: =?utf-8?q?Ada_Wr=C3=ADter?= <ada@b.example>
To: Bo <bo@b.example>, C <c@c.example>
Date: Fri, 3 May 2019 14:02:00 +0200
Subject: The harbour
 of Varnby
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

The harbour in K=F6ln was dredged
in spring. It took weeks.

> Did it rain? asked
> the clerk.
--inner
Content-Type: text/html; charset=utf-8

<p>The harbour was <b>dredged</b> in spring.</p>
--inner--
--outer
Content-Type: application/pdf; name=report.pdf
Content-Disposition: attachment; filename="../../etc/report 2019.pdf"
Content-Transfer-Encoding: base64

JVBERg==
--outer
Content-Type: image/png; name=logo.png
Content-Disposition: inline

x
--outer--
"""
