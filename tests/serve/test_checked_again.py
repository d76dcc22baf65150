"""A claim that is checked again keeps its last verdict until there is another."""

from __future__ import annotations

import csv
import io
import json

import docx
import pytest

from tests.support.pages import Page
from tests.support.serving import desk_of, gated, token
from tests.support.waiting import until
from uhhrag.records import Label
from uhhrag.serve import check_table
from uhhrag.serve.database import FILE, open_database
from uhhrag.serve.sealing import seal_all
from uhhrag.serve.worker import without_verdict
from uhhrag.views.claim_row import fingerprint

pytestmark = pytest.mark.slow
OLD, NEW = "The bridge at Varnby is shut.", "The ferry was sold."


@pytest.fixture
def rechecking(tmp_path, votes):
    """A desk whose first claim is being checked again; the second was never decided."""
    with desk_of(tmp_path / "run", run=False, method=gated(votes)) as served:
        served.settled(served.ask(OLD))
        served.review("check-1", note="Rang the harbour.")
        while votes.acquire(blocking=False):
            pass
        page = served.get("/claims/check-1").body
        again = {"token_of_form": token(page, "/claims/check-1/again")}
        assert served.post("/claims/check-1/again", again).status == 303
        served.ask(NEW)
        until(lambda: served.app.queue.progress(1))
        yield served
        votes.release(100)


def test_the_list_and_the_page_show_the_last_verdict_and_that_it_is_checked_again(
    rechecking, votes
):
    before = rechecking.app.database.earlier(rechecking.app.database.check("check-1"))[0][1]
    (row,) = rechecking.app.rows().claims
    assert (row.anchor, row.machine_label, row.pending) == ("check-1", before.machine_label, True)
    listed = Page(rechecking.get("/").body).text()
    assert "1 of 1 claim shown" in listed
    assert "being checked again" in listed
    assert "In the queue" in listed
    page = Page(rechecking.get("/claims/check-1").body).text()
    assert "being checked again" in page
    assert before.verdict.evidence[0].found in page
    assert "Rang the harbour." in page
    assert "Earlier checks" not in page
    votes.release(100)
    settled = Page(rechecking.settled("/claims/check-1")).text()
    assert "being checked again" not in settled
    assert "Earlier checks: 1" in settled
    until(lambda: not rechecking.app.database.waiting())
    assert [row.pending for row in rechecking.app.rows().claims] == [False, False]


def test_exports_hold_every_claim_and_say_which_are_being_checked(rechecking):
    label = rechecking.app.rows().claims[0].machine_label
    read = list(csv.DictReader(io.StringIO(rechecking.get("/export/claims.csv").body)))
    told = [(row["claim"], row["status"], row["label"], row["checked_again"]) for row in read]
    assert told == [(OLD, "clear", label, "yes"), (NEW, "waiting", "", "")]
    last, waits = json.loads(rechecking.get("/export/claims.json").body)["claims"]
    assert (waits["status"], "label" in waits, "error" in waits) == ("waiting", False, False)
    assert (last["label"], last["checked_again"]) == (label, True)
    note = (
        "Made while claims were being checked: 1 has its last verdict and is being checked again, "
        "1 has no verdict yet."
    )
    report = Page(rechecking.get("/export/report.html").body).text()
    assert note in report
    assert "2 claims: every sentence" in report
    assert "being checked again" in report.replace(note, "")
    word = docx.Document(io.BytesIO(rechecking.download("/export/report.docx")[1]))
    lines = [one.text for one in word.paragraphs]
    assert note in lines
    assert {OLD, NEW} <= set(lines)
    alone = json.loads(rechecking.get("/claims/check-1/export/claims.json").body)["claims"]
    assert alone == [last]


def test_a_review_that_was_begun_before_is_kept_while_the_claim_is_checked_again(rechecking):
    assert rechecking.app.find("check-1").review.note == "Rang the harbour."
    written = {"label": "Refuted", "reviewer": "Bo", "note": "Asked again."}
    seen = fingerprint(rechecking.app.find("check-1"))
    hidden = {"token_of_form": rechecking.app.form_token("check-1"), "seen": seen, "known": 1}
    assert rechecking.post("/claims/check-1/review", {**hidden, **written}).status == 303
    assert rechecking.app.find("check-1").review.note == "Asked again."


@pytest.mark.parametrize("changed", [False, True])
def test_a_review_stays_current_if_what_decides_is_as_before(tmp_path, changed):
    with desk_of(tmp_path / "run", run=False) as served:
        served.settled(path := served.ask(OLD))
        other = {"mark-1": "says nothing", "keep-0": "on", "keep-2": "on"}
        served.review("check-1", note="Rang the harbour.", **other)
        before, database = served.app.find("check-1").review, served.app.database
        record = json.loads(json.dumps(database.check("check-1").record))
        served.app.queue.stop(10)
        database.again(1)
        beside = record["evidence"][0] | {"answer": "The ferry sails daily."}
        label = record["label"] if changed else Label.NOT_ENOUGH
        record["evidence"].insert(0, beside)
        record["votes"].insert(0, record["votes"][0] | {"label": label, "options": {}})
        database.save_outcome(1, record)
        review = served.app.find("check-1").review
        assert review.stale == changed
        if not changed:
            assert (review.marks, review.kept) == ({2: "says nothing"}, (1, 3))
            assert (review.at, review.note) == (before.at, before.note)
        with database.transaction() as run:
            run("UPDATE outcomes SET at = '2999-01-01T00:00:00+00:00'")
            run("UPDATE outcomes SET seal = ''")
            seal_all(run)
        told = "checked again since, with the same verdict and votes"
        assert (told in served.get(path).body) != changed
        assert [row.reviewed for row in served.app.rows().claims] == [not changed]


