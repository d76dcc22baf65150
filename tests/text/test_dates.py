"""When a page was published, and where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.records import Source
from uhhrag.text.dates import date_in, dated, original, read_date, site


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://a.example/story/2020/09/27/taxes/3556964001/", "2020-09-27"),
        ("https://a.example/opinion/2020-08-28-police-again/", "2020-08-28"),
        ("https://a.example/t20200902_32135.htm", "2020-09-02"),
        ("https://a.example/article/2020/aug/03/plan/", "2020-08-03"),
        ("https://a.example/2019/10/trumps-claims/", "2019-10"),
        ("https://a.example/2019/Feb/rain", "2019-02"),
        ("https://web.archive.org/web/2021/https://a.example/2020/9/7/x", "2020-09-07"),
        ("https://web.archive.org/web/20210212190344/https://a.example/about", ""),
        ("https://a.example/reports/SB978LegislativeReport-2018.pdf", ""),
        ("https://a.example/status/1334067497700560897", ""),
        ("https://a.example/2020/13/45/x", ""),
        ("https://a.example/x?day=2020-01-02", ""),
    ],
)
def test_the_date_of_a_page_is_read_from_its_address(url, found):
    assert date_in(url) == found


def test_the_record_of_a_page_goes_before_its_address():
    said = dated(Source("https://a.example/2020/09/27/x", date="2020-10-01T07:00:00Z"))
    assert (said.date, said.dated_by) == ("2020-10-01", "record")


def test_a_record_with_an_unreadable_date_leaves_the_address():
    said = dated(Source("https://a.example/2020/09/27/x", date="last Tuesday"))
    assert (said.date, said.dated_by) == ("2020-09-27", "url")


def test_a_page_that_says_nothing_has_no_date():
    assert dated(Source("https://a.example/x")) == Source("https://a.example/x")
    said = Source("https://a.example/x", date="last Tuesday")
    assert dated(said) == said


def test_an_address_is_believed_before_the_metadata_of_a_file():
    saved = Source("https://a.example/2020/09/27/x", date="2026-11-22", dated_by="file")
    assert (dated(saved).date, dated(saved).dated_by) == ("2020-09-27", "url")
    own = Source("file:x.pdf", date="2026-11-22", dated_by="file")
    assert dated(own) == own
    named = Source("file:x.pdf", date="2020-02", dated_by="name")
    assert (dated(named).date, dated(named).dated_by) == ("2020-02", "name")  # no day is made up


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://www.A.Example:80/x", "a.example"),
        (
            "https://web.archive.org/web/2020/http://web.archive.org/web/1/https://b.example",
            "b.example",
        ),
        ("docs/report.pdf", ""),
        ("http://[broken", ""),
        ("", ""),
    ],
)
def test_the_site_of_a_page_is_its_host_behind_any_archive(url, host):
    assert site(url) == host


@given(st.text(max_size=60))
def test_no_text_is_too_odd_to_be_asked_for_its_date(text):
    read_date(text), date_in(text), site(text), original(text), dated(Source(text, date=text))
