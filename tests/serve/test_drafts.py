"""Drafts on the desk: brought, ticked, checked, stopped, and given back with their verdicts."""

from __future__ import annotations

import csv
import json
import zipfile
from io import BytesIO, StringIO
from urllib.parse import urlencode

import docx
import pytest

from tests.support.pages import Page
from tests.support.serving import TARGET, desk_of, gated, token
from tests.support.waiting import until
from uhhrag.documents import claim_list
from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.formats.claim_reviews import CheckedClaim
from uhhrag.serve import access, draft_table, drafts
from uhhrag.wiring.checked_claims import CheckedBefore
from uhhrag.workflows.article import open_draft

pytestmark = pytest.mark.slow

TEXT = """The bridge at Varnby

The bridge at Varnby is shut. It cost 32 million euros in 1962.

Will it open again? We must build more.
"""
TITLE = "pasted text"
BOUNDARY = "a-boundary"
DRAFTS = {"run": False, "takes_drafts": lambda: True}


@pytest.fixture
def desk(nltk_loaded, tmp_path, votes):
    with desk_of(tmp_path / "run", method=gated(votes), **DRAFTS) as served:
        yield served


def send(desk, *, file=None, token_of_form=None, **given):
    """The answer to the form that brings a draft; `file` is a name and bytes."""
    secret = token_of_form or token(desk.get("/").body, "/drafts")
    parts = {"token_of_form": secret, "target": TARGET, "text": "", **given}
    body = b""
    for name, value in parts.items():
        body += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode()
        body += value.encode() + b"\r\n"
    if file:
        head = f'name="file"; filename="{file[0]}"\r\nContent-Type: application/octet-stream'
        body += f"--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode()
        body += file[1] + b"\r\n"
    body += f"--{BOUNDARY}--\r\n".encode()
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    return desk.send("POST", "/drafts", body, content_type=kind)


def paste(desk, text=TEXT, **given) -> str:
    answer = send(desk, text=text, **given)
    assert answer.status == 303, answer.body
    return answer.headers["location"]


def tick(desk, path: str, *positions: int):
    secret = token(desk.get(path).body, f"{path}/checks")
    form = {"token_of_form": secret, "sentence": [str(at) for at in positions]}
    return desk.post(f"{path}/checks", form)


def as_word(desk, path: str):
    return docx.Document(BytesIO(desk.download(f"{path}/export/report.docx")[1]))


def done(desk, path: str) -> str:
    def page() -> str:
        shown = desk.get(path).body
        return "" if "data-watch" in shown else shown

    return until(page)


def test_a_pasted_draft_comes_back_with_its_claims_ticked(desk):
    page = desk.get(paste(desk)).body
    assert "5 sentences; 1 of them seems to claim something" in page
    assert page.count('name="sentence"') == 5
    assert page.count(" checked>") == 1
    assert "does not say who or what “It” is" in page
    assert "a question" in page
    assert "a wish or a demand" in page
    assert desk.app.database.asked() == []


TALK = "Q: What did the tunnel cost?\n\nA: The tunnel cost 42 million. It was late.\n\nA: No."


def test_the_page_the_list_and_the_terminal_count_the_same_claims(desk, tmp_path):
    for number, text in enumerate((TEXT, TUNNEL, TALK)):
        shown = Page(desk.get(path := paste(desk, text)).body)
        ticks = [one for one in shown.all("input") if one.get("name") == "sentence"]
        file = tmp_path / f"{number}.txt"
        file.write_text(text)
        draft = open_draft(file, None, None)
        assert [at for at, one in enumerate(ticks) if "checked" in one] == [
            at for at, one in enumerate(draft.sentences) if one.check is not None
        ]
        assert f"{len(ticks)} sentences; 1 of them seems to claim" in shown.text(), path
        assert len(draft.claims) == 1
    assert desk.get("/").body.count("1 claim to choose from") == 3


def test_a_sentence_of_an_interview_is_checked_without_who_speaks_and_shown_with_it(desk):
    path = paste(desk, TALK)
    tick(desk, path, 1)
    page = done(desk, path)
    (row,) = desk.app.rows().claims
    assert row.claim.text == "The tunnel cost 42 million."
    assert "A: The tunnel cost 42 million.</a>" in page
    before = desk.get(paste(desk, TALK)).body
    assert before.count("checked before") == 1


