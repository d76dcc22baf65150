"""The pages of the desk: what they show, of a run and of claims checked here."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from tests.support.pages import HOSTILE, Page
from tests.support.serving import TARGET, desk_of, fields, gated, token
from tests.support.small_run import CLAIMS, HEADER, METHOD, corpus_for, with_llm
from uhhrag.errors import UsageError
from uhhrag.serve.targets import Searchable, Target
from uhhrag.views.review import Review
from uhhrag.views.run_view import RunView
from uhhrag.views.searched import searched_with

pytestmark = pytest.mark.slow


def test_the_list_shows_the_run_and_a_box_for_a_claim(still):
    page = Page(still.get("/").body)
    shown = page.text()
    assert all(" ".join(claim.text.split()) in shown for claim in CLAIMS)
    assert {"name": "claim", "id": "claim"}.items() <= page.all("textarea")[0].items()
    assert "The folder" in shown


def test_a_claim_is_checked_and_stands_first_with_its_votes(desk):
    path = desk.ask("The bridge at Varnby is shut.", date="2020-10-31", speaker="The mayor")
    shown = Page(desk.settled(path)).text()
    assert "The bridge at Varnby is shut." in shown
    assert shown.count("Confidence") == 2  # in the verdict's sentence, and among the figures
    assert "31 October 2020" in shown
    first = Page(desk.get("/").body).all("a")
    assert next(a["href"] for a in first if a.get("class") == "row") == path


def test_a_desk_without_a_claim_offers_no_export(tmp_path):
    with desk_of(tmp_path / "run", run=False) as served:
        assert "/export/" not in served.get("/").body


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
        scripts = [script["src"] for script in Page(served.get("/").body).all("script")]
        assert scripts == ["/assets/kept.js", "/assets/highlight.js", "/assets/list.js"]
        assert Page(served.get(path).body).all("script") == [
            {"src": "/assets/renew.js", "defer": ""},
            {"src": "/assets/watch.js", "defer": ""},
        ]
        allowed.release(10)
        assert Page(served.settled(path)).all("script") == [
            {"src": "/assets/name.js", "defer": ""},
            {"src": "/assets/kept.js", "data-desk": served.app.desk, "defer": ""},
            {"src": "/assets/review.js", "defer": ""},
        ]


@pytest.mark.parametrize("form", [{}, {"claim": "  \n "}, {"claim": "c", "target": "elsewhere"}])
def test_a_claim_that_cannot_be_checked_is_refused_with_a_reason(still, form):
    answer = still.post("/checks", {**fields(still.get("/").body), "target": TARGET, **form})
    assert answer.status == 422
    assert 'role="alert"' in answer.body
    assert still.app.database.asked() == []


def test_a_date_is_needed_where_it_limits_the_evidence(tmp_path):
    with desk_of(tmp_path / "run", needs_date=True) as served:
        hidden = fields(served.get("/").body)
        form = {**hidden, "claim": "It is open.", "target": TARGET}
        answer = served.post("/checks", form)
        assert (answer.status, "Say when it was claimed" in answer.body) == (422, True)
        answer = served.post("/checks", {**form, "date": "soon"})
        assert (answer.status, "cannot be read" in answer.body) == (422, True)
        assert served.post("/checks", {**form, "date": "2020-10-31"}).status == 303


@pytest.mark.parametrize(
    "path",
    ["/claims/nope", "/claims/check-7", "/export/x", "/assets/../desk.py", "/assets/x", "/x"],
)
def test_what_is_not_there_is_not_found(still, path):
    assert still.get(path).status == 404


def test_without_something_to_check_against_there_is_no_box(tmp_path):
    with desk_of(tmp_path / "run", targets={}) as served:
        page = served.get("/").body
        assert "<textarea" not in page
        assert "--docs FOLDER" in page


def test_a_run_that_grows_is_shown_as_it_is_now(desk, tmp_path):
    run = tmp_path / "run"
    before = (run / "trace.jsonl").read_bytes()
    (run / "trace.jsonl").write_bytes(b"".join(before.splitlines(keepends=True)[:2]))
    assert "2 of 2 claims shown" in desk.get("/").body
    assert CLAIMS[3].text not in desk.get("/").body
    (run / "trace.jsonl").write_bytes(before)
    assert CLAIMS[3].text in desk.get("/").body


def test_a_port_in_use_is_named(still):
    from uhhrag.serve.server import listen

    with pytest.raises(UsageError, match=f"127.0.0.1:{still.port} cannot be listened on"):
        listen("127.0.0.1", still.port)


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
    desk.app.database.review_after(0, Review(note="gone", seen="x"), "claim-99")
    assert desk.get("/").status == 200
    assert Path(desk.app.read().name).name == "run"


@pytest.mark.parametrize(("source", "warned"), [("training claims", False), ("none", True)])
def test_a_desk_without_a_run_says_what_its_checks_are_made_with_and_warns_only_of_what_is_so(
    tmp_path, source, warned
):
    header = {**HEADER, "calibration": {"source": source}}
    made = searched_with(header)
    targets = {TARGET: Target("It", lambda _: (corpus_for, METHOD), lambda: made)}
    with desk_of(tmp_path, read=lambda: RunView("reports", header, ()), targets=targets) as served:
        served.settled(served.ask("The bridge is shut."))
        shown = Page(served.get("/").body).text()
        said = json.loads(served.get("/export/claims.json").body)
    assert ("No calibration for this model and prompt" in shown) is warned
    assert said["signature"] == HEADER["signature"]


def test_what_was_written_is_given_back_where_it_cannot_be_checked(still):
    hidden = fields(still.get("/").body)
    for form, why in (
        ({"claim": "My words.", "target": "gone"}, "Choose what to check it against."),
        ({"claim": "My words.", "target": TARGET, "date": "soon"}, "cannot be read"),
        ({"claim": "My words. " * 501, "target": TARGET}, "has more than 5,000 characters"),
    ):
        answer = still.post("/checks", {**hidden, **form})
        assert (answer.status, why in answer.body) == (422, True)
        assert " ".join(form["claim"].split()) in answer.body
    assert still.app.database.asked() == []


def test_a_claim_that_waits_is_not_queued_twice(gated_desk, votes):
    while votes.acquire(blocking=False):
        pass
    path = gated_desk.ask("The bridge is shut.", date="2020-10-31")
    assert gated_desk.ask("The bridge is shut.", date="2020-10-31") == path
    others = {gated_desk.ask("The bridge is shut."), gated_desk.ask("The bridge is open.")}
    assert others == {"/claims/check-2", "/claims/check-3"}
    votes.release(100)
    decided = gated_desk.settled(path)
    assert gated_desk.ask("The bridge is shut.", date="2020-10-31") == "/claims/check-4"
    again = {"token_of_form": token(decided, f"{path}/again")}
    gated_desk.app.queue.stop(5)
    for _ in range(2):  # as by two clicks
        answer = gated_desk.post(f"{path}/again", again)
        assert (answer.status, answer.headers["location"]) == (303, path)


def test_the_first_page_of_a_folder_leads_to_its_search(tmp_path):
    archive = Searchable(None, lambda: None, lambda documents: None)
    target = Target("The folder", lambda _: (corpus_for, METHOD), archive=lambda: archive)
    with desk_of(tmp_path / "run", targets={"docs-1": target}) as served:
        assert 'href="/search/docs-1"' in served.get("/").body
