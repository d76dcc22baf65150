"""What raised, lowered, struck-out and hidden parts mean, in every format that has them."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.packed_documents import odt_table, write_epub, write_odt, write_zip
from uhhrag.documents.document import Document
from uhhrag.documents.formats import FORMATS, imported, kind_of
from uhhrag.documents.marks import lowered, raised

pytestmark = pytest.mark.usefixtures("nltk_loaded")


@pytest.mark.parametrize(
    ("before", "mark", "after", "meant"),
    [
        ("counted 10", "6", " cells", "counted 10^6"),
        ("about 10", "-3", " bar", "about 10^-3"),
        ("about 10", "−3", " bar", "about 10^-3"),
        ("2.5 × 10", "12", " euros", "2.5 × 10^12"),
        ("handled 4", "3", " ships", "handled 4^3"),
        ("a plot of 40 m", "2", ".", "a plot of 40 m^2"),
        ("paid £12m", "2", " in 2023", "paid £12m"),
        ("paid €4.5 m", "3", "", "paid €4.5 m"),
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
        ("fell to 4", "1/2", " per cent", "fell to 4 1/2"),
        ("the root 2", "1/2", " is irrational", "the root 2^1/2"),
        ("in 2016", "ab", ",", "in 2016"),
        ("the fee is 12 kr", "50", ".", "the fee is 12 kr 50"),
        ("the fee is 12 kr", "7", ".", "the fee is 12 kr"),
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
        ("Old Quay", "g", "", "Old Quay"),
        ("Sr", "a", " Roux", "Sr"),
        ("In 2022.", "i", " Two were lost", "In 2022."),
        ("was fined", "iv", " in court", "was fined"),
        ("of x", "i", "", "of x^i"),
        ("60", "1", " crowns", "60"),
        ("5,4", "2", "", "5,4"),
        ("–410", "3", "", "–410"),
        ("12", "2", "", "12^2"),
        ("a side of 410", "3", "", "a side of 410^3"),
        ("12.5", "p", "", "12.5"),
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
        ("by Lie", "1,*", "", "by Lie"),
        ("dated by ", "14", "C", "dated by 14"),
    ],
)
def test_a_raised_mark_is_an_exponent_a_note_cents_or_the_end_of_a_word(before, mark, after, meant):
    assert before + raised(before, mark, after) == meant


def test_a_raised_mark_far_down_a_paragraph_is_read_in_time():
    before, begun = "of 5 km" * 100_000, time.process_time()
    assert {raised(before, "2") for _ in range(200)} == {"^2"}
    assert time.process_time() - begun < 1


def test_a_raised_mark_that_is_a_link_is_that_of_a_note():
    assert raised("it has 12", "3", " boats", linked=True) == ""
    assert raised("in 10", "6", linked=True) == ""
    assert raised("in 1901.", "[citation needed]") == ""


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
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>'
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


def word(folder: Path, body: str, styles: str = STYLES, **more: str) -> Path:
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relation = f'<Relationship Id="r" Type="{kind}/officeDocument" Target="word/document.xml"/>'
    members = {
        "[Content_Types].xml": f'<Types xmlns="{types}"/>',
        "_rels/.rels": f'<Relationships xmlns="{relations}">{relation}</Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{relations}"/>',
        "word/styles.xml": styles,
        "word/document.xml": WORD.format(body),
    }
    members |= {f"word/{name}.xml": content for name, content in more.items()}
    return write_zip(folder / "a.docx", members)


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


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
LOOK = "<w:style w:type='paragraph' w:styleId='{}'><w:name w:val='{}'/>{}</w:style>"


def styled(style: str, text: str, more: str = "") -> str:
    return f"<w:p><w:pPr><w:pStyle w:val='{style}'/>{more}</w:pPr>{RUN.format('', text)}</w:p>"


def test_title_lead_and_date_of_a_word_file_are_text_and_its_contents_are_not(tmp_path):
    names = ("Title", "Subtitle", "Date", "Abstract", "toc 1", "table of figures")
    looks = "".join(LOOK.format(name, name, "") for name in names)  # as Word identifies them
    body = (
        styled("Title", "Fares")
        + styled("Subtitle", "They did not rise.")
        + styled("Date", "3 May 2019")
        + styled("Abstract", "Dogs are free.")
        + styled("toc 1", "1 Fares 2")
        + styled("table of figures", "Table 1: Fares rose 7")
        + runs(("", "Cats pay."))
    )
    found = read(word(tmp_path, body, f"<w:styles {W}>{looks}</w:styles>"))
    assert found.lines == (
        *("Fares", "They did not rise.", "3 May 2019", "Dogs are free."),
        "Cats pay.",
    )


def test_a_quote_in_the_style_of_libreoffice_is_one_in_a_word_file(tmp_path):
    looks = LOOK.format("Quotations", "Quotations", "")
    body = styled("Quotations", "It leaks.") + runs(("", "It does not."))
    found = read(word(tmp_path, body, f"<w:styles {W}>{looks}</w:styles>"))
    assert (found.lines, found.quoted) == (("It leaks.", "It does not."), ((0, ""),))


def test_what_a_look_was_before_a_change_hides_nothing_of_a_word_file(tmp_path):
    former = "<w:rPrChange><w:rPr><w:rStyle w:val='I'/></w:rPr></w:rPrChange>"
    contents = "<w:pPrChange><w:pPr><w:pStyle w:val='TOC1'/></w:pPr></w:pPrChange>"
    body = (
        runs((former, "It did not rain."))
        + f"<w:p><w:pPr>{contents}</w:pPr>{RUN.format('', 'It was dry.')}</w:p>"
        + runs(("", "Dogs pay."), ("<w:strike w:val='0'/><w:vanish/>", " The toll is 90."))
    )
    assert read(word(tmp_path, body)).lines == ("It did not rain.", "It was dry.", "Dogs pay.")


def test_breaks_signs_pictures_and_formulas_part_no_words_of_a_word_file(tmp_path):
    spaces = (
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        'xmlns:s="http://schemas.microsoft.com/office/word/2015/wordml/symex" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    )
    chart = "<a:graphic><a:graphicData><c:chart/></a:graphicData></a:graphic>"
    box = "<w:r><w:pict><w:txbxContent><w:p>{}</w:p></w:txbxContent></w:pict></w:r>"
    sign = "<s:symEx s:font='Segoe UI Symbol' s:char='2713'/>"
    up = (
        "<m:sSup><m:e><m:r><m:t>10</m:t></m:r></m:e><m:sup><m:r><m:t>6</m:t></m:r></m:sup></m:sSup>"
    )
    body = (
        "<w:p><w:r><w:t>Berth 5</w:t><w:cr/><w:t>Quay Road</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>Total</w:t><w:ptab/><w:t>14</w:t></w:r></w:p>"
        f"<w:p {spaces}><w:r><w:t xml:space='preserve'>It did not sink. </w:t><w:drawing>{chart}"
        f"</w:drawing></w:r><w:r><mc:AlternateContent><mc:Choice Requires='x'>{sign}</mc:Choice>"
        "<mc:Fallback><w:t>?</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        f"<w:p {spaces}>{RUN.format('', 'It has ')}<m:oMathPara><m:oMath>{up}</m:oMath>"
        f"</m:oMathPara>{RUN.format('', ' cells.')}</w:p>"
        f"<w:p>{RUN.format('', 'Boxes.')}{box.format(RUN.format('', 'First.'))}"
        f"{box.format(RUN.format('', 'Second.'))}</w:p>"
    )
    assert read(word(tmp_path, body)).lines == (
        *("Berth 5", "Quay Road", "Total 14", "It did not sink.", "✓", "It has 10^6 cells."),
        *("Boxes.", "First.", "Second."),
    )


def test_a_paragraph_whose_end_was_deleted_is_joined_over_a_bookmark(tmp_path):
    body = (
        f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{RUN.format('', 'It did no')}</w:p>"
        f"<w:bookmarkEnd w:id='1'/><w:p>{RUN.format('', 't rain.')}</w:p>"
    )
    assert read(word(tmp_path, body)).lines == ("It did not rain.",)


NUMBERS = (
    f"<w:numbering {W}>"
    "<w:abstractNum w:abstractNumId='1'><w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val="
    "'decimal'/><w:lvlText w:val='%1'/></w:lvl><w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt "
    "w:val='decimal'/><w:lvlText w:val='%1.%2'/></w:lvl></w:abstractNum>"
    "<w:abstractNum w:abstractNumId='2'><w:lvl w:ilvl='0'><w:start w:val='4'/><w:numFmt w:val="
    "'upperRoman'/><w:lvlText w:val='Article %1:'/></w:lvl><w:lvl w:ilvl='1'><w:isLgl/><w:numFmt "
    "w:val='decimalZero'/><w:lvlText w:val='Section %1.%2'/></w:lvl></w:abstractNum>"
    "<w:abstractNum w:abstractNumId='3'><w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val="
    "'lowerLetter'/><w:lvlText w:val='(%1)'/></w:lvl></w:abstractNum>"
    "<w:abstractNum w:abstractNumId='4'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/><w:lvlText "
    "w:val='o'/></w:lvl><w:lvl w:ilvl='1'><w:numFmt w:val='bullet'/><w:lvlText w:val='\uf0fb'/>"
    "</w:lvl></w:abstractNum>"
    + "".join(f"<w:num w:numId='{n}'><w:abstractNumId w:val='{n}'/></w:num>" for n in range(1, 5))
    + "<w:num w:numId='5'><w:abstractNumId w:val='3'/><w:lvlOverride w:ilvl='0'><w:startOverride "
    "w:val='1'/></w:lvlOverride></w:num></w:numbering>"
)


def test_the_numbers_of_headings_and_articles_of_a_word_file_are_text(tmp_path):
    numbered = "<w:numPr><w:ilvl w:val='{}'/><w:numId w:val='{}'/></w:numPr>"
    heads = "".join(
        LOOK.format(f"H{n}", f"heading {n}", f"<w:pPr>{numbered.format(n - 1, 1)}</w:pPr>")
        for n in (1, 2)
    )

    def item(number: int, text: str, level: int = 0) -> str:
        return f"<w:p><w:pPr>{numbered.format(level, number)}</w:pPr>{RUN.format('', text)}</w:p>"

    body = (
        styled("H1", "Scope")
        + styled("H1", "Fares")
        + styled("H2", "Dogs")
        + item(2, "Dogs pay 5.")
        + item(2, "Cats are free.")
        + item(2, "Birds fly.", 1)
        + item(3, "It rained.")
        + item(3, "It poured.")
        + runs(("", "Then:"))
        + item(3, "It stopped.")
        + item(5, "It snowed.")
        + item(4, "It thawed.")
        + item(4, "Swim alone.", 1)
        + styled("H2", "Cats", "<w:numPr><w:numId w:val='0'/></w:numPr>")
    )
    found = read(word(tmp_path, body, f"<w:styles {W}>{heads}</w:styles>", numbering=NUMBERS))
    assert found.lines == (
        *("1 Scope", "2 Fares", "2.1 Dogs", "Article IV: Dogs pay 5.", "Article V: Cats are free."),
        *("Section 5.01 Birds fly.", "It rained.", "It poured.", "Then:", "(c) It stopped."),
        *("It snowed.", "It thawed.", "✗ Swim alone.", "Cats"),
    )
    assert found.sections[2] == (2, "2 Fares – 2.1 Dogs")


def test_capitals_asked_for_text_and_tables_of_tabs_of_a_word_file_are_read_as_shown(tmp_path):
    asks = "<w:sdt><w:sdtPr>{}</w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>".format
    tab = "<w:r><w:tab/></w:r>"
    stops = "<w:pPr><w:tabs><w:tab w:val='left' w:pos='9'/></w:tabs></w:pPr>"
    rows = (("Year", "Births"), ("2019", "412"), ("2020", "398"))
    body = (
        runs(("", "The "), ("<w:caps/>", "nato"), ("<w:caps w:val='0'/>", " bill."))
        + f"<w:p>{RUN.format('', 'Name: ')}{asks('<w:showingPlcHdr/>', RUN.format('', 'Click'))}"
        f"{asks('', RUN.format('', 'Lie'))}</w:p>"
        + "".join(
            f"<w:p>{stops}{RUN.format('', one)}{tab}{RUN.format('', other)}</w:p>"
            for one, other in rows
        )
        + runs(("", "End."))
        + f"<w:p>{RUN.format('', 'Signed')}{tab}{RUN.format('', 'Lie')}</w:p>"
    )
    assert read(word(tmp_path, body)).lines == (
        *("The NATO bill.", "Name: Lie", "Year; Births", "Year: 2019; Births: 412"),
        *("Year: 2020; Births: 398", "End.", "Signed Lie"),
    )


def test_charts_of_a_word_file_are_tables_and_embedded_objects_are_said(tmp_path):
    a = "http://schemas.openxmlformats.org/drawingml/2006/{}"
    values = "<c:pt idx='{}'><c:v>{}</c:v></c:pt>".format
    chart = (
        f"<c:chartSpace xmlns:c='{a.format('chart')}' xmlns:a='{a.format('main')}'>"
        f"<c:title><a:t>Births</a:t></c:title><c:ser><c:tx>{values(0, 'Boys')}</c:tx>"
        f"<c:cat>{values(0, '2019')}{values(1, '2020')}</c:cat><c:val>"
        f"<c:formatCode>0.0</c:formatCode>{values(0, '412')}"
        f"{values(1, '398')}</c:val></c:ser></c:chartSpace>"
    )
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    chart_of = f"<c:chart xmlns:c='{a.format('chart')}' xmlns:r='{office}' r:id='c1'/>"
    drawn = f"<w:drawing>{chart_of}</w:drawing>"
    old = "<w:object><o:OLEObject xmlns:o='o' ProgID='Equation.3'/></w:object>"
    made = word(tmp_path, f"<w:p>{RUN.format('', 'See:')}<w:r>{drawn}</w:r><w:r>{old}</w:r></w:p>")
    with zipfile.ZipFile(made) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    members["word/chart.xml"] = chart
    members["word/_rels/document.xml.rels"] = (
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
        f"<Relationship Id='c1' Type='{office}/chart' Target='chart.xml'/></Relationships>"
    )
    found, clause = imported(FORMATS["docx"].reader)(write_zip(tmp_path / "b.docx", members))
    assert found.lines == ("See:", "Births", "2019; Boys: 412.0", "2020; Boys: 398.0")
    assert clause == "1 embedded object is not read: Equation.3"


@pytest.mark.parametrize(
    ("font", "blank", "ticked"),
    [("Wingdings", "F0A8", "F0FE"), ("Wingdings", "F06F", "F0FD"), ("Wingdings 2", "F0A3", "F052")],
)
def test_boxes_of_word_say_what_is_chosen(tmp_path, font, blank, ticked):
    yes, no = (f"<w:r><w:sym w:font='{font}' w:char='{code}'/></w:r>" for code in (blank, ticked))
    asked, *said = (RUN.format("", text) for text in ("Insured: ", " Yes ", " No"))
    body = f"<w:p>{asked}{yes}{said[0]}{no}{said[1]}</w:p>"
    (line,) = read(word(tmp_path, body)).lines
    assert line.replace("☑", "☒") == "Insured: ☒ No"


@pytest.mark.parametrize(
    "grid", ["", "<w:tblGrid/>", "<w:tblGrid><w:gridCol w:w='9'/></w:tblGrid>"]
)
def test_no_cell_of_a_word_file_is_lost_whatever_the_grid_of_its_table_says(tmp_path, grid):
    cell = "<w:tc><w:tcPr>{}</w:tcPr><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>".format
    rows = (
        cell("<w:gridSpan w:val='3'/>", "Fares"),
        cell("", "Town") + cell("", "2018") + cell("", "2019"),
        cell("", "Lunde") + cell("", "5") + cell("", "6"),
        cell("", "Vik") + cell("", "7"),
    )
    hidden = f"<w:tr><w:trPr><w:hidden/></w:trPr>{cell('', 'Secret')}</w:tr>"
    body = f"<w:tbl>{grid}{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}{hidden}</w:tbl>"
    assert read(word(tmp_path, body)).lines == (
        *("Fares", "Town; 2018; 2019", "Town: Lunde; 2018: 5; 2019: 6", "Town: Vik; 2018: 7"),
    )


def test_a_heading_in_a_cell_beside_others_names_a_column(tmp_path):
    cell = "<w:tc>{}</w:tc>".format
    head = LOOK.format("H4", "heading 4", "")
    rows = (
        cell(styled("H4", "Town")) + cell(styled("H4", "Fee")),
        cell(runs(("", "Lunde"))) + cell(runs(("", "5"))),
        cell(runs(("", "Ost"))) + cell(runs(("", "7"))),
    )
    body = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
    found = read(word(tmp_path, body, f"<w:styles {W}>{head}</w:styles>"))
    assert found.lines == ("Town; Fee", "Town: Lunde; Fee: 5", "Town: Ost; Fee: 7")


def test_notes_of_cells_follow_a_table_and_its_pages_are_counted_once(tmp_path):
    cell = "<w:tc><w:tcPr>{}</w:tcPr><w:p><w:r>{}<w:t>{}</w:t></w:r></w:p></w:tc>"
    mark = "</w:t><w:footnoteReference w:id='2'/><w:t>"
    paged, wide = "<w:lastRenderedPageBreak/>", "<w:gridSpan w:val='2'/>"
    rows = (
        cell.format("", "", f"Town{mark}") + cell.format(wide, "", "Fee"),
        cell.format("", "", "Name") + "".join(cell.format("", "", year) for year in (2018, 2019)),
        cell.format("", paged, "Lunde") + "".join(cell.format("", "", n) for n in (5, 6)),
    )
    body = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>{runs(('', 'End.'))}"
    note = f"<w:footnote w:id='2'>{runs(('', 'In crowns.'))}</w:footnote>"
    found = read(word(tmp_path, body, footnotes=f"<w:footnotes {W}>{note}</w:footnotes>"))
    assert found.lines == (
        "Town – Name; Fee – 2018; Fee – 2019",
        "Town – Name: Lunde; Fee – 2018: 5; Fee – 2019: 6",
        "Town: In crowns.",
        "End.",
    )
    assert found.pages == (1, 2, 2, 2)


def test_headings_and_tables_in_cells_of_an_odt_are_text(tmp_path):
    inner = odt_table(("Berth", "Depth"), ("North", "7 m"))
    body = (
        "<table:table><table:table-row><table:table-cell><text:h>Berths</text:h><text:section>"
        f"<text:p>It is open.</text:p></text:section>{inner}</table:table-cell></table:table-row>"
        "</table:table><text:p>End.</text:p>"
    )
    assert read(write_odt(tmp_path / "a.odt", body)).lines == (
        *("Berths It is open.", "Berth; Depth", "Berth: North; Depth: 7 m", "End."),
    )


_ODF = "urn:oasis:names:tc:opendocument:xmlns:{}:1.0"
_ODT_STYLES = (
    f"<o:document-styles xmlns:o='{_ODF.format('office')}' xmlns:style='{_ODF.format('style')}' "
    f"xmlns:text='{_ODF.format('text')}'><o:styles><text:outline-style>"
    "<text:outline-level-style text:level='1' style:num-format='1' style:num-suffix='.'/>"
    "<text:outline-level-style text:level='2' style:num-format='1' text:display-levels='2'/>"
    "</text:outline-style><style:style style:name='Plain' style:list-style-name=''/>"
    "<text:list-style style:name='Art'><text:list-level-style-number text:level='1' "
    "style:num-format='I' style:num-prefix='Article ' text:start-value='4'/></text:list-style>"
    "<text:list-style style:name='Num'><text:list-level-style-number text:level='1' "
    "style:num-format='1' style:num-suffix='.'/><text:list-level-style-bullet text:level='2'/>"
    "</text:list-style><text:list-style style:name='No'><text:list-level-style-bullet "
    "text:level='1' text:bullet-char='\uf0fb'/></text:list-style></o:styles></o:document-styles>"
)


def test_the_numbers_of_headings_and_articles_of_an_odt_are_text(tmp_path):
    def head(text: str, level: int = 1, more: str = "") -> str:
        return f"<text:h text:outline-level='{level}' {more}>{text}</text:h>"

    def listed(style: str, *texts: str, more: str = "") -> str:
        items = "".join(f"<text:list-item><text:p>{one}</text:p></text:list-item>" for one in texts)
        return f"<text:list text:style-name='{style}' {more}>{items}</text:list>"

    body = (
        head("Scope")
        + head("Fares")
        + head("Dogs", 2)
        + listed("Art", "Dogs pay 5.", "Cats are free.")
        + listed("Num", "It rained.", "It poured.")
        + "<text:p>Then:</text:p>"
        + listed("Num", "It stopped.", more="text:continue-numbering='true'")
        + listed("Num", "It snowed.")
        + listed("No", "Swim alone.")
        + head("Cats", 2, "text:style-name='Plain'")
    )
    found = read(write_odt(tmp_path / "a.odt", body, {"styles.xml": _ODT_STYLES}))
    assert found.lines == (
        *("1. Scope", "2. Fares", "2.1 Dogs", "Article IV Dogs pay 5.", "Article V Cats are free."),
        *("It rained.", "It poured.", "Then:", "3. It stopped.", "It snowed."),
        *("✗ Swim alone.", "Cats"),
    )
    assert found.sections[2] == (2, "2. Fares – 2.1 Dogs")


def test_controls_signs_charts_and_wide_cells_of_an_odt_are_text(tmp_path):
    cell = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>".format
    two = " table:number-columns-spanned='2'"
    wide = [
        f"<table:table-row>{cell(two, one)}<table:covered-table-cell/>{cell('', other)}"
        "</table:table-row>"
        for one, other in (("Town", "Fee"), ("Lunde", "5"), ("Vik", "6"))
    ]
    chart = (
        f"<o:document-content xmlns:o='{_ODF.format('office')}' xmlns:text='{_ODF.format('text')}' "
        f"xmlns:table='{_ODF.format('table')}' xmlns:chart='{_ODF.format('chart')}'><chart:title>"
        "<text:p>Births</text:p></chart:title><table:table><table:table-header-rows>"
        f"<table:table-row>{cell('', '')}{cell('', 'Boys')}</table:table-row>"
        "</table:table-header-rows><table:table-rows>"
        f"<table:table-row>{cell('', '2019')}{cell('', '412')}</table:table-row>"
        "</table:table-rows></table:table></o:document-content>"
    )
    body = (
        f"<text:p xmlns:loext='urn:loext'>It is <loext:content-control>shut</loext:content-control>"
        "<loext:content-control loext:showing-place-holder='true'>Click</loext:content-control>"
        f", \uf0b3 5 m.</text:p><table:table>{''.join(wide)}</table:table>"
        f"<text:p xmlns:draw='{_ODF.format('drawing')}' xmlns:xlink='http://www.w3.org/1999/xlink'>"
        "See:<draw:frame><draw:object xlink:href='./Object 1'/></draw:frame><draw:frame>"
        "<draw:object-ole/></draw:frame></text:p>"
    )
    made = write_odt(tmp_path / "a.odt", body, {"Object 1/content.xml": chart})
    found, clause = imported(FORMATS["odt"].reader)(made)
    assert found.lines == (
        *("It is shut, ≥ 5 m.", "Town; Fee", "Town: Lunde; Fee: 5", "Town: Vik; Fee: 6", "See:"),
        *("Births", "Boys", "2019; Boys: 412"),
    )
    assert clause == "1 embedded object is not read"


def test_fields_lists_in_notes_and_formulas_of_an_odt_are_text_and_hidden_ones_are_not(tmp_path):
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:list>"
        "<text:list-item><text:p>Not in May.</text:p></text:list-item></text:list></text:note-body>"
        "</text:note>"
    )
    math = (
        "<math xmlns='http://www.w3.org/1998/Math/MathML'><msup><mn>10</mn><mn>6</mn></msup></math>"
    )
    hides = "<text:hidden-paragraph text:is-hidden='{}'/>".format
    body = (
        "<text:h text:outline-level='1'>Table <text:sequence>3</text:sequence></text:h>"
        f"<text:p>The <text:title>Fares</text:title> rose{note}.</text:p>"
        "<text:p>It has <draw:frame><draw:object xlink:href='./Object 1'/></draw:frame> or "
        "<draw:frame><draw:object xlink:href='Object 1/'/></draw:frame> cells."
        f"</text:p><text:p>{hides('true')}Unseen.</text:p>"
        f"<text:p>{hides('false')}Seen<text:hidden-text text:is-hidden='false'> too"
        "</text:hidden-text>.</text:p>"
    )
    odf = "urn:oasis:names:tc:opendocument:xmlns:{}:1.0"
    spaces = "".join(
        f" xmlns:{name}='{odf.format(full)}'"
        for name, full in (("office", "office"), ("text", "text"), ("draw", "drawing"))
    )
    content = (
        f"<office:document-content{spaces} xmlns:xlink='http://www.w3.org/1999/xlink'><office:body>"
        f"<office:text>{body}</office:text></office:body></office:document-content>"
    )
    members = {"content.xml": content, "Object 1/content.xml": math}
    made = write_odt(tmp_path / "a.odt", "", members)
    assert read(made).lines == (
        *("Table 3", "The Fares rose.", "Not in May.", "It has 10^6 or 10^6 cells."),
        "Seen too.",
    )


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        (
            rb"It cost {\field{\*\fldinst {\rtlch\af0 =SUM(ABOVE)}}{\fldrslt {\b 45}}} crowns, "
            rb"says {\field\fldedit{\*\fldinst {\insrsid1 HYPERLINK x }}{\fldrslt {\ul the mayor}}}"
            rb".{\field{\*\fldinst{TOC \\o}}{\fldrslt {Scope 2\par}}}",
            ("It cost 45 crowns, says the mayor.",),
        ),
        (
            rb"\trowd\intbl Berth\nestcell North\nestcell\cell\row\pard It is shut.\sect "
            rb"It is not sold.\page On page 2.",
            ("Berth North", "It is shut.", "It is not sold.", "On page 2."),
        ),
        (
            rb"\trowd\cellx4000\intbl Berth\itap2\nestcell North\nestcell{\*\nesttableprops\trowd"
            rb"\cellx2000\cellx3000\nestrow}{\nonesttables\par}\pard\intbl 5 m\cell\row",
            ("Berth North 5 m",),
        ),
        (
            rb"\trowd\cellx2000\cellx4000\intbl Town\cell Pools\cell\row\pard\intbl\itap2 Ost"
            rb"\nestcell Vik\nestcell{\nonesttables\par}\pard\intbl\cell\trowd\cellx2000\cellx4000"
            rb"\pard\intbl 12\cell\row",
            ("Town; Pools", "Town: Ost Vik; Pools: 12"),
        ),
        (rb"It is {\strike\v0 not }sold.", ("It is sold.",)),
        (
            rb"{\listtext\pard Article 5.\tab}Dogs pay.\par{\listtext (a)\tab}Cats.\par{\listtext "
            rb"\'b7\tab}Birds.\par{\listtext \u10007?\tab}Fish.",
            ("Article 5. Dogs pay.", "Cats.", "Birds.", "✗ Fish."),
        ),
        (
            rb"{\fonttbl{\f3\fcharset2 Wingdings;}}Dogs {\f3\'fc}, cats {\f3\'fb}.",
            ("Dogs ✓, cats ✗.",),
        ),
        (
            rb"{\fonttbl{\f6\fcharset0 Wingdings;}}Dogs {\f6\u252\'fc}, cats {\f6 \u-3845?}, \'fc.",
            ("Dogs ✓, cats ✗, ü.",),
        ),
        (
            rb"\trowd\clvmgf\cellx1000\cellx3000\intbl Route\cell Fare\cell\row"
            rb"\trowd\clvmrg\cellx1000\cellx2000\cellx3000\intbl\cell 2018\cell 2019\cell\row"
            rb"\trowd\cellx1010\cellx2000\cellx3000\intbl Lunde\cell 30\cell 35\cell\row\pard End.",
            (
                *("Route; Fare – 2018; Fare – 2019",),
                *("Route: Lunde; Fare – 2018: 30; Fare – 2019: 35", "End."),
            ),
        ),
        (
            rb"\trowd\clmgf\cellx1000\clmrg\cellx2000\intbl Fares\cell\cell\row\trowd\cellx1000"
            rb"\cellx2000\intbl Town\cell Fee\cell\row\trowd\cellx1000\cellx2000\intbl Vik\cell 5"
            rb"\cell\row",
            ("Fares", "Town; Fee", "Town: Vik; Fee: 5"),
        ),
        (
            rb"{\stylesheet{\s1\sb240 heading 1;}}\pard\s1\ls1\ilvl0 Fares\par\pard It rose"
            rb"{\super 1{\*\footnote\pard\plain In May.}}.\par\pard\outlinelevel9 So it was.",
            ("Fares", "It rose.", "In May.", "So it was."),
        ),
        (
            rb"Year\tab Births\par 2019\tab 412\par 2020\tab 398\par End.\par Signed\tab Lie",
            (
                "Year; Births",
                "Year: 2019; Births: 412",
                "Year: 2020; Births: 398",
                "End.",
                "Signed Lie",
            ),
        ),
        (
            rb"{Nobody drowned and }{\deleted most swam.\par }{\deleted They }{all live.\par }End.",
            ("Nobody drowned and all live.", "End."),
        ),
    ],
)
def test_fields_labels_and_breaks_of_an_rtf_are_text(tmp_path, text, read_as):
    (tmp_path / "a.rtf").write_bytes(rb"{\rtf1 " + text + b"}")
    assert read(tmp_path / "a.rtf").lines == read_as


@pytest.mark.parametrize("end", [rb"\pard It is so.\par", b""])
def test_a_note_in_a_table_of_an_rtf_follows_the_table(tmp_path, end):
    row = rb"\trowd\cellx9\cellx99\pard\intbl %b\cell %b\cell\row "
    note = rb"{\super \chftn {\footnote \pard\plain {\super \chftn } Under 16 years.}}"
    rows = [
        row % cells for cells in ((b"Ticket", b"Fee"), (b"Adult", b"4"), (b"Child" + note, b"2"))
    ]
    (tmp_path / "a.rtf").write_bytes(rb"{\rtf1 " + b"".join(rows) + end + b"}")
    assert read(tmp_path / "a.rtf").lines == (
        *("Ticket; Fee", "Ticket: Adult; Fee: 4", "Ticket: Child; Fee: 2"),
        *(["It is so."] if end else []),
        "Under 16 years.",
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
        ("a.rst", "It has 10\\ :sup:`6` cells [1]_ and\n[STRIKEOUT:no] 7 ships.\n\n.. [1] A note."),
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


def test_a_note_below_a_table_begins_with_the_words_that_bear_its_raised_mark(tmp_path):
    rows = "<tr><td>Vik<sup>a</sup></td><td>4</td></tr><tr><td>Ost<sup>2</sup></td><td>5</td></tr>"
    notes = "<p><sup>a</sup> Closed in May.</p><p><sup>2</sup> Rebuilt.</p><p><sup>c</sup> Wet.</p>"
    table = f"<table><tr><th>Site</th><th>Cars</th></tr>{rows}</table>{notes}"
    story = f"<p>{'The car parks of the coast earned more in 2025 than before. ' * 4}</p>"
    (tmp_path / "a.html").write_text(f"<html><body><article>{story}{table}</article></body></html>")
    assert read(tmp_path / "a.html").lines[-5:] == (
        "Site: Vik; Cars: 4",
        "Site: Ost; Cars: 5",
        "Vik: Closed in May.",
        "Ost: Rebuilt.",
        "Wet.",
    )


@pytest.mark.parametrize(
    ("marks", "notes"),
    [
        (
            ("<sup><a href=#n1 id=r1>1</a></sup>", "<sup><a href=#n2>[note 2]</a></sup>"),
            "</table>{}<ol class=footnotes><li id=n1>Closed in May. <a href=#r1>↩</a></li>"
            "<li id=n2><p>Estimated.</p></li></ol>",
        ),
        (
            ("<sup><a href=#na id=ra>[a]</a></sup>", "<sup><a href=#nb id=rb>[b]</a></sup>"),
            "</table>{}<div class=reflist><ol><li id=na><b><a href=#ra>^</a></b> Closed in May."
            "<li id=nb><span>Estimated.</span></li></ol></div>",
        ),
        (
            ("<sup>a</sup>", "<sup>2</sup>"),
            "<tfoot><tr><td colspan=2><sup>a</sup> Closed in May.<br><sup>2</sup> Estimated."
            "</td></tr></tfoot></table>{}",
        ),
    ],
)
def test_notes_that_a_table_links_to_or_ends_with_begin_with_what_bears_their_mark(
    tmp_path, marks, notes
):
    rows = "<tr><td>Vik{}</td><td>4</td></tr><tr><td>Ost</td><td>5,120{}</td></tr>".format(*marks)
    story = f"<p>{'The car parks of the coast earned more in 2025 than before. ' * 4}</p>"
    table = f"{story}<table><tr><th>Site</th><th>Cars</th></tr>{rows}{notes.format(story)}"
    (tmp_path / "a.html").write_text(f"<html><body><article>{table}</article></body></html>")
    assert [line for line in read(tmp_path / "a.html").lines if "car parks" not in line] == [
        "Site; Cars",
        "Site: Vik; Cars: 4",
        "Site: Ost; Cars: 5,120",
        "Vik: Closed in May.",
        "Ost (5,120): Estimated.",
    ]


def test_a_note_in_a_table_begins_with_the_words_that_bear_its_mark(tmp_path):
    table = "| Site | Cars |\n|---|---|\n| Vik[^1] | 4 |\n| Ost | 5[^2] |\n"
    (tmp_path / "a.md").write_text(f"{table}\n[^1]: Closed in May.\n[^2]: Estimated.\n")
    assert read(tmp_path / "a.md").lines[1:] == (
        "Site: Vik; Cars: 4",
        "Site: Ost; Cars: 5",
        "Vik: Closed in May.",
        "Ost (5): Estimated.",
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "It is $3\\frac{1}{2}$ miles or $\\frac12$ of $\\frac{10^{6}}{2}$.",
            "3 1/2 miles or 1/2 of 10^6/2.",
        ),
        ("It is $p \\leqslant 0.05$ and $10^{-3}$.", "p ≤0.05 and 10^-3."),
        ("It is $f^{\\prime}(x)$.", "f′(x)."),
        (
            "It is $\\frac{1}{{45}^{\\circ}}$ of $\\lambda_{max}$ or $\\sum\\limits_{n}x$.",
            "1/(45 °) of λmax or ∑nx.",
        ),
    ],
)
def test_formulas_are_read_as_they_are_shown(tmp_path, text, line):
    for name in ("a.md", "a.tex"):
        (tmp_path / name).write_text(text)
        assert read(tmp_path / name).lines == (f"It is {line}",)


def test_the_summary_of_a_paper_is_text(tmp_path):
    text = (
        r"\begin{document}\begin{abstract}It did not rain.\end{abstract}It was dry.\end{document}"
    )
    (tmp_path / "a.tex").write_text(text)
    assert read(tmp_path / "a.tex").lines == ("It did not rain.", "It was dry.")


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
