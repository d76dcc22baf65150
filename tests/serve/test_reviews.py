"""Reviews of verdicts: kept, shown, and never taken for another verdict."""

from __future__ import annotations

import csv
import html
import io
import json
import sqlite3
import threading
from dataclasses import replace

import docx
import pytest

from tests.support.pages import Page, claim_view, run_view
from tests.support.serving import desk_of, fields, gated, token
from tests.support.waiting import until
from uhhrag.records import Label, Source
from uhhrag.serve.database import FILE, open_database
from uhhrag.serve.sealing import SEALED, checked, seal_all
from uhhrag.serve.worker import without_verdict
from uhhrag.views.review import PieceSide, Review
from uhhrag.views.run_view import ClaimView

pytestmark = pytest.mark.slow


def test_a_review_is_kept_shown_and_exported(desk):
    saved = desk.review(
        "claim-0",
        label="Supported",
        note="See page 4.\r\nTwice.",
        reviewer="Ada",
        **{"mark-0": "says nothing", "mark-2": "says nothing"},
    )
    assert saved.status == 303
    page = Page(desk.get("/claims/claim-0").body)
    picked = {i["name"]: i["value"] for i in page.all("input") if "checked" in i and "name" in i}
    assert (picked["mark-0"], picked["mark-2"]) == ("says nothing", "says nothing")
    assert picked["mark-1"] != "says nothing"
    assert "2 say nothing" in page.text()
    assert "See page 4." in page.text()
    rows = list(csv.DictReader(io.StringIO(desk.get("/export/claims.csv").body)))
    (row,) = [row for row in rows if row["key"] == "claim-0"]
    assert row["reviewer_label"] == "Supported"
    assert row["wrong_votes"] == "1 3"
    found = json.loads(desk.get("/export/claims.json").body)["claims"][0]
    assert found["review"]["note"] == "See page 4.\nTwice."
    assert found["review"]["marks"] == {"0": "says nothing", "2": "says nothing"}
    assert found["review"]["reviewer"] == "Ada"
    assert found["review"]["changed"] is (found["label"] != "Supported")
    assert "See page 4." in Page(desk.get("/export/report.html").body).text()


def test_a_review_from_a_page_that_is_older_than_another_is_asked_about_first(desk):
    older = fields(desk.get("/claims/claim-0").body) | {"reviewer": "Ben", "note": "my words"}
    desk.review("claim-0", label="Refuted", reviewer="Nora", **{"keep-0": "on"})
    late = desk.post("/claims/claim-0/review", {**older, "label": "Supported", "keep-1": "on"})
    shown = Page(late.body)
    assert (late.status, desk.app.find("claim-0").review.reviewer) == (409, "Nora")
    assert "Nora has reviewed this claim since you opened it: refuted." in shown.text()
    assert "my words" in late.body
    ticked = [(a["name"], a["value"]) for a in shown.all("input") if "checked" in a and "name" in a]
    assert ("label", "Supported") in ticked
    assert ("keep-1", "on") in ticked
    assert ("keep-0", "on") not in ticked
    again = {**older, **fields(late.body), "label": "Supported", "keep-1": "on"}
    assert desk.post("/claims/claim-0/review", again).status == 303
    review = desk.app.find("claim-0").review
    assert (review.label, review.reviewer, review.kept) == (Label.SUPPORTED, "Ben", (1,))


def test_the_latest_review_counts_and_none_is_forgotten(desk):
    desk.review("claim-0", note="first")
    desk.review("claim-0", note="second")
    assert "second" in desk.get("/claims/claim-0").body
    assert desk.app.find("claim-0").review.note == "second"
    rows = desk.app.database._connection.execute("SELECT note FROM reviews").fetchall()
    assert rows == [("first",), ("second",)]


def test_a_review_that_is_sent_twice_is_kept_once(desk):
    form = {**fields(desk.get("/claims/claim-0").body), "label": "Refuted", "reviewer": "Ada"}
    for _ in range(2):
        assert desk.post("/claims/claim-0/review", form).status == 303
    assert len(desk.app.database.history()) == 1


