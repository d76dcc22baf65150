"""Tables: a row becomes a sentence, with its sheet and its number."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.support.packed_documents import DATE, EURO, SHARE, write_xlsx, write_zip
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.sheets.delimited import read_delimited
from uhhrag.documents.sheets.xlsx import read_xlsx
from uhhrag.documents.tables import rows as table_rows
from uhhrag.documents.web.html import read_html

pytestmark = pytest.mark.usefixtures("nltk_loaded")

ROWS = (("Port", "Since", "Ships"), ("Lunde", (43588, DATE), 14), ("Varnby", None, 3.5))


def delimited(folder: Path, content: str, encoding: str = "utf-8") -> Document:
    file = folder / "a.csv"
    file.write_bytes(content.encode(encoding))
    (document,) = read_delimited(file)
    return document


def workbook(folder: Path, *rows, **options) -> Document:
    (document,) = read_xlsx(write_xlsx(folder / "a.xlsx", {"Costs": rows}, **options))
    return document


def test_sentences_in_cells_are_no_headings(tmp_path):
    said = "Guests spent 5.21 million nights in the hotels of the country this summer."
    more = "Campsites had fewer guests than a year ago, as July was wet."
    found = workbook(
        tmp_path, ("Statistics of tourism",), (None,), ("Main points",), (said,), (more,)
    )
    assert found.lines == ("Statistics of tourism", "Main points", said, more)
    assert {name for _, name in found.sections} == {"Statistics of tourism", "Main points"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_row_is_a_sentence_with_the_names_of_its_columns_and_its_number(tmp_path, delimiter):
    found = delimited(
        tmp_path, "Port,Year,Ships\n\nLunde,2019,14\nVarnby,,3\n".replace(",", delimiter)
    )
    assert found == Document(
        ("Port; Year; Ships", "Port: Lunde; Year: 2019; Ships: 14", "Port: Varnby; Ships: 3"),
        (1, 3, 4),
        unit="row",
        starts=(0, 1, 2),
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_a_table_is_read_in_the_encoding_it_is_in(tmp_path, encoding):
    found = delimited(tmp_path, "Straße;Stück\nGoethestraße 3 in Köln;fünf\n", encoding)
    assert found.lines[1] == "Straße: Goethestraße 3 in Köln; Stück: fünf"


def test_words_that_recur_below_name_no_columns(tmp_path):
    members = "Ada,Red,Lunde\nBo,Blue,Ost\nCy,Red,Vik\nDi,Red,Lunde\n"
    assert delimited(tmp_path, members).lines[:2] == ("Ada; Red; Lunde", "Bo; Blue; Ost")
    named = "Town,Mayor,Party\nOst,Bo,Red\n\nPort,Mayor,Party\nLunde,Di,Red\n"
    assert delimited(tmp_path, named).lines[1] == "Town: Ost; Mayor: Bo; Party: Red"
    wide = "Town,Mayor,Party,Seats\nOst,Bo,Red,14\n\nPort,Mayor,Party,Berths\nLunde,Di,Red,40\n"
    assert delimited(tmp_path, wide).lines[1] == "Town: Ost; Mayor: Bo; Party: Red; Seats: 14"
    present = "Member,Present,Absent\nAda,Present,\nBo,,Absent\nCy,Present,\n"
    assert delimited(tmp_path, present).lines[1] == "Member: Ada; Present: Present"


def test_groups_are_no_names_of_a_corner(tmp_path):
    rows = ",Q1,Q2\nRevenue,,\n  Domestic,10,11\n  Export,4,5\nCosts,,\n  Wages,7,8\nProfit,7,8\n"
    assert delimited(tmp_path, rows).lines == (
        *("Q1; Q2", "Revenue"),
        *("Revenue – Domestic; Q1: 10; Q2: 11", "Revenue – Export; Q1: 4; Q2: 5", "Costs"),
        *("Costs – Wages; Q1: 7; Q2: 8", "Profit; Q1: 7; Q2: 8"),
    )


def test_a_group_alone_above_a_blank_column_holds_for_its_rows(tmp_path):
    rows = "Seat,Name,Votes\nLunde,,\n,Anna Berg,14021\n,Bo Dahl,12210\nVik,,\n,Eva Lie,9100\n"
    assert delimited(tmp_path, rows).lines[2:] == (
        "Seat: Lunde; Name: Anna Berg; Votes: 14021",
        "Seat: Lunde; Name: Bo Dahl; Votes: 12210",
        "Vik",
        "Seat: Vik; Name: Eva Lie; Votes: 9100",
    )


def test_a_list_of_one_firm_below_a_title_has_no_names_of_columns(tmp_path):
    rows = (
        "Profile,\nName,Lunde Harbour Ltd\nNumber,01234567\nState,Open\nStaff,\nSales 2022,£12m\n"
    )
    assert delimited(tmp_path, rows).lines[1:] == (
        *("Name; Lunde Harbour Ltd", "Number; 01234567", "State; Open", "Staff"),
        "Sales 2022; £12m",
    )


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ("On;0;1;2;3;4;5;6;7;8;9;10\nIs it clean?;;;;;;;;;X;;", "On: Is it clean?; 8: X"),
        (";1;2;3;4\nStaff;☐;☐;☒;☐\nRoom;☐;☒;☐;☐", "Staff; 1: ☐; 2: ☐; 3: ☒; 4: ☐"),
        ("Bad;1;2;3;4;Good\n;;;x;;", "3: x"),
        ("Berth;1;2;3\nNorth;x;x;x\nSouth;x;x;x", "North; x; x; x"),
    ],
)
def test_a_cross_stands_beside_its_value_on_a_scale(tmp_path, rows, line):
    assert delimited(tmp_path, rows).lines[1] == line


def test_a_part_of_the_row_above_is_named_with_it_and_a_year_may_stand_among_units(tmp_path):
    rows = "Item;Cost;Change\n;crowns;2022-2023\nSale;45;2\nof which ships;12;3\nRent;5;1\n"
    assert delimited(tmp_path, rows).lines[2:] == (
        "Item: Sale; Cost (crowns): 45; Change (2022-2023): 2",
        "Item: Sale – of which ships; Cost (crowns): 12; Change (2022-2023): 3",
        "Item: Rent; Cost (crowns): 5; Change (2022-2023): 1",
    )


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ("Song;By\nHey;Bo\nThereof we sing;Lie\nHo;Al", "Song: Thereof we sing; By: Lie"),
        (
            "No;Item;Cost\nGroup A;;\n1;Sale;45\n;of which ships;12",
            "Item: of which ships; Cost: 12",
        ),
        (
            "Asked;Yes\nIs it old?;5\nOf which towns is it?;4",
            "Asked: Of which towns is it?; Yes: 4",
        ),
    ],
)
def test_words_like_those_of_a_part_may_begin_a_name(tmp_path, rows, line):
    assert [one for one in delimited(tmp_path, rows).lines if "of w" in one.lower()] == [line]


def test_a_table_below_names_and_values_has_its_own_names(tmp_path):
    rows = "Firm:;Berg Ltd;;Founded:;1974\nStaff:;40;;Owner:;Lie\n\nYear;Sales;;;\n2022;14;;;\n"
    assert delimited(tmp_path, rows).lines[-1] == "Year: 2022; Sales: 14"


def test_a_quoted_cell_holds_delimiters_and_lines(tmp_path):
    found = delimited(tmp_path, 'Name;Text\nA;"one; two\nthree"\n')
    assert found.lines == ("Name; Text", "Name: A; Text: one; two three")


def test_the_delimiter_that_excel_names_itself_is_used(tmp_path):
    found = delimited(tmp_path, "sep=|\nName|Sum, all\nA|1\n")
    assert (found.lines, found.pages) == (("Name; Sum, all", "Name: A; Sum, all: 1"), (2, 3))


@pytest.mark.parametrize(
    ("name", "content", "last"),
    [
        (
            "a.csv",
            "Land;Sum, mill. kr;Andel, prosent\nNorge;1,5;2,5\nSverige;3,5;4,5\n",
            "Land: Sverige; Sum, mill. kr: 3.5; Andel, prosent: 4.5",
        ),
        ("a.csv", "1,5;2,5;3,5\n2,5;3,5;4,5\n", "2.5; 3.5; 4.5"),
        ("a.csv", "Town,Tags\nLunde,a;b\n5,c;d\n", "Town: 5; Tags: c;d"),
        ("a.csv", "Lunde,a;b,5\nOst,c;d,6\n", "Ost; c;d; 6"),
        (
            "a.csv",
            "freq,unit,geo\\TIME\t2019 \t2020 \nA,PC,NO\t5.1 \t6.2 b\n",
            "freq,unit,geo\\TIME: A,PC,NO; 2019: 5.1; 2020: 6.2 b",
        ),
        (
            "a.tsv",
            "Name (last, first)\tBorn, town\nLind, Ada\tOslo, Norway\n",
            "Name (last, first): Lind, Ada; Born, town: Oslo, Norway",
        ),
        ("a.tab", "Lind, Ada\tOslo, Norway\n", "Lind, Ada; Oslo, Norway"),
        ("a.tsv", "Town;Fee\nLunde;5\n", "Town: Lunde; Fee: 5"),
        (
            "a.tsv",
            '"Skarv" the ship\t2019\t14\n"Tern, a boat\t2020\t15\nGull\t2021\t16\n',
            "Gull; 2021; 16",
        ),
        ("a.tsv", 'Name\tYear\n"Tern\t2020\n6\' 2"\t2022\n', "Name: 6' 2\"; Year: 2022"),
        ("a.tsv", 'Name\tText\nA\t"one\ntwo"\n', "Name: A; Text: one two"),
    ],
)
def test_the_delimiter_is_that_which_parts_numbers_and_that_of_the_ending(
    tmp_path, name, content, last
):
    (tmp_path / name).write_text(content)
    (found,) = read_delimited(tmp_path / name)
    assert found.lines[-1] == last


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        ("41,2 39,8 7", "41.2 39.8 7"),
        ("1,234 0,5 -2,25", "1.234 0.5 -2.25"),
        ("1.041,25 980 2.000,5", "1,041.25 980 2,000.5"),
        ("12,5% €3,20", "12.5% €3.20"),
        ("1,234 5,678", ""),  # thousands
        ("1,234 12 3,400,000", ""),
        ("1,234.5 12,5", ""),
        ("3,5,7 1,2", ""),  # lists
        ("0123,4 A1,2", ""),  # codes
        ("1.5 2,5", ""),
    ],
)
@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_decimal_commas_of_a_column_are_points(tmp_path, delimiter, cells, shown):
    rows = [("Site", "Mean"), *zip("ABC", cells.split(), strict=False)]
    found = delimited(tmp_path, "\n".join(map(delimiter.join, rows)))
    read = [line.split(" ")[-1] for line in found.lines[1:]]
    assert read == (shown or cells).split()


@pytest.mark.parametrize(
    ("rows", "read_as"),
    [
        (
            "<thead><tr><th>Town<th>0-4<th>5+</thead><tr><td>Lunde<td>6<td>7",
            ("Town; 0-4; 5+", "Town: Lunde; 0-4: 6; 5+: 7"),
        ),
        (
            "<tr><th colspan=3>Scores<tr><th>Team<th>1<th>2<tr><td>Lunde<td>6<td>7",
            ("Scores", "Team; 1; 2", "Team: Lunde; 1: 6; 2: 7"),
        ),
        (
            "<tr><th>Name<th>Role<tr><td>Ann<td>Mayor<tr><td>Bo<td>Bo",
            ("Name; Role", "Name: Ann; Role: Mayor", "Name: Bo; Role: Bo"),
        ),
        ("<tr><td>Team<td>1<td>2<tr><td>Lunde<td>6<td>7", ("Team; 1; 2", "Lunde; 6; 7")),
        (
            "<tr><th>Port<th>Ships<th>Tons<tr><td>Vik<td>4<td>5<tr><th>Route<th>Cars<th>Buses"
            "<tr><td>A-B<td>7<td>8",
            (
                *("Port; Ships; Tons", "Port: Vik; Ships: 4; Tons: 5"),
                *("Route; Cars; Buses", "Route: A-B; Cars: 7; Buses: 8"),
            ),
        ),
        (
            "<tr><th>Name<th>Party<th>Votes<tr><td>Ann<td>Left<td>5<tr><td><b>Bo<td><b>Left<td>"
            "<b>withdrew</b><tr><td>Ed<td>Red<td>7",
            (
                *("Name; Party; Votes", "Name: Ann; Party: Left; Votes: 5"),
                *("Name: Bo; Party: Left; Votes: withdrew", "Name: Ed; Party: Red; Votes: 7"),
            ),
        ),
    ],
)
def test_names_marked_in_a_page_name_the_columns_whatever_they_say(tmp_path, rows, read_as):
    text = "The council met on Monday and talked about the fares of the coming year."
    (tmp_path / "a.html").write_text(f"<body><p>{text}</p><table>{rows}</table></body>")
    (found,) = read_html(tmp_path / "a.html")
    assert found.lines[1:] == read_as


def test_names_of_the_first_columns_may_stand_below_those_of_the_others(tmp_path):
    rows = (";;Ships;Change", ";;number;%", "Year;Port;;", "2019;Lunde;12;1,5", ";Varnby;8;-2",
            "2020;Lunde;14;2,0", ";Varnby;7;-3", "Source: the port")  # fmt: skip
    found = delimited(tmp_path, "\n".join(rows))
    assert found.lines[3] == "Year: 2019; Port: Lunde; Ships number: 12; Change %: 1.5"
    assert found.lines[6] == "Year: 2020; Port: Varnby; Ships number: 7; Change %: -3"


def test_what_is_typed_in_columns_in_a_page_is_a_table(tmp_path):
    text = "<p>The council met on Monday and talked about the fares of the coming year.</p>"
    rows = "\n        2022   2021\nShop    £713   £198\nCafé    £449   £120\n\nAs\npublished."
    (tmp_path / "a.html").write_text(f"<body>{text}<pre>{rows}</pre>{text}</body>", "utf-8")
    (found,) = read_html(tmp_path / "a.html")
    assert found.lines[2:5] == ("Shop; 2022: £713; 2021: £198", "Café; 2022: £449; 2021: £120",
                                "As published.")  # fmt: skip


def test_a_table_whose_first_row_has_numbers_has_no_names_of_columns(tmp_path):
    found = delimited(tmp_path, "Oslo,14.5,2019\nBergen,3,2020\n")
    assert found.lines == ("Oslo; 14.5; 2019", "Bergen; 3; 2020")


@pytest.mark.parametrize(("marks", "read"), [("({})", ""), ("{}", ""), ("1{}", "named")])
def test_numbers_of_columns_below_their_names_are_no_values(tmp_path, marks, read):
    numbers = ";".join(marks.format(at) for at in range(1, 5))
    found = delimited(tmp_path, f"Port;Ships;Cars;Buses\n{numbers}\nLunde;14;60;3\nVarnby;3;;1\n")
    named = "Port: 11; Ships: 12; Cars: 13; Buses: 14"
    assert found.lines[1] == (named if read else numbers.replace(";", "; "))
    assert found.lines[2] == "Port: Lunde; Ships: 14; Cars: 60; Buses: 3"


def test_headings_and_notes_of_a_table_stand_alone(tmp_path):
    rows = (("Table 3: Ships. By port.",), (), *ROWS, ("Source: the port's office.",))
    found = workbook(tmp_path, *rows)
    assert [*zip(found.lines, found.pages, strict=True)][:3] == [
        ("Table 3: Ships.", 1),
        ("By port.", 1),
        ("Port; Since; Ships", 3),
    ]
    assert (found.lines[-1], found.pages[-1]) == ("Source: the port's office.", 6)


def test_a_cell_of_many_words_is_cut_into_its_sentences(tmp_path):
    text = " ".join(f"In year {n} the harbour was dredged again." for n in range(12))
    found = delimited(tmp_path, f"Port,Report\nLunde,{text}\n")
    assert found.lines[1:4] == (
        "Port: Lunde",
        "In year 0 the harbour was dredged again.",
        "In year 1 the harbour was dredged again.",
    )
    assert set(found.pages[1:]) == {2}


def test_each_line_of_a_wide_row_begins_with_its_first_cell(tmp_path):
    years = range(1900, 2000)
    names, values = ",".join(map(str, years)), ",".join(f"{year}.5" for year in years)
    found = delimited(tmp_path, f"Port,{names}\nLunde,{values}\n")
    assert len(found.lines) > 3
    assert all(line.startswith("Port: Lunde; 19") for line in found.lines[1:])
    assert max(map(len, found.lines[1:])) < 700


def test_a_sheet_of_a_workbook_is_a_document_with_dates_shares_and_money_as_shown(tmp_path):
    rows = (("Port", "Since", "Share", "Cost", "Open", "Big"),)
    rows += (("Lunde", (43588, DATE), (0.255, SHARE), (18300000.5, EURO), True, 0.1 + 0.2),)
    assert workbook(tmp_path, *rows, title="Harbours") == Document(
        (
            "Port; Since; Share; Cost; Open; Big",
            "Port: Lunde; Since: 3 May 2019; Share: 25.50%; Cost: € 18,300,000.50; Open: yes; "
            "Big: 0.3",
        ),
        (1, 2),
        title="Harbours",
        author="B. Clerk",
        date="2020-03-04",
        dated_by="file",
        key="Costs",
        unit="sheet Costs, row",
        starts=(0, 1),
    )


def test_every_sheet_is_read_and_an_empty_one_passed_over(tmp_path):
    sheets = {"One": ROWS, "None": (), "Zwei & drei": ROWS[:2]}
    found = list(read_xlsx(write_xlsx(tmp_path / "a.xlsx", sheets)))
    assert [(page.key, page.title, len(page.lines)) for page in found] == [
        ("One", "One", 3),
        ("Zwei & drei", "Zwei & drei", 2),
    ]


def test_texts_in_their_cells_formulas_and_errors(tmp_path):
    cells = (
        '<c r="A1" t="inlineStr"><is><r><t>a_x0020_</t></r><r><t>b</t></r></is></c>'
        '<c r="C1" t="str"><f>A1&amp;"x"</f><v>made</v></c><c t="e"><v>#N/A</v></c>'
        '<c r="XFD1"><v>7</v></c><c r="ZZZ1"><v>8</v></c>'
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f"<worksheet xmlns='{main}'><sheetData><row>{cells}</row></sheetData></worksheet>"
    found = workbook(tmp_path, ("x",), more={"xl/worksheets/sheet1.xml": sheet})
    assert found.lines == ("a b; made; 7",)


def test_rows_beyond_the_most_are_named_and_the_others_read(tmp_path, monkeypatch):
    monkeypatch.setattr(table_rows, "MOST_ROWS", 2)
    document, fault = read_xlsx(write_xlsx(tmp_path / "a.xlsx", {"Costs": ROWS}))
    assert len(document.lines) == 2
    assert fault.startswith("has more rows than are read (2, ")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is not an Excel workbook"),
        (b"PK\x03\x04 cut", "is not an Excel workbook"),
        (b"\xd0\xcf\x11\xe0 old", r"is encrypted, or an old \.xls; save a copy as \.xlsx"),
    ],
)
def test_what_is_no_workbook_says_so(tmp_path, content, why):
    file = tmp_path / "a.xlsx"
    file.write_bytes(content)
    with pytest.raises(Unreadable, match=why):
        list(read_xlsx(file))


BOMB = '<!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet>&b;</worksheet>'
OUTSIDE = '<!DOCTYPE b [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet>&a;</worksheet>'


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        (BOMB, "declares a document type"),
        (OUTSIDE, "declares a document type"),
        ("<a>" * 3000 + "</a>" * 3000, "is empty"),
        ("<worksheet><sheetData><row>", "is damaged"),
        ("<worksheet>&nbsp;</worksheet>", "is damaged"),
        (b"\x00\xff\xfe nothing", "is damaged"),
        ('<?xml version="1.0" encoding="nonesuch"?><a/>', "is damaged"),
        (b" " * 2**26, "would unpack to"),
    ],
)
def test_a_hostile_sheet_is_refused_in_one_clause(tmp_path, sheet, why):
    file = write_xlsx(
        tmp_path / "a.xlsx", {"Costs": ROWS}, more={"xl/worksheets/sheet1.xml": sheet}
    )
    with pytest.raises(Unreadable, match=why) as caught:
        list(read_xlsx(file))
    assert "\n" not in str(caught.value)


def test_a_workbook_of_too_many_files_is_refused(tmp_path):
    file = write_zip(tmp_path / "a.xlsx", {f"{n}": b"" for n in range(10_001)})
    with pytest.raises(Unreadable, match="files: 10,001; refused"):
        list(read_xlsx(file))


def test_a_member_that_says_less_than_it_holds_is_damage(tmp_path):
    file = write_xlsx(tmp_path / "a.xlsx", {"Costs": ROWS})
    with zipfile.ZipFile(file) as packed:
        size = packed.getinfo("xl/workbook.xml").file_size
    raw = file.read_bytes()
    lies = raw.replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lies != raw
    file.write_bytes(lies)
    with pytest.raises(Unreadable, match="is damaged"):
        list(read_xlsx(file))


def test_a_quotation_mark_that_nothing_closes_is_told_by_its_row(tmp_path):
    (tmp_path / "a.csv").write_text('Port,Note\nLunde,small\nOst,"so it is\nVarnby,large\n')
    *_, said = read_delimited(tmp_path / "a.csv")
    assert said == "a quotation mark of row 3 is not closed; all below is one cell"


@pytest.mark.parametrize("content", ["", "\n\n", ",,\n"])
def test_a_table_without_a_cell_is_empty(tmp_path, content):
    with pytest.raises(Unreadable, match="is empty"):
        delimited(tmp_path, content)


def test_a_table_of_no_text_says_so(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"a,b\x00\n")
    with pytest.raises(Unreadable, match="is not text"):
        list(read_delimited(tmp_path / "a.csv"))


def test_labels_that_end_in_one_column_are_no_parts_of_those_above(tmp_path):
    found = delimited(tmp_path, "Town,Fee\n    Varnby,5\n     Lunde,7\n        Oa,9\n")
    assert found.lines[1:] == ("Town: Varnby; Fee: 5", "Town: Lunde; Fee: 7", "Town: Oa; Fee: 9")
    found = delimited(tmp_path, "Rate,2021\nAll,4.1\n of which men,4.5\n Old,3.1\n")
    lines = ("Rate: All; 2021: 4.1", "Rate: All – of which men; 2021: 4.5", "Rate: Old; 2021: 3.1")
    assert found.lines[1:] == lines


def test_a_title_below_a_blank_row_is_no_value_and_notes_below_a_table_are_no_titles(tmp_path):
    found = delimited(
        tmp_path,
        "Ferries\nName,Seats\nAnna,40\nBo,50\n\nBuses\nLine,Stops\n12,40\n13,50\n\n* Not final.\n"
        "Source: Office\n",
    )
    assert found.lines[4:] == (
        "Buses",
        "Line; Stops",
        "Line: 12; Stops: 40",
        "Line: 13; Stops: 50",
        "* Not final.",
        "Source: Office",
    )
    assert found.sections == ((0, "Ferries"), (4, "Buses"), (8, "Buses"))
    found = delimited(tmp_path, "Town,Fee\nVik,5*\nOst,6\n* Not final.\nSource: Office\n")
    assert found.lines[3:] == ("* Not final.", "Source: Office")
    groups = "Grade,A,B\nNorth\nE1,2,1\nSum,2,1\nSouth\nE2,3,1\nSum,3,1\nAll,5,2\nMay. Or not."
    assert delimited(tmp_path, groups).sections[-2:] == ((7, ""), (8, ""))


def test_the_names_of_a_pivot_are_joined_and_a_question_below_a_gap_is_a_title(tmp_path):
    pivot = "year,2021,2021,2022\nsex,Men,Women,Men\ncounty,,,\nLunde,1,2,3\n"
    assert delimited(tmp_path, pivot).lines[3:] == (
        "county: Lunde; 2021 Men: 1; 2021 Women: 2; 2022 Men: 3",
    )
    answers = "{}\nAnswer,N,%\nYes,1,50%\nNo,1,50%\n\n"
    polls = answers.format("Is it safe?,,") + answers.format("It is old. Should it close?,,")
    found = delimited(tmp_path, polls)
    assert found.sections == ((0, "Is it safe?"), (4, "It is old. Should it close?"))


def test_a_lone_total_below_a_blank_row_keeps_its_column_and_a_group_heads_its_rows_alone(
    tmp_path,
):
    found = delimited(tmp_path, "Item,Amount\nPaper,20\nInk,30\n\n,50\n")
    assert found.lines[-1] == "Amount: 50"
    found = delimited(
        tmp_path, "Town,2021,2022\nNorth,,\nLunde,1,2\nOsten,3,4\nSouth,,\nVarnby,5,6\n"
    )
    assert found.lines[-1] == "Town: Varnby; 2021: 5; 2022: 6"


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (
            "Town,Cost,Share\n,mill.,mill.\nVik,5,6\n",
            "Town: Vik; Cost (mill.): 5; Share (mill.): 6",
        ),
        (
            "Town,Cost,,Votes,\n,2023,2024,2023,2024\nVik,5,6,7,8\n",
            "Town: Vik; Cost 2023: 5; Cost 2024: 6; Votes 2023: 7; Votes 2024: 8",
        ),
        (
            "Town,Cost,\n,2023,2024\n,mill.,mill.\nVik,5,6\n",
            "Town: Vik; Cost 2023, mill.: 5; Cost 2024, mill.: 6",
        ),
        (
            "Town,Cost,Cost\n,2023,2024\n,mill.,mill.\nVik,5,6\n",
            "Town: Vik; Cost (2023, mill.): 5; Cost (2024, mill.): 6",
        ),
        (
            "Town,Cost,Cost\nTown,2023,2024\nTown,mill.,mill.\nVik,5,6\n",
            "Town: Vik; Cost 2023 (mill.): 5; Cost 2024 (mill.): 6",
        ),
        (",2023,2024\n,£m,£m\nVik,5,6\n", "Vik; 2023 (£m): 5; 2024 (£m): 6"),
        (
            "Town,Price,Price\n,Unit (cent),Fee (€)\nVik,5,6\n",
            "Town: Vik; Price Unit (cent): 5; Price Fee (€): 6",
        ),
        (",3 May 2023,3 May 2024\nVik,5,6\n", "Vik; 3 May 2023: 5; 3 May 2024: 6"),
        (",2023,2024\n,£'000,£'000\nVik,5,6\n", "Vik; 2023 (£'000): 5; 2024 (£'000): 6"),
        (
            ",Votes,Votes,All,All\n,2023,2024,2023,2024\n,£m,£m,£m,£m\nVik,5,6,7,8\n",
            "Vik; Votes 2023 (£m): 5; Votes 2024 (£m): 6; All 2023 (£m): 7; All 2024 (£m): 8",
        ),
        (
            "Pit,Day,Head,Kind,Note,Left,Left\n,,,,,Issued,Type\nVik,May,Lie,New,Low,Yes,Ban\n",
            "Pit: Vik; Day: May; Head: Lie; Kind: New; Note: Low; Left Issued: Yes; Left Type: Ban",
        ),
    ],
)
def test_years_and_units_below_names_of_several_columns_are_those_of_each(tmp_path, rows, line):
    """Spreadsheets leave blank, or repeat, what was merged."""
    assert delimited(tmp_path, f"{rows}{rows.splitlines()[-1]}\n").lines[-1] == line


def test_a_blank_first_cell_is_as_above_also_in_a_table_with_a_total(tmp_path):
    rows = "Region,Town,Cases\nNorth,Lunde,12\n,Berg,14\nSouth,Vik,8\n,Holm,9\nTotal,,43\n"
    assert delimited(tmp_path, rows).lines[2:] == (
        "Region: North; Town: Berg; Cases: 14",
        "Region: South; Town: Vik; Cases: 8",
        "Region: South; Town: Holm; Cases: 9",
        "Region: Total; Cases: 43",
    )


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ((("Spending by service (£000)",), (None,), ("Service", "2023", "Staff", "Fee", "Change"),
          ("Parks", 880, 14, "£3", "4%"), ("Roads (number)", 12, 3, "£2", "9%")),
         ("Service: Parks; 2023 (£000): 880; Staff: 14; Fee: £3; Change: 4%",
          "Service: Roads (number); 2023: 12; Staff: 3; Fee: £2; Change: 9%")),
        ((("Club accounts", None, "in £ thousands"), ("Year", "Grants", "Members"),
          ("2021", 12.5, 310)), ("Year: 2021; Grants (£ thousands): 12.5; Members: 310",)),
        ((("Visitors (thousands)",), ("Museum", "2022", "Share"), ("Sea", 41, 0.5)),
         ("Museum: Sea; 2022 (thousands): 41; Share: 0.5",)),
        ((("€m", "2022", "2023"), ("Bar", 88, 97), ("Hall", 8, 9)),
         ("€m: Bar; 2022 (€m): 88; 2023 (€m): 97", "€m: Hall; 2022 (€m): 8; 2023 (€m): 9")),
        ((("Income (£m)",), ("Shop", "Costs (£)", "Sum"), ("Quay", 97, 1), ("Pier", 95, 2)),
         ("Shop: Quay; Costs (£): 97; Sum (£m): 1", "Shop: Pier; Costs (£): 95; Sum (£m): 2")),
        (((None, "Income ($000)", "Sales (Ecu)"), ("Ash", 88, 97), ("Fen", 8, 9)),
         ("Ash; Income ($000): 88; Sales (Ecu): 97", "Fen; Income ($000): 8; Sales (Ecu): 9")),
        ((("Claims (dollars in thousands)",), (None, "2022", "2023"), ("Paid", 9, "$7"),
          ("Filed", 5, 6)),
         ("Paid; 2022 (dollars in thousands): 9; 2023: $7",
          "Filed; 2022 (dollars in thousands): 5; 2023: 6")),
        ((("A gift of £4m",), ("Shop", "2022"), ("Quay", 97)), ("Shop: Quay; 2022: 97",)),
        ((("Income (£m)",), ("Shop", "2022"), ("Quay", 97), (None,), ("Visitors",),
          ("Shop", "2022"), ("Quay", 50)), ("Shop: Quay; 2022 (£m): 97", "Shop: Quay; 2022: 50")),
        ((("Budget, EUR million",), ("Town", "2023"), ("Lom", 120.5), ("Beds", 44)),
         ("Town: Lom; 2023 (EUR million): 120.5", "Town: Beds; 2023: 44")),
        ((("Town", "2023"), ("Lom", 120), ("Vik", 44), ("Figures in £ million",)),
         ("Town: Lom; 2023 (£ million): 120", "Town: Vik; 2023 (£ million): 44")),
        ((("In millions of US dollars",), (None, "2023", "2022"), ("Sales", "$ 12", "$ 11"),
          ("Tax", 9, 8)),
         ("Sales; 2023 (In millions of US dollars): $ 12; 2022 (In millions of US dollars): $ 11",
          "Tax; 2023 (In millions of US dollars): 9; 2022 (In millions of US dollars): 8")),
    ],
)  # fmt: skip
def test_the_unit_of_a_title_reaches_the_names_of_its_columns(tmp_path, rows, lines):
    read = workbook(tmp_path, *rows).lines
    assert tuple(line for line in read if ": " in line) == lines


@pytest.mark.parametrize(
    ("above", "unit"),
    [
        ("<table><caption>Spending, £m</caption>", " (£m)"),
        ("<h2>Spending (£000)</h2><p>Parks cost more.</p><table>", " (£000)"),
        ("<p>All figures are in thousands of pounds.</p><table>", " (in thousands of pounds)"),
        ("<h2>Spending (£000)</h2><h2>Wardens</h2><table>", ""),
        ("<p>It was shut in thousands of towns for £3 million.</p><table>", ""),
    ],
)
def test_the_unit_may_stand_above_a_table_of_a_page(tmp_path, above, unit):
    file = tmp_path / "a.html"
    rows = "<tr><th>Service<th>Sum</tr><tr><td>Parks<td>8</tr><tr><td>Roads<td>9</tr></table>"
    file.write_text(f"<h1>Fenwick</h1>{above}{rows}", encoding="utf-8")
    (found,) = read_html(file)
    assert f"Service: Parks; Sum{unit}: 8" in found.lines


@pytest.mark.parametrize(
    ("below", "unit"),
    [
        ("Note: all figures are in CHF thousand.", " (CHF thousand)"),
        ("Parks cost most of the sums in £ million.", ""),
    ],
)
def test_a_note_below_a_table_may_give_its_unit(tmp_path, below, unit):
    file = tmp_path / "a.html"
    rows = "<tr><th>Service<th>Sum</tr><tr><td>Parks<td>8</tr><tr><td>Roads<td>9</tr></table>"
    file.write_text(f"<h1>Fenwick</h1><table>{rows}<p>{below}</p>", encoding="utf-8")
    (found,) = read_html(file)
    assert f"Service: Parks; Sum{unit}: 8" in found.lines


def test_pairs_of_a_form_of_several_columns_are_told_by_a_day(tmp_path):
    file = tmp_path / "a.html"
    rows = "<tr><td>Applicant<td>Lom Ferries<td>Date<td>3 May 2024</tr>"
    rows += "<tr><td>Licence<td>New<td>Fee paid<td>£120</tr><tr><td>Place<td>Quay<td><td></tr>"
    file.write_text(f"<h1>Fenwick</h1><table>{rows}</table>", encoding="utf-8")
    (found,) = read_html(file)
    assert found.lines[1:] == (
        "Applicant: Lom Ferries",
        "Date: 3 May 2024",
        "Licence: New",
        "Fee paid: £120",
        "Place: Quay",
    )


def test_long_questions_with_numbers_name_columns_and_text_in_a_formula_is_text(tmp_path):
    asked = "Q1. How often, if at all, have you used the ferry between the island and the quay, "
    asked += "in winter or in summer?"
    found = delimited(
        tmp_path, f'Answer,"{asked}",Q2. Pleased?\nOften,12%,="060"\nNever,4%,="007"\n'
    )
    assert found.lines[1] == f"Answer: Often; {asked}: 12%; Q2. Pleased?: 060"
