"""Several runs in one table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.scores.test_compare import R, S, claim, report
from uhhrag.scores.averitec import MEASURES
from uhhrag.scores.choices import TableFormat
from uhhrag.scores.run_table import RunTable, table_of, written


@pytest.fixture(scope="module")
def table() -> RunTable:
    first = replace(report([claim(n, R if n % 3 else S) for n in range(30)]), run="runs/a_1")
    better = replace(report([claim(n, R) for n in range(30)]), run="runs/b|2")
    return table_of([first, better, replace(first, run="runs/c")])


def test_a_run_is_marked_where_it_differs_from_the_first_beyond_chance(table: RunTable):
    assert table.measures == MEASURES
    place = table.measures.index("accuracy")
    assert [round(cells[place].mean, 3) for cells in table.cells] == [0.667, 1.0, 0.667]
    assert [cells[place].clear for cells in table.cells] == [False, True, False]
    low, high = table.cells[0][place].interval
    assert low < 2 / 3 < high


@pytest.mark.parametrize("form", list(TableFormat))
def test_every_run_and_measure_is_in_every_form(table: RunTable, form: TableFormat):
    text = written(table, form)
    assert text.count("runs/c") == (len(MEASURES) if form is TableFormat.TEXT else 1)
    assert all(measure in text.replace("\\", "") for measure in MEASURES)
    assert "30 claims" in text


def test_the_forms_can_be_pasted(table: RunTable):
    lines = written(table, TableFormat.MARKDOWN).splitlines()
    columns = {line.replace("\\|", "").count("|") for line in lines[:5]}
    assert columns == {len(MEASURES) + 2}
    latex = written(table, TableFormat.LATEX)
    assert r"runs/a\_1 &" in latex
    assert latex.count("&") == 4 * len(MEASURES)
    assert max(map(len, written(table, TableFormat.TEXT).splitlines())) <= 80


def test_a_long_name_is_cut_where_it_is_like_others(table: RunTable):
    names = [f"{'runs/' * 12}{letter}" for letter in "abc"]
    text = written(replace(table, runs=tuple(names)), TableFormat.TEXT)
    assert all(text.count(f"runs/{letter} ") == len(MEASURES) for letter in "abc")
    assert max(map(len, text.splitlines())) <= 80
