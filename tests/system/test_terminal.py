"""Columns of a table on a terminal and in a pipe."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from uhhrag.system.terminal import WIDTH, columns

CELLS = st.text("abc 1.", max_size=30).map(str.strip)


def test_texts_stand_on_the_left_and_numbers_on_the_right():
    rows = [("measure", "mean", "95 % interval"), ("Q", "0.5", "0.4 to 0.6"), ("Q+A", "10.25", "")]
    assert columns(rows, "<><") == [
        "measure   mean  95 % interval",
        "Q          0.5  0.4 to 0.6",
        "Q+A      10.25",
    ]


def test_a_first_cell_that_is_too_long_is_cut_and_shown_to_be():
    (line,) = columns([("name " * 20, "0.1234")], "<>")
    assert len(line) == WIDTH
    assert line.endswith("…  0.1234")


@given(st.lists(st.tuples(st.text("ab", max_size=200), CELLS, CELLS), min_size=1, max_size=5))
def test_no_line_is_wider_than_the_terminal_and_no_later_cell_is_lost(rows):
    for line, row in zip(columns(rows, "<><"), rows, strict=True):
        assert len(line) <= WIDTH
        assert row[1] in line
        assert line.endswith(row[2])
