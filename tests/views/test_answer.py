"""Lines of the answer: how a source and a vote are said."""

from __future__ import annotations

from uhhrag.records import Source
from uhhrag.views.answer import _vote_text, source_fields, source_line


def test_a_line_names_the_file_or_address_and_all_that_is_known_of_it():
    scan = Source("file:a%20b.pdf", "T", file="a%20b.pdf", section="H", ocr=87, site="S", number=4)
    assert source_line(source_fields(scan)) == (
        "a b.pdf, page 4, under “H” · read by OCR, 87 % sure · T · S"
    )
    about = {"title": "T", "site": "S", "author": "A", "date": "2020-10-31", "dated_by": "url"}
    web = Source("https://a.example", file="c%20d.html", **about)
    assert source_line(source_fields(web)) == (
        "https://a.example · in c d.html · T · S · A · 31 October 2020 by its address"
    )


def test_a_vote_that_says_nothing_is_told_from_quoted_words():
    vote = {"label": "Not Enough Evidence", "says_nothing": True, "probability": 0.99}
    vote["before_calibration"] = None
    assert _vote_text(vote, quoted=False) == "Says nothing 0.99"
    assert _vote_text(vote, quoted=True) == "No side: quoted words"
