"""A verdict keeps what it was made from, and says when that has changed since."""

from __future__ import annotations

import csv
import hashlib
import io
import json

import docx
import pytest

from tests.serve.test_library import _read_here, desk, give, made, read, send  # noqa: F401
from tests.support.pages import Page
from tests.support.serving import TARGET, desk_of, token
from tests.support.small_run import METHOD, corpus_for
from uhhrag.records import Label
from uhhrag.rules.label_words import WORDS
from uhhrag.serve.sealing import insert
from uhhrag.serve.targets import Target
from uhhrag.views.run_view import RunView
from uhhrag.views.searched import searched_with

pytestmark = pytest.mark.slow

CLAIM = "The quay has a crane."
FIRST, SECOND = b"The quay has a crane. It is old.", b"The crane was sold."


@pytest.fixture
def checked(desk):  # noqa: F811
    """A collection of one file, and the page of a claim that was checked against it."""
    path = made(desk)
    give(desk, path, "a.txt", FIRST)
    read(desk, path)
    return path, asked(desk, path)


def asked(desk, path):  # noqa: F811
    page = desk.get(path).body
    form = {"token_of_form": token(page, "/checks"), "claim": CLAIM, "target": path[13:]}
    claim = desk.post("/checks", form).headers["location"]
    desk.settled(claim)
    return claim


def everywhere(desk, claim):  # noqa: F811
    """What is said of a claim in each place where it can leave the desk."""
    word = docx.Document(io.BytesIO(desk.download(f"{claim}/export/report.docx")[1]))
    return {
        "page": Page(desk.get(claim).body).text(),
        "report": Page(desk.get(f"{claim}/export/report.html").body).text(),
        "all": Page(desk.get("/export/report.html").body).text(),
        "word": "\n".join(paragraph.text for paragraph in word.paragraphs),
    }


def searched(desk, claim):  # noqa: F811
    (one,) = json.loads(desk.get(f"{claim}/export/claims.json").body)["claims"]
    return one["searched"]


def checked_draft(served, path):
    """The address of one whose only sentence is the claim."""
    draft = draft_of(served, path, CLAIM)
    page = served.get(draft).body
    served.post(f"{draft}/checks", {"token_of_form": token(page, f"{draft}/checks"), "sentence": 0})
    served.settled(draft)
    return draft


def test_what_was_searched_is_as_it_was_when_documents_come_and_go(desk, checked):  # noqa: F811
    path, claim = checked
    before = searched(desk, claim)
    assert before["files"] == {"a.txt": hashlib.sha256(FIRST).hexdigest()}
    assert (before["documents"]["sentences"], before["documents"]["documents"]) == (2, 1)
    for name in ("b.txt", "c.txt"):
        give(desk, path, name, SECOND)
    read(desk, path)
    send(desk, path, "remove", name="a.txt", asked="yes")
    read(desk, path)
    assert searched(desk, claim) == before
    for place, text in everywhere(desk, claim).items():
        assert "2 sentences of 1 document in 1 file." in text, place
        assert hashlib.sha256(FIRST).hexdigest() in text, place
    send(desk, path, "delete")
    assert searched(desk, claim) == before


def test_a_verdict_on_documents_that_changed_says_so_and_is_checked_again(desk, checked):  # noqa: F811
    path, claim = checked
    assert "Since this verdict" not in desk.get(claim).body
    assert " since</span>" not in desk.get("/").body
    give(desk, path, "b.txt", SECOND)
    read(desk, path)
    page = Page(desk.get(claim).body).text()
    assert "Since this verdict: 1 file added. Added: b.txt" in page
    source = f"{claim}/pieces/1/sources/0"
    assert "This file has changed since" not in desk.get(source).body
    give(desk, path, "a.txt", FIRST + b" That was wrong.")
    read(desk, path)
    assert "This file has changed since the claim was checked." in desk.get(source).body
    give(desk, path, "a.txt", b"The quay has two cranes.")
    read(desk, path)
    page = Page(desk.get(claim).body).text()
    assert "Since this verdict: 1 file added, 1 changed." in page
    later = asked(desk, path)
    first = desk.get("/").body
    assert first.count("1 file added, 1 file of its evidence changed since") == 1
    assert "changed since 1 claim was checked" in Page(first).text()
    assert "Since this verdict" not in desk.get(later).body
    form = {"token_of_form": token(first, "/checks/again")}
    assert desk.post("/checks/again", form).status == 303
    desk.settled(claim)
    page = Page(desk.get(claim).body).text()
    assert "Since this verdict" not in page
    assert "Earlier checks: 1" in page
    assert "Harbour : 2 sentences of 1 document" in page
    assert searched(desk, claim)["documents"]["documents"] == 2
    assert " since</span>" not in desk.get("/").body


