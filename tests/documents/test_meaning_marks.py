"""What raised, lowered, struck-out and hidden parts mean, in every format that has them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.doubles import load_nltk_data
from tests.support.packed_documents import write_epub, write_odt
from uhhrag.documents.document import Document
from uhhrag.documents.formats import FORMATS, imported, kind_of
from uhhrag.documents.marks import lowered, raised


@pytest.fixture(scope="module", autouse=True)
def sentence_data() -> None:
    load_nltk_data()


@pytest.mark.parametrize(
    ("before", "mark", "after", "meant"),
    [
        ("counted 10", "6", " cells", "counted 10^6"),
        ("about 10", "-3", " bar", "about 10^-3"),
        ("about 10", "−3", " bar", "about 10^-3"),
        ("2.5 × 10", "12", " euros", "2.5 × 10^12"),
        ("handled 4", "3", " ships", "handled 4^3"),
        ("a plot of 40 m", "2", ".", "a plot of 40 m^2"),
        ("25 m", "3", " of water", "25 m^3"),
        ("300 km", "2", "", "300 km^2"),
        ("1,200 ft", "2", " flat", "1,200 ft^2"),
        ("at 9.8 m s", "-2", "", "at 9.8 m s^-2"),
        ("E = mc", "2", ".", "E = mc^2"),
        ("x", "2", " + y", "x^2"),
        ("an R", "2", " of 0.8", "an R^2"),
        ("2", "n", " ways", "2^n"),
        ("(1 + r)", "3", "", "(1 + r)^3"),
        ("In 2019", "4", " the town", "In 2019"),
        ("since 1998", "12", ".", "since 1998"),
        ("had 12,345", "3", " people", "had 12,345"),
        ("of mercury.", "2", " It", "of mercury."),
        ("the river", "7", " and", "the river"),
        ("the report", "[3]", " says", "the report"),
        ("52", "[3]", " boats", "52"),
        ("52", "[note 2]", " boats", "52"),
        ("said so", "(2)", "", "said so"),
        ("said so", "1,2", ".", "said so"),
        ("said so", "3–5", ".", "said so"),
        ("said so", "*", ".", "said so"),
        ("the mayor", "†", " said", "the mayor"),
        ("4,500", "a", " votes", "4,500"),
        ("", "1", " The source is a letter.", ""),
        ("for $11", "99", " a kilo", "for $11.99"),
        ("for $1,299", "00", "", "for $1,299.00"),
        ("from €4", "50", " on", "from €4.50"),
        ("from £ 7", "25", "", "from £ 7.25"),
        ("for 4", "50", " €", "for 4.50"),
        ("kl. 19", "30", "", "kl. 19:30"),
        ("at 7", "45", " p.m.", "at 7:45"),
        ("3", "1", "/2 miles", "3 1"),
        ("the ", "1", "⁄2 mile", "the 1"),
        ("on the 4", "th", " of May", "on the 4th"),
        ("the 1", "st", "", "the 1st"),
        ("le 1", "er", " mai", "le 1er"),
        ("le XIX", "e", " siècle", "le XIXe"),
        ("M", "me", " Roux", "Mme"),
        ("it was 20 ", "o", "C", "it was 20 o"),
        ("it was 20", "o", "C", "it was 20°"),
        ("Brand", "TM", " soap", "Brand™"),
        ("Ca", "2+", " ions", "Ca^2+"),
        ("Na", "+", "", "Na^+"),
        ("dated by ", "14", "C", "dated by 14"),
    ],
)
def test_a_raised_mark_is_an_exponent_a_note_cents_or_the_end_of_a_word(before, mark, after, meant):
    assert before + raised(before, mark, after) == meant


def test_a_raised_mark_that_is_a_link_is_that_of_a_note():
    assert raised("it has 12", "3", " boats", linked=True) == ""
    assert raised("in 10", "6", linked=True) == ""


@pytest.mark.parametrize(
    ("before", "mark", "meant"),
    [
        ("CO", "2", "CO2"),
        ("H", "2", "H2"),
        ("PM", "2.5", "PM2.5"),
        ("3 1/", "2", "3 1/2"),
        ("101", "2", "101_2"),
        ("x", "i", "xi"),
    ],
)
def test_lowered_letters_stand_as_they_are(before, mark, meant):
    assert before + lowered(before, mark) == meant


HTML = (
    "<p>It has 10<sup>6</sup> cells, fell in 2019<sup><a href='#n'>4</a></sup> and cost "
    "$11<sup>99</sup>. The road is 3<sup>1</sup>/<sub>2</sub> miles, of CO<sub>2</sub>.</p>"
    "<p>The fare is <del>25</del> <ins>35</ins> crowns<s>, says the state</s>.</p>"
    "<p hidden>The toll is 90.</p><p style='display: none'>It is 91.</p>"
    "<p aria-hidden='true'>It is 92.</p><p class='x'>It is 93.</p><p>Dogs are "
    "<span style='text-decoration: line-through'>not</span> free.</p>"
)
MEANT = (
    "It has 10^6 cells, fell in 2019 and cost $11.99.",
    "The road is 3 1/2 miles, of CO2.",
    "The fare is 35 crowns.",
    "Dogs are free.",
)


def page(folder: Path) -> Path:
    file = folder / "a.html"
    file.write_text(f"<html><head><style>.x {{display:none}}</style></head><body>{HTML}")
    return file


def mail(folder: Path) -> Path:
    file = folder / "a.eml"
    styled = f"<style>.x {{display:none}}</style>{HTML}"
    file.write_text(f"From: a@b.example\nContent-Type: text/html\n\n{styled}")
    return file


def book(folder: Path) -> Path:
    styled = f"<html><head><style>.x {{display:none}}</style></head><body>{HTML}</body></html>"
    return write_epub(folder / "a.epub", {"a.xhtml": styled})


def markdown(folder: Path) -> Path:
    file = folder / "a.md"
    file.write_text(
        "It has 10^6^ cells, fell in 2019[^n] and cost $11<sup>99</sup>. The road is "
        "3<sup>1</sup>/<sub>2</sub> miles, of CO~2~.\n\nThe fare is ~~25~~ 35 crowns<s>, says the "
        "state</s>.\n\nDogs are <del>not</del> free.\n\n[^n]: See below.\n"
    )
    return file


def read(file: Path) -> Document:
    found = imported(FORMATS[kind_of(file)].reader)(file)
    return next(one for one in found if isinstance(one, Document))


@pytest.mark.parametrize("written", [page, mail, book, markdown])
def test_html_is_read_as_its_author_means_it_wherever_it_stands(tmp_path, written: Callable):
    lines = read(written(tmp_path)).lines
    assert [line for line in lines if line not in ("From: a@b.example", "See below.")] == [*MEANT]


WORD = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    "{}</w:body></w:document>"
)
RUN = "<w:r><w:rPr>{}</w:rPr><w:t xml:space='preserve'>{}</w:t></w:r>"
UP = '<w:vertAlign w:val="superscript"/>'
DOWN = '<w:vertAlign w:val="subscript"/>'
STYLES = (
    '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
    '<w:style w:type="character" w:styleId="H"><w:name w:val="h"/><w:rPr><w:vanish/></w:rPr>'
    '</w:style><w:style w:type="character" w:styleId="I"><w:basedOn w:val="H"/></w:style>'
    "</w:styles>"
)


def word(folder: Path, body: str, **more: str) -> Path:
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{types}"/>')
        relation = f'<Relationship Id="r" Type="{kind}/officeDocument" Target="word/document.xml"/>'
        archive.writestr(
            "_rels/.rels", f'<Relationships xmlns="{relations}">{relation}</Relationships>'
        )
        archive.writestr("word/_rels/document.xml.rels", f'<Relationships xmlns="{relations}"/>')
        archive.writestr("word/styles.xml", STYLES)
        archive.writestr("word/document.xml", WORD.format(body))
    (folder / "a.docx").write_bytes(packed.getvalue())
    return folder / "a.docx"


def runs(*pairs: tuple[str, str]) -> str:
    return f"<w:p>{''.join(RUN.format(*pair) for pair in pairs)}</w:p>"


def test_a_word_file_is_read_as_its_author_means_it(tmp_path):
    body = (
        runs(("", "It has 10"), (UP, "6"), ("", " cells of CO"), (DOWN, "2"), ("", "."))
        + runs(("", "The fare is "), ("<w:strike/>", "25 "), ("<w:dstrike/>", "27 "), ("", "35."))
        + runs(("", "Dogs are free."), ("<w:vanish/>", " The toll is 90."))
        + runs(("", "Cats pay."), ('<w:rStyle w:val="I"/>', " The toll is 91."))
        + runs(('<w:vanish w:val="0"/>', "Birds fly."))
    )
    assert read(word(tmp_path, body)).lines == (
        "It has 10^6 cells of CO2.",
        "The fare is 35.",
        "Dogs are free.",
        "Cats pay.",
        "Birds fly.",
    )


def test_tracked_changes_of_a_word_file_are_accepted_and_said(tmp_path):
    body = (
        f"<w:p>{RUN.format('', 'The board did ')}<w:ins>{RUN.format('', 'not ')}</w:ins>"
        f"<w:del><w:r><w:delText>surely </w:delText></w:r></w:del>{RUN.format('', 'agree.')}</w:p>"
        f"<w:p><w:moveTo>{RUN.format('', 'It moved here.')}</w:moveTo></w:p>"
        f"<w:p><w:moveFrom>{RUN.format('', 'It moved away.')}</w:moveFrom></w:p>"
    )
    found = read(word(tmp_path, body))
    assert found.lines == ("The board did not agree.", "It moved here.")
    assert found.note == "with tracked changes"
    assert read(word(tmp_path, runs(("", "Plain.")))).note == ""


def test_fields_content_controls_text_boxes_and_tables_in_cells_of_a_word_file_are_text(tmp_path):
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    row = f"<w:tr>{cell.format('Berth')}{cell.format('Depth')}</w:tr>"
    inner = f"<w:tbl>{row}<w:tr>{cell.format('North')}{cell.format('7 m')}</w:tr></w:tbl>"
    body = (
        f"<w:p>{RUN.format('', 'It had ')}<w:fldSimple w:instr='DOCPROPERTY x'>"
        f"{RUN.format('', '85')}</w:fldSimple>{RUN.format('', ' workers, and ')}<w:sdt>"
        f"<w:sdtContent>{RUN.format('', '14 ships')}</w:sdtContent></w:sdt>"
        f"{RUN.format('', '.')}</w:p>"
        "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>REF x"
        "</w:instrText></w:r>"
        "<w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>Nine.</w:t></w:r>"
        "<w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>"
        f"<w:tbl><w:tr><w:tc><w:p>{RUN.format('', 'The pier is open.')}</w:p>{inner}<w:p/></w:tc>"
        "</w:tr></w:tbl>"
        f"<w:p><w:r><w:pict><w:txbxContent>{runs(('', 'In a box.'))}</w:txbxContent></w:pict></w:r>"
        "</w:p>"
    )
    assert read(word(tmp_path, body)).lines == (
        "It had 85 workers, and 14 ships.",
        "Nine.",
        "The pier is open.",
        "Berth; Depth",
        "Berth: North; Depth: 7 m",
        "In a box.",
    )


def test_choices_turned_text_and_rows_that_begin_later_of_a_word_file_are_text(tmp_path):
    chosen = "<w:ddList><w:result w:val='1'/>{}</w:ddList>".format(
        "".join(f"<w:listEntry w:val='{word}'/>" for word in ("open", "shut"))
    )
    first = "<w:ddList><w:listEntry w:val='today'/><w:listEntry w:val='never'/></w:ddList>"
    field = (
        "<w:r><w:fldChar w:fldCharType='begin'><w:ffData>{}</w:ffData></w:fldChar></w:r><w:r>"
        "<w:instrText>FORMDROPDOWN</w:instrText></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r>"
    )
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    rows = [
        f"<w:tr>{before}{''.join(map(cell.format, cells))}</w:tr>"
        for before, cells in (
            ("", ("Town", "2019", "2020")),
            ("", ("Lunde", "5", "6")),
            ("<w:trPr><w:gridBefore w:val='1'/></w:trPr>", ("7", "8")),
        )
    ]
    body = (
        f"<w:p>{RUN.format('', 'It is ')}{field.format(chosen)}{RUN.format('', ' ')}"
        f"{field.format(first)}{RUN.format('', '.')}</w:p><w:p>{RUN.format('', 'It did ')}"
        f"<w:bdo w:val='ltr'>{RUN.format('', 'not ')}</w:bdo><w:dir w:val='ltr'>"
        f"{RUN.format('', 'ever ')}</w:dir>{RUN.format('', 'rain.')}</w:p>"
        f"<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/><w:gridCol/></w:tblGrid>{''.join(rows)}</w:tbl>"
    )
    assert read(word(tmp_path, body)).lines == (
        *("It is shut today.", "It did not ever rain.", "Town; 2019; 2020"),
        *("Town: Lunde; 2019: 5; 2020: 6", "2019: 7; 2020: 8"),
    )


def test_the_board_of_a_harbour_is_read_as_a_person_reads_it():
    found = read(Path(__file__).parent / "cases" / "board.docx")
    assert found.lines[1:4] == (
        "The quay at Lunnholm cost 19 million crowns.",
        "The board did not approve the sale of the old crane.",
        "The ferry service to Brannoy ended in March 2021.",
    )
    assert "The contractor was based in Tromvik and had 85 workers on site." in found.lines
    assert "In 2019 the port handled 4^3 ships fewer than before." in found.lines
    assert not any("90 crowns" in line for line in found.lines)
    assert (found.lines[-1], found.note) == (
        "Berth: North; Depth: 7 metres",
        "with tracked changes",
    )


def test_an_odt_is_read_as_its_author_means_it(tmp_path):
    body = (
        "<text:p>It is so<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        "<text:p>See the minutes.</text:p></text:note-body></text:note>.</text:p>"
        "<text:p>Seen. <text:hidden-text text:string-value='x'>Unseen.</text:hidden-text></text:p>"
        "<text:section text:display='none'><text:p>Hidden.</text:p></text:section>"
    )
    assert read(write_odt(tmp_path / "a.odt", body)).lines == (
        "It is so.",
        "See the minutes.",
        "Seen.",
    )


def test_an_rtf_is_read_as_its_author_means_it(tmp_path):
    file = tmp_path / "a.rtf"
    file.write_bytes(
        rb"{\rtf1 It has 10{\super 6} cells of CO{\sub 2}.\par The fare is {\strike 25 }"
        rb"{\striked1 27 }35.\par Dogs{\v  (cats)} are {\deleted not }{\revised free}.\par In 2019"
        rb"{\super 4}{\footnote A note.} it rained.}"
    )
    assert read(file).lines == (
        "It has 10^6 cells of CO2.",
        "The fare is 35.",
        "Dogs are free.",
        "In 2019 it rained.",
        "A note.",
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tex", r"It has $10^{6}$ cells\footnote{A note.} and \sout{no} 7 ships."),
        ("a.rst", "It has 10\\ :sup:`6` cells [1]_ and 7 ships.\n\n.. [1] A note."),
        ("a.org", "It has 10^6 cells[fn:1] and +no+ 7 ships.\n\n[fn:1] A note."),
        (
            "a.dbk",
            "<article><para>It has 10<superscript>6</superscript> cells<footnote><para>A note."
            "</para></footnote> and 7 ships.</para></article>",
        ),
        ("a.wiki", "It has 10<sup>6</sup> cells<ref>A note.</ref> and <s>no</s> 7 ships."),
        ("a.md", "It has 10^6^ cells[^1] and ~~no~~ 7 ships.\n\n[^1]: A note."),
    ],
)
def test_texts_with_marks_are_read_as_their_authors_mean_them(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert read(tmp_path / name).lines == ("It has 10^6 cells and 7 ships.", "A note.")


def test_raised_letters_of_an_article_are_exponents_notes_cents_and_fractions():
    (found,) = [*imported(FORMATS["html"].reader)(Path(__file__).parent / "cases" / "sup.html")]
    assert found.lines[:6] == (
        "Plankton in the fjord",
        "The survey counted 10^6 cells per litre in the inner fjord in June.",
        "In 2019 the town had 52 fishing boats, fewer than ever before.",
        "The plot covers 40 m^2 and the cage holds 25 m^3 of water.",
        "The price was $11.99 for a kilo of cod at the quay.",
        "The road is 3 1/2 miles long and the gas is CO2.",
    )
