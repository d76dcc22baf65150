"""Reviews of verdicts: kept, shown, and never taken for another verdict."""

from __future__ import annotations

import csv
import io
import json

from tests.support.pages import Page
from tests.support.serving import fields
from uhhrag.records import Label
from uhhrag.views.run_view import Review


def test_a_review_is_kept_shown_and_exported(desk):
    saved = desk.review(
        "claim-0", label="Supported", note="See page 4.\r\nTwice.", wrong=["0", "2"]
    )
    assert saved.status == 303
    page = Page(desk.get("/claims/claim-0").body)
    boxes = [i for i in page.all("input") if i.get("name") == "wrong"]
    assert ["checked" in box for box in boxes] == [True, False, True]
    assert "See page 4." in page.text()
    rows = list(csv.DictReader(io.StringIO(desk.get("/export/claims.csv").body)))
    (row,) = [row for row in rows if row["key"] == "claim-0"]
    assert row["reviewer_verdict"] == "Supported"
    assert row["wrong_votes"] == "1 3"
    found = json.loads(desk.get("/export/claims.json").body)["claims"][0]
    assert found["review"]["note"] == "See page 4.\nTwice."
    assert found["review"]["changed"] is (found["verdict"] != "Supported")
    assert "See page 4." in Page(desk.get("/export/report.html").body).text()


def test_the_latest_review_counts_and_none_is_forgotten(desk):
    desk.review("claim-0", note="first")
    desk.review("claim-0", note="second")
    assert "second" in desk.get("/claims/claim-0").body
    assert desk.app.database.reviews()["claim-0"][1].note == "second"
    rows = desk.app.database._connection.execute("SELECT note FROM reviews").fetchall()
    assert rows == [("first",), ("second",)]


def test_a_review_of_an_earlier_verdict_is_marked_and_a_late_one_is_not_taken(desk):
    form = fields(desk.get("/claims/claim-0").body)
    late = desk.post("/claims/claim-0/review", {**form, "seen": "another", "note": "my words"})
    assert late.status == 409
    assert "my words" in late.body
    desk.app.database.review("claim-0", "another", Review(Label.SUPPORTED, (0,), "old"))
    page = Page(desk.get("/claims/claim-0").body).text()
    assert "Of an earlier verdict on this claim." in page
    assert "Votes marked wrong" not in page
    assert json.loads(desk.get("/export/claimreview.jsonld").body)["@graph"] == []
