"""What leaves the desk as files."""

from __future__ import annotations

import csv
import io
import json

import docx

from tests.support.small_run import CLAIMS


def test_no_cell_of_the_csv_is_a_formula(desk):
    desk.settled(desk.ask('=HYPERLINK("https://evil.example")', speaker="@SUM(1)"))
    rows = list(csv.reader(io.StringIO(desk.get("/export/claims.csv").body)))
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]
    assert "'=HYPERLINK" in rows[1][1]


def test_exports_are_downloads(desk):
    desk.review("claim-1")
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
        "The machine’s verdict: Refuted by",
        "Strongest against",
        "https://c.example",
        "What was searched",
    ):
        assert expected in text, expected
