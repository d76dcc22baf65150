"""The desk over HTTP: what it shows, takes, keeps and refuses."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.pages import HOSTILE, Page
from tests.support.serving import TARGET, desk_of, fields, gated, spoken
from tests.support.small_run import CLAIMS, HEADER, METHOD, corpus_for, with_llm
from tests.support.waiting import until
from uhhrag.errors import RunError, UsageError
from uhhrag.pipeline import decide
from uhhrag.records import Claim, Label, Reply
from uhhrag.serve import access
from uhhrag.serve.access import Access, check_access, own_host
from uhhrag.serve.corpora import Target, of_index, whole
from uhhrag.serve.database import FILE, open_database
from uhhrag.serve.progress import decide_with_progress
from uhhrag.serve.run_reader import nothing
from uhhrag.verdict.rules import RULES
from uhhrag.views.run_view import Review

TOKEN = "a token of good length"  # noqa: S105


@pytest.fixture
def desk(tmp_path):
    with desk_of(tmp_path / "run") as served:
        yield served


def test_the_list_shows_the_run_and_a_box_for_a_claim(desk):
    page = Page(desk.get("/").body)
    shown = page.text()
    assert all(" ".join(claim.text.split()) in shown for claim in CLAIMS)
    assert {"name": "claim", "id": "claim"}.items() <= page.all("textarea")[0].items()
    assert "The folder" in shown


def test_a_claim_is_checked_and_stands_first_with_its_votes(desk):
    path = desk.ask("The bridge at Varnby is shut.", date="2020-10-31", speaker="The mayor")
    shown = Page(desk.settled(path)).text()
    assert "The bridge at Varnby is shut." in shown
    assert "confidence" in shown
    assert "2020-10-31" in shown
    first = Page(desk.get("/").body).all("a")
    assert next(a["href"] for a in first if a.get("class") == "row") == path


def test_the_verdict_is_that_of_predict_and_the_first_vote_is_told_before_the_others():
    claim, reports = CLAIMS[0], []
    verdict, seconds = decide_with_progress(claim, corpus_for(claim), METHOD, reports.append)
    assert verdict == decide(claim, corpus_for(claim), METHOD)
    assert [progress.doing for progress in reports[:3]] == [
        "Searching",
        "Asking questions",
        "Voting",
    ]
    assert [len(progress.votes) for progress in reports[2:]] == [0, 1, 3]
    assert reports[-1].votes == verdict.votes
    assert "vote_constrained" in seconds


@pytest.mark.parametrize("rule", ["majority", "baseline", "weighted"])
@pytest.mark.parametrize("reply", ["?", "B", "C"])
def test_a_vote_on_the_way_is_the_vote_that_is_cast_whatever_the_model_replies(rule, reply):
    """Also for a model that gives no probabilities and a reply that is no option."""

    def voter(prompts, ask, /):
        return [Reply(reply)] * len(prompts)

    reports: list = []
    method = replace(METHOD, rule=RULES[rule], voter=voter)
    verdict, _ = decide_with_progress(CLAIMS[0], corpus_for(CLAIMS[0]), method, reports.append)
    assert reports[-1].votes == verdict.votes != ()


def test_votes_are_shown_beside_what_they_were_cast_on_where_far_passages_are_left_out():
    """The nearest passage is not the first in rank, so a position is no guide."""
    every = decide(CLAIMS[0], corpus_for(CLAIMS[0]), METHOD)
    scores = sorted(item.retrieval_score for item in every.evidence)
    some, reports = replace(METHOD, nearest=scores[1]), []
    verdict, _ = decide_with_progress(CLAIMS[0], corpus_for(CLAIMS[0]), some, reports.append)
    assert 0 < len(verdict.evidence) < len(every.evidence)
    answers = [item.answer for item in verdict.evidence]
    assert [[item.answer for item in progress.evidence] for progress in reports[2:]] == [
        answers
    ] * 3


def test_votes_can_be_seen_while_they_are_cast_by_loading_the_page_again(tmp_path):
    allowed = threading.Semaphore(0)
    with desk_of(tmp_path / "run", method=gated(allowed)) as served:
        path = served.ask("The bridge is shut.")
        for cast in (0, 1):
            until(lambda n=cast: f"{n} of 3 votes are cast" in Page(served.get(path).body).text())
            assert '<noscript><meta http-equiv="refresh"' in served.get(path).body
            allowed.release()
        assert served.settled(path).count("This vote is wrong") == 3


def test_changes_are_told_as_they_happen_and_end_with_the_check(tmp_path):
    allowed = threading.Semaphore(0)
    with desk_of(tmp_path / "run", method=gated(allowed)) as served:
        path = served.ask("The bridge is shut.")
        until(lambda: "0 of 3 votes are cast" in Page(served.get(path).body).text())
        lines = served.events(f"{path}/changes")
        assert next(lines) == "retry: 1000\n"
        for _ in range(3):
            assert next(line for line in lines if line.strip()) == "data: changed\n"
            allowed.release()
        assert set(lines) <= {"data: changed\n", "\n"}
        assert "data-watch" not in served.get(path).body


def test_claims_wait_for_each_other(tmp_path):
    allowed = threading.Semaphore(0)
    with desk_of(tmp_path / "run", method=gated(allowed)) as served:
        paths = [served.ask(f"Claim number {n} is true.") for n in range(3)]
        assert "Waiting" in served.get(paths[2]).body
        assert "In the queue" in served.get("/").body
        allowed.release(6)
        verdicts = [served.settled(path) for path in paths]
        assert all("Your review" in page for page in verdicts)


def test_a_failed_check_says_why_and_can_be_tried_again(tmp_path):
    broken = []

    def breaks(prompts, ask):
        broken.append(1)
        if len(broken) == 1:
            raise RuntimeError("the model tripped <b>")
        return METHOD.voter(prompts, ask)

    with desk_of(tmp_path / "run", method=with_llm(voter=breaks)) as served:
        path = served.ask("The bridge is shut.")
        page = served.settled(path)
        assert "the model tripped <b>" in Page(page).text()
        assert served.post(f"{path}/again", fields(page)).status == 303
        assert "Your review" in served.settled(path)


def test_a_ground_that_is_gone_fails_the_claim_and_not_the_desk(tmp_path):
    (tmp_path / "run").mkdir()
    with open_database(tmp_path / "run" / FILE) as opened:
        opened.ask(Claim(0, "Left over."), "another")
    with desk_of(tmp_path / "run") as served:
        assert "not named any more" in served.settled("/claims/check-1")
        assert "Your review" in served.settled(served.ask("The bridge is shut."))


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


def test_text_from_elsewhere_is_shown_and_never_run(desk):
    path = desk.ask(HOSTILE, speaker=HOSTILE)
    desk.settled(path)
    desk.review(path.rpartition("/")[2], note=HOSTILE)
    for page in (path, "/", "/export/report.html"):
        found = Page(desk.get(page).body)
        assert found.all("img") == []
        assert not [n for _, attributes in found.tags for n in attributes if n.startswith("on")]
        assert "<script>alert(1)</script>" in found.text()


def test_pages_load_scripts_of_the_desk_only(tmp_path):
    allowed = threading.Semaphore(0)
    with desk_of(tmp_path / "run", method=gated(allowed)) as served:
        path = served.ask("The bridge is shut.")
        assert Page(served.get("/").body).all("script") == [
            {"src": "/assets/report.js", "defer": ""}
        ]
        assert Page(served.get(path).body).all("script") == [
            {"src": "/assets/watch.js", "defer": ""}
        ]
        allowed.release(10)
        assert Page(served.settled(path)).all("script") == []


def test_no_cell_of_the_csv_is_a_formula(desk):
    desk.settled(desk.ask('=HYPERLINK("https://evil.example")', speaker="@SUM(1)"))
    rows = list(csv.reader(io.StringIO(desk.get("/export/claims.csv").body)))
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]
    assert "'=HYPERLINK" in rows[1][1]


@pytest.mark.parametrize("form", [{}, {"claim": "  \n "}, {"claim": "c", "target": "elsewhere"}])
def test_a_claim_that_cannot_be_checked_is_refused_with_a_reason(desk, form):
    answer = desk.post("/checks", {**fields(desk.get("/").body), "target": TARGET, **form})
    assert answer.status == 422
    assert 'role="alert"' in answer.body
    assert desk.app.database.asked() == []


@pytest.mark.parametrize(
    "path",
    ["/claims/nope", "/claims/check-7", "/export/x", "/assets/../desk.py", "/assets/x", "/x"],
)
def test_what_is_not_there_is_not_found(desk, path):
    assert desk.get(path).status == 404


def test_without_something_to_check_against_there_is_no_box(tmp_path):
    with desk_of(tmp_path / "run", targets={}) as served:
        page = served.get("/").body
        assert "<textarea" not in page
        assert "--docs FOLDER" in page


# Who may speak to it.


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1.evil.example:{port}", ""],
)
def test_another_name_for_this_machine_is_turned_away(desk, host):
    answer = desk.get("/", Host=host.format(port=desk.port))
    assert answer.status in (400, 421)
    assert "bridge" not in answer.body


def test_names_of_this_machine_are_let_in(desk):
    for name in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        assert desk.get("/", Host=f"{name}:{desk.port}").status == 200


def test_a_name_that_only_looks_like_ours_is_not():
    access = Access("0.0.0.0", 80, "x" * 16)  # noqa: S104
    assert own_host(access, "192.168.1.7")
    assert own_host(access, socket.gethostname())
    assert not own_host(access, "rebound.example")
    assert not own_host(Access("127.0.0.1", 80), "192.168.1.7")
    assert own_host(Access("desk.example", 80), "desk.example:80")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost.evil.example"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_another_sites_page_cannot_change_anything(desk, headers):
    form = {**fields(desk.get("/").body), "claim": "Planted.", "target": TARGET}
    assert desk.post("/checks", form, **headers).status == 403
    assert desk.app.database.asked() == []


def test_a_page_of_ours_can(desk):
    form = {**fields(desk.get("/").body), "claim": "Asked.", "target": TARGET}
    headers = {"Origin": desk.address, "Sec_Fetch_Site": "same-origin"}
    assert desk.post("/checks", form, **headers).status == 303


@pytest.mark.parametrize("path", ["/checks", "/claims/claim-0/review", "/claims/check-1/again"])
def test_a_form_without_our_seal_is_refused_and_what_was_written_is_not_lost(desk, path):
    answer = desk.post(path, {"claim": "My words.", "note": "My words.", "seal": "0" * 64})
    assert answer.status == 403
    assert "again" in path or "My words." in answer.body
    assert desk.app.database.reviews() == {}
    assert desk.app.database.asked() == []


def test_a_seal_is_good_for_one_form_only(desk):
    form = fields(desk.get("/claims/claim-0").body)
    assert desk.post("/claims/claim-1/review", {**form, "note": "n"}).status == 403


def test_a_form_outlives_the_server(tmp_path):
    with desk_of(tmp_path / "run") as served:
        form = fields(served.get("/claims/claim-0").body)
    with desk_of(tmp_path / "run") as served:
        saved = served.post("/claims/claim-0/review", {**form, "note": "Written for an hour."})
        assert saved.status == 303


def test_every_answer_says_what_browsers_must_not_do(desk):
    for path in ("/", "/claims/claim-0", "/nope", "/assets/style.css", "/export/claims.json"):
        headers = desk.get(path).headers
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers
    assert "content-security-policy" in desk.get("/", Host="evil.example").headers


def test_exports_are_downloads(desk):
    for name in ("report.html", "claims.json", "claims.csv", "claimreview.jsonld"):
        kept = desk.get(f"/export/{name}").headers["content-disposition"]
        assert kept == f'attachment; filename="{name}"'


def test_what_is_too_long_is_refused(desk):
    assert desk.post("/checks", {"claim": "x" * access.LARGEST}).status == 413
    chunked = spoken(desk.port, "POST", "/checks", "a=b", Content_Length="999999999999999999")
    assert chunked.status in (400, 413)
    assert desk.get("/").status == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_do_nothing(desk, method):
    assert desk.send(method, "/checks", "").status in (403, 405)


def test_with_a_token_nothing_is_shown_before_it_is_given(tmp_path):
    with desk_of(tmp_path / "run", token=TOKEN) as served:
        for path in ("/", "/claims/claim-0", "/export/claims.json", "/claims/check-1/changes"):
            answer = served.get(path)
            assert answer.status == 303
            assert answer.headers["location"] == "/enter"
            assert "bridge" not in answer.body
        assert served.post("/checks", {"claim": "c"}).status == 401
        assert served.get("/enter").status == 200


def test_the_token_opens_the_door(tmp_path):
    with desk_of(tmp_path / "run", token=TOKEN) as served:
        assert served.post("/enter", {"token": "a wrong one of good length"}).status == 401
        answer = served.post("/enter", {"token": TOKEN})
        assert answer.status == 303
        cookie = answer.headers["set-cookie"]
        assert "httponly" in cookie.lower()
        assert "samesite=strict" in cookie.lower()
        assert TOKEN not in cookie
        assert "bridge" in served.get("/", Cookie=cookie.split(";")[0]).body
        assert "bridge" in served.get("/", Authorization=f"Bearer {TOKEN}").body
        assert served.get("/", Authorization="Bearer no").status == 401
        assert served.get("/", Cookie="uhhrag=no").status == 303


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "desk.example"])  # noqa: S104
def test_others_can_reach_it_only_with_a_token_that_cannot_be_guessed(host):
    with pytest.raises(UsageError, match="--token"):
        check_access(host, "")
    with pytest.raises(UsageError, match="guessed"):
        check_access(host, "short")
    check_access(host, TOKEN)


def test_on_this_machine_it_needs_none():
    for host in ("127.0.0.1", "::1", "localhost", "127.0.0.9"):
        check_access(host, "")


# What is kept.


def test_the_desk_is_readable_by_its_owner_alone(desk, tmp_path):
    desk.review("claim-0", note="confidential")
    mode = stat.S_IMODE((tmp_path / "run" / FILE).stat().st_mode)
    assert mode == 0o600


def test_a_desk_has_one_server(desk, tmp_path):
    with (
        pytest.raises(RunError, match="another uhhrag serve"),
        open_database(tmp_path / "run" / FILE),
    ):
        pass


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_desk_is_refused_in_one_line(tmp_path, content):
    file = tmp_path / FILE
    file.write_bytes(content)
    with pytest.raises(RunError) as caught, open_database(file):
        pass
    assert "--desk" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert file.read_bytes() == content


def test_a_desk_of_a_later_version_is_left_alone(tmp_path):
    with open_database(tmp_path / FILE) as opened:
        opened._connection.execute("PRAGMA user_version = 99")
    with pytest.raises(RunError, match="later version: 99"), open_database(tmp_path / FILE):
        pass


def test_killed_in_the_middle_nothing_that_was_said_is_lost(tmp_path):
    """Reviews that were answered and claims that were asked outlive a kill; the claim that was
    being checked is checked by the next server."""
    command = [sys.executable, "-m", "tests.support.serving", str(tmp_path / "run")]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        port = int(started.stdout.readline())

        def get(path):
            return spoken(port, "GET", path, None).body

        def post(path, form):
            from urllib.parse import urlencode

            return spoken(port, "POST", path, urlencode(form)).status

        for number in range(3):
            form = {**fields(get("/claims/claim-0")), "note": f"note {number}"}
            assert post("/claims/claim-0/review", form) == 303
        asked = {**fields(get("/")), "claim": "The bridge is shut.", "target": TARGET}
        assert post("/checks", asked) == 303
        until(lambda: "1 of 3 votes are cast" in Page(get("/claims/check-1")).text())
    finally:
        os.kill(started.pid, signal.SIGKILL)
        started.wait()
    with desk_of(tmp_path / "run") as served:
        assert "note 2" in served.get("/claims/claim-0").body
        assert "Your review" in served.settled("/claims/check-1")
        kept = served.app.database._connection.execute("SELECT count(*) FROM reviews").fetchone()
        assert kept == (3,)


# What is checked against.


def test_an_index_offers_all_its_stores_and_each():
    asked = []

    def load():
        return (lambda claim: asked.append(claim) or corpus_for(claim)), METHOD

    found = of_index("index", CLAIMS, load)
    assert list(found) == ["all", *(f"store-{claim.id}" for claim in CLAIMS)]
    corpus, method = found["store-2"].open()
    corpus(Claim(77, "New.", "2020-01-01"))
    assert asked == [Claim(2, "New.", "2020-01-01")]
    assert method is METHOD
    assert list(of_index("index", CLAIMS[:1], load)) == ["store-0"]


def test_many_stores_are_searched_as_one():
    one, all_four = corpus_for(CLAIMS[0]), whole(CLAIMS, corpus_for)
    query = "Who opened the bridge?"
    assert all_four.search(query, 3) == one.search(query, 3)
    verdict = decide(CLAIMS[0], all_four, METHOD)
    assert verdict == decide(CLAIMS[0], one, METHOD)


def limited(claim):
    """Limits that take three passages from the first store and one from each other."""
    removed = {"date": 2, "site": 1} if claim.id == 0 else {"date": 1}
    return replace(corpus_for(claim), removed=removed)


def test_what_limits_took_from_many_stores_is_added_up_once():
    stores = whole(CLAIMS[:3], limited)
    for query in ("Who opened the bridge?", "Is it open?"):
        stores.search(query, 3)
    assert stores.removed == {"date": 4, "site": 1}
    assert decide(CLAIMS[0], whole(CLAIMS[:3], limited), METHOD).removed == stores.removed


def test_the_page_of_a_claim_says_how_many_passages_the_limits_took_away(tmp_path):
    index = of_index("index", CLAIMS[:3], lambda: (limited, METHOD))
    with desk_of(tmp_path / "run", targets=index) as served:
        everywhere = Page(served.settled(served.ask("The bridge is shut.", target="all"))).text()
        one_store = Page(served.settled(served.ask("The bridge is up.", target="store-1"))).text()
    assert "Left out (date limit) 4 passages" in everywhere
    assert "Left out (site limit) 1 passage" in everywhere
    assert "Left out (date limit) 1 passage" in one_store


def test_a_run_that_grows_is_shown_as_it_is_now(desk, tmp_path):
    run = tmp_path / "run"
    before = (run / "trace.jsonl").read_bytes()
    (run / "trace.jsonl").write_bytes(b"".join(before.splitlines(keepends=True)[:2]))
    assert "2 claims" not in desk.get("/").body
    assert CLAIMS[3].text not in desk.get("/").body
    (run / "trace.jsonl").write_bytes(before)
    assert CLAIMS[3].text in desk.get("/").body


def test_a_port_in_use_is_named(desk):
    from uhhrag.serve.server import listen

    with pytest.raises(UsageError, match=f"127.0.0.1:{desk.port} cannot be listened on"):
        listen("127.0.0.1", desk.port)


def test_a_model_that_cannot_be_loaded_fails_the_claim(tmp_path):
    def missing():
        raise RunError("no model here; run: uhhrag models pull default")

    with desk_of(tmp_path / "run", targets={TARGET: Target("g", missing)}) as served:
        assert "uhhrag models pull default" in served.settled(served.ask("A claim."))


def test_a_claim_of_the_run_that_failed_is_shown_without_a_review_form(tmp_path):
    def breaks(prompts, ask):
        raise RuntimeError("struck")

    from tests.support.small_run import run_all

    list(run_all(tmp_path / "run", method=with_llm(voter=breaks)))
    with desk_of(tmp_path / "run") as served:
        page = served.get("/claims/claim-0").body
        assert "struck" in page
        assert "<form" not in page


def test_reviews_of_claims_that_are_no_more_do_not_disturb(desk):
    desk.app.database.review("claim-99", "x", replace(Review(), note="gone"))
    assert desk.get("/").status == 200
    assert Path(desk.app.read().name).name == "run"


def test_a_desk_without_a_run_says_what_its_checks_are_made_with_and_warns_only_of_what_is_so(
    tmp_path,
):
    warning = "No calibration for this model and prompt"
    for source, warned in (("training claims", False), ("none", True)):
        header = {**HEADER, "calibration": {"source": source}}
        with desk_of(tmp_path / source, read=nothing("reports", header)) as served:
            served.settled(served.ask("The bridge is shut."))
            shown = Page(served.get("/").body).text()
            said = json.loads(served.get("/export/claims.json").body)
        assert (warning in shown) is warned
        assert said["signature"] == HEADER["signature"]