def test_a_claim_is_affected_only_by_what_can_matter_to_it(desk):  # noqa: F811
    path = made(desk)
    others = {f"{n}.txt": f"Cows eat grass on meadow {n}.".encode() for n in range(15)}
    for name, content in {"a.txt": FIRST, "b.txt": SECOND, **others}.items():
        give(desk, path, name, content)
    read(desk, path)
    claim = asked(desk, path)
    (row,) = desk.app.rows().claims
    unused = sorted(others.keys() - set(row.cited))
    mine = row.cited[0]
    send(desk, path, "remove", name=unused[1], asked="yes")
    read(desk, path)
    assert not desk.app.rows().claims[0].outdated
    assert "Check the affected again" not in desk.get("/").body
    assert "Since this verdict: 1 file removed." in Page(desk.get(claim).body).text()
    send(desk, path, "remove", name=mine, asked="yes")
    read(desk, path)
    assert desk.app.rows().claims[0].since == "1 file of its evidence removed since"
    assert "1 file of its evidence removed since" in desk.get("/").body
    give(desk, path, "new.txt", b"The crane stands.")
    read(desk, path)
    since = "1 file added, 1 file of its evidence removed since"
    assert desk.app.rows().claims[0].since == since


def test_new_text_of_a_file_that_is_not_cited_counts_like_an_added_file(desk):  # noqa: F811
    path = made(desk)
    for number in range(9):
        give(desk, path, f"{number}.txt", f"Cows eat grass on meadow {number}.".encode())
    read(desk, path)
    claim = asked(desk, path)
    (row,) = desk.app.rows().claims
    other = next(name for name in ("0.txt", "8.txt", "5.txt") if name not in row.cited)
    give(desk, path, other, FIRST)
    read(desk, path)
    page = desk.get("/").body
    assert '<span class="flag">1 other file changed since</span>' in page
    assert f"Since this verdict: 1 file changed. Changed: {other}" in Page(
        desk.get(claim).body
    ).text().replace("\n", " ")
    form = {"token_of_form": token(page, "/checks/again")}
    assert desk.post("/checks/again", form).status == 303
    desk.settled(claim)
    assert "1 checked again, none changed" in desk.get("/").body
    assert not desk.app.rows().claims[0].since


def test_what_leaves_the_desk_says_beside_a_claim_that_its_verdict_is_older(desk, checked):  # noqa: F811
    path, claim = checked
    draft = checked_draft(desk, path)
    assert not any(since(desk, of) for of in ("", claim, draft))
    give(desk, path, "b.txt", SECOND)
    read(desk, path)
    for of, number in (("", 2), (claim, 1), (draft, 1)):
        assert since(desk, of) == {"1 file added since"}
        report = desk.get(f"{of}/export/report.html").body
        flags = report.count('<span class="flag">1 file added since</span>')
        assert flags == number + (of == draft)  # in the text of the draft, too
        were = f"{number} claim{'s were' if number > 1 else ' was'} checked."
        told = f"The documents have changed since {were}"
        word = docx.Document(io.BytesIO(desk.download(f"{of}/export/report.docx")[1]))
        lines = "\n".join(paragraph.text for paragraph in word.paragraphs)
        assert told in Page(report).text()
        assert told in lines
        assert lines.count("The machine’s verdict: 1 file added since; ") == number
    assert "The machine’s verdict: 1 file added since; " in next(iter(word.comments)).text
    key = claim.rpartition("/")[2]
    assert json.loads(desk.get(f"/api/claims/{key}").body)["changed_since"] == "1 file added since"
    send(desk, path, "delete")
    assert since(desk, claim) == {"documents not here"}


