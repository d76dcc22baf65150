"""Titles, and documents within documents, as office programs write them."""

from __future__ import annotations

import pytest
from docx import Document as WordFile
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from tests.support.packed_documents import write_odt
from uhhrag.documents.office.docx import read_docx
from uhhrag.documents.office.odt import read_odt

pytestmark = pytest.mark.usefixtures("nltk_loaded")


def word_file(*paragraphs):
    made = WordFile()
    for text, style in paragraphs:
        made.add_paragraph(text, style=style)
    made.core_properties.author = "Ines Calder"
    return made


@pytest.mark.parametrize(
    ("second", "title"),
    [("Normal", "The ferry at Lunde"), ("Title", "The ferry at Lunde Its sale")],
)
def test_a_title_of_word_below_the_first_line_is_the_title(tmp_path, second, title):
    made = word_file(
        ("Ministry of Ports", None),
        ("The ferry at Lunde", "Title"),
        ("Its sale", second),
        ("It was sold.", None),
    )
    made.save(tmp_path / "a.docx")
    (found,) = read_docx(tmp_path / "a.docx")
    assert found.title == title
    made.core_properties.title = "Sale"
    made.save(tmp_path / "a.docx")
    (found,) = read_docx(tmp_path / "a.docx")
    assert found.title == "Sale"


def test_a_title_of_odt_below_the_first_line_is_the_title(tmp_path):
    styles = (
        '<style:style style:name="P1" style:parent-style-name="Title" style:family="paragraph"/>'
    )
    line = '<text:p text:style-name="P1">The ferry</text:p>'
    body = f"<text:p>Ministry</text:p>{line}<text:p>It sails.</text:p>"
    file = write_odt(tmp_path / "a.odt", body, more={"meta.xml": "<meta/>"}, styles=styles)
    (found,) = read_odt(file)
    assert (found.title, found.lines) == ("The ferry", ("Ministry", "The ferry", "It sails."))


def with_page(made, html: str) -> None:
    part = Part(PackURI("/word/page.html"), "text/html", html.encode(), made.part.package)
    number = made.part.relate_to(part, RELATIONSHIP_TYPE.A_F_CHUNK)
    made.element.body.insert(0, parse_xml(f'<w:altChunk {nsdecls("w", "r")} r:id="{number}"/>'))


@pytest.mark.parametrize("own", [True, False])
def test_a_page_within_a_word_file_is_read(tmp_path, own):
    made = word_file(*[("It is open.", None)] * own)
    with_page(made, "<title>Fares</title><p>It was sold in 2019 by the county council.</p>")
    made.save(tmp_path / "a.docx")
    *_, page = found = read_docx(tmp_path / "a.docx")
    assert len(found) == 1 + own
    assert (page.title, page.author, page.key) == ("Fares", "Ines Calder", "page.html")
    assert page.lines == ("It was sold in 2019 by the county council.",)


FORM = "urn:oasis:names:tc:opendocument:xmlns:form:1.0"
DRAW = "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"


def param(name: str, value: str) -> str:
    return f"<f:param f:name='{name}' f:value='{value}'/>"


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("<f:fieldmark f:type='x.FORMCHECKBOX'/>", "☐"),
        (
            "<f:fieldmark f:type='x.FORMCHECKBOX'>"
            + param("Checkbox_Checked", "true")
            + "</f:fieldmark>",
            "☒",
        ),
        (
            "<f:fieldmark f:type='x.FORMDROPDOWN'>"
            + param("Dropdown_ListEntry", "Yes")
            + param("Dropdown_ListEntry", "No")
            + param("Dropdown_Selected", "1")
            + "</f:fieldmark>",
            "No",
        ),
        ("<d:control d:control='c1'/>", "☒ By the county"),
        ("<d:control d:control='c2'/>", "To nobody"),
        ("<d:control d:control='c3'/>", "Maybe"),
    ],
)
def test_forms_of_an_odt_are_as_filled_in(tmp_path, field, shown):
    forms = (
        "<office:forms><m:form><m:checkbox m:id='c1' m:label='By the county' "
        "m:current-state='checked'/><m:text m:id='c2' m:current-value='To nobody'/>"
        "<m:listbox m:id='c3'><m:option m:label='Yes'/><m:option m:label='Maybe' "
        "m:current-selected='true'/></m:listbox></m:form></office:forms>"
    ).replace("<m:form>", f"<m:form xmlns:m='{FORM}'>")
    line = f"<text:p xmlns:f='urn:f' xmlns:d='{DRAW}'>It is sold: {field}</text:p>"
    (found,) = read_odt(write_odt(tmp_path / "a.odt", forms + line))
    assert found.lines == (f"It is sold: {shown}",)


@pytest.mark.parametrize(("code", "sign"), [("\uf03c", "<"), ("\uf026", "•"), ("\uf03e", ">")])
def test_signs_of_symbol_fonts_are_signs_in_word_and_odt(tmp_path, code, sign):
    word_file((f"It fell, p {code} 0.05.", None)).save(tmp_path / "a.docx")
    file = write_odt(tmp_path / "a.odt", f"<text:p>It fell, p {code} 0.05.</text:p>")
    for (found,) in (read_docx(tmp_path / "a.docx"), read_odt(file)):
        assert found.lines == (f"It fell, p {sign} 0.05.",)


def test_names_at_tab_stops_have_a_blank_corner(tmp_path):
    rows = ("\t2022\t2023", "Turnover\t12.1\t13.4", "Loss\t(0.8)\t(0.9)", "Staff\t140\t133")
    word_file(*((row, None) for row in ("The year", *rows))).save(tmp_path / "a.docx")
    (found,) = read_docx(tmp_path / "a.docx")
    assert found.lines[:3] == ("The year", "2022; 2023", "Turnover; 2022: 12.1; 2023: 13.4")