def test_a_review_of_an_earlier_verdict_is_marked_and_a_late_one_is_not_taken(desk):
    form = fields(desk.get("/claims/claim-0").body)
    late = desk.post("/claims/claim-0/review", {**form, "seen": "another", "note": "my words"})
    assert late.status == 409
    assert "my words" in late.body
    earlier = Review(Label.SUPPORTED, (0,), "old", marks={0: PieceSide.NOTHING})
    desk.app.database.review_after(0, replace(earlier, seen="another"), "claim-0")
    page = Page(desk.get("/claims/claim-0").body).text()
    assert "Of an earlier verdict on this claim." in page
    assert "by the reviewer’s mark" not in page
    assert "Marked wrong" not in page
    assert "only unreviewed (4)" in Page(desk.get("/").body).text()
    refusal = desk.get("/export/claimreview.jsonld")
    assert (refusal.status, "Not exported" in refusal.body) == (409, True)
    links = Page(desk.get("/").body).all("a")  # a browser shows no refusal of a download
    (link,) = [one for one in links if one.get("href") == "/export/claimreview.jsonld"]
    assert "download" not in link
    assert "a person, of an earlier verdict: supported" in Page(desk.get("/").body).text()


def test_no_mark_is_chosen_for_a_person_and_one_that_agrees_is_kept_as_theirs(desk):
    page = Page(desk.get("/claims/claim-0").body)
    picked = {i["name"]: i["value"] for i in page.all("input") if "checked" in i and "name" in i}
    unmarked = {name: value for name, value in picked.items() if name.startswith("mark-")}
    assert set(unmarked.values()) == {""}
    desk.review("claim-0", **unmarked)
    assert desk.app.find("claim-0").review.marks == {}
    voted = desk.app.find("claim-0").sides[0]
    desk.review("claim-0", **{**unmarked, "mark-0": voted})
    review = desk.app.find("claim-0").review
    assert (review.marks, review.wrong) == ({0: voted}, ())
    assert "Marked wrong" not in desk.get("/claims/claim-0").body


def test_a_mark_moves_a_piece_to_its_side(desk):
    voted = desk.app.find("claim-0").sides[1]
    other = next(side for side in PieceSide if side is not voted)
    desk.review("claim-0", **{"mark-1": other, "mark-9": "supports", "mark-2": "?"})
    view = desk.app.find("claim-0")
    assert view.sides[1] is other
    assert (view.review.marks, view.review.wrong) == ({1: other}, (1,))
    assert "by the reviewer’s mark" in html.unescape(desk.get("/claims/claim-0").body)


def test_what_is_attached_counts_on_its_side(desk):
    view = desk.app.find("claim-0")
    source = Source("file:a.txt", file="a.txt")
    for side in (PieceSide.CONTRADICTS, PieceSide.SUPPORTS, PieceSide.CONTRADICTS):
        desk.app.database.attach(view.names[0], side, f"It was {side}.", source, "Ada")
    desk.app.database.attach(
        view.names[0], PieceSide.CONTRADICTS, "It was shut in May.", source, "Ada"
    )
    supports, against = (
        view.sides.count(side) for side in (PieceSide.SUPPORTS, PieceSide.CONTRADICTS)
    )
    page = Page(desk.get("/claims/claim-0").body).text()
    assert f"{supports + 1} for, {against + 2} against, " in page


def test_save_and_next_goes_to_the_next_claim_that_nobody_reviewed_and_at_the_end_home(desk):
    def following(key):
        return desk.review(key, then="next").headers["location"]

    assert following("claim-1") == "/claims/claim-2"
    assert following("claim-0") == "/claims/claim-2"
    assert following("claim-3") == "/claims/claim-2"
    assert following("claim-2") == "/"
    assert "4 of 4 reviewed" in Page(desk.get("/claims/claim-2").body).text()


