"""Headings, tables and paragraphs of PDFs, which are told by how they are set."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from fpdf import FPDF
from hypothesis import given
from hypothesis import strategies as st

from scripts.benchmarks.set_as_pdf import set_html
from tests.support.documents import write_pdf
from tests.support.doubles import load_nltk_data
from uhhrag.documents.blocks import split_blocks
from uhhrag.documents.headings import sections_in
from uhhrag.documents.pdf.blocks import pdf_blocks
from uhhrag.documents.pdf.lines import Line, LineSegment
from uhhrag.documents.pdf.reader import open_pdf, read_pdf
from uhhrag.documents.pdf.tables import PdfTable, with_tables


@pytest.fixture(scope="module", autouse=True)
def sentence_data() -> None:
    load_nltk_data()


SENTENCE = "The council of the town met in May and heard what the harbour had cost so far."


def lines_of(*rows: tuple[tuple[str, float, float], ...] | str, page: int = 1) -> list[Line]:
    """Lines of letters of 10 points, 12 points below one another: segments, or a text."""
    lines = []
    for at, row in enumerate(rows):
        cells = ((row, 0.0, 5.0 * len(row)),) if isinstance(row, str) else row
        segments = tuple(LineSegment(*cell, height=700 - 12.0 * at) for cell in cells)
        lines.append(
            Line(" ".join(segment.text for segment in segments), page, 10, segments=segments)
        )
    return lines


def tables_in(lines: list[Line]) -> list[tuple[tuple[str, ...], ...]]:
    return [item.rows for item in with_tables(lines) if isinstance(item, PdfTable)]


HEAD = (("Ship", 0, 40), ("Built", 100, 130), ("Cars", 150, 180))
SKARV = (("Skarv", 0, 30), ("2019", 100, 120), ("60", 150, 160))
TARVA = (("Tarva", 0, 28), ("2011", 100, 120), ("35", 150, 160))


def test_headings_of_a_pdf_are_its_larger_letters_by_their_sizes(tmp_path):
    text = f"<h1>Harbours of the coast</h1><p>{SENTENCE}</p><h2>Lunde</h2><p>{SENTENCE}</p>"
    text += f"<h3>Fees</h3><p>{SENTENCE}</p><h2>Tarva</h2><p>{SENTENCE}</p>"
    (found,) = read_pdf(set_html(tmp_path / "a.pdf", text))
    assert found.lines[::2] == ("Harbours of the coast", "Lunde", "Fees", "Tarva")
    assert sections_in(found) == ((2, "Lunde"), (4, "Lunde – Fees"), (6, "Tarva"))


def test_a_bold_line_that_stands_alone_is_a_heading_and_bold_words_are_none(tmp_path):
    text = f"<p>{SENTENCE} {SENTENCE}</p><p><b>Fees</b></p><p>{SENTENCE}</p>"
    text += f"<p>{SENTENCE} <b>{SENTENCE}</b> {SENTENCE}</p><p><b>They rose.</b></p>"
    (found,) = read_pdf(set_html(tmp_path / "a.pdf", text))
    assert [name for _, name in found.sections] == ["Fees"]
    assert found.lines[-3:] == (SENTENCE, SENTENCE, "They rose.")


def test_rows_of_a_table_in_a_pdf_name_their_columns(tmp_path):
    cells = (("Ship", "Built", "Cars"), ("Skarv", "2019", ""), ("Tarva of the north", "2011", "60"))
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
    text = f"<p>{SENTENCE}</p><table>{rows}</table><p>{SENTENCE}</p>"
    (found,) = read_pdf(set_html(tmp_path / "a.pdf", text))
    assert found.lines == (
        SENTENCE,
        "Ship; Built; Cars",
        "Ship: Skarv; Built: 2019",
        "Ship: Tarva of the north; Built: 2011; Cars: 60",
        SENTENCE,
    )
    assert found.pages == (1,) * 5


def test_a_cell_of_several_lines_is_read_whole(tmp_path):
    pdf = FPDF()
    pdf.set_font("helvetica", size=11)
    pdf.add_page()
    reason = "The old quay is unsafe in winter and was closed twice"
    name = "A new quay for the ferry at Marholm with lamps"
    with pdf.table(width=150, col_widths=(4, 5, 2)) as table:
        for row in (("Project", "Reason", "Cost"), (name, reason, "14"), ("Roof", "It leaks", "3")):
            table.row(row)
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    (found,) = read_pdf(tmp_path / "a.pdf")
    assert found.lines == (
        "Project; Reason; Cost",
        f"Project: {name}; Reason: {reason}; Cost: 14",
        "Project: Roof; Reason: It leaks; Cost: 3",
    )


@pytest.mark.parametrize("angle", [0, 90, 180, -90, 30])
def test_a_table_that_lies_on_its_side_is_read(tmp_path, angle):
    cells = (("Ship", "Built", "Cars"), ("Skarv", "2019", "60"), ("Tarva", "2011", "35"))
    pdf = FPDF()
    pdf.set_font("helvetica", size=11)
    pdf.add_page()
    with pdf.rotation(angle, 105, 148):
        pdf.text(30, 60, SENTENCE)
        for row, texts in enumerate(cells):
            for column, text in enumerate(texts):
                pdf.text(30 + 50 * column, 80 + 6 * row, text)
    file = tmp_path / "a.pdf"
    file.write_bytes(bytes(pdf.output()))
    turned = open_pdf(file)
    turned[0].set_rotation(angle % 360 if angle % 90 == 0 else 0)
    turned.save(str(tmp_path / "b.pdf"))
    turned.close()
    (found,) = read_pdf(tmp_path / "b.pdf")
    assert found.lines == (
        SENTENCE,
        "Ship; Built; Cars",
        "Ship: Skarv; Built: 2019; Cars: 60",
        "Ship: Tarva; Built: 2011; Cars: 35",
    )


def test_items_of_a_list_are_no_table_and_stand_alone(tmp_path):
    items = "<ul><li>Schools: 19 million</li><li>Care of the elderly: 12 million</li></ul>"
    (found,) = read_pdf(set_html(tmp_path / "a.pdf", f"<p>{SENTENCE}</p>{items}"))
    assert [line.lstrip("\x95• ") for line in found.lines[1:]] == [
        "Schools: 19 million",
        "Care of the elderly: 12 million",
    ]


def test_names_and_values_below_one_another_stand_alone():
    blocks = pdf_blocks(lines_of("Schools: 19 million crowns", "Fire brigade: 3 million crowns"))
    assert split_blocks(blocks).starts == (0, 1)


def test_a_name_that_stands_beside_its_figures_names_their_column():
    head = (("Department", 60, 110), ("Posts", 180, 220))
    rows = (
        (("Roads", 0, 25), ("11", 150, 160)),
        (("Care of the elderly", 0, 80), ("38", 150, 160)),
    )
    assert tables_in(lines_of(head, *rows)) == [
        (("Department", "Posts"), ("Roads", "11"), ("Care of the elderly", "38"))
    ]


def test_groups_of_columns_are_named_with_them():
    groups = (("Offence", 0, 40), ("Male", 125, 145), ("Female", 222, 252))
    names = (("All", 100, 115), ("Young", 150, 175), ("All", 200, 215), ("Young", 250, 275))
    robbery, arson = (
        ((name, 0, 40), *((figure, 100 + 50 * at, 110 + 50 * at) for at, figure in enumerate(row)))
        for name, row in (("Robbery", "1234"), ("Arson", "5678"))
    )
    ((head, *rows),) = tables_in(lines_of(groups, names, robbery, arson))
    assert head == ("Offence", "Male – All", "Male – Young", "Female – All", "Female – Young")
    assert rows == [("Robbery", *"1234"), ("Arson", *"5678")]


def test_a_cell_over_several_columns_names_none_of_them():
    groups = (("Ship", 0, 40), ("Since the war", 100, 170))
    assert tables_in(lines_of(groups, SKARV, TARVA)) == [
        (("Skarv", "2019", "60"), ("Tarva", "2011", "35"))
    ]


def test_a_table_of_words_has_one_row_of_names():
    head = (("Post", 0, 30), ("Holder", 100, 140))
    rows = (("Mayor", 0, 30), ("Solheim", 100, 140), ("Ostvik", 200, 230))
    ((first, *_),) = tables_in(lines_of(head, rows, rows))
    assert first == ("Post", "Holder", "")


def test_a_table_goes_on_below_a_line_in_its_first_column_and_on_the_next_page():
    north, spaced = (("Northern fleet", 0, 70),), lines_of(HEAD, SKARV)
    assert tables_in(lines_of(HEAD, SKARV, north, TARVA)) == [
        (*tables_in(spaced)[0], ("Northern fleet", "", ""), ("Tarva", "2011", "35"))
    ]
    again = lines_of(TARVA, page=2)
    ((*_, last),) = tables_in([*spaced, *again])
    assert last == ("Tarva", "2011", "35")
    assert tables_in([*spaced, *lines_of(HEAD, TARVA, page=2)]) == [
        *tables_in(spaced),
        *tables_in(lines_of(HEAD, TARVA)),
    ]


def test_names_of_a_table_are_not_given_to_another_one():
    other = (("Sold to Estonia or to Croatia", 0, 140), ("1", 150, 155))
    low = [line._replace(segments=tuple(p._replace(height=100) for p in line.segments))
           for line in lines_of(other)]  # fmt: skip
    first = lines_of(HEAD, SKARV, TARVA)
    assert [len(rows) for rows in tables_in([*first, *low])] == [3]
    assert [len(rows) for rows in tables_in(lines_of(HEAD, SKARV, TARVA, other, other))] == [3, 2]
    blocks = pdf_blocks([*first, *lines_of(*[(("Age", 0, 9), ("9", 50, 55))] * 2, page=2)])
    assert "Age: 9" in split_blocks(blocks).lines


def test_a_name_of_two_lines_is_one():
    rows = lines_of(HEAD, SKARV, (("Murder and", 0, 50),), (("manslaughter", 0, 60), *TARVA[1:]))
    assert tables_in(rows)[0][-1] == ("Murder and manslaughter", "2011", "35")


def test_running_text_is_no_table():
    left, right = "the river rose above the old bridge", "and the road was closed for nine days"
    columns = ((left, 0, 180), (right, 200, 390))
    assert not tables_in(lines_of(columns, columns, columns))
    assert not tables_in(lines_of(HEAD))


def test_leaders_are_left_out_of_cells():
    rows = (
        (("Robbery . . . .", 0, 90), ("102.1", 100, 120)),
        (("Arson . .", 0, 90), ("9", 100, 105)),
    )
    assert tables_in(lines_of(*rows)) == [(("Robbery", "102.1"), ("Arson", "9"))]


def test_a_line_filled_with_wide_gaps_is_not_parted(tmp_path):
    pdf = FPDF()
    pdf.set_font("helvetica", size=11)
    pdf.add_page()
    words = "the neighbourhoodassociations extraordinarycommittee met on the"
    pdf.multi_cell(
        120, 6, f"{words} internationalconferencesoftheworldandmore of the year.", align="J"
    )
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    assert len(read_pdf(tmp_path / "a.pdf")[0].lines) == 1


def test_what_a_program_wrote_for_a_title_is_none(tmp_path):
    titles = {"Microsoft Word - plan.docx": "", "budget.html": "", "Plan of 2024": "Plan of 2024"}
    for number, (title, expected) in enumerate(titles.items()):
        file = write_pdf(tmp_path / f"{number}.pdf", [[SENTENCE]], title=title)
        assert read_pdf(file)[0].title == expected


SEGMENTS = st.builds(
    lambda text, left, width, height: LineSegment(text, left, left + width, height),
    st.text("abz1:.", min_size=1, max_size=9),
    st.floats(0, 500),
    st.floats(0.1, 200),
    st.floats(0, 800),
)
LINES = st.builds(
    lambda page, size, bold, segments: Line(
        " ".join(p.text for p in segments) or "zz", page, size, bold, segments
    ),
    st.integers(1, 2),
    st.sampled_from((8.0, 10.0, 10.0, 18.0)),
    st.booleans(),
    st.lists(SEGMENTS, max_size=4).map(tuple),
)


@given(st.lists(LINES, max_size=12).map(lambda lines: sorted(lines, key=lambda line: line.page)))
def test_no_letter_is_lost_wherever_lines_stand(lines):
    given_letters = Counter(c for line in lines for c in line.text if c.isalnum())
    read = Counter(
        "".join(" ".join((b.text, *b.cells, *(t for t, _ in b.more))) for b in pdf_blocks(lines))
    )
    assert all(read[letter] == count for letter, count in given_letters.items())


def test_many_lines_take_time_in_proportion():
    row = tuple(("a", 90.0 * at, 90.0 * at + 30) for at in range(6))
    lines = [line._replace(page=page) for page in range(1, 101) for line in lines_of(*([row] * 50))]
    begun = time.monotonic()
    assert len(list(pdf_blocks(lines))) > 5_000
    many = [
        Line("abc", 1, 10, segments=(LineSegment("abc", 10, 90, -12.0 * at),))
        for at in range(20_000)
    ]
    list(pdf_blocks(many))
    assert time.monotonic() - begun < 20
