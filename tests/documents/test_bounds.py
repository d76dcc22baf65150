"""Files that would take hours or gigabytes end with a line, and are not read again as they are."""

from __future__ import annotations

import re
import resource
import time
import zlib
from pathlib import Path

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from uhhrag.documents import reader_client, reader_process
from uhhrag.documents.listing import list_documents
from uhhrag.documents.office.docx import read_docx
from uhhrag.documents.reader_client import ReadingProcess
from uhhrag.documents.web.html import read_html
from uhhrag.documents.web.tree import html_tree

GIBIBYTE = 2**30


def pdf_of(*objects: bytes) -> bytes:
    """A PDF of these objects, the first its catalogue."""
    content, places = b"%PDF-1.7\n", []
    for number, one in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return content + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (size, table, size, len(content))
    )


def stream(content: bytes, about: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (about, len(content), content)


def page_of(content: bytes, resources: bytes, *more: bytes) -> bytes:
    """A PDF of one page, whose font is object 5 and whose further objects begin with number 6."""
    return pdf_of(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
        b"/Resources<</Font<</F 5 0 R>>%s>>>>" % resources,
        content,
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *more,
    )


def nested_forms(width: int, levels: int) -> bytes:
    """A page whose form draws the next one several times, and so on."""
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<%s>>"
    inner = [
        stream(b"/X Do " * width, form % (b"/XObject<</X %d 0 R>>" % (7 + level)))
        for level in range(levels)
    ]
    last = stream(b"BT /F 12 Tf 9 9 Td (It rained.) Tj ET", form % b"/Font<</F 5 0 R>>")
    return page_of(stream(b"/X Do " * width), b"/XObject<</X 6 0 R>>", *inner, last)


def packed_text(size: int) -> bytes:
    """A page whose text unpacks to many times its size."""
    line = b"BT /F 12 Tf 9 9 Td (It rained.) Tj ET\n"
    return page_of(
        stream(zlib.compress(line * (size // len(line)), 9), b"/Filter/FlateDecode"), b""
    )


def many_attributes(number: int) -> bytes:
    attributes = " ".join(f'data-a{at}="value {at}"' for at in range(number))
    return f"<html><body><p {attributes}>It rained all night.</p></body></html>".encode()


def answer_to(file: Path) -> dict[str, object]:
    (found,) = list_documents(file.parent).files
    with ReadingProcess() as reader:
        return reader.read(found, {}, file.parent / ".spool")


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("forms.pdf", lambda: nested_forms(10, 8)),
        ("packed.pdf", lambda: packed_text(400 * 2**20)),
        ("attributes.html", lambda: many_attributes(200_000)),
    ],
)
def test_a_bomb_ends_within_half_a_minute_and_a_gibibyte(tmp_path, name, content):
    file = tmp_path / name
    file.write_bytes(content())
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = answer_to(file)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "\n" not in str(answer.get("why", ""))
    assert "why" in answer or answer["lines"]
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 35
    assert after.ru_maxrss * 1024 < GIBIBYTE


@pytest.mark.slow
def test_a_document_gets_time_and_memory_by_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(reader_client, "SECONDS", 2.0)
    file = tmp_path / "forms.pdf"
    file.write_bytes(nested_forms(10, 8))
    why = str(answer_to(file)["why"])
    assert re.search(r"^(took longer than|made its reader crash|needs more memory)", why)


def test_no_file_takes_more_than_half_of_the_memory_of_the_machine(monkeypatch, tmp_path):
    large = tmp_path / "large.pdf"
    with large.open("wb") as file:
        file.truncate(GIBIBYTE)
    request = {"path": bytes(large).hex()}
    for total, room in ((8 * GIBIBYTE, 4 * GIBIBYTE), (None, 5 * GIBIBYTE)):
        monkeypatch.setattr(reader_process.hardware, "memory", lambda _, total=total: (total, None))
        reader_process._most_room.cache_clear()
        assert reader_process._room_for(request) == room
    reader_process._most_room.cache_clear()


def test_nested_forms_that_are_few_are_read(tmp_path):
    file = tmp_path / "forms.pdf"
    file.write_bytes(nested_forms(2, 2))
    assert answer_to(file)["lines"] == 1  # drawn eight times at one place


def test_a_paragraph_of_more_than_ten_megabytes_is_read():
    root = html_tree(f"<html><body><p>{'It rained. ' * 1_100_000}</p></body></html>")
    assert len("".join(root.itertext())) == 12_100_000


def test_a_cell_that_spans_a_million_columns_takes_no_time(tmp_path):
    document = docx.Document()
    cell = document.add_table(2, 2).cell(0, 0)
    cell.text = "Fare"
    span = OxmlElement("w:gridSpan")
    span.set(qn("w:val"), "1000000")
    cell._tc.get_or_add_tcPr().append(span)
    document.save(str(tmp_path / "a.docx"))
    begun = time.process_time()
    list(read_docx(tmp_path / "a.docx"))
    assert time.process_time() - begun < 5  # it was 110


def test_rows_of_cells_that_span_everything_take_no_time(tmp_path):
    cell = "<tr><td colspan=100000 rowspan=60000>x</td></tr>"
    html = f"<article><p>It is open.</p><table>{cell * 300}</table></article>"
    (tmp_path / "a.html").write_text(f"<html><body>{html}</body></html>")
    before = time.process_time()
    found = next(one for one in read_html(tmp_path / "a.html") if not isinstance(one, str))
    assert time.process_time() - before < 10
    assert sum(line.count("x") for line in found.lines) >= 300