def test_an_earlier_review_is_shown_and_taken_back(desk):
    desk.review("claim-0", label="Supported", note="first", reviewer="Ada")
    desk.review("claim-0", note="second", reviewer="Bo")
    page = desk.get("/claims/claim-0").body
    shown = Page(page).text()
    assert "Earlier reviews: 1" in shown
    assert "Ada · supported · first" in shown
    form = back_form(page, "Make this the review again") | {"reviewer": "Cleo"}
    assert desk.post("/claims/claim-0/back", {**form, "reviewer": " "}).status == 422
    assert desk.post("/claims/claim-0/back", {**form, "which": "9"}).status == 404
    assert desk.post("/claims/claim-0/back", form).status == 303
    latest, first = desk.app.find("claim-0").review, desk.app.database.history()[0]
    assert latest == replace(first, actor="Cleo", acted=latest.acted)
    assert (latest.label, latest.note, latest.reviewer) == (Label.SUPPORTED, "first", "Ada")
    assert len(desk.app.database.history()) == 3
    late = desk.post("/claims/claim-0/back", form | {"which": "2"})
    assert (late.status, "reviewed or checked again since" in late.body) == (409, True)
    shown = Page(desk.get("/claims/claim-0").body).text()
    assert "made the review again by Cleo on" in shown
    (one,) = json.loads(desk.get("/export/claimreview.jsonld").body)
    assert (one["author"]["name"], one["reviewBody"]) == ("Ada", "first")
    told = json.loads(desk.get("/export/claims.json").body)["claims"][0]["review"]
    assert (told["reviewer"], told["restored_by"]) == ("Ada", "Cleo")
    word = docx.Document(
        io.BytesIO(desk.download("/claims/claim-0/export/report.docx")[1])
    ).paragraphs
    assert any("Made the review again by Cleo on " in one.text for one in word)


def back_form(page, button):
    """The fields of the form that a button of the page sends."""
    return fields(page[: page.index(f"<button>{button}</button>")].rpartition("<form ")[2])


def test_a_review_that_is_withdrawn_counts_nowhere_and_is_not_forgotten(desk):
    desk.review("claim-0", label="Supported", note="a slip", reviewer="Ada")
    machine = desk.app.find("claim-0").machine_class
    page = desk.get("/claims/claim-0").body
    form = back_form(page, "Withdraw it") | {"reviewer": "Bo"}
    assert desk.post("/claims/claim-0/back", form | {"which": ""}).status == 404
    assert desk.post("/claims/claim-0/back", form).status == 303
    view = desk.app.find("claim-0")
    assert (view.review, view.reviewed, view.label) == (None, False, machine)
    page = desk.get("/claims/claim-0").body
    assert "Earlier reviews: 2" in Page(page).text()
    assert "Bo · withdrew the review" in Page(page).text()
    assert "Withdraw it" not in page
    assert "only unreviewed (4)" in Page(desk.get("/").body).text()
    assert desk.get("/export/claimreview.jsonld").status == 409
    exported = desk.get("/export/claims.json").body + desk.get("/export/report.html").body
    assert "a slip" not in exported + desk.get("/export/claims.csv").body
    form = back_form(page, "Make this the review again") | {"reviewer": "Bo"}
    assert desk.post("/claims/claim-0/back", form).status == 303
    assert desk.app.find("claim-0").review.note == "a slip"


def test_a_claim_is_checked_in_other_words_and_its_earlier_verdict_and_review_are_kept(tmp_path):
    allowed = threading.Semaphore(99)
    with desk_of(tmp_path / "run", method=gated(allowed)) as served:
        path = served.ask("It is shut.", speaker="Ada Low", date="2020-10-31")
        page = served.settled(path)
        served.review("check-1", label="Supported", note="It is.")
        words = {"token_of_form": token(page, f"{path}/again"), "claim": "The bridge\nis shut."}
        assert served.post(f"{path}/again", words).status == 303
        page = Page(served.settled(path)).text()
        view = served.app.find("check-1")
        claim = view.claim
        said = (claim.text, claim.speaker, claim.date)
        assert said == ("The bridge is shut.", "Ada Low", "2020-10-31")
        assert "Earlier checks: 1" in page
        assert "“It is shut.”" in page.partition("Earlier checks: 1")[2]
        assert (view.review.note, view.review.stale, view.person_label) == ("It is.", True, None)
        assert check_desk_is_sound(served)
        while allowed.acquire(blocking=False):
            pass
        assert served.post(f"{path}/again", {**words, "claim": "The ferry sails."}).status == 303
        until(lambda: "being checked" in served.get(path).body.lower())
        assert "in other words: The ferry sails." in Page(served.get(path).body).text()
        stop = {"token_of_form": token(served.get(path).body, f"{path}/stop")}
        assert served.post(f"{path}/stop", stop).status == 303
        allowed.release(9)
        assert "The ferry sails." not in served.settled(path)
        assert served.app.database.check("check-1").claim.text == "The bridge is shut."


def check_desk_is_sound(served):
    with served.app.database.transaction() as run:
        return all(not fault for table in SEALED for _, _, fault in checked(run, table))