def test_a_draft_that_is_sent_twice_is_taken_once(desk):
    secret = token(desk.get("/").body, "/drafts")
    for _ in range(2):
        assert send(desk, text=TEXT, token_of_form=secret).headers["location"] == "/drafts/1"
    assert paste(desk) == "/drafts/2"


def test_ticked_sentences_are_checked_and_marked_in_the_draft(desk):
    path = paste(desk, date="2020-11-03", speaker="The mayor")
    assert tick(desk, path, 1, 2).status == 303
    page = done(desk, path)
    assert "2 of 2 done" in page
    text = page.partition('<div class="draft-text"')[2]
    assert '/claims/check-1">The bridge at Varnby is shut.</a>' in text
    assert '/claims/check-2">It cost 32 million euros in 1962.</a>' in text
    assert "badge" in text
    (first, _) = desk.app.database.asked()
    assert (first.claim.date, first.claim.speaker) == ("2020-11-03", "The mayor")
    assert f'href="{path}#check-1"' in desk.get("/claims/check-1").body
    assert "2 of 2 done" in desk.get("/").body


def test_save_and_next_goes_through_a_draft_in_its_order(desk):
    desk.settled(desk.ask("The ferry was sold."))
    path = paste(desk)
    tick(desk, path, 1)
    done(desk, path)
    tick(desk, path, 0, 2)  # their checks have later numbers
    links = Page(done(desk, path)).all("a")
    order = ["check-3", "check-2", "check-4"]
    assert [one["id"] for one in links if "checked" in one.get("class", "")] == order

    def ways(key):
        links = Page(desk.get(f"/claims/{key}").body).all("a")
        beside = [one for one in links if one.get("rel") in ("prev", "next")]
        return {one["rel"]: one["href"].rpartition("/")[2] for one in beside}

    assert ways("check-3") == {"next": "check-2"}
    assert ways("check-2") == {"prev": "check-3", "next": "check-4"}
    assert ways("check-1") == {"prev": "check-2"}  # of no draft: as the list, the latest first
    assert f'href="{path}#check-2"' in desk.get("/claims/check-2").body
    after = [desk.review(key, then="next").headers["location"] for key in order]
    assert after == ["/claims/check-2", "/claims/check-4", path]


def test_other_sentences_can_be_checked_later(desk):
    path = paste(desk)
    tick(desk, path, 1)
    page = done(desk, path)
    assert "Check more of its sentences" in page
    assert page.count('name="sentence"') == 4
    tick(desk, path, 2)
    assert "2 of 2 done" in done(desk, path)


def test_stop_takes_what_is_left_out_of_the_queue(desk, votes):
    while votes.acquire(blocking=False):
        pass
    path = paste(desk)
    tick(desk, path, 1, 2, 4)
    until(lambda: desk.app.queue.progress(1))
    page = desk.get(path).body
    assert "0 of 3 done" in page
    stopped = desk.post(f"{path}/stop", {"token_of_form": token(page, f"{path}/stop")})
    assert stopped.status == 303
    votes.release(100)
    until(lambda: not desk.app.queue.progress(1))
    assert desk.app.database.asked() == []
    page = desk.get(path).body
    assert page.count('name="sentence"') == 5
    tick(desk, path, 1)
    assert "1 of 1 done" in done(desk, path)


def test_stop_and_removal_keep_the_verdicts_that_claims_had(desk, votes):
    votes.release(100)
    path = paste(desk)
    tick(desk, path, 1, 2)
    before = Page(done(desk, path)).text()
    records = [check.record for check in desk.app.database.asked()]
    for act in ("stop", "remove"):
        while votes.acquire(blocking=False):
            pass
        desk.app.database.again(1, 2)
        desk.app.queue.wake()
        until(lambda: desk.app.queue.progress(1))
        page = desk.get(path).body
        # While a draft is checked its page offers no removal; another browser may still send it.
        secret = token(page, f"{path}/stop")
        assert desk.post(f"{path}/{act}", {"token_of_form": secret}).status == 303
        votes.release(100)
        until(lambda: not desk.app.queue.progress(1))
        assert [check.record for check in desk.app.database.asked()] == records
        assert desk.app.database.earlier(desk.app.database.check("check-1")) == []
        if act == "stop":
            assert Page(done(desk, path)).text() == before


