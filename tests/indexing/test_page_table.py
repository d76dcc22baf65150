"""Pages of an index: found by URL, without blank lines, damaged ones refused."""

from __future__ import annotations

import io
from dataclasses import replace

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.errors import IndexFault
from uhhrag.indexing.page_table import from_bytes, to_bytes
from uhhrag.records import Page, Source

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def line_pages(count: int) -> list[Page]:
    return [Page(f"https://{n}.example", (f"Line {n}.",), title=f"T{n}") for n in range(count)]


def test_a_page_is_found_by_its_url_in_any_row_group():
    pages, _ = from_bytes(to_bytes(line_pages(200), {p.url for p in line_pages(200)}), "here")
    for page in line_pages(200):
        assert pages(page.url) == (page,)


def test_pages_with_the_same_url_come_in_the_order_of_the_store():
    twice = [Page("u", ("One.",)), Page("v", ("Two.",)), Page("u", ("Three.",))]
    pages, sources = from_bytes(to_bytes(twice, {"u", "v"}), "here")
    assert pages("u") == (twice[0], twice[2])
    assert [source.url for source in sources] == ["u", "v", "u"]


def test_only_pages_that_hold_a_passage_are_kept_and_others_are_not_there():
    pages, sources = from_bytes(to_bytes(line_pages(3), {"https://1.example"}), "here")
    assert sources == (Source("https://1.example", "T1"),)
    assert pages("https://0.example") == ()


def test_blank_lines_leave_with_their_page_numbers():
    page = Page("u", ("One.", " ", "", "Two."), numbers=(1, 1, 2, 3), ocr=(None, 1, 2, 87))
    pages, _ = from_bytes(to_bytes([page], {"u"}), "here")
    assert pages("u") == (Page("u", ("One.", "Two."), numbers=(1, 3), ocr=(None, 87)),)


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
    table = pq.read_table(io.BytesIO(to_bytes([page], {"u"}))).drop_columns(list(missing))
    earlier = io.BytesIO()
    pq.write_table(table, earlier)
    pages, sources = from_bytes(earlier.getvalue(), "here")
    blank = dict.fromkeys(set(missing) - {"ocr"}, "")
    said = Source("u", "T", site="A site", file="a.html")
    assert (pages("u"), sources) == ((replace(page, **blank),), (replace(said, **blank),))


@given(st.lists(st.tuples(TEXT, st.lists(TEXT, max_size=4), TEXT, TEXT), max_size=6))
def test_what_a_page_says_comes_back_unchanged(rows):
    kept = [Page(u, tuple(filter(str.strip, ls)), title=t, date=d) for u, ls, t, d in rows]
    pages, _ = from_bytes(to_bytes(kept, {page.url for page in kept}), "here")
    for page in kept:
        assert page in pages(page.url)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" * 40])
def test_bytes_that_hold_no_pages_are_refused(content):
    with pytest.raises(IndexFault, match="claims/3"):
        from_bytes(content, "claims/3/pages.parquet")