def test_what_a_person_said_of_a_claim_is_not_said_of_one_that_took_its_number(tmp_path):
    def of(text):
        verdict = claim_view().verdict
        verdict = replace(verdict, claim=replace(verdict.claim, text=text))
        return run_view(ClaimView(verdict.claim, verdict))

    runs = [of("The bridge is shut.")]
    with desk_of(tmp_path, read=lambda: runs[-1]) as served:
        served.review("claim-0", label="Refuted")
        name = served.app.find("claim-0").names[0]
        served.app.database.attach(name, PieceSide.SUPPORTS, "It was.", Source("file:a.txt"), "Ada")
        before = served.get("/claims/claim-0").body
        assert "Ada" in before
        assert "Attached by hand" in before
        runs.append(of("The ferry sails."))
        page, first = served.get("/claims/claim-0").body, Page(served.get("/").body).text()
        assert "Ada" not in page
        assert "Attached by hand" not in page
        assert "reviewed before" not in first
        runs.append(of("The bridge is shut."))
        assert "Ada" in served.get("/claims/claim-0").body


def test_nobody_signs_with_the_name_of_another(desk):
    desk.review("claim-0", reviewer="Ada")
    desk.review("claim-0", reviewer="Ada", note="again")
    inputs = Page(desk.get("/claims/claim-0").body).all("input")
    names = [one for one in inputs if one.get("name") == "reviewer"]
    assert len(names) == 3
    assert not any(name.get("value") for name in names)


def test_a_desk_of_the_first_format_is_opened_and_keeps_its_reviews(tmp_path):
    file = tmp_path / FILE
    connection = sqlite3.connect(file)
    connection.executescript(
        "CREATE TABLE reviews (number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, "
        "key TEXT NOT NULL, seen TEXT NOT NULL, label TEXT, wrong TEXT NOT NULL, "
        "note TEXT NOT NULL) STRICT; INSERT INTO reviews VALUES "
        "(1, '2026-01-01', 'claim-0', 's', 'Refuted', '[1]', 'old'); PRAGMA user_version = 1"
    )
    connection.close()
    for _ in range(2):
        with open_database(file) as opened:
            old = opened.reviews()["claim-0"]
            assert (old.note, old.wrong, old.marks, old.reviewer) == ("old", (1,), {}, "")


def test_a_claim_that_waits_is_stopped_at_once(tmp_path):
    allowed = threading.Semaphore(0)
    with desk_of(tmp_path / "run", method=gated(allowed)) as served:
        first, second = served.ask("The bridge is shut."), served.ask("The bridge is open.")
        waiting = served.get(second).body
        assert "1 before it" in Page(waiting).text()
        form = {"token_of_form": token(waiting, f"{second}/stop")}
        assert served.post(f"{second}/stop", form).status == 303
        assert "stopped before a verdict" in served.settled(second)
        allowed.release(9)
        decided = served.settled(first)
        assert "Your review" in decided
        late = {"token_of_form": token(decided, f"{first}/again")}
        assert served.post(f"{first}/stop", late).status == 303
        assert "Your review" in served.get(first).body


def test_a_claim_is_checked_again_stopped_and_removed(tmp_path):
    allowed = threading.Semaphore(0)
    with desk_of(tmp_path / "run", method=gated(allowed)) as served:
        path = served.ask("The bridge is shut.")
        until(lambda: "0 votes are cast" in Page(served.get(path).body).text())
        form = fields(served.get(path).body)
        assert served.post(f"{path}/stop", {"token_of_form": "x"}).status == 403
        assert served.post(f"{path}/stop", form).status == 303
        allowed.release(9)
        stopped = served.settled(path)
        assert "stopped before a verdict" in stopped
        assert served.post(f"{path}/again", fields(stopped)).status == 303
        decided = served.settled(path)
        assert "Your review" in decided
        while allowed.acquire(blocking=False):
            pass
        assert served.post(f"{path}/again", fields(decided)).status == 303
        until(lambda: "0 votes are cast" in Page(served.get(path).body).text())
        assert served.post(f"{path}/stop", fields(served.get(path).body)).status == 303
        allowed.release(9)
        assert Page(served.settled(path)).text() == Page(decided).text()
        for _ in range(2):  # as by two clicks
            removed = served.post(f"{path}/remove", fields(decided))
            assert (removed.status, removed.headers["location"]) == (303, "/")
        assert served.get(path).status == 404
        assert served.post("/claims/claim-0/remove", fields(served.get("/").body)).status == 403
        own = fields(served.get("/claims/claim-0").body)
        assert served.post("/claims/claim-0/remove", own).status == 404