def since(desk, of):  # noqa: F811
    """What the files say of the claims' age, which must be the same."""
    rows = json.loads(desk.get(f"{of}/export/claims.json").body)["claims"]
    told = [{row.get("changed_since", "") for row in rows}]
    for name in ("claims.csv", "votes.csv"):
        table = csv.DictReader(io.StringIO(desk.get(f"{of}/export/{name}").body))
        told.append({row["changed_since"] for row in table})
    assert told == [told[0]] * 3
    return told[0] - {""}


@pytest.mark.parametrize("then", ["mine", "none", ""])
@pytest.mark.parametrize("now", ["mine", "none"])
def test_whether_votes_were_calibrated_is_kept_with_the_verdict(tmp_path, then, now):
    signature = "decoding:letters|calibration:1|pool:9"  # a file may scale by 1
    made = searched_with({"signature": signature, "calibration": {"source": then}})
    targets = {TARGET: Target("The folder", lambda _: (corpus_for, METHOD), lambda: made)}
    run = RunView("now", {"calibration": {"source": now}}, ())
    with desk_of(tmp_path, read=lambda: run, targets=targets) as served:
        known = "calibrated on claims with known labels"
        assert known not in served.get("/export/report.html").body
        served.settled(served.ask(CLAIM))
        assert ("No calibration for this model" in served.get("/").body) is (then == "none")
        assert (known in served.get("/export/report.html").body) is (then == "mine")


def test_a_draft_says_what_it_was_checked_against_then(desk, checked):  # noqa: F811
    path, _ = checked
    draft = checked_draft(desk, path)
    before = Page(desk.get(draft).body).text()
    assert "Checked against Harbour" in before
    give(desk, path, "b.txt", SECOND)
    read(desk, path)
    page = desk.get(draft).body
    assert "changed since 1 claim was checked" in Page(page).text()
    assert "1 file added since" in Page(page).text()
    again = {"token_of_form": token(page, f"{draft}/again")}
    assert desk.post(f"{draft}/again", again).status == 303
    desk.settled(draft)
    assert "changed since" not in desk.get(draft).body


def test_a_check_of_an_earlier_version_does_not_say_what_it_does_not_know(desk, checked):  # noqa: F811
    database, draft = desk.app.database, draft_of(desk, checked[0], CLAIM)
    assert "To be checked against Harbour: 2 sentences" in Page(desk.get(draft).body).text()
    (check,) = database.asked()
    database.remove(check.number)
    number = database.ask(check.claim, check.target)
    record = {k: v for k, v in check.record.items() if k != "searched"}
    database.save_outcome(number, record)
    text = Page(desk.get(f"/claims/check-{number}").body).text()
    untold = "It was not recorded: an earlier version checked this claim."
    assert untold in text
    assert "2 sentences of 1 document" not in text
    assert untold in everywhere(desk, f"/claims/check-{number}")["word"]
    with database.transaction() as run:
        insert(run, "draft_checks", 1, 0, number)
    text = Page(desk.get(draft).body).text()
    assert "1 of 1 done" in text
    assert "checked against" not in text.lower()


def test_counts_are_those_of_the_archive_where_the_note_of_what_was_read_is_older(desk, checked):  # noqa: F811
    path, _ = checked
    note = desk.app.library.home / path[13:] / "work" / "files.json"
    older = note.read_bytes()
    give(desk, path, "b.txt", SECOND)
    read(desk, path)
    note.write_bytes(older)  # as it stands while more is read
    later = searched(desk, asked(desk, path))
    counts = [later["documents"][name] for name in ("sentences", "documents", "files")]
    assert counts == [3, 2, 2]
    assert desk.app.targets[path[13:]].name == "Harbour: 3 sentences"