def test_an_open_page_is_told_of_each_claim(desk, votes):
    while votes.acquire(blocking=False):
        pass
    path = paste(desk)
    tick(desk, path, 1, 2)
    lines = desk.events(f"{path}/changes")
    assert "data: changed\n" in (next(lines) for _ in range(9))
    votes.release(100)
    assert "data: changed\n" in list(lines)
    assert "2 of 2 done" in desk.get(path).body


def test_a_table_of_claims_is_a_draft_with_their_dates_and_speakers(desk, monkeypatch):
    monkeypatch.setattr(claim_list, "_claim", None)  # it is read by the reading process alone
    table = "Claim,date,speaker,id\nThe bridge is shut.,2020-10-31,Ada,Q7\nSnow fell.,,,Q8\n"
    answer = send(desk, file=("claims.csv", table.encode()), date="2021-01-01")
    path = answer.headers["location"]
    page = desk.get(path).body
    assert page.count(" checked>") == 2
    assert "2 claims" in page
    assert "seem to claim" not in page  # no rule chose among them
    assert "31 October 2020" in page
    assert "Q7" in page
    tick(desk, path, 0, 1)
    shown = done(desk, path)
    assert shown.count("Q7") == 1
    assert "Q7" in Page(desk.get("/").body).text()
    assert "Q8" in Page(desk.get("/claims/check-2").body).text()
    read = csv.DictReader(StringIO(desk.get(f"{path}/export/claims.csv").body))
    assert [row["given_id"] for row in read] == ["Q7", "Q8"]
    exported = json.loads(desk.get("/export/claims.json").body)["claims"]
    assert {one["key"]: one["given_id"] for one in exported} == {"check-1": "Q7", "check-2": "Q8"}
    claims = [check.claim for check in desk.app.database.asked()]
    assert [(claim.text, claim.date, claim.speaker) for claim in claims] == [
        ("The bridge is shut.", "2020-10-31", "Ada"),
        ("Snow fell.", "2021-01-01", None),
    ]


def test_a_word_document_is_read(desk, tmp_path):
    from tests.support.documents import write_docx

    file = write_docx(tmp_path / "a.docx", ["The bridge at Varnby is shut. It cost 3 million."])
    answer = send(desk, file=("draft.docx", file.read_bytes()))
    assert "The bridge at Varnby is shut." in desk.get(answer.headers["location"]).body


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.exe", b"MZ", "a.exe: is of no kind that is read"),
        ("a.jsonl", b"{}", "a.jsonl, line 1: has no claim"),
        ("a.xyz", b"{}", "is of no kind that is read"),
        ("a.jpg", b"{}", "is read as a document, not as a draft; add it to the documents"),
        ("a.pdf", b"no pdf", "a.pdf: is text; rename it .txt"),
        ("a.docx", b"PK\x03\x04", "a.docx: is not a Word document"),
        ("a.csv", b"a,b\n1,2\n", "a.csv: has no column claim"),
        ("a.csv", b"claim\n", "a.csv: holds no claim"),
        ("a.docx", b"", "a.docx is empty. Choose another file."),
        ("..\\..\\x.exe", b"MZ", "x.exe: is of no kind"),
        ("<b>a</b>.exe", b"MZ", "b&gt;.exe"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line_and_leaves_nothing(desk, name, content, why):
    answer = send(desk, file=(name, content))
    assert answer.status == 422
    assert why in answer.body
    assert "<b>a" not in answer.body
    assert "uhhrag-" not in answer.body
    assert draft_table.latest(desk.app.database) == []


def test_an_archive_that_would_fill_the_memory_is_refused(desk):
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"\0" * 2**27)
    answer = send(desk, file=("bomb.docx", packed.getvalue()))
    assert answer.status == 422
    assert "would unpack to" in answer.body


def test_names_lead_nowhere_and_are_shown_as_text(desk, tmp_path):
    name = "../../<script>alert(1)</script>.txt"
    page = desk.get(send(desk, file=(name, TEXT.encode())).headers["location"]).body
    assert "<script>alert" not in page
    assert "..&#47;" not in page
    assert not list(tmp_path.rglob("*script*"))


