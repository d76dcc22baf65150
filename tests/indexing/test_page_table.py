"""Pages of an index: found by number, without blank lines, damaged ones refused."""

from __future__ import annotations

import io
from dataclasses import replace

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.errors import IndexFault
from uhhrag.indexing.page_table import from_bytes, held, placed, to_bytes
from uhhrag.records import Page, Passage, Place, Source

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def line_pages(count: int) -> list[Page]:
    return [Page(f"https://{n}.example", (f"Line {n}.",), title=f"T{n}") for n in range(count)]


def test_a_page_is_found_by_its_number_in_any_row_group():
    document, sources = from_bytes(to_bytes(line_pages(200)), "here")
    for number, page in enumerate(line_pages(200)):
        assert document(number) == page
        assert sources[number].url == page.url
    assert document(200) is None


def test_only_pages_that_hold_a_passage_are_kept():
    assert held(line_pages(3), {"https://1.example"}) == [line_pages(3)[1]]


def test_blank_lines_leave_with_their_page_numbers():
    page = Page("u", ("One.", " ", "", "Two."), numbers=(1, 1, 2, 3), ocr=(None, 1, 2, 87))
    assert held([page], {"u"}) == [Page("u", ("One.", "Two."), numbers=(1, 3), ocr=(None, 87))]


def test_a_passage_stands_at_its_first_line_on_each_of_its_pages():
    pages = [Page("u", ("One.", "Two.", "One.")), Page("v", ("One.",)), Page("u", ("Two.",))]
    one, two, lost = placed(
        [Passage("One.", ("u", "v")), Passage("Two.", ("u",)), Passage("Three.", ("w",))], pages
    )
    assert one.places == (Place(0, 0), Place(1, 0))
    assert two.places == (Place(0, 1),)
    assert lost.places == ()


@pytest.mark.parametrize(
    "missing",
    [
        ("unit", "ocr"),
        ("dated_by", "unit", "ocr"),
        ("file", "dated_by", "unit", "ocr"),
        ("site", "file", "dated_by", "unit", "ocr"),
    ],
)
def test_an_index_from_before_sites_and_files_were_kept_is_read(missing):
    page = Page("u", ("One.",), title="T", site="A site", file="a.html")
    table = pq.read_table(io.BytesIO(to_bytes([page]))).drop_columns(list(missing))
    earlier = io.BytesIO()
    pq.write_table(table, earlier)
    document, sources = from_bytes(earlier.getvalue(), "here")
    blank = dict.fromkeys(set(missing) - {"ocr"}, "")
    said = Source("u", "T", site="A site", file="a.html")
    assert (document(0), sources) == (replace(page, **blank), (replace(said, **blank),))


@given(st.lists(st.tuples(TEXT, st.lists(TEXT, max_size=4), TEXT, TEXT), max_size=6))
def test_what_a_page_says_comes_back_unchanged(rows):
    kept = [Page(u, tuple(filter(str.strip, ls)), title=t, date=d) for u, ls, t, d in rows]
    document, _ = from_bytes(to_bytes(kept), "here")
    assert [document(number) for number in range(len(kept))] == kept


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" * 40])
def test_bytes_that_hold_no_pages_are_refused(content):
    with pytest.raises(IndexFault, match="claims/3"):
        from_bytes(content, "claims/3/pages.parquet")