def test_items_in_a_cell_are_parted(tmp_path):
    made = word_file()
    table = made.add_table(3, 3)
    rows = (("Act", "Owner", "State"), ("Close", "Berg", ""), ("Sell", "Dahl", "Done"))
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    for text in ("Staff asked", "It ends in 2025.", "Fees rise"):
        table.cell(1, 2).add_paragraph(text, style="List Bullet")
    made.save(tmp_path / "a.docx")
    (found,) = read_docx(tmp_path / "a.docx")
    assert found.lines[1] == (
        "Act: Close; Owner: Berg; State: Staff asked, It ends in 2025. Fees rise"
    )


TRACKED = f'{nsdecls("w")} w:id="9" w:author="A" w:date="2024-01-01T00:00:00Z"'


def test_a_row_that_is_marked_as_deleted_is_no_text_though_its_words_bear_no_mark(tmp_path):
    made = WordFile()
    table = made.add_table(3, 2)
    for row, cells in zip(
        table.rows, (("Town", "Ships"), ("Vik", "3"), ("Lund", "5")), strict=True
    ):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {TRACKED}/>"))
    made.save(tmp_path / "a.docx")
    (found,) = read_docx(tmp_path / "a.docx")
    assert found.lines == ("Town; Ships", "Town: Lund; Ships: 5")


def test_the_font_before_a_tracked_change_shows_nothing(tmp_path):
    made = word_file(("It was opened in May.", None))
    look = f'<w:rPrChange {TRACKED}><w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr></w:rPrChange>'
    made.paragraphs[0].runs[0]._r.get_or_add_rPr().append(parse_xml(look))
    made.save(tmp_path / "a.docx")
    (found,) = read_docx(tmp_path / "a.docx")
    assert found.lines == ("It was opened in May.",)


def level(text: str, start: int = 1, at: int = 0, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="decimal"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def use(number: int, kind: int, own: str = "") -> str:
    own = f'<w:lvlOverride w:ilvl="0">{own}</w:lvlOverride>' if own else ""
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{kind}"/>{own}</w:num>'


KIND = '<w:abstractNum w:abstractNumId="{}">{}</w:abstractNum>'
NAMED = level("Article %1.") + level("Rule %2.", at=1, more='<w:lvlRestart w:val="0"/>')


@pytest.mark.parametrize(
    ("kinds", "uses", "read_as"),
    [
        (  # a list of a style, whose levels are in another
            KIND.format(0, '<w:numStyleLink w:val="L"/>')
            + KIND.format(1, '<w:styleLink w:val="L"/>' + NAMED),
            use(1, 0) + use(2, 1),
            ("Article 1. Dogs pay.", "Rule 1. Twice.", "Article 2. Cats pay.", "Rule 2. Once."),
        ),
        (
            KIND.format(0, NAMED),
            use(1, 0) + use(2, 0, level("Clause %1:", start=5)),
            ("Article 1. Dogs pay.", "Rule 1. Twice.", "Clause 2: Cats pay.", "Rule 2. Once."),
        ),
    ],
)
def test_items_of_word_bear_the_numbers_that_it_shows(tmp_path, kinds, uses, read_as):
    made = word_file()
    made.part.numbering_part.element[:] = parse_xml(f"<w:a {nsdecls('w')}>{kinds}{uses}</w:a>")
    places = (("Dogs pay.", 1, 0), ("Twice.", 1, 1), ("Cats pay.", 2, 0), ("Once.", 2, 1))
    for text, number, at in places:
        numbers = made.add_paragraph(text)._p.get_or_add_pPr().get_or_add_numPr()
        numbers.get_or_add_ilvl().val, numbers.get_or_add_numId().val = at, number
    made.save(tmp_path / "a.docx")
    (found,) = read_docx(tmp_path / "a.docx")
    assert found.lines == read_as


def test_letters_drawn_as_a_shape_are_text_and_an_index_is_none(tmp_path):
    made = word_file(("It is open.", None), ("Fares, 12", "Normal"))
    made.styles.add_style("index 1", 1)
    made.paragraphs[1].style = "index 1"
    shape = '<w:pict><v:shape xmlns:v="v"><v:textpath string="Free entry"/></v:shape></w:pict>'
    made.paragraphs[0].add_run()._r.append(
        parse_xml(shape.replace("<w:pict", f"<w:pict {nsdecls('w')}"))
    )
    made.save(tmp_path / "a.docx")
    (found,) = read_docx(tmp_path / "a.docx")
    assert found.lines == ("It is open.", "Free entry")


def test_text_on_lines_of_an_odt_is_read_and_programs_in_it_are_not(tmp_path):
    line = f"<d:line xmlns:d='{DRAW}'><text:p>It runs 12 km.</text:p></d:line>"
    body = f"<text:p>It is open.<text:script>var fee = 5;</text:script>{line}</text:p>"
    (found,) = read_odt(write_odt(tmp_path / "a.odt", body))
    assert found.lines == ("It is open.", "It runs 12 km.")


def test_a_name_that_two_parts_of_an_odt_bear_is_no_fault(tmp_path):
    body = "<text:p xml:id='a'>It is open.</text:p><text:p xml:id='a'>It is sold.</text:p>"
    (found,) = read_odt(write_odt(tmp_path / "a.odt", body))
    assert found.lines == ("It is open.", "It is sold.")