def test_what_is_hostile_in_a_draft_is_shown_as_text(desk):
    page = desk.get(paste(desk, "It cost <img src=x onerror=alert(1)> 3 million euros.")).body
    assert "<img" not in page
    assert "&lt;img" in page


def test_what_is_too_large_is_refused_before_it_is_read(desk):
    large = {"content_length": str(access.MAX_DRAFT_FORM_BYTES + 1)}
    assert desk.send("POST", "/drafts", "a=b", **large).status in (400, 413)
    assert send(desk, file=("a.txt", b"x " * 100_000)).status == 303
    elsewhere = desk.post("/checks", {"claim": "x" * access.MAX_BYTES})
    assert elsewhere.status == 413


def test_a_draft_of_thousands_of_sentences_is_refused(desk, monkeypatch):
    monkeypatch.setattr(drafts, "MAX_SENTENCES", 3)
    answer = send(desk, text=TEXT)
    assert answer.status == 422
    assert "has more than 3 sentences; the desk takes no more" in answer.body


def test_nothing_to_read_or_no_target_asks_again(desk):
    assert send(desk).status == 422
    assert send(desk, text=TEXT, target="elsewhere").status == 422
    assert send(desk, text=TEXT, date="soon").status == 422


def test_forms_without_our_token_are_refused(desk):
    assert send(desk, text="My words.", token_of_form="0" * 64).status == 403
    path = paste(desk)
    for act in ("checks", "stop", "remove"):
        answer = desk.post(f"{path}/{act}", {"token_of_form": "0" * 64, "sentence": "1"})
        assert answer.status == 403
    other = paste(desk)
    secret = token(desk.get(path).body, f"{path}/checks")
    assert desk.post(f"{other}/checks", {"token_of_form": secret, "sentence": "1"}).status == 403
    assert desk.app.database.asked() == []


def test_another_sites_page_cannot_bring_a_draft(desk):
    body = f"--{BOUNDARY}--\r\n"
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    headers = {"content_type": kind, "Origin": "https://evil.example"}
    assert desk.send("POST", "/drafts", body, **headers).status == 403


@pytest.mark.parametrize("body", ["", "--x", "--a-boundary\r\nContent-Disposition: form-data\r\n"])
def test_a_broken_form_is_refused(desk, body):
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    assert desk.send("POST", "/drafts", body, content_type=kind).status in (400, 403)
    assert desk.get("/").status == 200


def test_ticks_that_are_no_sentence_of_the_draft_are_passed_over(desk):
    path = paste(desk)
    secret = token(desk.get(path).body, f"{path}/checks")
    form = {"token_of_form": secret, "sentence": ["99", "-1", "x", "²"]}
    assert desk.post(f"{path}/checks", form).status == 422
    assert desk.app.database.asked() == []


def test_every_sentence_of_the_longest_draft_is_ticked_and_reworded_at_once(desk):
    desk.app.queue.stop(5)
    positions = range(drafts.MAX_SENTENCES)
    draft = Draft("a.txt", tuple(DraftSentence(f"It cost {n} million.", n) for n in positions))
    number = draft_table.add(desk.app.database, draft, TARGET)
    cost = f"The bridge of Ærø, {'as was said, ' * 4}cost {{}} million."
    said = {f"claim-{n}": cost.format(n) for n in positions}
    hidden = {"token_of_form": desk.app.form_token(f"draft-{number}")}
    form = {**hidden, "sentence": list(positions), **said}
    assert len(urlencode(form, doseq=True)) > access.MAX_BYTES
    assert desk.post(f"/drafts/{number}/checks", form).status == 303
    assert [check.claim.text for check in desk.app.database.asked()] == list(said.values())


def test_a_form_with_too_many_fields_is_refused(desk):
    assert desk.post("/checks", {f"f{n}": "" for n in range(5000)}).status == 413


