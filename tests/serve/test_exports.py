"""What leaves the desk as files."""

from __future__ import annotations

import csv
import io
import json

from tests.support.small_run import CLAIMS


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
    desk.review("claim-0", label="Supported", wrong=["0"])
    (reviewed,) = json.loads(desk.get("/export/claimreview.jsonld").body)["@graph"]
    assert "citation" not in reviewed
    desk.review("claim-0", label="Refuted", wrong=["0"])
    (reviewed,) = json.loads(desk.get("/export/claimreview.jsonld").body)["@graph"]
    assert [work["url"] for work in reviewed["citation"]] == ["https://c.example"]


def test_no_cell_of_the_csv_is_a_formula(desk):
    desk.settled(desk.ask('=HYPERLINK("https://evil.example")', speaker="@SUM(1)"))
    rows = list(csv.reader(io.StringIO(desk.get("/export/claims.csv").body)))
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]
    assert "'=HYPERLINK" in rows[1][1]


def test_exports_are_downloads(desk):
    for name in ("report.html", "claims.json", "claims.csv", "claimreview.jsonld"):
        kept = desk.get(f"/export/{name}").headers["content-disposition"]
        assert kept == f'attachment; filename="{name}"'
