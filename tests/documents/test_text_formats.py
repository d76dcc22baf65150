"""ODT and RTF: paragraphs and tables in order, what the file says of itself, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.packed_documents import RTF, odt_table, write_odt
from uhhrag.documents.document import OF_TABLE, Document, Unreadable
from uhhrag.documents.office.odt import read_odt
from uhhrag.documents.office.rtf import read_rtf
from uhhrag.documents.web.jsonl import read_rows

pytestmark = pytest.mark.usefixtures("nltk_loaded")


def rtf(folder: Path, content: bytes) -> list[Document | str]:
    file = folder / "a.rtf"
    file.write_bytes(content)
    return list(read_rtf(file))


def test_paragraphs_and_tables_of_an_odt_come_in_order_with_its_metadata(tmp_path):
    body = (
        "<text:h>Harbour</text:h><text:p>It is<text:s text:c='3'/>so.<text:line-break/>Is "
        "<text:span>it &amp; more?</text:span></text:p>"
        + odt_table(("Year", "Ships"), ("2019", "14"))
        + "<text:list><text:list-item><text:p>Yes.</text:p></text:list-item></text:list>"
    )
    assert read_odt(write_odt(tmp_path / "a.odt", body)) == (
        Document(
            (
                *("Harbour", "It is so.", "Is it & more?", "Year; Ships", "Year: 2019; Ships: 14"),
                "Yes.",
            ),
            title="Minutes",
            author="B. Clerk",
            date="2020-03-04",
            dated_by="file",
            starts=(0, 1, 2, 3, 4, 5),
            sections=((0, "Harbour"),),
            items=((3, OF_TABLE), (4, OF_TABLE), (5, 1)),
        ),
    )


def test_notes_comments_contents_and_deleted_text_of_an_odt_are_left_out(tmp_path):
    body = (
        "<text:tracked-changes><text:p>Deleted.</text:p></text:tracked-changes><text:table-of-content>"
        "<text:p>Contents.</text:p></text:table-of-content><text:p>It is<text:note><text:p>A note."
        "</text:p></text:note> so<office:annotation><text:p>Comment.</text:p></office:annotation>."
        "</text:p>"
    )
    assert read_odt(write_odt(tmp_path / "a.odt", body))[0].lines == ("It is so.",)


def test_pages_of_an_odt_are_those_libreoffice_noted(tmp_path):
    body = "<text:p>First page.</text:p><text:soft-page-break/><text:p>Second page.</text:p>"
    assert read_odt(write_odt(tmp_path / "a.odt", body))[0].pages == (1, 2)


def test_an_encrypted_odt_says_so(tmp_path):
    manifest = {"META-INF/manifest.xml": "<m:manifest><m:encryption-data/></m:manifest>"}
    with pytest.raises(Unreadable, match="is encrypted"):
        read_odt(write_odt(tmp_path / "a.odt", "<text:p>x</text:p>", manifest))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("", "has no text"),
        ("<text:p>cut", "is not an OpenDocument text, or is damaged"),
        ("<text:span>" * 3000 + "</text:span>" * 3000, "is nested too deeply"),
    ],
)
def test_a_hostile_odt_is_refused_in_one_clause(tmp_path, body, why):
    with pytest.raises(Unreadable, match=why):
        read_odt(write_odt(tmp_path / "a.odt", body))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "declares a document type"),
        (b"\x00" * 2**26, "would unpack to"),
        (b"\xff\xfe<\x00", "is damaged"),
    ],
)
def test_hostile_content_of_an_odt_is_refused(tmp_path, content, why):
    with pytest.raises(Unreadable, match=why):
        read_odt(write_odt(tmp_path / "a.odt", "", {"content.xml": content}))


def test_an_rtf_is_read_in_its_encodings_without_what_is_no_text(tmp_path):
    assert rtf(tmp_path, RTF) == [
        Document(
            (
                "It is so.",
                "Is it?",
                "Café €5 😀“quoted” Привет end.",
                "Link text.",
                "A note.",
                "Year; Ships",
                "Year: 2019; Ships: 14",
                "After bytes.",
            ),
            title="Minutes",
            author="B. Clerk",
            date="2020-03-04",
            dated_by="file",
            starts=(0, 3, 4, 5, 6, 7),
            items=((5, OF_TABLE), (6, OF_TABLE)),
            note="with tracked changes",
        )
    ]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (rb"\ansicpg1251 \'cf\'f0", "Пр"),
        (rb"\mac \'8e", "é"),
        (rb"\ansicpg99999 \'e9", "é"),
        (rb"{\fonttbl{\f3\fcharset128 MS;}}\f3 \'93\'fa\'96\'7b", "日本"),
        (rb"\uc2\u26085\'93\'fa-", "日-"),
        (rb"\deff5{\fonttbl{\f5\fcharset238 X;}}\'b3", "ł"),
    ],
)
def test_characters_of_an_rtf_are_those_its_fonts_and_pages_mean(tmp_path, code, text):
    (document,) = rtf(tmp_path, rb"{\rtf1 " + code + b"}")
    assert document.lines == (text,)


def test_an_rtf_that_is_cut_off_is_read_so_far_and_said_to_be_cut(tmp_path):
    document, fault = rtf(tmp_path, rb"{\rtf1 It began.\par {\b And went")
    assert document.lines == ("It began.", "And went")
    assert fault == "is cut off; what stands before the cut was read"


def test_formulas_of_an_rtf_are_said_to_be_unread_and_signs_after_a_word_of_it_stay(tmp_path):
    text = rb"{\rtf1 It costs \b\'80450.{\mmath{\*\moMath{\mr x}}}}"
    document, fault = rtf(tmp_path, text)
    assert document.lines == ("It costs €450.",)
    assert fault == "has formulas that are not read; save a copy as .docx"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is not RTF"),
        (b"PK\x03\x04", "is not RTF"),
        (rb"{\rtf1 }", "has no text"),
        (rb"{\rtf1 " + b"{" * 20_000, "is nested too deeply"),
        (rb"{\rtf1 \bin9999999999 text}", "has no text"),
    ],
)
def test_a_hostile_rtf_is_refused_in_one_clause(tmp_path, content, why):
    with pytest.raises(Unreadable, match=why):
        rtf(tmp_path, content)


def test_paragraphs_in_a_style_for_quotes_are_quoted_and_fields_eq_are_counted(tmp_path):
    document, fault = rtf(
        tmp_path,
        rb"{\rtf1{\stylesheet{\s0 Normal;}{\s29\qc \sbasedon0 Intense Quote;}}\pard\s0 No.\par"
        rb"\pard\plain\s29\qc The pool leaks.\par It is shut.\par\pard\s0 It is "
        rb"{\field{\*\fldinst {\f1  EQ \\f(1,2) }}{\fldrslt }}open.\par}",
    )
    assert document.lines == ("No.", "The pool leaks.", "It is shut.", "It is open.")
    assert document.quoted == ((1, ""), (2, ""))
    assert fault == "1 formula is in a field EQ and not read"


def test_items_of_feeds_and_articles_of_pages_are_rows(tmp_path):
    rows = (
        {"content_html": "<p>It is <b>open</b>.</p><p>It is new.</p>", "authors": [{"name": "Ada"}],
         "date_published": "2024-03-12T10:00:00Z"},
        {"articleBody": "It is shut.", "author": {"@type": "Person", "name": "Bo"}},
        {"message": "It is late.", "created_time": "2024-03-05T09:00:00+0000"},
        {"speaker": "Cy", "text": "It is so.", "description": "A speech."},
    )  # fmt: skip
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = [one for one in read_rows(tmp_path / "a.jsonl") if isinstance(one, Document)]
    assert [(one.lines, one.author, one.date) for one in found] == [
        (("It is open.", "It is new."), "Ada", "2024-03-12"),
        (("It is shut.",), "Bo", ""),
        (("It is late.",), "", "2024-03-05"),
        (("It is so.",), "Cy", ""),
    ]