def test_a_removed_draft_is_gone_and_its_claims_stay(desk):
    path = paste(desk)
    tick(desk, path, 1)
    page = done(desk, path)
    for _ in range(2):  # as by two clicks
        removed = desk.post(f"{path}/remove", {"token_of_form": token(page, f"{path}/remove")})
        assert (removed.status, removed.headers["location"]) == (303, "/")
    assert desk.get(path).status == 404
    assert "The bridge at Varnby is shut." in desk.get("/").body
    assert desk.get("/drafts/77").status == 404


def test_a_draft_is_removed_with_its_claims_and_reviews_if_that_is_ticked(desk):
    other = desk.ask("The bridge at Varnby is open.")
    path = paste(desk)
    tick(desk, path, 1, 2)
    done(desk, path)
    desk.review("check-2")
    page = desk.get(path).body
    assert "also 2 claims of it, 1 with a review" in page
    form = {"token_of_form": token(page, f"{path}/remove"), "claims": "yes"}
    assert desk.post(f"{path}/remove", form).headers["location"] == "/"
    assert [check.number for check in desk.app.database.asked()] == [1]
    assert desk.app.database.reviews() == {}
    assert desk.get(other).status == 200
    assert desk.get(path).status == 404


def test_exports_of_the_desk_are_by_number_and_name_the_draft(desk):
    desk.settled(desk.ask("The bridge at Varnby is open."))
    path = paste(desk)
    tick(desk, path, 1, 2)
    done(desk, path)
    for where, drafts_told in (("", ["", TITLE, TITLE]), (path, [TITLE, TITLE])):
        table = desk.get(f"{where}/export/claims.csv").body
        rows = list(csv.DictReader(StringIO(table)))
        assert [row["draft"] for row in rows] == drafts_told
        assert [row["key"] for row in rows] == [f"check-{4 - n}" for n in range(len(rows), 0, -1)]


def test_the_draft_is_exported_with_its_verdicts(desk):
    path = paste(desk)
    tick(desk, path, 1, 2)
    done(desk, path)
    page = desk.get(f"{path}/export/report.html").body
    assert 'href="#check-1">The bridge at Varnby is shut.</a>' in page
    assert "We must build more." in page
    exported = json.loads(desk.get(f"{path}/export/claims.json").body)
    assert [claim["key"] for claim in exported["claims"]] == ["check-1", "check-2"]
    sentences = exported["article"]["sentences"]
    assert [one["check"] for one in sentences] == [None, 1, 2, None, None]
    assert desk.get("/drafts/77/export/report.html").status == 404
    written = as_word(desk, path)
    texts = [paragraph.text for paragraph in written.paragraphs]
    assert texts[:2] == [
        "The bridge at Varnby",
        "The bridge at Varnby is shut. It cost 32 million euros in 1962.",
    ]
    comments = [comment.text for comment in written.comments]
    assert len(comments) == 2
    assert all("The machine’s verdict: " in text for text in comments)
    marked = [run.text for run in written.paragraphs[1].runs if run.text]
    assert marked == ["The bridge at Varnby is shut.", " ", "It cost 32 million euros in 1962."]
    assert written.paragraphs[0].style.name == "Heading 1"
    listed = [one.text for one in written.paragraphs if one.style.name == "List Bullet"]
    assert listed[0] == "The bridge at Varnby (no whole sentence)"
    assert len(listed) == 3


def test_a_draft_outlives_the_desk(nltk_loaded, tmp_path):
    with desk_of(tmp_path / "run", **DRAFTS) as served:
        path = paste(served)
    with desk_of(tmp_path / "run", **DRAFTS) as served:
        assert "seem to claim something" in served.get(path).body


def test_a_desk_that_only_shows_a_run_takes_no_draft(tmp_path):
    with desk_of(tmp_path / "run") as served:
        assert 'action="/drafts"' not in served.get("/").body
        secret = served.app.form_token("draft")
        assert send(served, text=TEXT, token_of_form=secret).status == 422


def test_a_claim_that_is_not_english_says_so(desk):
    page = desk.settled(desk.ask("Die Brücke in Varnby ist seit März gesperrt."))
    assert "This claim looks German." in page
    asked = json.loads(desk.get("/api/claims/check-1").body)
    assert asked["language"] == "German"
    page = desk.settled(desk.ask("The bridge at Varnby is shut."))
    assert "looks" not in page
    assert json.loads(desk.get("/api/claims/check-2").body)["language"] is None