def test_documents_that_are_gone_are_said_to_be_and_nothing_is_lost_by_asking_again(desk, checked):  # noqa: F811
    path, claim = checked
    send(desk, path, "delete")
    page = desk.get(claim).body
    assert "The documents of this verdict are not here any more, or uhhrag" in page
    assert "Check it again" not in page
    assert "2 sentences of 1 document in 1 file" in page
    first = Page(desk.get("/").body).text()
    assert "documents not here" in first
    assert "Check the affected again" not in first
    form = {"token_of_form": desk.app.form_token(claim.rpartition("/")[2])}
    refused = desk.post(f"{claim}/again", form)
    assert refused.status == 409
    assert "its collection was deleted" in refused.body
    assert Page(desk.get(claim).body).text() == Page(page).text()


def test_a_collection_of_which_nothing_could_be_read_is_not_checked_against(desk):  # noqa: F811
    path = made(desk)
    give(desk, path, "bad.pdf", b"no")
    page = Page(read(desk, path)).text()
    assert "1 file; 1 not read, or not wholly" in page
    assert "Check a claim against these documents" not in page
    assert "nothing to search" in Page(desk.get("/collections").body).text()


def test_a_review_of_an_earlier_verdict_is_no_review_of_this_one(desk, checked):  # noqa: F811
    path, claim = checked
    desk.review(claim.rpartition("/")[2], note="Of the first.")
    desk.review(claim.rpartition("/")[2], note="Of the first, again.", label=Label.CONFLICTING)
    (row,) = json.loads(desk.get("/export/claims.json").body)["claims"]
    assert row["review"]["changed"]
    assert "Make this the review again" in desk.get(claim).body
    give(desk, path, "b.txt", SECOND)
    read(desk, path)
    page = desk.get(claim).body
    again = {"token_of_form": token(page, f"{claim}/again")}
    desk.post(f"{claim}/again", again)
    page = Page(desk.settled(claim)).text()
    assert "Of an earlier verdict on this claim." in page
    assert "Of the first. · of an earlier verdict" in " ".join(page.split())
    assert "Make this the review again" not in page
    told = "ClaimReview leaves out 1 claim whose review is of an earlier verdict; review it again:"
    shown = " ".join(Page(desk.get("/").body).text().split())
    assert f"{told} {CLAIM} " in shown
    assert ".." not in shown
    (row,) = json.loads(desk.get("/export/claims.json").body)["claims"]
    assert (row["review"]["changed"], row["review"]["of_an_earlier_verdict"]) == (False, True)
    (row,) = csv.DictReader(io.StringIO(desk.get("/export/claims.csv").body))
    assert (row["reviewer"], row["reviewer_label"], row["note"]) == ("", "", "")


def test_a_draft_says_as_what_a_sentence_was_checked_and_what_a_person_said_of_it(desk, checked):  # noqa: F811
    path, claim = checked
    label = desk.app.find(claim.rpartition("/")[2]).machine_label
    other = next(one for one in Label if one is not label)
    desk.review(claim.rpartition("/")[2], label=other)
    draft = draft_of(desk, path, CLAIM)
    page = desk.get(draft).body
    assert f"checked before: {WORDS[other]}" in Page(page).text()
    said = "The quay of Varnby has a crane."
    form = {"token_of_form": token(page, f"{draft}/checks"), "sentence": 0, "claim-0": said}
    desk.post(f"{draft}/checks", form)
    shown = Page(desk.settled(draft)).text()
    assert f"checked as: {said}" in shown
    assert f"checked as: {said}" in Page(desk.get(f"{draft}/export/report.html").body).text()
    assert "1 of 1 done" in shown


def draft_of(desk, path, text):  # noqa: F811
    form = {"token_of_form": token(desk.get("/").body, "/drafts"), "target": path[13:]}
    body = "\r\n".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}'
        for name, value in {**form, "text": text}.items()
    )
    kind = "multipart/form-data; boundary=x"
    sent = desk.send("POST", "/drafts", f"{body}\r\n--x--\r\n", content_type=kind)
    return sent.headers["location"]
