"""A file that is empty or of another kind than its ending says is told so, with what to do."""

from __future__ import annotations

import io
import zipfile

import pytest

from uhhrag.documents.document import Unreadable
from uhhrag.documents.first_bytes import require_kind
from uhhrag.documents.formats import FORMATS, kind_of


def zipped(**members: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return packed.getvalue()


WORD = zipped(**{"[Content_Types].xml": "<a/>", "word/document.xml": "<a/>"})
SHEET = zipped(**{"[Content_Types].xml": "<a/>", "xl/workbook.xml": "<a/>"})
ODT = zipped(mimetype="application/vnd.oasis.opendocument.text", **{"content.xml": "<a/>"})
EPUB = zipped(mimetype="application/epub+zip")
OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
PAGE = b"<!DOCTYPE html>\n<html><p>It rained.</p></html>"


@pytest.mark.parametrize(
    "ending", [one for row in FORMATS.values() for one in row.endings if not row.many]
)
def test_an_empty_file_is_told_as_such_whatever_its_ending(tmp_path, ending):
    file = tmp_path / f"a{ending}"
    for content in (b"", b"\xef\xbb\xbf \r\n"):
        file.write_bytes(content)
        with pytest.raises(Unreadable, match=r"^is empty$"):
            require_kind(file, kind_of(file))


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.txt", WORD, "is a Word document; rename it .docx"),
        ("a.pdf", WORD, "is a Word document; rename it .docx"),
        ("a.zip", WORD, "is a Word document; rename it .docx"),
        ("a.docx", SHEET, "is an Excel workbook; rename it .xlsx"),
        ("a.docx", ODT, "is an OpenDocument text; rename it .odt"),
        ("a.txt", EPUB, "is an EPUB book; rename it .epub"),
        ("a.csv", zipped(a="b"), "is a zip; rename it .zip"),
        ("a.docx", b"%PDF-1.5\n%\xe2\xe3", "is a PDF; rename it .pdf"),
        ("a.txt", b"%PDF-1.5\n", "is a PDF; rename it .pdf"),
        ("a.docx", b"It rained.", "is text; rename it .txt"),
        ("a.pdf", "Es regnete. Ö".encode("utf-16"), "is text; rename it .txt"),
        ("a.pdf", PAGE, "is a web page; rename it .html"),
        ("a.txt", PAGE, "is a web page; rename it .html"),
        ("a.txt", b"{\\rtf1\\ansi It rained.}", "is RTF; rename it .rtf"),
        ("a.docx", b"\x89PNG\r\n\x1a\n", "is a picture; give it the ending of its kind"),
        ("a.txt", OLD, "is an old Office file, or one under a password; save it as .docx"),
    ],
)
def test_a_file_of_another_kind_than_its_ending_says_is_told_by_its_kind(
    tmp_path, name, content, why
):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Unreadable) as error:
        require_kind(tmp_path / name, kind_of(tmp_path / name))
    assert str(error.value).startswith(why)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.docx", WORD),
        ("a.docx", OLD),
        ("a.docx", b"PK\x03\x04 cut"),
        ("a.xls", PAGE),
        ("a.doc", WORD),
        ("a.odt", ODT),
        ("a.zip", zipped(a="b")),
        ("a.md", PAGE),
        ("a.txt", b"It rained. <html> is a mark."),
        ("a.txt", "Ö. Es regnete.".encode("cp1252")),
        ("a.png", b"\xff\xd8\xff\xe0"),
        ("a.pdf", b"\x00\x01\x02"),
        ("a.pdf", b"Status: 200\n\n%PDF-1.4\n"),
        ("a.jsonl", b""),
    ],
)
def test_other_files_are_left_to_their_readers(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    require_kind(tmp_path / name, kind_of(tmp_path / name))
