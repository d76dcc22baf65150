"""Headings: what is one, what is not, and that each format's reader gives them."""

from __future__ import annotations

import pytest

from tests.support.doubles import load_nltk_data
from tests.support.packed_documents import write_odt
from uhhrag.documents.document import Document
from uhhrag.documents.headings import headings_in, title_in
from uhhrag.documents.html import read_html
from uhhrag.documents.odt import read_odt
from uhhrag.documents.segmentation import split_all
from uhhrag.documents.text import read_markdown, read_text_file

BODY = "A ticket costs 48 crowns. It is sold on board."


@pytest.fixture(scope="module", autouse=True)
def sentence_data() -> None:
    load_nltk_data()


def document(*paragraphs: str, **about: str) -> Document:
    split = split_all(paragraphs)
    return Document(split.lines, starts=split.starts, **about)


def headings(found: Document) -> list[str]:
    return [found.lines[at] for at in headings_in(found)]


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        (("Fares of the line", "Adults", BODY, "Children", BODY), ["Adults", "Children"]),
        (("2.1 Adults", BODY), ["2.1 Adults"]),
        (("Fares", "Adults", BODY), ["Adults"]),
        (("Adults", "Children", "Dogs", BODY), []),
        (("The bus is late.", BODY), []),
        (("and so on", BODY), []),
        (("2022", BODY), []),
        (("Adults | 48 crowns", BODY), []),
        (("By Anna Lund", BODY), []),
        (("Adults", "48 crowns"), []),
        (("Adults",), []),
        ((BODY, "Adults"), []),
        ((), []),
    ],
)
def test_a_heading_stands_alone_above_sentences(paragraphs, expected):
    assert headings(document(*paragraphs, title="Buses")) == expected


def test_the_title_is_no_heading():
    found = document("Fares of the line", BODY)
    assert title_in(found) == "Fares of the line"
    assert headings(found) == []
    assert headings(document("Fares", BODY, title="Fares")) == []
    assert headings(document("Fares", BODY, title="Buses")) == ["Fares"]


def test_a_table_and_a_document_whose_paragraphs_are_unknown_have_none():
    assert headings(document("Adults", BODY, unit="row")) == []
    assert headings(Document(("Adults", "A ticket costs 48 crowns."))) == []


def test_formats_agree_on_headings(tmp_path):
    (tmp_path / "a.txt").write_text(f"Fares of the line\n\nAdults\n\n{BODY}\n")
    (tmp_path / "a.md").write_text(f"# Fares of the line\n\n## Adults\n\n{BODY}\n")
    html = f"<main><h1>Fares of the line</h1><h2>Adults</h2><p>{BODY * 9}</p></main>"
    (tmp_path / "a.html").write_text(f"<html><body>{html}</body></html>")
    elements = f"<text:h>Fares of the line</text:h><text:h>Adults</text:h><text:p>{BODY}</text:p>"
    write_odt(tmp_path / "a.odt", elements)
    readers = (
        *((read_text_file, "a.txt"), (read_markdown, "a.md")),
        *((read_html, "a.html"), (read_odt, "a.odt")),
    )
    for read, name in readers:
        (found,) = read(tmp_path / name)
        assert headings(found) == ["Adults"], name
