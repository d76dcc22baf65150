"""Numbers of lines are no text; numbers of rows are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fpdf import FPDF

from tests.documents.test_pdf_order import OTHER, TEXT, drawn, lines_of, sentences_of, wrapped

ASKED = (
    "Q.   Where did you work in 2014?",
    "A.   At the smelter in Tromvik, until it was closed by the",
    "owner in the autumn of 2016.",
    "Q.   How many tonnes were used?",
    "A.   I was told 400 tonnes.  It may have been more, because",
    "nobody counted the trucks.",
    "THE COURT:  Sustained.  You may go on.",
)
SAID = [
    "Q. Where did you work in 2014?",
    "A. At the smelter in Tromvik, until it was closed by the owner in the autumn of 2016.",
    "Q. How many tonnes were used?",
    "A. I was told 400 tonnes.",
    "It may have been more, because nobody counted the trucks.",
    "THE COURT: Sustained.",
    "You may go on.",
]
Page = list[tuple[float, float, str]]


def typed(path: Path, page: Page) -> list[str]:
    """The lines read of a page of a typewriter."""
    pdf = FPDF()
    pdf.set_font("courier", size=11)
    pdf.add_page()
    for x, y, text in page:
        pdf.text(x, y, text)
    path.write_bytes(bytes(pdf.output()))
    return list(lines_of(path))


def beside(lines: Sequence[str], places: range, x: float, text: float = 30) -> Page:
    page = [(text, 20 + 6.0 * at, line) for at, line in enumerate(lines)]
    return page + [(x, 20 + 6.0 * (n - 1), str(n)) for n in places]


def test_a_record_of_a_court_has_its_lines_whole_and_no_numbers(tmp_path):
    assert typed(tmp_path / "a.pdf", beside(ASKED, range(1, 8), 20)) == SAID


def test_numbers_of_blank_lines_are_no_text(tmp_path):
    assert typed(tmp_path / "a.pdf", beside(ASKED, range(1, 26), 20)) == SAID


@pytest.mark.parametrize("right", [95, 195])
@pytest.mark.parametrize("step", [1, 5])
def test_numbers_of_two_columns_stand_left_or_right_of_the_second(tmp_path, right, step):
    lines = wrapped(f"{TEXT} {OTHER} {TEXT} {OTHER}", 40)
    half = len(lines) // 2 + 1
    page = beside(lines[:half], range(step, half + 1, step), 15, 22)
    second = [(105, 20 + 6.0 * at, line) for at, line in enumerate(lines[half:])]
    first = half - half % step + step
    numbers = range(first, len(lines) + 1, step)
    page += [*second, *((right, 20 + 6.0 * (n - half - 1), str(n)) for n in numbers)]
    assert drawn(tmp_path / "a.pdf", page) == 2 * (sentences_of(TEXT) + sentences_of(OTHER))


@pytest.mark.parametrize("x", [20, 190])
def test_the_number_of_the_page_hides_no_numbers_of_lines(tmp_path, x):
    lines = wrapped(f"{TEXT} {OTHER}", 60)
    page = [*beside(lines, range(1, len(lines) + 1), x), (105, 280, "3")]
    assert drawn(tmp_path / "a.pdf", page)[:-1] == sentences_of(TEXT) + sentences_of(OTHER)


def listed(rows: Sequence[str]) -> Page:
    return in_rows(beside(rows, range(1, len(rows) + 1), 20))


def in_rows(page: Page) -> Page:
    return sorted(page, key=lambda one: (one[1], one[0]))


def test_numbers_of_names_and_towns_are_text(tmp_path):
    rows = [
        "Oslo, which grew by 3 per cent",
        "Bergen",
        "Trondheim",
        "Stavanger with its many firms",
    ]
    rows += ["iPhone town", "Drammen", "Tromso"]
    found = drawn(tmp_path / "a.pdf", listed(rows))
    assert found == [f"{at}: {row}" for at, row in enumerate(rows, start=1)]


def test_numbers_of_verses_that_go_on_below_are_text(tmp_path):
    verses = [
        "In the beginning the lake was",
        "larger than it is now.",
        "The king came in 1712 and gave",
    ]
    verses += ["the town its rights.", "He did not stay.", "The town burnt in 1801.", "It stands."]
    verses += ["In 1844 the canal was dug.", "Forty-one men died."]
    page = [(30, 20 + 6.0 * at, line) for at, line in enumerate(verses)]
    starts = [at for at, line in enumerate(verses) if line[0].isupper()]
    page += [(20, 20 + 6.0 * at, str(n)) for n, at in enumerate(starts, start=1)]
    found = " ".join(drawn(tmp_path / "a.pdf", in_rows(page)))
    assert "2: The king came in 1712 and gave the town its rights." in found


def test_a_note_beside_a_short_text_stands_behind_it(tmp_path):
    lines = wrapped(TEXT, 75)[:5]
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", size=11)
    for at, line in enumerate(lines):
        pdf.text(60, 20 + 5.3 * at, line)
    pdf.set_font("helvetica", "I", size=8)
    for at, line in enumerate(("Dredging is the", "removal of mud.")):
        pdf.text(21, 25.3 + 3.5 * at, line)
    pdf.output(str(tmp_path / "a.pdf"))
    found = " ".join(lines_of(tmp_path / "a.pdf"))
    assert found == f"{' '.join(lines)} Dredging is the removal of mud."


def test_a_table_that_parts_a_paragraph_stands_behind_it(tmp_path):
    lines = wrapped(TEXT, 60)
    at = next(n for n, line in enumerate(lines) if n > 1 and line[:2].islower())
    page = [(20, 20 + 5.0 * n + (30 if n >= at else 0), line) for n, line in enumerate(lines)]
    rows = [("Site", "2019"), ("North lock", "310"), ("Mill", "61")]
    page += [
        (25 + 40 * x, 25 + 5.0 * (at + y), cell)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
    ]
    table = ["Site; 2019", "Site: North lock; 2019: 310", "Site: Mill; 2019: 61"]
    found = drawn(tmp_path / "a.pdf", in_rows(page))
    assert [line for line in found if line not in table] == sentences_of(TEXT)
    assert found[-3:] == table


def test_a_row_whose_name_goes_on_below_it_is_one_row(tmp_path):
    cells = [(20, 20, "Item"), (90, 20, "2019"), (120, 20, "2020")]
    cells += [(20, 26, "Passengers of all"), (90, 26, "47.9"), (120, 26, "38.2")]
    cells += [(20, 30, "boats (million)"), (20, 36, "Fares"), (90, 36, "71.3"), (120, 36, "58.8")]
    assert drawn(tmp_path / "a.pdf", cells)[1:] == [
        "Item: Passengers of all boats (million); 2019: 47.9; 2020: 38.2",
        "Item: Fares; 2019: 71.3; 2020: 58.8",
    ]
