"""What leaves the desk as files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import docx
import pytest

from tests.support.pages import Page, claim_view
from tests.support.serving import desk_of
from tests.support.small_run import CLAIMS
from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.exports import tables
from uhhrag.exports.docx_export import as_docx
from uhhrag.records import Claim, Label, Source
from uhhrag.rules.label_words import WORDS
from uhhrag.text.dates import written
from uhhrag.views.claim_row import fingerprint
from uhhrag.views.html_pages import report
from uhhrag.views.review import Review
from uhhrag.views.run_view import RunView
from uhhrag.views.searched import Documents, Searched

pytestmark = pytest.mark.slow


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
    said = {"label": "Supported", "note": "See page 4.", "reviewer": "Ada"}
    desk.review("claim-0", **said, **{"keep-0": "on", "keep-2": "on"})
    _, content = desk.download("/claims/claim-0/export/report.docx")
    text = "\n".join(p.text for p in docx.Document(io.BytesIO(content)).paragraphs)
    for expected in (
        CLAIMS[0].text,
        "Reviewed by Ada on",
        ": supported.",
        "Cited: pieces 1, 3",
        "See page 4.",
        "The machine’s verdict: Refuted by",
        "Strongest against",
        "https://c.example",
        "What was searched",
    ):
        assert expected in text, expected


def test_numbers_of_the_csv_are_numbers_and_wide_signs_are_quoted(tmp_path):
    view = claim_view(0, key="check-1")
    item = replace(view.verdict.evidence[0], retrieval_score=-0.12, sentence="\uff1d1+1")
    item = replace(item, compared=("in 2016: not before 2015",))
    verdict = replace(view.verdict, evidence=(item, *view.verdict.evidence[1:]))
    run = RunView("r", {}, (replace(view, verdict=verdict),))
    row, other, *_ = csv.DictReader(io.StringIO(tables.as_votes(run)))
    assert (row["similarity"], row["sentence"]) == ("-0.1200", "'\uff1d1+1")
    assert (row["compared"], other["compared"]) == ("in 2016: not before 2015", "")


def test_the_csv_leads_to_the_row_of_the_piece_that_decided():
    view, place = claim_view(0), {"unit": "sheet Net budgets, row", "number": 9}
    source = Source("file:my%20budgets.xlsx#Net%20budgets", file="my%20budgets.xlsx", **place)
    item = replace(view.verdict.evidence[0], urls=(source.url,), sources=(source,))
    verdict = replace(view.verdict, evidence=(item, view.verdict.evidence[1]))
    claim = replace(view.claim, given_id="Q7")
    run = RunView("r", {}, (replace(view, verdict=verdict, claim=claim),))
    (row,) = csv.DictReader(io.StringIO(tables.as_csv(run)))
    assert [*row][-6:-1] == [
        *("given_id", "verdict", "deciding_file", "deciding_place", "deciding_sentence")
    ]
    assert [*row.values()][-6:] == [
        *("Q7", "Refuted", "my budgets.xlsx", "sheet Net budgets, row 9", "It rained in May.", "")
    ]
    box = Page(report(run)).text().partition("Strongest for")[0].partition("Strongest against")[2]
    assert "my budgets.xlsx , sheet Net budgets, row 9" in box


def test_the_boxes_of_the_strongest_pieces_say_how_figures_compare():
    view = claim_view(0)
    items = [replace(one, compared=("9: not 8",)) for one in view.verdict.evidence[:1]]
    verdict = replace(view.verdict, evidence=(*items, view.verdict.evidence[1]))
    shown = Page(report(RunView("r", {}, (replace(view, verdict=verdict),)))).text()
    assert shown.count("Figures compared: 9: not 8") == 2  # in its box, and with the piece


def test_a_comment_in_word_tells_a_review_that_was_set_aside():
    review = Review(Label.REFUTED, reviewer="Ada", stale=True)
    draft = Draft("a.docx", (DraftSentence("It rained.", 0, check=0),), title="It rained.")
    run = RunView("r", {}, (replace(claim_view(0), review=review),), article=draft)
    document = docx.Document(io.BytesIO(as_docx(run)))
    (comment,) = document.comments
    assert "Ada, of an earlier verdict: refuted.\nThe machine’s" in comment.text
    assert [one.text for one in document.paragraphs[:2]] != ["It rained."] * 2


def words_of(content: bytes) -> str:
    return "\n".join(p.text for p in docx.Document(io.BytesIO(content)).paragraphs)


def test_a_word_document_says_when_it_was_made():
    about = docx.Document(io.BytesIO(as_docx(RunView("r", {}, (claim_view(0),))))).core_properties
    now = datetime.now(UTC)
    assert abs(now - about.created.replace(tzinfo=UTC)).total_seconds() < 600
    assert abs(now - about.modified.replace(tzinfo=UTC)).total_seconds() < 600
    assert (about.author, about.comments) == ("uhhrag", "")


def test_a_word_document_begins_with_its_day_and_a_list_of_the_verdicts():
    views = tuple(claim_view(number, key=f"check-{number + 1}") for number in range(3))
    review = Review(Label.REFUTED, reviewer="Ada", seen=fingerprint(views[1]))
    one = replace(views[0], claim=replace(views[0].claim, speaker=None, date=None))
    views = (one, replace(views[1], review=review), replace(views[2], pending=True))
    lines = words_of(as_docx(RunView("Harbour", {}, views))).split("\n")
    machine = WORDS[views[0].label].capitalize()
    assert lines[0] == "Fact-check: Harbour"
    assert lines[1] == f"Made on {written(datetime.now(UTC).date().isoformat())}."
    at = lines.index("All verdicts")
    assert lines[at + 1 : at + 4] == [
        f"{machine}: {one.claim.text}",
        f"Refuted, by Ada: {views[1].claim.text} (The mayor, 31 October 2020)",
        f"{machine}, being checked again: {views[2].claim.text} (The mayor, 31 October 2020)",
    ]
    assert "All verdicts" not in words_of(as_docx(RunView("Harbour", {}, views[:1])))


def test_reports_name_the_order_of_their_claims():
    own, of_run = claim_view(0, key="check-1"), claim_view(1)
    draft = Draft("d.txt", (DraftSentence("It rained.", 0),))
    for claims, article, words in (
        ((own, of_run), draft, "earliest first"),
        ((own, own), None, "earliest first"),
        ((own, own), draft, "as in the draft"),
        ((of_run,), draft, "as in the draft"),
        ((of_run,), None, "as in the file"),
    ):
        page = Page(report(RunView("r", {}, claims, article=article)))
        assert f" {words} least sure first" in page.text()


def test_a_word_document_is_made_of_any_text_and_says_what_a_page_says(tmp_path):
    captured = Source(
        "https://a.example/rain", "Rain", date="2020-05-02", dated_by="capture", note="in part"
    )
    view = claim_view(
        0, key="check-1", review=Review(Label.REFUTED, at="2026-11-26T23:30:00+00:00")
    )
    urls = (captured.url, *(f"https://b.example/{n}" for n in range(6)))
    item = replace(view.verdict.evidence[0], urls=urls, sources=(captured,))
    claim = Claim(1, "Der Hafen \ufffe wurde im Jahr 2019 f\u00fcr viel Geld ausgebaut.")
    verdict = replace(view.verdict, claim=claim, evidence=(item, *view.verdict.evidence[1:]))
    german = Documents(1, 1, 5, {}, 0, languages={"hafen.txt": "German"})
    searched = Searched(german, where="Harbour")
    view = replace(view, claim=claim, verdict=verdict, searched=searched)
    text = words_of(as_docx(RunView("A title \uffff" * 60, {}, (view,))))
    for expected in (
        "This claim looks German.",
        "https://a.example/rain · Rain · 2 May 2020 when it was captured · in part",
        "The same sentence on 2 more",
        "Reviewed on 26 November 2026, 23:30 UTC: refuted.",
        "Not in English: hafen.txt (German).",
        "Strongest for\n2. The year was dry. It was dry.",  # "it" is said
    ):
        assert expected in text, expected
    assert (text.count("It rained in May."), text.count("It was dry.")) == (1, 1)


def test_a_word_document_tells_votes_as_the_page_does():
    view = claim_view(0, key="check-1")
    one, other = view.verdict.votes
    silent = replace(one, label=Label.NOT_ENOUGH, meanings={"C": None}, options={"C": 0.0})
    votes = replace(silent, reply="C", probability=0.99), replace(other, probability=0.55)
    source = Source("file:a.eml", quoted="A Reader")
    item = replace(view.verdict.evidence[0], urls=(source.url,), sources=(source,))
    evidence = (item, view.verdict.evidence[1])
    verdict = replace(view.verdict, evidence=evidence, votes=votes)
    run = RunView("run", {}, (replace(view, verdict=verdict),))
    text = words_of(as_docx(run))
    assert "\nNo side: quoted words\n" in text
    assert "Vote: leans supported 0.55" in text
    assert text.count("Vote: ") == 1
    rows = csv.DictReader(io.StringIO(tables.as_votes(run)))  # nothing was asked of the first
    assert [row["probability"] for row in rows] == ["", "0.55"]
    pieces = tables.claim_object(run.claims[0])["evidence"]
    assert [piece["vote"]["probability"] for piece in pieces] == [None, 0.55]


def test_a_draft_in_word_keeps_its_headings_and_its_tables():
    texts = ("Depot", "It rained.", "Costs", "Item; 2023", "Item: Trams; 2023: 42", "Rent: 5")
    sentences = tuple(DraftSentence(text, at, "no") for at, text in enumerate(texts))
    claim = replace(sentences[4], why="", check=0)
    sentences = (*sentences[:4], claim, *sentences[5:])
    draft = Draft("a.docx", sentences, headings=((0, 1), (2, 2)), rows=(3, 4, 5))
    document = docx.Document(io.BytesIO(as_docx(RunView("r", {}, (claim_view(0),), article=draft))))
    styles = [(one.text, one.style.name) for one in document.paragraphs[:3]]
    assert styles == [("Depot", "Heading 1"), ("It rained.", "Normal"), ("Costs", "Heading 2")]
    cells = [[cell.text for cell in row.cells] for row in document.tables[0].rows]
    assert cells == [["Item", "2023"], ["Trams", "42"], ["Rent", "5"]]
    assert len(list(document.comments)) == 1
    pairs = (DraftSentence("Trams: 42", 0, "no"), DraftSentence("Rails: 5", 1, "no"))
    document = docx.Document(
        io.BytesIO(as_docx(RunView("r", {}, (), article=Draft("a.docx", pairs, rows=(0, 1)))))
    )
    cells = [[cell.text for cell in row.cells] for row in document.tables[0].rows]
    assert cells == [["Trams", "42"], ["Rails", "5"]]


def test_word_says_once_at_the_end_what_verdicts_were_made_from():
    one = Searched(files={"a.txt": "12ab"}, signature="approach:a")
    views = [replace(claim_view(n), key=f"check-{n}", searched=one) for n in range(2)]
    text = words_of(as_docx(RunView("r", {}, tuple(views))))
    assert text.count("Method: approach:a") == text.count("a.txt: 12ab") == 1
    assert text.endswith("with their SHA-256\nMethod: approach:a\na.txt: 12ab")
    assert "at the end" not in text
    views[1] = replace(views[1], searched=replace(one, signature="approach:b"))
    text = words_of(as_docx(RunView("r", {}, tuple(views))))
    assert "Files and models: list 2 at the end." in text
    assert "Files and models 2, with their SHA-256\nMethod: approach:b" in text


def test_the_draft_of_a_run_has_no_verdict_of_the_desks_own_claims(tmp_path):
    claims = [claim.text for claim in CLAIMS]
    sentences = [DraftSentence(text, at, check=at) for at, text in enumerate([*claims, "Later."])]
    with desk_of(tmp_path / "run") as desk:
        run = replace(desk.app.read(), article=Draft("a.txt", tuple(sentences)))
    with desk_of(tmp_path / "desk", read=lambda: run) as desk:
        for number in range(4):
            desk.settled(desk.ask(f"The ferry sails, {number}."))
        report = desk.get("/export/report.html").body
        draft = report.partition('<div class="draft-text"')[2].partition("</section>")[0]
        assert 'href="#claim-3"' in draft
        assert 'href="#check-4"' not in draft  # the number of the sentence that waits
        assert "5 sentences, of which 4 have a verdict" in report
        alone = desk.get("/claims/check-4/export/report.html").body
        assert "Sentences without a mark" not in alone
        assert "article" not in json.loads(desk.get("/claims/claim-1/export/claims.json").body)
