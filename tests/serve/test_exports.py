"""What leaves the desk as files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import docx
import pytest

from tests.support.serving import desk_of
from tests.support.small_run import CLAIMS
from uhhrag.errors import UsageError
from uhhrag.exports.claim_review import Publisher, as_claim_review, require_web
from uhhrag.views.review import PieceSide


def test_only_what_a_person_reviewed_is_a_claim_review(desk):
    assert json.loads(desk.get("/export/claimreview.jsonld").body)["@graph"] == []
    desk.review("claim-0", label="Not Enough Evidence", note="Thin.")
    desk.review("claim-1", label="Refuted")
    first, second = json.loads(desk.get("/export/claimreview.jsonld").body)["@graph"]
    assert first["@type"] == "ClaimReview"
    assert first["claimReviewed"] == CLAIMS[0].text
    assert first["author"]["name"] == "The Varnby Gazette"
    assert first["itemReviewed"]["author"]["name"] == "The mayor"
    assert first["itemReviewed"]["datePublished"] == "2020-10-31"
    assert "ratingValue" not in first["reviewRating"]
    assert first["reviewBody"] == "Thin."
    assert second["reviewRating"] == {
        "@type": "Rating",
        "alternateName": "Refuted",
        "ratingValue": 1,
        "bestRating": 5,
        "worstRating": 1,
    }
    assert "citation" not in first
    assert [work["url"] for work in second["citation"]] == [
        "https://a.example",
        "https://b.example",
    ]


def test_evidence_whose_vote_a_reviewer_marked_wrong_is_not_cited(desk):
    desk.review("claim-0", label="Supported", **{"mark-0": "says nothing"})
    (reviewed,) = json.loads(desk.get("/export/claimreview.jsonld").body)["@graph"]
    assert "citation" not in reviewed
    desk.review("claim-0", label="Refuted", **{"mark-0": "says nothing"})
    (reviewed,) = json.loads(desk.get("/export/claimreview.jsonld").body)["@graph"]
    assert [work["url"] for work in reviewed["citation"]] == ["https://c.example"]


def test_no_cell_of_the_csv_is_a_formula(desk):
    desk.settled(desk.ask('=HYPERLINK("https://evil.example")', speaker="@SUM(1)"))
    rows = list(csv.reader(io.StringIO(desk.get("/export/claims.csv").body)))
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]
    assert "'=HYPERLINK" in rows[1][1]


def test_exports_are_downloads(desk):
    for name in (
        "report.html",
        "report.docx",
        "claims.json",
        "claims.csv",
        "votes.csv",
        "claimreview.jsonld",
    ):
        headers = desk.download(f"/export/{name}")[0]
        assert headers["content-disposition"] == f'attachment; filename="{name}"'
        headers = desk.download(f"/claims/claim-1/export/{name}")[0]
        assert headers["content-disposition"] == f'attachment; filename="claim-1-{name}"'
    assert desk.get("/claims/claim-9/export/claims.json").status == 404


def test_one_claim_leaves_alone(desk):
    (only,) = json.loads(desk.get("/claims/claim-1/export/claims.json").body)["claims"]
    assert only["claim"] == CLAIMS[1].text
    piece = only["evidence"][0]
    assert {"question", "answer", "urls", "vote", "sentence", "similarity", "sources"} <= set(piece)


def test_every_vote_is_a_row(desk):
    desk.review("claim-0", **{"mark-0": "says nothing"})
    rows = list(csv.DictReader(io.StringIO(desk.get("/export/votes.csv").body)))
    claims = json.loads(desk.get("/export/claims.json").body)["claims"]
    assert len(rows) == sum(len(claim["evidence"]) for claim in claims)
    assert [row["reviewer_mark"] for row in rows[:3]] == ["says nothing", "", ""]
    first = claims[0]["evidence"][0]
    assert (rows[0]["sentence"], rows[0]["vote"]) == (first["sentence"], first["vote"]["label"])
    assert rows[0]["url"] == next(iter(first["urls"]), "")


def test_a_word_document_says_the_answer_the_sources_and_the_review(desk):
    desk.review("claim-0", label="Supported", note="See page 4.", reviewer="Ada")
    _, content = desk.download("/claims/claim-0/export/report.docx")
    text = "\n".join(p.text for p in docx.Document(io.BytesIO(content)).paragraphs)
    for expected in (
        CLAIMS[0].text,
        "Reviewed by Ada on",
        ": supported.",
        "See page 4.",
        "The machine’s verdict: Refuted:",
        "Strongest against",
        "https://c.example",
        "What was searched",
    ):
        assert expected in text, expected


def test_a_claim_review_names_publisher_person_address_and_cited_files(tmp_path):
    publisher = Publisher("The Gazette", "https://g.example", "https://g.example/checks/")
    with desk_of(tmp_path / "run") as served:
        served.review("claim-1", label="Refuted", reviewer="Ada")
        views = served.app.run_view()
    (view,) = [v for v in views.claims if v.anchor == "claim-1"]
    own = replace(view.verdict.evidence[0], urls=("file:a%20note.txt",), sources=())
    verdict = replace(view.verdict, evidence=(own, *view.verdict.evidence[1:]))
    view = replace(view, verdict=verdict)
    run = replace(views, claims=(view,))
    (found,) = json.loads(as_claim_review(run, publisher))["@graph"]
    assert found["url"] == "https://g.example/checks/claim-1"
    assert found["author"] == {
        "@type": "Person",
        "name": "Ada",
        "worksFor": {"@type": "Organization", "name": "The Gazette", "url": "https://g.example"},
    }
    sides = view.sides[0] is PieceSide.CONTRADICTS
    assert ({"@type": "CreativeWork", "name": "a note.txt"} in found["citation"]) is sides


def test_an_address_of_the_publisher_that_is_none_is_refused():
    with pytest.raises(UsageError, match="is no web address"):
        require_web("--publish-base", "javascript:alert(1)")
    require_web("--publish-base", "")