TUNNEL = """The Harbour Tunnel was approved in 2019. Its cost has risen to 42 million crowns."""


def test_a_sentence_that_begins_with_a_pronoun_can_be_edited(desk):
    path = paste(desk, TUNNEL)
    page = Page(desk.get(path).body)
    (box,) = [one for one in page.all("input") if one.get("name") == "claim-1"]
    assert box["value"] == "Its cost has risen to 42 million crowns."
    secret = token(desk.get(path).body, f"{path}/checks")
    edited = "The tunnel's cost has risen to 42 million crowns."
    form = {"token_of_form": secret, "sentence": ["0", "1"], "claim-1": edited, "claim-0": " "}
    assert desk.post(f"{path}/checks", form).status == 303
    asked = [check.claim.text for check in desk.app.database.asked()]
    assert asked == ["The Harbour Tunnel was approved in 2019.", edited]


def test_a_checked_sentence_is_checked_again_in_other_words_and_the_draft_has_that_verdict(desk):
    path = paste(desk, "The bridge was shut in 2019. The ferry was sold in 2018.")
    tick(desk, path, 0, 1)
    done(desk, path)
    page = desk.get("/claims/check-1").body
    words = "The bridge at Varnby was shut in 2019."
    form = {"token_of_form": token(page, "/claims/check-1/again"), "claim": words}
    assert desk.post("/claims/check-1/again", form).headers["location"] == "/claims/check-1"
    shown = Page(done(desk, path)).text()
    assert "2 of 2 done" in shown
    assert shown.count(f"checked as: {words}") == 1
    assert "Earlier checks: 1" in Page(desk.get("/claims/check-1").body).text()
    (one, _) = json.loads(desk.get(f"{path}/export/claims.json").body)["claims"]
    assert one["claim"] == words


def test_what_was_said_anew_of_a_sentence_that_is_not_ticked_is_not_lost(desk):
    path = paste(desk, TUNNEL)
    secret = token(desk.get(path).body, f"{path}/checks")
    form = {"token_of_form": secret, "sentence": ["0"], "claim-1": "The tunnel's cost has risen."}
    refused = desk.post(f"{path}/checks", form)
    assert refused.status == 422
    assert "The tunnel&#39;s cost has risen.</pre>" in refused.body
    assert desk.app.database.asked() == []
    form["claim-1"] = " Its cost has risen to  42 million crowns. "  # only blanks differ
    assert desk.post(f"{path}/checks", form).status == 303


def test_the_reason_of_an_unticked_sentence_is_exported(desk):
    path = paste(desk, TUNNEL)
    tick(desk, path, 0)
    done(desk, path)
    texts = [paragraph.text for paragraph in as_word(desk, path).paragraphs]
    assert "(does not say who or what “Its” is)" in "".join(texts)


def test_sentences_that_wait_are_marked(desk, votes):
    while votes.acquire(blocking=False):
        pass
    path = paste(desk, "The bridge at Varnby is shut. It cost 32 million euros. Will it open?")
    tick(desk, path, 0, 1)
    assert desk.get(path).body.count("not checked yet") == 2
    votes.release(100)
    assert "not checked yet" not in done(desk, path)


def test_a_pronoun_is_left_as_it_stands_and_its_sentence_not_ticked(desk):
    text = "Ms Tennant presented the budget on 20 February 2024. It rose by 12 per cent."
    page = Page(desk.get(paste(desk, text)).body)
    (box,) = [one for one in page.all("input") if one.get("name") == "claim-1"]
    assert box["value"] == "It rose by 12 per cent."
    ticks = [one for one in page.all("input") if one.get("name") == "sentence"]
    assert ["checked" in one for one in ticks] == [True, False]
    assert "does not say who or what “It” is" in page.text()
    assert "2 sentences; 1 of them seems to claim" in page.text()


def test_a_sentence_that_was_checked_before_says_so(desk):
    path = paste(desk, TUNNEL)
    tick(desk, path, 0)
    until(lambda: desk.app.database.check("check-1").record)
    page = Page(desk.get(paste(desk, TUNNEL)).body)
    assert page.text().count("checked before: ") == 1
    assert ticked(page)[0] is False  # what is known needs no second check
    other = Page(desk.get(paste(desk, TUNNEL, speaker="Ada")).body)
    assert "checked before, without a speaker" in other.text()
    assert ticked(other)[0] is True


