"""Scans: read by Tesseract where it is installed, counted where it is not."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import orjson
import pytest

from tests.support.documents import write_pdf
from tests.support.doubles import load_nltk_data
from uhhrag import models
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.archive.updating import UpdateOptions, follow_folder
from uhhrag.documents import ocr
from uhhrag.documents.changed import FileOutcome, scans_note
from uhhrag.documents.document import Scanned, Unreadable
from uhhrag.documents.listing import list_documents
from uhhrag.documents.ocr import Recognised, Unrecognised, find_tesseract, page_of, recognise
from uhhrag.documents.pdf.page import render_picture
from uhhrag.documents.pdf.reader import read_pdf
from uhhrag.documents.scans import picture_page, read_picture
from uhhrag.views.searched import documents_in

pytestmark = pytest.mark.slow

LINES = ("The harbour of Varnby was dredged", "in the spring of 2019.")
SENTENCE = " ".join(LINES)
FAKE = """#!/bin/sh
case $1 in
--version) echo "tesseract 9.9";;
--list-langs) printf 'List of languages (1):\\neng\\n';;
*) cat >/dev/null; word='5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t87\\t%s\\n'
   printf "$word" It rained.;;
esac
"""


@pytest.fixture(scope="module", autouse=True)
def nltk_data() -> Path:
    load_nltk_data()
    return models.path("nltk-data")


@pytest.fixture
def without_tesseract(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))


@pytest.fixture
def fake(monkeypatch, tmp_path) -> Path:
    """A program that answers as Tesseract does, whatever it is shown."""
    program = tmp_path / "bin" / "tesseract"
    program.parent.mkdir()
    program.write_text(FAKE)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return program


def drawn(lines=LINES, size=(1240, 400)):
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("L", size, 255)
    for number, line in enumerate(lines):
        place = (60, 80 + 70 * number)
        ImageDraw.Draw(picture).text(place, line, fill=0, font=ImageFont.load_default(44))
    return picture


def mixed_pdf(path: Path) -> Path:
    """A typed page, a scan, a blank page."""
    from fpdf import FPDF

    pdf = FPDF()
    pdf.set_font("helvetica", size=11)
    pdf.add_page()
    pdf.cell(text="A typed page.")
    pdf.add_page()
    pdf.image(drawn(), 0, 0, 210)
    pdf.add_page()
    path.write_bytes(bytes(pdf.output()))
    return path


def scan(path: Path) -> Path:
    drawn().save(path)
    return path


def read(folder: Path, nltk_data: Path) -> dict[str, FileOutcome]:
    running = follow_folder(folder.parent / "archive", list_documents(folder), UpdateOptions())
    return {outcome.name: outcome for outcome in running}


def records(folder: Path) -> dict[str, dict]:
    snapshot = open_snapshot(folder.parent / "archive")
    readers = {row.name: row.reader for row in snapshot.files}
    return {
        page.file: {**orjson.loads(snapshot.content(number)), "reader": readers[page.file]}
        for number, page in snapshot.pages().items()
    }


@pytest.fixture
def folder(tmp_path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    mixed_pdf(folder / "mixed.pdf")
    scan(folder / "letter.png")
    return folder


def test_real_tesseract_reads_scans_and_says_how_sure_it_was(folder, nltk_data):
    if find_tesseract() is None:
        pytest.skip("Tesseract is not on this machine")
    outcomes = read(folder, nltk_data)
    assert [outcome.why for outcome in outcomes.values()] == ["", ""]
    found = records(folder)
    assert found["letter.png"]["url2text"] == [SENTENCE]
    assert found["letter.png"]["ocr"][0] > 80
    assert found["mixed.pdf"]["url2text"] == ["A typed page.", SENTENCE]
    assert (found["mixed.pdf"]["pages"], found["mixed.pdf"]["ocr"][0]) == ([1, 2], None)


def test_scans_are_read_by_tesseract_and_not_again(folder, nltk_data, fake):
    read(folder, nltk_data)
    page = records(folder)["mixed.pdf"]
    assert page["url2text"] == ["A typed page.", "It rained."]
    assert (page["pages"], page["ocr"]) == ([1, 2], [None, 87])
    assert page["reader"].endswith("; scans by tesseract 9.9")
    assert [str(outcome.state) for outcome in read(folder, nltk_data).values()] == ["kept", "kept"]


@pytest.mark.usefixtures("without_tesseract")
def test_scans_are_counted_where_tesseract_is_missing(folder, nltk_data):
    for state in ("read", "kept"):
        outcomes = read(folder, nltk_data)
        pdf, picture = outcomes["mixed.pdf"], outcomes["letter.png"]
        assert (str(pdf.state), pdf.scans, pdf.why) == (state, 1, "")
        assert (str(picture.state), picture.scans, picture.why) == ("left out", 1, "")
    assert records(folder)["mixed.pdf"]["url2text"] == ["A typed page."]
    assert list(records(folder)) == ["mixed.pdf"]
    snapshot = open_snapshot(folder.parent / "archive")  # as checked without the folder
    held = documents_in(snapshot.manifest.counts, snapshot.files)
    assert (held.files, held.scans, held.unread) == (1, {"letter.png": 1, "mixed.pdf": 1}, {})


@pytest.mark.usefixtures("without_tesseract")
def test_a_pdf_of_scans_alone_is_named_until_it_has_none(folder, nltk_data):
    path = folder / "mixed.pdf"
    drawn().save(path, "PDF")
    for _ in range(2):
        outcome = read(folder, nltk_data)["mixed.pdf"]
        assert (str(outcome.state), outcome.scans) == ("unreadable", 1)
    snapshot = open_snapshot(folder.parent / "archive")
    held = documents_in(snapshot.manifest.counts, snapshot.files)
    assert held.scans == {"letter.png": 1, "mixed.pdf": 1}
    assert list(held.unread) == ["mixed.pdf"]
    write_pdf(path, ["A typed page."])
    outcome = read(folder, nltk_data)["mixed.pdf"]
    assert (str(outcome.state), outcome.scans) == ("read", 0)


def test_scans_are_read_once_tesseract_is_there(folder, nltk_data, fake, monkeypatch):
    with monkeypatch.context() as missing:
        missing.setenv("PATH", "/nonexistent")
        read(folder, nltk_data)
    assert [str(outcome.state) for outcome in read(folder, nltk_data).values()] == ["read", "read"]
    assert records(folder)["mixed.pdf"]["ocr"] == [None, 87]
    monkeypatch.setenv("PATH", "/nonexistent")  # what it has read stays
    assert str(read(folder, nltk_data)["mixed.pdf"].state) == "kept"


@pytest.mark.parametrize(
    "script",
    [
        "exit 1",
        pytest.param("sleep 60", marks=pytest.mark.slow),
        "head -c 100 /dev/zero",
        "kill -9 $$",
    ],
)
def test_a_tesseract_that_fails_costs_its_page_alone(folder, nltk_data, fake, monkeypatch, script):
    monkeypatch.setattr(ocr, "_SECONDS", 2)
    fake.write_text(FAKE.replace("*) cat", f"*) {script}; cat"))
    outcome = read(folder, nltk_data)["mixed.pdf"]
    assert str(outcome.state) == "read"
    assert records(folder)["mixed.pdf"]["url2text"][0] == "A typed page."
    assert outcome.why in ("a page could not be read by OCR", "")
    assert str(read(folder, nltk_data)["mixed.pdf"].state) == "kept"


def test_pictures_of_a_saved_web_page_are_left_out(tmp_path):
    for folder in ("page_files", "court_files"):
        (tmp_path / folder).mkdir()
        scan(tmp_path / folder / "1.png")
    (tmp_path / "page.html").write_text("<p>It rained.</p>")
    found = list_documents(tmp_path)
    assert [file.name for file in found.files] == ["court_files/1.png", "page.html"]
    assert found.other == {".png": 1}


def stamped(path: Path, stamp: tuple[float, float, str]) -> Path:
    """Scans of two pages, a number typed over each."""
    from fpdf import FPDF

    pdf = FPDF()
    pdf.set_font("helvetica", size=9)
    for number in (1, 2):
        pdf.add_page()
        pdf.image(drawn(size=(1240, 1700)), 0, 0, 210)
        pdf.text(*stamp[:2], f"{stamp[2]} {number}")
    path.write_bytes(bytes(pdf.output()))
    return path


def test_a_scan_with_a_typed_stamp_is_a_scan_and_a_text_over_a_picture_is_none(tmp_path):
    file = stamped(tmp_path / "a.pdf", (150, 290, "GOV-00012"))
    assert read_pdf(file)[0].scans == (1, 2)
    (read,) = read_pdf(file, {1: Recognised(LINES, 90), 2: Recognised((), 0)})
    assert (read.lines[0], read.ocr[0], read.scans) == (SENTENCE, 90, ())
    assert any("GOV-00012 2" in line for line in read.lines)
    assert read_pdf(stamped(tmp_path / "b.pdf", (60, 150, "Budget")))[0].scans == ()


def test_every_page_of_a_picture_is_asked_for(tmp_path):
    file = tmp_path / "a.tif"
    drawn().save(file, save_all=True, append_images=[drawn()])
    with pytest.raises(Scanned) as caught:
        read_picture(file, {})
    assert caught.value.pages == (1, 2)
    (document,) = read_picture(file, {1: Recognised(("One.",), 90), 2: Recognised(("Two.",), 80)})
    assert (document.lines, document.pages, document.ocr) == (("One.", "Two."), (1, 2), (90, 80))


@pytest.mark.parametrize("mode", ["RGBA", "P", "LA"])
def test_what_is_clear_in_a_picture_is_paper(tmp_path, mode):
    from PIL import Image

    clear = {"transparency": 0} if mode == "P" else {}
    Image.new(mode, (200, 100), 0).save(tmp_path / "a.png", **clear)
    assert picture_page(tmp_path / "a.png", 1, grey=True).min() == 255
    assert picture_page(tmp_path / "a.png", 1, grey=False).min() == 255


@pytest.mark.parametrize("ending", ["png", "tif"])
def test_a_picture_of_16_bits_keeps_its_shades(tmp_path, ending):
    import numpy as np
    from PIL import Image

    shades = np.tile(np.array([300, 30_000, 65_535], dtype=np.uint16), (40, 50))
    Image.fromarray(shades).save(tmp_path / f"a.{ending}")
    assert np.unique(picture_page(tmp_path / f"a.{ending}", 1, grey=True)).tolist() == [1, 117, 255]


def test_a_scan_of_600_dots_to_the_inch_needs_less_than_a_reader_has(tmp_path):
    import tracemalloc

    from PIL import Image

    Image.new("1", (4960, 7016), 1).save(tmp_path / "a.tif", compression="group4")
    tracemalloc.start()
    assert picture_page(tmp_path / "a.tif", 1).shape == (7016, 4960)
    assert tracemalloc.get_traced_memory()[1] < 2**27
    tracemalloc.stop()


def test_copies_of_a_page_are_no_pages(tmp_path):
    from PIL import Image, TiffImagePlugin

    small = TiffImagePlugin.ImageFileDirectory_v2()
    small[254] = 1
    copy = drawn(size=(620, 200))
    copy.encoderinfo = {"tiffinfo": small}
    drawn().save(tmp_path / "a.tif", save_all=True, append_images=[copy, drawn()])
    drawn().save(tmp_path / "a.jpg", format="MPO", save_all=True, append_images=[copy])
    for name, pages in (("a.tif", (1, 3)), ("a.jpg", (1,))):
        with pytest.raises(Scanned) as caught:
            read_picture(tmp_path / name, {})
        assert caught.value.pages == pages
        Image.open(tmp_path / name).close()


def test_a_scan_is_shown_as_a_picture(tmp_path):
    assert render_picture(scan(tmp_path / "a.png"), 1, SENTENCE).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG\r\n\x1a\n cut", b"GIF89a", b"%PDF", b"II*\x00" + b"\xff" * 100]
)
def test_what_is_no_picture_says_so(tmp_path, content):
    file = tmp_path / "a.png"
    file.write_bytes(content)
    with pytest.raises(Unreadable, match="is not a picture, or is damaged"):
        read_picture(file, {})


def test_a_picture_that_is_cut_off_is_damaged(tmp_path):
    file = scan(tmp_path / "a.png")
    file.write_bytes(file.read_bytes()[:-400])
    with pytest.raises(Unreadable, match="is damaged"):
        picture_page(file, 1, grey=True)


def test_a_picture_of_too_many_pixels_is_refused(tmp_path):
    from PIL import Image

    file = tmp_path / "a.png"
    Image.new("1", (20_000, 20_000)).save(file)
    with pytest.raises(Unreadable, match="has more pixels than a page"):
        read_picture(file, {})


def test_a_blank_pdf_has_no_text_and_no_scan(tmp_path):
    with pytest.raises(Unreadable, match="has no text") as caught:
        read_pdf(write_pdf(tmp_path / "a.pdf", [[]]))
    assert not isinstance(caught.value, Scanned)


def row(line: int, sure: object, text: str, paragraph: int = 1) -> str:
    return f"5\t1\t1\t{paragraph}\t{line}\t1\t0\t0\t9\t9\t{sure}\t{text}"


@pytest.mark.parametrize(
    ("table", "page"),
    [
        ("", Recognised((), 0)),
        ("level\tpage_num\nnot a row\n", Recognised((), 0)),
        (row(1, 20, "noise"), Recognised((), 20)),
        (row(1, "x", "a"), Recognised((), 0)),
        (row(1, -1, "a"), Recognised((), 0)),
        (row(1, "nan", "a"), Recognised((), 0)),
        ("\n".join([row(1, 90, "a"), row(2, 91, "b"), row(1, 92, "c", 2)]), None),
    ],
)
def test_the_words_of_a_page_become_lines(table, page):
    assert page_of(table) == (page or Recognised(("a", "b", "", "c"), 91))


@pytest.mark.parametrize(
    ("head", "parts"),
    [
        ("Ferry Office, 12 April 2024", 2),
        ("Lunde, 2024-04-12", 2),
        ("Lunde, April 12, 2024", 2),
        ("It was sold on 12 April 2024", 1),
        ("12 April 2024 at 9", 1),
    ],
)
def test_a_letterhead_that_ends_in_a_day_is_a_paragraph(head, parts):
    words = [(1, word) for word in head.split()] + [(2, "The"), (2, "ferry"), (3, "sails.")]
    table = "\n".join(f"5\t1\t1\t1\t{line}\t1\t0\t0\t9\t9\t90\t{word}" for line, word in words)
    lines = [head, *[""] * (parts - 1), "The ferry", "sails."]
    assert page_of(table) == Recognised(tuple(lines), 90)


@pytest.mark.parametrize(("width", "height"), [(0, 10), (10, 11), (10**6, 10**6), (-10, -10)])
def test_pixels_of_another_size_never_reach_tesseract(tmp_path, fake, width, height):
    pixels = tmp_path / "pixels"
    pixels.write_bytes(b"\xff" * 100)
    tesseract = find_tesseract()
    with pytest.raises(Unrecognised):
        recognise(tesseract, pixels, width, height)


def test_a_tesseract_without_english_is_none(fake):
    fake.write_text(FAKE.replace("eng", "deu"))
    ocr._probed.cache_clear()
    assert find_tesseract() is None


def test_the_note_names_the_files_and_what_to_do():
    assert scans_note({"a.pdf": 1}).startswith("1 page of 1 file is a scan (a.pdf); install Tess")
    assert scans_note({}) == scans_note({"a.pdf": 0}) == ""
