"""Workbooks of every kind: what is shown, what is hidden, what names the columns."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.styles import Alignment

from tests.support.packed_documents import write_xlsx, write_zip
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.formats import FORMATS, imported, kind_of
from uhhrag.documents.sheets.cell_format import shown
from uhhrag.documents.sheets.delimited import read_delimited
from uhhrag.documents.sheets.ods import read_ods
from uhhrag.documents.sheets.xls import read_xls
from uhhrag.documents.sheets.xlsx import read_xlsx

pytestmark = pytest.mark.usefixtures("nltk_loaded")

UNEMPLOYMENT = (
    "Unemployment by county",
    "2021; 2022",
    "County; Men; Women; Men; Women",
    "County: Brekkvik; 2021 Men: 4.1%; 2021 Women: 5.2%; 2022 Men: 3.3%; 2022 Women: 2.9%",
    "County: Lunde; 2021 Men: 6.1%; 2021 Women: 5.8%; 2022 Men: 4.4%; 2022 Women: 4.7%",
)
BUDGET = (
    "Item; Budget; Signed",
    "Item: New pool; Budget: 54.3M; Signed: 15 May 2023",
    "Item: Hall; Budget: 7.1M; Signed: 15 June 2023",
)
HIDDEN = (
    "hidden and not read: 1 row of sheet Budget, 1 column of sheet Budget, sheet Draft; unhide "
    "what is to be read"
)


def xlsx(path: Path) -> Path:
    book = Workbook()
    sheet = book.active
    sheet.title = "Unemployment"
    for row in (
        ("Unemployment by county",),
        (),
        (None, "2021", None, "2022"),
        ("County", "Men", "Women", "Men", "Women"),
        ("Brekkvik", 0.041, 0.052, 0.033, 0.029),
        ("Lunde", 0.061, 0.058, 0.044, 0.047),
    ):
        sheet.append(row)
    sheet.merge_cells("B3:C3")
    sheet.merge_cells("D3:E3")
    for cell in (cell for row in sheet["B5:E6"] for cell in row):
        cell.number_format = "0.0%"
    sheet = book.create_sheet("Budget")
    for row in (
        ("Item", "Budget", "Signed", "Secret"),
        ("New pool", 54300000, 45061, "no"),
        ("Hall", 7100000, 45092, "no"),
        ("Barn", 1, 45092, "no"),
    ):
        sheet.append(row)
    for number in range(2, 5):
        sheet.cell(number, 2).number_format = '0.0,,"M"'
        sheet.cell(number, 3).number_format = "dd/mm/yyyy"
    sheet.row_dimensions[4].hidden = True
    sheet.column_dimensions["D"].hidden = True
    draft = book.create_sheet("Draft")
    draft["A1"], draft.sheet_state = "Secret pool", "hidden"
    book.save(path)
    return path


def _ods_rows(rows: Iterable[Iterable[str]]) -> str:
    return "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in rows)


def ods(path: Path) -> Path:
    def cell(text: str, more: str = "") -> str:
        return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"

    blank, covered = "<table:table-cell/>", "<table:covered-table-cell/>"
    two = "table:number-columns-spanned='2'"
    day = "office:value-type='date' office:date-value='2023-{}-15'"
    first = (
        [cell("Unemployment by county")],
        [blank],
        [blank, cell("2021", two), covered, cell("2022", two), covered],
        [cell(name) for name in ("County", "Men", "Women", "Men", "Women")],
        [cell(text) for text in ("Brekkvik", "4.1%", "5.2%", "3.3%", "2.9%")],
        [cell(text) for text in ("Lunde", "6.1%", "5.8%", "4.4%", "4.7%")],
    )
    second = (
        [cell(name) for name in ("Item", "Budget", "Signed", "Secret")],
        [cell("New pool"), cell("54.3M"), cell("15/05/23", day.format("05")), cell("no")],
        [cell("Hall"), cell("7.1M"), cell("15/06/23", day.format("06")), cell("no")],
    )
    hidden = f"<table:table-row table:visibility='collapse'>{cell('Barn')}</table:table-row>"
    content = (
        "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x' xmlns:style='s'>"
        "<style:style style:name='ta2'><style:table-properties table:display='false'/>"
        "</style:style><office:spreadsheet>"
        f"<table:table table:name='Unemployment'>{_ods_rows(first)}</table:table>"
        "<table:table table:name='Budget'><table:table-column table:number-columns-repeated='3'/>"
        f"<table:table-column table:visibility='collapse'/>{_ods_rows(second)}{hidden}"
        "<table:table-row table:number-rows-repeated='1048000'><table:table-cell "
        "table:number-columns-repeated='1024'/></table:table-row></table:table>"
        f"<table:table table:name='Draft' table:style-name='ta2'>"
        f"{_ods_rows([[cell('Secret pool')]])}</table:table>"
        "</office:spreadsheet></office:document-content>"
    )
    return write_zip(path, {"content.xml": content})


def read(tmp_path: Path, kind: str) -> list[Document | str]:
    if kind == "xls":
        return [*read_xls(Path(__file__).parent / "files" / "county.xls")]
    if kind == "ods":
        return [*read_ods(ods(tmp_path / "a.ods"))]
    return [*read_xlsx(xlsx(tmp_path / "a.xlsx"))]


@pytest.mark.parametrize("kind", ["xlsx", "xls", "ods"])
def test_a_workbook_is_read_as_it_is_shown_and_what_is_hidden_is_said(tmp_path, kind):
    first, second, fault = read(tmp_path, kind)
    assert (first.lines, first.pages) == (UNEMPLOYMENT, (1, 3, 4, 5, 6))
    assert (second.lines, second.pages) == (BUDGET, (1, 2, 3))
    assert (first.unit, first.key) == ("sheet Unemployment, row", "Unemployment")
    assert fault == HIDDEN


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        (12500, '#,##0.0,"k"', "12.5k"),
        (300, "#,##0;(#,##0)", "300"),
        (-1250, "#,##0;(#,##0)", "(1,250)"),
        (1230, '0"h "00"m"', "12h 30m"),
        (1234567.5, "#\\ ###\\ ##0.0", "1 234 567.5"),
        (5551234567, "(000) 000-0000", "(555) 123-4567"),
        (54300000, '0,,"M"', "54M"),
        (2, '"Q"0', "Q2"),
        (12345, "0.00E+00", "1.23E+04"),
        (1.5, "[h]:mm", "36:00"),
        (1234.5, "General", "1234.5"),
        (-3.2, "0.0", "-3.2"),
        (0, '#,##0;-#,##0;"–"', "–"),
        (1234567.891, "#,##0.00 €", "1,234,567.89 €"),
        (12, "[Red]0", "12"),
        (-1250, "#,##0_);[Red]#,##0", "-1,250"),
        (-1250, "0;0", "1250"),
        (0, "dd.mm.yyyy", ""),
        (0.5, "dd.mm.yyyy hh:mm", "12:00"),
        (150, '[>=100]"high";"low"', "high"),
        (5, '[>=100]"high";"low"', "low"),
        (0.5, "#.##", ".5"),
        (7, "000", "007"),
        (45061.5, "d mmm yyyy h:mm", "15 May 2023 12:00"),
        (0.75, "h:mm AM/PM", "18:00"),
        (45061, "mmm yyyy", "May 2023"),
        (45061, "yyyy", "2023"),
        (45061, "mmmm", "May"),
        (45061, "dddd", "Monday"),
        (45061, "yyyy-mm-dd", "15 May 2023"),
        (45061, "[$-409]m/d/yy;@", "15 May 2023"),
        (1e9, '0.0,,,"bn"', "1.0bn"),
        (0.255, "0%", "26%"),
        (2.5, "0", "3"),
        (1250, '_-* #,##0_-;-* #,##0_-;_-* "-"??_-;_-@_-', "1,250"),
        (-1250, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\)', "$(1,250.00)"),
        (3, '0 "years"', "3 years"),
        (3.14159, "0.##", "3.14"),
        (-0.001, "0.0", "0.0"),
        (float("1e300"), "yyyy", "1e+300"),
        (12, '"unclosed', "unclosed"),
        (12, "", "12"),
        (4.1, '0.0"%"', "4.1%"),
        (4.1, "0.0\\%", "4.1%"),
        (12.5, '0.0" per 100 %"', "12.5 per 100 %"),
        (12.5, "0\\ kr\\/t", "13 kr/t"),
        (0, '_-* #,##0_-;-* #,##0_-;_-* "-"??_-;_-@_-', "-"),
        (12345, '0,.0"k"', "12.3k"),
        (0.041, "[Blue]+0.0%;[Red]-0.0%", "+4.1%"),
        (0.0868981, "[mm]:ss", "125:08"),
        (0.0868981, "[ss]", "7508"),
        (1.50023, "[h]:mm:ss", "36:00:20"),
        (-1.5, "[h]:mm", "-36:00"),
        (1 / 288, "mm:ss", "05:00"),
        (0.5001, "h:mm:ss.00", "12:00:08.64"),
        (45061.4375, "dd/mm hh:mm", "15 May 10:30"),
        (45061.4375, "yyyy/dd/mm hh:mm", "15 May 2023 10:30"),
        (45061.4375, "hh:mm dd/mm", "15 May 10:30"),
    ],
)
def test_a_number_is_shown_in_its_format(number, code, text):
    assert shown(number, code) == text


@pytest.mark.parametrize(
    ("shown", "read_as"),
    [
        ("2023", "2023"),
        ("May 2023", "May 2023"),
        ("05/23", "May 2023"),
        ("15.05.", "15 May"),
        ("12:30", "12:30"),
        ("05/15/23 10:30", "15 May 2023 10:30"),
        ("Monday, 15. Mai 2023", "15 May 2023"),
    ],
)
def test_of_a_day_in_an_ods_is_read_what_is_shown(tmp_path, shown, read_as):
    day = "office:value-type='date' office:date-value='2023-05-15T10:30:00'"
    content = (
        "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x'><table:table>"
        f"<table:table-row><table:table-cell {day}><text:p>{shown}</text:p></table:table-cell>"
        "</table:table-row></table:table></office:document-content>"
    )
    (found,) = read_ods(write_zip(tmp_path / "a.ods", {"content.xml": content}))
    assert found.lines == (read_as,)


def test_a_merged_row_is_one_cell_and_equal_cells_are_each_read(tmp_path):
    book = Workbook()
    sheet = book.active
    for row in (
        ("Fares of 2023",),
        ("Town", "Adult", "Child"),
        ("North",),
        ("Lunde", 5, 5),
        ("Ost", "free", "free"),
        (3, 3, 3),
    ):
        sheet.append(row)
    for merged in ("A1:C1", "A3:C3"):
        sheet.merge_cells(merged)
    book.save(tmp_path / "a.xlsx")
    (found,) = read_xlsx(tmp_path / "a.xlsx")
    assert found.lines == (
        "Fares of 2023",
        "Town; Adult; Child",
        "North",
        "Town: Lunde; Adult: 5; Child: 5",
        "Town: Ost; Adult: free; Child: free",
        "Town: 3; Adult: 3; Child: 3",
    )


def test_an_indented_label_of_a_workbook_follows_that_which_it_is_part_of(tmp_path):
    book = Workbook()
    for row in (("Office", "Sum", "Posts"), ("Roads", 11, 2), ("North", 5, 1), ("Total", 11, 2)):
        book.active.append(row)
    book.active["A3"].alignment = Alignment(indent=1)
    book.active["A4"].alignment = Alignment(horizontal="right", indent=1)
    book.save(tmp_path / "a.xlsx")
    (found,) = read_xlsx(tmp_path / "a.xlsx")
    assert found.lines[2:] == (
        *("Office: Roads – North; Sum: 5; Posts: 1", "Office: Total; Sum: 11; Posts: 2"),
    )


def test_text_boxes_of_a_workbook_are_said(tmp_path):
    box = "<d:wsDr xmlns:d='d' xmlns:a='a'><d:sp><d:txBody><a:t>{}</a:t></d:txBody></d:sp></d:wsDr>"
    for text, said in (("Not final.", ["has text boxes that are not read"]), ("", [])):
        more = {"xl/drawings/drawing1.xml": box.format(text)}
        made = write_xlsx(tmp_path / "a.xlsx", {"Costs": [("Pool", 5)]}, more=more)
        assert [one.partition(";")[0] for one in [*read_xlsx(made)][1:]] == said


def test_signs_and_red_numbers_of_an_ods_are_read_as_shown(tmp_path):
    spaces = "".join(f" xmlns:{name}='{name}'" for name in ("office", "table", "text", "style"))
    red = "<style:{0} style:name='N'><style:text-properties {1}/></style:{0}>"
    styles = red.format("number-style", "color='#FF0000'")
    look = red.format("style", "style:font-name='Wingdings'").replace("'N'", "'W'")
    look += "<style:style style:name='R' style:data-style-name='N'/>"
    cells = "<table:table-cell table:style-name='W'><text:p>\u00fb</text:p></table:table-cell>"
    number = "<table:table-cell table:style-name='R' office:value='{}'><text:p>5</text:p>"
    cells += "".join(f"{number.format(n)}</table:table-cell>" for n in (-5, 5))
    content = f"{look}<table:table><table:table-row>{cells}</table:table-row></table:table>"
    members = {"styles.xml": styles, "content.xml": content}
    members = {name: f"<office:all{spaces}>{text}</office:all>" for name, text in members.items()}
    (found,) = read_ods(write_zip(tmp_path / "a.ods", members))
    assert found.lines == ("✗; -5; 5",)


def test_only_hidden_columns_with_cells_are_named_and_covered_cells_are_not_read(tmp_path):
    book = Workbook()
    sheet = book.active
    for row in (("Town", "Fee", "Note"), ("Lunde", 5, "no"), ("Ost", 7, None)):
        sheet.append(row)
    sheet.column_dimensions.group("C", "XFD", hidden=True)
    book.save(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    name = "xl/worksheets/sheet1.xml"
    merged = b"</sheetData><mergeCells><mergeCell ref='A2:A3'/></mergeCells>"
    members[name] = bytes(members[name]).replace(b"</sheetData>", merged)
    found, fault = read_xlsx(write_zip(tmp_path / "b.xlsx", members))
    assert found.lines == ("Town; Fee", "Town: Lunde; Fee: 5", "Town: Lunde; Fee: 7")
    assert fault.startswith("hidden and not read: 1 column of sheet Sheet;")


def test_text_boxes_of_an_ods_are_no_part_of_the_cell_below_them(tmp_path):
    box = "<draw:frame><draw:text-box><text:p>Not safe.</text:p></draw:text-box></draw:frame>"
    content = (
        "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x' xmlns:draw='d'>"
        f"<table:table><table:table-row><table:table-cell>{box}<text:p>14</text:p></table:table-cell>"
        "<table:covered-table-cell><text:p>9</text:p></table:covered-table-cell></table:table-row>"
        "</table:table></office:document-content>"
    ).replace("table-cell><draw", "table-cell table:number-columns-spanned='2'><draw")
    found, fault = read_ods(write_zip(tmp_path / "a.ods", {"content.xml": content}))
    assert found.lines == ("14",)
    assert fault == "has text boxes that are not read; put their text into cells"


def test_cells_of_an_ods_without_text_show_their_values_and_bare_formulas_are_counted(tmp_path):
    looks = (
        "office:value-type='float' office:value='14'",
        "office:value-type='percentage' office:value='0.255'",
        "office:value-type='date' office:date-value='2023-05-15'",
        "table:formula='of:=1+1'",
    )
    cells = "".join(f"<table:table-cell {look}/>" for look in looks)
    hidden = (
        "<table:table-cell office:value-type='float' office:value='9'><text:p/></table:table-cell>"
    )
    content = (
        "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x'><table:table>"
        f"<table:table-row>{cells}{hidden}</table:table-row></table:table></office:document-content>"
    )
    found, fault = read_ods(write_zip(tmp_path / "a.ods", {"content.xml": content}))
    assert found.lines == ("14; 25.5%; 15 May 2023",)
    assert fault.startswith("1 cell has a formula that no program has computed")


QUESTION = "How content are you with all that the municipality of Ostvik does for " + "small " * 6


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (
            "Published;3 May\nSource;County office\n\nCounty;Men;Women\nLunde;4;5\nVarnby;6;7\n",
            ("County: Lunde; Men: 4; Women: 5", "County: Varnby; Men: 6; Women: 7"),
        ),
        (
            "Source;County office\n\nItem;Cost\nPool;90\nHall;12\n",
            ("Item: Pool; Cost: 90", "Item: Hall; Cost: 12"),
        ),
        (
            ";2021;;2022;\nCounty;Men;Women;Men;Women\nLunde;4;5;6;7\nVarnby;1;2;3;4\n",
            (
                "County: Lunde; 2021 Men: 4; 2021 Women: 5; 2022 Men: 6; 2022 Women: 7",
                "County: Varnby; 2021 Men: 1; 2021 Women: 2; 2022 Men: 3; 2022 Women: 4",
            ),
        ),
        (
            ";Men;;;;Women;;;\n;2021;;2022;;2021;;2022;\nCounty;Town;Land;Town;Land;Town;Land;Town"
            ";Land\nLunde;1;2;3;4;5;6;7;8\n",
            (
                "County; Town; Land; Town; Land; Town; Land; Town; Land",
                "County: Lunde; Men 2021 Town: 1; Men 2021 Land: 2; Men 2022 Town: 3; Men 2022 "
                "Land: 4; Women 2021 Town: 5; Women 2021 Land: 6; Women 2022 Town: 7; Women 2022 "
                "Land: 8",
            ),
        ),
        (
            "Year;Births;2\n2019;412\n2020;398\n",
            ("Year: 2019; Births: 412", "Year: 2020; Births: 398"),
        ),
        ("Name;Role\nAnn;Mayor\nBo;Clerk\n", ("Name: Ann; Role: Mayor", "Name: Bo; Role: Clerk")),
        ("Lunde;4;5\nVarnby;6;7\n", ("Lunde; 4; 5", "Varnby; 6; 7")),
        (
            "Region;Men;Women;Men;Women\nOstvik;1;2;3;4\nLunde;5;6;7;8\n",
            (
                "Region: Ostvik; Men: 1; Women: 2; Men: 3; Women: 4",
                "Region: Lunde; Men: 5; Women: 6; Men: 7; Women: 8",
            ),
        ),
        (
            "Office,Name,Phone,Name\nRoads,Ada Lind,none,Bo Ek\nParks,Ed Foss,none,Flo Gran\n",
            (
                "Office: Roads; Name: Ada Lind; Phone: none; Name: Bo Ek",
                "Office: Parks; Name: Ed Foss; Phone: none; Name: Flo Gran",
            ),
        ),
        (
            "Region;Men;Women;Men;Women\nOstvik;n/a;n/a;n/a;n/a\nLunde;5;6;7;8\n",
            (
                "Region: Ostvik; Men: n/a; Women: n/a; Men: n/a; Women: n/a",
                "Region: Lunde; Men: 5; Women: 6; Men: 7; Women: 8",
            ),
        ),
        (
            "County;2021;2021;2022;2022\nCounty;Men;Women;Men;Women\nLunde;4;5;6;7\n",
            (
                "County; Men; Women; Men; Women",
                "County: Lunde; 2021 Men: 4; 2021 Women: 5; 2022 Men: 6; 2022 Women: 7",
            ),
        ),
        (
            ";Men;;Women;\nRegion;0-17;18+;0-17;18+\nOstvik;1;2;3;4\n",
            (
                "Region; 0-17; 18+; 0-17; 18+",
                "Region: Ostvik; Men 0-17: 1; Men 18+: 2; Women 0-17: 3; Women 18+: 4",
            ),
        ),
        (";Men;;Women;\nOslo;4;5;6;7\nVik;4;5;6;7\n", ("Oslo; 4; 5; 6; 7", "Vik; 4; 5; 6; 7")),
        (
            "Ost;yes;no;yes\nVik;no;no;yes\nBo;yes;yes;no\n",
            ("Vik; no; no; yes", "Bo; yes; yes; no"),
        ),
        (
            "Municipality,0-4,5-9,10-14\nOstvik,120,130,140\nLunde,20,30,40\n",
            (
                "Municipality: Ostvik; 0-4: 120; 5-9: 130; 10-14: 140",
                "Municipality: Lunde; 0-4: 20; 5-9: 30; 10-14: 40",
            ),
        ),
        (
            "Municipality,Under 18,18-64,65+\nOstvik,1,2,3\n",
            (
                "Municipality; Under 18; 18-64; 65+",
                "Municipality: Ostvik; Under 18: 1; 18-64: 2; 65+: 3",
            ),
        ),
        ("Lunde;2-1;3-0\nVarnby;1-1;0-2\n", ("Lunde; 2-1; 3-0", "Varnby; 1-1; 0-2")),
        ("Oslo;10-14;3-5\nVik;12;4\n", ("Oslo; 10-14; 3-5", "Vik; 12; 4")),
        (
            f"Id,{QUESTION}towns?,Age\n1,not at all,30\n2,very,40\n",
            (
                f"Id: 1; {QUESTION}towns?: not at all; Age: 30",
                f"Id: 2; {QUESTION}towns?: very; Age: 40",
            ),
        ),
        (
            "Source;County office\nUnit;persons\nYear;Men;Women\n2019;5;6\n",
            ("Year; Men; Women", "Year: 2019; Men: 5; Women: 6"),
        ),
        (
            "Town;Fee\nLunde;5\nOst;7\n\nName;Role\nAnn;Mayor\n",
            ("Name; Role", "Name: Ann; Role: Mayor"),
        ),
        ("Town;Fee\nVik;5\n\nLunde;n/a\nOst;7\n", ("Town: Lunde; Fee: n/a", "Town: Ost; Fee: 7")),
        (
            ";31.12.2019;31.12.2018\nAssets;500;450\n",
            ("31.12.2019; 31.12.2018", "Assets; 31.12.2019: 500; 31.12.2018: 450"),
        ),
        (
            "Month;2019-05;2019-06\nRain;31;42\n",
            ("Month; 2019-05; 2019-06", "Month: Rain; 2019-05: 31; 2019-06: 42"),
        ),
        ("Oslo;01.02.2019;5\nVik;02.03.2019;6\n", ("Oslo; 01.02.2019; 5", "Vik; 02.03.2019; 6")),
        (
            "Year;Ships\n2019;5\nSource: the port of Lunde.;\n",
            ("Year: 2019; Ships: 5", "Source: the port of Lunde."),
        ),
        ("Home,Away\n2,2\n1,0\n", ("Home: 2; Away: 2", "Home: 1; Away: 0")),
        (
            "Item;Cost;Share\n;(million euros);%\nPool;54.3;40\n",
            ("(million euros); %", "Item: Pool; Cost (million euros): 54.3; Share (%): 40"),
        ),
        (
            "Year;Catch;Rate\n;1000 t;per 100 000\n2019;25;1.5\n",
            ("1000 t; per 100 000", "Year: 2019; Catch (1000 t): 25; Rate (per 100 000): 1.5"),
        ),
        (
            "time,sst\nUTC,degree_C\n2019-01-01T00:00Z,5.2\n",
            ("UTC; degree_C", "time (UTC): 2019-01-01T00:00Z; sst (degree_C): 5.2"),
        ),
        (
            "Country,2019,,2020,\n,Men,Women,Men,Women\nOst,1,2,3,4\n",
            (
                "Men; Women; Men; Women",
                "Country: Ost; 2019 Men: 1; 2019 Women: 2; 2020 Men: 3; 2020 Women: 4",
            ),
        ),
        (
            "Land,2019,,,,2020,,,\n,Q1,Q2,Q3,Q4,Q1,Q2,Q3,Q4\nOst,1,2,3,4,5,6,7,8\n",
            (
                "Q1; Q2; Q3; Q4; Q1; Q2; Q3; Q4",
                "Land: Ost; 2019 Q1: 1; 2019 Q2: 2; 2019 Q3: 3; 2019 Q4: 4; 2020 Q1: 5; "
                "2020 Q2: 6; 2020 Q3: 7; 2020 Q4: 8",
            ),
        ),
        (
            "Region,Total,Of which:,\n,,Cars,Trams\nOst,9,5,4\n",
            ("Cars; Trams", "Region: Ost; Total: 9; Of which: Cars: 5; Of which: Trams: 4"),
        ),
        (
            "Year;Cases;Of which;Of which\n;;men;women\n2022;12;5;7\n",
            ("men; women", "Year: 2022; Cases: 12; Of which (men): 5; Of which (women): 7"),
        ),
        (
            "Town;2022;2022\n;1,000;%\nLunde;5;6\nVik;7;8\n",
            (
                "Town: Lunde; 2022 (1,000): 5; 2022 (%): 6",
                "Town: Vik; 2022 (1,000): 7; 2022 (%): 8",
            ),
        ),
        (
            "Town;2022;2023 2);Change\nLunde;5;6;1.3\n2) Preliminary.\n",
            ("Town: Lunde; 2022: 5; 2023 2): 6; Change: 1.3", "2) Preliminary."),
        ),
        (";Births\n2019;5\n2020;6\n", ("2019; Births: 5", "2020; Births: 6")),
        ("Town;Fee\nLunde;free\nVik;5\n", ("Town: Lunde; Fee: free", "Town: Vik; Fee: 5")),
        ("Year;Fee\n2018;n/a\n2019;5\n", ("Year: 2018; Fee: n/a", "Year: 2019; Fee: 5")),
        (
            "Town;2018;2019\nVik;5;6\n\nTown;2020;2021\nOst;7;8\n",
            ("Town; 2020; 2021", "Town: Ost; 2020: 7; 2021: 8"),
        ),
        (
            "Town;1950\nVik;5\n\nLunde;1950\nOst;800\n",
            ("Town: Lunde; 1950: 1950", "Town: Ost; 1950: 800"),
        ),
        ("Founded,3 May 1850\nOwner,Lunde\nShips,14\n", ("Owner; Lunde", "Ships; 14")),
        ("Founded,1850\nOwner,Lunde\nShips,14\n", ("Owner; Lunde", "Ships; 14")),
        (
            "Employed,2019\nMen,412\nTrams,none\n",
            ("Employed: Men; 2019: 412", "Employed: Trams; 2019: none"),
        ),
        (
            "Fees\n\nTicket;Price\nAdult;5 kr\nChild;free\nLocker;2\n",
            ("Ticket: Child; Price: free", "Ticket: Locker; Price: 2"),
        ),
        (
            "Facts\n\n\nBuilt;1921\nOwner;Vik\nBeds;12\nTugs;3\nFee;9\nCook;Bo\nPosts;8\n\n"
            "Year;Men;Women\n2021;5;6\n",
            ("Year; Men; Women", "Year: 2021; Men: 5; Women: 6"),
        ),
        ("Ost,5 ships,no\nVik,7 ships,n/a\n", ("Ost; 5 ships; no", "Vik; 7 ships; n/a")),
        ("3 May 2024,Bo,yes\n4 May 2024,Ed,no\n", ("3 May 2024; Bo; yes", "4 May 2024; Ed; no")),
        (
            "Town,3 May 2019,4 May 2019\nVik,5,6\n",
            ("Town; 3 May 2019; 4 May 2019", "Town: Vik; 3 May 2019: 5; 4 May 2019: 6"),
        ),
        (
            "Name:,Ada,Post:,Mayor\nBorn:,1970,Party:,Left\n",
            ("Name: Ada; Post: Mayor", "Born: 1970; Party: Left"),
        ),
        (
            "Town,2022,2023\nVik,5,6\nRoute,2022,2023\nA-B,30,35\n",
            ("Route; 2022; 2023", "Route: A-B; 2022: 30; 2023: 35"),
        ),
        (
            "Sex,2022,2023\nAll,9,8\n  Men,5,4\n    Young,2,1\n Other,3,2\n",
            ("Sex: All – Men – Young; 2022: 2; 2023: 1", "Sex: Other; 2022: 3; 2023: 2"),
        ),
        ("Week;1;2;3;4\nVik;4;9;2;7\n", ("Week; 1; 2; 3; 4", "Week: Vik; 1: 4; 2: 9; 3: 2; 4: 7")),
        ("Vik;3;4;5\nOst;5;2;6\n", ("Vik; 3; 4; 5", "Ost; 5; 2; 6")),
        ("Is it;1;2;3\nClean;;;x\nFair;x;;\n", ("Is it: Clean; 3: x", "Is it: Fair; 1: x")),
        ("Vik;3;5\nOst;x;7\nBo;4;x\n", ("Ost; x; 7", "Bo; 4; x")),
        (
            "Port;Ships;Tons\nVik;4;50\nPort;Cars;Buses\nOst;7;8\n",
            ("Port; Cars; Buses", "Port: Ost; Cars: 7; Buses: 8"),
        ),
        (
            "Invoice no.;2019-114\nDate;3 May 2019\nDue;2 June 2019\n",
            ("Date; 3 May 2019", "Due; 2 June 2019"),
        ),
        (
            "Grant\n\nClub:,Vik FC,Paid:,no\nSum:,900,Day:,3 May 2019\n",
            ("Club: Vik FC; Paid: no", "Sum: 900; Day: 3 May 2019"),
        ),
        (
            "Municipality,Centre\nOslo,Oslo\nLunde,Varnby\n",
            ("Municipality: Oslo; Centre: Oslo", "Municipality: Lunde; Centre: Varnby"),
        ),
    ],
)
def test_the_heading_of_a_table_is_told_from_notes_above_it(tmp_path, rows, lines):
    (tmp_path / "a.csv").write_text(rows)
    (document,) = read_delimited(tmp_path / "a.csv")
    assert document.lines[-2:] == lines


def test_titles_and_groups_of_rows_are_sections_of_a_table(tmp_path):
    rows = (
        "Births\nUnit: persons\n\nAge,2019,2020\nMen,,\n0-17,1,2\n18+,3,4\nWomen,,\n0-17,5,6\n"
        "18+,7,8\nTotal,16,20\n\nDeaths\n\nAge,2019,2020\n0-17,0,1\n"
    )
    (tmp_path / "a.csv").write_text(rows)
    (found,) = read_delimited(tmp_path / "a.csv")
    assert found.sections == (
        *((0, "Births"), (1, "Births – Unit: persons"), (3, "Births – Unit: persons – Men")),
        *((6, "Births – Unit: persons – Women"), (9, "Births – Unit: persons"), (10, "Deaths")),
    )


def test_groups_of_a_table_of_two_columns_are_its_sections(tmp_path):
    rows = "Fleet,Ships\nOwned,\nFerries,40\nTugs,12\nLeased,\nFerries,9\nTugs,30\n"
    (tmp_path / "a.csv").write_text(rows)
    (found,) = read_delimited(tmp_path / "a.csv")
    assert found.sections == ((1, "Owned"), (4, "Leased"))


def test_a_row_without_values_names_no_group(tmp_path):
    (tmp_path / "a.csv").write_text("Land,2019,2020\nAfar,,\nBo,1,2\nCy,,\nDu,3,4\n")
    (found,) = read_delimited(tmp_path / "a.csv")
    assert found.sections == ()
    (tmp_path / "a.csv").write_text("Field,Entry\nName,Bo\nTown,\nName,Cy\nTown,Vik\n")
    (found,) = read_delimited(tmp_path / "a.csv")
    assert found.sections == ()


TABLE = "<html><table><tr><th>Port<th>Ships<tr><td>Lunde<td>14</table></html>"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xls", TABLE.encode()),
        ("a.xls", b"Port\tShips\nLunde\t14\n"),
        ("a.xls", "Port\tShips\nLunde\t14\n".encode("utf-16")),
        ("a.xls", f"MIME-Version: 1.0\nContent-Type: text/html\n\n{TABLE}".encode()),
        ("a.doc", TABLE.encode()),
        (
            "a.doc",
            rb"{\rtf1 \trowd\intbl Port\cell Ships\cell\row\trowd\intbl Lunde\cell 14\cell\row}",
        ),
    ],
)
def test_a_file_under_an_old_ending_is_read_as_what_it_is(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    (found,) = imported(FORMATS[kind_of(tmp_path / name)].reader)(tmp_path / name)
    assert found.lines == ("Port; Ships", "Port: Lunde; Ships: 14")


def test_a_new_workbook_under_the_old_ending_is_read_and_one_in_xml_is_said(tmp_path):
    xlsx(tmp_path / "a.xls")
    assert next(read_xls(tmp_path / "a.xls")).lines == UNEMPLOYMENT
    space = "urn:schemas-microsoft-com:office:spreadsheet"
    (tmp_path / "b.xls").write_text(f'<?xml version="1.0"?><Workbook xmlns="{space}"/>')
    with pytest.raises(Unreadable, match=r"is a workbook in XML; save it as \.xlsx"):
        list(read_xls(tmp_path / "b.xls"))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is not an Excel workbook, or is damaged"),
        (b"\xd0\xcf\x11\xe0 cut", "is not an Excel workbook, or is damaged"),
        (b"<html>", "has no text"),
        (b"PK\x03\x04 cut", "is not an Excel workbook, or is damaged"),
    ],
)
def test_what_is_no_old_workbook_says_so(tmp_path, content, why):
    (tmp_path / "a.xls").write_bytes(content)
    with pytest.raises(Unreadable, match=why):
        list(read_xls(tmp_path / "a.xls"))


def test_struck_runs_indented_labels_and_short_months_of_calc_are_read(tmp_path):
    def cell(text: str, more: str = "") -> str:
        return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"

    month = "office:value-type='date' office:date-value='2024-05-17'"
    rows = (
        (cell("Item"), cell("Said"), cell("Month")),
        (cell("Pool"), cell("does <text:span text:style-name='T'>not </text:span>leak"), cell("")),
        (cell("Hall", "table:style-name='I'"), cell("new"), cell("May-24", month)),
        (cell("Roof", "table:style-name='R'"), cell("old"), cell("3")),
        (cell("Shed"), cell("sold", "table:style-name='B'"), cell("4")),
        (cell("<text:s text:c='2'/>Door"), cell("red"), cell("5")),
    )
    shown = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in rows)
    content = (
        "<office:document-content xmlns:office='o' xmlns:table='t' xmlns:text='x' xmlns:style='s'>"
        "<style:style style:name='T'><style:text-properties style:text-line-through-type='single'/>"
        "</style:style><style:style style:name='I'><style:paragraph-properties "
        "style:margin-left='0.1389in'/></style:style><style:style style:name='R'>"
        "<style:paragraph-properties style:margin-left='0.35cm' style:text-align='end'/>"
        "</style:style><style:style style:name='B' style:parent-style-name='T'>"
        "<style:text-properties style:font-weight='bold'/></style:style>"
        f"<table:table>{shown}</table:table></office:document-content>"
    )
    (found,) = read_ods(write_zip(tmp_path / "a.ods", {"content.xml": content}))
    assert found.lines == (
        "Item; Said; Month",
        "Item: Pool; Said: does leak",
        "Item: Pool – Hall; Said: new; Month: May 2024",
        "Item: Roof; Said: old; Month: 3",
        "Item: Shed; Month: 4",
        "Item: Shed – Door; Said: red; Month: 5",
    )


def test_a_workbook_of_strict_xml_is_read(tmp_path):
    usual = write_xlsx(tmp_path / "a.xlsx", {"Costs": (("Port", "Ships"), ("Lunde", 14))})
    with zipfile.ZipFile(usual) as packed:
        members = {name: packed.read(name).decode() for name in packed.namelist()}
    for kind in ("spreadsheetml", "officeDocument"):
        given = f"http://schemas.openxmlformats.org/{kind}/2006/"
        strict = f"http://purl.oclc.org/ooxml/{kind}/"
        members = {name: one.replace(given, strict) for name, one in members.items()}
    (found,) = read_xlsx(write_zip(tmp_path / "b.xlsx", members))
    assert found.lines == ("Port; Ships", "Port: Lunde; Ships: 14")


def test_a_name_with_a_figure_that_goes_down_over_two_rows_names_its_column(tmp_path):
    book = Workbook()
    sheet = book.active
    sheet.append(["Museum: visitors by year"])
    sheet.append(["Year", "Visitors", None, "Marks (mean of 5)"])
    sheet.append([None, "General", "Schools", None])
    for row in ([2022, 28650, 5230, 4.2], [2023, 33980, 6410, 4.5], [2024, 35065, 7045, 4.6]):
        sheet.append(row)
    for merged in ("A2:A3", "B2:C2", "D2:D3"):
        sheet.merge_cells(merged)
    book.save(tmp_path / "x.xlsx")
    (found, *_) = read_xlsx(tmp_path / "x.xlsx")
    row = "Year: 2022; Visitors General: 28650; Visitors Schools: 5230; Marks (mean of 5): 4.2"
    assert row in found.lines


@pytest.mark.parametrize(
    ("days", "read_as"),
    [
        (("03/02/2024", "13/02/2024"), ("3 February 2024", "13 February 2024")),
        (("03/02/2024 14:30", "02-13-2024"), ("2 March 2024 14:30", "13 February 2024")),
        (("03/02/2024", "12/02/2024"), ("03/02/2024", "12/02/2024")),
        (("13/02/2024", "02/13/2024"), ("13/02/2024", "02/13/2024")),
    ],
)
def test_days_of_a_table_are_written_out_if_others_tell_their_order(tmp_path, days, read_as):
    rows = [("Ship", "Came"), *zip(("Lom", "Vik"), days, strict=True)]
    shown = ("Ship; Came", *map("Ship: {}; Came: {}".format, ("Lom", "Vik"), read_as))
    (tmp_path / "a.csv").write_text("".join(f"{a},{b}\n" for a, b in rows))
    write_xlsx(tmp_path / "a.xlsx", {"A": rows})
    body = "".join(f"<tr><td>{a}<td>{b}" for a, b in rows)
    (tmp_path / "a.html").write_text(f"<table>{body}</table>")
    for name in ("a.csv", "a.xlsx", "a.html"):
        found = next(iter(imported(FORMATS[kind_of(tmp_path / name)].reader)(tmp_path / name)))
        assert found.lines == shown