def ticked(page) -> list[bool]:
    return ["checked" in one for one in page.all("input") if one.get("name") == "sentence"]


def test_claims_of_the_same_words_are_told_apart_by_who_said_them_and_when(desk):
    desk.settled(desk.ask("The bridge is shut."))
    desk.settled(desk.ask("The bridge is shut.", speaker="Ada Byron", date="2020-10-31"))
    for path in ("/", "/export/report.html"):
        listed = Page(desk.get(path).body).text()
        assert listed.count("The bridge is shut. Ada Byron, 31 October 2020") == 1
        assert listed.count("The bridge is shut.") > 1


def test_a_claim_that_others_checked_is_recognised_and_foreign_sentences_are_named(
    nltk_loaded, tmp_path
):
    known = CheckedClaim("The tunnel was approved in 2019.", "False", "The Gazette", "2021-03-02")
    asked = []

    def recognise(texts):
        asked.extend(texts)
        return [known if "approved" in text else None for text in texts]

    german = "Der Hafen wurde im Jahr 2019 für viel Geld ausgebaut."
    before = CheckedBefore(lambda claim: (), recognise)
    with desk_of(tmp_path / "run", **DRAFTS, checked_before=before) as served:
        text = f"The Harbour Tunnel was approved in 2019. Will it open? {german}"
        page = Page(served.get(paste(served, text)).body).text()
        listed = ("claims.csv", f"claim\n{german}\n".encode())
        table = Page(served.get(send(served, file=listed).headers["location"]).body).text()
    told = "· checked before: “The tunnel was approved in 2019.” False, by The Gazette, 2021-03-02"
    assert page.count(told) == 1
    assert f"{german} · German, not English" in page
    assert f"{german} line 2 German" in table
    assert "Will it open?" not in asked


def test_two_clicks_or_tabs_check_a_sentence_once(desk, votes):
    while votes.acquire(blocking=False):
        pass
    path = paste(desk)
    secret = token(desk.get(path).body, f"{path}/checks")
    form = {"token_of_form": secret, "sentence": ["1", "2"]}
    for _ in range(2):
        assert desk.post(f"{path}/checks", form).status == 303
    assert len(desk.app.database.asked()) == 2
    votes.release(100)
    assert "2 of 2 done" in done(desk, path)
    assert desk.post(f"{path}/checks", {**form, "sentence": ["2", "4"]}).status == 303
    assert "3 of 3 done" in done(desk, path)
    assert len(desk.app.database.asked()) == 3


def test_neither_a_text_nor_the_name_of_a_file_is_lost(desk):
    both = send(desk, text="My words.", file=("a.txt", TEXT.encode()))
    assert (both.status, "My words." in both.body) == (422, True)
    away = send(desk, text="My words. " * 150_000, target="elsewhere")
    assert (away.status, away.body.count("My words.")) == (422, 150_000)
    long = send(desk, file=(f"{'long ' * 45}: end.txt", TEXT.encode()))
    assert long.status == 303
    assert "long long" in desk.get(long.headers["location"]).body


def test_a_draft_whose_documents_are_gone_is_not_checked(desk):
    path = paste(desk)
    form = {"token_of_form": token(desk.get(path).body, f"{path}/checks"), "sentence": "1"}
    desk.app.fixed.clear()
    answer = desk.post(f"{path}/checks", form)
    assert (answer.status, "its collection was deleted" in answer.body) == (409, True)
    assert desk.app.database.asked() == []


def test_a_list_has_no_date_that_cannot_limit_its_evidence(nltk_loaded, tmp_path):
    with desk_of(tmp_path / "run", **DRAFTS, needs_date=True) as served:
        table = b"claim,date\nThe bridge is shut.,2020-10-31\nSnow fell.,last May\n"
        answer = send(served, file=("claims.csv", table), date="2021-01-01")
        assert answer.status == 422
        assert "last May: is not a date; write it as 2020-10-31. It is of: Snow" in answer.body
        assert send(served, file=("claims.csv", table[:-9]), date="2021-01-01").status == 303
