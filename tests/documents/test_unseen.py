"""What nobody sees is no text: white on white paper, letters of one point."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document as WordFile
from docx.enum.text import WD_COLOR_INDEX
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor
from openpyxl import Workbook
from openpyxl.styles import Font, PatternFill

from tests.support.packed_documents import write_odt
from uhhrag.documents.document import Document
from uhhrag.documents.formats import FORMATS, imported, kind_of

pytestmark = pytest.mark.usefixtures("nltk_loaded")
WHITE = RGBColor(255, 255, 255)


def lines(file: Path) -> tuple[str, ...]:
    found = imported(FORMATS[kind_of(file)].reader)(file)
    return tuple(line for one in found if isinstance(one, Document) for line in one.lines)


def shade(fill: str):
    return parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:fill="{fill}"/>')


def word_file(folder: Path, change) -> Path:
    made = WordFile()
    run = made.add_paragraph("It is open. ").add_run("It was sold.")
    run.font.color.rgb = WHITE
    change(made, run)
    made.save(folder / "a.docx")
    return folder / "a.docx"


def in_style(made, run, kind: int, *, of: str = "") -> None:
    """Its line or letters are white by a style, perhaps one that is based on it."""
    run.font.color.rgb = None
    style = made.styles.add_style("White", kind)
    style.font.color.rgb = WHITE
    if of:
        style, based_on = made.styles.add_style(of, kind), style
        style.base_style = based_on
    if kind == 1:
        made.paragraphs[0].runs[0].font.color.rgb = RGBColor(0, 0, 0)
        made.paragraphs[0].style = style
    else:
        run.style = style


def in_table(made, run, fill: str) -> None:
    cell = made.add_table(1, 1).cell(0, 0)
    cell.paragraphs[0]._p.append(run._r)
    cell._tc.get_or_add_tcPr().append(shade(fill))


UNSEEN = {
    "plain": lambda made, run: None,
    "on white": lambda made, run: run._r.getparent().get_or_add_pPr().append(shade("FFFFFF")),
    "in a white cell": lambda made, run: in_table(made, run, "auto"),
    "in letters of a style": lambda made, run: in_style(made, run, 2),
    "in a style of a line": lambda made, run: in_style(made, run, 1, of="Based"),
    "black in black": lambda made, run: (
        setattr(run.font.color, "rgb", RGBColor(0, 0, 0)),
        setattr(run.font, "highlight_color", WD_COLOR_INDEX.BLACK),
    ),
    "tiny": lambda made, run: (setattr(run.font, "size", Pt(1)), in_table(made, run, "000080")),
}
SEEN = {
    "on a dark line": lambda made, run: run._r.getparent().get_or_add_pPr().append(shade("000080")),
    "black in a white style": lambda made, run: (
        in_style(made, run, 1),
        setattr(run.font.color, "rgb", RGBColor(0, 0, 0)),
    ),
    "marked": lambda made, run: setattr(run.font, "highlight_color", WD_COLOR_INDEX.BLUE),
    "in a dark cell": lambda made, run: in_table(made, run, "1F4E79"),
    "in a style": lambda made, run: (
        made.styles["Quote"].element.get_or_add_pPr().append(shade("222222")),
        setattr(made.paragraphs[0], "style", "Quote"),
    ),
    "on a picture": lambda made, run: made.paragraphs[0]._p.append(
        parse_xml(
            f'<w:r {nsdecls("w", "wp")}><w:drawing><wp:anchor behindDoc="1"/></w:drawing></w:r>'
        )
    ),
    "on dark paper": lambda made, run: made.element.insert(
        0, parse_xml(f'<w:background {nsdecls("w")} w:color="000080"/>')
    ),
}


@pytest.mark.parametrize("how", UNSEEN)
def test_white_on_white_paper_of_word_is_not_read(tmp_path, how):
    assert lines(word_file(tmp_path, UNSEEN[how])) == ("It is open.",)


@pytest.mark.parametrize("how", SEEN)
def test_white_on_what_is_dark_in_word_is_read(tmp_path, how):
    assert " ".join(lines(word_file(tmp_path, SEEN[how]))) == "It is open. It was sold."


COLOURS = r"{\colortbl;\red255\green255\blue255;\red0\green0\blue128;}"
ROW = r"\trowd\clcbpat2\cellx2000 \pard\intbl\cf1 It was sold.\cell\row "


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        (r"It is open. {\cf1 It was sold.}\par", "It is open."),
        (r"It is open. {\cf1\chcbpat1 It was sold.}\par", "It is open."),
        (r"It is open. {\fs2 It was sold.}\par", "It is open."),
        (
            r"\pard\cbpat2\cf1 It is open.\par\pard\plain It was sold.\par",
            "It is open. It was sold.",
        ),
        (r"\pard\cbpat2\cf1 It is open.\par\pard It was sold.\par", "It is open."),
        (r"It is open. {\cf1\highlight2 It was sold.}\par", "It is open. It was sold."),
        (
            r"It is open.\par" + ROW + r"\pard\plain It left.\par",
            "It is open. It was sold. It left.",
        ),
        (r"It is open. {\cf2 It was sold.}\par", "It is open. It was sold."),
    ],
)
def test_white_on_white_paper_of_rtf_is_not_read(tmp_path, text, read_as):
    (tmp_path / "a.rtf").write_text(r"{\rtf1" + COLOURS + text + "}")
    assert " ".join(lines(tmp_path / "a.rtf")) == read_as


@pytest.mark.parametrize(
    ("span", "line", "read_as"),
    [
        ('fo:color="#ffffff"', "", "It is open."),
        ('fo:font-size="1pt"', 'fo:background-color="#000080"', "It is open."),
        ('fo:color="#FFFFFF"', 'fo:background-color="#000080"', "It is open. It was sold."),
        ('fo:color="#ffffff" fo:background-color="#333333"', "", "It is open. It was sold."),
        ('fo:color="#000080"', "", "It is open. It was sold."),
    ],
)
def test_white_on_white_paper_of_odt_is_not_read(tmp_path, span, line, read_as):
    styles = (
        f'<style:style style:name="T1" style:family="text"><style:text-properties {span}/>'
        '</style:style><style:style style:name="P1" style:family="paragraph">'
        f"<style:paragraph-properties {line}/></style:style>"
    )
    body = (
        '<text:p text:style-name="P1">It is open. <text:span text:style-name="T1">It was sold.'
        "</text:span></text:p>"
    )
    assert " ".join(lines(write_odt(tmp_path / "a.odt", body, styles=styles))) == read_as


@pytest.mark.parametrize(
    ("letters", "fill", "shown"),
    [
        (Font(color="FFFFFFFF"), "", False),
        (Font(color="00FFFFFF"), "FFFFFFFF", False),
        (Font(color="FF000080"), "FF000080", False),
        (Font(size=1), "", False),
        (Font(color="FFFFFFFF"), "FF000080", True),
        (Font(color="FF000080"), "", True),
        (Font(size=6), "FF000080", True),
    ],
)
def test_letters_of_a_workbook_in_the_colour_behind_them_are_no_text(
    tmp_path, letters, fill, shown
):
    book = Workbook()
    for row in (["Town", "Fare"], ["Lunde", 35], ["Vik", 40]):
        book.active.append(row)
    for cell in book.active[3]:
        cell.font = letters
        cell.fill = PatternFill("solid", fgColor=fill) if fill else PatternFill()
    book.save(tmp_path / "a.xlsx")
    last = ("Town: Vik; Fare: 40",) * shown
    assert lines(tmp_path / "a.xlsx") == ("Town; Fare", "Town: Lunde; Fare: 35", *last)


@pytest.mark.parametrize(
    ("color", "fill", "shown"),
    [
        *(("#ffffff", fill, False) for fill in ("transparent", "#ffffff", "")),
        *(("#000080", "#000080", False), ("#ffffff", "#000080", True), ("#000080", "", True)),
    ],
)
def test_letters_of_an_ods_in_the_colour_behind_them_are_no_text(tmp_path, color, fill, shown):
    behind = f'<style:table-cell-properties fo:background-color="{fill}"/>' if fill else ""
    styles = (
        '<style:style style:name="c1" style:family="table-cell">'
        f'{behind}<style:text-properties fo:color="{color}"/></style:style>'
    )
    cell = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
    look = ' table:style-name="c1"'
    rows = (("", "Town", "Fare"), ("", "Ost", "35"), (look, "Vik", "40"))
    made = "".join(
        f"<table:table-row>{cell.format(how, town)}{cell.format(how, fare)}</table:table-row>"
        for how, town, fare in rows
    )
    table = f'<table:table table:name="A">{made}</table:table>'
    file = write_odt(tmp_path / "a.odt", table, styles=styles).rename(tmp_path / "a.ods")
    last = ("Town: Vik; Fare: 40",) * shown
    assert lines(file) == ("Town; Fare", "Town: Ost; Fare: 35", *last)
