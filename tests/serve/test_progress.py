"""Claims being checked: what is told of their progress, and what becomes of them."""

from __future__ import annotations

import math
import threading
from dataclasses import replace

import pytest

from tests.support.pages import Page
from tests.support.serving import TARGET, desk_of, fields, gated
from tests.support.small_run import CLAIMS, LLM, METHOD, by, corpus_for, with_llm
from tests.support.waiting import until
from uhhrag.errors import RunError
from uhhrag.pipeline import decide
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import EvidenceSource, VotingModels
from uhhrag.records import Claim, Hit, Label, Passage, Place, Reply
from uhhrag.records import Page as Document
from uhhrag.rules.learned import NEWS
from uhhrag.rules.rules import RULES, Decoding
from uhhrag.serve.database import FILE, open_database
from uhhrag.serve.progress import decide_with_progress
from uhhrag.serve.targets import Target
from uhhrag.voters import both
from uhhrag.voters.calibration import Calibration
from uhhrag.voters.opening import Opening

pytestmark = pytest.mark.slow


def test_the_verdict_is_that_of_predict_and_the_first_vote_is_told_before_the_others():
    claim, reports = CLAIMS[0], []
    verdict, seconds = decide_with_progress(claim, corpus_for(claim), METHOD, reports.append)
    assert verdict == decide(claim, corpus_for(claim), METHOD)
    assert [progress.doing for progress in reports[:4]] == [
        "Searching",
        "Reading the sentences",
        "Asking questions",
        "Voting",
    ]
    found = [item.answer for item in reports[1].evidence]
    assert found == [item.answer for item in reports[2].evidence]
    assert set(found) == {item.answer for item in verdict.evidence}
    assert [len(progress.votes) for progress in reports[3:]] == [0, 1, 3]
    assert reports[-1].votes == verdict.votes
    assert "vote_constrained" in seconds


def test_equal_lines_of_two_places_are_both_told():
    lines = "Schools", "It rose.", "Roads", "It rose."
    page = Document("https://a.example", lines, sections=((0, "Schools"), (2, "Roads")))
    hits = [Hit(Passage("It rose.", (page.url,), (Place(0, n),)), 0.5) for n in (1, 3)]
    corpus, reports = EvidenceSource(lambda query, top: hits, lambda number: page), []
    decide_with_progress(CLAIMS[0], corpus, METHOD, reports.append)
    told = [item.sources[0].section for item in reports[1].evidence]
    assert told == ["Schools", "Roads"]


@pytest.mark.parametrize("rule", ["majority", "baseline", "weighted"])
@pytest.mark.parametrize("reply", ["?", "B", "C"])
def test_a_vote_on_the_way_is_the_vote_that_is_cast_whatever_the_model_replies(rule, reply):
    """Also for a model that gives no probabilities and a reply that is no option."""

    def voter(prompts, ask, /):
        return [Reply(reply)] * len(prompts)

    reports: list = []
    method = replace(METHOD, **by(RULES[rule], voter))
    verdict, _ = decide_with_progress(CLAIMS[0], corpus_for(CLAIMS[0]), method, reports.append)
    assert reports[-1].votes == verdict.votes != ()


def test_votes_of_both_on_the_way_are_their_mean_and_calibrated_as_such(monkeypatch):
    """Each voter alone is for Supported, and so is the mean; its calibration makes it Refuted."""
    fitted = Calibration(1.0, (0.0, 9.0), "the mean")
    monkeypatch.setattr(both, "find", lambda *_: fitted)
    rule = RULES["majority"]
    opening = Opening(
        rule=rule, decoding=Decoding.CONSTRAINED, prompts=load_prompts(), field=NEWS, verifier="v"
    )
    opened = both.open_both(opening)
    assert (opened.reader, opened.calibration) == (None, fitted)

    def supports(pairs, /):
        return [(0.8, 0.1, 0.1)] * len(pairs)

    def says_a(prompts, ask, /):
        return [Reply("A", tuple(map(math.log, (0.5, 0.3, 0.2))))] * len(prompts)

    reports: list = []
    models = VotingModels(says_a, supports)
    method = replace(METHOD, voter=opened.voter, models=models)
    verdict, _ = decide_with_progress(CLAIMS[0], corpus_for(CLAIMS[0]), method, reports.append)
    assert [len(progress.votes) for progress in reports[3:]] == [0, 1, 3]
    assert reports[-1].votes == verdict.votes
    assert reports[-2].votes == verdict.votes[:1]
    assert {vote.label for vote in verdict.votes} == {Label.REFUTED}


def test_votes_are_shown_beside_what_they_were_cast_on_where_far_passages_are_left_out():
    """The nearest passage is not the first in rank, so a position is no guide."""
    every = decide(CLAIMS[0], corpus_for(CLAIMS[0]), METHOD)
    scores = sorted(item.retrieval_score for item in every.evidence)
    some, reports = replace(METHOD, nearest=scores[1]), []
    verdict, _ = decide_with_progress(CLAIMS[0], corpus_for(CLAIMS[0]), some, reports.append)
    assert 0 < len(verdict.evidence) < len(every.evidence)
    answers = [item.answer for item in verdict.evidence]
    assert [[item.answer for item in progress.evidence] for progress in reports[3:]] == [
        answers
    ] * 3


def test_votes_can_be_seen_while_they_are_cast_by_loading_the_page_again(tmp_path):
    allowed = threading.Semaphore(0)
    with desk_of(tmp_path / "run", method=gated(allowed)) as served:
        path = served.ask("The bridge is shut.")
        for cast in (0, 1):
            until(lambda n=cast: f"{n} vote" in Page(served.get(path).body).text())
            assert '<noscript><meta http-equiv="refresh"' in served.get(path).body
            allowed.release()
        assert served.settled(path).count("You say it") == 3


def test_changes_are_told_as_they_happen_and_end_with_the_check(tmp_path):
    allowed = threading.Semaphore(0)
    with desk_of(tmp_path / "run", method=gated(allowed)) as served:
        path = served.ask("The bridge is shut.")
        until(lambda: "0 votes are cast" in Page(served.get(path).body).text())
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
        return LLM(prompts, ask)

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
        assert "is not here" in served.settled("/claims/check-1")
        assert "Your review" in served.settled(served.ask("The bridge is shut."))


def test_a_model_that_cannot_be_loaded_fails_the_claim(tmp_path):
    def missing(_):
        raise RunError("no model here; run: uhhrag models pull default")

    with desk_of(tmp_path / "run", targets={TARGET: Target("g", missing)}) as served:
        assert "uhhrag models pull default" in served.settled(served.ask("A claim."))
