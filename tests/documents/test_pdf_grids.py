"""Tables of PDFs whose cells have lines drawn around them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest
from fpdf import FPDF

from tests.documents.test_bounds import pdf_of, stream
from tests.support.doubles import load_nltk_data
from uhhrag.documents.document import Document
from uhhrag.documents.pdf.reader import read_pdf


@pytest.fixture(scope="module", autouse=True)
def sentence_data() -> None:
    load_nltk_data()


SENTENCE = "The council of the town met in May and heard what the harbour had cost so far."
Cell = tuple[float, float, str]
"""Millimetres from the upper left corner of a page, and a text."""


def a_page(size: float = 10) -> FPDF:
    pdf = FPDF()
    pdf.set_font("helvetica", size=size)
    pdf.add_page()
    return pdf


def ruled(pdf: FPDF, columns: Sequence[float], rows: Sequence[float]) -> None:
    """Lines between all columns and rows, in millimetres."""
    for y in rows:
        pdf.line(columns[0], y, columns[-1], y)
    for x in columns:
        pdf.line(x, rows[0], x, rows[-1])


def read(pdf: FPDF, path: Path) -> Document:
    path.write_bytes(bytes(pdf.output()))
    (found, *_) = read_pdf(path)
    assert isinstance(found, Document)
    return found


def lines_of(pdf: FPDF, path: Path) -> tuple[str, ...]:
    return read(pdf, path).lines


def placed(pdf: FPDF, *cells: Cell) -> FPDF:
    for cell in cells:
        pdf.text(*cell)
    return pdf


def test_a_cell_merged_downwards_is_in_each_of_its_rows(tmp_path):
    pdf = a_page()
    with pdf.table(width=150, first_row_as_headings=False) as table:
        for cells in (
            ("Island", "Year", "Ferries", "Buses"),
            ((3, "Hitra"), "2019", "12", "4"),
            ("2020", "14", "3"),
            ("2021", "15", "7"),
            ((2, "Smøla"), "2019", "8", "2"),
            ("2020", "9", "1"),
        ):
            row = table.row()
            for cell in cells:
                down, text = cell if isinstance(cell, tuple) else (1, cell)
                row.cell(text, rowspan=down, v_align="MIDDLE")
    assert lines_of(pdf, tmp_path / "a.pdf") == (
        "Island; Year; Ferries; Buses",
        "Island: Hitra; Year: 2019; Ferries: 12; Buses: 4",
        "Island: Hitra; Year: 2020; Ferries: 14; Buses: 3",
        "Island: Hitra; Year: 2021; Ferries: 15; Buses: 7",
        "Island: Smøla; Year: 2019; Ferries: 8; Buses: 2",
        "Island: Smøla; Year: 2020; Ferries: 9; Buses: 1",
    )


def test_names_of_several_lines_and_over_several_columns_name_their_figures(tmp_path):
    pdf = a_page()
    with pdf.table(width=160, first_row_as_headings=False) as table:
        top = table.row()
        top.cell("Harbour", rowspan=2)
        top.cell("Ships that called in the first half of the year", colspan=2)
        top.cell("Dues paid", colspan=2)
        for cells in (
            ("by day", "by night and at the weekend", "in crowns", "not yet paid, in crowns"),
            ("Lunde", "31", "", "1,240", "86"),
            ("Marholm", "7", "19", "310", ""),
        ):
            table.row(cells)
    ships, dues = "Ships that called in the first half of the year", "Dues paid"
    assert lines_of(pdf, tmp_path / "a.pdf")[1:] == (
        f"Harbour: Lunde; {ships} – by day: 31; {dues} – in crowns: 1,240; "
        f"{dues} – not yet paid, in crowns: 86",
        f"Harbour: Marholm; {ships} – by day: 7; {ships} – by night and at the weekend: 19; "
        f"{dues} – in crowns: 310",
    )


def test_a_text_that_touches_the_next_cell_is_not_joined_with_it(tmp_path):
    pdf = a_page()
    columns, rows = (20, 62, 90, 120), (20, 28, 36, 44)
    ruled(pdf, columns, rows)
    for y, cells in zip(rows, (("Firm", "Town", "Posts"), ("", "Lunde", "47"),
                               ("Berg Shipping", "Oslo", "9")), strict=False):  # fmt: skip
        for x, text in zip(columns, cells, strict=False):
            pdf.text(x + 1, y + 6, text)
    name = "Hotels of the fjord"
    pdf.text(columns[1] - pdf.get_string_width(name) - 0.1, 34, name)
    assert lines_of(pdf, tmp_path / "a.pdf")[1:] == (
        f"Firm: {name}; Town: Lunde; Posts: 47",
        "Firm: Berg Shipping; Town: Oslo; Posts: 9",
    )


def test_words_set_apart_to_fill_a_cell_are_no_cells(tmp_path):
    pdf = placed(
        a_page(), (21, 26, "Town"), (61, 26, "Of all companies"), (101, 26, "Of companies listed"),
        (21, 34, "Number"), (36, 34, "of"), (44, 34, "towns"), (21, 39, "where it was used"),
        (61, 34, "21"), (101, 34, "8"), (21, 46, "Share"), (61, 46, "11"), (101, 46, "3"),
    )  # fmt: skip
    ruled(pdf, (20, 60, 100, 150), (20, 28, 41, 49))
    assert lines_of(pdf, tmp_path / "a.pdf")[1:] == (
        "Town: Number of towns where it was used; Of all companies: 21; Of companies listed: 8",
        "Town: Share; Of all companies: 11; Of companies listed: 3",
    )


def test_rows_that_no_lines_part_are_rows_of_the_columns_drawn(tmp_path):
    columns = (20, 70, 100, 130)
    pdf = placed(a_page(), (21, 26, "Town"), (82, 26, "Posts in all"), (112, 26, "Posts free"))
    for at, cells in enumerate((("Lunde", "12", "1"), ("Marholm", "9", ""), ("Vik", "31", "4"))):
        for x, cell in zip(columns, cells, strict=False):
            pdf.text(x + 1, 34 + 5 * at, cell)
    ruled(pdf, columns, (20, 28, 48))
    assert lines_of(pdf, tmp_path / "a.pdf")[1:] == (
        "Town: Lunde; Posts in all: 12; Posts free: 1",
        "Town: Marholm; Posts in all: 9",
        "Town: Vik; Posts in all: 31; Posts free: 4",
    )


def test_names_over_several_columns_name_rows_that_no_lines_part(tmp_path):
    pdf = a_page()
    columns = (20, 60, 85, 110, 135, 160)
    for y in (20, 28, 36, 60):
        pdf.line(20 if y != 28 else 60, y, 160, y)
    for at, x in enumerate(columns):
        pdf.line(x, 20 if at in (0, 1, 3, 5) else 28, x, 60)
    placed(pdf, (21, 32, "Town"), (81, 26, "2019"), (131, 26, "2024"), (61, 34, "Posts"),
           (86, 34, "Of these free"), (111, 34, "Posts"), (136, 34, "Of these free"))  # fmt: skip
    for at, cells in enumerate((("Lunde", "12", "1", "14", "2"), ("Vik", "9", "", "8", "3"),
                                ("Marholm", "31", "4", "40", ""))):  # fmt: skip
        for x, cell in zip(columns, cells, strict=False):
            pdf.text(x + 1, 42 + 6 * at, cell)
    assert lines_of(pdf, tmp_path / "a.pdf")[1:] == (
        "Town: Lunde; 2019 – Posts: 12; 2019 – Of these free: 1; 2024 – Posts: 14; "
        "2024 – Of these free: 2",
        "Town: Vik; 2019 – Posts: 9; 2024 – Posts: 8; 2024 – Of these free: 3",
        "Town: Marholm; 2019 – Posts: 31; 2019 – Of these free: 4; 2024 – Posts: 40",
    )


def test_a_table_that_goes_on_overleaf_keeps_its_names_said_again_or_not(tmp_path):
    rows = (("Ship", "Built", "Cars"), ("Skarv", "2019", "60"), ("Tarva", "2011", ""))
    for again in (True, False):
        pdf = a_page()
        pdf.set_y(258)
        with pdf.table(width=150, repeat_headings=int(again)) as table:
            for cells in rows:
                table.row(cells)
        found = read(pdf, tmp_path / f"{again}.pdf")
        assert found.lines == (
            "Ship; Built; Cars",
            "Ship: Skarv; Built: 2019; Cars: 60",
            "Ship: Tarva; Built: 2011",
        )
        assert found.pages == (1, 1, 2)


@pytest.mark.parametrize("drawn", [True, False])
def test_a_row_that_goes_on_overleaf_is_one_row(tmp_path, drawn):
    pdf = a_page()
    ends, rest = (20, 70, 120, 170), ("to be raised in autumn", "by half a metre")
    rows = (("Place", "Town", "Cost"), ("Pier", "Lunde", "1,200"), ("Quay, which is", "Vik", "900"))
    for y, above in ((240, rows), (20, (("Mole", "Aas", "70"), ("Yard", "Ost", "55")))):
        under = 8 * len(rest) * (y == 20)
        if drawn:
            ruled(pdf, ends, [y, *(y + under + 8 * at for at in range(not under, len(above) + 1))])
        for at, line in enumerate(rest if under else ()):
            placed(pdf, (22, y + 6 + 5 * at, line))
        for at, cells in enumerate(above):
            y_of = y + under + 8 * at + 5
            placed(pdf, *((left + 2, y_of, text) for left, text in zip(ends, cells, strict=False)))
        if not under:
            pdf.add_page()
    found = read(pdf, tmp_path / "a.pdf")
    assert found.lines == (
        "Place; Town; Cost",
        "Place: Pier; Town: Lunde; Cost: 1,200",
        f"Place: Quay, which is {' '.join(rest)}; Town: Vik; Cost: 900",
        "Place: Mole; Town: Aas; Cost: 70",
        "Place: Yard; Town: Ost; Cost: 55",
    )
    assert found.pages == (1, 1, 1, 2, 2)


def test_shaded_rows_that_are_drawn_cell_by_cell_are_rows(tmp_path):
    pdf = a_page()
    placed(pdf, (22, 25, "Measure"), (122, 25, "Status"), (162, 25, "Cost"))
    for at, name in enumerate(("pier", "quay", "mole", "yard", "dock")):
        y = 30 + 16 * at
        pdf.set_fill_color(220 if at % 2 else 240)
        pdf.rect(20, y, 170, 16, style="F")
        placed(pdf, (22, y + 5, f"Raise the {name} by half a metre before the winter"))
        placed(pdf, (22, y + 10, "storms of the coming year begin to blow on it"))
        placed(pdf, (122, y + 5, "Under way"), (162, y + 5, f"{at},200"))
    found = lines_of(pdf, tmp_path / "a.pdf")
    assert found[1] == (
        "Measure: Raise the pier by half a metre before the winter storms of the coming year begin "
        "to blow on it; Status: Under way; Cost: 0,200"
    )
    assert len(found) == 6


def test_a_table_that_lies_on_its_side_is_read_by_its_cells(tmp_path):
    pdf = a_page()
    with pdf.rotation(90, 100, 100):
        columns, rows = (40, 80, 110, 140), (60, 68, 80, 88)
        ruled(pdf, columns, rows)
        for y, cells in zip((66, 74, 86), (("Ship", "Year built", "Cars"), ("Skarv", "", "60"),
                                           ("Tarva", "2011", "")), strict=True):  # fmt: skip
            for x, text in zip(columns, cells, strict=False):
                pdf.text(x + 1, y, text)
        pdf.text(41, 78, "of the north")
    assert lines_of(pdf, tmp_path / "a.pdf")[1:] == (
        "Ship: Skarv of the north; Cars: 60",
        "Ship: Tarva; Year built: 2011",
    )


def test_names_of_columns_that_are_written_upwards_name_them(tmp_path):
    columns, rows = (20, 60, 75, 90), (20, 50, 58, 66)
    pdf = placed(a_page(), (21, 56, "Lunde by the fjord"), (61, 56, "12"),
                 (21, 64, "Vik by the sea"), (76, 64, "4"))  # fmt: skip
    ruled(pdf, columns, rows)
    for x, text in ((70, "Posts in all"), (85, "Posts free")):
        with pdf.rotation(90, x, 48):
            pdf.text(x, 48, text)
    assert lines_of(pdf, tmp_path / "a.pdf")[1:] == (
        "Lunde by the fjord; Posts in all: 12",
        "Vik by the sea; Posts free: 4",
    )


def test_text_in_a_box_is_text_and_a_table_beside_it_a_table(tmp_path):
    pdf = a_page()
    ruled(pdf, (20, 100, 180), (20, 28, 36, 44))
    pdf.rect(20, 44, 160, 30)
    placed(pdf, (21, 26, "Town"), (101, 26, "Posts"), (21, 34, "Lunde"), (101, 34, "12"),
           (21, 42, "Vik"), (101, 42, "4"))  # fmt: skip
    for at, line in enumerate((SENTENCE, SENTENCE, SENTENCE.replace("May", "June"))):
        pdf.text(21, 52 + 5 * at, line)
    assert lines_of(pdf, tmp_path / "a.pdf") == (
        "Town; Posts",
        "Town: Lunde; Posts: 12",
        "Town: Vik; Posts: 4",
        SENTENCE,
        SENTENCE,
        SENTENCE.replace("May", "June"),
    )


def test_bars_of_a_chart_are_no_table_without_the_names_beside_them(tmp_path):
    pdf = a_page()
    for at, (year, share) in enumerate((("2019", "41.2"), ("2020", "38.7"), ("2021", "33.1"))):
        pdf.text(20, 26 + 8 * at, year)
        for x, text in ((32, share), (62, "20.4"), (92, "11.9")):
            pdf.rect(x - 2, 20 + 8 * at, 30, 8)
            pdf.text(x, 26 + 8 * at, text)
    assert lines_of(pdf, tmp_path / "a.pdf") == (
        "2019; 41.2; 20.4; 11.9",
        "2020; 38.7; 20.4; 11.9",
        "2021; 33.1; 20.4; 11.9",
    )


def test_columns_of_text_parted_by_lines_are_text(tmp_path):
    pdf = a_page()
    texts = [f"{word} was said of the quay" for word in ("What", "Much", "Little", "Nothing")]
    for column in (0, 1):
        for at in range(24):
            start = f"{texts[column]} by speaker {at + 1}" if at % 2 == 0 else "of the council."
            pdf.text(21 + 82 * column, 32 + 5 * at, start)
    ruled(pdf, (20, 102, 184), (20, 28, 155))
    lines = lines_of(pdf, tmp_path / "a.pdf")
    assert f"{texts[0]} by speaker 1 of the council." in lines
    assert f"{texts[1]} by speaker 23 of the council." in lines


@pytest.mark.parametrize("dashed", [False, True])
def test_lines_drawn_in_pieces_part_cells(tmp_path, dashed):
    columns, rows = (20, 60, 90, 120), (20, 28, 40, 48)
    pdf = placed(a_page(), (21, 26, "Town"), (61, 26, "Ships"), (91, 26, "Posts"),
                 (21, 33, "The town"), (21, 38, "of Lunde"), (61, 35, "12"), (91, 35, "5"),
                 (21, 46, "Vik"), (91, 46, "4"))  # fmt: skip
    if dashed:
        pdf.set_dash_pattern(0.5, 0.5)
    for left, right in itertools.pairwise(columns):
        for top, low in itertools.pairwise(rows):
            pdf.rect(left, top, right - left, low - top)
    assert lines_of(pdf, tmp_path / "a.pdf")[1:] == (
        "Town: The town of Lunde; Ships: 12; Posts: 5",
        "Town: Vik; Posts: 4",
    )


@pytest.mark.parametrize("caption", ["Table 1: Ships of the county.", ""])
def test_a_table_at_the_head_of_a_page_stands_behind_the_sentence_that_it_parts(tmp_path, caption):
    pdf = a_page()
    placed(pdf, (20, 270, f"{SENTENCE} It was told that the quay which leaks the most"))
    pdf.add_page()
    if caption:
        pdf.text(20, 26, caption)
    ruled(pdf, (20, 60, 90), (30, 38, 46))
    placed(pdf, (21, 36, "Ship"), (61, 36, "Cars"), (21, 44, "Skarv"), (61, 44, "60"))
    placed(pdf, (20, 60, "is that of Lunde."), (20, 65, "The next meeting is in June."))
    assert lines_of(pdf, tmp_path / "a.pdf") == (
        SENTENCE,
        "It was told that the quay which leaks the most is that of Lunde.",
        *((caption,) if caption else ()),
        "Ship; Cars",
        "Ship: Skarv; Cars: 60",
        "The next meeting is in June.",
    )


def test_fields_in_cells_of_a_drawn_table_are_values_of_their_columns(tmp_path):
    places = ((200, 710, "2019"), (320, 710, "60"), (200, 685, ""), (320, 685, "35"))
    fields = [
        f"<</Type/Annot/Subtype/Widget/FT/Tx/T({at})/V({text})/F 4"
        f"/Rect[{x + 3} {y + 3} {x + 100} {y + 20}]>>".encode()
        for at, (x, y, text) in enumerate(places)
    ]
    names = b" ".join(b"%d 0 R" % (at + 6) for at in range(len(fields)))
    texts = ((63, 744, "Ship"), (203, 744, "Built"), (323, 744, "Cars"), (63, 719, "Skarv"),
             (63, 694, "Tarva"))  # fmt: skip
    drawn = [f"BT /F 10 Tf {x} {y} Td ({text}) Tj ET" for x, y, text in texts]
    drawn += [f"60 {y} m 440 {y} l S" for y in (760, 735, 710, 685)]
    drawn += [f"{x} 760 m {x} 685 l S" for x in (60, 200, 320, 440)]
    (tmp_path / "a.pdf").write_bytes(
        pdf_of(
            b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[" + names + b"]>>>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
            b"/Resources<</Font<</F 5 0 R>>>>/Annots[" + names + b"]>>",
            stream(" ".join(drawn).encode()),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            *fields,
        )
    )
    (found,) = read_pdf(tmp_path / "a.pdf")
    assert isinstance(found, Document)
    assert found.lines[1:] == ("Ship: Skarv; Built: 2019; Cars: 60", "Ship: Tarva; Cars: 35")


def test_a_filled_form_drawn_as_a_table_keeps_what_is_filled_in(tmp_path):
    pdf = placed(a_page(), (21, 26, "Name of ship"), (81, 26, "Skarv"), (21, 34, "Cars"),
                 (81, 34, "60"), (21, 42, "Owner"), (81, 42, "The county"))  # fmt: skip
    ruled(pdf, (20, 80, 150), (20, 28, 36, 44))
    assert lines_of(pdf, tmp_path / "a.pdf") == (
        "Name of ship: Skarv",
        "Cars: 60",
        "Owner: The county",
    )


def test_rows_that_lines_part_but_in_one_column_have_its_names_one_each(tmp_path):
    pdf = a_page()
    for y in (20, 30, 40, 50, 60):
        pdf.line(60, y, 140, y)
    for x in (60, 100, 140):
        pdf.line(x, 20, x, 60)
    pdf.line(20, 20, 60, 20)
    pdf.line(20, 30, 60, 30)
    pdf.line(20, 60, 60, 60)
    placed(pdf, (22, 27, "Port"), (62, 27, "Ships"), (102, 27, "Cars"))
    for at, name in enumerate(("Lunde", "Marholm", "Tarva")):
        y = 37 + 10 * at
        placed(pdf, (22, y, name), (62, y, f"{at + 4}"), (102, y, f"{at + 60}"))
    assert lines_of(pdf, tmp_path / "a.pdf") == (
        "Port; Ships; Cars",
        "Port: Lunde; Ships: 4; Cars: 60",
        "Port: Marholm; Ships: 5; Cars: 61",
        "Port: Tarva; Ships: 6; Cars: 62",
    )


def test_texts_in_a_shaded_cell_are_one_cell_and_rows_below_need_no_shade(tmp_path):
    pdf = FPDF(unit="pt")
    pdf.set_font("helvetica", size=12)
    pdf.add_page()
    pdf.set_fill_color(200)
    ends = 57, 261, 338, 414, 490, 567
    for left, right in itertools.pairwise(ends):
        pdf.rect(left, 28, right - left, 36, style="F")
    placed(pdf, (60, 45, "Measure"), (264, 38, "Target"), (264, 52, "2020/21"))
    placed(pdf, (341, 38, "Actual"), (341, 52, "2020/21"))
    placed(pdf, (417, 38, "Actual"), (417, 52, "2019/20"), (493, 45, "Direction"))
    rows = (
        ("Share of waste that was", "recycled", "60.0%", "57.3%", "58.9%", "Worse"),
        ("Average days lost to sickness", "of staff", "9.0", "7.1", "10.4", "Better"),
    )
    for y, (name, more, *cells) in zip((86, 134), rows, strict=True):
        placed(pdf, (60, y, name), (60, y + 14, more))
        placed(pdf, *((left + 3, y + 7, text) for left, text in zip(ends[1:], cells, strict=False)))
    names = "Target 2020/21", "Actual 2020/21", "Actual 2019/20", "Direction"
    assert lines_of(pdf, tmp_path / "a.pdf") == (
        f"Measure; {'; '.join(names)}",
        *(
            "; ".join(
                f"{a}: {b}"
                for a, b in zip(("Measure", *names), (f"{one} {more}", *cells), strict=True)
            )
            for one, more, *cells in rows
        ),
    )


@pytest.mark.parametrize("below", ["0.5", " people"])
def test_rows_in_one_shaded_cell_stay_rows(tmp_path, below):
    pdf = a_page()
    pdf.set_fill_color(230)
    pdf.rect(20, 20, 50, 40, style="F")
    pdf.rect(70, 20, 30, 40, style="F")
    for at, name in enumerate(("Port", "Lunde", "Marholm", "Tarva")):
        placed(
            pdf, (22, 27 + 6 * at, name), (72, 27 + 6 * at, f"{at + 4}{below}" if at else "Ships")
        )
    found = lines_of(pdf, tmp_path / "a.pdf")
    assert found[1:3] == (f"Port: Lunde; Ships: 5{below}", f"Port: Marholm; Ships: 6{below}")


def test_small_figures_that_stand_higher_in_a_cell_of_their_own_are_no_marks(tmp_path):
    pdf = a_page(8)
    ruled(pdf, (20, 60, 90, 120), (20, 27, 34, 45))
    placed(pdf, (21, 25, "Region"), (61, 25, "2024"), (91, 25, "2025"))
    placed(pdf, (21, 32, "Islands"), (61, 32, "39.4"), (91, 32, "37.7"))
    pdf.set_font_size(10)
    placed(pdf, (21, 39, "all of the"), (21, 43.2, "Northern coast"))
    pdf.set_font_size(8)
    placed(pdf, (61, 42.4, "52.1"), (91, 42.4, "115"))
    assert "Region: all of the Northern coast; 2024: 52.1; 2025: 115" in lines_of(
        pdf, tmp_path / "x.pdf"
    )


def test_a_heading_alone_at_the_foot_of_a_page_names_the_columns_of_the_next(tmp_path):
    pdf = a_page()
    placed(pdf, (20, 30, SENTENCE))
    ruled(pdf, (20, 80, 110, 140), (270, 277))
    placed(pdf, (21, 275, "Criterion"), (81, 275, "Lot 1"), (111, 275, "Lot 2"))
    pdf.set_auto_page_break(auto=False)
    pdf.add_page()
    ruled(pdf, (20, 80, 110, 140), (20, 27, 34))
    placed(pdf, (21, 25, "Price"), (81, 25, "50%"), (111, 25, "40%"))
    placed(pdf, (21, 32, "Quality"), (81, 32, "20%"), (111, 32, "30%"))
    assert lines_of(pdf, tmp_path / "x.pdf")[1:] == (
        "Criterion; Lot 1; Lot 2",
        "Criterion: Price; Lot 1: 50%; Lot 2: 40%",
        "Criterion: Quality; Lot 1: 20%; Lot 2: 30%",
    )


def letter_by_letter(pdf: FPDF, *cells: Cell) -> FPDF:
    """As browsers place them."""
    for x, y, text in cells:
        for letter in text:
            pdf.text(x, y, letter)
            x += pdf.get_string_width(letter)
    return pdf


def test_a_short_page_whose_letters_stand_alone_is_no_upright_writing(tmp_path):
    pdf = letter_by_letter(
        a_page(), (20, 20, "At a glance"), (20, 27, "120"), (90, 27, "45"), (150, 27, "87%"),
        (20, 32, "homes built"), (90, 32, "homes sold"), (150, 32, "of tenants pleased"),
    )  # fmt: skip
    assert lines_of(pdf, tmp_path / "x.pdf") == (
        "At a glance",
        "120; 45; 87%",
        "homes built; homes sold; of tenants pleased",
    )


def test_names_of_groups_that_reach_over_columns_part_no_table(tmp_path):
    pdf = a_page()
    rows = (("Service", "2023", "2024", "2025"), ("Panel A: the town",), ("Care", "12", "13", "14"),
            ("Panel B: the country",), ("Care", "22", "23", "24"))  # fmt: skip
    placed(pdf, (20, 20, SENTENCE))
    for at, row in enumerate(rows):
        placed(pdf, *((20 + 20 * n, 30 + 5 * at, text) for n, text in enumerate(row)))
    found = read(pdf, tmp_path / "x.pdf")
    assert found.lines[3::2] == (
        "Service: Care; 2023: 12; 2024: 13; 2025: 14",
        "Service: Care; 2023: 22; 2024: 23; 2025: 24",
    )
    assert [name for _, name in found.sections][:2] == ["Panel A: the town", "Panel B: the country"]


def test_a_large_figure_is_read_with_what_it_counts(tmp_path):
    pdf = placed(a_page(), (20, 20, SENTENCE), (20, 25, SENTENCE), (20, 30, SENTENCE))
    pdf.set_font("helvetica", size=30)
    placed(pdf, (20, 50, "£1.2m"))
    pdf.set_font("helvetica", size=10)
    placed(pdf, (20, 56, "paid to the crews"))
    found = read(pdf, tmp_path / "x.pdf")
    assert (found.lines[-1], found.sections) == ("£1.2m paid to the crews", ())
