"""Lines of a PDF are read in the order in which a person reads them, and only if they are text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fpdf import FPDF

from uhhrag.documents.document import Document, Scanned
from uhhrag.documents.pdf.reader import is_readable, read_pdf

CASES = Path(__file__).parent / "cases"
TEXT = (
    "The survey of the estuary was carried out in the spring by two vessels and an aircraft. It "
    "covered 312 square kilometres of sea bed and forty-one kilometres of shore line. The vessels "
    "took 1,240 samples of mud, of which 96 were discarded because their labels had become "
    "unreadable. Mercury was found in a sixth of the samples that were taken near the old smelter. "
    "None was found in any sample that was taken more than nine kilometres from it. The county had "
    "claimed in its report that the whole of the estuary was free of mercury. Our results do not "
    "support that claim for the inner basin, where the limit was exceeded at eleven stations. Cod "
    "that were caught there had on average a third of a milligram of mercury in a kilogram."
)
OTHER = (
    "The smelter was closed in 1979, and its slag was covered with clay in two stages. A third, "
    "which had been planned for 1996, was never begun because the company went bankrupt. The clay "
    "is thinner than twenty centimetres over a third of the area, and it has been washed away "
    "altogether at two places. We recommend that the clay be renewed before the new ferry terminal "
    "is built. The cost of this has been estimated by an engineering firm that the county engaged."
)


def sentences_of(text: str) -> list[str]:
    return [f"{part}." for part in text.rstrip(".").split(". ")]


def wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def drawn(path: Path, *pages: Sequence[tuple[float, float, str]], size: float = 10) -> list[str]:
    """The lines read of pages of texts at places, in millimetres from the upper left corner."""
    pdf = FPDF()
    pdf.set_font("helvetica", size=size)
    for page in pages:
        pdf.add_page()
        for x, y, text in page:
            pdf.text(x, y, text)
    path.write_bytes(bytes(pdf.output()))
    return list(lines_of(path))


def lines_of(path: Path) -> tuple[str, ...]:
    (document, *_) = read_pdf(path)
    assert isinstance(document, Document)
    return document.lines


@pytest.mark.parametrize("width", [34, 40, 45])
def test_a_narrow_column_that_is_set_to_both_edges_is_no_table(tmp_path: Path, width: int) -> None:
    pdf = FPDF()
    pdf.set_font("times", size=12)
    pdf.add_page()
    pdf.multi_cell(width, 5, TEXT, align="J")
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    assert list(lines_of(tmp_path / "a.pdf")) == sentences_of(TEXT)


def numbered(
    lines: Sequence[str], first: int, step: int, x: float
) -> list[tuple[float, float, str]]:
    page = []
    for at, line in enumerate(lines):
        if (first + at) % step == 0:
            page.append((x, 20 + 7.0 * at, str(first + at)))
        page.append((30, 20 + 7.0 * at, line))
    return page


def test_line_numbers_of_a_preprint_are_no_text():
    lines = lines_of(CASES / "lineno.pdf")
    assert lines[1] == (
        "It covered 312 square kilometres of sea bed and forty-one kilometres of shore line."
    )
    assert (
        "The county had claimed in its report of 2015 that the whole of the estuary was free of "
        "mercury." in lines
    )
    assert not any(line[0].isdigit() for line in lines)


@pytest.mark.parametrize(("step", "x"), [(1, 15), (1, 22.5), (5, 15), (1, 195)])
def test_line_numbers_of_every_line_or_each_fifth_left_or_right(tmp_path, step, x):
    lines = wrapped(TEXT + " " + OTHER, 60)
    page = numbered(lines, 1, step, x)
    assert drawn(tmp_path / "a.pdf", page) == sentences_of(TEXT) + sentences_of(OTHER)


def test_line_numbers_that_are_drawn_before_the_text_and_go_on_over_pages(tmp_path):
    lines = wrapped(f"{TEXT} {OTHER} {TEXT}", 60)
    pages = [numbered(part, first, 1, 15) for part, first in ((lines[:30], 1), (lines[30:], 31))]
    pages = [sorted(page, key=lambda one: one[0]) for page in pages]
    expected = sentences_of(TEXT) + sentences_of(OTHER) + sentences_of(TEXT)
    assert drawn(tmp_path / "a.pdf", *pages) == expected


def test_the_numbers_of_the_rows_of_a_table_are_text(tmp_path):
    rows = [("No.", "Ship", "Built")] + [(str(n), f"Skarv {n}", str(1990 + n)) for n in range(1, 9)]
    page = [
        (20 + 40 * at, 20 + 5.5 * y, cell)
        for y, row in enumerate(rows)
        for at, cell in enumerate(row)
    ]
    assert drawn(tmp_path / "a.pdf", page)[1:3] == [
        "No.: 1; Ship: Skarv 1; Built: 1991",
        "No.: 2; Ship: Skarv 2; Built: 1992",
    ]


@pytest.mark.parametrize("columns", [2, 3])
def test_columns_that_are_drawn_row_by_row_are_read_one_after_the_other(tmp_path, columns):
    width = 48 if columns == 2 else 30
    lines = wrapped(f"{TEXT} {OTHER} {TEXT}", width)
    tall = -(-len(lines) // columns)
    step = 180 / columns
    page = [
        (15 + step * column, 20 + 6.0 * row, lines[column * tall + row])
        for row in range(tall)
        for column in range(columns)
        if column * tall + row < len(lines)
    ]
    expected = sentences_of(TEXT) + sentences_of(OTHER) + sentences_of(TEXT)
    assert drawn(tmp_path / "a.pdf", page, size=9) == expected


@pytest.mark.parametrize("x", [12, 165])
def test_notes_in_the_margin_are_read_after_the_text(tmp_path, x):
    lines = wrapped(TEXT + " " + OTHER, 60)
    page = [(50, 20 + 6.0 * at, line) for at, line in enumerate(lines)]
    for at, note in enumerate(("see also the", "report of 2015", "of the county")):
        page.insert(2 * at + 7, (x, 20 + 6.0 * (at + 3), note))
    read = drawn(tmp_path / "a.pdf", page)
    assert read[:-1] == sentences_of(TEXT) + sentences_of(OTHER)
    assert read[-1] == "see also the report of 2015 of the county"


SPOKEN = (
    ("The Chair", wrapped(" ".join(sentences_of(TEXT)[:2]), 60)),
    ("Ms. Ek", ["No."]),
    ("Mr. Vik of the county", wrapped(" ".join(sentences_of(OTHER)[:3]), 60)),
    ("The Chair", ["Thank you. We shall hear Ms. Ek again when she has read it."]),
    ("Ms. Ek", wrapped(" ".join(sentences_of(TEXT)[3:5]), 60)),
)


@pytest.mark.parametrize("sources", [False, True])
def test_who_speaks_or_when_stays_with_its_paragraph(tmp_path, sources):
    page, y = [(12.0, 20.0, "Hearing of 4 May")], 26.0
    for at, (name, lines) in enumerate(SPOKEN):
        page += [(12, y + 5 * n, part) for n, part in enumerate(wrapped(name, 12))]
        page += [(50, y + 5 * n, line) for n, line in enumerate(lines)]
        page += [(175, y, f"Page {at}")] if sources else []
        y += 5 * max(len(lines), len(wrapped(name, 12)))
    read = drawn(tmp_path / "a.pdf", page)
    for at, (name, lines) in enumerate(SPOKEN):
        cells = (name, " ".join(lines), f"Page {at}")
        row = "; ".join(cells) if sources else ": ".join(cells[:2])
        assert row in " ".join(read), read


@pytest.mark.parametrize("mark", ["{}.", "Ek"])
def test_a_long_paragraph_with_its_number_or_speaker_at_the_side_is_read_whole(tmp_path, mark):
    said, page, y = (TEXT, OTHER, "The cod is not sold.", f"{OTHER} {TEXT}"), [], 20.0
    for number, text in enumerate(said, start=1):
        page.append((15, y, mark.format(number)))
        for line in wrapped(text, 55):
            page.append((50, y, line))
            y += 5
    read = drawn(tmp_path / "a.pdf", page)
    assert [line.partition(" ")[2] for line in (read[0], read[-len(sentences_of(said[3]))])] == [
        sentences_of(TEXT)[0],
        sentences_of(OTHER)[0],
    ]
    assert read[1:8] == sentences_of(TEXT)[1:]
    assert read[-8:] == sentences_of(TEXT)


def test_a_small_note_beside_a_section_of_an_act_stands_before_it(tmp_path):
    pdf, y, notes = FPDF(), 20.0, ("Duty to inspect.", "Fees of vessels.", "Penalties and fines.")
    pdf.add_page()
    sections = [" ".join(sentences_of(TEXT)[at : at + 2]) for at in (0, 2, 4)]
    for note, section in zip(notes, sections, strict=True):
        pdf.set_font("helvetica", size=7)
        pdf.text(15, y - 1.4, note)
        pdf.set_font("helvetica", size=11)
        for line in wrapped(section, 55):
            pdf.text(60, y, line)
            y += 5
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    read = " ".join(lines_of(tmp_path / "a.pdf")).replace(": ", " ")
    assert read == " ".join(map(" ".join, zip(notes, sections, strict=True)))


def test_a_footnote_stands_behind_the_sentence_that_it_parts(tmp_path):
    pdf = FPDF()
    pages = (
        (11, 200, ("The council of Ostvik met on Monday and spoke of the bridge.", "It did")),
        (11, 20, ("not approve it, since the costs had risen by a half.", "Nobody was sure.")),
    )
    for size, y, text in pages:
        pdf.add_page()
        pdf.set_font("helvetica", size=size)
        for down, line in enumerate(text):
            pdf.text(20, y + 6 * down, line)
        if y > 20:
            pdf.set_font("helvetica", size=8)
            pdf.text(20, 240, "1 See the report of the auditor of 2019.")
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    (found,) = read_pdf(tmp_path / "a.pdf")
    assert [(str(line), page) for line, page in zip(found.lines, found.pages, strict=True)] == [
        ("The council of Ostvik met on Monday and spoke of the bridge.", 1),
        ("It did not approve it, since the costs had risen by a half.", 1),
        ("1 See the report of the auditor of 2019.", 1),
        ("Nobody was sure.", 2),
    ]


def test_a_footnote_that_goes_on_at_the_next_foot_is_read_whole(tmp_path):
    notes, body = wrapped(OTHER, 50), wrapped(TEXT, 80)
    pdf = FPDF()
    for lines, foot in ((body[:5], notes[:6]), (body[5:], notes[6:])):
        pdf.add_page()
        for size, top, texts in ((11, 20, lines), (8, 240, foot)):
            pdf.set_font("helvetica", size=size)
            for at, line in enumerate(texts):
                pdf.text(20, top + size * at / 2, line)
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    assert sorted(lines_of(tmp_path / "a.pdf")) == sorted(sentences_of(f"{TEXT} {OTHER}"))


def test_what_stands_at_the_end_of_a_column_stands_behind_the_sentence_that_it_parts(tmp_path):
    pdf = FPDF()
    pdf.add_page()
    for size, x, y, text in (
        (11, 20, 200, "The council of Ostvik met on Monday"),
        (11, 20, 206, "and spoke of the bridge. It did"),
        (8, 20, 240, "1 See the report of the auditor of 2019."),
        (11, 110, 20, "Figure 2: Boats in the harbour of Ostvik."),
        (11, 110, 40, "not approve it, since the costs"),
        (11, 110, 46, "had risen by a half. Nobody was sure."),
    ):
        pdf.set_font("helvetica", size=size)
        pdf.text(x, y, text)
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    assert lines_of(tmp_path / "a.pdf") == (
        "The council of Ostvik met on Monday and spoke of the bridge.",
        "It did not approve it, since the costs had risen by a half.",
        "Nobody was sure.",
        "1 See the report of the auditor of 2019.",
        "Figure 2: Boats in the harbour of Ostvik.",
    )


def test_a_table_in_one_of_three_columns_of_text_leaves_them_apart(tmp_path):
    left, right = wrapped(TEXT, 36), wrapped(OTHER, 36)
    page = [(12, 24.0, "Vote in June."), (12, 30.0, left[0])]
    page += [(12, 34.3 + 4.3 * at, line) for at, line in enumerate(left[1:])]
    page += [(77, 20.0, "Who pays for it?"), (77, 24.0, "The county pays.")]
    for y, row in enumerate((("Year", "Paid", "Debt"), ("2021", "2", "46"), ("2022", "3", "47"))):
        page += [(77 + 15 * at, 30 + 6.5 * y, cell) for at, cell in enumerate(row)]
    page += [(77, 52 + 4.1 * at, line) for at, line in enumerate(right)]
    page += [(142, 20.0, "It was not sold."), (142, 24.0, "The price fell."), (142, 30.0, right[0])]
    page += [(142, 35 + 4.2 * at, line) for at, line in enumerate(right[1:])]
    assert drawn(tmp_path / "a.pdf", page, size=8) == [
        "Vote in June.",
        *sentences_of(TEXT),
        *("Who pays for it?", "The county pays.", "Year; Paid; Debt"),
        *("Year: 2021; Paid: 2; Debt: 46", "Year: 2022; Paid: 3; Debt: 47"),
        *sentences_of(OTHER),
        *("It was not sold.", "The price fell."),
        *sentences_of(OTHER),
    ]


def test_a_head_of_one_page_alone_stands_behind_the_sentence_that_it_parts(tmp_path):
    first = [(20, 200, "The council met on Monday and spoke of the bridge. It did")]
    second = [
        (20, 15, "Minutes of the council"),
        (20, 30, "not approve it, since the costs had risen by a half. Nobody was sure."),
    ]
    assert drawn(tmp_path / "a.pdf", first, second)[1:] == [
        "It did not approve it, since the costs had risen by a half.",
        "Nobody was sure.",
        "Minutes of the council",
    ]


def test_the_number_of_a_first_page_without_the_foot_of_the_others_is_no_text(tmp_path):
    texts = ("Ships came in May.", "The ferry sank off Ness.", "Nobody drowned.", "It was late.")
    pages = [
        [(20, 40, text), (20, 280, f"{'' if n == 1 else 'SECRET '}{n}")]
        for n, text in enumerate(texts, 1)
    ]
    assert drawn(tmp_path / "a.pdf", *pages) == [*texts]


def test_headings_that_are_drawn_last_stand_above_their_text(tmp_path):
    first, second = wrapped(TEXT, 80), wrapped(OTHER, 80)
    page = [(20, 30 + 6.0 * at, line) for at, line in enumerate(first)]
    page += [(20, 130 + 6.0 * at, line) for at, line in enumerate(second)]
    page += [(20, 20, "The survey"), (20, 118, "The smelter")]
    read = drawn(tmp_path / "a.pdf", page)
    assert read == ["The survey", *sentences_of(TEXT), "The smelter", *sentences_of(OTHER)]


@pytest.mark.parametrize("order", ["columns", "rows from below"])
def test_cells_are_read_by_rows_in_whatever_order_they_are_drawn(tmp_path, order):
    rows = [("Ship", "Built", "Cars"), ("Skarv", "2019", "60"), ("Tarva", "2011", "35"),
            ("Lom", "2003", "46")]  # fmt: skip
    page = [
        (20 + 40.0 * at, 20 + 6.0 * y, c) for y, row in enumerate(rows) for at, c in enumerate(row)
    ]
    page.sort(key=lambda one: one[0] if order == "columns" else -one[1])
    assert drawn(tmp_path / "a.pdf", page) == [
        "Ship; Built; Cars",
        *("; ".join(map(": ".join, zip(rows[0], row, strict=True))) for row in rows[1:]),
    ]


def test_the_short_last_lines_of_two_columns_are_no_margin_notes(tmp_path):
    lines = wrapped(f"{TEXT} {OTHER}", 45)
    tall = -(-len(lines) // 2)
    page = [
        (15 + 90.0 * (at // tall), 20 + 6.0 * (at % tall), line) for at, line in enumerate(lines)
    ]
    assert drawn(tmp_path / "a.pdf", page, size=9) == sentences_of(TEXT) + sentences_of(OTHER)


def test_two_columns_of_a_table_stay_one_table(tmp_path):
    rows = [
        ("Department", "Head"),
        ("Schools", "Ms. Ek"),
        ("Roads", "Mr. Vik"),
        ("Harbour", "T. Moe"),
    ]
    page = [
        (20 + 60 * at, 20 + 5.5 * y, cell)
        for y, row in enumerate(rows)
        for at, cell in enumerate(row)
    ]
    assert drawn(tmp_path / "a.pdf", page) == [
        "Department: Head",
        "Schools: Ms. Ek",
        "Roads: Mr. Vik",
        "Harbour: T. Moe",
    ]


def test_a_first_figure_like_a_number_of_a_heading_is_a_cell_of_its_own(tmp_path):
    rows = (
        (("Line",), ("2019", "2022", "2023")),
        (("Passengers", "in million"), ("47.9", "38.2", "41.6")),
        (("Fares of all", "lines"), ("71.3", "58.8", "66.0")),
        (("Costs",), ("9.5", "8.1", "7.25")),
    )
    page, y = [], 20.0
    for names, figures in rows:
        page += [(20, y + 4.5 * at, name) for at, name in enumerate(names)]
        page += [(65 + 40 * at, y, figure) for at, figure in enumerate(figures)]
        y += 4.5 * len(names) + 1
    assert drawn(tmp_path / "a.pdf", page)[1:] == [
        "Line: Passengers in million; 2019: 47.9; 2022: 38.2; 2023: 41.6",
        "Line: Fares of all lines; 2019: 71.3; 2022: 58.8; 2023: 66.0",
        "Line: Costs; 2019: 9.5; 2022: 8.1; 2023: 7.25",
    ]


@pytest.mark.parametrize("name", ["nounicode.pdf", "nounicode_words.pdf"])
def test_a_font_that_does_not_say_its_letters_is_no_text(name):
    with pytest.raises(Scanned, match=r"^has no readable letters"):
        read_pdf(CASES / name)


def test_bitmap_fonts_of_latex_have_their_ligatures_quotes_and_accents():
    (document,) = read_pdf(CASES.parent / "files" / "bitmap.pdf")
    assert document.lines == (
        "The staff of the finance office paid £7.9 million for the first flat, not “fifty-five”"
        " offices.",
        "Łódź was told on 3 May – by its chief auditor – that “Škoda” had withdrawn.",
        "The rest, €5, is in § 4.",
    )


def test_notes_below_columns_that_part_one_sentence_stand_behind_it(tmp_path):
    pdf = FPDF()
    pdf.add_page()
    columns = (
        ("The harbour lies at the mouth of the river", "and was bought by the town for all of the"),
        ("1.2 million pounds that it had saved, and", "the buyer was told that it must keep open"),
        ("the north quay for boats of all members.", "It paid for a lamp that burns all night."),
    )
    for at, column in enumerate(columns):
        for size, top, texts in (
            (9, 20, column),
            (6, 40, (f"Note {at} is kept in the town’s book.",)),
        ):
            pdf.set_font("helvetica", size=size)
            for n, text in enumerate(texts):
                pdf.text(10 + 66 * at, top + 5 * n, text.replace("’", "'"))
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    (found,) = read_pdf(tmp_path / "a.pdf")
    assert found.lines == (
        " ".join((*columns[0], *columns[1], columns[2][0])),
        *(f"Note {at} is kept in the town's book." for at in (0, 1)),
        columns[2][1],
        "Note 2 is kept in the town's book.",
    )


def test_older_bitmap_fonts_of_latex_have_theirs():
    (document,) = read_pdf(CASES.parent / "files" / "bitmap_old.pdf")
    assert document.lines == (
        "The staff of the finance office paid $7.9 million for the first flat.",
        "In 2019–2020 the “café” of the naïve chief was sold — or so it seems.",
    )


def test_one_page_without_readable_letters_is_named_and_the_others_are_read(tmp_path):
    import pypdfium2 as pdfium

    both = pdfium.PdfDocument.new()
    for name in ("lineno.pdf", "nounicode.pdf"):
        with pdfium.PdfDocument(CASES / name) as part:
            both.import_pages(part)
    both.save(tmp_path / "both.pdf")
    document, clause = read_pdf(tmp_path / "both.pdf")
    assert document.scans == (2,)
    assert clause.startswith("page 2 has no readable letters")


@pytest.mark.parametrize(
    "text", ["7KH VXUYHB RI WKH HVWXDUB ZDV FDUULHG " * 9, "\x01\x05\x06 \x10\x11"]
)
def test_letters_that_are_others_are_told(text):
    assert not is_readable([text])


@pytest.mark.parametrize(
    "text",
    [TEXT, "Przyszłość związku zawodowego w Krwi " * 9, "1.234 5.678 | 9%", "ΑΒΓ где мы были", ""],
)
def test_text_of_many_kinds_is_readable(text):
    assert is_readable([text])


def test_numbers_that_rise_amid_the_lines_of_a_text_are_text(tmp_path):
    lines = wrapped(f"{TEXT} {OTHER}", 60)
    page = [(x, y, word) for x, y, word in numbered(lines, 1, 1, 90)]
    found = " ".join(drawn(tmp_path / "a.pdf", page)).split()
    assert {str(number) for number in range(1, len(lines) + 1)} <= {*found}