@pytest.fixture
def changing(tmp_path):
    """A desk with two checks, and what gives one of them another outcome at once."""
    with desk_of(tmp_path / "run", run=False) as served:
        for claim in (OLD, NEW):
            served.settled(served.ask(claim))
        served.app.queue.stop(10)

        def again(number, text="", **changed):
            database = served.app.database
            record = json.loads(json.dumps(database.check(f"check-{number}").record)) | changed
            database.again(number, text=text)
            database.save_outcome(number, record | ({"claim": text} if text else {}))

        yield served, again


def was(served):
    return {row.key: row.was for row in served.app.rows().claims if row.was}


def test_a_verdict_that_is_another_than_before_says_so_until_it_is_checked_again(changing):
    served, again = changing
    (_, old) = served.app.rows().claims
    before = f"{old.verdict_text} {old.confidence:.2f}"
    other = Label.REFUTED if old.machine_label is Label.SUPPORTED else Label.SUPPORTED
    assert "changed by the last check" not in served.get("/").body
    again(1)
    again(2)
    assert was(served) == {}
    again(1, label=other)
    assert was(served) == {"check-1": before}
    first = Page(served.get("/").body).text()
    assert "1 checked again, 1 changed" in first
    assert "only changed by the last check (1)" in first
    assert f"was {before}" in first
    assert f"was {before}" in Page(served.get("/claims/check-1").body).text()
    listed = Page(served.get("/?changed=on").body).text()
    assert "1 of 2 claims shown" in listed
    (changed,) = [
        one
        for one in csv.DictReader(io.StringIO(served.get("/export/claims.csv").body))
        if one["was"]
    ]
    assert (changed["key"], changed["was"]) == ("check-1", before)
    again(1, label=other)
    assert was(served) == {}
    assert "1 checked again, none changed" in served.get("/").body


def test_a_review_that_a_new_check_sets_aside_is_told_wherever_it_was(changing):
    served, again = changing
    served.review("check-1", label="Supported", reviewer="R. Okafor")
    told = "R. Okafor, of an earlier verdict: supported"
    assert told not in Page(served.get("/claims/check-1").body).text()
    evidence = json.loads(json.dumps(served.app.database.check("check-1").record))["evidence"]
    again(1, evidence=[one | {"answer": "The ferry sails daily."} for one in evidence])
    assert "1 checked again, none changed; 1 review of an earlier verdict" in served.get("/").body
    assert told in Page(served.get("/claims/check-1").body).text()
    read = list(csv.DictReader(io.StringIO(served.get("/export/claims.csv").body)))
    kept = {row["key"]: (row["reviewer"], row["review_of_earlier_verdict"]) for row in read}
    assert kept == {"check-1": ("", told), "check-2": ("", "")}
    word = docx.Document(io.BytesIO(served.download("/export/report.docx")[1]))
    assert [one.text for one in word.paragraphs if f"({told})" in one.text]


def test_only_verdicts_on_the_same_words_are_compared(changing):
    served, again = changing
    (_, old) = served.app.rows().claims
    other = Label.REFUTED if old.machine_label is Label.SUPPORTED else Label.SUPPORTED
    again(1, text="The bridge is shut to cars.", label=other)
    assert was(served) == {}
    again(1, text=OLD, label=other)
    assert was(served) == {"check-1": f"{old.verdict_text} {old.confidence:.2f}"}
    served.app.database.again(1)
    with served.app.database.transaction() as run:  # as when rows are made anew
        check_table.add_row(run, 1)
    assert set(was(served)) == {"check-1"}
    assert served.app.database.restore(1)
    assert set(was(served)) == {"check-1"}


def test_checks_that_are_asked_again_meanwhile_belong_together_and_stopped_ones_do_not(changing):
    served, again = changing
    database = served.app.database
    again(1)
    database.again(1)
    database.again(2)
    assert database.checked_again() == set()
    database.save_outcome(1, without_verdict(database.check("check-1"), "no model"))
    assert database.checked_again() == {1}
    assert database.restore(2)
    assert database.checked_again() == {1}
    assert "1 checked again, 1 changed" in served.get("/").body
    again(2)
    assert database.checked_again() == {2}


def test_a_desk_that_ended_in_the_middle_of_a_check_shows_the_last_verdict(tmp_path):
    with desk_of(tmp_path / "run", run=False) as served:
        served.settled(served.ask(OLD))
        (before,) = served.app.rows().claims
        served.app.queue.stop(10)
        served.app.database.again(1)
        with served.app.database.transaction() as run:  # as earlier versions left it
            run("DELETE FROM outcome_rows")
    with open_database(tmp_path / "run" / FILE) as opened:
        (row,) = opened.rows()
        assert (row.machine_label, row.pending) == (before.machine_label, True)
        assert [check.number for check in opened.waiting()] == [1]
        assert opened.restore(1)
        (row,) = opened.rows()
        assert (row, opened.waiting()) == (before, [])
