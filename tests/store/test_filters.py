"""Time and site limits: what leaves, what stays, what is said of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.doubles import CLAIMS, fake_embed, load_nltk_data, plan, write_page
from uhhrag.archive.segments import day_of
from uhhrag.errors import InputError, UsageError
from uhhrag.indexing import claim_index, index_folder
from uhhrag.indexing.build import index_claims
from uhhrag.indexing.claim_index import ClaimIndex
from uhhrag.indexing.document_index import index_documents
from uhhrag.records import Claim, Hit, Page, Passage, Source
from uhhrag.store.filters import CLAIM_DATE, Limits, allowed, read_limits, removes, undated_among

CLAIM = Claim(0, "It rained.", "31-10-2020")
EARLY, SAME, LATE = (f"https://news.example/2020/{day}/x" for day in ("10/30", "10/31", "11/01"))
BARE = "https://news.example/x"
CHECKED = "https://www.snopes.com/2020/10/01/x"


def left(limits: Limits, *urls: str, claim: Claim = CLAIM) -> tuple[list[str], dict[str, int]]:
    """Addresses that stay, and what was removed, of one passage an address."""
    hits = [Hit(Passage(f"Passage {n}.", (url,)), 1.0) for n, url in enumerate(urls)]
    kept, removed, _ = allowed(hits, [Source(url) for url in urls], removes(limits, claim))
    return [hit.passage.urls[0] for hit in kept.values()], dict(removed)


def test_without_limits_everything_stays():
    assert left(Limits(), EARLY, LATE, BARE, CHECKED) == ([EARLY, LATE, BARE, CHECKED], {})


def test_nothing_dated_after_the_claim_stays():
    limits = Limits(before=CLAIM_DATE)
    assert left(limits, EARLY, SAME, LATE, BARE) == ([EARLY, SAME, BARE], {"date": 1})


def test_a_month_counts_as_its_last_day():
    october = "https://news.example/2020/10/x"
    assert left(Limits(before="2020-10-30"), october) == ([], {"date": 1})
    assert left(Limits(before="2020-10-31"), october) == ([october], {})
    assert day_of(Page(october, ("It rained.",))) == 20201031


def test_a_date_given_goes_for_every_claim():
    limits = Limits(before="2020-10-30")
    assert left(limits, EARLY, SAME, claim=Claim(1, "x")) == ([EARLY], {"date": 1})


def test_a_claim_without_a_date_has_no_date_limit():
    assert left(Limits(before=CLAIM_DATE), LATE, claim=replace(CLAIM, date=None)) == ([LATE], {})


def test_our_list_of_sites_leaves_out_no_file_of_the_user():
    limits = read_limits(None, Path("default"), undated=True)
    web, own = "https://news.example/report.pdf", "file:minutes/report.pdf"
    assert left(limits, web, own, CHECKED) == ([own], {"site": 2})


def test_pages_without_a_date_leave_when_asked():
    assert left(Limits(undated=False), EARLY, BARE) == ([EARLY], {"undated": 1})


@pytest.mark.parametrize("made", ["2013-12-23", "2026-11-22"])
def test_the_date_of_a_file_neither_passes_a_limit_nor_fails_it_unless_asked(made):
    hit = Hit(Passage("It rained.", ("file:x.docx",)), 1.0)
    source = Source("file:x.docx", date=made, dated_by="file")

    def staying(limits: Limits) -> int:
        return len(allowed([hit], [source], removes(limits, CLAIM))[0])

    assert staying(Limits(CLAIM_DATE)) == 1
    assert staying(Limits(CLAIM_DATE, undated=False)) == 0
    assert staying(Limits(CLAIM_DATE, file_dates=True)) == (made < "2020")


@pytest.mark.parametrize(
    "url",
    [
        CHECKED,
        "https://web.archive.org/web/2020/https://www.politifact.com/x",
        "https://api.politifact.com/x",
        "https://www.usatoday.com/story/news/factcheck/2020/09/19/x",
        "https://a.example/Fact-Check-Rain",
        "https://a.example/report.PDF",
        "https://youtu.be/x",
    ],
)
def test_the_shipped_list_removes_fact_checks_files_and_video(url):
    limits = read_limits(None, Path("default"), undated=True)
    assert left(limits, url, EARLY) == ([EARLY], {"site": 1})


def test_a_site_that_only_ends_like_a_listed_one_stays(tmp_path):
    (tmp_path / "sites.txt").write_text("cnn.com  # a comment\n\n*/video/*\n")
    limits = read_limits(None, tmp_path / "sites.txt", undated=True)
    kept = ["https://xcnn.com/x", "https://a.example/cnn.com"]
    assert left(limits, *kept, "https://edition.cnn.com", "https://b.example/video/1") == (
        kept,
        {"site": 2},
    )


def test_a_site_is_known_however_it_is_written(tmp_path):
    file = tmp_path / "sites.txt"
    file.write_text(
        "\ufeffa.example\nwww.b.example\nhttps://www.C.example/\n*.d.example\n.e.example\n"
    )
    limits = read_limits(None, file, undated=True)
    gone = [f"https://www.{site}.example/x" for site in "abcde"]
    assert left(limits, *gone, "https://dd.example/x") == (["https://dd.example/x"], {"site": 5})


@pytest.mark.parametrize(
    "entry", ["a.example/news", "https://a.example/?id=1", "a.example b.example", "."]
)
def test_an_entry_that_would_exclude_nothing_is_refused(tmp_path, entry):
    (tmp_path / "sites.txt").write_text(f"b.example\n{entry}\n")
    with pytest.raises(InputError, match="is no site and would exclude nothing; give a site such"):
        read_limits(None, tmp_path / "sites.txt", undated=True)


def test_a_passage_on_several_pages_keeps_those_that_are_allowed():
    hit = Hit(Passage("It rained.", (LATE, EARLY)), 1.0)
    sources = [Source(LATE), Source(EARLY)]
    kept, removed, gone = allowed([hit], sources, removes(Limits(before=CLAIM_DATE), CLAIM))
    assert kept[0].passage.urls == (EARLY,)
    assert (dict(removed), gone) == ({}, {LATE})


def test_documents_of_one_address_are_limited_each_by_its_own_date():
    posts = [
        Page(BARE, (f"Post {n}.",), date=day) for n, day in enumerate(("2020-10-30", "2021-01-01"))
    ]
    documents = index_documents(dict(enumerate(posts)), "")
    index = ClaimIndex(
        CLAIM,
        tuple(Hit(one, 0.0) for one in documents.passages),
        documents.document,
        documents.sources,
    )
    limited = claim_index.limited(index, Limits(before=CLAIM_DATE))
    assert [hit.passage.text for hit in limited.hits] == ["Post 0."]
    assert dict(limited.removed) == {"date": 1}


def test_a_passage_without_an_address_has_no_date():
    hit = Hit(Passage("It rained."), 1.0)
    assert allowed([hit], [], removes(Limits(before=CLAIM_DATE), CLAIM))[0] == {0: hit}
    assert allowed([hit], [], removes(Limits(undated=False), CLAIM))[1] == {"undated": 1}


@pytest.mark.parametrize("before", ["tomorrow", "2020", "32-10-2020", ""])
def test_a_date_that_is_none_is_refused(before):
    with pytest.raises(UsageError, match=r"is not a date; give YYYY-MM-DD, or claim-date"):
        read_limits(before, None, undated=True)


def test_a_list_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"--exclude-sites .*gone.txt: cannot be read"):
        read_limits(None, tmp_path / "gone.txt", undated=True)


def test_a_list_that_names_no_site_is_refused(tmp_path):
    (tmp_path / "sites.txt").write_text("# none yet\n")
    with pytest.raises(InputError, match=r"--exclude-sites .*sites.txt: names no site"):
        read_limits(None, tmp_path / "sites.txt", undated=True)


def test_a_limit_says_itself_in_the_signature():
    assert str(Limits()) == ""
    assert str(Limits("claim-date", ("a.example",), False)).startswith(
        "before=claim-date,web-sites="
    )
    assert str(Limits("2020-01-01", file_dates=True)) == "before=2020-01-01,file-dates"
    assert str(Limits(sites=("a",))) != str(Limits(sites=("b",)))


def test_a_limited_index_finds_what_an_index_of_the_rest_finds(tmp_path):
    load_nltk_data()
    store = tmp_path / "knowledge_store"
    store.mkdir()
    urls = [EARLY, LATE, BARE, CHECKED]
    lines = [[f"The cat sat there {n}.", f"A mat {n}."] for n in range(4)]
    for name, kept in (("0", range(4)), ("1", (0, 2))):
        rows = [write_page(urls[n], lines[n]) for n in kept]
        (store / f"{name}.json").write_text("\n".join(rows))
    claims = (replace(CLAIMS[0], date=CLAIM.date), replace(CLAIMS[0], id=1, date=CLAIM.date))
    list(index_claims(plan(tmp_path, claims=claims), fake_embed))
    opened = index_folder.open_index(tmp_path / "index")
    limits = read_limits(CLAIM_DATE, Path("default"), undated=True)
    limited = claim_index.limited(index_folder.load_claim(opened, 0), limits)
    rest = index_folder.load_claim(opened, 1)
    assert dict(limited.removed) == {"date": 2, "site": 2}
    found = claim_index.search_in(limited, fake_embed)("A cat?", 9)
    words = {(hit.passage.text, hit.passage.urls) for hit in found}
    assert words == {(hit.passage.text, hit.passage.urls) for hit in rest.hits}
    expected = claim_index.search_in(rest, fake_embed)("A cat?", 9)
    assert np.allclose([hit.score for hit in found], [hit.score for hit in expected])
    stands_in = {limited.document(hit.passage.places[0].document).url for hit in found}
    assert stands_in == {EARLY, BARE}


def test_passages_on_which_a_limit_of_date_cannot_decide_are_counted():
    made = Source("file:x.docx", date="2013-12-23", dated_by="file")
    hits = [Hit(Passage(f"Passage {n}.", (url,)), 1.0) for n, url in enumerate((EARLY, BARE))]
    hits += [Hit(Passage("Both.", (EARLY, BARE)), 1.0), Hit(Passage("Made.", (made.url,)), 1.0)]
    limits = Limits(before="2020-10-30")
    assert undated_among(hits, [made], limits) == 2
    assert undated_among(hits, [made], replace(limits, file_dates=True)) == 1
