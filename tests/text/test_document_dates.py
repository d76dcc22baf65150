"""The date of a document of the user's own, in its file's name or its first lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.text.document_dates import date_in_lines, date_in_name


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("council minutes 2020-11-03.docx", "2020-11-03"),
        ("20201103_minutes.pdf", "2020-11-03"),
        ("minutes_14.10.2020.pdf", "2020-10-14"),
        ("minutes 14-10-2020.pdf", "2020-10-14"),
        ("10-14-2020.pdf", ""),  # no calendar has a month 14
        ("01-02-2020.pdf", ""),  # the first of February or the second of January
        ("02-02-2020.pdf", "2020-02-02"),
        ("3 May 2021.pdf", "2021-05-03"),
        ("May-3-2021.pdf", "2021-05-03"),
        ("Bulletin, May 2019.html", "2019-05"),
        ("Juni 2019.pdf", "2019-06"),
        ("Marathon 2019.pdf", ""),  # no month begins a longer word
        ("Decision 2021.pdf", ""),
        ("Mayor 2020.pdf", ""),
        ("report 2019-05.pdf", "2019-05"),
        ("statistics 1999-2004.pdf", ""),
        ("season 2020-21.pdf", ""),
        ("scan12345678.pdf", ""),
        ("2020.pdf", ""),
        ("summary 2020.pdf", ""),
        ("2020-02-31.pdf", ""),
    ],
)
def test_a_name_gives_a_date_that_can_be_read_in_one_way_only(name, day):
    assert date_in_name(name) == day


@pytest.mark.parametrize(
    ("lines", "day"),
    [
        (["Town council", "Meeting of 14 October 2020"], "2020-10-14"),
        (["Minutes of the meeting held on 14th of October, 2020."], "2020-10-14"),
        (["Published: May 3, 2021"], "2021-05-03"),
        (["Harbour sold", "Date: Monday, 3 May 2021"], "2021-05-03"),
        (["Hafen verkauft", "Stand: Montag, 3. Mai 2021"], "2021-05-03"),
        (["Harbour for sale", "Deadline: Monday, 3 May 2021"], ""),
        (["VARNBY, 3 May 2021"], "2021-05-03"),
        (["3.5.2021"], "2021-05-03"),
        (["2021-05-03 The bridge is open."], "2021-05-03"),
        (["The ferry terminal opened on 12 May 2023."], ""),
        (["In a long line of many words, more than a head has, the third of May 3 May 2021"], ""),
        (["a", "b", "c", "d", "e", "3 May 2021"], ""),
        (
            [
                "Minutes of the ordinary meeting of the Town Council of Ostvik held in the Great "
                "Hall on Tuesday 14 October 2020 at 7.30 p.m."
            ],
            "2020-10-14",
        ),
        (
            [
                "Minutes of the ordinary meeting of the Town Council of Ostvik in the Great Hall "
                "on Tuesday 14 October 2020 were approved."
            ],
            "",
        ),
        (["Notes of one who left Oslo on 3 May 1887 and saw all fjords of the north by ship"], ""),
        (["May 2021"], ""),
        (["A museum opens", "26 February 2024."], "2024-02-26"),
        (["These notes were last updated on 4 Nov 2014, for revision 2."], "2014-11-04"),
        (
            ["LUNDE, Monday 3 May 2021 (Post) — The harbour was opened by all of its " * 2],
            "2021-05-03",
        ),
        (["History", "1961-05-03 The bridge is opened."], ""),
        (["The Lunde bridge", "Opened: 3 May 1961"], ""),
        (["Opened 3 May 1961", "Posted by Ava Berg on Monday, 3 May 2021"], "2021-05-03"),
        (["Date of birth: 3 May 1961"], ""),
        (["Date of publication: 3 May 2021"], "2021-05-03"),
        (["The fire of 3 May 1961"], ""),
        (["Next meeting: 3 June 2021"], ""),
        (["Ava Berg, 3 May 1961 – 12 June 1999"], ""),
        (["3 May 1961: The bridge is opened."], ""),
        (["Balance at 31 December 2020"], ""),
        (["The law was issued on 3 May 1961."], ""),
        (["Town council of Ostvik 14 October 2020"], "2020-10-14"),
        (["This page was last updated on 3 May 2021."], "2021-05-03"),
        ([], ""),
        (["Protokoll", "Datum: 3. Mai 2021"], "2021-05-03"),
        (["Berlin, den 3. März 2021"], "2021-03-03"),
        (["Notulen", "Datum: 14 maart 2020"], "2020-03-14"),
        (["Fecha: 3 de mayo de 2021"], "2021-05-03"),
        (["Protokoll der Sitzung am 3. Dezember 2020"], "2020-12-03"),
        (["Geboren am 3. Mai 1961"], ""),
        (["Eröffnung am 3. Mai 2022"], ""),
    ],
)
def test_first_lines_give_a_date_unless_they_are_sentences_on_something_else(lines, day):
    assert date_in_lines(lines) == day


@given(st.text(max_size=80))
def test_any_text_has_a_date_or_none(text):
    for day in (date_in_name(text), date_in_lines([text])):
        assert len(day) in (0, 7, 10)