def test_what_a_person_said_stays_on_the_page_and_in_exports_where_a_later_check_fails(tmp_path):
    with desk_of(tmp_path / "run") as served:
        path = served.ask("The bridge is shut.")
        served.settled(path)
        key = path.rpartition("/")[2]
        served.review(key, note="first", reviewer="Bo")
        served.review(key, note="Rang the harbour.", reviewer="Ada")
        source = Source("file:a.txt", file="a.txt")
        served.app.database.attach(key, PieceSide.SUPPORTS, "It was shut in May.", source, "Ada")
        served.app.queue.stop(10)
        served.app.database.again(1)
        failed = without_verdict(served.app.database.check(key), "no room")
        served.app.database.save_outcome(1, failed)
        page = Page(served.get(path).body).text()
        for said in ("no room", "Rang the harbour.", "It was shut in May.", "Earlier reviews: 1"):
            assert said in page
        exported = json.loads(served.get(f"{path}/export/claims.json").body)["claims"][0]
        assert (exported["status"], exported["review"]["note"]) == ("failed", "Rang the harbour.")
        assert exported["attached"][0]["sentence"] == "It was shut in May."
        written = docx.Document(io.BytesIO(served.download(f"{path}/export/report.docx")[1]))
        lines = "\n".join(paragraph.text for paragraph in written.paragraphs)
        assert "Reviewed by Ada" in lines
        assert ", of an earlier verdict: " in lines
        assert "It was shut in May." in lines


def test_a_note_is_as_long_as_the_browser_lets_it_be_and_an_address_is_never_cut(desk):
    note = "a\r\n" * 2400 + "the end"
    assert desk.review("claim-0", note=note).status == 303
    kept = desk.app.find("claim-0").review.note
    assert kept == note.replace("\r\n", "\n")
    long = "https://news.example/" + "a" * 2000
    refused = desk.review("claim-0", note="my words", appearance=long)
    assert (refused.status, "my words" in refused.body) == (422, True)


def test_a_mark_says_of_the_votes_that_are_shown_which_are_wrong(tmp_path):
    with desk_of(tmp_path / "run") as served:
        path = served.ask("The bridge is shut.")
        served.settled(path)
        votes = served.app.find("check-1").verdict.votes
        other = Label.REFUTED if votes[0].label is Label.SUPPORTED else Label.SUPPORTED
        said = {"mark-0": "supports" if other is Label.SUPPORTED else "contradicts"}
        served.review("check-1", **said)
        assert served.app.find("check-1").review.wrong == (0,)
        record = served.app.database.check("check-1").record
        record["votes"][0]["label"] = str(other)
        with served.app.database.transaction() as run:
            run("UPDATE outcomes SET record = ?, seal = ''", (json.dumps(record),))
            seal_all(run)
        review = served.app.find("check-1").review
        assert (review.stale, review.wrong, len(review.marks)) == (False, (), 1)
        assert "marked wrong by a reviewer" not in served.get(path).body


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"appearance": "news.example/a"}, "no web address; write it as https://…"),
        ({"appearance": "https://a.example/" + "x" * 2000}, "no web address"),
        ({"reviewer": ""}, "Write your name: a person decides"),
        ({"label": ""}, "Choose a verdict: a person decides"),
    ],
)
def test_a_review_that_is_refused_gives_the_whole_form_back(desk, wrong, said):
    given = {"note": "my words", "mark-1": "contradicts", "keep-0": "on", "reviewer": "Ada B"}
    filled = given | {"label": "Conflicting Evidence/Cherrypicking"} | wrong
    answer = desk.review("claim-0", **filled)
    page = Page(answer.body)
    assert (answer.status, desk.app.database.reviews()) == (422, {})
    assert "Your review is not saved." in page.text()
    assert said in page.text()
    values = {a["name"]: a.get("value", "") for a in page.all("input") if a.get("name")}
    assert "my words" in answer.body
    for name in ("reviewer", "appearance"):
        assert values[name] == filled.get(name, "")
    ticked = [(a["name"], a["value"]) for a in page.all("input") if "checked" in a and "name" in a]
    assert ("mark-1", "contradicts") in ticked
    assert ("keep-0", "on") in ticked
    labels = [value for name, value in ticked if name == "label"]
    assert labels == [filled["label"]] * bool(filled["label"])
    assert "Reviewed" not in page.text()
