"""Groups, records and tables side by side: figures stand under the names of their own table."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document as WordFile
from openpyxl import Workbook

from uhhrag.documents.document import Document
from uhhrag.documents.headings import sections_in, title_in, with_leads
from uhhrag.documents.office.docx import read_docx
from uhhrag.documents.sheets.delimited import read_delimited
from uhhrag.documents.sheets.xlsx import read_xlsx

pytestmark = pytest.mark.usefixtures("nltk_loaded")


def table(folder: Path, text: str) -> Document:
    (folder / "a.csv").write_text(text)
    (found,) = read_delimited(folder / "a.csv")
    assert isinstance(found, Document)
    return found


def word_table(folder: Path, rows, style: str | None = None) -> Document:
    made = WordFile()
    width = max(map(len, rows))
    shown = made.add_table(0, width)
    for row in rows:
        cells = shown.add_row().cells
        if len(row) == 1:
            cells[0].merge(cells[-1]).paragraphs[0].style = made.styles[style or "Normal"]
        for cell, text in zip(cells, row, strict=False):
            cell.paragraphs[0].add_run(text)
    made.save(folder / "a.docx")
    (found,) = read_docx(folder / "a.docx")
    assert isinstance(found, Document)
    return found


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        (
            "Town,Fare,,Ship,Crew\nLunde,35,,Ada,12\nVik,40,,Bess,20\nOst,50,,,\n",
            [
                *("Town; Fare", "Town: Lunde; Fare: 35", "Town: Vik; Fare: 40"),
                *("Town: Ost; Fare: 50", "Ship; Crew", "Ship: Ada; Crew: 12"),
                "Ship: Bess; Crew: 20",
            ],
        ),
        (
            "Fares,,,Ships,\nTown,Fare,,Ship,Built\nLunde,35,,Ada,1999\n",
            [
                "Fares",
                "Town; Fare",
                "Town: Lunde; Fare: 35",
                "Ships",
                "Ship; Built",
                "Ship: Ada; Built: 1999",
            ],
        ),
        (  # a blank column for looks
            "Town,2018,,2019\nLunde,30,,35\nVik,40,,45\n",
            [
                "Town; 2018; 2019",
                "Town: Lunde; 2018: 30; 2019: 35",
                "Town: Vik; 2018: 40; 2019: 45",
            ],
        ),
        (
            "Town,Fare,,Mayor,Party\nLunde,35,,Eva,Red\nVik,40,,Ole,Blue\nTotal,75,,,\n",
            [
                "Town; Fare; Mayor; Party",
                "Town: Lunde; Fare: 35; Mayor: Eva; Party: Red",
                "Town: Vik; Fare: 40; Mayor: Ole; Party: Blue",
                "Town: Total; Fare: 75",
            ],
        ),
        (
            "Town,Fare,Town,Fare\nLunde,35,Vik,40\nOst,50,,\n",
            [
                "Town; Fare; Town; Fare",
                "Town: Lunde; Fare: 35",
                "Town: Vik; Fare: 40",
                "Town: Ost; Fare: 50",
            ],
        ),
        (
            "Region,Town,Year,Fare\nNorth,Lunde,2018,30\n,,2019,35\n,Vik,2018,40\n,,2019,45\n"
            ",Vik Total,,85\nNorth Total,,,150\nSouth,Ost,2018,50\n,,2019,55\n",
            [
                "Region; Town; Year; Fare",
                "Region: North; Town: Lunde; Year: 2018; Fare: 30",
                "Region: North; Town: Lunde; Year: 2019; Fare: 35",
                "Region: North; Town: Vik; Year: 2018; Fare: 40",
                "Region: North; Town: Vik; Year: 2019; Fare: 45",
                "Region: North; Town: Vik Total; Fare: 85",
                "Region: North Total; Fare: 150",
                "Region: South; Town: Ost; Year: 2018; Fare: 50",
                "Region: South; Town: Ost; Year: 2019; Fare: 55",
            ],
        ),
    ],
)
def test_figures_stand_under_the_names_and_groups_of_their_own_table(tmp_path, text, read_as):
    assert [*table(tmp_path, text).lines] == read_as


@pytest.mark.parametrize("style", [None, "Heading 2"])
def test_a_cell_over_all_columns_of_word_names_the_rows_below(tmp_path, style):
    rows = [["Name", "Party", "Place"], ["Eva", "Red", "Ost"], ["Members who left"]]
    rows += [["Ole", "Blue", "Vik"], ["New members"], ["Ida", "Green", "Nes"]]
    found = word_table(tmp_path, rows, style)
    assert found.lines == (
        "Name; Party; Place",
        "Name: Eva; Party: Red; Place: Ost",
        "Members who left",
        "Name: Ole; Party: Blue; Place: Vik",
        "New members",
        "Name: Ida; Party: Green; Place: Nes",
    )
    assert sections_in(found) == ((2, "Members who left"), (4, "New members"))


def test_a_note_over_all_columns_names_no_rows(tmp_path):
    rows = [["Town", "Fare 2018", "Fare 2019"], ["Ost", "30", "35"], ["* Not final"]]
    found = word_table(tmp_path, [*rows, ["Vik", "40", "45"]])
    assert sections_in(found) == ()
    assert found.lines[2:] == ("* Not final", "Town: Vik; Fare 2018: 40; Fare 2019: 45")


def test_a_merged_cell_over_all_columns_of_a_sheet_names_the_rows_below(tmp_path):
    book = Workbook()
    for row in (["Town", "Fare"], ["Ost", 30], ["No longer served"], ["Vik", 40]):
        book.active.append(row)
    book.active.merge_cells("A3:B3")
    book.save(tmp_path / "a.xlsx")
    (found,) = read_xlsx(tmp_path / "a.xlsx")
    assert isinstance(found, Document)
    assert found.lines[1:] == ("Town: Ost; Fare: 30", "No longer served", "Town: Vik; Fare: 40")
    assert found.sections == ((2, "No longer served"),)


@pytest.mark.parametrize(
    ("row", "read_as"),
    [
        (
            ["Income\nTax", "17\n3", "18\n4"],
            ("Income; 2006: 17; 2007: 18", "Tax; 2006: 3; 2007: 4"),
        ),
        (["Income\nTax", "17", "18\n4"], ("Income Tax; 2006: 17; 2007: 18 4",)),
        (["Cheap\nFast", "Far\nOld", "Bad\nDim"], ("Cheap Fast; 2006: Far Old; 2007: Bad Dim",)),
    ],
)
def test_lines_of_figures_within_cells_of_word_are_rows(tmp_path, row, read_as):
    found = word_table(tmp_path, [["", "2006", "2007"], row, ["Other", "1", "2"]])
    assert found.lines == ("2006; 2007", *read_as, "Other; 2006: 1; 2007: 2")


def test_a_table_within_a_row_stands_below_what_the_row_names(tmp_path):
    made = WordFile()
    made.add_paragraph("It is open.")
    outer = made.add_table(2, 3)
    inner = outer.cell(1, 2).add_table(3, 2)
    for shown, rows in (
        (outer, [["Region", "Mayor", "Fares"], ["North", "Eva Lund"]]),
        (inner, [["Town", "Fare"], ["Ost", "35"], ["Vik", "40"]]),
    ):
        for cells, row in zip(shown.rows, rows, strict=True):
            for cell, text in zip(cells.cells, row, strict=False):
                cell.paragraphs[0].add_run(text)
    made.save(tmp_path / "a.docx")
    (found,) = read_docx(tmp_path / "a.docx")
    assert isinstance(found, Document)
    assert found.lines[1:4] == ("Region | Mayor | Fares", "North | Eva Lund", "Town; Fare")
    assert found.lines[4:] == ("Town: Ost; Fare: 35", "Town: Vik; Fare: 40")
    assert with_leads(found, ())[0] == (2, "North | Eva Lund")


def test_a_row_of_names_is_no_title(tmp_path):
    assert title_in(word_table(tmp_path, [["Town", "Fare"], ["Ost", "35"]])) == ""
    assert (
        title_in(word_table(tmp_path, [["Fares of 2019"], ["Town", "Fare"], ["Ost", "35"]]))
        == "Fares of 2019"
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (  # a second table with names in two rows
            "Pupils\n,Boys,,Girls,\nSchool,2023,2024,2023,2024\nLom,1,2,3,4\nVik,5,6,7,8\n\n"
            "Staff\n,Men,,Women,\nSchool,2023,2024,2023,2024\nLom,9,8,7,6\nVik,5,4,3,2\n",
            "School: Lom; Men 2023: 9; Men 2024: 8; Women 2023: 7; Women 2024: 6",
        ),
        (  # and one with units below them
            "Length\nShip,Length,Speed\n,m,kn\nLom,120,20\nVik,90,18\n\n"
            "Cost\nShip,Price,Crew\n,£m,persons\nLom,45,12\nVik,30,9\n",
            "Ship: Lom; Price (£m): 45; Crew (persons): 12",
        ),
        (  # a year alone over names is that of all columns
            "CHF million,,,January–June 2023\n,Sales,Profit,Tax\n\nEast,9,8,7\nWest,6,5,4\n\n"
            "CHF million,,,January–June 2022\n,Sales,Profit,Tax\n\nEast,3,2,1\nWest,4,5,6\n",
            "CHF million: East; January–June 2022 Sales (CHF million): 3; "
            "January–June 2022 Profit (CHF million): 2; January–June 2022 Tax (CHF million): 1",
        ),
    ],
)
def test_a_later_table_of_a_sheet_has_names_in_several_rows(tmp_path, text, lines):
    assert lines in table(tmp_path, text).lines


def test_a_name_right_above_names_said_again_takes_the_place_of_the_last_one(tmp_path):
    found = table(
        tmp_path, "Men\nAge,Yes,No\nUp to 24,1,2\n25+,3,4\nWomen\nAge,Yes,No\nUp to 24,5,6\n"
    )
    assert sections_in(found) == ((0, "Men"), (4, "Women"))
