"""Each reader: what of a document is kept, and what is said of one that cannot be read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents.test_bounds import pdf_of, stream
from tests.support.documents import LONG, write_docx, write_html, write_pdf, write_rows, write_scan
from tests.support.packed_documents import (
    CHAPTER,
    MAIL,
    RTF,
    SHARE,
    write_epub,
    write_odt,
    write_xlsx,
)
from uhhrag.documents import segmentation
from uhhrag.documents.document import OF_TABLE, Document, Scanned, Unreadable
from uhhrag.documents.formats import FORMATS, imported
from uhhrag.documents.office.docx import read_docx
from uhhrag.documents.pdf.reader import read_pdf
from uhhrag.documents.plain.text import read_text_file
from uhhrag.documents.web.html import read_html
from uhhrag.documents.web.jsonl import read_rows
from uhhrag.documents.web.markup import read_markdown
from uhhrag.text.dates import iso_date

pytestmark = pytest.mark.usefixtures("nltk_loaded")

SENTENCES = (
    "The harbour of Varnby was dredged in the spring of 2019 so that larger ships could call at "
    "the port.",
    "The work took eleven weeks.",
)


def test_a_web_page_gives_its_main_text_and_what_it_says_of_itself(tmp_path):
    link = '<link rel="canonical" href="https://news.example/varnby">'
    (page,) = read_html(write_html(tmp_path / "a.html", canonical=link))
    assert page == Document(
        ("Harbour dredged", *SENTENCES, "The mayor, Dr. Lund, called it a success."),
        title="Harbour dredged",
        author="Ada Writer",
        site="Varnby News",
        date="2019-06-11",
        url="https://news.example/varnby",
        starts=(0, 1, 3),
        sections=((0, "Harbour dredged"),),
    )


def test_a_saved_page_without_an_address_of_its_own_has_the_one_it_was_saved_from(tmp_path):
    (page,) = read_html(write_html(tmp_path / "a.html"))
    assert page.url == "https://news.example/saved/varnby"


def test_a_paragraph_is_joined_wherever_its_source_is_wrapped_and_parted_where_it_is_shown_so(
    tmp_path,
):
    file = tmp_path / "a.html"
    wrapped = "<p>The work on <a href='/x'>the\n  quay</a> took\neleven <em>weeks</em>.</p>"
    items = "<ul><li>The\nfirst <b>pier</b> was\nrepaired.</li></ul>"
    broken = "<p>Fuel is sold<br>Water is free</p>"
    main = f"<h1>Harbour\nworks</h1><p>{LONG}</p>{wrapped}{items}{broken}"
    file.write_text(f"<html><body><main>{main}</main></body></html>")
    (page,) = read_html(file)
    assert page.lines[0] == "Harbour works"
    assert page.lines[-4:] == (
        "The work on the quay took eleven weeks.",
        "The first pier was repaired.",
        "Fuel is sold",
        "Water is free",
    )


def test_a_year_in_the_text_is_not_taken_for_the_date_of_a_page(tmp_path):
    file = tmp_path / "a.html"
    file.write_text(f"<html><body><p>{LONG}</p><p>Copyright 1998.</p></body></html>")
    assert next(iter(read_html(file))).date == ""


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16", "windows-1252"])
def test_a_web_page_is_read_in_the_encoding_it_is_in(tmp_path, encoding):
    declared = f'<meta charset="{encoding}">'
    file = write_html(tmp_path / "a.html", LONG + " Größe und Façade.", declared, encoding)
    assert "Größe und Façade." in next(iter(read_html(file))).lines


def test_a_text_with_a_broken_byte_is_read_with_that_byte_marked(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes("Cafés à Köln. ".encode() + LONG.encode() + b" \x81 lost.")
    text, fault = read_text_file(file)
    assert (text.lines[0], text.lines[-1][-5:]) == ("Cafés à Köln.", "lost.")
    assert fault == "1 byte is no character in utf-8 and stands as \ufffd; save it as UTF-8"


def test_a_hyphen_before_and_stays(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(
        "It pays for first-\nand second-class tickets and for not-\nfor-profit, un-\nlawful ones."
    )
    assert next(iter(read_text_file(file))).lines == (
        "It pays for first- and second-class tickets and for not-for-profit, unlawful ones.",
    )


def test_the_hyphen_of_a_number_or_compound_stays(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(
        "It paid twenty-\nfive crowns, two-\nthirds of it to four-\nteen self-\nmade men of "
        "a state-\nowned mine, under-\nfunded, which travel-\nled for first-\nyear students."
    )
    assert next(iter(read_text_file(file))).lines == (
        "It paid twenty-five crowns, two-thirds of it to fourteen self-made men of a state-owned "
        "mine, underfunded, which travelled for first-year students.",
    )


def test_a_mark_that_people_do_not_take_for_an_end_of_line_ends_none(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("The school has 312 pupils\x85 and a gym.\u2028It is old.", encoding="utf-8")
    assert next(iter(read_text_file(file))).lines == (
        "The school has 312 pupils and a gym.",
        "It is old.",
    )


@pytest.mark.parametrize("text", ["<p>A short note.</p>", "A short note.", "<b>A short</b> note."])
def test_a_piece_of_a_page_is_read_too(tmp_path, text):
    file = tmp_path / "a.html"
    file.write_text(text)
    assert next(iter(read_html(file))).lines == ("A short note.",)


def test_entities_of_a_web_page_are_not_looked_up_in_files(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    file = tmp_path / "a.xhtml"
    file.write_text(
        f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{secret}">]><html><body><p>{LONG} '
        "&x;</p></body></html>"
    )
    assert "secret" not in " ".join(next(iter(read_html(file))).lines).replace("SYSTEM", "")


def test_a_page_without_text_says_so(tmp_path):
    file = tmp_path / "a.html"
    file.write_text("<html><body><script>draw()</script></body></html>")
    with pytest.raises(Unreadable, match="has no text"):
        [*read_html(file)]


def test_a_sentence_of_a_pdf_knows_the_page_it_begins_on(tmp_path):
    pages = [
        ["One stands here. A sentence that", "runs on to the"],
        ["next page. Two is here."],
    ]
    (found,) = read_pdf(write_pdf(tmp_path / "a.pdf", pages, title="Report", author="C. Ritic"))
    assert found.lines == (
        "One stands here.",
        "A sentence that runs on to the next page.",
        "Two is here.",
    )
    assert found.pages == (1, 1, 2)
    assert (found.title, found.author) == ("Report", "C. Ritic")
    assert len(found.date) == 10


def test_running_heads_of_a_pdf_are_left_out(tmp_path):
    pages = [["It began in May and"], ["went on in June and"], ["ended in July."]]
    (found,) = read_pdf(write_pdf(tmp_path / "a.pdf", pages, head="Report of the year, page"))
    assert found.lines == ("It began in May and went on in June and ended in July.",)


@pytest.mark.parametrize(
    "numbers",
    [
        ("Page 1 of 2", "Page 2 of 2"),
        ("7", "8"),
        ("iii", "iv", "v"),
        ("https://a.example 1/2", "https://a.example 2/2"),
        ("Report of Ostvik, page 1", "Report of Ostvik, page 2"),
    ],
)
def test_numbers_of_two_pages_and_roman_ones_are_left_out(tmp_path, numbers):
    texts = (["The council did"], ["not approve the bridge."], ["It rained."])
    pages = [[*text, number] for text, number in zip(texts, numbers, strict=False)]
    (found,) = read_pdf(write_pdf(tmp_path / "a.pdf", pages))
    assert found.lines[0] == "The council did not approve the bridge."
    assert len(found.lines) == len(numbers) - 1


@pytest.mark.parametrize(
    ("lines", "read_as"),
    [
        (
            ["11/27/26, 2:02 PM Bridge", "It was not paid by the", "https://a.example/b 1/1"],
            "It was not paid by the",
        ),
        (["It was not paid by the", "Page 3 of 3"], "It was not paid by the"),
        (["It was not paid by the", "1/1"], "It was not paid by the"),
        (["Of the votes were in favour", "3/5"], "Of the votes were in favour 3/5"),
    ],
)
def test_what_a_browser_prints_round_a_lone_page_is_left_out(tmp_path, lines, read_as):
    (found,) = read_pdf(write_pdf(tmp_path / "a.pdf", [lines]))
    assert " ".join(found.lines) == read_as


def test_lines_of_a_pdf_that_only_look_like_running_heads_are_text(tmp_path):
    votes = ((9, 2), (10, 3), (11, 4))
    passed = [f"The motion passed by {ayes} votes to {noes}." for ayes, noes in votes]
    other = [f"Motion of the council {number}" for number in (7, 12, 40)]
    pages = [[head, "It was put.", last] for head, last in zip(other, passed, strict=True)]
    (found,) = read_pdf(write_pdf(tmp_path / "a.pdf", pages))
    assert [line for line in found.lines if line in passed] == passed
    assert all(any(head in line for line in found.lines) for head in other)


def test_names_of_columns_on_each_page_of_a_pdf_stay(tmp_path):
    from fpdf import FPDF

    pdf = FPDF()
    pdf.set_font("helvetica", size=11)
    staff = (("Ada", "Roads", "Bo"), ("Cy", "Parks", "Di"), ("Ed", "Library", "Flo"))
    for first, office, second in staff:
        pdf.add_page()
        pdf.text(20, 10, "Staff of Ostvik")
        rows = (("Name", "Office", "Town"), (first, office, "Vik"), (second, office, "Lunde"))
        for down, row in enumerate(rows):
            for across, cell in zip((20, 80, 120), row, strict=True):
                pdf.text(across, 30 + 6 * down, cell)
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    (found,) = read_pdf(tmp_path / "a.pdf")
    assert found.lines == tuple(
        line
        for first, office, second in staff
        for line in (
            "Name; Office; Town",
            f"Name: {first}; Office: {office}; Town: Vik",
            f"Name: {second}; Office: {office}; Town: Lunde",
        )
    )


def test_a_scanned_pdf_says_which_pages_are_pictures(tmp_path):
    with pytest.raises(Scanned, match="has no text, only pictures of pages") as caught:
        read_pdf(write_scan(tmp_path / "a.pdf"))
    assert caught.value.pages == (1,)


def test_a_pdf_says_what_of_it_is_not_read(tmp_path):
    from fpdf import FPDF

    pdf = FPDF()
    pdf.set_font("helvetica", size=11)
    pdf.add_page()
    pdf.text(20, 20, "It rained.")
    pdf.embed_file(bytes=b"x", basename="figures.csv")
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    found, clause = read_pdf(tmp_path / "a.pdf")
    assert (found.lines, clause) == (
        ("It rained.",),
        "has an attachment that is not read; save it as a file",
    )


def test_a_damaged_page_of_a_pdf_is_named(tmp_path):
    text = b"BT /F 11 Tf 50 700 Td (It rained.) Tj ET"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<<"
    page += b"/F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
    pages = b"<</Type/Pages/Kids[3 0 R 9 0 R]/Count 2>>"
    (tmp_path / "a.pdf").write_bytes(
        pdf_of(b"<</Type/Catalog/Pages 2 0 R>>", pages, page, stream(text))
    )
    found, clause = read_pdf(tmp_path / "a.pdf")
    assert (found.lines, clause) == (("It rained.",), "page 2 is damaged and not read")


def test_a_form_that_only_adobes_programs_show_says_so(tmp_path):
    form = b"<</Type/Catalog/Pages 2 0 R/NeedsRendering true/AcroForm<</Fields[]/XFA 5 0 R>>>>"
    pages = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>"
    (tmp_path / "a.pdf").write_bytes(pdf_of(form, pages, page, stream(b""), stream(b"<xdp/>")))
    with pytest.raises(Unreadable, match="is a form that only Adobe Reader shows"):
        read_pdf(tmp_path / "a.pdf")


def test_an_encrypted_pdf_says_so(tmp_path):
    with pytest.raises(Unreadable, match="is encrypted"):
        read_pdf(write_pdf(tmp_path / "a.pdf", [["Secret."]], password="x"))


def test_paragraphs_and_tables_of_a_word_document_come_in_order(tmp_path):
    rows = (("Year", "Ships"), ("2019", "14"))
    (found,) = read_docx(write_docx(tmp_path / "a.docx", ["It is so. Is it?", "Yes."], rows))
    assert found.lines == ("It is so.", "Is it?", "Yes.", "Year; Ships", "Year: 2019; Ships: 14")
    assert (found.title, found.author, found.date) == ("Minutes", "B. Clerk", "2020-03-04")
    assert found.pages == ()


def test_what_a_library_writes_into_every_file_is_said_by_nobody(tmp_path):
    import docx

    document = docx.Document()
    document.add_paragraph("The ferry was sold.")
    document.save(str(tmp_path / "a.docx"))
    (found,) = read_docx(tmp_path / "a.docx")
    assert (found.author, found.date) == ("", "")


def test_pages_of_a_word_document_are_those_word_noted(tmp_path):
    import docx
    from docx.oxml import OxmlElement

    file = write_docx(tmp_path / "a.docx", ["First page.", "Second page."])
    document = docx.Document(str(file))
    document.paragraphs[0].runs[0]._r.append(OxmlElement("w:lastRenderedPageBreak"))
    document.save(str(file))
    assert read_docx(file)[0].pages == (1, 2)


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 cut", b"\xd0\xcf\x11\xe0 old"])
def test_a_broken_word_document_says_so_in_one_clause(tmp_path, content):
    file = tmp_path / "a.docx"
    file.write_bytes(content)
    with pytest.raises(Unreadable, match=r"is not a Word document|is encrypted, or an old \.doc"):
        read_docx(file)


def test_a_word_document_that_unpacks_to_more_than_any_text_is_refused(tmp_path):
    file = write_docx(tmp_path / "a.docx", ["Small."])
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/bomb.xml", b" " * (64 * 2**20))
    with pytest.raises(Unreadable, match="would unpack to"):
        read_docx(file)


def test_hard_wrapped_text_is_cut_into_sentences_and_lists_into_items(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(
        "A HEADING\n\nThe harbour of Varnby was dredged in the spring of 2019 so that lar-\n"
        "ger ships could call at the port. The work took eleven weeks, as Lund\n"
        "et al. (2019) say.\n- one thing\n- another thing\n"
    )
    assert next(iter(read_text_file(file))).lines == (
        "A HEADING",
        SENTENCES[0],
        "The work took eleven weeks, as Lund et al. (2019) say.",
        "- one thing",
        "- another thing",
    )


def test_markdown_is_read_without_its_marks_and_code(tmp_path):
    file = tmp_path / "a.md"
    file.write_text(
        "---\ntitle: 'Notes'\nauthor: [D. Iarist, E. Ditor]\ndate: 3 May 2021\nurl: https://d.example/1\n---\n"
        "# A heading\n\nSome *bold* [link](https://x.example). And\nmore.\n\n- item `x`\n\n"
        "```\ncode()\n```\n<div>html</div>\n\n| a | b |\n|---|---|\n| c | d |\n"
    )
    (found,) = read_markdown(file)
    assert found == Document(
        ("A heading", "Some bold link.", "And more.", "item x", "html", "a: b", "c: d"),
        title="Notes",
        author="D. Iarist, E. Ditor",
        date="2021-05-03",
        url="https://d.example/1",
        starts=(0, 1, 3, 4, 5, 6),
        sections=((0, "A heading"),),
        items=((3, 1), (5, OF_TABLE), (6, OF_TABLE)),
    )


def test_rows_of_beir_scifact_and_a_knowledge_store_are_read(tmp_path):
    beir = {
        "_id": "d1",
        "title": "T",
        "text": "One. Two.",
        "metadata": {"url": "https://b.example"},
    }
    scifact = {"doc_id": 7, "title": "S", "abstract": ["Given as one. Not cut.", " ", "Second."]}
    store = {"url": "https://c.example", "url2text": ["A.", "B."], "pages": [1, 2]}
    other = {"text": "X.", "authors": ["E. One", "F. Two"], "year": 2019, "publisher": "P"}
    found = list(read_rows(write_rows(tmp_path / "c.jsonl", beir, scifact, store, other)))
    assert found == [
        Document(("One.", "Two."), title="T", url="https://b.example", key="d1"),
        Document(("Given as one. Not cut.", "Second."), title="S", key="7"),
        Document(("A.", "B."), (1, 2), url="https://c.example", key="3"),
        Document(("X.",), author="E. One, F. Two", site="P", date="2019", key="4"),
    ]


POST = {
    "user": {"name": "Press", "screen_name": "press"},
    "created_at": "Wed May 15 09:00:00 +0000 2024",
}
LEAKS = {"full_text": "The pool leaks.", "user": {"screen_name": "reader"}}


@pytest.mark.parametrize(
    ("post", "lines", "quoted"),
    [
        ({"full_text": "No leak &amp; no flood."}, ("No leak & no flood.",), ()),
        (
            {"text": "It does…", "extended_tweet": {"full_text": "It does not leak."}},
            ("It does not leak.",),
            (),
        ),
        ({"text": "It does…", "note_tweet": {"text": "It does not."}}, ("It does not.",), ()),
        (
            {"text": "RT @reader: The po…", "retweeted_status": LEAKS},
            ("The pool leaks.",),
            ((0, "reader"),),
        ),
        ({"content": "", "reblog": LEAKS}, ("The pool leaks.",), ((0, "reader"),)),
        (
            {"text": "No.", "quoted_status": {**LEAKS, "quoted_status": LEAKS}},
            ("No.", "The pool leaks.", "The pool leaks."),
            ((1, "reader"), (2, "reader")),
        ),
        (
            {"text": "RT @reader: It leaks. Now."},
            ("It leaks.", "Now."),
            ((0, "@reader"), (1, "@reader")),
        ),
        ({"body": "&gt; It leaks.\n\nNo."}, ("It leaks.", "No."), ((0, ""),)),
        ({"data": {"text": "It is free."}}, ("It is free.",), ()),
        (
            {"text": ["It does ", {"type": "bold", "text": "not"}, " leak."]},
            ("It does not leak.",),
            (),
        ),
        ({"text": "It leaks.", "forwarded_from": "A Reader"}, ("It leaks.",), ((0, "A Reader"),)),
    ],
)
def test_what_a_post_shares_or_quotes_is_not_its_authors(tmp_path, post, lines, quoted):
    (found,) = read_rows(write_rows(tmp_path / "c.jsonl", {**POST, **post}))
    assert (found.lines, found.quoted) == (lines, quoted)
    assert (found.author, found.date) == ("Press", "2024-05-15")


def test_what_a_row_says_of_itself_is_its_text_and_no_number_is_a_name(tmp_path):
    rows = (
        {"body": "It rained.", "metadata": {"abstract": "Other."}, "title": float("nan"), "id": 3},
        {"full_text": True, "text": "> 50% of patients left."},
        {"text": [{"text": "First."}, {"text": "Second."}], "id": 2.5},
    )
    found = list(read_rows(write_rows(tmp_path / "c.jsonl", *rows)))
    assert [(one.lines, one.title, one.quoted) for one in found] == [
        (("It rained.",), "", ()),
        (("> 50% of patients left.",), "", ()),
        (("First.", "Second."), "", ()),
    ]
    assert [one.key for one in found] == ["3", "2", "2.5"]


def test_a_bad_row_is_named_and_the_others_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("uhhrag.documents.web.jsonl._LINE_LIMIT", 40)
    file = write_rows(tmp_path / "c.jsonl", {"text": "One."}, ["no object"], {"title": "no text"})
    long = b'{"text": "' + 90 * b"x" + b'"}\n'
    file.write_bytes(file.read_bytes() + b'{"cut off\n\n{"text": "Two."}\n' + long)
    found = list(read_rows(file))
    assert [f.lines for f in found if isinstance(f, Document)] == [("One.",), ("Two.",)]
    assert [f.split()[1] for f in found if isinstance(f, str)] == ["2", "3", "4", "7"]


def test_rows_without_any_document_are_unreadable(tmp_path):
    with pytest.raises(Unreadable, match="line 1 has no text"):
        list(read_rows(write_rows(tmp_path / "c.jsonl", {"claim": "x"})))


@pytest.mark.parametrize("kind", list(FORMATS))
@settings(max_examples=20)
@given(raw=st.binary(max_size=400))
def test_no_bytes_make_a_reader_do_anything_but_read_or_say_why_not(tmp_path_factory, kind, raw):
    file = tmp_path_factory.mktemp("fuzz") / "x"
    file.write_bytes(raw)
    _require_documents_or_unreadable(kind, file)


@pytest.mark.parametrize(
    "kind",
    [
        *("pdf", "docx", "html", "markdown"),
        *("table", "xlsx", "odt", "rtf"),
        *("mail", "epub"),
    ],
)
@settings(max_examples=20)
@given(data=st.data())
def test_a_damaged_document_is_read_or_named(tmp_path_factory, kind, data):
    folder = tmp_path_factory.getbasetemp() / f"whole-{kind}"
    if not folder.exists():
        folder.mkdir()
        write_pdf(folder / "pdf", [["One. Two."], ["Three."]])
        write_docx(folder / "docx", ["One. Two."])
        write_html(folder / "html")
        write_xlsx(folder / "xlsx", {"One": (("A", "B"), ("two", 3), (4.5, (0.2, SHARE)))})
        write_odt(folder / "odt", "<text:p>One. <text:note>two</text:note>Three.</text:p>")
        (folder / "rtf").write_bytes(RTF)
        (folder / "mail").write_text(MAIL)
        write_epub(folder / "epub", {"a.xhtml": CHAPTER})
        (folder / "table").write_text('A;B\n1;"2;\n3"\n\n4;5\n')
        (folder / "markdown").write_text("---\ntitle: x\n---\n# One\n\n* two [x](y) | z\n")
    raw = bytearray((folder / kind).read_bytes())
    for at, byte in data.draw(
        st.lists(st.tuples(st.integers(0, len(raw) - 1), st.integers(0, 255)), max_size=20)
    ):
        raw[at] = byte
    file = folder / "damaged"
    file.write_bytes(bytes(raw[: data.draw(st.integers(0, len(raw)))]))
    _require_documents_or_unreadable(kind, file)


def _require_documents_or_unreadable(kind: str, file: Path) -> None:
    try:
        found = list(imported(FORMATS[kind].reader)(file))
    except Unreadable as error:
        assert "\n" not in str(error)
        return
    for document in found:
        if isinstance(document, Document):
            assert all(line and line == segmentation.clean(line) for line in document.lines)
            assert len(document.pages) in (0, len(document.lines))
            assert document.date == iso_date(document.date)


@given(st.text())
def test_cutting_loses_no_letter_and_adds_none(text):
    lines = [line for line, _ in segmentation.split_sentences([(text.strip(), 0)])]
    assert "".join("".join(lines).split()) == "".join(segmentation.clean(text).split())


@given(st.lists(st.tuples(st.text(max_size=30), st.integers(1, 9)), max_size=8))
def test_a_sentence_keeps_a_page_of_its_paragraph(lines):
    for paragraph in segmentation.paragraphs(lines):
        pages = {page for _, page in paragraph}
        assert {page for _, page in segmentation.split_sentences(paragraph)} <= pages


@given(st.text())
def test_any_text_has_a_date_or_none(text):
    assert iso_date(text) == iso_date(iso_date(text))


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b'{"text": "It rained \\ud800 here."}', "It rained \ufffd here."),
        (b'{"text": "The mayor\x92s fee is \xa35."}', "The mayor’s fee is £5."),
        ('{"text": "It rained.\u2028It poured."}'.encode(), "It rained."),
        (b'{"text": "", "abstract": "It did not rain."}', "It did not rain."),
    ],
)
def test_a_line_of_json_is_read_whatever_its_characters_are(tmp_path, line, text):
    (tmp_path / "c.jsonl").write_bytes(line + b"\n")
    (document,) = read_rows(tmp_path / "c.jsonl")
    assert document.lines[0] == text


def test_a_number_that_ends_a_sentence_of_a_bullet_begins_no_item(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(
        "• Insurance of at least 10 million for Lots 1 and 2, and of 5 million for Lot\n"
        "  3. It need not be in place at the time of tender, if an undertaking is there.\n"
        "• An average yearly turnover of at least twice the estimated value of the lot.\n",
        encoding="utf-8",
    )
    assert next(iter(read_text_file(file))).lines == (
        "• Insurance of at least 10 million for Lots 1 and 2, and of 5 million for Lot 3.",
        "It need not be in place at the time of tender, if an undertaking is there.",
        "• An average yearly turnover of at least twice the estimated value of the lot.",
    )
