"""Web archives: each page with its address and the day of its capture, which --before uses."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import brotli
import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.support.documents import LONG, PAGE, HereReader, write_pdf
from uhhrag.documents.bundles.web_archive import read_mhtml, read_wacz, read_warc
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.listing import list_documents
from uhhrag.records import Claim, Source
from uhhrag.store.filters import Limits, removes

HTML = PAGE.format(text=LONG, canonical="").encode()
URL = "https://varnby.example/harbour"


def warc(*pages: tuple[str, str, bytes], status: str = "200 OK", gzipped: bool = True) -> bytes:
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=gzipped)
    for url, kind, body in pages:
        headers = [("Content-Type", kind)]
        plain, _, packed = kind.partition("-packed")
        if packed or plain != kind:
            headers = [("Content-Type", plain), ("Content-Encoding", packed or "gzip")]
        http = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
        record = writer.create_warc_record(
            url, "response", payload=io.BytesIO(body), http_headers=http,
            warc_headers_dict={"WARC-Date": "2021-03-04T05:06:07Z"},
        )  # fmt: skip
        writer.write_record(record)
    return stream.getvalue()


def read(path: Path, content: bytes, reader=read_warc) -> list[Document | str]:
    path.write_bytes(content)
    return list(reader(path))


def test_pages_and_style_sheets_packed_by_brotli_are_read_within_the_same_bounds(tmp_path):
    style = '<link rel="stylesheet" href="https://varnby.example/a.css"><p class="off">Unseen.</p>'
    page = HTML.replace(b"<body>", f"<body>{style}".encode())
    bomb = brotli.compress(b"<p>" + b" " * (40 * 2**20))
    sheet = brotli.compress(b".off{display:none}")
    found = read(
        tmp_path / "a.warc",
        warc(
            ("https://a.example/bomb", "text/html-packedbr", bomb),
            ("https://varnby.example/a.css", "text/css-packedbr", sheet),
            (URL, "text/html-packedbr", brotli.compress(page)),
        ),
    )  # fmt: skip
    assert found[0] == "https://a.example/bomb: has more than 16 MiB; not read"
    (document,) = found[1:]
    assert LONG.split(". ")[1] in document.lines
    assert "Unseen." not in document.lines


@pytest.mark.parametrize("gzipped", [True, False])
def test_each_page_has_its_address_and_the_day_of_its_capture(tmp_path, gzipped):
    content = warc(
        (URL, "text/html; charset=utf-8", HTML),
        ("https://varnby.example/a.txt", "text/plain; charset=latin1", b"It cost \xa35."),
        ("https://varnby.example/logo.png", "image/png", b"\x89PNG"),
        gzipped=gzipped,
    )  # fmt: skip
    page, text = read(tmp_path / "a.warc", content)
    assert (page.url, page.date, page.dated_by) == (URL, "2021-03-04", "capture")
    assert page.title == "Harbour dredged"
    assert LONG.split(". ")[1] in page.lines
    assert (text.lines, text.url) == (("It cost £5.",), "https://varnby.example/a.txt")
    assert text.site == "varnby.example"


def test_a_warc_that_was_packed_as_a_whole_is_read_to_its_end(tmp_path):
    content = warc((URL, "text/html", HTML), (f"{URL}/b", "text/html", HTML), gzipped=False)
    found = read(tmp_path / "a.warc.gz", gzip.compress(content))
    assert [page.url for page in found] == [URL, f"{URL}/b"]


def test_a_style_sheet_in_the_same_warc_hides_what_it_hides(tmp_path):
    html = HTML.replace(b"</head>", b"<link rel=stylesheet href=/a.css></head>")
    html = html.replace(b"</article>", b"<p class=no>It was never dredged.</p></article>")
    sheet = ("https://varnby.example/a.css", "text/css", b".no{display:none}")
    (page,) = read(tmp_path / "a.warc.gz", warc((URL, "text/html", html), sheet))
    assert not any("never" in line for line in page.lines)


def test_the_text_of_a_page_that_an_archive_holds_twice_is_one_page(tmp_path):
    again = ("urn:text:https://varnby.example/harbour", "text/plain", b"The harbour.")
    (page,) = read(tmp_path / "a.warc.gz", warc((URL, "text/html", HTML), again))
    assert page.url == URL


def test_redirects_and_errors_are_no_pages(tmp_path):
    with pytest.raises(Unreadable, match="holds no web page with text"):
        read(tmp_path / "a.warc.gz", warc((URL, "text/html", HTML), status="404 Not Found"))


def test_a_page_that_unpacks_to_too_much_is_named(tmp_path):
    bomb = gzip.compress(b"<p>" + b" " * (40 * 2**20))
    clause, page = read(
        tmp_path / "a.warc.gz",
        warc(("https://a.example/bomb", "text/html-packed", bomb), (URL, "text/html", HTML)),
    )
    assert clause == "https://a.example/bomb: has more than 16 MiB; not read"
    assert page.url == URL


def test_what_stands_before_damage_is_read(tmp_path):
    content = warc((URL, "text/html", HTML), ("https://a.example/b", "text/html", HTML))
    page, clause = read(tmp_path / "a.warc.gz", content[: len(content) - 300])
    assert page.url == URL
    assert clause == "is damaged, and what stands behind the damage was not read"


@pytest.mark.parametrize(
    "content", [b"", b"It rained.", b"\x1f\x8b\x08 broken", b"WARC/1.0\r\n\r\n"]
)
def test_what_is_no_web_archive_says_so(tmp_path, content):
    with pytest.raises(Unreadable):
        read(tmp_path / "a.warc", content)


def test_a_wacz_is_a_pack_of_warcs(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as packed:
        packed.writestr("datapackage.json", "{}")
        packed.writestr("archive/data.warc.gz", warc((URL, "text/html", HTML)))
    (page,) = read_wacz(tmp_path / "a.wacz")
    assert (page.url, page.date) == (URL, "2021-03-04")


def test_a_saved_mhtml_is_a_page_of_the_day_it_was_saved(tmp_path):
    message = (
        b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://varnby.example/harbour\r\n"
        b"Subject: Harbour\r\nDate: Thu, 4 Mar 2021 05:06:07 -0000\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    ) + HTML + b"\r\n--b--\r\n"  # fmt: skip
    (page,) = read(tmp_path / "a.mhtml", message, read_mhtml)
    assert (page.url, page.date, page.dated_by) == (URL, "2021-03-04", "capture")
    assert LONG.split(". ")[1] in page.lines


def test_style_sheets_of_an_mhtml_are_those_of_its_page(tmp_path):
    links = '<link rel="stylesheet" href="cid:a@b"><link rel=stylesheet href=b.css media=print>'
    old = '<p class="old">The old fare was 25 crowns for each of the guests.</p>'
    page = HTML.decode().replace("<head>", f"<head>{links}").replace("<p>", f"{old}<p>", 1)
    css = "\r\n--b\r\nContent-Type: text/css\r\nContent-Location: {}\r\n\r\n{}"
    message = (
        'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\n'
        f"Content-Type: text/html\r\nContent-Location: {URL}\r\n\r\n{page}"
        + css.format("cid:a@b", ".old { text-decoration: line-through }")
        + css.format("https://varnby.example/b.css", "p { display: none }")
    )
    (found,) = read(tmp_path / "a.mhtml", f"{message}\r\n--b--\r\n".encode(), read_mhtml)
    assert LONG.split(". ")[1] in found.lines
    assert not [line for line in found.lines if "old fare" in line]


def test_a_page_that_does_not_say_its_kind_is_read_or_named(tmp_path):
    content = warc((URL, "", HTML), ("https://a.example/b", "", b"\x89PNG"), (URL, "", b""))
    page, clause = read(tmp_path / "a.warc", content)
    assert (page.url, page.title) == (URL, "Harbour dredged")
    assert clause == "https://a.example/b: does not say of what kind it is; not read"


def test_before_looks_at_the_day_of_the_capture(tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(warc((URL, "text/html", HTML)))
    (file,) = list_documents(tmp_path).files
    assert file.kind == "warc"
    answer = HereReader().read(file, {}, tmp_path / "spool")
    assert answer["documents"] == 1
    source = Source(URL, date="2021-03-04", dated_by="capture")
    claim = Claim(0, "The harbour was dredged.")
    assert removes(Limits(before="2021-03-03"), claim)(source) == "date"
    assert removes(Limits(before="2021-03-05"), claim)(source) == ""


def test_a_file_of_the_web_is_read_by_its_kind_or_named(tmp_path):
    pdf, table = "https://varnby.example/minutes%20May.pdf", "https://varnby.example/fares"
    write_pdf(tmp_path / "a.pdf", [["The harbour was dredged in 2019."]])
    content = warc(
        (pdf, "application/pdf", (tmp_path / "a.pdf").read_bytes()),
        (table, "text/csv; charset=utf-8", b"Ticket,Fare\nAdult,35\n"),
        ("https://varnby.example/old.doc", "application/msword", b"\xd0\xcf\x11\xe0"),
    )
    minutes, fares, left = read(tmp_path / "a.warc.gz", content)
    assert (minutes.url, minutes.date, minutes.dated_by) == (pdf, "2021-03-04", "capture")
    assert minutes.lines == ("The harbour was dredged in 2019.",)
    assert (fares.url, fares.lines[-1]) == (table, "Ticket: Adult; Fare: 35")
    assert left.startswith("https://varnby.example/old.doc: ")
    assert left.endswith("not read")


def test_a_doubtful_encoding_or_a_page_that_cannot_be_read_is_said(tmp_path):
    lost = b"<p>It cost \xff5 for each of the ten guests.</p>" + HTML
    content = warc(
        (URL, "text/html; charset=utf-8", lost),
        ("https://a.example/b", "text/plain", b"\x01\x02" * 99),
        ("https://a.example/c", "text/html", b"<p></p>"),
    )
    page, lossy, broken = read(tmp_path / "a.warc", content)
    assert page.url == URL
    assert lossy == f"{URL}: 1 byte is no character in utf-8 and stands as \ufffd; save it as UTF-8"
    assert broken.startswith("https://a.example/b: is not text")
    head = b"MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    _, said = read(tmp_path / "a.mhtml", head + lost, read_mhtml)
    assert said.startswith("1 byte is no character in utf-8")
